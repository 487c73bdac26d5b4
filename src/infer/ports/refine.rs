//! Usages of all forms together, so that mixtures of several are predicted well.
//!
//! **Givens.** Usages of forms, what mixtures of them took, other usages that a form may have.
//! **Unknown.** Which usage each form has. **Method.** Coordinate descent: as long as there is a form
//! that has a better one while all others keep theirs, it takes the best: fewer kinds of micro-operations
//! for as small errors, or smaller errors. Every change lessens the sum of both, so it ends.

use super::model::{Demand, Usage};
use super::passing::{PassingOrder, PassingTimes};

/// A mixture and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct SwapTrial {
    /// Positions of its forms, and how many instances.
    pub forms: Vec<(usize, f64)>,
    /// What stands beside them, whose usage does not change.
    pub beside: Demand,
    /// Its duration.
    pub cycles: f64,
    /// What it takes at least for other reasons than ports.
    pub floor: f64,
    /// How it passes the front end, where that splits no instruction.
    pub passing: TrialPassing,
    /// How much it counts.
    pub weight: f64,
}

/// How a mixture passes the front end.
#[derive(Debug, Clone, PartialEq)]
pub enum TrialPassing {
    /// Its slots add up.
    Split,
    /// In the order of its forms, by their positions.
    InOrder(PassingOrder),
    /// By the slots of its only form, whatever stands beside that.
    OfOne(PassingTimes),
}

/// A form that uses what two others use together, whatever that is: an addition that loads one of its
/// operands, by the addition and the load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UsageTie {
    /// Its position.
    pub form: usize,
    /// Those of the others, which are tied to nothing.
    pub parts: [usize; 2],
    /// Slots of the form itself.
    pub slots: f64,
    /// A resource that neither of the others holds, and for how many cycles.
    pub own: Option<(usize, f64)>,
}

