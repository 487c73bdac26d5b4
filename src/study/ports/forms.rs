//! The usage of each form: that of forms which are known, as far as mixtures tell them apart, or one of
//! its own.
//!
//! Most of the thousands of forms use what one of a few hundred does. So a form is put beside those
//! streams that divide what it may be, one after the other, until one usage is left: a few mixtures. A
//! form that is none of them is a representative: it is put beside all streams, and what it turns out
//! to use is what others may use from then on.

use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::bench::{Mix, MixtureBench};
use super::streams::{LENGTHS, Streams, Usages, alone, observation, predicted};
use super::subjects::{PortSubject, Unfit};
use super::waits::Waits;
use crate::experiment::Experiment;
use crate::infer::ports::{
    Candidates, FormFit, FormObservation, Ports, TOLERANCE, Usage, cycles, fit,
};
use crate::kernel::Order;
use crate::maps::Map;
use crate::metadata::OpcodeId;

/// Usages that predict a mixture more differently than this are told apart by it.
const TOLD: f64 = 0.06;
/// A form that looks like another one may be further off what that one's usage explains by this.
const AS_ALIKE: f64 = 0.02;
/// A form that takes longer by itself than its ports explain by more than this has a resource of its own.
const UNEXPLAINED: f64 = 0.04;
/// A mixture may be slower than a usage explains by this, besides the tolerance of what is fast.
const SLOWED: f64 = 0.045;
/// Private resources have numbers from here on.
pub(super) const PRIVATE: usize = 1 << 16;

/// What is known of the usage of a form.
#[derive(Debug, Clone)]
pub(super) enum Told {
    /// It is one that is known.
    Inherited { usage: Usage, residual: f64, equally_good: usize },
    /// It was found for this form.
    Own(FormFit),
    /// Nothing yet.
    Open,
    /// No usage explains how fast mixtures are.
    Contradictory,
}

impl Told {
    pub fn usage(&self) -> Option<&Usage> {
        match self {
            Self::Inherited { usage, .. } => Some(usage),
            Self::Own(fit) => Some(&fit.usage),
            Self::Open | Self::Contradictory => None,
        }
    }
}

/// What everything goes by that is known of a machine.
pub(super) struct Context<'a> {
    pub bench: MixtureBench<'a>,
    pub streams: &'a Streams,
    /// Sets that micro-operations may go to.
    pub sets: &'a [Ports],
    pub width: Option<f64>,
    /// Usages of blockers.
    pub blockers: &'a Usages,
    /// Shared resources of blockers.
    pub extras: usize,
    pub memo: &'a Memo,
}

/// A form and what its mixtures took, to the last bit.
type FitKey = (OpcodeId, Vec<u64>);

/// What planning would find again every round: fits, by what they were made from, and what throughputs say
/// once all of them are known.
#[derive(Default)]
pub(super) struct Memo {
    fits: Mutex<Map<FitKey, Option<FormFit>>>,
    subjects: Mutex<Option<Subjects>>,
}

/// What throughputs say.
#[derive(Clone)]
pub(super) struct Subjects {
    /// Forms that have one.
    pub forms: Vec<PortSubject>,
    /// Why others have no ports.
    pub unfit: Vec<(OpcodeId, Unfit)>,
    pub waits: Arc<Waits>,
}

impl Memo {
    /// The subjects, if all throughputs were known before.
    pub fn subjects(&self) -> Option<Subjects> {
        self.subjects.lock().ok()?.clone()
    }

    /// Remembers the subjects.
    pub fn remember(&self, subjects: &Subjects) {
        if let Ok(mut known) = self.subjects.lock() {
            *known = Some(subjects.clone());
        }
    }
}

