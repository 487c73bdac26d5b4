//! A model of what loops take, fitted to some.

use std::fmt;

use super::fitting::{Costs, Fit, Observation, TracedLoop};
use super::keys::Keys;
use super::parameters::{CostColumn, SequenceCost, SequenceParameter, SequenceTerms};
use super::refinement::refine;
use super::{CanonicalLoop, LoopInstruction, MeasuredSequence};
use crate::units::Cycles;

/// Loops that no model can be fitted to.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SequenceError {
    /// There are none.
    #[error("no loop was measured: a model needs some")]
    NoLoops,
    /// A loop has an instruction that is not in the list.
    #[error("loop {of} has an instruction that is not among the {instructions} that it is made of")]
    UnknownInstruction {
        /// Which loop.
        of: CanonicalLoop,
        /// How many instructions there are.
        instructions: usize,
    },
    /// An instruction is of no kind.
    #[error("instruction {0} is of no kind: say at least one")]
    NoKind(usize),
    /// What a loop took is no time.
    #[error("loop {of} took {cycles} cycles: leave out what could not be measured")]
    NoTime {
        /// Which loop.
        of: CanonicalLoop,
        /// What it took.
        cycles: f64,
    },
}

/// What instructions cost beside each other, by keys.
#[derive(Debug, Clone, PartialEq)]
pub struct SequenceModel {
    instructions: Vec<LoopInstruction>,
    keys: Keys,
    costs: Costs,
    parameters: Vec<SequenceParameter>,
    residual: f64,
}

impl SequenceModel {
    /// Fits the costs of some terms to loops of instructions from a list.
    ///
    /// Keys begin with the first kind of each instruction and are split where that makes loops better which
    /// were not fitted. Differences count in shares of what loops took.
    ///
    /// # Errors
    /// Where loops, instructions or times are missing.
    pub fn fit(
        instructions: &[LoopInstruction],
        loops: &[MeasuredSequence],
        terms: SequenceTerms,
    ) -> Result<Self, SequenceError> {
        check(instructions, loops)?;
        let observations: Vec<Observation> =
            loops.iter().map(|it| Observation::new(it, instructions)).collect();
        let (keys, near) = refine(instructions, &observations, terms);
        let fit = Fit::new(&keys, &observations, near.columns, Some(near));
        let parameters = parameters(&fit, &keys, &observations);
        let (instructions, residual) = (instructions.to_vec(), fit.residual());
        Ok(Self { instructions, keys, costs: fit.costs, parameters, residual })
    }

    /// Cycles of a round of a loop; none of a loop with instructions that are not in the model's list.
    #[must_use]
    pub fn predict(&self, of: &CanonicalLoop) -> Option<f64> {
        let is_known = of.instructions().iter().all(|&it| it < self.instructions.len());
        is_known.then(|| {
            self.costs.simulate(&TracedLoop::new(of, &self.instructions), &self.keys).period
        })
    }

    /// The costs on which any of the loops depends.
    #[must_use]
    pub fn parameters(&self) -> &[SequenceParameter] {
        &self.parameters
    }

    /// The name of the key of an instruction, by its place in the list; instructions of one key share costs.
    #[must_use]
    pub fn key(&self, instruction: usize) -> Option<String> {
        (instruction < self.instructions.len()).then(|| self.keys.name(self.keys.of(instruction)))
    }

    /// The root of the mean square of relative differences of the loops that were fitted.
    #[must_use]
    pub fn residual(&self) -> f64 {
        self.residual
    }
}

fn check(
    instructions: &[LoopInstruction],
    loops: &[MeasuredSequence],
) -> Result<(), SequenceError> {
    if loops.is_empty() {
        return Err(SequenceError::NoLoops);
    }
    if let Some(place) = instructions.iter().position(|it| it.kinds.is_empty()) {
        return Err(SequenceError::NoKind(place));
    }
    for it in loops {
        let (of, cycles) = (it.instructions.clone(), it.measured.cycles);
        if of.instructions().iter().any(|&place| place >= instructions.len()) {
            return Err(SequenceError::UnknownInstruction { of, instructions: instructions.len() });
        }
        if !(cycles.is_finite() && cycles > 0.0) {
            return Err(SequenceError::NoTime { of, cycles });
        }
    }
    Ok(())
}

/// The costs with their names, without those of terms that the model does not have.
fn parameters(fit: &Fit, keys: &Keys, observations: &[Observation]) -> Vec<SequenceParameter> {
    let columns = fit.costs.columns;
    let determined = fit.determined(observations);
    let uncertainties = fit.uncertainties(observations);
    let parameter = |column| {
        let place = columns.place(column)?;
        let cost = match column {
            CostColumn::Base(key) => SequenceCost::Base(keys.name(key)),
            CostColumn::Full(key) => SequenceCost::Full(keys.name(key)),
            CostColumn::Switch(one, other) => {
                SequenceCost::Switch(keys.name(one), keys.name(other))
            }
        };
        Some(SequenceParameter {
            cost,
            cycles: fit.costs.values[place],
            uncertainty: uncertainties[place],
            is_identified: determined[place],
        })
    };
    columns.all().filter_map(parameter).collect()
}

impl fmt::Display for SequenceCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Base(key) => write!(f, "issuing {key}"),
            Self::Full(key) => write!(f, "waiting for {key}"),
            Self::Switch(one, other) => write!(f, "switching between {one} and {other}"),
        }
    }
}

impl fmt::Display for SequenceModel {
    /// The number of keys, and the greatest cost of each term that is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (keys, instructions) = (self.keys.count(), self.instructions.len());
        write!(f, "{keys} keys of {instructions} instructions")?;
        let of_term = |holds: fn(&SequenceCost) -> bool| {
            let known = self.parameters.iter().filter(|it| it.is_identified && holds(&it.cost));
            known.max_by(|a, b| a.cycles.total_cmp(&b.cycles))
        };
        let terms: [fn(&SequenceCost) -> bool; 3] = [
            |it| matches!(it, SequenceCost::Base(_)),
            |it| matches!(it, SequenceCost::Switch(..)),
            |it| matches!(it, SequenceCost::Full(_)),
        ];
        let greatest: Vec<String> = terms
            .into_iter()
            .filter_map(of_term)
            .map(|it| format!("{} for {}", Cycles(it.cycles), it.cost))
            .collect();
        if !greatest.is_empty() {
            write!(f, "; at most, in cycles: {}", greatest.join(", "))?;
        }
        write!(f, "; {:.2} % off", 100.0 * self.residual)
    }
}