impl UsageTie {
    fn usage(&self, usages: &[Usage]) -> Usage {
        let [one, other] = self.parts;
        let mut both = usages[one].and(&usages[other], self.slots);
        both.extra.extend(self.own);
        both
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Refined {
    /// The mean error before, as a share.
    pub before: f64,
    /// ... and after.
    pub after: f64,
    /// Forms that changed.
    pub changed: Vec<usize>,
}

/// Beyond this an error is something else's: it counts no more.
const MOST: f64 = 0.3;
/// What is faster than predicted cannot be; what is slower may have other reasons.
const TOO_FAST: f64 = 2.0;
/// Improvements of the sum of errors of a form's mixtures that are worth a change, in mixtures: smaller ones
/// are those of the very mixtures that were drawn.
const WORTH: f64 = 0.4;
/// ... and what it must be on average, where there are many of those, as a share of the mean error: where
/// much is unexplained, little says nothing. (Two runs on a Zen 4: 98.7 % of forms have the same ports in both instead
/// of 96.9 with 0.03 of it and changes to fewer kinds that need to be worth nothing; no mean error changes by more
/// than 0.2. Most are 150 forms of `valignd zmm {k}`, which had one more micro-operation in one of them.)
const WORTH_OF_EACH: f64 = 0.2;
/// What a change to fewer kinds of micro-operations must be worth, as a share of what others must: if it were as
/// much, what a form is taken for at first would decide.
const WORTH_OF_SIMPLER: f64 = 0.5;
/// What one more kind of micro-operations must be worth in each of them, as a share of the mean error: two that
/// go to the same ports are likelier than two that go to almost the same. (A Zen 4, two runs: 97.6 % of forms
/// get the same usage in both instead of 96.4, where `VPADDDZrr` had `2p5.6.7.8` in one and
/// `1p5.6.7 + 1p5.6.7.8` in the other; mean errors stay.)
const WORTH_OF_KIND: f64 = 0.12;

/// Changes usages one at a time for the better, in at most so many passes over all forms. `options` has
/// other usages for a form that has this one. Forms that are tied to others change with those. `kinds` says
/// how many kinds of micro-operations a usage counts as.
pub fn refine(
    usages: &mut [Usage],
    trials: &[SwapTrial],
    width: Option<f64>,
    (ties, passes): (&[UsageTie], usize),
    options: &dyn Fn(usize, &Usage) -> Vec<Usage>,
    kinds: &dyn Fn(&Usage) -> f64,
) -> Refined {
    let of_form = trials_of_forms(usages.len(), trials, ties);
    let before = mean_error(usages, trials, width);
    let mut changed = Vec::new();
    for _ in 0..passes {
        let mut is_over = true;
        for form in by_cost(usages, trials, &of_form, width) {
            if ties.iter().any(|tie| tie.form == form) {
                continue;
            }
            let own: Vec<&SwapTrial> =
                of_form[form].iter().map(|&number| &trials[number]).collect();
            let cost = |usages: &[Usage]| own.iter().map(|it| it.cost(usages, width)).sum::<f64>();
            let now = cost(usages);
            let worth = WORTH.max(WORTH_OF_EACH * before * own.len() as f64);
            if now <= worth {
                continue;
            }
            let kept = usages[form].clone();
            let of_kind = WORTH_OF_KIND * before * own.len() as f64;
            let of_kinds = |usage: &Usage| of_kind * kinds(usage);
            let is_simpler = |usage: &Usage| usage.micro_ops.len() < kept.micro_ops.len();
            let mut best = (now + of_kinds(&kept), None);
            for option in options(form, &kept) {
                let of_kinds = of_kinds(&option);
                let share = if is_simpler(&option) { WORTH_OF_SIMPLER } else { 1.0 };
                give(usages, form, option, ties);
                let then = cost(usages) + of_kinds + share * worth;
                if then < best.0 {
                    best = (then, Some(usages[form].clone()));
                }
            }
            let (_, better) = best;
            let is_better = better.is_some();
            give(usages, form, better.unwrap_or(kept), ties);
            if is_better {
                is_over = false;
                if !changed.contains(&form) {
                    changed.push(form);
                }
            }
        }
        if is_over {
            break;
        }
    }
    Refined { before, after: mean_error(usages, trials, width), changed }
}

/// How far usages are from what mixtures took, in all: what is faster than predicted counts more, and each as much as
/// its weight.
#[must_use]
pub fn total_cost(usages: &[Usage], trials: &[SwapTrial], width: Option<f64>) -> f64 {
    trials.iter().map(|trial| trial.cost(usages, width)).sum()
}

/// Gives those that are tied to others what these use together.
pub fn tie_together<'a>(usages: &mut [Usage], ties: impl IntoIterator<Item = &'a UsageTie>) {
    for tie in ties {
        usages[tie.form] = tie.usage(usages);
    }
}

/// The trials that the usage of each form has a part in, by their numbers.
fn trials_of_forms(forms: usize, trials: &[SwapTrial], ties: &[UsageTie]) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); forms];
    for (number, trial) in trials.iter().enumerate() {
        for &(form, _) in &trial.forms {
            out[form].push(number);
            for tie in ties.iter().filter(|tie| tie.form == form) {
                tie.parts.iter().for_each(|&part| out[part].push(number));
            }
        }
    }
    for own in &mut out {
        own.sort_unstable();
        own.dedup();
    }
    out
}

/// Gives a form a usage, and forms that are tied to it theirs.
fn give(usages: &mut [Usage], form: usize, usage: Usage, ties: &[UsageTie]) {
    usages[form] = usage;
    tie_together(usages, ties.iter().filter(|tie| tie.parts.contains(&form)));
}

/// All forms, those first whose mixtures are predicted worst.
fn by_cost(
    usages: &[Usage],
    trials: &[SwapTrial],
    of_form: &[Vec<usize>],
    width: Option<f64>,
) -> Vec<usize> {
    let costs: Vec<f64> = trials.iter().map(|trial| trial.cost(usages, width)).collect();
    let sum = |own: &[usize]| own.iter().map(|&number| costs[number]).sum::<f64>();
    let mut forms: Vec<(usize, f64)> = of_form.iter().map(|own| sum(own)).enumerate().collect();
    forms.sort_by(|a, b| b.1.total_cmp(&a.1));
    forms.into_iter().map(|(form, _)| form).collect()
}

fn mean_error(usages: &[Usage], trials: &[SwapTrial], width: Option<f64>) -> f64 {
    let sum: f64 = trials.iter().map(|trial| trial.off(usages, width).abs()).sum();
    sum / trials.len().max(1) as f64
}