impl Context<'_> {
    /// All mixtures of a representative.
    fn full(&self, subject: &PortSubject) -> Vec<Mix> {
        let streams = self.streams.all.iter();
        let mut mixes: Vec<Mix> = streams
            .flat_map(|stream| LENGTHS.map(|length| stream.beside(subject, length)))
            .filter(|mix| mix.parts.len() > 1)
            .collect();
        mixes.dedup();
        mixes
    }

    fn observations(&self, subject: &PortSubject, mixes: &[Mix]) -> Vec<FormObservation> {
        let of_mixes = mixes
            .iter()
            .filter_map(|mix| observation(mix, subject.opcode, self.blockers, &self.bench));
        alone(subject, self.blockers).into_iter().chain(of_mixes).collect()
    }

    /// Places in the front end, if the stream that fills it shows them.
    fn slots(&self, subject: &PortSubject) -> f64 {
        let Some((width, at)) = self.width.zip(self.streams.dispatch) else { return 1.0 };
        let mix = self.streams.all[at].beside(subject, LENGTHS[1]);
        let Some(seen) = observation(&mix, subject.opcode, self.blockers, &self.bench) else {
            return 1.0;
        };
        // What takes as long alone leaves places free.
        if seen.cycles <= seen.own * subject.each * (1.0 + TOLERANCE) {
            return 1.0;
        }
        let others: f64 = seen.others.iter().map(|(usage, times)| usage.slots * times).sum();
        let own = (seen.cycles * width - others) / seen.own;
        // (What it shows is no less than a slot, and half a slot is what pairs of instructions take.)
        if own < 0.75 { (own * 2.0).round().max(1.0) / 2.0 } else { own.round() }
    }

    /// The usage of a representative from all of its mixtures.
    pub fn representative(&self, subject: &PortSubject) -> Option<FormFit> {
        let observations = self.observations(subject, &self.full(subject));
        let key = observations.iter().map(|it| it.cycles.to_bits());
        let key = (subject.opcode, key.chain([self.extras as u64]).collect::<Vec<_>>());
        if let Some(known) = self.memo.fits.lock().ok().and_then(|fits| fits.get(&key).cloned()) {
            return known;
        }
        let found = self.fit(subject, &observations);
        if let Ok(mut fits) = self.memo.fits.lock() {
            fits.insert(key, found.clone());
        }
        found
    }

    fn fit(&self, subject: &PortSubject, observations: &[FormObservation]) -> Option<FormFit> {
        let slots = self.slots(subject);
        let candidates = Candidates { sets: self.sets, width: self.width, slots, extra: None };
        // A front end that was full of something else, or that lets instructions pass as a whole only,
        // makes slots look too many.
        let fewer = [slots, slots - 1.0, slots - 2.0].into_iter();
        let fewer = fewer.filter(|it| *it == slots || *it >= 1.0);
        let fewer = fewer.chain((slots > 3.0).then_some(1.0));
        let mut best = fewer
            .map(|slots| Candidates { slots, ..candidates })
            .find_map(|candidates| fit(observations, &candidates));
        let is_explained = |fit: &FormFit| {
            let single = observations.first();
            single.is_none_or(|it| it.off(&fit.usage, self.width) > -UNEXPLAINED)
        };
        if best.as_ref().is_some_and(is_explained) {
            return best;
        }
        let shared = (0..self.extras).chain([PRIVATE + subject.opcode.0 as usize]);
        for resource in shared {
            let extra = Some((resource, subject.each * (1.0 - TOLERANCE / 2.0)));
            let with = fit(observations, &Candidates { extra, ..candidates });
            let is_better = match (&with, &best) {
                (Some(with), Some(best)) => with.residual < best.residual - TOLERANCE / 5.0,
                (with, None) => with.is_some(),
                (None, _) => false,
            };
            if is_better {
                best = with;
            }
        }
        best
    }

    /// Number `at` of all mixtures of a representative.
    fn mix(&self, subject: &PortSubject, at: usize) -> Mix {
        self.streams.all[at / LENGTHS.len()].beside(subject, LENGTHS[at % LENGTHS.len()])
    }

    /// Whether what was seen allows a usage. Fast is proof; slow is evidence, and may have reasons.
    fn allows(&self, usage: &Usage, seen: &FormObservation) -> bool {
        let off = seen.off(usage, self.width);
        off <= TOLERANCE + seen.uncertainty && off >= -(SLOWED + seen.uncertainty)
    }

    /// The usages of some that a form may have, by what is known of it, with what was seen on the way
    /// and what is to be asked next.
    fn narrowed(
        &self,
        subject: &PortSubject,
        library: &FormLibrary,
        choices: &Choices,
    ) -> Narrowed {
        let mut narrowed =
            Narrowed { left: library.by_itself(subject, self), ..Narrowed::default() };
        narrowed.seen.extend(alone(subject, self.blockers));
        let mut used: u128 = 0;
        while !narrowed.left.is_empty() {
            let choice = choices.of(subject, &narrowed.left, used, || {
                self.best_mixture(subject, library, &narrowed.left, used)
            });
            let Some((at, alike)) = choice else { break };
            if alike == narrowed.left.len() && narrowed.seen.len() > 1 {
                break;
            }
            used |= 1 << at;
            let mix = self.mix(subject, at);
            let Some(seen) = observation(&mix, subject.opcode, self.blockers, &self.bench) else {
                narrowed.next =
                    self.bench.unanswered(self.bench.experiments(&mix, &Order::ALL[..1]));
                // What cannot be built or timed says nothing.
                if narrowed.next.is_empty() { continue } else { break }
            };
            let left = narrowed.left.iter().copied();
            let left: Vec<usize> =
                left.filter(|&usage| self.allows(&library.usages[usage], &seen)).collect();
            if left.is_empty() {
                // Perhaps only this order is slow.
                narrowed.next = self.bench.unanswered(self.bench.experiments(&mix, &Order::ALL));
                if !narrowed.next.is_empty() {
                    break;
                }
            }
            narrowed.left = left;
            narrowed.seen.push(seen);
        }
        narrowed
    }

    /// The mixture that leaves the fewest usages whatever comes of it; any, to confirm the last one.
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
            let predictions = left.iter().map(|&usage| {
                let usage = (subject.opcode, &library.usages[usage]);
                predicted(&mix, usage, self.blockers, self.width)
            });
            Some((at, most_alike(predictions.collect::<Option<Vec<f64>>>()?)))
        });
        rated.min_by_key(|&(at, alike)| (alike, at))
    }

    /// What each subject uses, and what to ask to know more.
    pub fn told(&self, subjects: &[PortSubject], first: &[Usage]) -> (Vec<Told>, Vec<Experiment>) {
        let mut library = FormLibrary::new(self.width);
        first.iter().for_each(|usage| library.add(usage));
        let mut told: Vec<Told> = vec![Told::Open; subjects.len()];
        let mut asked: Vec<Experiment> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for (at, subject) in subjects.iter().enumerate() {
            match self.blockers.get(&subject.opcode) {
                Some(usage) => {
                    let residual = alone(subject, self.blockers)
                        .map_or(0.0, |it| it.off(usage, self.width).abs());
                    told[at] = Told::Inherited { usage: usage.clone(), residual, equally_good: 1 };
                }
                None => open.push(at),
            }
        }
        // Those that were made representatives before are found again in the same order.
        loop {
            let choices = Choices::default();
            let narrowed: Vec<(usize, Narrowed)> = open
                .par_iter()
                .map(|&at| (at, self.narrowed(&subjects[at], &library, &choices)))
                .collect();
            let mut is_waiting = false;
            let mut novel: Map<Vec<i64>, Vec<usize>> = Map::default();
            let mut looks: Map<usize, Vec<FormObservation>> = Map::default();
            for (at, narrowed) in narrowed {
                let Narrowed { left, seen, next } = narrowed;
                if !next.is_empty() {
                    is_waiting = true;
                    asked.extend(next);
                } else if left.is_empty() {
                    novel.entry(look(&subjects[at], &seen)).or_default().push(at);
                    looks.insert(at, seen);
                } else {
                    told[at] = self.inherited(&left, &library, &seen);
                }
            }
            if is_waiting {
                return (told, asked);
            }
            if novel.is_empty() {
                return (told, asked);
            }
            // One of each kind that looks alike goes on; the others wait for what it turns out to be.
            let mut groups: Vec<Vec<usize>> = novel.into_values().collect();
            groups.sort_unstable();
            let chosen: Vec<usize> = groups.iter().map(|group| group[0]).collect();
            let mixes = chosen.iter().flat_map(|&at| self.full(&subjects[at]));
            let needed = mixes.flat_map(|mix| self.bench.experiments(&mix, &Order::ALL[..1]));
            let missing = self.bench.unanswered(needed);
            if !missing.is_empty() {
                return (told, missing);
            }
            let fits: Vec<(usize, Option<FormFit>)> =
                chosen.par_iter().map(|&at| (at, self.representative(&subjects[at]))).collect();
            let mut others: Vec<usize> = Vec::new();
            for (group, (at, fit)) in groups.iter().zip(fits) {
                let alike = group.iter().copied().filter(|&other| other != at);
                match fit {
                    Some(fit) => {
                        let is_private =
                            fit.usage.extra.iter().any(|&(resource, _)| resource >= PRIVATE);
                        if !is_private {
                            library.add(&fit.usage);
                        }
                        // What looks the same is the same, unless it is faster than that allows.
                        for other in alike {
                            match self.as_alike(&fit, &looks[&other]).filter(|_| !is_private) {
                                Some(inherited) => told[other] = inherited,
                                None => others.push(other),
                            }
                        }
                        told[at] = Told::Own(fit);
                    }
                    None => {
                        others.extend(alike);
                        told[at] = Told::Contradictory;
                    }
                }
            }
            others.sort_unstable();
            open = others;
            if open.is_empty() {
                return (told, asked);
            }
        }
    }

    /// The usage of a representative for a form that looks like it; nothing if that was faster.
    fn as_alike(&self, fit: &FormFit, seen: &[FormObservation]) -> Option<Told> {
        let off: Vec<f64> = seen.iter().map(|it| it.off(&fit.usage, self.width)).collect();
        let mut both = off.iter().zip(seen);
        let is_possible = both.all(|(off, it)| *off <= TOLERANCE + it.uncertainty);
        let residual = off.iter().map(|off| off.abs()).sum::<f64>() / off.len().max(1) as f64;
        let is_alike = is_possible && residual <= fit.residual.max(fit.worst.abs()) + AS_ALIKE;
        is_alike.then(|| Told::Inherited {
            usage: fit.usage.clone(),
            residual,
            equally_good: fit.equally_good,
        })
    }

    /// The simplest of what is left, by how well it explains everything.
    fn inherited(&self, left: &[usize], library: &FormLibrary, seen: &[FormObservation]) -> Told {
        let residual = |usage: &Usage| {
            let sum: f64 = seen.iter().map(|it| it.off(usage, self.width).abs()).sum();
            sum / seen.len().max(1) as f64
        };
        let usages = left.iter().map(|&usage| &library.usages[usage]);
        let simplest = usages.min_by(|a, b| {
            let size = |usage: &Usage| (usage.count(), usage.micro_ops.len());
            size(a).cmp(&size(b)).then_with(|| residual(a).total_cmp(&residual(b)))
        });
        simplest.map_or(Told::Open, |usage| Told::Inherited {
            usage: usage.clone(),
            residual: residual(usage),
            equally_good: left.len(),
        })
    }
}

