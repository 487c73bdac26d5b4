//! The micro-operations of one form, from what it takes beside forms whose ports are known.
//!
//! **Givens.** Sets of ports that micro-operations may go to; what mixtures of the form and known ones
//! take. **Unknown.** A multiset of those sets. **Constraint.** No mixture may be predicted to take
//! longer than it did, but for a few whose clock may have been wrong. Of those that keep to this the fewest micro-operations that explain the mixtures
//! within [`TOLERANCE`], and of as many the ones that explain them best.
//!
//! More micro-operations never make a mixture faster. So a multiset that is too slow for one of them
//! needs no further ones, and few are left at each size.

use super::model::{Demand, Usage};
use super::passing::PassingTimes;
use super::set::Ports;
use super::unions::UnionLoads;

/// Predictions and durations that differ by less than this share agree.
pub const TOLERANCE: f64 = 0.025;
/// What counts for an observation at most: one that something else slows must not decide.
const MOST_OF_ONE: f64 = 0.12;
/// Of so many observations one may be faster than it can be: now and then the clock is wrong.
const TRUSTED: usize = 14;
/// Fits that differ by less than this are equally good.
const EQUAL: f64 = 0.001;
/// An improvement that is worth another micro-operation, on average,
const WORTH_ONE_MORE: f64 = 0.006;
/// ... or in all, which counts where there are many observations: what goes to the ports of one class costs beside the
/// streams of that class, and beside no others. (A store of a Zen 1 takes one of four ports for additions. That shows in
/// two of 36 mixtures, which it made 25 and 14 % longer.)
const WORTH_IN_ALL: f64 = 0.15;
/// Multisets of a size that are looked at further.
const MOST_OF_A_SIZE: usize = 400;
/// Sizes without an improvement after which larger ones have none either: a micro-operation alone may
/// explain nothing that two do. (What goes to the same ports several times is looked at whole.)
const PATIENCE: usize = 2;
/// Micro-operations of a form, at most.
const MOST_MICRO_OPS: usize = 8;

/// What a mixture took in which the form stands beside others.
#[derive(Debug, Clone, PartialEq)]
pub struct FormObservation {
    /// Instances of the form.
    pub own: f64,
    /// What the others ask for.
    pub others: Demand,
    /// Its duration.
    pub cycles: f64,
    /// The share by which it may be too short.
    pub uncertainty: f64,
    /// What it takes to pass the front end, where that splits no instruction.
    pub passing: Option<PassingTimes>,
}

/// What a form may be made of.
#[derive(Debug, Clone, Copy)]
pub struct Candidates<'a> {
    /// Sets of ports that a micro-operation may go to.
    pub sets: &'a [Ports],
    /// Slots that the front end takes a cycle, if that is known.
    pub width: Option<f64>,
    /// Slots of the form.
    pub slots: f64,
    /// Resources that it holds, with the cycles.
    pub extra: &'a [(usize, f64)],
}

/// The micro-operations of a form.
#[derive(Debug, Clone, PartialEq)]
pub struct FormFit {
    /// What it uses.
    pub usage: Usage,
    /// The mean of how far mixtures are from their predictions, as a share.
    pub residual: f64,
    /// How far the observation lies from its prediction that lies furthest; positive where it was
    /// faster.
    pub worst: f64,
    /// How many usages of as many micro-operations explain the observations as well.
    pub equally_good: usize,
    /// The others of them, some at most.
    pub alternatives: Vec<Usage>,
}

/// Alternatives that are kept.
const MOST_ALTERNATIVES: usize = 8;

