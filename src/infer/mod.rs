//! What the samples say about instructions: latencies from loops, throughputs from bodies, ports from
//! mixtures; and about cores: how much they have in flight.

mod handover;
mod knowledge;
pub mod latency;
pub mod ports;
mod scatter;
mod sway;
pub mod sweep;
mod threads;
pub mod throughput;
mod timing;
pub mod whole;
mod window;

pub use handover::{Handover, whole_cycles};
pub use knowledge::{Finding, Knowledge, Reliance, Trust};
pub use scatter::Scatter;
pub use sway::sway;
pub use threads::ThreadTiming;
pub use timing::{LOOP_CYCLES, LoopCost, Timing, UnrollAnomaly};
pub use window::{NoWindowStep, WindowStep};
