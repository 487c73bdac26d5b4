//! Resources besides ports that several forms have between them: dividers, multipliers, what takes stores, ways
//! between register files.
//!
//! Two forms have one between them if a balanced pair of them takes the sum of what each takes by itself,
//! and their ports do not say so. Quick forms that read many registers have the ways to their third ones between
//! them, of which some are free at times: nearly the sum suffices, and they hold that for as large a share.

use rayon::prelude::*;

use super::bench::Mix;
use super::forms::{Context, TellingStep};
use super::subjects::{MANY_SOURCES, PortSubject};
use crate::experiment::Experiment;
use crate::infer::ports::{FormFit, Ports, cycles};
use crate::kernel::Order;
use crate::maps::{Map, Set};
use crate::metadata::OpcodeId;

/// Forms that are quicker than this hold a resource only where they read many registers ([`MANY_SOURCES`]).
const QUICKEST: f64 = 0.8;
/// Of slower ones nothing else shows.
const SLOWEST: f64 = 12.0;
/// Two forms have one resource between them if they take this share of their sum,
const SHARED: f64 = 0.94;
/// ... or, where both are quick, this one: what reads registers does not always find the way free. They hold it for
/// that share of what they take by themselves.
const SHARED_AT_TIMES: f64 = 0.84;
/// ... and their ports less than this share of what they take.
const EXPLAINED: f64 = 0.92;
/// A form whose mixtures are this far from what it uses, on average, may hold something besides.
const UNCERTAIN: f64 = 0.03;
/// Resources of a step, at most.
const MOST_RESOURCES: usize = 8;
/// Forms that are held against each other, at most.
const MOST: usize = 128;

/// A form that may share a resource, with what it uses otherwise.
pub(super) type Holder<'a> = (&'a PortSubject, &'a FormFit);

/// A resource that several forms have between them.
#[derive(Debug, Clone)]
pub(super) struct SharedResource {
    /// The form that stands for it, and what that takes.
    pub leader: (OpcodeId, f64),
    /// Who holds it, by their places.
    pub holders: Vec<usize>,
    /// For which share of what they take by themselves.
    pub share: f64,
}

impl Context<'_> {
    /// Resources that some forms have between them, each of which stands for so many, or what is to be
    /// measured to know.
    pub(super) fn shared_resources(
        &self,
        all: &[Option<Holder<'_>>],
        weights: &[usize],
    ) -> Result<Vec<SharedResource>, Vec<Experiment>> {
        let mut places: Vec<usize> =
            (0..all.len()).filter(|&at| all[at].is_some_and(|it| self.may_share(it))).collect();
        // Those that stand for the most forms.
        places.sort_by_key(|&at| (std::cmp::Reverse(weights[at]), at));
        places.truncate(MOST);
        places.sort_unstable();
        let pairs: Vec<(usize, usize)> = (0..places.len())
            .flat_map(|one| (0..one).map(move |other| (one, other)))
            .map(|(one, other)| (places[one], places[other]))
            .collect();
        let balanced = |&(one, other): &(usize, usize)| Some(balanced(all[one]?.0, all[other]?.0));
        let mixes: Vec<Mix> = pairs.iter().filter_map(|pair| Some(balanced(pair)?.0)).collect();
        let experiments =
            mixes.iter().flat_map(|mix| self.bench.experiments(mix, &[Order::Spread]));
        let open = self.unanswered(experiments);
        if !open.is_empty() {
            return Err(open);
        }
        let uses_of = |pair: &(usize, usize)| [pair.0, pair.1].into_iter().filter_map(|at| all[at]);
        let seen = |pair: &(usize, usize)| {
            let (mix, sum) = balanced(pair)?;
            let time = self.bench.time(&mix, &Order::FEW)?.cycles;
            let counts = |opcode: OpcodeId| mix.parts.iter().find(|it| it.0 == opcode);
            let uses = uses_of(pair).filter_map(|(subject, fit)| {
                Some((&fit.usage, f64::from(counts(subject.opcode)?.1)))
            });
            let by_ports = cycles(&uses.collect::<Vec<_>>(), self.width);
            let is_quick = |(it, _): Holder<'_>| it.each < QUICKEST && !it.accesses_memory();
            let are_quick = uses_of(pair).all(is_quick);
            let is_sum = time >= sum * if are_quick { SHARED_AT_TIMES } else { SHARED };
            is_sum.then_some((*pair, time / sum, by_ports < EXPLAINED * time))
        };
        let sums: Vec<((usize, usize), f64, bool)> = pairs.par_iter().filter_map(seen).collect();
        let edges: Vec<((usize, usize), bool)> =
            sums.iter().map(|&(pair, _, needs)| (pair, needs)).collect();
        let resource = |holders: Vec<usize>| {
            let leader = all[holders[0]]?.0;
            let within = sums
                .iter()
                .filter(|((one, other), ..)| holders.contains(one) && holders.contains(other));
            let share = within.map(|(_, share, _)| *share).filter(|share| *share < SHARED);
            let share = share.reduce(f64::min).unwrap_or(1.0);
            Some(SharedResource { leader: (leader.opcode, share * leader.each), holders, share })
        };
        Ok(cliques(&places, &edges).into_iter().filter_map(resource).collect())
    }

    /// Whether a form may hold more than ports: those do not explain it, or it works on units that have no
    /// port in common. Any plain load or store may, and what else accesses memory holds what those hold. (Every store
    /// of a Zen 1 holds one resource for a cycle; a port explains those of vectors by themselves.)
    fn may_share(&self, (subject, fit): Holder<'_>) -> bool {
        let is_shown = subject.each <= SLOWEST && subject.breaking.is_empty();
        if subject.accesses_memory() {
            return is_shown && self.step == TellingStep::Accesses;
        }
        let is_quick = subject.each < QUICKEST;
        let may_hold = match is_quick {
            true => subject.sources >= MANY_SOURCES,
            false => {
                !fit.usage.extra.is_empty()
                    || fit.residual > UNCERTAIN
                    || self.is_of_sides(fit.usage.ports())
            }
        };
        may_hold && subject.each <= SLOWEST && subject.breaking.is_empty()
    }

    /// Whether some ports are of more than one side of the core.
    fn is_of_sides(&self, ports: Ports) -> bool {
        self.streams.sides.iter().filter(|side| side.meets(ports)).count() > 1
    }
}

