//! Conclusions: what a run says in the end about each form that was asked for.

mod headline;
mod latency;
mod throughput;

pub use latency::{EdgeConclusion, EdgeValue, LatencyConclusions, latencies};
pub use throughput::{ThroughputConclusion, ThroughputValue, VariantConclusion, throughputs};

use crate::answer::Cause;

/// Why there is no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// The run ended before it was asked; this says nothing about the form.
    NotAsked,
    /// It was asked, and this came of it.
    Because(Cause),
}
