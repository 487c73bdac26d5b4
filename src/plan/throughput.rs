//! Bodies to measure for a form's throughput.
//!
//! The throughput is the best that the core can do, so several bodies are tried and the
//! smallest counts. Forms without a dependence of their own need none but differently long
//! bodies. The others are measured with each of their breakers, and with breakers at several
//! distances: a breaker every `k` instances costs at most its own throughput / `k`, which
//! narrows the interval, while too long a distance lets the dependence show.

use std::collections::HashSet;

use super::Planner;
use crate::experiment::Experiment;
use crate::form::{Catalogue, InstructionForm};
use crate::infer::{Finding, Knowledge};
use crate::isa::Role;
use crate::kernel::{Breaking, ThroughputBody};
use crate::metadata::{OpcodeId, RegisterId};

/// Instances in bodies of ordinary forms.
const LENGTHS: [u32; 2] = [96, 384];
/// Instances when those disagree: an unlucky length meets the front end badly.
const MORE_LENGTHS: [u32; 3] = [48, 144, 256];
/// Bodies of the same form whose durations per instance differ by more disagree.
const DISAGREEMENT: f64 = 0.03;
/// Instances from one breaker to the next.
const INTERVALS: [u32; 4] = [1, 2, 4, 8];
/// Cold executions that take more ticks than these are slow: fewer instances do.
const SLOW: [(u64, u32); 3] = [(1_000_000, 1), (100_000, 2), (30_000, 8)];

/// How the implicit dependences of a form can be broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Broken {
    /// It has none.
    Free,
    /// In each of these ways, the best first; each breaks all of them.
    By(Vec<Vec<Breaking>>),
    /// Nothing breaks the dependence through this register.
    Not(RegisterId),
}

/// Registers through which one instance of a form waits for the one before.
#[must_use]
pub fn dependences_of(catalogue: &Catalogue, form: &InstructionForm) -> Vec<RegisterId> {
    let parts =
        |register, role| catalogue.isa.parts(&catalogue.set, form, &form.sample, register, role);
    let written: Vec<_> =
        form.implicit_defs.iter().flat_map(|&register| parts(register, Role::Def)).collect();
    let waits = |register: &&RegisterId| {
        parts(**register, Role::Use).iter().any(|part| written.contains(part))
    };
    form.implicit_uses.iter().filter(waits).copied().collect()
}

fn broken(catalogue: &Catalogue, form: &InstructionForm) -> Broken {
    let registers = dependences_of(catalogue, form);
    if registers.is_empty() {
        return Broken::Free;
    }
    let mut ways: Vec<Vec<Breaking>> = Vec::new();
    for &register in &registers {
        let candidates: Vec<Breaking> = catalogue
            .isa
            .breakers(&catalogue.set, register)
            .iter()
            .filter_map(|name| catalogue.form_by_name(name))
            .map(|breaker| Breaking { register, breaker: breaker.opcode })
            .collect();
        let Some(&first) = candidates.first() else { return Broken::Not(register) };
        if ways.is_empty() {
            ways = candidates.iter().map(|&candidate| vec![candidate]).collect();
        } else {
            ways.iter_mut().for_each(|way| way.push(first));
        }
    }
    Broken::By(ways)
}

/// The bodies that a form's throughput is computed from, as far as they are worth measuring now.
#[must_use]
pub fn bodies_of(
    catalogue: &Catalogue,
    form: &InstructionForm,
    immediate: Option<(usize, i64)>,
    knowledge: &Knowledge,
) -> Vec<ThroughputBody> {
    let slow = instances_if_slow(knowledge, form.opcode);
    let plain = |instances| ThroughputBody {
        subject: form.opcode,
        immediate,
        instances,
        breaking: Vec::new(),
        interval: 1,
    };
    let lengths = slow.map_or_else(|| LENGTHS.to_vec(), |instances| vec![instances]);
    match broken(catalogue, form) {
        Broken::Free | Broken::Not(_) => {
            let mut bodies: Vec<ThroughputBody> =
                lengths.iter().map(|&length| plain(length)).collect();
            if slow.is_none() && disagree(&bodies, knowledge) {
                bodies.extend(MORE_LENGTHS.iter().map(|&length| plain(length)));
            }
            bodies
        }
        Broken::By(ways) => {
            let length = lengths[0];
            let mut bodies = vec![plain(length)];
            for way in ways {
                let intervals = INTERVALS.iter().filter(|&&interval| interval <= length);
                bodies.extend(intervals.map(|&interval| ThroughputBody {
                    breaking: way.clone(),
                    interval,
                    ..plain(length)
                }));
            }
            bodies
        }
    }
}

fn instances_if_slow(knowledge: &Knowledge, opcode: OpcodeId) -> Option<u32> {
    let Some(Finding::Executed { ticks }) = knowledge.probe(opcode) else { return None };
    SLOW.iter().find(|(limit, _)| ticks > limit).map(|&(_, instances)| instances)
}

/// Forms whose single execution takes so long that short bodies do.
#[must_use]
pub fn slow_forms(catalogue: &Catalogue, knowledge: &Knowledge) -> HashSet<OpcodeId> {
    let slow = |form: &&InstructionForm| instances_if_slow(knowledge, form.opcode).is_some();
    catalogue.forms().filter(slow).map(|form| form.opcode).collect()
}

/// Whether known bodies of different lengths do not give the same throughput.
fn disagree(bodies: &[ThroughputBody], knowledge: &Knowledge) -> bool {
    let known: Vec<f64> = bodies
        .iter()
        .filter_map(|body| knowledge.timing(&Experiment::Throughput(body.clone())))
        .map(|timing| timing.each().0)
        .collect();
    let lowest = known.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = known.iter().copied().fold(0.0, f64::max);
    known.len() == bodies.len() && highest > lowest * (1.0 + DISAGREEMENT)
}

impl Planner<'_> {
    pub(super) fn throughput_round(&self, knowledge: &Knowledge) -> Vec<Experiment> {
        let mut out = Vec::new();
        let subjects = self.scope.subjects.iter().filter_map(|&opcode| self.catalogue.form(opcode));
        for form in subjects {
            let mut bodies = bodies_of(self.catalogue, form, None, knowledge);
            for breaker in breakers_in(&bodies) {
                if let Some(form) = self.catalogue.form(breaker) {
                    bodies.extend(bodies_of(self.catalogue, form, None, knowledge));
                }
            }
            for (operand, value, _) in self.catalogue.isa.variants(&self.catalogue.set, form) {
                bodies.extend(bodies_of(self.catalogue, form, Some((operand, value)), knowledge));
            }
            out.extend(bodies.into_iter().map(Experiment::Throughput));
        }
        out
    }
}

fn breakers_in(bodies: &[ThroughputBody]) -> Vec<OpcodeId> {
    let mut out: Vec<OpcodeId> = bodies
        .iter()
        .flat_map(|body| body.breaking.iter().map(|breaking| breaking.breaker))
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}
