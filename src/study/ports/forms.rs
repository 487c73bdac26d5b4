//! The usage of each form: that of forms which are known, as far as mixtures tell them apart, or one of
//! its own.
//!
//! Most of the thousands of forms use what one of a few hundred does. So a form is put beside those
//! streams that divide what it may be, one after the other, until one usage is left: a few mixtures. A
//! form that is none of them is a representative: it is put beside all streams, and what it turns out
//! to use is what others may use from then on.

use std::sync::{Arc, Mutex, OnceLock};

use rayon::prelude::*;

use super::bench::{Mix, MixtureBench};
use super::blockers::Structure;
use super::narrowing::{FormLibrary, Narrowed, NarrowingMemo};
use super::streams::{LENGTHS, Streams, Usages, alone, observation};
use super::subjects::{PortSubject, Unfit};
use super::waits::Waits;
use crate::experiment::Experiment;
use crate::infer::ports::{
    Candidates, FormFit, FormObservation, Ports, TOLERANCE, Usage, fit, mean_off,
};
use crate::kernel::Order;
use crate::maps::{Map, Set};
use crate::metadata::OpcodeId;

/// A form that looks like another one may be further off what that one's usage explains by this.
const AS_ALIKE: f64 = 0.02;
/// Usages that explain what was seen as well as each other, on average.
const EQUAL: f64 = 0.01;
/// A form that takes longer by itself than its ports explain by more than this has a resource of its own.
const UNEXPLAINED: f64 = 0.04;
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

/// What is known of several forms.
pub(super) struct ToldForms {
    pub told: Vec<Told>,
    /// What was seen of each.
    pub seen: Vec<Vec<FormObservation>>,
    /// What is to be asked to know more.
    pub next: Vec<Experiment>,
}

impl ToldForms {
    fn open(count: usize) -> Self {
        Self { told: vec![Told::Open; count], seen: vec![Vec::new(); count], next: Vec::new() }
    }
}

/// What everything goes by that is known of a machine.
pub(super) struct Context<'a> {
    pub bench: MixtureBench<'a>,
    /// Whether nothing more can be measured: what is not known then says nothing.
    pub is_over: bool,
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

/// A form, and how many shared resources were known.
type FitKey = (OpcodeId, usize);

