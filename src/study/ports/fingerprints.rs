//! What each form costs beside streams that keep the ports of every class busy: forms that cost the same
//! everywhere use the same.
//!
//! A stream of a class that has the ports of others among its own goes first. What costs nothing beside
//! it goes to none of its ports, and is not put beside those others.

use std::sync::{Arc, Mutex};

use super::bench::Mix;
use super::forms::Context;
use super::streams::{alone, beside, observation};
use super::subjects::PortSubject;
use crate::experiment::Experiment;
use crate::infer::ports::{FormObservation, Usage};
use crate::kernel::Order;
use crate::maps::Map;
use crate::metadata::OpcodeId;

/// What takes longer than both a form and a stream do by themselves by less than this share shows no cost.
const FREE: f64 = 0.015;
/// Forms are alike if no stream tells them apart by more than this share, and all of them by no more than
/// that on average.
const ALIKE: f64 = 0.06;
const ALIKE_ON_AVERAGE: f64 = 0.02;
/// ... and if they take as long by themselves, within this share.
const AS_LONG: f64 = 0.025;

/// What a form costs beside streams.
#[derive(Debug, Clone, Default)]
pub(super) struct Fingerprint {
    /// Beside each of the streams that everything is put beside: cycles, in durations of the form.
    marks: Vec<f64>,
    /// The same beside other numbers of what fills the front end, where one does not tell slots.
    telling: Option<f64>,
    /// What was seen, by itself first.
    pub seen: Vec<FormObservation>,
    /// What is to be asked to know more.
    pub next: Vec<Experiment>,
}

/// Fingerprints that are whole.
#[derive(Default)]
pub(super) struct FingerprintMemo(Mutex<Map<OpcodeId, Arc<Fingerprint>>>);

impl Context<'_> {
    /// The fingerprint of a form, as far as it is known.
    pub(super) fn fingerprint(&self, subject: &PortSubject) -> Arc<Fingerprint> {
        let memo = &self.memo.fingerprints.0;
        if let Some(known) = memo.lock().ok().and_then(|all| all.get(&subject.opcode).cloned()) {
            return known;
        }
        let found = Arc::new(self.take_fingerprint(subject));
        if let Some(mut all) = memo.lock().ok().filter(|_| found.next.is_empty()) {
            all.insert(subject.opcode, Arc::clone(&found));
        }
        found
    }

    fn take_fingerprint(&self, subject: &PortSubject) -> Fingerprint {
        let mut out = Fingerprint {
            marks: vec![1.0; self.streams.all.len()],
            telling: None,
            seen: alone(subject, self.blockers, self.bench.whole).into_iter().collect(),
            next: Vec::new(),
        };
        let mut costing: Vec<Option<bool>> = vec![None; self.streams.all.len()];
        // What fills the front end shows how long the other streams must be.
        let in_front = self.beside_dispatch(subject);
        out.next = self.unanswered(
            in_front.iter().flat_map(|mix| self.bench.experiments(mix, &[Order::Spread])),
        );
        if out.next.is_empty() {
            out.next = self.unconfirmed(subject, &in_front);
        }
        if !out.next.is_empty() {
            return out;
        }
        if let Some(telling) = in_front
            .get(1)
            .and_then(|mix| observation(mix, subject.opcode, self.blockers, &self.bench))
        {
            out.telling = Some(mark(subject, &telling));
            out.seen.push(telling);
        }
        let mut slow: Vec<Mix> = Vec::new();
        let [length, _] = self.lengths(subject);
        let [of_dispatch, _] = self.dispatch_lengths(subject);
        for (at, above) in &self.streams.fingerprinted {
            let length = if self.streams.dispatch == Some(*at) { of_dispatch } else { length };
            let mix = self.streams.all[*at].beside(subject, length);
            let Some(free) = self.free(subject, &mix) else { continue };
            out.marks[*at] = free;
            if above.iter().any(|&wider| costing[wider] == Some(false)) {
                costing[*at] = Some(false);
                continue;
            }
            if above.iter().any(|&wider| costing[wider].is_none()) {
                continue;
            }
            if let Some(seen) = observation(&mix, subject.opcode, self.blockers, &self.bench) {
                let mark = mark(subject, &seen);
                out.marks[*at] = mark;
                let is_slow = costs(mark, free);
                costing[*at] = Some(is_slow);
                out.seen.push(seen);
                slow.extend(is_slow.then_some(mix));
                continue;
            }
            let asked = self.unanswered(self.bench.experiments(&mix, &[Order::Spread]));
            if asked.is_empty() {
                // What cannot be built or timed says nothing.
                costing[*at] = Some(true);
            }
            out.next.extend(asked);
        }
        if out.next.is_empty() {
            out.next = self.in_two_orders(&slow);
        }
        out
    }

    /// Experiments that time once more, in another order, what takes longer than if the form used nothing
    /// that the others do: now and then something slows a kernel for as long as it lasts. (Of 42,571
    /// mixtures of two runs on a Zen 1, one in 100 that access no memory differed by 10 % or more and two
    /// in 100 that do, whose places in caches are others in each child.)
    pub(super) fn unconfirmed<'m>(
        &self,
        subject: &PortSubject,
        mixes: impl IntoIterator<Item = &'m Mix>,
    ) -> Vec<Experiment> {
        let is_slow = |mix: &&Mix| {
            let free = self.free(subject, mix);
            let seen = observation(mix, subject.opcode, self.blockers, &self.bench);
            free.zip(seen).is_some_and(|(free, seen)| costs(mark(subject, &seen), free))
        };
        self.in_two_orders(mixes.into_iter().filter(is_slow))
    }

    /// What is to be asked of some mixtures to know them in two orders.
    fn in_two_orders<'m>(&self, mixes: impl IntoIterator<Item = &'m Mix>) -> Vec<Experiment> {
        let orders = |mix| self.bench.experiments(mix, &Order::FEW);
        self.unanswered(mixes.into_iter().flat_map(orders))
    }

    /// What a mixture takes if its form uses nothing that the others do, in durations of the form.
    fn free(&self, subject: &PortSubject, mix: &Mix) -> Option<f64> {
        let (own, mut all) =
            beside(mix, subject.opcode, self.blockers).filter(|_| mix.parts.len() > 1)?;
        let busy = Usage { extra: vec![(usize::MAX, subject.each)], ..Usage::default() };
        all.add(&busy, own);
        Some(all.cycles(self.width) / (own * subject.each))
    }
}

