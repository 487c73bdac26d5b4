//! Resources that several forms hold besides ports, from mixtures that take longer than ports explain.
//!
//! **Givens.** Mixtures of classes of forms, what each took, and what it is predicted to take. **Unknown.**
//! How long an instance of each class holds a resource that only one has at a time. **Constraints.** No
//! class holds it longer than it takes by itself, so that what forms take alone stays explained. **Method.**
//! Least squares within these bounds over the mixtures that are not explained, and those that the
//! resource would make too slow. A resource counts if what was fitted to one half of the mixtures
//! predicts the other half better. **Source.** Derumigny et al., *PALMED: Throughput Characterization
//! for Superscalar Architectures*, CGO 2022: throughput as the largest of several weighted sums.

/// A mixture that was timed.
#[derive(Debug, Clone, PartialEq)]
pub struct ConjunctiveTrial {
    /// Classes and how many instances.
    pub classes: Vec<(usize, f64)>,
    /// Cycles that it is predicted to take.
    pub predicted: f64,
    /// ... and took.
    pub cycles: f64,
    /// A number of what its forms work on: a resource is looked for in the mixtures of one kind.
    pub kind: usize,
}

/// What is faster than predicted by less than this share is explained.
const EXPLAINED: f64 = 0.03;
/// A resource takes part in a mixture if it bounds it at least this near to what ports do.
const NEAR: f64 = 0.8;
/// A resource must not make a mixture slower than it was by more than this share.
const TOO_SLOW: f64 = 0.01;
/// Keeps classes that few mixtures hold from large weights.
const RIDGE: f64 = 0.05;
/// An improvement of the mean error of all mixtures that is worth a resource, or that shows more classes to
/// hold one that is known.
const WORTH: f64 = 0.0007;
/// Resources at most.
const MOST: usize = 4;
/// Mixtures that a resource must explain at least.
const FEWEST: usize = 10;
/// Passes of the descent, and changes of what is fitted.
const SWEEPS: usize = 60;
const TURNS: usize = 12;
/// A class that holds a resource for less than this share of what it takes by itself does not hold it.
const NOTHING: f64 = 0.02;

impl ConjunctiveTrial {
    fn bound(&self, weights: &[f64]) -> f64 {
        self.classes.iter().map(|&(class, times)| weights[class] * times).sum()
    }

    /// How far the prediction is off if classes hold a resource for so long, as a share.
    fn error(&self, weights: &[f64]) -> f64 {
        (self.predicted.max(self.bound(weights)) / self.cycles - 1.0).abs()
    }

    fn is_unexplained(&self) -> bool {
        self.predicted < self.cycles * (1.0 - EXPLAINED)
    }
}

/// Resources that explain some mixtures: of each, how many cycles an instance of every class holds it.
/// `limits` is what an instance of each class takes by itself. `held` are resources that some classes are
/// known to hold: they come first, and classes may turn out to hold them that were not known to. The trials
/// are left predicted with all of them.
#[must_use]
pub fn conjunctive_resources(
    trials: &mut [ConjunctiveTrial],
    limits: &[f64],
    held: &[Vec<f64>],
) -> Vec<Vec<f64>> {
    let mut found = held.to_vec();
    for known in &mut found {
        let search = ResourceSearch { limits, known, kind: None };
        if search.gain(trials) > WORTH {
            *known = search.taken(trials);
        }
    }
    let mut kinds: Vec<usize> = trials.iter().map(|trial| trial.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let none = vec![0.0; limits.len()];
    while found.len() < held.len() + MOST {
        let searches =
            kinds.iter().map(|&kind| ResourceSearch { limits, known: &none, kind: Some(kind) });
        let rated = searches.map(|search| (search.gain(trials), search));
        let best = rated.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.kind.cmp(&a.1.kind)));
        let Some((_, search)) = best.filter(|(gain, _)| *gain > WORTH) else { break };
        found.push(search.taken(trials));
    }
    found
}

/// For a resource.
struct ResourceSearch<'a> {
    /// What an instance of each class takes by itself.
    limits: &'a [f64],
    /// How long classes are known to hold it.
    known: &'a [f64],
    /// In the mixtures of one kind; else in those that hold a class which is known to hold it.
    kind: Option<usize>,
}

