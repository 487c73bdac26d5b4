//! Which of the usages that are known a form may have: it is put beside those streams that divide them,
//! one after the other, until one is left.

use std::hash::BuildHasher;
use std::sync::{Arc, Mutex};

use foldhash::fast::FixedState;

use super::forms::Context;
use super::streams::{LENGTHS, alone, beside, observation};
use super::subjects::PortSubject;
use crate::experiment::Experiment;
use crate::infer::ports::{FormObservation, TOLERANCE, Usage, cycles, mean_off};
use crate::kernel::Order;
use crate::maps::Map;
use crate::metadata::OpcodeId;

/// Usages that predict a mixture more differently than this are told apart by it.
const TOLD: f64 = 0.06;
/// A mixture may be slower than a usage explains by this share. Schedulers do not choose ports as well as
/// can be: on a Zen 5 `vfmadd132pd` beside `vpminsb`, which have one port of three in common, takes a
/// fifth longer than it must.
const SLOWED: f64 = 0.22;
/// ... and by this on average.
const SLOWED_ON_AVERAGE: f64 = 0.06;
/// Durations that differ by less than one part in so many are one situation.
const PARTS: f64 = 40.0;

/// Usages that forms may have.
pub(super) struct FormLibrary {
    pub usages: Vec<Usage>,
    /// What an instance of each takes by itself.
    singles: Vec<f64>,
    width: Option<f64>,
    /// Of all usages in their order, and of the streams: what was concluded under the same one holds.
    fingerprint: u64,
}

impl FormLibrary {
    pub fn new(context: &Context<'_>, first: &[Usage]) -> Self {
        let of_streams = (context.extras, context.streams.all.len(), context.blockers.len());
        let fingerprint = FixedState::default().hash_one(of_streams);
        let mut out =
            Self { usages: Vec::new(), singles: Vec::new(), width: context.width, fingerprint };
        first.iter().for_each(|usage| out.add(usage));
        out
    }

    pub fn add(&mut self, usage: &Usage) {
        if self.usages.contains(usage) {
            return;
        }
        let extra: Vec<(usize, u64)> =
            usage.extra.iter().map(|&(resource, held)| (resource, held.to_bits())).collect();
        let all = (self.fingerprint, &usage.micro_ops, usage.slots.to_bits(), extra);
        self.fingerprint = FixedState::default().hash_one(all);
        self.singles.push(cycles(&[(usage, 1.0)], self.width));
        self.usages.push(usage.clone());
    }

    /// Those that explain what a form takes by itself.
    pub fn by_itself(&self, subject: &PortSubject, context: &Context<'_>) -> Vec<usize> {
        let all = 0..self.usages.len();
        if !subject.breaking.is_empty() {
            let Some(seen) = alone(subject, context.blockers) else { return Vec::new() };
            return all.filter(|&at| context.allows(&self.usages[at], &seen)).collect();
        }
        let allowed = TOLERANCE + subject.uncertainty.clamp(0.0, 0.05);
        all.filter(|&at| (self.singles[at] / subject.each - 1.0).abs() <= allowed).collect()
    }
}

/// The library, a duration, the usages that are left, and the mixtures that were used.
type Situation = (u64, i64, Vec<usize>, u128);

/// What was concluded in earlier rounds and holds as long as the library is the same.
#[derive(Default)]
pub(super) struct NarrowingMemo {
    /// Which mixture tells the most, and how many usages it leaves: that is the same for many forms.
    choices: Mutex<Map<Situation, Option<(usize, usize)>>>,
    /// Forms of which nothing is to be asked any more.
    over: Mutex<Map<(u64, OpcodeId), Arc<Narrowed>>>,
}

/// What a form may be, as far as is known.
#[derive(Default, Clone)]
pub(super) struct Narrowed {
    /// The usages, by their places in the library.
    pub left: Vec<usize>,
    /// What was seen.
    pub seen: Vec<FormObservation>,
    /// What to ask to know more.
    pub next: Vec<Experiment>,
}

