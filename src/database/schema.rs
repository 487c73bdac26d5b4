//! What the file says, as plain data: one type per group of keys that belong together.
//!
//! [`Subject`], [`Throughput`] and [`Latency`] are read from, and written into, the same
//! mapping: each takes the keys it knows. So a run replaces one of them and cannot touch the
//! others.

use serde::{Deserialize, Deserializer, Serialize};

pub use super::measurement::{MEASUREMENT_KEYS, Measurement, Measurements};
use super::ports::PortUsage;
use super::{number, text, version};
use crate::answer::{Circumstance, Limits, ValueStatus, WayBack};
use crate::device::Source;
use crate::form::NamedSite;

/// The list of instructions, in the file's mapping.
pub const INSTRUCTIONS: &str = "instructions";
/// The descriptions of the runs, in the file's mapping.
pub const MEASUREMENT: &str = "measurement";
/// The description of the core, in the file's mapping.
pub const CORE: &str = "core";
/// The times of store forwarding, in the file's mapping.
pub const FORWARDING: &str = "storeForwarding";
/// The sweeps, in the file's mapping.
pub const SWEEPS: &str = "sweeps";
/// The opcode whose twin it is, in an instruction's mapping.
pub const ALIAS: &str = "alias";
/// The latencies by operand, in an instruction's mapping.
pub const OPERAND_LATENCIES: &str = "operandLatencies";

/// Keys of the file that winic knows, in their order.
pub const FILE_KEYS: &[&str] = &[
    version::KEY,
    "winicVersion",
    "isa",
    "microArchitecture",
    "source",
    "sourceCpu",
    MEASUREMENT,
    CORE,
    FORWARDING,
    SWEEPS,
    INSTRUCTIONS,
];
/// Keys of an instruction in their order: of its [`Subject`], [`Latency`] and [`Throughput`].
pub const ENTRY_KEYS: &[&str] = &[
    "llvmName",
    "name",
    ALIAS,
    "configuration",
    "addressing",
    "operands",
    "latency",
    OPERAND_LATENCIES,
    "latencyStatus",
    "throughput",
    "throughputMin",
    "throughputMax",
    "throughputUncertainty",
    "throughputRaw",
    "throughputStatus",
    "throughputBrokenBy",
    "throughputBody",
    "throughputVariants",
    "portPressure",
    "slots",
    "portResources",
    "portResidual",
    "portSolutions",
    "portFlags",
    "portStatus",
];
/// What stands behind the place of a memory operand where the base of its address is meant, and not what
/// lies there.
pub const ADDRESS_BASE: &str = ".addr";
/// ... where the index of its address is meant.
pub const ADDRESS_INDEX: &str = ".addr.index";
/// Keys of a [`Latency`].
pub const LATENCY_KEYS: &[&str] = ENTRY_KEYS.split_at(6).1.split_at(3).0;
/// Keys of a [`Throughput`].
pub const THROUGHPUT_KEYS: &[&str] = ENTRY_KEYS.split_at(9).1.split_at(9).0;
/// Keys of a [`PortUsage`].
pub const PORT_KEYS: &[&str] = ENTRY_KEYS.split_at(18).1;
/// Keys of an [`OperandLatency`] in their order.
pub const OPERAND_LATENCY_KEYS: &[&str] = &[
    "sourceOperand",
    "targetOperand",
    "llvmSource",
    "llvmTarget",
    "latencyMin",
    "latencyMax",
    "independence",
    "uncertainty",
    "raw",
    "saturatedLatency",
    "helpers",
    "pass",
    "limits",
    "variants",
    "status",
];

/// The machine a file is about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Header {
    /// The winic that made the file.
    #[serde(deserialize_with = "text::optional")]
    pub winic_version: Option<String>,
    /// The instruction set, as LLVM's triples name it.
    #[serde(deserialize_with = "text::optional")]
    pub isa: Option<String>,
    /// The microarchitecture, as LLVM names it.
    #[serde(deserialize_with = "text::optional")]
    pub micro_architecture: Option<String>,
    /// Where its values come from; files of old do not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The CPU or the model that gave them, as LLVM names it, where that is known: another one
    /// than the microarchitecture if somebody said so.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "text::optional")]
    pub source_cpu: Option<String>,
}

/// Everything the file says about one instruction, as far as winic knows the keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entry {
    /// Which instruction.
    pub subject: Subject,
    /// Its latency.
    pub latency: Latency,
    /// Its throughput.
    pub throughput: Throughput,
    /// The ports that it uses.
    pub ports: PortUsage,
}

/// What a run found out about one instruction.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Update {
    /// Which instruction.
    pub subject: Subject,
    /// What a throughput run found; none leaves what the file says.
    pub throughput: Option<Throughput>,
    /// What a latency run found; none leaves what the file says.
    pub latency: Option<Latency>,
    /// What a run for ports found; none leaves what the file says.
    pub ports: Option<PortUsage>,
}