impl ResourceSearch<'_> {
    /// By how much the resource, fitted to each half of the mixtures, lowers the mean error of the other
    /// half.
    fn gain(&self, trials: &[ConjunctiveTrial]) -> f64 {
        let half = |rest: usize| trials.iter().skip(rest).step_by(2).collect::<Vec<_>>();
        let halves = [half(0), half(1)];
        let gained = |(fitted, judged): (&Vec<&ConjunctiveTrial>, &Vec<&ConjunctiveTrial>)| {
            let weights = self.weights(fitted);
            let gain = |trial: &&ConjunctiveTrial| trial.error(self.known) - trial.error(&weights);
            judged.iter().map(gain).sum::<f64>()
        };
        let both = gained((&halves[0], &halves[1])) + gained((&halves[1], &halves[0]));
        both / trials.len().max(1) as f64
    }

    /// Takes the resource into all predictions.
    fn taken(&self, trials: &mut [ConjunctiveTrial]) -> Vec<f64> {
        let weights = self.weights(&trials.iter().collect::<Vec<_>>());
        for trial in trials.iter_mut() {
            trial.predicted = trial.predicted.max(trial.bound(&weights));
        }
        weights
    }

    fn is_within(&self, trial: &ConjunctiveTrial) -> bool {
        match self.kind {
            Some(kind) => trial.kind == kind,
            None => trial.classes.iter().any(|&(class, _)| self.known[class] > 0.0),
        }
    }

    /// The resource that explains the mixtures best.
    fn weights(&self, trials: &[&ConjunctiveTrial]) -> Vec<f64> {
        let mut weights = self.known.to_vec();
        let is_open = |trial: &&&ConjunctiveTrial| self.is_within(trial) && trial.is_unexplained();
        let mut fitted: Vec<&ConjunctiveTrial> = trials.iter().filter(is_open).copied().collect();
        for _ in 0..TURNS {
            if fitted.len() < FEWEST {
                return self.known.to_vec();
            }
            descend(&mut weights, &fitted, (self.known, self.limits));
            let takes_part = |trial: &&&ConjunctiveTrial| {
                let bound = trial.bound(&weights);
                let is_near = is_open(trial) && bound > trial.predicted * NEAR;
                is_near || bound > trial.predicted.max(trial.cycles) * (1.0 + TOO_SLOW)
            };
            let next: Vec<&ConjunctiveTrial> = trials.iter().filter(takes_part).copied().collect();
            let is_same = next.len() == fitted.len()
                && next.iter().zip(&fitted).all(|(a, b)| std::ptr::eq(*a, *b));
            if is_same {
                break;
            }
            fitted = next;
        }
        for (weight, limit) in weights.iter_mut().zip(self.limits) {
            if *weight < limit * NOTHING {
                *weight = 0.0;
            }
        }
        weights
    }
}

/// Coordinate descent to the least squares of `bound / cycles - 1`, each weight between what is known and its
/// limit.
fn descend(weights: &mut [f64], trials: &[&ConjunctiveTrial], (known, limits): (&[f64], &[f64])) {
    let mut of_class: Vec<Vec<(usize, f64)>> = vec![Vec::new(); weights.len()];
    for (number, trial) in trials.iter().enumerate() {
        for &(class, times) in &trial.classes {
            of_class[class].push((number, times / trial.cycles));
        }
    }
    let mut missing: Vec<f64> =
        trials.iter().map(|trial| 1.0 - trial.bound(weights) / trial.cycles).collect();
    for _ in 0..SWEEPS {
        for (class, own) in of_class.iter().enumerate().filter(|(_, own)| !own.is_empty()) {
            let square: f64 = own.iter().map(|(_, share)| share * share).sum();
            let slope: f64 = own.iter().map(|&(number, share)| share * missing[number]).sum();
            let before = weights[class];
            let best = (slope + square * before) / (square + RIDGE * RIDGE);
            weights[class] = best.clamp(known[class], limits[class].max(known[class]));
            let change = weights[class] - before;
            own.iter().for_each(|&(number, share)| missing[number] -= share * change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Mixtures of four classes that a sixth of a cycle by ports explains.
    fn trials(truth: Option<&[f64]>) -> Vec<ConjunctiveTrial> {
        let mut random = Random::new(1);
        let trial = |random: &mut Random| {
            let classes: Vec<(usize, f64)> =
                (0..4).map(|class| (class, random.below(4) as f64)).collect();
            let predicted = (classes.iter().map(|(_, n)| n).sum::<f64>() / 6.0).max(0.1);
            let bound = truth.map_or(0.0, |truth| {
                classes.iter().map(|&(class, times)| truth[class] * times).sum::<f64>()
            });
            ConjunctiveTrial { classes, predicted, cycles: predicted.max(bound), kind: 0 }
        };
        (0..120).map(|_| trial(&mut random)).collect()
    }

    #[test]
    fn a_resource_comes_back() {
        let truth = [0.1667, 0.21, 0.2, 0.0];
        let limits = [0.1667, 0.22, 0.3333, 0.1667];
        let mut all = trials(Some(&truth));
        let found = conjunctive_resources(&mut all, &limits, &[]);
        assert_eq!(found.len(), 1, "{found:?}");
        for (class, limit) in limits.iter().enumerate() {
            assert!(found[0][class] <= limit + 1e-9);
        }
        let error: f64 = all.iter().map(|it| (it.predicted / it.cycles - 1.0).abs()).sum();
        assert!(error / (all.len() as f64) < 0.01, "{error}: {found:?}");
    }

    #[test]
    fn more_classes_turn_out_to_hold_what_one_is_known_to_hold() {
        let truth = [0.1667, 0.21, 0.2, 0.0];
        let mut all = trials(Some(&truth));
        let found = conjunctive_resources(
            &mut all,
            &[0.1667, 0.22, 0.3333, 0.1667],
            &[vec![0.0, 0.21, 0.0, 0.0]],
        );
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0][0] > 0.1 && found[0][2] > 0.1 && found[0][1] >= 0.21, "{found:?}");
    }

    #[test]
    fn what_ports_explain_needs_no_resource() {
        assert!(conjunctive_resources(&mut trials(None), &[1.0; 4], &[]).is_empty());
    }

    #[test]
    fn noise_is_no_resource() {
        let mut random = Random::new(2);
        let mut all = trials(None);
        for trial in &mut all {
            trial.cycles *= 1.0 + random.below(100) as f64 / 1000.0 - 0.05;
        }
        assert!(conjunctive_resources(&mut all, &[0.3; 4], &[]).is_empty());
    }
}