impl Context<'_> {
    /// Whether what was seen allows a usage. Fast is proof; slow is evidence, and may have reasons.
    fn allows(&self, usage: &Usage, seen: &FormObservation) -> bool {
        let off = seen.off(usage, self.width);
        off <= TOLERANCE + seen.uncertainty && off >= -(SLOWED + seen.uncertainty)
    }

    /// The usages of a library that a form may have, by what is known of it, with what was seen on the
    /// way and what is to be asked next.
    pub(super) fn narrowed(&self, subject: &PortSubject, library: &FormLibrary) -> Arc<Narrowed> {
        let key = (library.fingerprint, subject.opcode);
        let over = &self.memo.narrowing.over;
        if let Some(known) = over.lock().ok().and_then(|over| over.get(&key).cloned()) {
            return known;
        }
        let found = Arc::new(self.narrow(subject, library));
        if let Some(mut over) = over.lock().ok().filter(|_| found.next.is_empty()) {
            over.insert(key, Arc::clone(&found));
        }
        found
    }

    fn narrow(&self, subject: &PortSubject, library: &FormLibrary) -> Narrowed {
        let mut narrowed =
            Narrowed { left: library.by_itself(subject, self), ..Narrowed::default() };
        narrowed.seen.extend(alone(subject, self.blockers));
        let mut used: u128 = 0;
        while !narrowed.left.is_empty() {
            let choice = self.choice(subject, library, &narrowed.left, used);
            let Some((at, alike)) = choice else { break };
            if alike == narrowed.left.len() && narrowed.seen.len() > 1 {
                break;
            }
            used |= 1 << at;
            let mix = self.mix(subject, at);
            let Some(seen) = observation(&mix, subject.opcode, self.blockers, &self.bench) else {
                narrowed.next = self.unanswered(self.bench.experiments(&mix, &Order::ALL[..1]));
                // What cannot be built or timed says nothing.
                if narrowed.next.is_empty() { continue } else { break }
            };
            let left = narrowed.left.iter().copied();
            let left: Vec<usize> =
                left.filter(|&usage| self.allows(&library.usages[usage], &seen)).collect();
            if left.is_empty() {
                // Perhaps only this order is slow.
                narrowed.next = self.unanswered(self.bench.experiments(&mix, &Order::ALL));
                if !narrowed.next.is_empty() {
                    break;
                }
            }
            narrowed.left = left;
            narrowed.seen.push(seen);
        }
        let explains = |&usage: &usize| {
            mean_off(&library.usages[usage], &narrowed.seen, self.width) <= SLOWED_ON_AVERAGE
        };
        if narrowed.next.is_empty() {
            narrowed.left.retain(explains);
        }
        narrowed
    }

    /// The mixture that tells the most. Forms that take about as long go by the same one.
    fn choice(
        &self,
        subject: &PortSubject,
        library: &FormLibrary,
        left: &[usize],
        used: u128,
    ) -> Option<(usize, usize)> {
        if !subject.breaking.is_empty() {
            return self.best_mixture(subject, library, left, used);
        }
        let duration = (subject.each.ln() * PARTS).round();
        let key = (library.fingerprint, duration as i64, left.to_vec(), used);
        let choices = &self.memo.narrowing.choices;
        if let Some(known) = choices.lock().ok().and_then(|known| known.get(&key).copied()) {
            return known;
        }
        let usual = PortSubject { each: (duration / PARTS).exp(), ..subject.clone() };
        let chosen = self.best_mixture(&usual, library, left, used);
        if let Ok(mut known) = choices.lock() {
            known.insert(key, chosen);
        }
        chosen
    }

    /// The mixture that leaves the fewest usages whatever comes of it; any, to confirm the last one. What
    /// fills other resources than ports, whose forms are known less well, only where no other tells more.
    fn best_mixture(
        &self,
        subject: &PortSubject,
        library: &FormLibrary,
        left: &[usize],
        used: u128,
    ) -> Option<(usize, usize)> {
        let count = (self.streams.all.len() * LENGTHS.len()).min(u128::BITS as usize);
        let unused = (0..count).filter(|at| used >> at & 1 == 0);
        let rated = unused.filter_map(|at| {
            let mix = self.mix(subject, at);
            if mix.parts.len() < 2 {
                return None;
            }
            let (own, others) = beside(&mix, subject.opcode, self.blockers)?;
            let predictions = left.iter().map(|&usage| {
                let mut all = others.clone();
                all.add(&library.usages[usage], own);
                all.cycles(self.width)
            });
            Some((at, most_alike(predictions.collect())))
        });
        let (of_ports, others): (Vec<_>, Vec<_>) =
            rated.partition(|(at, _)| self.streams.fills_ports(at / LENGTHS.len()));
        let best =
            |rated: Vec<(usize, usize)>| rated.into_iter().min_by_key(|&(at, alike)| (alike, at));
        match best(of_ports) {
            Some((at, alike)) if alike < left.len() || left.len() == 1 => Some((at, alike)),
            told_nothing => [told_nothing, best(others)]
                .into_iter()
                .flatten()
                .min_by_key(|&(at, alike)| (alike, at)),
        }
    }
}

/// How many of some predictions are alike, at most.
fn most_alike(mut predictions: Vec<f64>) -> usize {
    predictions.sort_by(f64::total_cmp);
    let mut from = 0;
    let mut most = 0;
    for to in 0..predictions.len() {
        while predictions[to] > predictions[from] * (1.0 + TOLD) {
            from += 1;
        }
        most = most.max(to + 1 - from);
    }
    most
}
