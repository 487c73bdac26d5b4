//! Resources that several forms hold besides ports, from mixtures that take longer than ports explain.
//!
//! **Givens.** Mixtures of classes of forms, what each took, and what it is predicted to take. **Unknown.**
//! How long an instance of each class holds a resource that only one has at a time. **Constraints.** No
//! class holds it longer than it takes by itself, so that what forms take alone stays explained. **Model.**
//! A mixture takes as long as the fullest of several weighted sums of its instances says. Most classes hold a
//! resource for as long as their micro-operations do, and those of one set of ports all as long; a class
//! that holds it longer or shorter is an exception. **Method.** Coordinate descent to the least sum of errors,
//! to which every weight and every exception adds something. A resource is looked for around a class whose
//! mixtures are slow, which holds it as long as it can: one law at a time, where a fit to all slow mixtures
//! would be a mean of several. It counts if what was fitted to one half of the mixtures predicts the other
//! half better; then all are fitted once more, each beside the others. **Source.** Derumigny et al., *PALMED:
//! Throughput Characterization for Superscalar Architectures*, CGO 2022: throughput as the largest of several
//! weighted sums.
//!
//! What such a resource is differs. On a Zen 1 moves from vector to general registers collide with results of
//! adders: one and one, two and four additions take 1.2, 1.33 and 1.55 cycles, though all ports are free at
//! times; that is nearly a resource which the move holds for a cycle and an addition for a sixth of one.

use rayon::prelude::*;

use super::model::MicroOps;
use super::set::Ports;

/// A mixture that was timed.
#[derive(Debug, Clone, PartialEq)]
pub struct ConjunctiveTrial {
    /// Classes and how many instances.
    pub classes: Vec<(usize, f64)>,
    /// Cycles that it is predicted to take.
    pub predicted: f64,
    /// ... and took.
    pub cycles: f64,
}

/// Forms that are used alike.
#[derive(Debug, Clone, PartialEq)]
pub struct ConjunctiveClass {
    /// What an instance takes by itself, in cycles.
    pub limit: f64,
    /// Where its micro-operations go.
    pub micro_ops: Vec<MicroOps>,
}

/// A resource that several forms hold.
#[derive(Debug, Clone, PartialEq)]
pub struct ConjunctiveResource {
    /// The class around which it was found: most of its mixtures are slow because of it.
    pub around: usize,
    /// How many cycles an instance of every class holds it.
    pub cycles: Vec<f64>,
}

/// What is faster than predicted by less than this share is explained.
const EXPLAINED: f64 = 0.03;
/// Beyond this an error is something else's: it counts no more.
const MOST_ERROR: f64 = 0.3;
/// What a weight of a set of ports must be worth, in errors of mixtures,
const WORTH_OF_KIND: f64 = 0.1;
/// ... and a class that is an exception,
const WORTH_OF_EXCEPTION: f64 = 0.3;
/// ... and a resource, in those of mixtures that it was not fitted to.
const WORTH: f64 = 1.0;
/// Resources at most.
const MOST: usize = 8;
/// Slow mixtures that a class must be in for a resource to be looked for around it.
const FEWEST: usize = 10;
/// Classes around which one is looked for, at most.
const MOST_SEEDS: usize = 24;
/// Weights that are tried: so many equal steps from none to the limit.
const STEPS: usize = 16;
/// Passes over all weights while a resource is looked for, when it is found, and beside others.
const SWEEPS_OF_SEARCH: usize = 2;
const SWEEPS: usize = 8;
const SWEEPS_BESIDE: usize = 3;
/// How often all resources are fitted beside the others.
const TURNS: usize = 2;

