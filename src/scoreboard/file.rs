//! The file that describes a machine, as YAML has it. `reference/scoreboard.yaml` is an example
//! with every key, and what each of them means.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bytesize::ByteSize;
use serde::Deserialize;

use super::frequency::FrequencyEntry;
use super::operation::{CYCLE, Ticks};
use crate::form::NamedSite;

/// A machine.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MachineFile {
    /// The CPU's name, as databases have it.
    pub name: String,
    /// Its architecture, as LLVM's triples name it; any if it does not say.
    pub architecture: Option<String>,
    /// Its cores.
    #[serde(default = "single")]
    pub cores: u32,
    /// Files of machines whose cores it has besides, of another kind: threads that its own cores have no room
    /// for run there. Their paths start where this file is.
    #[serde(default)]
    pub others: Vec<PathBuf>,
    /// How it tells time.
    #[serde(default)]
    pub clock: ClockEntry,
    /// Instructions issued in a cycle.
    pub issue_width: u32,
    /// Instructions between the oldest that has not finished and the youngest that is issued.
    #[serde(default = "window")]
    pub window: usize,
    /// How far measurements are off.
    pub noise: Option<NoiseEntry>,
    /// What instructions occupy, by name.
    #[serde(default)]
    pub units: BTreeMap<String, UnitEntry>,
    /// What forms take; the first entry that names a form holds.
    #[serde(default)]
    pub forms: Vec<TimingEntry>,
    /// What all others take; without it they are not modelled.
    pub default: Option<TimingEntry>,
    /// What passes between forms of unlike keys.
    #[serde(default)]
    pub switches: SwitchEntry,
    /// Registers that conflict.
    #[serde(default)]
    pub conflicts: Vec<ConflictEntry>,
    /// States that forms enter and leave.
    #[serde(default)]
    pub transitions: Vec<TransitionEntry>,
    /// Caches, the nearest first, and memory.
    #[serde(default)]
    pub memory: Vec<LevelEntry>,
}

/// As large as those of large cores.
fn window() -> usize {
    512
}

/// How a machine tells time.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClockEntry {
    /// Of the core; databases have none where it is not said.
    pub frequency: Option<FrequencyEntry>,
    /// Of the clock that programs read, in GHz. Without it they read cycles.
    pub tick_rate: Option<f64>,
    /// Ticks by which that clock advances at once.
    pub step: Option<u64>,
}

/// How far measurements are off.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoiseEntry {
    /// Standard deviation, relative to what is measured.
    pub relative: f64,
    /// Another one is another series of measurements.
    #[serde(default)]
    pub seed: u64,
}

/// Units of one kind.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UnitEntry {
    /// How many there are.
    #[serde(default = "one")]
    pub count: usize,
    /// Whether instructions start on them in the order of the program.
    #[serde(default)]
    pub in_order: bool,
    /// Threads that have them in common.
    #[serde(default = "single")]
    pub shared_by: u32,
    /// There are such units for every so many registers: an instruction occupies those of the registers
    /// that it names and writes, by their numbers.
    pub registers: Option<u32>,
    /// Of a clock of their own: what instructions occupy them for is in its cycles.
    pub frequency: Option<FrequencyEntry>,
}

fn one() -> usize {
    1
}

fn single() -> u32 {
    1
}

/// What some forms take.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimingEntry {
    /// LLVM's names, with `*` and `?`; one without `@` stands for all configurations.
    #[serde(default)]
    pub names: Vec<String>,
    /// From every input to every result.
    pub latency: MachineCycles,
    /// Of single pairs, where it is another one.
    #[serde(default)]
    pub latencies: Vec<PairEntry>,
    /// From one instruction of a form to the next of the same form: it has a unit of its own.
    pub interval: Option<MachineCycles>,
    /// The units that it occupies, with for how long.
    #[serde(default)]
    pub units: BTreeMap<String, MachineCycles>,
    /// What it is to the costs of switches.
    pub key: Option<String>,
}

/// The latency of a pair.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairEntry {
    /// The input; all if it does not say.
    pub from: Option<SiteEntry>,
    /// The result; all if it does not say.
    pub to: Option<SiteEntry>,
    /// The latency.
    pub cycles: MachineCycles,
}