/// Usages that forms may have.
struct FormLibrary {
    usages: Vec<Usage>,
    /// What an instance of each takes by itself.
    singles: Vec<f64>,
    width: Option<f64>,
}

impl FormLibrary {
    fn new(width: Option<f64>) -> Self {
        Self { usages: Vec::new(), singles: Vec::new(), width }
    }

    fn add(&mut self, usage: &Usage) {
        if !self.usages.contains(usage) {
            self.singles.push(cycles(&[(usage, 1.0)], self.width));
            self.usages.push(usage.clone());
        }
    }

    /// Those that explain what a form takes by itself.
    fn by_itself(&self, subject: &PortSubject, context: &Context<'_>) -> Vec<usize> {
        let all = 0..self.usages.len();
        if !subject.breaking.is_empty() {
            let Some(seen) = alone(subject, context.blockers) else { return Vec::new() };
            return all.filter(|&at| context.allows(&self.usages[at], &seen)).collect();
        }
        let allowed = TOLERANCE + subject.uncertainty.clamp(0.0, 0.05);
        all.filter(|&at| (self.singles[at] / subject.each - 1.0).abs() <= allowed).collect()
    }
}

/// A duration, the usages that are left, and the mixtures that were used.
type Situation = (u64, Vec<usize>, u128);