/// Resources that explain some mixtures, those that explain most first.
#[must_use]
pub fn conjunctive_resources(
    trials: &[ConjunctiveTrial],
    classes: &[ConjunctiveClass],
) -> Vec<ConjunctiveResource> {
    let search = ResourceSearch::new(trials, classes);
    let mut found: Vec<Resource> = Vec::new();
    let mut seeds_left: Vec<bool> = vec![true; classes.len()];
    while found.len() < MOST {
        let base = search.base(&found, None);
        let seeds: Vec<usize> =
            search.seeds(&base).into_iter().filter(|&seed| seeds_left[seed]).collect();
        let rated = seeds.par_iter().map(|&seed| (search.foreseen_gain(seed, &base), seed));
        let rated: Vec<(f64, usize)> = rated.collect();
        let better = |a: &&(f64, usize), b: &&(f64, usize)| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1));
        let best = rated.iter().max_by(better).filter(|(gain, _)| *gain > WORTH);
        let Some(&(_, seed)) = best else { break };
        seeds_left[seed] = false;
        let mut resource = Resource::around(seed, classes, search.kinds.len());
        search.descend(&mut resource, &base, &|_| true, SWEEPS);
        if search.gain(&resource, &base, &|_| true) <= WORTH {
            continue;
        }
        found.push(resource);
        search.settle(&mut found);
    }
    found.into_iter().map(Resource::into_result).collect()
}

/// Micro-operations that go to one set of ports.
struct PortKind {
    /// The longest that one may hold a resource: as long as a port of the set, on average.
    limit: f64,
    /// Classes that have some.
    classes: Vec<usize>,
    /// Mixtures of those, with how many instances of them, by their places in `classes`.
    trials: Vec<(usize, Vec<(usize, f64)>)>,
}

/// How long classes hold a resource.
struct Resource {
    /// The class around which it was looked for.
    seed: usize,
    /// ... each micro-operation of a kind.
    of_kinds: Vec<f64>,
    /// Classes that hold it longer or shorter than their micro-operations.
    exceptions: Vec<bool>,
    /// ... each class.
    weights: Vec<f64>,
}

impl Resource {
    /// Which one class holds as long as it can, and nothing else.
    fn around(seed: usize, classes: &[ConjunctiveClass], kinds: usize) -> Self {
        let mut exceptions = vec![false; classes.len()];
        let mut weights = vec![0.0; classes.len()];
        (exceptions[seed], weights[seed]) = (true, classes[seed].limit);
        Self { seed, of_kinds: vec![0.0; kinds], exceptions, weights }
    }

    fn into_result(self) -> ConjunctiveResource {
        ConjunctiveResource { around: self.seed, cycles: self.weights }
    }

    /// How long a mixture takes because of it.
    fn bound(&self, trial: &ConjunctiveTrial) -> f64 {
        trial.classes.iter().map(|&(class, times)| self.weights[class] * times).sum()
    }
}

/// Of which mixtures it is, by their numbers.
type Among<'a> = &'a (dyn Fn(usize) -> bool + Sync);

/// What all resources are looked for in.
struct ResourceSearch<'a> {
    trials: &'a [ConjunctiveTrial],
    classes: &'a [ConjunctiveClass],
    kinds: Vec<PortKind>,
    /// The kinds of each class's micro-operations, and how many of those.
    kinds_of: Vec<Vec<(usize, f64)>>,
    /// The mixtures of each class, and how many instances they hold.
    trials_of: Vec<Vec<(usize, f64)>>,
}

impl<'a> ResourceSearch<'a> {
    fn new(trials: &'a [ConjunctiveTrial], classes: &'a [ConjunctiveClass]) -> Self {
        let mut sets: Vec<Ports> = Vec::new();
        let mut kinds_of = Vec::with_capacity(classes.len());
        for class in classes {
            let mut own: Vec<(usize, f64)> = Vec::new();
            for &(count, ports) in
                class.micro_ops.iter().filter(|(count, ports)| *count > 0 && !ports.is_empty())
            {
                let kind = sets.iter().position(|&set| set == ports).unwrap_or_else(|| {
                    sets.push(ports);
                    sets.len() - 1
                });
                own.push((kind, count.into()));
            }
            kinds_of.push(own);
        }
        let mut trials_of: Vec<Vec<(usize, f64)>> = vec![Vec::new(); classes.len()];
        for (number, trial) in trials.iter().enumerate() {
            for &(class, times) in &trial.classes {
                trials_of[class].push((number, times));
            }
        }
        let kind = |(kind, set): (usize, &Ports)| {
            let has_some = |class: &usize| kinds_of[*class].iter().any(|(own, _)| *own == kind);
            let classes: Vec<usize> = (0..classes.len()).filter(has_some).collect();
            let place = |class: usize| classes.iter().position(|own| *own == class);
            let of_trial = |(number, trial): (usize, &ConjunctiveTrial)| {
                let own = trial.classes.iter();
                let own: Vec<(usize, f64)> =
                    own.filter_map(|&(class, times)| Some((place(class)?, times))).collect();
                (!own.is_empty()).then_some((number, own))
            };
            let trials = trials.iter().enumerate().filter_map(of_trial).collect();
            PortKind { limit: 1.0 / f64::from(set.count()), classes, trials }
        };
        let kinds = sets.iter().enumerate().map(kind).collect();
        Self { trials, classes, kinds, kinds_of, trials_of }
    }