/// What planning would find again every round: fits, what throughputs say and the structure of blockers,
/// once all that tells them is known, and how far forms are narrowed.
/// What is measured later does not change them: whole rounds would be asked for anew.
#[derive(Default)]
pub(super) struct Memo {
    fits: Mutex<Map<FitKey, Option<FormFit>>>,
    pub subjects: OnceLock<Subjects>,
    pub structure: OnceLock<Structure>,
    pub narrowing: NarrowingMemo,
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

impl Context<'_> {
    /// Those of some experiments that are to be measured.
    pub fn unanswered(&self, asked: impl IntoIterator<Item = Experiment>) -> Vec<Experiment> {
        if self.is_over { Vec::new() } else { self.bench.unanswered(asked) }
    }

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
        let own = (seen.cycles * width - seen.others.slots()) / seen.own;
        // (What it shows is no less than a slot, and half a slot is what pairs of instructions take.)
        if own < 0.75 { (own * 2.0).round().max(1.0) / 2.0 } else { own.round() }
    }

    /// The usage of a representative from all of its mixtures.
    pub fn representative(&self, subject: &PortSubject) -> Option<FormFit> {
        let key = (subject.opcode, self.extras);
        if let Some(known) = self.memo.fits.lock().ok().and_then(|fits| fits.get(&key).cloned()) {
            return known;
        }
        let found = self.fit(subject, &self.observations(subject, &self.full(subject)));
        if let Ok(mut fits) = self.memo.fits.lock() {
            fits.insert(key, found.clone());
        }
        found
    }

    fn fit(&self, subject: &PortSubject, observations: &[FormObservation]) -> Option<FormFit> {
        let slots = self.slots(subject);
        let candidates = Candidates { sets: self.sets, width: self.width, slots, extra: None };
        // A front end that was full of something else, or that lets instructions pass as a whole only,
        // makes slots look too many: there are no more than what the form takes by itself has room for.
        let room = self.width.map_or(1.0, |width| (subject.each * width).floor().max(1.0));
        let fewer = [slots - 1.0, slots - 2.0, room, 1.0].into_iter();
        let fewer = fewer.filter(|it| (1.0..slots).contains(it));
        let mut best = std::iter::once(slots)
            .chain(fewer)
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
    pub fn mix(&self, subject: &PortSubject, at: usize) -> Mix {
        self.streams.all[at / LENGTHS.len()].beside(subject, LENGTHS[at % LENGTHS.len()])
    }

    /// What each subject uses, and what to ask to know more.
    pub fn told(&self, subjects: &[PortSubject], first: &[Usage]) -> ToldForms {
        let mut library = FormLibrary::new(self, first);
        let mut out = ToldForms::open(subjects.len());
        let ToldForms { told, seen: shown, next: asked } = &mut out;
        let mut open: Vec<usize> = Vec::new();
        // Those that look like a representative and are not like it: each is one itself, all at once.
        let mut own: Set<usize> = Set::default();
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
            let narrowed: Vec<(usize, Arc<Narrowed>)> =
                open.par_iter().map(|&at| (at, self.narrowed(&subjects[at], &library))).collect();
            let mut novel: Map<(Option<usize>, Vec<i64>), Vec<usize>> = Map::default();
            for (at, narrowed) in narrowed {
                let Narrowed { left, seen, next } = &*narrowed;
                shown[at].clone_from(seen);
                if !next.is_empty() {
                    asked.extend(next.iter().cloned());
                } else if left.is_empty() {
                    let of_itself = own.contains(&at).then_some(at);
                    let look = (of_itself, look(&subjects[at], seen));
                    novel.entry(look).or_default().push(at);
                } else {
                    told[at] = self.inherited(left, &library, seen);
                }
            }
            if !asked.is_empty() || novel.is_empty() {
                return out;
            }
            // One of each kind that looks alike goes on; the others wait for what it turns out to be.
            let mut groups: Vec<Vec<usize>> = novel.into_values().collect();
            groups.sort_unstable();
            let chosen: Vec<usize> = groups.iter().map(|group| group[0]).collect();
            let mixes = chosen.iter().flat_map(|&at| self.full(&subjects[at]));
            let needed = mixes.flat_map(|mix| self.bench.experiments(&mix, &Order::ALL[..1]));
            asked.extend(self.unanswered(needed));
            if !asked.is_empty() {
                return out;
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
                            match self.as_alike(&fit, &shown[other]).filter(|_| !is_private) {
                                Some(inherited) => told[other] = inherited,
                                None => others.push(other),
                            }
                        }
                        shown[at] = self.observations(&subjects[at], &self.full(&subjects[at]));
                        told[at] = Told::Own(fit);
                    }
                    None => {
                        others.extend(alike);
                        told[at] = Told::Contradictory;
                    }
                }
            }
            others.sort_unstable();
            own.extend(&others);
            open = others;
            if open.is_empty() {
                return out;
            }
        }
    }

    /// The usage of a representative for a form that looks like it; nothing if that was faster, or does
    /// not explain what the form takes by itself.
    fn as_alike(&self, fit: &FormFit, seen: &[FormObservation]) -> Option<Told> {
        let off: Vec<f64> = seen.iter().map(|it| it.off(&fit.usage, self.width)).collect();
        let mut both = off.iter().zip(seen);
        let is_possible = both.all(|(off, it)| *off <= TOLERANCE + it.uncertainty);
        let residual = mean_off(&fit.usage, seen, self.width);
        let alone = off.iter().zip(seen).next();
        let explains = alone.is_none_or(|(off, it)| *off >= -(UNEXPLAINED + it.uncertainty));
        let is_alike = is_possible && explains && residual <= fit.residual + AS_ALIKE;
        is_alike.then(|| Told::Inherited {
            usage: fit.usage.clone(),
            residual,
            equally_good: fit.equally_good,
        })
    }

    /// What explains everything best of what is left; of what explains it as well, the simplest.
    fn inherited(&self, left: &[usize], library: &FormLibrary, seen: &[FormObservation]) -> Told {
        let rated: Vec<(f64, &Usage)> = left
            .iter()
            .map(|&usage| &library.usages[usage])
            .map(|usage| (mean_off(usage, seen, self.width), usage))
            .collect();
        let least = rated.iter().map(|(off, _)| *off).fold(f64::INFINITY, f64::min);
        let equal: Vec<&(f64, &Usage)> =
            rated.iter().filter(|(off, _)| *off <= least + EQUAL).collect();
        let simplest = equal.iter().min_by(|(one_off, one), (other_off, other)| {
            let size = |usage: &Usage| (usage.count(), usage.micro_ops.len());
            size(one).cmp(&size(other)).then_with(|| one_off.total_cmp(other_off))
        });
        simplest.map_or(Told::Open, |&&(residual, usage)| Told::Inherited {
            usage: usage.clone(),
            residual,
            equally_good: equal.len(),
        })
    }
}

/// How a form that is none of those known looks: forms that look alike use the same, mostly.
fn look(subject: &PortSubject, seen: &[FormObservation]) -> Vec<i64> {
    let rounded = |value: f64| (value.ln() * 12.0).round() as i64;
    let own = [rounded(subject.each), i64::from(subject.accesses_memory)];
    own.into_iter().chain(seen.iter().map(|it| rounded(it.cycles / it.own))).collect()
}
