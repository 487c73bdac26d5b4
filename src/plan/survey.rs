//! Before anything is timed: which forms and registers this CPU has, and what a cycle is.

use std::collections::BTreeSet;

use super::FrontEnd;
use crate::answer::Cause;
use crate::experiment::{Experiment, Probe};
use crate::form::{Catalogue, InstructionForm};
use crate::infer::{Finding, Knowledge, LoopCost, Timing};
use crate::isa::{Availability, ReferenceChain};
use crate::kernel::ThroughputBody;
use crate::metadata::{OpcodeId, RegisterId};
use crate::sample::Sample;
use crate::units::Cycles;

/// One probe for each form.
pub fn probes<'a>(forms: impl Iterator<Item = &'a InstructionForm>) -> Vec<Experiment> {
    forms.map(|form| Experiment::Probe(Probe { opcode: form.opcode, register: None })).collect()
}

/// Registers that only some CPUs have and that executable forms could use.
#[must_use]
pub fn missing_registers(catalogue: &Catalogue) -> BTreeSet<RegisterId> {
    register_uses(catalogue).into_iter().map(|(register, _)| register).collect()
}

/// A probe for each register that only some CPUs have, with a form that does execute.
#[must_use]
pub fn register_probes(
    catalogue: &Catalogue,
    knowledge: &Knowledge,
) -> Vec<(RegisterId, Experiment)> {
    let mut asked = BTreeSet::new();
    register_uses(catalogue)
        .into_iter()
        .filter(|(_, probe)| {
            catalogue.form(probe.opcode).is_some_and(|form| knowledge.executes(form))
        })
        .filter(|(register, _)| asked.insert(*register))
        .map(|(register, probe)| (register, Experiment::Probe(probe)))
        .collect()
}

fn register_uses(catalogue: &Catalogue) -> Vec<(RegisterId, Probe)> {
    let mut out = Vec::new();
    for form in catalogue.forms() {
        for operand in 0..form.operands.len() {
            // A tied use follows its definition.
            let Some(class) = form.class_of(operand) else { continue };
            if form.operands[operand].tied_to.is_some() {
                continue;
            }
            for &register in &catalogue.set.class(class).registers {
                if catalogue.isa.availability(&catalogue.set.register(register).name)
                    == Availability::IfExecuted
                {
                    out.push((
                        register,
                        Probe { opcode: form.opcode, register: Some((operand, register)) },
                    ));
                }
            }
        }
    }
    out
}

/// One experiment for each candidate for the unit of time.
#[must_use]
pub fn reference_experiments(chains: &[ReferenceChain]) -> Vec<Experiment> {
    (0..chains.len()).map(|candidate| Experiment::Reference { candidate }).collect()
}

/// Fillers in the bodies that show the front end's width.
const FLOOR_LENGTHS: [u32; 6] = [192, 384, 480, 576, 672, 768];
/// Instances of the simplest forms in theirs.
const SIMPLE_LENGTH: u32 = 384;

/// What shows how fast the front end is: bodies of fillers, and of the forms that some cores take
/// faster than those.
#[must_use]
pub fn floor_experiments(catalogue: &Catalogue) -> Vec<Experiment> {
    let simple = catalogue.isa.simplest_forms().iter().filter_map(|name| {
        let form = catalogue.form_by_name(name)?;
        Some(Experiment::Throughput(ThroughputBody::plain(form.opcode, SIMPLE_LENGTH)))
    });
    let fillers = FLOOR_LENGTHS.map(|fillers| Experiment::DispatchFloor { fillers });
    fillers.into_iter().chain(simple).collect()
}

/// What the front end takes by the findings of its experiments.
#[must_use]
pub fn front_end(experiments: &[Experiment], knowledge: &Knowledge) -> FrontEnd {
    let least = |of: fn(&Experiment) -> bool| {
        let asked = experiments.iter().filter(|experiment| of(experiment));
        let timings = asked.filter_map(|experiment| knowledge.timing(experiment));
        let least = timings.map(|timing| timing.each().0).fold(f64::INFINITY, f64::min);
        Cycles(least)
    };
    let floor = least(|_| true);
    FrontEnd {
        // Without a measurement nothing is known to be impossible.
        floor: if floor.0.is_finite() { floor } else { Cycles(0.0) },
        // ... and there is no room for fillers that cannot be executed (models leave them out).
        filler: least(|experiment| matches!(experiment, Experiment::DispatchFloor { .. })),
    }
}

/// Two chains of single-cycle instructions agree if they are closer than this.
const AGREEMENT: f64 = 0.005;
/// A chain of k-cycle instructions is a whole multiple if it is closer than this.
const WHOLE: f64 = 0.01;

/// No chain of the ISA's list can serve as the unit of time.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "no instruction chain can serve as the unit of time: their durations have the ratios {0:?}, but two unlike ones \
     should agree; the machine may be too noisy: try again on a quiet core, or give the frequency with -f"
)]
pub struct NoUnit(pub Vec<f64>);