/// The usage that explains some observations best; nothing if none is fast enough for all of them.
#[must_use]
pub fn fit(observations: &[FormObservation], candidates: &Candidates<'_>) -> Option<FormFit> {
    let search = FitSearch::of(observations, candidates);
    let mut level = vec![search.tried(Vec::new())?];
    let alike = search.of_one_set(least_penalty(&level));
    let mut best: Vec<Tried> = Vec::new();
    let mut in_vain = 0;
    for size in 0..=MOST_MICRO_OPS {
        let least = least_penalty(&level);
        let known = least_penalty(&best);
        in_vain += 1;
        if best.is_empty() || least + search.worth < known {
            best =
                level.iter().filter(|it| it.explains.penalty <= least + EQUAL).cloned().collect();
            in_vain = 0;
        }
        let is_hopeless = in_vain > PATIENCE && alike.iter().all(|it| it.chosen.len() <= size);
        if least_penalty(&best) <= EQUAL || is_hopeless {
            break;
        }
        level = search.next_level(&level);
        let of_size = alike.iter().filter(|it| it.chosen.len() == size + 1);
        let missing = of_size.filter(|it| level.iter().all(|known| known.chosen != it.chosen));
        level.extend(missing.cloned().collect::<Vec<_>>());
        if level.is_empty() {
            break;
        }
    }
    let least = best.iter().map(|it| it.explains.residual).fold(f64::INFINITY, f64::min);
    best.retain(|it| it.explains.residual <= least + EQUAL);
    // Of equal ones the simplest: few kinds of micro-operations, on the ports of classes.
    let usage = |it: &Tried| candidates.usage(&it.chosen);
    best.sort_by_cached_key(|it| (usage(it).micro_ops.len(), it.chosen.clone()));
    let first = best.first()?;
    Some(FormFit {
        residual: first.explains.residual,
        worst: first.explains.worst,
        equally_good: best.len(),
        alternatives: best.iter().skip(1).take(MOST_ALTERNATIVES).map(usage).collect(),
        usage: usage(first),
    })
}

fn least_penalty(level: &[Tried]) -> f64 {
    level.iter().map(|it| it.explains.penalty).fold(f64::INFINITY, f64::min)
}

/// For the micro-operations of a form.
struct FitSearch<'a> {
    seen: &'a [FormObservation],
    candidates: &'a Candidates<'a>,
    loads: Option<UnionLoads>,
    /// An improvement of the mean that is worth another micro-operation.
    worth: f64,
}

impl<'a> FitSearch<'a> {
    fn of(seen: &'a [FormObservation], candidates: &'a Candidates<'a>) -> Self {
        let loads = UnionLoads::of(seen, &candidates.usage(&[]), candidates.sets, candidates.width);
        let worth = WORTH_ONE_MORE.min(WORTH_IN_ALL / seen.len().max(1) as f64);
        Self { seen, candidates, loads, worth }
    }

    /// Nothing if observations were faster than a multiset allows.
    fn tried(&self, chosen: Vec<usize>) -> Option<Tried> {
        let explains = match &self.loads {
            Some(loads) => Explanation::of_cycles(self.seen, loads.cycles(&chosen)),
            None => {
                let usage = self.candidates.usage(&chosen);
                Explanation::of(&usage, self.seen, self.candidates.width)
            }
        };
        Some(Tried { chosen, explains: explains? })
    }

    /// Of each set as many micro-operations as explain the observations best, if those explain more than
    /// none does and fewer do. (LLVM's `MOV8ri` takes one of four ports of a Zen 4 for four cycles: beside as
    /// many of `ADD32rr`, two micro-operations and three look as wrong as none.)
    fn of_one_set(&self, of_none: f64) -> Vec<Tried> {
        let of_set = |set: usize| {
            let tried = (1..=MOST_MICRO_OPS).map_while(|count| self.tried(vec![set; count]));
            let best = tried
                .min_by(|a, b| a.explains.penalty.total_cmp(&b.explains.penalty))
                .filter(|it| it.explains.penalty + self.worth < of_none);
            best.filter(|it| it.chosen.len() > PATIENCE)
        };
        (0..self.candidates.sets.len()).filter_map(of_set).collect()
    }

    /// All multisets of one more set that no observation forbids.
    fn next_level(&self, level: &[Tried]) -> Vec<Tried> {
        let mut out: Vec<Tried> = Vec::new();
        for tried in level {
            let from = tried.chosen.last().copied().unwrap_or(0);
            for next in from..self.candidates.sets.len() {
                let mut chosen = tried.chosen.clone();
                chosen.push(next);
                out.extend(self.tried(chosen));
            }
        }
        out.sort_by(|a, b| {
            let (one, other) = (a.explains.penalty, b.explains.penalty);
            one.total_cmp(&other).then_with(|| a.chosen.cmp(&b.chosen))
        });
        out.truncate(MOST_OF_A_SIZE);
        out
    }
}

