//! Sweeps: questions whose answer is a table over a grid and not one number. How many accumulators keep
//! a unit busy, what switching a state costs, which registers stand in each other's way.
//!
//! Each is a study like any other: a function of the forms, the [`Grid`] and what is known. What follows
//! from a table (a latency, a class of conflicts) is fitted in [`crate::infer::sweep`]. Source: the
//! questions of the theses on matrix units; none of them is special to those.

mod accumulators;
mod bandwidth;
mod grid;
mod point;
mod registers;
mod sequences;
mod team;
mod threads;
mod transition;
mod walk;

pub use accumulators::QUESTION as ACCUMULATORS;
pub use bandwidth::QUESTION as BANDWIDTH;
pub use grid::{Grid, GridError, Room};
pub use registers::QUESTION as REGISTERS;
pub use sequences::QUESTION as SEQUENCES;
pub use sequences::{MOST_LOOPS, loop_count};
pub use threads::QUESTION as THREADS;
pub use transition::QUESTION as TRANSITION;

use crate::catalogue::Catalogue;
use crate::database::{Sweep, SweepKind};
use crate::form::InstructionForm;

/// A sweep of a form about which nothing can be asked.
fn without(kind: SweepKind, form: &InstructionForm, reason: &str) -> Sweep {
    let status = Some(reason.to_owned());
    Sweep { kind, forms: vec![form.name.clone()], status, ..Sweep::default() }
}

/// LLVM's name of a form.
fn name(catalogue: &Catalogue, opcode: crate::metadata::OpcodeId) -> String {
    catalogue.set.opcode(opcode).name.clone()
}
