//! GPUs, by nothing but their drivers' libraries.
//!
//! A runner that was started with `--gpu cuda[:N]` or `--gpu hip[:N]` speaks the same protocol as others
//! and answers one request of its own kind: a [`GpuJob`]. It opens no library itself. Jobs go
//! to a child, a process that opens the driver's library, makes a context, compiles or loads the
//! module, and launches one kernel after the other. It does job after job while all goes well. What
//! takes too long is ended with its child, and the launches behind it go to another one: a hang, an
//! illegal instruction, a module that the driver refuses are findings ([`GpuOutcome`]), with the
//! driver's words.

mod child;
mod keeper;
mod library;
mod power;
mod product;
mod remote;

pub use child::serve as serve_child;
pub use keeper::{CHILD, serve};
pub use product::{LibraryProduct, NumberType, Routine};
pub use remote::GpuDevice;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Whose driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GpuVendor {
    /// NVIDIA's, `libcuda.so.1`.
    Cuda,
    /// AMD's, `libamdhip64.so`.
    Hip,
}

/// A GPU of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuChoice {
    /// Whose.
    pub vendor: GpuVendor,
    /// Its number, as the driver counts.
    pub number: u32,
}

impl GpuChoice {
    /// `cuda`, `cuda:1`, `hip:0`; the first one unless a number says otherwise.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (vendor, number) = text.split_once(':').unwrap_or((text, "0"));
        let vendor = match vendor {
            "cuda" => GpuVendor::Cuda,
            "hip" => GpuVendor::Hip,
            _ => return None,
        };
        Some(Self { vendor, number: number.parse().ok()? })
    }
}

impl fmt::Display for GpuChoice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let vendor = match self.vendor {
            GpuVendor::Cuda => "cuda",
            GpuVendor::Hip => "hip",
        };
        write!(out, "{vendor}:{}", self.number)
    }
}

/// A module and what to launch of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuJob {
    /// Text that the driver compiles (NVIDIA's PTX), or a code object; nothing where only the GPU is
    /// asked for.
    #[serde(with = "crate::artifact::base64_bytes")]
    pub module: Arc<[u8]>,
    /// Kernels to launch, in order.
    pub launches: Vec<GpuLaunch>,
    /// How long the module may take to be ready, and a launch with its repetitions besides what it is
    /// held for, in milliseconds.
    pub limit: u32,
}

/// A kernel to be launched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuLaunch {
    /// Its function.
    pub symbol: String,
    /// Blocks (workgroups).
    pub blocks: u32,
    /// Threads of a block (work-items of a workgroup).
    pub threads: u32,
    /// Bytes that it writes, from the address of its first argument on.
    pub bytes: u32,
    /// How often its loop runs: its second argument, of 4 bytes. One launch for each.
    pub iterations: Vec<u32>,
    /// Its other arguments, as they stand in memory behind the second.
    #[serde(with = "crate::artifact::base64_bytes")]
    pub arguments: Arc<[u8]>,
    /// How often all that is done, after once for nothing.
    pub repetitions: u32,
    /// Milliseconds for which it is done over and over in any case, so that power settles.
    #[serde(default)]
    pub hold: u32,
    /// Milliseconds between two samples of power and clock meanwhile; none where nobody wants them.
    #[serde(default)]
    pub sample: Option<u32>,
    /// In place of a kernel, a product by the vendor's library; `iterations` says how often it is done,
    /// and `bytes` how much of the result is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub product: Option<LibraryProduct>,
}

/// A line of answer to a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum GpuReply {
    /// The GPU: first.
    Facts(GpuFacts),
    /// The module is ready.
    Ready(GpuModule),
    /// It is not, and why; there are no launches then.
    Refused(String),
    /// What became of the next launch.
    Launched(GpuOutcome),
}

/// A GPU, as its driver describes it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuFacts {
    /// Its name.
    pub name: String,
    /// Compute units, or multiprocessors.
    pub units: u32,
    /// Its compute capability times ten, of NVIDIA's.
    pub capability: Option<u32>,
    /// The driver's version, as it tells it.
    pub driver: u32,
}

/// A module that was loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuModule {
    /// What the driver compiled, where it did.
    #[serde(with = "crate::artifact::base64_bytes")]
    pub compiled: Arc<[u8]>,
    /// What its compiler said.
    pub log: String,
}

/// What became of a launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GpuOutcome {
    /// It ran to its end.
    Ran(GpuRun),
    /// The driver did not do it: which call, and in its words why.
    Failed(String),
    /// It did not end in time, seconds.
    TimedOut(f64),
    /// Its process died of a signal.
    Crashed(i32),
}

/// A kernel that ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuRun {
    /// Registers of a thread, as the driver says.
    pub registers: u32,
    /// Each launch but the first round, in order: all numbers of iterations, then all of them again.
    pub times: Vec<GpuTime>,
    /// Samples while it was held.
    pub power: Vec<PowerSample>,
}

/// One launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuTime {
    /// Nanoseconds between events before and after it.
    pub elapsed: f64,
    /// What it wrote.
    #[serde(with = "crate::artifact::base64_bytes")]
    pub memory: Arc<[u8]>,
}

/// What the management library said at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerSample {
    /// Milliseconds since the kernel was first launched.
    pub at: f64,
    /// Watts.
    pub watts: f64,
    /// The clock of the units, in MHz, where it is said.
    pub clock: Option<f64>,
    /// Joules since the driver was loaded, where they are counted.
    pub energy: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_is_named_by_vendor_and_number() {
        let second = GpuChoice { vendor: GpuVendor::Cuda, number: 1 };
        assert_eq!(GpuChoice::read("cuda:1"), Some(second));
        assert_eq!(GpuChoice::read("hip").map(|it| it.to_string()).as_deref(), Some("hip:0"));
        for wrong in ["", "cuda:", "cuda:x", "rocm", "cuda:1:2", "hip:-1"] {
            assert_eq!(GpuChoice::read(wrong), None, "{wrong}");
        }
    }
}