impl Candidates<'_> {
    /// The usage of a multiset of sets, by their places.
    fn usage(&self, chosen: &[usize]) -> Usage {
        let sets = chosen.iter().map(|&at| (1, self.sets[at]));
        let mut usage = Usage::of(sets, self.slots);
        usage.extra.extend(self.extra);
        usage
    }
}

/// How many of so many observations may be faster than a usage allows.
#[must_use]
pub fn forgiven(observations: usize) -> usize {
    observations / TRUSTED
}

/// How well a usage explains some observations, none of which is faster than it allows, but for a few whose
/// clock may have been wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Explanation {
    /// What lies beyond the tolerance, on average, as a share.
    pub penalty: f64,
    /// The mean of how far they are from their predictions, as a share.
    pub residual: f64,
    /// How far the observation lies from its prediction that lies furthest; positive where it was
    /// faster.
    pub worst: f64,
}

impl Explanation {
    /// Nothing if observations were faster than the usage allows.
    #[must_use]
    pub fn of(usage: &Usage, seen: &[FormObservation], width: Option<f64>) -> Option<Self> {
        Self::of_cycles(seen, seen.iter().map(|it| it.cycles_with(usage, width)))
    }

    /// Where these cycles are predicted.
    fn of_cycles(seen: &[FormObservation], predicted: impl Iterator<Item = f64>) -> Option<Self> {
        let (mut penalty, mut residual, mut worst) = (0.0, 0.0, 0.0_f64);
        let mut forgiven = forgiven(seen.len());
        for (observation, cycles) in seen.iter().zip(predicted) {
            let off = cycles / observation.cycles - 1.0;
            if off > TOLERANCE + observation.uncertainty {
                forgiven = forgiven.checked_sub(1)?;
            }
            let size = off.abs();
            if size > worst.abs() {
                worst = off;
            }
            residual += size;
            penalty += (size - TOLERANCE - observation.uncertainty).clamp(0.0, MOST_OF_ONE);
        }
        let count = seen.len().max(1) as f64;
        Some(Self { penalty: penalty / count, residual: residual / count, worst })
    }
}

/// A multiset and how well it explains everything.
#[derive(Debug, Clone)]
struct Tried {
    /// Places of its sets, ascending.
    chosen: Vec<usize>,
    explains: Explanation,
}

impl FormObservation {
    /// How much longer it is predicted to take than it did, as a share.
    #[must_use]
    pub fn off(&self, usage: &Usage, width: Option<f64>) -> f64 {
        self.cycles_with(usage, width) / self.cycles - 1.0
    }

    /// What it is predicted to take.
    pub(super) fn cycles_with(&self, usage: &Usage, width: Option<f64>) -> f64 {
        let mut all = self.others.clone();
        all.add(usage, self.own);
        let passing = self.passing.as_ref().map_or(0.0, |it| it.cycles(usage.slots));
        all.cycles(width).max(passing)
    }
}

/// How far some observations are from what a usage explains on average, as a share; nothing of none.
#[must_use]
pub fn mean_off(usage: &Usage, seen: &[FormObservation], width: Option<f64>) -> f64 {
    let sum: f64 = seen.iter().map(|it| it.off(usage, width).abs()).sum();
    sum / seen.len().max(1) as f64
}

