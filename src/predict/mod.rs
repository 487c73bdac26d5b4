//! What a loop takes by a database: three lower bounds, of which the largest counts.
//!
//! * **Ports** ([`infer::ports`](crate::infer::ports)): the fullest set of ports and of resources that only
//!   one instruction has at a time. Of forms without ports, what so many of one form take by
//!   its throughput.
//! * **Chain** (`chain`): the dependence from an iteration to the next ones that takes longest
//!   for each of them, through registers, flags and cells that are named alike, by latencies from operand to
//!   operand.
//! * **Front end**: places of all instructions by how many go through in a cycle.
//!
//! Nothing is simulated: schedulers, buffers and caches are as large as anyone needs, and of what
//! loops leave open about latencies the middle counts, as exports have it. A pure function of the instructions, as
//! they read and write, and of the database.

mod body;
mod chain;
mod resources;

pub use body::{BodyStep, StepSite};
pub use chain::{ChainBound, ChainLink};
pub use resources::PortBound;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::database::Database;
use body::KnownSteps;

/// What a loop takes by a database, in cycles of an iteration.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prediction {
    /// The largest of the bounds.
    pub cycles: f64,
    /// Which of them it is; none where there is none.
    pub bound_by: Option<Bound>,
    /// What the fullest ports take, where any are known.
    pub ports: Option<PortBound>,
    /// What the form takes that takes longest by its throughput, of those whose ports are not known.
    pub by_throughput: Option<ThroughputBound>,
    /// What the slowest chain takes, where there is one from an iteration to another.
    pub chain: Option<ChainBound>,
    /// What the front end takes, where the database says how wide that is.
    pub front_end: Option<f64>,
    /// The instructions, in order.
    pub instructions: Vec<PredictedInstruction>,
    /// What of them the database does not know, in words; then the bounds are too low.
    pub lacks: Vec<String>,
}

/// Which bound counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Bound {
    /// Ports.
    Ports,
    /// A throughput.
    Throughput,
    /// A chain.
    Chain,
    /// The front end.
    FrontEnd,
}

impl Bound {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ports => "ports",
            Self::Throughput => "throughput",
            Self::Chain => "chain",
            Self::FrontEnd => "front end",
        }
    }
}

/// So many instances of one form, by its throughput.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThroughputBound {
    /// Cycles of an iteration.
    pub cycles: f64,
    /// LLVM's name of the form.
    pub form: String,
}

/// What the database says of an instruction.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PredictedInstruction {
    /// In assembly.
    pub text: String,
    /// LLVM's name of the form whose figures count; none of what the database does not have.
    pub form: Option<String>,
    /// Its micro-operations: how many go to any of which ports.
    pub ports: Option<Vec<(u32, Vec<u32>)>>,
    /// Its reciprocal throughput.
    pub throughput: Option<f64>,
    /// Its places in the front end.
    pub slots: f64,
}

/// Predicts a loop.
#[must_use]
pub fn predict(body: &[BodyStep], database: &Database) -> Prediction {
    let known = KnownSteps::of(body, database);
    let ports = resources::of_ports(&known);
    let by_throughput = resources::of_throughputs(&known);
    let front_end = resources::of_front_end(&known, database);
    let (chain, unknown) = chain::slowest(&known);
    let bounds = [
        (Bound::Ports, ports.as_ref().map(|bound| bound.cycles)),
        (Bound::Throughput, by_throughput.as_ref().map(|bound| bound.cycles)),
        (Bound::Chain, chain.as_ref().map(|bound| bound.cycles)),
        (Bound::FrontEnd, front_end),
    ];
    let present = bounds.into_iter().filter_map(|(bound, cycles)| Some((bound, cycles?)));
    let largest = present.reduce(|one, other| if other.1 > one.1 { other } else { one });
    let lacks: BTreeSet<String> = known.lacks().chain(unknown).collect();
    Prediction {
        cycles: largest.map_or(0.0, |(_, cycles)| cycles),
        bound_by: largest.map(|(bound, _)| bound),
        ports,
        by_throughput,
        chain,
        front_end,
        instructions: known.instructions(),
        lacks: lacks.into_iter().collect(),
    }
}
