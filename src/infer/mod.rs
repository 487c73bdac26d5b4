//! What the samples say about instructions: latencies from loops, throughputs from bodies.

mod knowledge;
pub mod latency;
pub mod throughput;

pub use knowledge::{Finding, Knowledge, LOOP_CYCLES, Timing, Trust};
