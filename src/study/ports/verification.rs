//! Every form in mixtures of its own that chose nothing: whether the usage that it was told explains them,
//! and if not, whether another one does.

use super::bench::{Mix, MixtureBench};
use super::streams::{Usages, instances, observation};
use super::subjects::PortSubject;
use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::infer::ports::{FormObservation, TOLERANCE, Usage, forgiven, mean_off};
use crate::kernel::Order;
use crate::metadata::OpcodeId;
use crate::random::Random;

/// Mixtures of each form.
const MIXTURES: u64 = 1;
/// How long a known form takes in a mixture, in durations of the form that is verified.
const SHARES: [f64; 3] = [0.5, 0.8, 1.2];
/// A usage that is off by no more than this on average stays.
const GOOD: f64 = 0.025;
/// Usages that explain what was seen as well as each other, on average.
const EQUAL: f64 = 0.006;
/// An improvement of the mean that is worth a change.
const WORTH: f64 = 0.015;
/// Beyond this an error is something else's: it counts no more.
const MOST: f64 = 0.3;
/// What is faster than a usage allows is proof against it; what is slower may have other reasons.
const TOO_FAST: f64 = 6.0;

/// Tries to draw a known form.
const TRIES: usize = 64;

/// Known forms, beside which others are verified. They are drawn from the ISA's candidates, so that one
/// more or less that is known changes few of the mixtures.
pub(super) struct Verifiers<'a> {
    pub catalogue: &'a Catalogue,
    pub candidates: &'a [OpcodeId],
    pub blockers: &'a Usages,
    pub bench: MixtureBench<'a>,
}

impl Verifiers<'_> {
    /// The mixtures of a form: each beside two known forms, which do not depend on what it is told to use.
    fn mixes(&self, subject: &PortSubject) -> Vec<Mix> {
        let Some(form) = self.catalogue.form(subject.opcode) else { return Vec::new() };
        let own = instances(subject);
        let mut random = Random::new(u64::from(subject.opcode.0));
        let mut part = || {
            let (blocker, ports) = (0..TRIES).find_map(|_| {
                let opcode = *self.candidates.get(random.below(self.candidates.len()))?;
                let group = self.catalogue.form(opcode).and_then(|it| it.group.with(form.group));
                let known = self.blockers.get(&opcode).filter(|_| opcode != subject.opcode)?;
                group.map(|_| (opcode, known.ports()))
            })?;
            let share = SHARES[random.below(SHARES.len())];
            let count = f64::from(ports.count()) * f64::from(own) * subject.each * share;
            Some((blocker, count.round().max(1.0) as u32))
        };
        let mix = |_| Mix::of([(subject.opcode, own)].into_iter().chain(part()).chain(part()));
        (0..MIXTURES).map(mix).filter(|mix| mix.parts.len() > 1).collect()
    }

    /// What is to be measured of a form: its mixtures in one order, and in others where that takes longer
    /// than what it was told to use explains.
    pub fn experiments(
        &self,
        subject: &PortSubject,
        usage: &Usage,
        width: Option<f64>,
    ) -> Vec<Experiment> {
        let mixes = self.mixes(subject);
        let of_mix = |mix| held_to(mix, (subject, usage), self.blockers, width, &self.bench);
        mixes.iter().flat_map(of_mix).collect()
    }

    /// What that showed.
    pub fn observations(&self, subject: &PortSubject) -> Vec<FormObservation> {
        let mixes = self.mixes(subject);
        let seen = mixes.iter();
        seen.filter_map(|mix| observation(mix, subject.opcode, self.blockers, &self.bench))
            .collect()
    }
}

/// What is to be measured of a mixture that a form is held to: one order, and others where that takes longer than what
/// the form was told to use explains.
pub(super) fn held_to(
    mix: &Mix,
    (subject, usage): (&PortSubject, &Usage),
    blockers: &Usages,
    width: Option<f64>,
    bench: &MixtureBench<'_>,
) -> Vec<Experiment> {
    let seen = observation(mix, subject.opcode, blockers, bench);
    let is_slow = seen.is_some_and(|it| it.off(usage, width) < -GOOD);
    let orders = if is_slow { &Order::FEW[..] } else { &[Order::Spread][..] };
    bench.experiments(mix, orders)
}