/// A scheduling model that leaves out what every run begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the scheduling model of the CPU covers none of the chains of simple instructions that show what a loop costs"
)]
pub struct UncoveredChains;

/// What a cycle is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitOfTime {
    /// Position of the chain whose links are a cycle each.
    pub candidate: usize,
    /// What its loop, and every other, costs besides.
    pub loop_cost: LoopCost,
}

/// Chooses the unit of time: the first single-cycle candidate that another one, of a different
/// kind, agrees with, and of which every longer chain is a whole multiple. Cores eliminate some
/// instructions at rename (Golden Cove: adding a small immediate), so no single one is believed.
///
/// # Errors
/// When no two candidates agree.
pub fn unit_of_time(
    chains: &[ReferenceChain],
    knowledge: &Knowledge,
) -> Result<UnitOfTime, NoUnit> {
    let timings: Vec<Option<&Timing>> =
        reference_experiments(chains).iter().map(|asked| knowledge.timing(asked)).collect();
    let loop_cost = loop_cost(chains, &timings);
    let each =
        |timing: &Timing| Timing::of_chain(timing.sample, timing.instances, loop_cost).each();
    let durations: Vec<Option<Cycles>> = timings.iter().map(|timing| timing.map(each)).collect();
    let single =
        |candidate: usize| chains[candidate].single_cycle.then_some(durations[candidate]).flatten();
    let accepted = |&candidate: &usize| {
        let Some(unit) = single(candidate) else { return false };
        let agrees = |other: usize| {
            other != candidate && single(other).is_some_and(|duration| agree(duration, unit))
        };
        let whole = |other: usize| {
            let ratio = durations[other].map_or(1.0, |duration| duration.0 / unit.0);
            chains[other].single_cycle || (ratio - ratio.round()).abs() < WHOLE * ratio
        };
        (0..chains.len()).any(agrees) && (0..chains.len()).all(whole)
    };
    match (0..chains.len()).find(accepted) {
        Some(candidate) => Ok(UnitOfTime { candidate, loop_cost }),
        None => Err(NoUnit(
            durations.iter().map(|duration| duration.map_or(f64::NAN, |d| d.0)).collect(),
        )),
    }
}

/// The unit of time of a model, whose ticks are cycles. So no chain has to take one, and models
/// have their own ideas of which do: in those of Apple's cores adding takes two cycles, in Alder
/// Lake's logic does. What loops cost shows beside the shortest links, behind which least of it can
/// hide.
///
/// # Errors
/// When the model covers none of the chains.
pub fn unit_of_model(
    chains: &[ReferenceChain],
    knowledge: &Knowledge,
) -> Result<UnitOfTime, UncoveredChains> {
    let timed: Vec<(usize, Sample, u32)> = reference_experiments(chains)
        .iter()
        .enumerate()
        .filter_map(|(candidate, asked)| Some((candidate, knowledge.timing(asked)?)))
        .map(|(candidate, timing)| (candidate, timing.sample, timing.instances))
        .collect();
    let link = |&(_, sample, links): &(usize, Sample, u32)| sample.body / f64::from(links);
    let by_link = |a: &&_, b: &&_| link(a).0.total_cmp(&link(b).0);
    let shortest = timed.iter().min_by(by_link).ok_or(UncoveredChains)?;
    let alike = timed.iter().filter(|chain| agree(link(chain), link(shortest)));
    let beside: Vec<(Sample, u32)> = alike.map(|&(_, sample, links)| (sample, links)).collect();
    Ok(UnitOfTime { candidate: shortest.0, loop_cost: LoopCost::beside(&beside) })
}

/// What loops cost beside the single-cycle candidates that agree, but for their loops, with the
/// first that another one agrees with.
fn loop_cost(chains: &[ReferenceChain], timings: &[Option<&Timing>]) -> LoopCost {
    let single: Vec<(Sample, u32)> = chains
        .iter()
        .zip(timings)
        .filter(|(chain, _)| chain.single_cycle)
        .filter_map(|(_, timing)| timing.map(|timing| (timing.sample, timing.instances)))
        .collect();
    let link = |(sample, links): &(Sample, u32)| sample.body / f64::from(*links);
    let like = |first: &(Sample, u32)| -> Vec<(Sample, u32)> {
        single.iter().filter(|other| agree(link(other), link(first))).copied().collect()
    };
    let agreeing = single.iter().map(like).find(|alike| alike.len() > 1);
    LoopCost::beside(&agreeing.unwrap_or_default())
}

fn agree(duration: Cycles, unit: Cycles) -> bool {
    (duration.0 / unit.0 - 1.0).abs() < AGREEMENT
}

/// Why a form does not execute here, if its probe says so.
#[must_use]
pub fn fault_of(knowledge: &Knowledge, opcode: OpcodeId) -> Option<Cause> {
    match knowledge.probe(opcode)? {
        Finding::Faulted(fault) => Some(Cause::Fault(*fault)),
        Finding::Impossible(reason) => Some(Cause::InWords(reason.clone())),
        _ => None,
    }
}