    /// What mixtures are predicted to take with some resources, one of which may be left out.
    fn base(&self, found: &[Resource], left_out: Option<usize>) -> Vec<f64> {
        let others = || (0..found.len()).filter(|&at| Some(at) != left_out);
        let of_trial = |trial: &ConjunctiveTrial| {
            others().map(|at| found[at].bound(trial)).fold(trial.predicted, f64::max)
        };
        self.trials.iter().map(of_trial).collect()
    }

    /// Classes whose mixtures take longer than predicted, those of the largest errors first.
    fn seeds(&self, base: &[f64]) -> Vec<usize> {
        let slow = |class: usize| {
            let own = self.trials_of[class].iter();
            let of_one =
                |&(number, _): &(usize, f64)| 1.0 - base[number] / self.trials[number].cycles;
            own.map(of_one).filter(|error| *error > EXPLAINED).collect::<Vec<f64>>()
        };
        let rated = (0..self.classes.len()).map(|class| (slow(class), class));
        let mut rated: Vec<(f64, usize)> = rated
            .filter(|(slow, _)| slow.len() >= FEWEST)
            .map(|(slow, class)| (slow.iter().sum(), class))
            .collect();
        rated.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        rated.truncate(MOST_SEEDS);
        rated.into_iter().map(|(_, class)| class).collect()
    }

    /// By how much a resource around a class, fitted to each half of the mixtures, lowers the errors of the
    /// other half.
    fn foreseen_gain(&self, seed: usize, base: &[f64]) -> f64 {
        let of_half = |half: usize| {
            let mut resource = Resource::around(seed, self.classes, self.kinds.len());
            let fitted = move |number: usize| number % 2 == half;
            self.descend(&mut resource, base, &fitted, SWEEPS_OF_SEARCH);
            self.gain(&resource, base, &move |number| number % 2 != half)
        };
        of_half(0) + of_half(1)
    }

    /// By how much a resource lowers the errors of some mixtures.
    fn gain(&self, resource: &Resource, base: &[f64], among: Among<'_>) -> f64 {
        let numbers = (0..self.trials.len()).filter(|&number| among(number));
        let of_one = |number: usize| {
            let trial = &self.trials[number];
            let with = base[number].max(resource.bound(trial));
            error(base[number], trial.cycles) - error(with, trial.cycles)
        };
        numbers.map(of_one).sum()
    }

    /// Fits each resource beside the others, and forgets those that are worth nothing then.
    fn settle(&self, found: &mut Vec<Resource>) {
        for _ in 0..TURNS {
            for at in 0..found.len() {
                let base = self.base(found, Some(at));
                self.descend(&mut found[at], &base, &|_| true, SWEEPS_BESIDE);
            }
        }
        for at in (0..found.len()).rev() {
            let base = self.base(found, Some(at));
            if self.gain(&found[at], &base, &|_| true) <= WORTH {
                found.remove(at);
            }
        }
    }

    /// Changes one weight after the other to what explains some mixtures best, in so many passes at most.
    fn descend(&self, resource: &mut Resource, base: &[f64], among: Among<'_>, sweeps: usize) {
        let mut bounds: Vec<f64> = self.trials.iter().map(|trial| resource.bound(trial)).collect();
        for _ in 0..sweeps {
            let kinds = (0..self.kinds.len())
                .filter(|&kind| self.change_kind(kind, resource, &mut bounds, (base, among)))
                .count();
            let classes = (0..self.classes.len())
                .filter(|&class| self.change_class(class, resource, &mut bounds, (base, among)))
                .count();
            if kinds + classes == 0 {
                break;
            }
        }
    }