/// The place of the usage that explains best what was seen, with what speaks against it: of several that
/// explain it as well, the first by a key.
pub(super) fn best<K: Ord>(
    usages: &[&Usage],
    seen: &[FormObservation],
    width: Option<f64>,
    key: impl Fn(usize) -> K,
) -> Option<(f64, usize)> {
    let costs: Vec<f64> = usages.iter().map(|usage| cost(usage, seen, width)).collect();
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let equal = (0..usages.len()).filter(|&at| costs[at] <= least + EQUAL);
    let best =
        equal.min_by(|&a, &b| key(a).cmp(&key(b)).then_with(|| costs[a].total_cmp(&costs[b])));
    best.map(|at| (costs[at], at))
}

/// How far what was seen is from what a usage explains, on average: what is faster counts more, but for those
/// that a fit [forgives](forgiven) as well. (The stream of `vmovd xmm0, eax` of a Zen 4 was taken for one that goes to
/// ports of `cmov`: a `mulx` that was told rightly got the usage of `imul` for being quicker beside that.)
pub(super) fn cost(usage: &Usage, seen: &[FormObservation], width: Option<f64>) -> f64 {
    let mut too_fast: Vec<f64> = Vec::new();
    let mut sum = 0.0;
    for seen in seen {
        let off = seen.off(usage, width);
        let size = off.abs().min(MOST);
        sum += size;
        if off > TOLERANCE + seen.uncertainty {
            too_fast.push(size);
        }
    }
    too_fast.sort_by(|a, b| b.total_cmp(a));
    let proofs = too_fast.iter().skip(forgiven(seen.len()));
    sum += (TOO_FAST - 1.0) * proofs.sum::<f64>();
    sum / seen.len().max(1) as f64
}

/// The usage that explains best what was seen, with the mean of how far that is off: the present one,
/// unless it is bad and one of some others is better.
pub(super) fn verified(
    present: &Usage,
    others: &mut dyn Iterator<Item = &Usage>,
    seen: &[FormObservation],
    width: Option<f64>,
) -> (Option<Usage>, f64) {
    let own = cost(present, seen, width);
    if own <= GOOD {
        return (None, mean_off(present, seen, width));
    }
    let others: Vec<&Usage> = others.collect();
    let simplest = |at: usize| others[at].count();
    match best(&others, seen, width, simplest).filter(|(rated, _)| *rated < own - WORTH) {
        Some((_, at)) => (Some(others[at].clone()), mean_off(others[at], seen, width)),
        None => (None, mean_off(present, seen, width)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::ports::{Demand, Ports, cycles};

    fn on(ports: &[u32]) -> Usage {
        Usage::of([(1, Ports::of(ports.iter().copied()))], 1.0)
    }

    /// Two instances beside as many of another usage.
    fn beside(truth: &Usage, other: &Usage) -> FormObservation {
        FormObservation {
            own: 2.0,
            others: Demand::of([(other, 2.0)]),
            cycles: cycles(&[(truth, 2.0), (other, 2.0)], None),
            uncertainty: 0.0,
            passing: None,
        }
    }

    #[test]
    fn a_usage_that_mixtures_contradict_is_replaced() {
        let (left, right) = (on(&[0, 1]), on(&[2, 3]));
        let seen = [beside(&right, &left), beside(&right, &right)];
        let (better, off) = verified(&left, &mut [&right].into_iter(), &seen, None);
        assert_eq!((better, off), (Some(right), 0.0));
    }

    #[test]
    fn one_observation_that_is_too_fast_is_forgiven_among_many() {
        let (left, right) = (on(&[0, 1]), on(&[2, 3]));
        let fast = FormObservation { cycles: 1.0, ..beside(&left, &left) };
        let in_all = |count: usize| {
            let explained = std::iter::repeat_n(beside(&left, &right), count - 1);
            let seen: Vec<FormObservation> = explained.chain([fast.clone()]).collect();
            cost(&left, &seen, None) * count as f64
        };
        let many = (1..).find(|&count| forgiven(count) == 1).unwrap();
        assert!((in_all(many - 1) - MOST * TOO_FAST).abs() < 1e-9);
        assert!((in_all(many) - MOST).abs() < 1e-9);
    }

    #[test]
    fn a_usage_that_explains_everything_stays() {
        let (left, right) = (on(&[0, 1]), on(&[2, 3]));
        let seen = [beside(&left, &left), beside(&left, &right)];
        assert_eq!(verified(&left, &mut [&right].into_iter(), &seen, None), (None, 0.0));
    }
}
