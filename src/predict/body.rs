//! The instructions of a loop as predictions see them, and what a database says of each.

use std::collections::HashMap;

use super::PredictedInstruction;
use crate::database::{ByProducer, Circumstance, Database, Entry, OperandLatency};
use crate::form::Part;

/// An instruction of a loop.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BodyStep {
    /// In assembly, for people.
    pub text: String,
    /// LLVM's name of its form, with the addressing mode or the configuration.
    pub form: String,
    /// The same without.
    pub base: String,
    /// What it reads.
    pub reads: Vec<StepSite>,
    /// What it writes.
    pub writes: Vec<StepSite>,
    /// Reads and writes, by their positions, that have nothing to do with each other.
    pub unrelated: Vec<(usize, usize)>,
    /// Whether it reads one register at several operands.
    pub one_register: bool,
    /// Whether it is a branch, of which databases have no figures.
    pub branches: bool,
}

/// A place where an instruction reads or writes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StepSite {
    /// As databases name it: `0`, `1.addr`, `EFLAGS`.
    pub name: String,
    /// As people do: a register, or what lies at an address.
    pub text: String,
    /// The pieces of machine state that it stands for.
    pub parts: Vec<Part>,
    /// Whether it is another place in each iteration: a cell whose address moves.
    pub moves: bool,
    /// Whether it is what lies in memory.
    pub is_memory: bool,
}

/// What is known of a dependence through an instruction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum StepLatency {
    /// Cycles.
    Cycles(f64),
    /// What is written does not wait for what is read.
    Independent,
    /// Nothing is known.
    Unknown,
}

/// What a database says of the instructions of a loop.
pub(super) struct KnownSteps<'a> {
    pub steps: &'a [BodyStep],
    pub entries: Vec<Option<Entry>>,
}

impl<'a> KnownSteps<'a> {
    /// Looks every instruction up: by its form, and where that has no entry by the opcode without its
    /// addressing mode.
    pub fn of(steps: &'a [BodyStep], database: &Database) -> Self {
        let mut seen: HashMap<&str, Option<Entry>> = HashMap::new();
        let entry = |step: &'a BodyStep| {
            let known = seen.entry(&step.form).or_insert_with(|| {
                let own = database.entry(&step.form).filter(says_something);
                own.or_else(|| database.entry(&step.base).filter(says_something))
            });
            known.clone()
        };
        Self { steps, entries: steps.iter().map(entry).collect() }
    }

    /// Those that the database has, each with its entry.
    pub fn known(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().flatten()
    }

    /// What the database has no entry of, and what it has neither ports nor a throughput of.
    pub fn lacks(&self) -> impl Iterator<Item = String> + '_ {
        let steps = self.steps.iter().zip(&self.entries).filter(|(step, _)| !step.branches);
        steps.filter_map(|(step, entry)| match entry {
            None => Some(format!("{} ({})", step.form, step.text)),
            Some(entry) if entry.ports.has_value() || entry.throughput.has_value() => None,
            Some(entry) => Some(format!("the throughput of {}", entry.subject.llvm_name)),
        })
    }

    /// All of them with what counts.
    pub fn instructions(&self) -> Vec<PredictedInstruction> {
        let instruction = |(step, entry): (&BodyStep, &Option<Entry>)| PredictedInstruction {
            text: step.text.clone(),
            form: entry.as_ref().map(|entry| entry.subject.llvm_name.clone()),
            ports: entry.as_ref().and_then(|entry| entry.ports.pressure.clone()),
            throughput: entry.as_ref().and_then(throughput),
            slots: slots(entry.as_ref()),
        };
        self.steps.iter().zip(&self.entries).map(instruction).collect()
    }

    /// The latency from something that an instruction reads to something that it writes.
    pub fn latency(&self, step: usize, read: usize, write: usize) -> StepLatency {
        let instruction = &self.steps[step];
        let Some(entry) = &self.entries[step] else { return StepLatency::Unknown };
        let (source, target) = (&instruction.reads[read], &instruction.writes[write]);
        let named = |source: &str| {
            let mut edges = entry.latency.operands.iter();
            edges.find(|edge| edge.source == source && edge.target == target.name)
        };
        let own = named(&source.name);
        // What computes with something that it loads is asked about its address alone.
        let loaded = || {
            let mut addresses = instruction
                .reads
                .iter()
                .filter(|other| !other.is_memory && is_address_of(&other.name, &source.name));
            addresses.find_map(|address| named(&address.name))
        };
        let edge = if source.is_memory { own.or_else(loaded) } else { own };
        edge.map_or(StepLatency::Unknown, |edge| of_edge(edge, instruction.one_register))
    }

    /// How many cycles more than its latency an instruction takes from something that it reads because the one
    /// that wrote it does not forward it. Both are places: an instruction, and which of its writes or reads.
    pub fn unforwarded(&self, from: (usize, usize), to: (usize, usize)) -> f64 {
        let (written, read) = (&self.steps[from.0].writes[from.1], &self.steps[to.0].reads[to.1]);
        let is_forwarded = |it: &ByProducer| {
            let writer = self.entries[from.0].as_ref();
            writer.is_some_and(|entry| entry.forwards(&written.name).any(|other| other == *it))
        };
        let reader = self.entries[to.0].iter();
        let late = reader.flat_map(|entry| entry.by_producer(&read.name));
        let late = late.filter(|it| !is_forwarded(it));
        late.map(|it| it.other - it.forwarded).fold(0.0, f64::max)
    }
}

/// Whether a name is that of a part of the address at which something lies.
fn is_address_of(name: &str, memory: &str) -> bool {
    name.split_once('.').is_some_and(|(operand, _)| operand == memory)
}

fn says_something(entry: &Entry) -> bool {
    entry.ports.has_value() || entry.throughput.says_something() || entry.latency.has_value()
}

fn of_edge(edge: &OperandLatency, one_register: bool) -> StepLatency {
    if one_register {
        let mut variants = edge.variants.iter();
        let own = variants.find(|it| it.variant == Circumstance::OneRegister);
        if let Some(cycles) = own.and_then(|it| it.latency) {
            return StepLatency::Cycles(cycles);
        }
    }
    if edge.independence.is_some() {
        return StepLatency::Independent;
    }
    edge.chosen().map_or(StepLatency::Unknown, StepLatency::Cycles)
}

/// The reciprocal throughput of a form.
pub(super) fn throughput(entry: &Entry) -> Option<f64> {
    let known = &entry.throughput;
    let values = [known.value, known.max, known.min];
    values.into_iter().flatten().find(|value| value.is_finite())
}

/// Places in the front end: one where nobody measured it.
pub(super) fn slots(entry: Option<&Entry>) -> f64 {
    entry.and_then(|entry| entry.ports.slots).unwrap_or(1.0)
}
