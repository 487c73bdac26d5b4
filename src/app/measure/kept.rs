//! The journal of a run: what it holds for, and what becomes of it.

use super::Questions;
use super::output::Output;
use crate::app::Failure;
use crate::cli::{Global, Measure};
use crate::device::HostDescription;
use crate::files::{self, shown};
use crate::journal::{Journal, JournalHeader, Start};
use crate::pipeline::Target;
use crate::study::Grid;

/// Which winic this is. What another one has found may be what this one does not ask or takes in
/// another way, so that not the version counts but the sources: build.rs tells their fingerprint.
pub(super) const BUILD: &str =
    concat!(env!("CARGO_PKG_VERSION"), " of sources ", env!("WINIC_SOURCES"));

/// Opens the journal beside the database.
pub(super) fn open(
    global: &Global,
    options: &Measure,
    (questions, grid): (&Questions, &Grid),
    output: &Output,
    target: &Target,
    host: &HostDescription,
) -> Result<Journal, Failure> {
    let Some(database) = output.database() else {
        return match options.resume {
            true => Err(Failure::new("--resume continues a regular file: name one with -o")),
            false => Ok(Journal::nowhere()),
        };
    };
    let header = JournalHeader {
        winic: BUILD.to_owned(),
        llvm: target.set.llvm_version.clone(),
        tables: format!("{:08x}", target.set.fingerprint()),
        target: format!("{} {}", target.set.architecture, target.set.cpu),
        cpu: host.cpu.clone(),
        clock: clock(global, host),
        run: run(options, questions, grid),
    };
    let start = if options.resume { Start::Resume } else { Start::Anew };
    let journal = Journal::open(&Journal::beside(database), &header, start)?;
    // With the journal locked, this run has the database to itself.
    files::sweep(database);
    if options.resume {
        remark!("going on from {} findings", journal.remembered());
    }
    if journal.damaged() > 0 {
        eprintln!(
            "warning: {} lines of the journal are damaged: what they said is measured again; check the disk",
            journal.damaged()
        );
    }
    Ok(journal)
}

/// Removes the journal of a complete run; says how to continue one that is not.
pub(super) fn close(journal: Journal, output: &Output, incomplete: bool) -> Result<(), Failure> {
    if !incomplete {
        return Ok(journal.remove()?);
    }
    if let Some(database) = output.database() {
        eprintln!("the same command with `--resume -o {}` measures the rest", shown(database));
    }
    Ok(())
}

/// What tells the time, without what is calibrated anew at each start.
fn clock(global: &Global, host: &HostDescription) -> String {
    let ticks = host.clock();
    match global.frequency {
        Some(frequency) => format!("{ticks} at {frequency}"),
        None => ticks.to_owned(),
    }
}

/// The options that say what is measured. In another order or mode they would ask the same
/// questions, but a database that is written from part of the answers would lose the others.
fn run(options: &Measure, questions: &Questions, grid: &Grid) -> String {
    let Measure {
        instructions,
        min_opcode,
        max_opcode,
        x87,
        results: _,
        no_evidence: _,
        asm: _,
        no_asm: _,
        resume: _,
    } = options;
    let mut words = vec![super::output::mode_name(questions).to_owned()];
    words.extend(instructions.iter().cloned());
    let numbers = [("--minOpcode", min_opcode), ("--maxOpcode", max_opcode)];
    let numbers = numbers.into_iter().filter_map(|(name, number)| Some((name, (*number)?)));
    words.extend(numbers.map(|(name, number)| format!("{name} {number}")));
    words.extend(x87.then(|| "--x87FP".to_owned()));
    words.extend((!grid.is_usual()).then(|| format!("{grid:?}")));
    words.join(" ")
}