impl SwapTrial {
    /// Cycles that it is predicted to take.
    #[must_use]
    pub fn predicted(&self, usages: &[Usage], width: Option<f64>) -> f64 {
        let mut all = self.beside.clone();
        self.forms.iter().for_each(|&(form, times)| all.add(&usages[form], times));
        let bound = all.cycles(width).max(self.floor);
        bound.max(self.passing(usages, width, bound))
    }

    /// What it takes to pass the front end, if that is more than a bound.
    fn passing(&self, usages: &[Usage], width: Option<f64>, bound: f64) -> f64 {
        let Some(width) = width else { return 0.0 };
        match &self.passing {
            TrialPassing::Split => 0.0,
            TrialPassing::OfOne(times) => {
                self.forms.first().map_or(0.0, |&(form, _)| times.cycles(usages[form].slots))
            }
            TrialPassing::InOrder(sequence) => {
                let slots = |at: usize| usages[self.forms[at].0].slots;
                // Each instruction loses less than what it needs.
                let most = |&(form, times): &(usize, f64)| {
                    let slots = usages[form].slots;
                    times * (slots + (slots.min(width) - 1.0).max(0.0))
                };
                if self.forms.iter().map(most).sum::<f64>() <= bound * width {
                    return 0.0;
                }
                sequence.cycles(&slots, width)
            }
        }
    }

    /// How much longer it is predicted to take than it did, as a share.
    fn off(&self, usages: &[Usage], width: Option<f64>) -> f64 {
        self.predicted(usages, width) / self.cycles - 1.0
    }