impl Update {
    /// The update without what the run did not come to ask for; none if that is all of it.
    #[must_use]
    pub fn asked(&self) -> Option<Self> {
        let throughput = self.throughput.clone().filter(Throughput::says_something);
        let latency = self.latency.clone().and_then(|mut latency| {
            latency.operands.retain(OperandLatency::says_something);
            let is_asked = latency.status.is_some() || !latency.operands.is_empty();
            is_asked.then_some(latency)
        });
        let ports = self.ports.clone().filter(|it| it.has_value() || it.status.is_some());
        let is_asked = throughput.is_some() || latency.is_some() || ports.is_some();
        is_asked.then(|| Self { subject: self.subject.clone(), throughput, latency, ports })
    }

    /// Gives a reason to doubt to every throughput and latency that has none.
    pub fn doubt(&mut self, reason: &ValueStatus) {
        if let Some(throughput) = self.throughput.as_mut().filter(|it| it.has_value()) {
            throughput.status.get_or_insert_with(|| reason.clone());
        }
        let edges = self.latency.iter_mut().flat_map(|latency| &mut latency.operands);
        for edge in edges.filter(|edge| edge.has_value()) {
            edge.status.get_or_insert_with(|| reason.clone());
        }
    }
}

/// An instruction as LLVM knows it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// LLVM's name of the opcode; entries are told apart by it.
    #[serde(deserialize_with = "text::required")]
    pub llvm_name: String,
    /// The mnemonic.
    #[serde(default, deserialize_with = "text::optional")]
    pub name: Option<String>,
    /// The opcode whose twin this is, if its values are taken from there.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text::optional")]
    pub alias: Option<String>,
    /// What the vector unit was set to, for instructions that depend on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<Configuration>,
    /// Of which parts the address is made, where that is more than a base: `base + index * 8`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text::optional")]
    pub addressing: Option<String>,
    /// The operands that are written in the assembly.
    #[serde(default, deserialize_with = "list_or_null")]
    pub operands: Vec<OperandEntry>,
}

/// What a vector unit is set to; all elements that there are then are computed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Configuration {
    /// Width of an element in bits.
    #[serde(default)]
    pub sew: Option<u32>,
    /// Registers in a group; a fraction where elements take only a part of one.
    #[serde(default, with = "number")]
    pub lmul: Option<f64>,
    /// Whether a mask says which elements are computed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub masked: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// An operand that is written in the assembly.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OperandEntry {
    /// `register`, `immediate`, `memory`, ...
    #[serde(deserialize_with = "text::required")]
    pub class: String,
    /// The register class or the kind of immediate, as LLVM names it.
    #[serde(default, deserialize_with = "text::optional")]
    pub name: Option<String>,
    /// The width in bits; files of old do not have it.
    #[serde(default)]
    pub width: Option<u32>,
    /// Whether the instruction reads it.
    #[serde(default)]
    pub read: bool,
    /// Whether the instruction writes it.
    #[serde(default)]
    pub write: bool,
}

impl Throughput {
    /// Whether somebody asked for it: there is a value, or a reason why there is none.
    #[must_use]
    pub fn says_something(&self) -> bool {
        self.has_value() || self.status.is_some()
    }

    /// Whether anything is known of how long it takes.
    #[must_use]
    pub fn has_value(&self) -> bool {
        is_any_known(&[self.value, self.min, self.max])
    }
}

/// The reciprocal throughput of an instruction, in cycles.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Throughput {
    /// The value.
    #[serde(rename = "throughput", with = "number")]
    pub value: Option<f64>,
    /// The smallest value possible.
    #[serde(rename = "throughputMin", with = "number")]
    pub min: Option<f64>,
    /// The largest value possible.
    #[serde(rename = "throughputMax", with = "number")]
    pub max: Option<f64>,
    /// How far off the value may be.
    #[serde(
        rename = "throughputUncertainty",
        with = "number",
        skip_serializing_if = "Option::is_none"
    )]
    pub uncertainty: Option<f64>,
    /// The value before it was rounded to what hardware can do.
    #[serde(rename = "throughputRaw", with = "number", skip_serializing_if = "Option::is_none")]
    pub raw: Option<f64>,
    /// Why there is no value, or why to doubt it.
    #[serde(
        rename = "throughputStatus",
        skip_serializing_if = "Option::is_none",
        deserialize_with = "text::optional"
    )]
    pub status: Option<ValueStatus>,
    /// The instructions that were put between to break a dependency.
    #[serde(
        rename = "throughputBrokenBy",
        deserialize_with = "list_or_null",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub broken_by: Vec<String>,
    /// The body of the kernel that the value was read from.
    #[serde(rename = "throughputBody", skip_serializing_if = "Option::is_none")]
    pub body: Option<MeasuredBody>,
    /// Values under other circumstances.
    #[serde(
        rename = "throughputVariants",
        deserialize_with = "list_or_null",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub variants: Vec<ThroughputVariant>,
}