/// The sets that micro-operations may go to: those of the classes, and what is common to two of them, in
/// one of them alone, or in either.
#[must_use]
pub fn sets_of(classes: &[Ports]) -> Vec<Ports> {
    let mut out: Vec<Ports> = Vec::new();
    let mut add = |set: Ports| {
        if !set.is_empty() && !out.contains(&set) {
            out.push(set);
        }
    };
    classes.iter().copied().for_each(&mut add);
    for (at, &one) in classes.iter().enumerate() {
        for &other in &classes[..at] {
            if one.meets(other) {
                [one & other, one - other, other - one, one | other].into_iter().for_each(&mut add);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::ports::cycles;

    fn class(ports: &[u32]) -> Usage {
        Usage::of([(1, Ports::of(ports.iter().copied()))], 1.0)
    }

    /// What a usage takes alone and beside streams of each class.
    fn observed(truth: &Usage, classes: &[Usage], width: f64) -> Vec<FormObservation> {
        let own = cycles(&[(truth, 1.0)], Some(width));
        let mut out = vec![FormObservation {
            own: 1.0,
            others: Demand::default(),
            cycles: own,
            uncertainty: 0.0,
            passing: None,
        }];
        for class in classes {
            let each = cycles(&[(class, 1.0)], Some(width));
            for share in [1.0, 2.0] {
                let times = own * share / each;
                let cycles = cycles(&[(truth, 1.0), (class, times)], Some(width));
                let others = Demand::of([(class, times)]);
                out.push(FormObservation {
                    own: 1.0,
                    others,
                    cycles,
                    uncertainty: 0.0,
                    passing: None,
                });
            }
        }
        out
    }

    #[test]
    fn what_streams_tell_comes_back() {
        let classes =
            [class(&[0, 1, 2, 3]), class(&[0, 1]), class(&[1, 2]), class(&[0]), class(&[5, 6])];
        let ports: Vec<Ports> = classes.iter().map(Usage::ports).collect();
        let sets = sets_of(&ports);
        let truths = [
            class(&[1, 2]),
            Usage::of([(2, Ports::of([0]))], 1.0),
            Usage::of([(1, Ports::of([1])), (1, Ports::of([5, 6]))], 1.0),
            Usage::of([(1, Ports::of([0, 1])), (2, Ports::of([1, 2]))], 3.0),
            Usage::of([], 1.0),
        ];
        for truth in truths {
            let slots = truth.slots;
            let candidates = Candidates { sets: &sets, width: Some(6.0), slots, extra: &[] };
            let found = fit(&observed(&truth, &classes, 6.0), &candidates).unwrap();
            let is_found = found.usage == truth || found.alternatives.contains(&truth);
            assert!(is_found, "{truth:?}: {found:?}");
        }
    }

    #[test]
    fn what_goes_to_the_same_ports_four_times_is_found() {
        let classes = [class(&[0, 1, 2, 3]), class(&[5, 6])];
        let ports: Vec<Ports> = classes.iter().map(Usage::ports).collect();
        let truth = Usage::of([(4, ports[0])], 1.0);
        let candidates = Candidates { sets: &ports, width: Some(6.0), slots: 1.0, extra: &[] };
        // Many streams tell nothing of it: what two or three micro-operations explain drowns among them.
        let elsewhere = || observed(&truth, &classes[1..], 6.0).into_iter().skip(1);
        let seen: Vec<FormObservation> = observed(&truth, &classes, 6.0)
            .into_iter()
            .chain((0..10).flat_map(|_| elsewhere()))
            .collect();
        assert_eq!(fit(&seen, &candidates).unwrap().usage, truth);
    }

    #[test]
    fn what_two_usages_explain_is_said() {
        // Nothing was measured beside it: any single port explains one cycle.
        let sets = [Ports::of([0]), Ports::of([1]), Ports::of([0, 1])];
        let alone = FormObservation {
            own: 1.0,
            others: Demand::default(),
            cycles: 1.0,
            uncertainty: 0.0,
            passing: None,
        };
        let candidates = Candidates { sets: &sets, width: None, slots: 1.0, extra: &[] };
        let found = fit(&[alone], &candidates).unwrap();
        assert_eq!((found.equally_good, found.usage.count()), (2, 1));
    }

    /// What goes to the ports of one class shows in the two mixtures with that class, however many others there are:
    /// in two of 48 here, which count 0.24 together, 0.005 on average.
    #[test]
    fn a_port_that_few_of_many_mixtures_show_is_one() {
        let of_class = |class: u32| Ports::of([2 * class, 2 * class + 1]);
        let sets: Vec<Ports> = (0..24).map(of_class).collect();
        let truth = Usage::of([(1, sets[0])], 1.0);
        let truth = Usage { extra: vec![(0, 1.0)], ..truth };
        let beside = |&set: &Ports, times: f64| {
            let others = Usage::of([(1, set)], 1.0);
            let cycles = cycles(&[(&truth, 1.0), (&others, times)], None);
            let others = Demand::of([(&others, times)]);
            FormObservation { own: 1.0, others, cycles, uncertainty: 0.0, passing: None }
        };
        let of_class = |set: &Ports| [2.0, 3.0].map(|times| beside(set, times));
        let seen: Vec<FormObservation> = sets.iter().flat_map(of_class).collect();
        let candidates = Candidates { sets: &sets, width: None, slots: 1.0, extra: &[(0, 1.0)] };
        assert_eq!(fit(&seen, &candidates).unwrap().usage.micro_ops, truth.micro_ops);
    }
}
