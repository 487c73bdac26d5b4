//! What the samples say about instructions: latencies from loops, throughputs from bodies.

pub mod latency;
pub mod throughput;