/// Which mixture tells the most, by the situation: that is the same for many forms.
#[derive(Default)]
struct Choices(Mutex<Map<Situation, Option<(usize, usize)>>>);

impl Choices {
    fn of(
        &self,
        subject: &PortSubject,
        left: &[usize],
        used: u128,
        choose: impl FnOnce() -> Option<(usize, usize)>,
    ) -> Option<(usize, usize)> {
        if !subject.breaking.is_empty() {
            return choose();
        }
        let key = (subject.each.to_bits(), left.to_vec(), used);
        if let Some(known) = self.0.lock().ok().and_then(|known| known.get(&key).copied()) {
            return known;
        }
        let chosen = choose();
        if let Ok(mut known) = self.0.lock() {
            known.insert(key, chosen);
        }
        chosen
    }
}

/// How a form that is none of those known looks: forms that look alike use the same, mostly.
fn look(subject: &PortSubject, seen: &[FormObservation]) -> Vec<i64> {
    let rounded = |value: f64| (value.ln() * 12.0).round() as i64;
    let own = [rounded(subject.each), i64::from(subject.accesses_memory)];
    own.into_iter().chain(seen.iter().map(|it| rounded(it.cycles / it.own))).collect()
}

/// What a form may be, as far as is known.
#[derive(Default)]
struct Narrowed {
    /// The usages, by their places in the library.
    left: Vec<usize>,
    /// What was seen.
    seen: Vec<FormObservation>,
    /// What to ask to know more.
    next: Vec<Experiment>,
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
