//! The usage of each form.
//!
//! Most of the thousands of forms use what one of a few hundred does. So each is put beside streams of all
//! classes, and those that cost the same beside all of them are one group. One of each represents it: that
//! is put beside more streams, and what it turns out to use is what the others of its group use.

use std::sync::{Arc, Mutex, OnceLock};

use rayon::prelude::*;

use super::bench::{Mix, MixtureBench};
use super::blockers::Structure;
use super::fingerprints::{Fingerprint, FingerprintMemo, alike};
use super::held::{HeldResources, UNEXPLAINED, without_own_time};
use super::microcode;
use super::resources::Holder;
use super::streams::{Stream, Streams, Usages, alone, observation};
use super::subjects::{PortSubject, Unfit};
use super::twins::Twins;
use super::waits::Waits;
use crate::experiment::Experiment;
use crate::infer::ports::{
    Candidates, Explanation, FormFit, FormObservation, Ports, Refined, TOLERANCE, Usage, fit,
    mean_off,
};
use crate::kernel::Order;
use crate::maps::{Map, Set};
use crate::metadata::OpcodeId;

/// A resource that explains so much more, on average, is one.
const WORTH: f64 = 0.015;
/// Usages that differ by less than this explain as much, on average.
const AS_GOOD: f64 = 0.004;
/// What a usage that many forms have may explain less than the best one, on average, at most: no more than the best
/// ones leave unexplained. (A Zen 4, two runs: 0.4 to 1.2 % fewer forms differ. Where a simulator takes what ports
/// explain, nothing else is slow.)
const NEARLY_AS_GOOD: f64 = 0.005;
/// ... and in all, of many mixtures: less than what a micro-operation costs beside the streams of its class.
const NEARLY_AS_GOOD_IN_ALL: f64 = 0.12;
/// What explains everything within the tolerance, on average.
const EXPLAINED: f64 = 0.001;

/// What is known of the usage of a form.
#[derive(Debug, Clone)]
pub(super) enum Told {
    /// It is one that is known.
    Inherited { usage: Usage, residual: f64, equally_good: usize },
    /// It is what two others are together: what the form's twin in registers uses, and what its access uses.
    Composed { parts: Box<[Usage; 2]>, usage: Usage, residual: f64 },
    /// It was found for this form.
    Own(FormFit),
    /// Nothing yet.
    Open,
    /// No usage explains how fast mixtures are.
    Contradictory,
    /// Microcode executes it: it has slots, and no ports that would say anything.
    Microcode { slots: Option<f64> },
}

impl Told {
    pub fn usage(&self) -> Option<&Usage> {
        match self {
            Self::Inherited { usage, .. } | Self::Composed { usage, .. } => Some(usage),
            Self::Own(fit) => Some(&fit.usage),
            Self::Open | Self::Contradictory | Self::Microcode { .. } => None,
        }
    }

    /// How far mixtures are from what it explains, on average.
    pub fn residual(&self) -> Option<f64> {
        match self {
            Self::Inherited { residual, .. } | Self::Composed { residual, .. } => Some(*residual),
            Self::Own(fit) => Some(fit.residual),
            Self::Open | Self::Contradictory | Self::Microcode { .. } => None,
        }
    }
}

/// What is known of several forms.
#[derive(Default)]
pub(super) struct ToldForms {
    pub told: Vec<Told>,
    /// What was seen of each.
    pub seen: Vec<Vec<FormObservation>>,
    /// What is to be asked to know more.
    pub next: Vec<Experiment>,
    /// Resources that several of them have between them.
    pub resources: Vec<(OpcodeId, f64)>,
}

impl ToldForms {
    pub fn open(count: usize) -> Self {
        Self { told: vec![Told::Open; count], seen: vec![Vec::new(); count], ..Self::default() }
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
    /// Resources that have a stream: those that blockers have between them, and plain loads and stores.
    pub extras: &'a [usize],
    /// All resources that forms are known to have between them.
    pub resources: usize,
    pub step: TellingStep,
    pub memo: &'a Memo,
}

/// Forms are told in steps, each with the help of those before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum TellingStep {
    /// The ISA's candidates for blockers.
    Candidates,
    /// What accesses no memory and needs nothing beside it.
    Registers,
    /// Plain loads and stores.
    Accesses,
    /// What accesses memory and has a twin.
    Twins,
    /// What else accesses memory.
    Memory,
    /// What stands beside breakers.
    Broken,
}