    /// How long a class holds a resource that is no exception.
    fn as_a_rule(&self, class: usize, of_kinds: &[f64]) -> f64 {
        let own = self.kinds_of[class].iter();
        let sum: f64 = own.map(|&(kind, count)| count * of_kinds[kind]).sum();
        sum.min(self.classes[class].limit)
    }

    /// Gives micro-operations of a kind their best weight. Whether that is another one.
    fn change_kind(
        &self,
        number: usize,
        resource: &mut Resource,
        bounds: &mut [f64],
        (base, among): (&[f64], Among<'_>),
    ) -> bool {
        let kind = &self.kinds[number];
        let before = resource.of_kinds[number];
        let mut changes = vec![[0.0; STEPS + 1]; kind.classes.len()];
        for step in 0..=STEPS {
            resource.of_kinds[number] = weight(step, kind.limit);
            for (changes, &class) in changes.iter_mut().zip(&kind.classes) {
                if !resource.exceptions[class] {
                    changes[step] =
                        self.as_a_rule(class, &resource.of_kinds) - resource.weights[class];
                }
            }
        }
        let mut costs = [WORTH_OF_KIND; STEPS + 1];
        costs[0] = 0.0;
        for (trial, own) in kind.trials.iter().filter(|(trial, _)| among(*trial)) {
            for (step, cost) in costs.iter_mut().enumerate() {
                let change: f64 = own.iter().map(|&(at, times)| times * changes[at][step]).sum();
                let predicted = base[*trial].max(bounds[*trial] + change);
                *cost += error(predicted, self.trials[*trial].cycles);
            }
        }
        let best = least(&costs);
        resource.of_kinds[number] = weight(best, kind.limit);
        for &class in &kind.classes {
            if !resource.exceptions[class] {
                let weight = self.as_a_rule(class, &resource.of_kinds);
                self.hold(class, weight, resource, bounds);
            }
        }
        resource.of_kinds[number] != before
    }

    /// Gives a class its best weight. Whether that is another one.
    fn change_class(
        &self,
        class: usize,
        resource: &mut Resource,
        bounds: &mut [f64],
        (base, among): (&[f64], Among<'_>),
    ) -> bool {
        let own = &self.trials_of[class];
        let before = resource.weights[class];
        // As a rule, and each exception.
        let mut weights = [self.as_a_rule(class, &resource.of_kinds); STEPS + 2];
        let mut costs = [WORTH_OF_EXCEPTION; STEPS + 2];
        costs[0] = 0.0;
        for step in 0..=STEPS {
            weights[step + 1] = weight(step, self.classes[class].limit);
        }
        for &(trial, times) in own.iter().filter(|(trial, _)| among(*trial)) {
            let others = bounds[trial] - times * before;
            for (cost, weight) in costs.iter_mut().zip(&weights) {
                let predicted = base[trial].max(others + times * weight);
                *cost += error(predicted, self.trials[trial].cycles);
            }
        }
        let best = least(&costs);
        resource.exceptions[class] = best > 0;
        self.hold(class, weights[best], resource, bounds);
        resource.weights[class] != before
    }

    /// Lets a class hold a resource for so long.
    fn hold(&self, class: usize, weight: f64, resource: &mut Resource, bounds: &mut [f64]) {
        let change = weight - std::mem::replace(&mut resource.weights[class], weight);
        if change != 0.0 {
            self.trials_of[class]
                .iter()
                .for_each(|&(trial, times)| bounds[trial] += times * change);
        }
    }
}

/// A step from no weight to a limit.
fn weight(step: usize, limit: f64) -> f64 {
    limit * step as f64 / STEPS as f64
}

/// How far a prediction is off, as a share.
fn error(predicted: f64, cycles: f64) -> f64 {
    (predicted / cycles - 1.0).abs().min(MOST_ERROR)
}

/// The place of the least cost: of equal ones the first.
fn least(costs: &[f64]) -> usize {
    /// Sums that differ by no more are equal.
    const EQUAL: f64 = 1e-9;
    (1..costs.len()).fold(0, |best, at| if costs[at] < costs[best] - EQUAL { at } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Four classes, two of which go to the same ports.
    fn classes() -> Vec<ConjunctiveClass> {
        let class = |limit: f64, ports: &[u32]| ConjunctiveClass {
            limit,
            micro_ops: vec![(1, Ports::of(ports.iter().copied()))],
        };
        vec![class(0.25, &[0, 1, 2, 3]), class(1.0, &[4]), class(1.0, &[4]), class(0.5, &[5, 6])]
    }

    /// Mixtures of these that take what their ports say, or what some weights say if that is longer.
    fn trials(truth: &[[f64; 4]]) -> Vec<ConjunctiveTrial> {
        let mut random = Random::new(1);
        let trial = |random: &mut Random| {
            let classes: Vec<(usize, f64)> =
                (0..4).map(|class| (class, random.below(4) as f64)).collect();
            let of = |class: usize| classes[class].1;
            let ports = [of(0) / 4.0, of(1) + of(2), of(3) / 2.0, 0.1];
            let predicted = ports.into_iter().fold(0.0, f64::max);
            let bound = |weights: &[f64; 4]| {
                classes.iter().map(|&(class, times)| weights[class] * times).sum::<f64>()
            };
            let cycles = truth.iter().map(bound).fold(predicted, f64::max);
            ConjunctiveTrial { classes, predicted, cycles }
        };
        (0..400).map(|_| trial(&mut random)).collect()
    }

    fn mean_error(trials: &[ConjunctiveTrial], found: &[ConjunctiveResource]) -> f64 {
        let bound = |trial: &ConjunctiveTrial, found: &ConjunctiveResource| {
            trial.classes.iter().map(|&(class, times)| found.cycles[class] * times).sum::<f64>()
        };
        let of_one = |trial: &ConjunctiveTrial| {
            let bounds = found.iter().map(|resource| bound(trial, resource));
            error(bounds.fold(trial.predicted, f64::max), trial.cycles)
        };
        trials.iter().map(of_one).sum::<f64>() / trials.len() as f64
    }

    #[test]
    fn what_two_classes_hold_between_them_comes_back() {
        // A move that collides with additions, and another form of its port that does not.
        let all = trials(&[[0.1719, 1.0, 0.0, 0.0]]);
        let found = conjunctive_resources(&all, &classes());
        let [ConjunctiveResource { around: 1, cycles }] = &found[..] else { panic!("{found:?}") };
        assert!((cycles[0] - 0.1719).abs() < 0.02 && cycles[1] > 0.9, "{cycles:?}");
        assert!(cycles[2] < 0.1 && cycles[3] < 0.1, "{cycles:?}");
        assert!(mean_error(&all, &[]) > 0.02 && mean_error(&all, &found) < 0.005, "{found:?}");
    }

    #[test]
    fn two_laws_are_two_resources() {
        let all = trials(&[[0.1719, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.375]]);
        let found = conjunctive_resources(&all, &classes());
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(mean_error(&all, &found) < 0.01, "{found:?}");
    }

    #[test]
    fn no_class_holds_a_resource_longer_than_it_takes() {
        let found = conjunctive_resources(&trials(&[[0.28, 1.1, 1.1, 0.55]]), &classes());
        assert!(!found.is_empty());
        for (class, weight) in found.iter().flat_map(|it| classes().into_iter().zip(&it.cycles)) {
            assert!((0.0..=class.limit).contains(weight), "{weight} of {}", class.limit);
        }
    }

    #[test]
    fn what_ports_explain_needs_no_resource() {
        assert!(conjunctive_resources(&trials(&[]), &classes()).is_empty());
    }

    #[test]
    fn noise_is_no_resource() {
        let mut random = Random::new(2);
        let mut all = trials(&[]);
        for trial in &mut all {
            trial.cycles *= 1.0 + random.below(100) as f64 / 1000.0 - 0.05;
        }
        assert!(conjunctive_resources(&all, &classes()).is_empty());
    }
}
