//! What a cycle is.

use crate::experiment::Experiment;
use crate::infer::{Knowledge, LoopCost, Timing, whole};
use crate::isa::ReferenceChain;
use crate::sample::Sample;
use crate::units::Cycles;

/// One experiment for each candidate for the unit of time.
#[must_use]
pub fn reference_experiments(chains: &[ReferenceChain]) -> Vec<Experiment> {
    (0..chains.len()).map(|candidate| Experiment::Reference { candidate }).collect()
}

/// Two chains of single-cycle instructions agree if they are closer than this.
const AGREEMENT: f64 = 0.005;

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
        let is_multiple = |other: usize| {
            let ratio = Cycles(durations[other].map_or(1.0, |duration| duration.0 / unit.0));
            chains[other].single_cycle || whole::is_whole(ratio, ratio * whole::MULTIPLE)
        };
        (0..chains.len()).any(agrees) && (0..chains.len()).all(is_multiple)
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