/// What planning would find again every round, once all that tells it is known: what throughputs say, the
/// structure of blockers, fingerprints, fits, and what whole steps told.
/// What is measured later does not change them: whole rounds would be asked for anew.
#[derive(Default)]
pub(super) struct Memo {
    fits: Mutex<Map<OpcodeId, Option<BestFit>>>,
    pub subjects: OnceLock<Subjects>,
    pub structure: OnceLock<Structure>,
    pub fingerprints: FingerprintMemo,
    pub twins: OnceLock<Twins>,
    told: Mutex<Map<TellingStep, Arc<ToldForms>>>,
    pub trained: OnceLock<Trained>,
}

/// What random mixtures made of usages.
pub(super) struct Trained {
    pub usages: Usages,
    /// Resources that several forms hold, by who stands for them, and what that takes.
    pub resources: Vec<(OpcodeId, f64)>,
    pub refined: Refined,
}

/// What explains the mixtures of a representative best.
#[derive(Clone)]
struct BestFit {
    fit: FormFit,
    /// Whether many forms have this usage.
    is_usual: bool,
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
        let (lengths, of_dispatch) = (self.lengths(subject), self.dispatch_lengths(subject));
        let beside = |(at, stream): (usize, &Stream)| {
            let lengths = if self.streams.dispatch == Some(at) { of_dispatch } else { lengths };
            lengths.map(|length| stream.beside(subject, length))
        };
        let streams = self.streams.all.iter().enumerate();
        let mut mixes: Vec<Mix> =
            streams.flat_map(beside).filter(|mix| mix.parts.len() > 1).collect();
        mixes.dedup();
        mixes
    }

    fn observations(&self, subject: &PortSubject, mixes: &[Mix]) -> Vec<FormObservation> {
        let of_mixes = mixes
            .iter()
            .filter_map(|mix| observation(mix, subject.opcode, self.blockers, &self.bench));
        alone(subject, self.blockers, self.bench.whole).into_iter().chain(of_mixes).collect()
    }

    /// The usage of a representative from all of its mixtures: of those that many forms have the simplest
    /// that explains all of them, else one of its own.
    fn representative(&self, subject: &PortSubject, first: &[Usage]) -> Option<BestFit> {
        let remembered = self.memo.fits.lock().ok();
        if let Some(known) = remembered.and_then(|fits| fits.get(&subject.opcode).cloned()) {
            return known;
        }
        let seen = self.observations(subject, &self.full(subject));
        let found = self.fit(subject, &seen, first);
        if let Ok(mut fits) = self.memo.fits.lock() {
            fits.insert(subject.opcode, found.clone());
        }
        found
    }

    fn fit(
        &self,
        subject: &PortSubject,
        seen: &[FormObservation],
        first: &[Usage],
    ) -> Option<BestFit> {
        let slots = self.slots(subject);
        if let Some(fit) = simplest(slots.among(first), seen, self.width) {
            return Some(BestFit { fit, is_usual: true });
        }
        let likeliest = slots.likely[0];
        let candidates =
            Candidates { sets: self.sets, width: self.width, slots: likeliest, extra: &[] };
        let with_slots = |&slots: &f64| fit(seen, &Candidates { slots, ..candidates });
        let likely = slots.likely.iter().filter_map(with_slots);
        let mut best = likely
            .min_by(|a, b| a.residual.total_cmp(&b.residual))
            .or_else(|| slots.fewer.iter().find_map(with_slots));
        let of_best = best.as_ref().map_or(likeliest, |best| best.usage.slots);
        let candidates = Candidates { slots: of_best, ..candidates };
        let shared = self
            .extras
            .iter()
            .filter_map(|&resource| HeldResources::shared(resource, seen, subject));
        for held in shared.chain([HeldResources::own(seen, subject)]) {
            let with = fit(seen, &Candidates { extra: &held.cycles, ..candidates });
            if with.as_ref().is_some_and(|with| self.is_better(with, best.as_ref(), seen, &held)) {
                best = with;
            }
        }
        Some(BestFit { fit: best?, is_usual: false })
    }

    /// The usages of representatives, where what explains one best may be less likely than what many forms have.
    fn likeliest(
        &self,
        leaders: &[&PortSubject],
        best: Vec<Option<BestFit>>,
        first: &[Usage],
    ) -> Vec<Option<FormFit>> {
        let mut unexplained: Vec<f64> = best.iter().flatten().map(|it| it.fit.residual).collect();
        unexplained.sort_by(f64::total_cmp);
        let usual = unexplained.get(unexplained.len() / 2).copied().unwrap_or(0.0);
        let allowed = usual.min(NEARLY_AS_GOOD);
        let of_one = |(leader, best): (&&PortSubject, Option<BestFit>)| {
            let BestFit { fit, is_usual } = best?;
            if is_usual {
                return Some(fit);
            }
            let seen = self.observations(leader, &self.full(leader));
            let allowed = allowed.min(NEARLY_AS_GOOD_IN_ALL / seen.len().max(1) as f64);
            let slots = self.slots(leader);
            let near = self.nearly_as_good(&fit, slots.among(first), &seen, allowed);
            Some(near.unwrap_or(fit))
        };
        leaders.par_iter().zip(best).map(of_one).collect()
    }

    /// The simplest of some usages that explains nearly as much as the best that is known, with no more
    /// micro-operations. (What is slow has other reasons than ports as well: a usage that many forms have is
    /// likelier than one that only this form would have.)
    fn nearly_as_good<'u>(
        &self,
        best: &FormFit,
        usual: impl Iterator<Item = &'u Usage>,
        seen: &[FormObservation],
        allowed: f64,
    ) -> Option<FormFit> {
        let least = Explanation::of(&best.usage, seen, self.width)?.penalty;
        let count = best.usage.count();
        let near = usual.filter(|usage| usage.count() <= count).filter_map(|usage| {
            let explains = Explanation::of(usage, seen, self.width);
            Some((usage, explains.filter(|it| it.penalty <= least + allowed)?))
        });
        let (usage, explains) = near.min_by(|(a, one), (b, other)| {
            a.count().cmp(&b.count()).then_with(|| one.penalty.total_cmp(&other.penalty))
        })?;
        let Explanation { residual, worst, .. } = explains;
        let equally_good = best.equally_good;
        Some(FormFit {
            usage: usage.clone(),
            residual,
            worst,
            equally_good,
            alternatives: Vec::new(),
        })
    }

    /// Whether a usage that holds a resource is better than the best that is known: it explains what was
    /// seen better, or as well with fewer micro-operations.
    fn is_better(
        &self,
        with: &FormFit,
        best: Option<&FormFit>,
        seen: &[FormObservation],
        held: &HeldResources,
    ) -> bool {
        let Some(best) = best else { return true };
        let is_explained = |it: &FormObservation| it.off(&best.usage, self.width) > -UNEXPLAINED;
        let is_explained =
            seen.first().is_none_or(is_explained) && held.streams(seen).all(is_explained);
        let gain = best.residual - with.residual;
        let is_simpler = with.usage.count() + 1 < best.usage.count() && gain > -AS_GOOD;
        is_simpler || gain > WORTH || !is_explained && gain > TOLERANCE / 5.0
    }

    /// What each subject uses, and what to ask to know more.
    pub fn told(&self, subjects: &[PortSubject], first: &[Usage]) -> Arc<ToldForms> {
        self.remembered(|| self.tell(subjects, first))
    }

    /// What this step told, once it is whole.
    pub fn remembered(&self, tell: impl FnOnce() -> ToldForms) -> Arc<ToldForms> {
        let memo = &self.memo.told;
        if let Some(known) = memo.lock().ok().and_then(|told| told.get(&self.step).cloned()) {
            return known;
        }
        let found = Arc::new(tell());
        if let Some(mut told) = memo.lock().ok().filter(|_| found.next.is_empty() && !self.is_over)
        {
            told.insert(self.step, Arc::clone(&found));
        }
        found
    }

    fn tell(&self, subjects: &[PortSubject], first: &[Usage]) -> ToldForms {
        let mut out = ToldForms::open(subjects.len());
        let mut open: Vec<usize> = Vec::new();
        for (at, subject) in subjects.iter().enumerate() {
            match self.blockers.get(&subject.opcode) {
                Some(usage) => {
                    let residual = alone(subject, self.blockers, self.bench.whole)
                        .map_or(0.0, |it| it.off(usage, self.width).abs());
                    out.told[at] =
                        Told::Inherited { usage: usage.clone(), residual, equally_good: 1 };
                }
                None => open.push(at),
            }
        }
        let prints: Vec<(usize, Arc<Fingerprint>)> =
            open.par_iter().map(|&at| (at, self.fingerprint(&subjects[at]))).collect();
        for (at, print) in &prints {
            out.seen[*at].clone_from(&print.seen);
            out.next.extend(print.next.iter().cloned());
        }
        if !out.next.is_empty() {
            return out;
        }
        let groups = alike(subjects, &prints);
        let leaders = groups.iter().map(|group| &subjects[group[0]]);
        let mixes = leaders.clone().flat_map(|leader| self.full(leader));
        let asked = mixes.flat_map(|mix| self.bench.experiments(&mix, &[Order::Spread]));
        out.next = self.unanswered(asked);
        if !out.next.is_empty() {
            return out;
        }
        let leaders: Vec<&PortSubject> = leaders.collect();
        let unconfirmed = |leader: &&PortSubject| self.unconfirmed(leader, &self.full(leader));
        out.next = leaders.par_iter().flat_map_iter(unconfirmed).collect();
        if !out.next.is_empty() {
            return out;
        }
        let best: Vec<Option<BestFit>> =
            leaders.par_iter().map(|leader| self.representative(leader, first)).collect();
        let fits = self.likeliest(&leaders, best, first);
        let most_decoded = self.bench.catalogue.isa.most_decoded();
        let split = |fit: Option<FormFit>| match fit {
            Some(fit) if microcode::executes(&fit, most_decoded) => {
                (None, Told::Microcode { slots: Some(fit.usage.slots) })
            }
            fit => (fit, Told::Contradictory),
        };
        let (mut fits, without_ports): (Vec<Option<FormFit>>, Vec<Told>) =
            fits.into_iter().map(split).unzip();
        // Loads and stores that are alike may hold a resource between them: a second one of each group shows it.
        let shown = if self.step == TellingStep::Accesses { 2 } else { 1 };
        let of_groups = |nth: usize| {
            groups.iter().enumerate().filter_map(move |(group, all)| Some((group, *all.get(nth)?)))
        };
        let places: Vec<(usize, usize)> = (0..shown).flat_map(of_groups).collect();
        let holder = |&(group, at): &(usize, usize)| Some((&subjects[at], fits[group].as_ref()?));
        let holders: Vec<Option<Holder<'_>>> = places.iter().map(holder).collect();
        let weights: Vec<usize> = places.iter().map(|&(group, _)| groups[group].len()).collect();
        let shared = match self.shared_resources(&holders, &weights) {
            Ok(shared) => shared,
            Err(open) => {
                out.next = open;
                return out;
            }
        };
        for (number, resource) in shared.iter().enumerate() {
            let holding: Set<usize> = resource.holders.iter().map(|&it| places[it].0).collect();
            for group in holding {
                let Some(fit) = &mut fits[group] else { continue };
                fit.usage = without_own_time(&fit.usage);
                let cycles = resource.share * leaders[group].each;
                fit.usage.extra.push((self.resources + number, cycles));
            }
        }
        out.resources = shared.iter().map(|resource| resource.leader).collect();
        for ((group, fit), without) in groups.iter().zip(fits).zip(without_ports) {
            let Some(fit) = fit else {
                group.iter().for_each(|&at| out.told[at] = without.clone());
                continue;
            };
            for &at in &group[1..] {
                out.told[at] = Told::Inherited {
                    usage: fit.usage.clone(),
                    residual: mean_off(&fit.usage, &out.seen[at], self.width),
                    equally_good: fit.equally_good,
                };
            }
            let leader = &subjects[group[0]];
            out.seen[group[0]] = self.observations(leader, &self.full(leader));
            out.told[group[0]] = Told::Own(fit);
        }
        out
    }
}

