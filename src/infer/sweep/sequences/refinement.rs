//! Keys as fine as the loops need them.

use std::collections::BTreeSet;

use super::fitting::{Costs, Fit, Observation};
use super::keys::Keys;
use super::parameters::{Columns, SequenceTerms};
use super::{HELD_OUT, LoopInstruction};
use crate::random;

/// A key may be split if the mean difference of the loops with some of its instructions is so many of its
/// standard errors.
const SIGNIFICANT: f64 = 3.0;

/// A split must make loops with the key that were not fitted this much better, as a share of their mean
/// difference.
const WORTH: f64 = 0.05;

/// The loops that decide on splits are the same in all runs.
const SEED: u64 = 6;

/// Splits keys, beginning with the coarsest, as long as that makes loops better that were held out.
///
/// Candidates are keys of which some instructions take longer or less long than the model says (the
/// mean of residuals against its standard error); the most significant one is tried first. A split that did not
/// pay is tried again after another one did. Where one kind more does not pay, two may.
pub(super) fn refine(
    instructions: &[LoopInstruction],
    observations: &[Observation],
    terms: SequenceTerms,
) -> (Keys, Costs) {
    let refinement = Refinement::new(instructions, observations, terms);
    let mut keys = Keys::coarsest(instructions);
    let mut costs = refinement.fit(&keys, None);
    let mut refused: BTreeSet<usize> = BTreeSet::new();
    while let Some((key, splits)) = refinement.candidate(&keys, &costs, &refused) {
        let error = |of: &Keys, costs: &Costs| refinement.error(|it| it.has(key, &keys), of, costs);
        let enough = error(&keys, &costs) * (1.0 - WORTH);
        let tried = splits.into_iter().map(|finer| {
            let near = costs.inherited(&finer.parents(&keys));
            let costs = refinement.fit(&finer, Some(near));
            (finer, costs)
        });
        let better = tried.into_iter().find(|(finer, costs)| error(finer, costs) < enough);
        if let Some(better) = better {
            (keys, costs) = better;
            refused.clear();
        } else {
            refused.insert(key);
        }
    }
    (keys, costs)
}

struct Refinement<'a> {
    instructions: &'a [LoopInstruction],
    learned: Vec<Observation>,
    held: Vec<Observation>,
    terms: SequenceTerms,
}

impl<'a> Refinement<'a> {
    fn new(
        instructions: &'a [LoopInstruction],
        observations: &[Observation],
        terms: SequenceTerms,
    ) -> Self {
        let numbered = observations.iter().cloned().enumerate();
        let (held, learned): (Vec<_>, Vec<_>) =
            numbered.partition(|(place, _)| random::is_chosen(*place, HELD_OUT, SEED));
        let bare = |all: Vec<(usize, Observation)>| all.into_iter().map(|it| it.1).collect();
        Self { instructions, learned: bare(learned), held: bare(held), terms }
    }

    fn fit(&self, keys: &Keys, near: Option<Costs>) -> Costs {
        let columns = Columns { keys: keys.count(), terms: self.terms };
        Fit::new(keys, &self.learned, columns, near).costs
    }

    /// The mean size of differences of some of the loops that were held out, in shares.
    fn error(&self, is_meant: impl Fn(&Observation) -> bool, keys: &Keys, costs: &Costs) -> f64 {
        let meant = self.held.iter().filter(|it| is_meant(it));
        let sizes: Vec<f64> = meant.map(|it| difference(it, keys, costs).abs()).collect();
        sizes.iter().sum::<f64>() / sizes.len().max(1) as f64
    }

    /// The key to split next, and the keys that gives, finer and finer.
    fn candidate(
        &self,
        keys: &Keys,
        costs: &Costs,
        refused: &BTreeSet<usize>,
    ) -> Option<(usize, Vec<Keys>)> {
        let open = (0..keys.count()).filter(|key| !refused.contains(key));
        let splits = open.map(|key| (key, keys.splits(key, self.instructions)));
        let splits: Vec<(usize, Vec<Keys>)> = splits.filter(|it| !it.1.is_empty()).collect();
        if splits.is_empty() {
            return None;
        }
        let differences: Vec<f64> =
            self.learned.iter().map(|it| difference(it, keys, costs)).collect();
        let judged = splits.into_iter().map(|(key, splits)| {
            let of_split = |finer| self.significance(keys, key, finer, &differences);
            (splits.iter().map(of_split).fold(0.0, f64::max), key, splits)
        });
        let most = judged.max_by(|a, b| a.0.total_cmp(&b.0))?;
        (most.0 > SIGNIFICANT).then_some((most.1, most.2))
    }

    /// The greatest of the mean differences of loops with instructions of one of the keys that a key is split
    /// into, in standard errors.
    fn significance(&self, keys: &Keys, key: usize, finer: &Keys, differences: &[f64]) -> f64 {
        let mut sums = vec![Sums::default(); finer.count()];
        for (it, &difference) in self.learned.iter().zip(differences) {
            let of_key = it.of.places.iter().filter(|&&place| keys.of(place) == key);
            let children: BTreeSet<usize> = of_key.map(|&place| finer.of(place)).collect();
            children.into_iter().for_each(|child| sums[child].add(difference));
        }
        sums.iter().map(Sums::standard_errors).fold(0.0, f64::max)
    }
}

/// How much a loop took more than a model says, as a share.
fn difference(it: &Observation, keys: &Keys, costs: &Costs) -> f64 {
    1.0 - costs.simulate(&it.of, keys).period / it.cycles
}

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    /// How many standard errors the mean is off zero.
    fn standard_errors(&self) -> f64 {
        if self.count < 2.0 {
            return 0.0;
        }
        let mean = self.sum / self.count;
        let variance = (self.squares / self.count - mean * mean) * self.count / (self.count - 1.0);
        mean.abs() / (variance.max(f64::MIN_POSITIVE) / self.count).sqrt()
    }
}
