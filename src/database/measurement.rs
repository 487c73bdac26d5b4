//! What the file says of the runs that measured.

use serde::{Deserialize, Serialize};

use super::schema::list_or_null;
use super::{number, text};
use crate::answer::LoopConflict;

/// Keys of a [`Measurement`] in their order.
pub const MEASUREMENT_KEYS: &[&str] = &[
    "cpu",
    "system",
    "clock",
    "frequency",
    "date",
    "winicVersion",
    "llvmVersion",
    "command",
    "conflicts",
];

/// The last run of each kind.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Measurements {
    /// The last throughput run.
    pub throughput: Option<Measurement>,
    /// The last latency run.
    pub latency: Option<Measurement>,
    /// The last run about ports.
    pub ports: Option<Measurement>,
    /// The last run about the core itself.
    pub core: Option<Measurement>,
    /// The last run about store forwarding.
    #[serde(rename = "storeForwarding")]
    pub forwarding: Option<Measurement>,
    /// The last sweep of accumulators.
    pub accumulators: Option<Measurement>,
    /// The last sweep of threads.
    pub threads: Option<Measurement>,
    /// The last sweep of bandwidth.
    pub bandwidth: Option<Measurement>,
    /// The last sweep of registers.
    pub registers: Option<Measurement>,
    /// The last sweep of transitions.
    pub transition: Option<Measurement>,
    /// The last sweep of sequences.
    pub sequences: Option<Measurement>,
    /// The last sweep of wavefronts of a GPU.
    pub wavefronts: Option<Measurement>,
    /// The last sweep of a GPU's library.
    pub products: Option<Measurement>,
    /// The last sweep of its power.
    pub power: Option<Measurement>,
}

/// Where, when and how a run measured.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Measurement {
    /// The CPU's name for itself.
    #[serde(deserialize_with = "text::optional")]
    pub cpu: Option<String>,
    /// The operating system and its version.
    #[serde(deserialize_with = "text::optional")]
    pub system: Option<String>,
    /// What told the time.
    #[serde(deserialize_with = "text::optional")]
    pub clock: Option<String>,
    /// The core clock, in GHz.
    #[serde(with = "number")]
    pub frequency: Option<f64>,
    /// When the run began.
    #[serde(deserialize_with = "text::optional")]
    pub date: Option<String>,
    /// The winic that ran.
    #[serde(deserialize_with = "text::optional")]
    pub winic_version: Option<String>,
    /// The LLVM it was built with.
    #[serde(deserialize_with = "text::optional")]
    pub llvm_version: Option<String>,
    /// The command line.
    #[serde(deserialize_with = "text::optional")]
    pub command: Option<String>,
    /// Which of its loops contradict each other; of a latency run.
    #[serde(deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<LoopConflict>,
}