/// The usage of the fewest micro-operations that explains everything; of those the best.
fn simplest<'a>(
    usages: impl Iterator<Item = &'a Usage>,
    seen: &[FormObservation],
    width: Option<f64>,
) -> Option<FormFit> {
    let rated = |usage: &'a Usage| {
        let off: Vec<f64> = seen.iter().map(|it| it.off(usage, width)).collect();
        let beyond = off.iter().zip(seen).map(|(off, it)| off.abs() - TOLERANCE - it.uncertainty);
        let penalty: f64 = beyond.map(|it| it.max(0.0)).sum();
        let is_explained = penalty <= EXPLAINED * seen.len() as f64;
        let worst = off.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0);
        is_explained.then(|| (usage, mean_off(usage, seen, width), worst))
    };
    let rated: Vec<(&Usage, f64, f64)> = usages.filter_map(rated).collect();
    let fewest = rated.iter().map(|(usage, ..)| usage.count()).min()?;
    let simple = || rated.iter().filter(|(usage, ..)| usage.count() == fewest);
    let &(usage, residual, worst) = simple().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let equal: Vec<Usage> = simple()
        .filter(|it| it.0 != usage && it.1 <= residual + EXPLAINED)
        .map(|it| it.0.clone())
        .collect();
    Some(FormFit {
        usage: usage.clone(),
        residual,
        worst,
        equally_good: equal.len() + 1,
        alternatives: equal,
    })
}