/// What a mixture takes, in durations of the form.
fn mark(subject: &PortSubject, seen: &FormObservation) -> f64 {
    seen.cycles / (seen.own * subject.each)
}

/// Whether a mixture that takes so long shows a cost beside one that would if its form used nothing.
fn costs(mark: f64, free: f64) -> bool {
    mark > free * (1.0 + FREE)
}

/// Forms that have the same fingerprint, by their places, with the one that was disturbed least in front.
pub(super) fn alike(
    subjects: &[PortSubject],
    prints: &[(usize, Arc<Fingerprint>)],
) -> Vec<Vec<usize>> {
    let mut sorted: Vec<&(usize, Arc<Fingerprint>)> = prints.iter().collect();
    let key = |at: usize| (subjects[at].each, subjects[at].opcode);
    sorted.sort_by(|(a, _), (b, _)| {
        let (one, other) = (key(*a), key(*b));
        one.0.total_cmp(&other.0).then_with(|| one.1.cmp(&other.1))
    });
    let mut groups: Vec<Vec<&(usize, Arc<Fingerprint>)>> = Vec::new();
    // Groups before this one take less time than all that follow.
    let mut first = 0;
    for form in sorted {
        let each = subjects[form.0].each;
        while groups.get(first).is_some_and(|it| subjects[it[0].0].each < each * (1.0 - AS_LONG)) {
            first += 1;
        }
        let own = &subjects[form.0];
        let joins = |group: &&mut Vec<&(usize, Arc<Fingerprint>)>| {
            let leader = &subjects[group[0].0];
            leader.accesses_memory() == own.accesses_memory()
                && leader.sources == own.sources
                && leader.breaking == own.breaking
                && are_alike(&group[0].1, &form.1)
        };
        match groups[first..].iter_mut().find(joins) {
            Some(group) => group.push(form),
            None => groups.push(vec![form]),
        }
    }
    let in_front = |group: Vec<&(usize, Arc<Fingerprint>)>| {
        let sum = |print: &Fingerprint| print.marks.iter().sum::<f64>();
        let best = (0..group.len())
            .min_by(|&a, &b| sum(&group[a].1).total_cmp(&sum(&group[b].1)))
            .unwrap_or(0);
        let mut places: Vec<usize> = group.iter().map(|(at, _)| *at).collect();
        places.swap(0, best);
        places[1..].sort_unstable();
        places
    };
    groups.into_iter().map(in_front).collect()
}

fn are_alike(one: &Fingerprint, other: &Fingerprint) -> bool {
    let off = one.marks.iter().zip(&other.marks).map(|(a, b)| (a / b - 1.0).abs());
    let (mut sum, mut most) = (0.0, 0.0_f64);
    off.for_each(|off| (sum, most) = (sum + off, most.max(off)));
    let telling = one.telling.zip(other.telling);
    most <= ALIKE
        && sum <= ALIKE_ON_AVERAGE * one.marks.len() as f64
        && telling.is_none_or(|(a, b)| (a / b - 1.0).abs() <= ALIKE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(opcode: u32, each: f64, sources: usize) -> PortSubject {
        PortSubject::of_a_test(OpcodeId(opcode), each, sources)
    }

    fn print(marks: &[f64]) -> Arc<Fingerprint> {
        Arc::new(Fingerprint { marks: marks.to_vec(), ..Fingerprint::default() })
    }

    #[test]
    fn forms_that_cost_the_same_everywhere_are_one_group() {
        let subjects = [
            subject(0, 0.5, 2),
            // As the first, and disturbed less.
            subject(1, 0.505, 2),
            // Costs more beside one stream.
            subject(2, 0.5, 2),
            // Reads another register.
            subject(3, 0.5, 3),
            // Takes longer.
            subject(4, 1.0, 2),
        ];
        let prints = [&[1.0, 1.52], &[1.0, 1.5], &[1.2, 1.5], &[1.0, 1.5], &[1.0_f64, 1.5]];
        let prints: Vec<(usize, Arc<Fingerprint>)> =
            prints.iter().map(|marks| print(*marks)).enumerate().collect();
        let mut found = alike(&subjects, &prints);
        found.sort_unstable();
        assert_eq!(found, [vec![1, 0], vec![2], vec![3], vec![4]]);
    }

    #[test]
    fn what_takes_longer_where_more_fills_the_front_end_is_another_group() {
        // Four slots and six: both take two cycles beside six others, and two and three beside eight.
        let of = |telling: Option<f64>| {
            Arc::new(Fingerprint { marks: vec![2.0], telling, ..Fingerprint::default() })
        };
        let groups = |one: Option<f64>, other: Option<f64>| {
            let subjects = [subject(0, 1.0, 2), subject(1, 1.0, 2)];
            alike(&subjects, &[(0, of(one)), (1, of(other))]).len()
        };
        assert_eq!(groups(Some(2.0), Some(3.0)), 2);
        assert_eq!(groups(Some(2.0), Some(2.02)), 1);
        assert_eq!(groups(Some(2.0), None), 1);
    }
}
