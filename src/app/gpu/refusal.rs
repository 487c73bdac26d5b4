//! Options that mean something of a core and nothing of a GPU: each is refused, in a line that says why.

use crate::app::Failure;
use crate::cli::{Global, Measure};

/// Options of every mode that were given in vain.
pub(super) fn of_global(global: &Global) -> Result<(), Failure> {
    let clock = "a GPU's kernels read its clock themselves";
    first(&[
        ("-f", global.frequency.is_some(), clock),
        ("--forceFrequency", global.force_frequency, clock),
        ("--generation", global.generation.is_some(), "it is of Apple's AMX"),
        ("--record", global.record.is_some(), "a job for a GPU goes through its driver"),
        ("--jobs", global.jobs.is_some(), "a GPU is one machine"),
        ("--noTiming", global.no_timing, "a GPU's kernels are timed by themselves"),
        ("--times", global.times.is_some(), "only runs on cores say where their time went"),
    ])
}

/// Options of a measuring mode that were given in vain.
pub(super) fn of_measure(options: &Measure) -> Result<(), Failure> {
    let numbers = "a GPU's forms have names alone: choose some with -i";
    first(&[
        ("--minOpcode", options.min_opcode.is_some(), numbers),
        ("--maxOpcode", options.max_opcode.is_some(), numbers),
        ("--x87FP", options.x87, "no GPU has such forms"),
        ("--resume", options.resume, "a GPU's run is short and keeps no journal: measure it again"),
    ])
}

/// The same of a sweep, which is a run of its own kind.
pub(super) fn of_sweep(global: &Global, options: &Measure) -> Result<(), Failure> {
    of_measure(options)?;
    let stops = global.stop_after.is_some();
    first(&[("--stop-after", stops, "a sweep of a GPU has no stages: TP, LAT and ALL have")])
}

fn first(options: &[(&str, bool, &str)]) -> Result<(), Failure> {
    match options.iter().find(|(_, is_given, _)| *is_given) {
        Some((option, _, why)) => Err(Failure::new(format!("{why}: leave {option} out"))),
        None => Ok(()),
    }
}
