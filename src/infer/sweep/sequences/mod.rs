//! From cycles of short loops of several instructions to what each instruction costs beside each other.
//!
//! The model is the one of chapter 6 of Zhou, "Performance Analysis of the Apple AMX Matrix Accelerator" (MIT
//! 2025), which comments here call the thesis: *Base*, what issuing an instruction
//! takes; *Switch*, what going over from an instruction to one of another key takes, in either direction; and
//! *Full*, what one that reads a result waits for besides. It is fitted to loops of any length: what a loop
//! takes is the greatest of several sums, so which sum counts is asked of the simulation, the costs of that
//! sum are fitted, and both are repeated until they agree.
//!
//! Three things differ from the thesis. A read depends on the *last* instruction that wrote a row, as
//! else `x * y` followed by `x + z` would be a chain through all iterations, which a processor does not
//! have; loops run until they are steady and not for two iterations; and loops of every length are fitted.

mod canonical;
mod dependences;
mod errors;
mod fitting;
mod instruction;
mod keys;
mod least_squares;
mod model;
mod parameters;
mod refinement;
mod simulation;
#[cfg(test)]
mod synthetic;

pub use canonical::CanonicalLoop;
pub use errors::{PredictionErrors, TABLE_6_2};
pub use instruction::{LoopInstruction, RegisterAccess};
pub use model::{SequenceError, SequenceModel};
pub use parameters::{SequenceCost, SequenceParameter, SequenceTerms};

use super::Measured;
use crate::random;

/// What a round of a loop took.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredSequence {
    /// Its instructions, by their places in a list.
    pub instructions: CanonicalLoop,
    /// Cycles of a round.
    pub measured: Measured,
}

/// Splits loops into those to learn from and a tenth to be tested on, which are the same for a seed.
#[must_use]
pub fn hold_out(
    loops: &[MeasuredSequence],
    seed: u64,
) -> (Vec<MeasuredSequence>, Vec<MeasuredSequence>) {
    let numbered = loops.iter().cloned().enumerate();
    let (held, learned): (Vec<_>, Vec<_>) =
        numbered.partition(|(place, _)| random::is_chosen(*place, HELD_OUT, seed));
    let bare = |loops: Vec<(usize, MeasuredSequence)>| loops.into_iter().map(|it| it.1).collect();
    (bare(learned), bare(held))
}

/// One of so many loops is held out.
const HELD_OUT: u64 = 10;
