//! What a file says of the core itself.

use serde::{Deserialize, Serialize};

use super::number;
use super::schema::list_or_null;
use super::text;

/// Keys of a [`Core`] in their order.
pub const CORE_KEYS: &[&str] = &[
    "frequency",
    "referenceChains",
    "frontEnd",
    "loopCycles",
    "wrongGuess",
    "pairs",
    "window",
    "loadLatency",
];

/// What executes instructions, in the mapping of the core; runs for ports write it.
pub const EXECUTION: &str = "execution";

/// The core, as every value of the file presupposes it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Core {
    /// The clock, in GHz, while the reference chains ran.
    #[serde(with = "number")]
    pub frequency: Option<f64>,
    /// The chains that say what a cycle is.
    #[serde(deserialize_with = "list_or_null")]
    pub reference_chains: Vec<ChainTime>,
    /// What the front end takes.
    pub front_end: FrontEndTimes,
    /// Cycles that an iteration of a loop takes besides the chain in it: 0 where the loop's own
    /// instructions run beside it.
    pub loop_cycles: Option<u32>,
    /// What a branch takes that was predicted wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong_guess: Option<GuessTime>,
    /// Neighbours that might be taken as one.
    #[serde(deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairPlaces>,
    /// How many micro-operations are in flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<ReorderWindow>,
    /// What a load takes from each level of memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_latency: Option<LoadLatencies>,
}

/// What a load takes from address to result, by the level of memory that has its data.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LoadLatencies {
    /// LLVM's name of the form that loads.
    #[serde(deserialize_with = "text::optional", skip_serializing_if = "Option::is_none")]
    pub load: Option<String>,
    /// The levels, the nearest first.
    #[serde(deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LoadLevel>,
    /// What a load takes by the size of the working set.
    #[serde(deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<LoadPoint>,
    /// Why there are no levels.
    #[serde(deserialize_with = "text::optional", skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// What a load takes from a level of memory.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LoadLevel {
    /// Cycles from address to result.
    #[serde(with = "number")]
    pub cycles: Option<f64>,
    /// How far off those are for some working sets of the level.
    #[serde(with = "number")]
    pub uncertainty: Option<f64>,
    /// Bytes of the largest working set that the level holds; none of the last level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// What a load takes from a working set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LoadPoint {
    /// Bytes of the working set.
    pub bytes: u64,
    /// Cycles from address to result.
    #[serde(with = "number")]
    pub cycles: Option<f64>,
    /// How far off those may be.
    #[serde(with = "number")]
    pub uncertainty: Option<f64>,
}

/// How many micro-operations a core has in flight: the size of its reorder buffer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReorderWindow {
    /// How many.
    #[serde(with = "number")]
    pub size: Option<f64>,
    /// How far off that may be.
    #[serde(with = "number")]
    pub uncertainty: Option<f64>,
    /// What they are, as people call it, or LLVM's name of their form.
    #[serde(deserialize_with = "text::optional", skip_serializing_if = "Option::is_none")]
    pub filler: Option<String>,
    /// LLVM's name of the form that the chains on either side of them are of.
    #[serde(deserialize_with = "text::optional", skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// How many links each chain has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<u32>,
    /// What a round of two chains takes by the fillers behind each.
    #[serde(deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<WindowPoint>,
    /// Why there is no size.
    #[serde(deserialize_with = "text::optional", skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// What a round of two chains takes that have fillers between them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct WindowPoint {
    /// Fillers behind each chain.
    #[serde(default)]
    pub fillers: u32,
    /// Cycles of a round.
    #[serde(default, with = "number")]
    pub cycles: Option<f64>,
    /// How far off that may be.
    #[serde(default, with = "number")]
    pub uncertainty: Option<f64>,
}

/// What a branch takes that was predicted wrong.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GuessTime {
    /// Cycles of a wrong guess.
    #[serde(with = "number")]
    pub penalty: Option<f64>,
    /// How far off that may be.
    #[serde(with = "number")]
    pub uncertainty: Option<f64>,
    /// Cycles of a step whose branch nobody can predict, half of the time.
    #[serde(with = "number")]
    pub guessed: Option<f64>,
    /// Cycles of a step whose branch is never taken.
    #[serde(with = "number")]
    pub known: Option<f64>,
}

/// Places in the front end of two neighbours.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PairPlaces {
    /// Both, as people write them.
    #[serde(deserialize_with = "text::required")]
    pub pair: String,
    /// Places of the first by itself.
    #[serde(default, with = "number")]
    pub first: Option<f64>,
    /// Places of the second by itself.
    #[serde(default, with = "number")]
    pub second: Option<f64>,
    /// Places of both.
    #[serde(default, with = "number")]
    pub both: Option<f64>,
    /// Whether the core takes them as one.
    #[serde(default)]
    pub fused: bool,
}

/// What a link of a known chain takes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ChainTime {
    /// The symbol of its function in the template.
    #[serde(deserialize_with = "text::required")]
    pub chain: String,
    /// Cycles of a link.
    #[serde(default, with = "number")]
    pub cycles: Option<f64>,
    /// How far off that may be.
    #[serde(default, with = "number")]
    pub uncertainty: Option<f64>,
}

/// Cycles that the front end takes for an instruction, if nothing else holds it up.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FrontEndTimes {
    /// For the simplest instruction: no form is faster.
    #[serde(with = "number")]
    pub simplest: Option<f64>,
    /// For an instruction that does nothing, as kernels are padded with it.
    #[serde(with = "number")]
    pub filler: Option<f64>,
    /// The same by the bytes that it is long.
    #[serde(deserialize_with = "list_or_null")]
    pub fillers: Vec<FillerTime>,
}

/// What an instruction that does nothing takes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FillerTime {
    /// How many bytes it is long.
    #[serde(default)]
    pub bytes: u32,
    /// Cycles of one.
    #[serde(default, with = "number")]
    pub cycles: Option<f64>,
    /// How far off that may be.
    #[serde(default, with = "number")]
    pub uncertainty: Option<f64>,
}
