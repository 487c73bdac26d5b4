//! When a form's results are there, and when its sources are read, as LLVM counts both.

use std::collections::{BTreeMap, BTreeSet};

use super::whole;
use crate::database::{ByProducer, Circumstance, Entry, Independence, OperandLatency};
use crate::export::latency::is_memory;
use crate::form::{InstructionForm, Placeholder, Site};
use crate::metadata::InstructionSet;
use crate::study::site;

/// Times of a form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScheduledTimes {
    /// When each result is there; at least one.
    pub writes: Vec<ScheduledWrite>,
    /// When each source is read, up to the last that is later than at once.
    pub reads: Vec<ScheduledRead>,
    /// What cannot be said of it.
    pub losses: BTreeSet<&'static str>,
}

/// When a result is there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScheduledWrite {
    /// Cycles until then.
    pub latency: u32,
    /// The kinds of reads that it is forwarded to.
    pub forwards: BTreeSet<Forwarding>,
}

/// When a source is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct ScheduledRead {
    /// Cycles after which.
    pub late: u32,
    /// Behind which writes alone it is late; behind all, where none are told apart.
    pub behind: Option<Forwarding>,
}

/// What tells kinds of forwarding apart: the cycles of an edge behind a write that is forwarded, and behind
/// others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Forwarding {
    /// Behind one that is forwarded.
    pub forwarded: u32,
    /// Behind others.
    pub other: u32,
}

impl From<ByProducer> for Forwarding {
    fn from(ByProducer { forwarded, other }: ByProducer) -> Self {
        Self { forwarded: whole(forwarded), other: whole(other) }
    }
}

const ROUNDED: &str = "a latency is rounded to whole cycles";
const BY_RESULT: &str = "a source is read as early as its most urgent result needs it";
const THROUGH_MEMORY: &str = "what passes through memory has no time of its own";
const CIRCUMSTANCES: &str = "figures of other values, or of one register for all, have no place";
const BEHIND_OTHERS: &str = "a source is read at once behind what is not forwarded to it, which makes that later than it is";
const UNKNOWN: &str = "a latency is not known, and a cycle stands for it";

const UNLISTED: &str = "LLVM does not list a register that it passes on";

/// Further from a whole number than this is rounded.
const NEARLY_WHOLE: f64 = 0.1;
/// What a result takes that waits for nothing known.
const AT_ONCE: u32 = 1;

/// The times of a form.
pub fn of(entry: &Entry, form: &InstructionForm, set: &InstructionSet) -> ScheduledTimes {
    let (results, sources) = (results(form, set), sources(form, set));
    let mut losses = BTreeSet::new();
    let mut paths: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for edge in &entry.latency.operands {
        if edge.variants.iter().any(|it| it.variant != Circumstance::OtherProducer) {
            losses.insert(CIRCUMSTANCES);
        }
        let Some(cycles) = path(edge) else { continue };
        if is_memory(entry, &edge.source) || is_memory(entry, &edge.target) {
            losses.insert(THROUGH_MEMORY);
            continue;
        }
        if (cycles - cycles.round()).abs() > NEARLY_WHOLE {
            losses.insert(ROUNDED);
        }
        paths.insert((&edge.source, &edge.target), cycles);
    }
    let is_listed = |&(source, target): &(&str, &str)| {
        results.iter().any(|it| it == target) && sources.iter().flatten().any(|it| it == source)
    };
    if !paths.keys().all(is_listed) {
        losses.insert(UNLISTED);
    }
    if !entry.throughput.variants.is_empty() {
        losses.insert(CIRCUMSTANCES);
    }
    let waits = results.iter().any(|_| sources.iter().flatten().next().is_some());
    if paths.is_empty() && waits {
        losses.insert(UNKNOWN);
    }
    let latencies = writes(&results, &paths);
    let mut reads = Vec::new();
    for source in &sources {
        let (late, is_exact) = read(source.as_deref(), &results, &latencies, &paths);
        if !is_exact {
            losses.insert(BY_RESULT);
        }
        let behind = source.as_deref().and_then(|source| entry.by_producer(source).next());
        let behind = behind.map(Forwarding::from);
        if behind.is_some_and(|it| latencies.iter().any(|&latency| latency > it.other)) {
            losses.insert(BEHIND_OTHERS);
        }
        reads.push(ScheduledRead { late, behind: behind.filter(|_| late > 0) });
    }
    let needed = reads.iter().rposition(|read| read.late > 0).map_or(0, |last| last + 1);
    reads.truncate(needed);
    let write = |(result, latency): (&String, u32)| ScheduledWrite {
        latency,
        forwards: entry.forwards(result).map(Forwarding::from).collect(),
    };
    let mut writes: Vec<ScheduledWrite> = results.iter().zip(latencies).map(write).collect();
    if writes.is_empty() {
        writes.push(ScheduledWrite { latency: AT_ONCE, ..ScheduledWrite::default() });
    }
    ScheduledTimes { writes, reads, losses }
}

/// What a path takes: nothing where the result was shown not to wait.
fn path(edge: &OperandLatency) -> Option<f64> {
    match edge.independence {
        Some(Independence::Proven) => Some(0.0),
        _ => edge.chosen(),
    }
}

/// The results by the database's names, in LLVM's order.
fn results(form: &InstructionForm, set: &InstructionSet) -> Vec<String> {
    let opcode = set.opcode(form.opcode);
    let explicit = (0..opcode.definitions).map(Site::Operand);
    let implied = opcode.implicit_defs.iter().map(|&register| Site::Implicit(register));
    explicit.chain(implied).map(|place| site(place, form, set)).collect()
}

/// The sources, likewise; none for a number.
fn sources(form: &InstructionForm, set: &InstructionSet) -> Vec<Option<String>> {
    let opcode = set.opcode(form.opcode);
    let is_register =
        |index: &usize| matches!(form.operands[*index].kind, Placeholder::Register(_));
    let explicit = (opcode.definitions..form.operands.len())
        .map(|index| Some(index).filter(is_register).map(Site::Operand));
    let implied = opcode.implicit_uses.iter().map(|&register| Some(Site::Implicit(register)));
    explicit.chain(implied).map(|place| Some(site(place?, form, set))).collect()
}

/// Each as late as the slowest path to it; of what none is known to, as the slowest of all.
fn writes(results: &[String], paths: &BTreeMap<(&str, &str), f64>) -> Vec<u32> {
    let to = |result: &str| {
        let fitting = paths.iter().filter(|((_, target), _)| *target == result);
        fitting.map(|(_, &cycles)| whole(cycles)).max()
    };
    let known: Vec<Option<u32>> = results.iter().map(|result| to(result)).collect();
    let slowest = known.iter().flatten().max().copied().unwrap_or(AT_ONCE);
    known.into_iter().map(|cycles| cycles.unwrap_or(slowest)).collect()
}

/// Cycles after which a source is read, and whether that is right for all results.
fn read(
    source: Option<&str>,
    results: &[String],
    writes: &[u32],
    paths: &BTreeMap<(&str, &str), f64>,
) -> (u32, bool) {
    let Some(source) = source else { return (0, true) };
    let late = results.iter().zip(writes).filter_map(|(result, &write)| {
        let cycles = *paths.get(&(source, result.as_str()))?;
        Some(write.saturating_sub(whole(cycles)))
    });
    let late: BTreeSet<u32> = late.collect();
    (late.first().copied().unwrap_or(0), late.len() <= 1)
}
