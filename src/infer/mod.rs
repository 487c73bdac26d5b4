//! What the samples say about instructions: latencies from loops, throughputs from bodies.

mod knowledge;

pub use knowledge::{Finding, Knowledge, Timing};
