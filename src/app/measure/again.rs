//! Concluding again from what runs found, without any machine.

use std::collections::HashSet;
use std::process::ExitCode;
use std::time::Instant;

use super::found::Found;
use super::output::Output;
use super::{answers, studies, summary};
use crate::app::{Failure, start_planners};
use crate::catalogue::Catalogue;
use crate::cli::Conclude;
use crate::evidence::{self, Account, Evidence};
use crate::form::InstructionForm;
use crate::infer::Knowledge;
use crate::llvm::TargetChoice;
use crate::metadata::OpcodeId;
use crate::pipeline::Target;
use crate::study::{QUESTIONS, Question, executable};

/// Writes the database that follows from evidence.
pub fn run(options: &Conclude) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    let read =
        evidence::read(&options.evidence).map_err(|error| Failure::new(error.to_string()))?;
    let Evidence { account, knowledge } = read;
    let questions = questions(&account)?;
    let output = Output::of_files(options, &questions)?;
    output.admit(&account.origin)?;
    start_planners()?;
    let target = target(&account)?;
    let asked = opcodes(&account, &target)?;
    let (catalogue, forms) = executed(&target, &asked, &knowledge);
    let mut seen = HashSet::new();
    let subjects: Vec<OpcodeId> = asked
        .into_iter()
        .filter(|&opcode| catalogue.form(opcode).is_some() && seen.insert(opcode))
        .collect();
    let answers = answers(&studies(&questions, &catalogue, &subjects, &account.grid), &knowledge);
    let found = Found::new(&account, &questions, answers, &forms, (&catalogue, &knowledge));
    let files = output.write(&found)?;
    summary::print(&found, None, started.elapsed(), &files);
    Ok(ExitCode::SUCCESS)
}

/// The questions that were asked; a newer winic may know more of them.
fn questions(account: &Account) -> Result<Vec<&'static Question>, Failure> {
    let question = |key: &String| {
        let known = QUESTIONS.into_iter().find(|question| question.key == key);
        known.ok_or_else(|| {
            let winic = &account.winic;
            Failure::new(format!(
                "this winic knows no question '{key}': use the one that asked it ({winic})"
            ))
        })
    };
    account.questions.iter().map(question).collect()
}

/// What LLVM was asked about, with the numbers that it gave to opcodes and registers.
fn target(account: &Account) -> Result<Target, Failure> {
    let Account { triple, cpu, features, .. } = account.clone();
    let target = Target::open(TargetChoice { triple, cpu, features })?;
    if format!("{:08x}", target.set.fingerprint()) == account.tables {
        return Ok(target);
    }
    Err(Failure::new(format!(
        "the evidence numbers opcodes otherwise than this winic, which has LLVM {}: use the one that \
         wrote it, winic {} with LLVM {}",
        target.set.llvm_version, account.winic, account.llvm
    )))
}

/// The forms that were asked for.
fn opcodes(account: &Account, target: &Target) -> Result<Vec<OpcodeId>, Failure> {
    let opcode = |name: &String| {
        let opcode = target.set.by_name(name);
        opcode
            .ok_or_else(|| Failure::new(format!("the evidence names '{name}', which is no opcode")))
    };
    account.asked.iter().map(opcode).collect()
}

/// The forms that executed with the registers that exist, and all that were tried.
fn executed(
    target: &Target,
    asked: &[OpcodeId],
    knowledge: &Knowledge,
) -> (Catalogue, Vec<InstructionForm>) {
    let aliases: HashSet<OpcodeId> = asked.iter().copied().collect();
    let tried = target.forms(&aliases).filter(|form| knowledge.probe(form.opcode).is_some());
    let tried: Vec<InstructionForm> = tried.cloned().collect();
    let (set, isa) = (target.set.clone(), target.isa.clone());
    let all = Catalogue::new(set, isa, tried.iter().cloned(), &HashSet::new());
    (executable(&all, knowledge), tried)
}