/// An operand by LLVM's index, or `impl(Reg<EFLAGS>)`, or `memory`.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum SiteEntry {
    /// An operand.
    Operand(usize),
    /// Anything.
    Named(NamedSite),
}

/// Costs of switches.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchEntry {
    /// Of single pairs of keys.
    #[serde(default)]
    pub costs: Vec<SwitchCostEntry>,
    /// Of all others.
    #[serde(default)]
    pub other: MachineCycles,
    /// The unit that is occupied while it switches, by its name. Without one the whole core stands still.
    pub occupies: Option<String>,
}

/// The cost of switching from one key to another or back.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchCostEntry {
    /// The two keys.
    pub between: [String; 2],
    /// The cost.
    pub cycles: MachineCycles,
}

/// Registers that conflict.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConflictEntry {
    /// The forms, as in [`TimingEntry`]: of those each with the next one.
    pub names: Vec<String>,
    /// Which of their registers.
    pub registers: ConflictingOperands,
    /// When they conflict.
    pub rule: ConflictRule,
    /// Of the rule `same-bank`.
    pub banks: Option<u32>,
    /// Of the rule `periodic`.
    pub period: Option<u32>,
    /// Of the same.
    pub offset: Option<u32>,
    /// For how long the core stands still then.
    pub cycles: MachineCycles,
    /// The unit that is busy for so long instead, with the later instruction.
    pub occupies: Option<String>,
}

/// Registers of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictingOperands {
    /// Those that it names and writes.
    Destinations,
    /// Those that it names and only reads.
    Sources,
}

/// When registers conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictRule {
    /// Always.
    Constant,
    /// If they are the same.
    Diagonal,
    /// If their numbers are the same modulo `banks`.
    SameBank,
    /// If the later one's number is `offset` more, modulo `period`.
    Periodic,
}

/// A state that forms enter and leave.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransitionEntry {
    /// Forms that enter it.
    pub enter: Vec<String>,
    /// Forms that leave it.
    pub leave: Vec<String>,
    /// For how long the core stands still each time, beside all else that it does.
    pub additive: Option<MachineCycles>,
    /// What passes at the least from entering to entering, ...
    pub overlapping: Option<OverlapEntry>,
}

/// A change that takes its time while other work goes on: `max(whole, work + leaving)`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverlapEntry {
    /// From entering to where work can go on after leaving.
    pub whole: MachineCycles,
    /// What of that leaving takes by itself, behind all work.
    #[serde(default)]
    pub leaving: MachineCycles,
    /// Nothing behind what enters is issued before that starts, and `whole` passes from where what leaves is
    /// issued: the time until then, which grows with the work, comes to it.
    #[serde(default)]
    pub refills: bool,
}

/// A cache, or memory.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LevelEntry {
    /// What it is called.
    pub level: String,
    /// What it holds; the last one holds everything.
    pub size: Option<ByteSize>,
    /// Bytes that it delivers in a cycle.
    pub load: f64,
    /// Bytes that it takes in a cycle.
    pub store: f64,
    /// Threads that have its size and its bytes in common.
    #[serde(default = "single")]
    pub shared_by: u32,
}

/// A number of cycles: not negative, with at most six decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "f64")]
pub struct MachineCycles(pub Ticks);

/// More is a slip of the pen.
const MOST_CYCLES: f64 = 1e9;

impl TryFrom<f64> for MachineCycles {
    type Error = String;

    fn try_from(cycles: f64) -> Result<Self, Self::Error> {
        let ticks = cycles * CYCLE as f64;
        if !(0.0..=MOST_CYCLES).contains(&cycles) {
            return Err(format!(
                "{cycles} is no number of cycles: write one from 0 to {MOST_CYCLES}"
            ));
        }
        if (ticks - ticks.round()).abs() > 1e-9 * ticks.max(CYCLE as f64) {
            return Err(format!("{cycles} has more than six decimals: write fewer"));
        }
        Ok(Self(ticks.round() as Ticks))
    }
}