/// What a loop had in it whose duration gave a throughput.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MeasuredBody {
    /// Instances of the instruction.
    pub instances: u32,
    /// After how many of them breakers stand; none where nothing is broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<u32>,
    /// The dependences that are broken.
    #[serde(deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenDependence>,
}

/// A dependence between instances, and what breaks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenDependence {
    /// The register that they depend on each other through.
    #[serde(deserialize_with = "text::required")]
    pub register: String,
    /// LLVM's name of the form that breaks it.
    #[serde(deserialize_with = "text::required")]
    pub breaker: String,
}

/// The throughput under a circumstance of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThroughputVariant {
    /// The circumstance.
    #[serde(deserialize_with = "text::required")]
    pub variant: Circumstance,
    /// The reciprocal throughput, in cycles.
    #[serde(default, with = "number")]
    pub throughput: Option<f64>,
    /// How far off it may be.
    #[serde(default, with = "number")]
    pub uncertainty: Option<f64>,
}

/// The latencies of an instruction, in cycles.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Latency {
    /// The largest of all.
    #[serde(rename = "latency", with = "number")]
    pub value: Option<f64>,
    /// From each operand read to each operand written.
    #[serde(rename = "operandLatencies", deserialize_with = "list_or_null")]
    pub operands: Vec<OperandLatency>,
    /// Why there is no value.
    #[serde(
        rename = "latencyStatus",
        skip_serializing_if = "Option::is_none",
        deserialize_with = "text::optional"
    )]
    pub status: Option<ValueStatus>,
}

impl Latency {
    /// Whether anything is known of how long it takes.
    #[must_use]
    pub fn has_value(&self) -> bool {
        is_any_known(&[self.value]) || self.operands.iter().any(OperandLatency::has_value)
    }
}

impl OperandLatency {
    /// Whether somebody asked for it: there is a value, or a reason why there is none.
    #[must_use]
    pub fn says_something(&self) -> bool {
        self.has_value() || self.status.is_some()
    }

    /// Whether anything is known of how long it takes.
    #[must_use]
    pub fn has_value(&self) -> bool {
        is_any_known(&[self.min, self.max])
    }
}

/// How long after one operand is ready another one is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OperandLatency {
    /// What is read: an index into the operands, or the name of an implicit register.
    #[serde(rename = "sourceOperand", deserialize_with = "text::required")]
    pub source: String,
    /// What is written, likewise.
    #[serde(rename = "targetOperand", deserialize_with = "text::required")]
    pub target: String,
    /// The source as LLVM numbers it, where that differs from its place among the operands that are
    /// written in the assembly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llvm_source: Option<NamedSite>,
    /// The target, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llvm_target: Option<NamedSite>,
    /// The smallest latency possible.
    #[serde(rename = "latencyMin", default, with = "number")]
    pub min: Option<f64>,
    /// The largest latency possible.
    #[serde(rename = "latencyMax", default, with = "number")]
    pub max: Option<f64>,
    /// Whether the result may not wait for the source at all: the largest value is then what
    /// independent instances take, and no latency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub independence: Option<Independence>,
    /// How far off the values may be.
    #[serde(default, with = "number", skip_serializing_if = "Option::is_none")]
    pub uncertainty: Option<f64>,
    /// The value before it was rounded to whole cycles.
    #[serde(default, with = "number", skip_serializing_if = "Option::is_none")]
    pub raw: Option<f64>,
    /// The latency while the unit is busy with other work.
    #[serde(default, with = "number", skip_serializing_if = "Option::is_none")]
    pub saturated_latency: Option<f64>,
    /// What closed each loop with this edge.
    #[serde(default, deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub helpers: Vec<WayBack>,
    /// What a pass through the fastest of these loops takes.
    #[serde(default, with = "number", skip_serializing_if = "Option::is_none")]
    pub pass: Option<f64>,
    /// Why the interval is not narrower.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// Values under other circumstances.
    #[serde(default, deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<LatencyVariant>,
    /// Why there is no value, or why to doubt it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text::optional")]
    pub status: Option<ValueStatus>,
}

/// How well it is known that a result does not wait for a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Independence {
    /// A loop through both takes less than the other instructions in it.
    Proven,
    /// Their chain takes what independent instances do, and nothing shows more.
    Possible,
}

/// The latency under a circumstance of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LatencyVariant {
    /// The circumstance.
    #[serde(deserialize_with = "text::required")]
    pub variant: Circumstance,
    /// The latency, in cycles.
    #[serde(default, with = "number")]
    pub latency: Option<f64>,
}

/// Whether one of them would be written as a number.
fn is_any_known(values: &[Option<f64>]) -> bool {
    values.iter().flatten().any(|value| value.is_finite())
}

/// A list; `null` is the empty one.
pub(super) fn list_or_null<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests;
