//! What a file says of ports: of a form what it uses, of the core what there is.

use serde::{Deserialize, Serialize};

use super::number;
use super::schema::list_or_null;
use super::text;
use crate::answer::ValueStatus;

/// Which ports a form uses.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PortUsage {
    /// Its micro-operations: how many go to any of which ports, which are numbers. A form that needs
    /// nothing but the front end has none of them.
    #[serde(rename = "portPressure", skip_serializing_if = "Option::is_none")]
    pub pressure: Option<Vec<(u32, Vec<u32>)>>,
    /// Places that it takes in the front end, if those show.
    #[serde(with = "number", skip_serializing_if = "Option::is_none")]
    pub slots: Option<f64>,
    /// Resources that only one instruction has at a time, and for how long.
    #[serde(
        rename = "portResources",
        deserialize_with = "list_or_null",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub resources: Vec<ResourceUse>,
    /// How far what mixtures took is from what this explains, on average, as a share.
    #[serde(rename = "portResidual", with = "number", skip_serializing_if = "Option::is_none")]
    pub residual: Option<f64>,
    /// How many uses of as many micro-operations explain them as well, this one among them.
    #[serde(rename = "portSolutions", skip_serializing_if = "Option::is_none")]
    pub solutions: Option<u32>,
    /// What is unusual about it.
    #[serde(
        rename = "portFlags",
        deserialize_with = "list_or_null",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub flags: Vec<String>,
    /// Why no ports are known.
    #[serde(
        rename = "portStatus",
        skip_serializing_if = "Option::is_none",
        deserialize_with = "text::optional"
    )]
    pub status: Option<ValueStatus>,
}

impl PortUsage {
    /// Whether ports are known.
    #[must_use]
    pub fn has_value(&self) -> bool {
        self.pressure.is_some()
    }
}

/// For how long a form has a resource for itself.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct ResourceUse {
    /// Below the number of `execution.resources` one of those, else one that the form has for itself: those that inherited
    /// its ports have it too, and nobody measured whether they wait for each other.
    pub resource: u32,
    /// Cycles of an instance.
    pub cycles: f64,
}

/// What executes instructions.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ExecutionUnits {
    /// How many ports there are that mixtures tell apart.
    pub ports: Option<u32>,
    /// What the CPU's vendor calls each of them, where that is known; empty for one that nothing tells.
    #[serde(deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Why there are no names although the vendor's are known: what was measured contradicts them.
    #[serde(deserialize_with = "text::optional", skip_serializing_if = "Option::is_none")]
    pub names_refused: Option<String>,
    /// The sets of ports that forms of one micro-operation go to.
    pub sets: Vec<Vec<u32>>,
    /// How many structures explain these as well.
    pub solutions: Option<u32>,
    /// Instructions that go through the front end in a cycle, if mixtures show it.
    #[serde(with = "number")]
    pub width: Option<f64>,
    /// Whether one that needs more places than are left in a cycle takes these and some of the next; if
    /// not, it waits for the next cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splits_instructions: Option<bool>,
    /// Resources that only one instruction has at a time, each by a form that fills it.
    #[serde(deserialize_with = "list_or_null")]
    pub resources: Vec<String>,
    /// How far off the mixtures are that all uses were refined by, on average, as a share.
    #[serde(with = "number", skip_serializing_if = "Option::is_none")]
    pub training_error: Option<f64>,
    /// How far off mixtures are that nothing was fitted to.
    #[serde(deserialize_with = "list_or_null")]
    pub errors: Vec<MixtureErrors>,
    /// These mixtures, and the one that was asked for.
    #[serde(deserialize_with = "list_or_null")]
    pub mixtures: Vec<PredictedMixture>,
}

/// How far predictions of mixtures are off, as shares.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct MixtureErrors {
    /// What their forms work on.
    #[serde(deserialize_with = "text::required")]
    pub kind: String,
    /// How many there are that count.
    pub mixtures: u32,
    /// How many more there are that others on the core may have slowed in every order: they do not count.
    #[serde(default)]
    pub disturbed: u32,
    /// The mean of the errors without their signs.
    pub mean: f64,
    /// Half of them are smaller.
    pub median: f64,
    /// The largest.
    pub largest: f64,
}

/// What a mixture was predicted to take, and what it took.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PredictedMixture {
    /// What its forms work on; `asked` if they were asked for by name.
    #[serde(deserialize_with = "text::required")]
    pub kind: String,
    /// LLVM's names of its forms, with how many of each stand in a round.
    pub forms: Vec<(String, u32)>,
    /// Cycles of a round by the ports of its forms, if those are known.
    #[serde(default, with = "number")]
    pub predicted: Option<f64>,
    /// What it took.
    pub cycles: f64,
    /// Whether others on the core may have slowed it in every order, so that this is too much.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disturbed: bool,
}