    fn cost(&self, usages: &[Usage], width: Option<f64>) -> f64 {
        let off = self.off(usages, width);
        let size = off.abs().min(MOST);
        self.weight * if off > 0.0 { size * TOO_FAST } else { size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::ports::{Ports, Use, cycles};

    fn count(usage: &Usage) -> f64 {
        usage.micro_ops.len() as f64
    }

    #[test]
    fn slots_are_those_that_pass_in_the_order_of_instructions() {
        let on = |slots: f64| Usage::of([], slots);
        let truth = [4.0, 1.0];
        let trial = |forms: &[usize]| {
            let count = |form: usize| forms.iter().filter(|own| **own == form).count() as f64;
            let sequence = PassingOrder { forms: forms.to_vec(), rounds: 1 };
            SwapTrial {
                forms: vec![(0, count(0)), (1, count(1))],
                beside: Demand::default(),
                cycles: sequence.cycles(&|form| truth[form], 6.0),
                floor: 0.0,
                passing: TrialPassing::InOrder(sequence),
                weight: 1.0,
            }
        };
        // Alone each takes a cycle: if slots added up it would have six.
        let trials = [trial(&[0, 0]), trial(&[0]), trial(&[0, 1, 1, 1]), trial(&[0, 1, 0, 1, 1])];
        let mut usages = [on(2.0), on(1.0)];
        let options = |form, _: &Usage| {
            if form == 0 { [3.0, 4.0, 5.0, 6.0].map(on).into() } else { Vec::new() }
        };
        let refined = refine(&mut usages, &trials, Some(6.0), (&[], 4), &options, &count);
        assert_eq!((usages[0].slots, refined.after), (4.0, 0.0), "{refined:?}");
    }

    #[test]
    fn a_wrong_usage_is_mended_by_mixtures() {
        let on = |ports: &[u32]| Usage::of([(1, Ports::of(ports.iter().copied()))], 1.0);
        let truth = [on(&[0]), on(&[1]), on(&[0, 1])];
        let mixtures = [vec![(0, 1.0), (2, 1.0)], vec![(1, 1.0), (2, 1.0)], vec![(2, 2.0)]];
        let trials: Vec<SwapTrial> = mixtures
            .into_iter()
            .map(|forms| {
                let uses: Vec<Use<'_>> = forms.iter().map(|&(at, n)| (&truth[at], n)).collect();
                let beside = Demand::default();
                SwapTrial {
                    cycles: cycles(&uses, None),
                    forms,
                    beside,
                    floor: 0.0,
                    passing: TrialPassing::Split,
                    weight: 1.0,
                }
            })
            .collect();
        let mut usages = truth.clone();
        usages[2] = on(&[0]);
        let options = |_, _: &Usage| vec![on(&[1]), on(&[0, 1]), on(&[0])];
        let refined = refine(&mut usages, &trials, None, (&[], 4), &options, &count);
        assert_eq!(usages, truth);
        assert_eq!((refined.after, refined.changed), (0.0, vec![2]));
        assert!(refined.before > 0.1);
    }

    #[test]
    fn two_kinds_of_micro_operations_must_be_worth_it() {
        let ports = |numbers: &[u32]| Ports::of(numbers.iter().copied());
        let (all, three) = (ports(&[0, 1, 2, 3]), ports(&[0, 1, 2]));
        let alike = Usage::of([(2, all)], 1.0);
        let mixed = Usage::of([(1, three), (1, all)], 1.0);
        let other = Usage::of([(1, three)], 1.0);
        // Beside what keeps three ports busy, each as long as two of a kind need or longer by a share.
        let refined = |slower: f64, trials: u32| {
            let trial = |times: f64| SwapTrial {
                cycles: cycles(&[(&alike, 1.0), (&other, times)], None) * (1.0 + slower),
                forms: vec![(0, 1.0), (1, times)],
                beside: Demand::default(),
                floor: 0.0,
                passing: TrialPassing::Split,
                weight: 1.0,
            };
            let trials: Vec<SwapTrial> =
                (0..trials).map(|it| trial(f64::from(3 + it % 4))).collect();
            let mut usages = [mixed.clone(), other.clone()];
            let options = |form: usize, _: &Usage| {
                if form == 0 { vec![alike.clone(), mixed.clone()] } else { Vec::new() }
            };
            refine(&mut usages, &trials, None, (&[], 4), &options, &count);
            usages[0].clone()
        };
        assert_eq!(refined(0.0, 200), alike);
        // What everything takes longer for says little, unless it is a lot.
        assert_eq!(refined(0.003, 200), alike);
        assert_eq!(refined(0.2, 200), mixed);
        // Of two that explain as much, the simpler one is taken, though no change would be worth it.
        assert_eq!(refined(0.08, 20), alike);
    }

    #[test]
    fn what_is_tied_to_others_may_hold_a_resource_of_its_own() {
        let on = |ports: &[u32]| Usage::of([(1, Ports::of(ports.iter().copied()))], 1.0);
        let store = Usage { extra: vec![(0, 1.0)], ..on(&[1]) };
        let tie = UsageTie { form: 2, parts: [0, 1], slots: 1.0, own: Some((9, 1.5)) };
        let both = tie.usage(&[on(&[0]), store]);
        assert_eq!((both.count(), &both.extra[..]), (2, &[(0, 1.0), (9, 1.5)][..]));
    }

    #[test]
    fn what_is_tied_to_a_form_changes_with_it() {
        let on = |ports: &[u32]| Usage::of([(1, Ports::of(ports.iter().copied()))], 1.0);
        let (add, load, known) = (on(&[0, 1]), on(&[2]), on(&[0]));
        let truth = [add.clone(), load.clone(), add.and(&load, 1.0), known.clone()];
        // Only mixtures of the form that does both tell what adds.
        let trial = |forms: &[(usize, f64)]| {
            let uses: Vec<Use<'_>> = forms.iter().map(|&(at, n)| (&truth[at], n)).collect();
            SwapTrial {
                cycles: cycles(&uses, None),
                forms: forms.to_vec(),
                beside: Demand::default(),
                floor: 0.0,
                passing: TrialPassing::Split,
                weight: 1.0,
            }
        };
        let both = [trial(&[(2, 1.0), (3, 2.0)]), trial(&[(2, 1.0), (3, 3.0)])];
        let trials: Vec<SwapTrial> = both.iter().cycle().take(8).cloned().collect();
        let mut usages = [known.clone(), load.clone(), known.and(&load, 1.0), known.clone()];
        let ties = [UsageTie { form: 2, parts: [0, 1], slots: 1.0, own: None }];
        let options = |form: usize, _: &Usage| match form {
            0 => vec![add.clone()],
            2 => panic!("the form is tied"),
            _ => Vec::new(),
        };
        let refined = refine(&mut usages, &trials, None, (&ties, 4), &options, &count);
        assert_eq!(usages, truth);
        assert_eq!((refined.after, refined.changed), (0.0, vec![0]));
    }
}