/// Two forms, as often as both take about as long, with the sum of what they take.
fn balanced(one: &PortSubject, other: &PortSubject) -> (Mix, f64) {
    let counts = balanced_counts(one.each, other.each);
    let sum = one.each * f64::from(counts.0) + other.each * f64::from(counts.1);
    (Mix::of([(one.opcode, counts.0), (other.opcode, counts.1)]), sum)
}

/// How often two forms that take so long stand beside each other that both take about as long.
pub(super) fn balanced_counts(one: f64, other: f64) -> (u32, u32) {
    let ratio = one / other;
    if ratio >= 1.0 {
        (1, ratio.round().max(1.0) as u32)
    } else {
        ((1.0 / ratio).round().max(1.0) as u32, 1)
    }
}

/// Groups of which every two have an edge, until all edges that need one are within one: those first around
/// the places of most such edges.
fn cliques(places: &[usize], edges: &[((usize, usize), bool)]) -> Vec<Vec<usize>> {
    let both = edges.iter().flat_map(|&((a, b), _)| [(a, b), (b, a)]);
    let all: Set<(usize, usize)> = both.collect();
    let in_need = edges.iter().filter(|(_, needs)| *needs);
    let mut open: Vec<(usize, usize)> = in_need.map(|(edge, _)| *edge).collect();
    let mut found: Vec<Vec<usize>> = Vec::new();
    while !open.is_empty() && found.len() < MOST_RESOURCES {
        let mut degrees: Map<usize, usize> = Map::default();
        open.iter().flat_map(|&(a, b)| [a, b]).for_each(|at| *degrees.entry(at).or_default() += 1);
        let degree = |at: usize| degrees.get(&at).copied().unwrap_or(0);
        let mut sorted = places.to_vec();
        sorted.sort_by_key(|&at| (std::cmp::Reverse(degree(at)), at));
        let most = open.iter().copied().max_by_key(|&(a, b)| (degree(a) + degree(b), a, b));
        let mut group: Vec<usize> =
            most.into_iter().flat_map(|(a, b)| [a.min(b), a.max(b)]).collect();
        for at in sorted {
            if degree(at) > 0 && group.iter().all(|&own| all.contains(&(own, at))) {
                group.push(at);
            }
        }
        open.retain(|(a, b)| !(group.contains(a) && group.contains(b)));
        found.push(group);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_edges_are_within_groups() {
        let edges = [(2, 1), (3, 1), (3, 2), (5, 4)];
        let found = cliques(&[1, 2, 3, 4, 5], &edges.map(|edge| (edge, true)));
        assert_eq!(found, [vec![2, 3, 1], vec![4, 5]]);
        // What the place of most edges has in common with one other is no group of all.
        let star = cliques(&[1, 2, 3], &[((2, 1), true), ((3, 1), true)]);
        assert_eq!(star, [vec![1, 3], vec![1, 2]]);
        assert!(cliques(&[1, 2], &[]).is_empty());
        assert!(cliques(&[1, 2], &[((2, 1), false)]).is_empty(), "ports explain it");
    }
}
