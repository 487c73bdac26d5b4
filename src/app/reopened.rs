//! Evidence with everything that it takes to conclude from it again: what LLVM said, the forms that executed,
//! and the questions that were asked.

use std::collections::HashSet;

use super::Failure;
use crate::catalogue::Catalogue;
use crate::evidence::{Account, Evidence};
use crate::experiment::Experiment;
use crate::form::InstructionForm;
use crate::infer::Knowledge;
use crate::llvm::TargetChoice;
use crate::metadata::OpcodeId;
use crate::pipeline::Target;
use crate::study::core::floor_experiments;
use crate::study::{QUESTIONS, Question, Rounds, Study, executable};

/// Evidence, opened again.
pub(super) struct Reopened {
    /// What it is of.
    pub account: Account,
    /// All findings.
    pub knowledge: Knowledge,
    /// Those that a run has before it asks its questions.
    surveyed: Knowledge,
    /// What was asked.
    pub questions: Vec<&'static Question>,
    /// LLVM, as it was asked then.
    pub target: Target,
    /// The forms that executed.
    pub catalogue: Catalogue,
    /// The forms that were tried.
    pub forms: Vec<InstructionForm>,
    /// Those that were asked for and executed.
    pub subjects: Vec<OpcodeId>,
}

impl Reopened {
    /// Opens it.
    ///
    /// # Errors
    /// When this winic does not know the questions, or its LLVM numbers opcodes otherwise.
    pub fn of(evidence: Evidence) -> Result<Self, Failure> {
        let Evidence { account, knowledge } = evidence;
        let questions = questions(&account)?;
        let target = target(&account)?;
        let asked = opcodes(&account, &target)?;
        let (all, forms) = tried(&target, &asked, &knowledge);
        let catalogue = executable(&all, &knowledge);
        let surveyed = surveyed(&all, &knowledge);
        let mut seen = HashSet::new();
        let subjects: Vec<OpcodeId> = asked
            .into_iter()
            .filter(|&opcode| catalogue.form(opcode).is_some() && seen.insert(opcode))
            .collect();
        Ok(Self { account, knowledge, surveyed, questions, target, catalogue, forms, subjects })
    }

    /// The questions, about the forms that were asked for.
    pub fn studies(&self) -> Vec<Box<dyn Study + '_>> {
        let Self { questions, catalogue, subjects, account, .. } = self;
        super::measure::studies(questions, catalogue, subjects, &account.grid)
    }

    /// Asks them as the run asked them, before they are concluded.
    pub fn ask_again(&self, studies: &[Box<dyn Study + '_>]) {
        Rounds::of(studies).repeat(self.surveyed.clone(), &self.knowledge);
    }
}

/// The questions that were asked; a newer winic may know more of them.
pub(super) fn questions(account: &Account) -> Result<Vec<&'static Question>, Failure> {
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

/// The forms that were tried.
fn tried(
    target: &Target,
    asked: &[OpcodeId],
    knowledge: &Knowledge,
) -> (Catalogue, Vec<InstructionForm>) {
    let aliases: HashSet<OpcodeId> = asked.iter().copied().collect();
    let tried = target.forms(&aliases).filter(|form| knowledge.probe(form.opcode).is_some());
    let tried: Vec<InstructionForm> = tried.cloned().collect();
    let (set, isa) = (target.set.clone(), target.isa.clone());
    (Catalogue::new(set, isa, tried.iter().cloned(), &HashSet::new()), tried)
}

/// What a run finds out before it asks its questions.
fn surveyed(all: &Catalogue, knowledge: &Knowledge) -> Knowledge {
    let floors: HashSet<Experiment> = floor_experiments(all).into_iter().collect();
    let is_of_survey = |experiment: &Experiment| match experiment {
        Experiment::Probe(_) | Experiment::Reference { .. } => true,
        other => floors.contains(other),
    };
    let mut out = Knowledge::default();
    for (experiment, findings) in knowledge.histories().filter(|(it, _)| is_of_survey(it)) {
        findings.iter().for_each(|finding| out.learn(experiment.clone(), finding.clone()));
    }
    out
}
