//! From cycles by instructions in a state to what entering and leaving it costs.

use std::fmt;

use super::{Measured, bic, line, mean_square};
use crate::units::Cycles;

/// How a transition and the instructions beside it add up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TransitionModel {
    /// `a + b n`: the core waits at the transition.
    Additive {
        /// What the transition takes.
        cost: f64,
        /// What each instruction takes besides.
        each: f64,
    },
    /// `max(a, b n + c)`: the transition runs beside the instructions.
    Overlapping {
        /// What the transition takes where little stands beside it.
        cost: f64,
        /// What each instruction takes.
        each: f64,
        /// What the transition adds to many instructions.
        beside: f64,
    },
}

/// What entering and leaving a state costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TransitionCost {
    /// The model that fits better.
    pub model: TransitionModel,
    /// The root of the mean square of relative differences.
    pub residual: f64,
}

type Point = (f64, f64);

impl TransitionCost {
    /// Fits both models to cycles of a round by the number of instructions in it, and chooses the one with
    /// the smaller Bayesian information criterion. None of fewer than four points.
    #[must_use]
    pub fn fit(points: &[(u32, Measured)]) -> Option<Self> {
        let mut points: Vec<Point> =
            points.iter().map(|(count, it)| (f64::from(*count), it.cycles)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        if points.len() < 4 {
            return None;
        }
        let additive = line(&points).map(|(cost, each)| TransitionModel::Additive { cost, each });
        // (One point alone is always flat.)
        let overlapping = (2..points.len() - 1).filter_map(|place| overlapping(&points, place));
        let judged = additive.into_iter().chain(overlapping).map(|model| {
            let square = mean_square(points.iter().map(|&(n, cycles)| (cycles, model.at(n))));
            // Where the one begins to outlast the other is chosen, too.
            let chosen = usize::from(matches!(model, TransitionModel::Overlapping { .. }));
            let criterion = bic(square, points.len(), model.parameters().len() + chosen);
            (criterion, Self { model, residual: square.sqrt() })
        });
        judged.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, cost)| cost)
    }

    /// The parameters by name.
    #[must_use]
    pub fn parameters(&self) -> Vec<(&'static str, f64)> {
        self.model.parameters()
    }
}

/// The model where the first `place` points take as long as the transition, and the others are on a line.
fn overlapping(points: &[Point], place: usize) -> Option<TransitionModel> {
    let (flat, rising) = points.split_at(place);
    let (beside, each) = line(rising)?;
    let cost = flat.iter().map(|point| point.1).sum::<f64>() / flat.len() as f64;
    (each > 0.0).then_some(TransitionModel::Overlapping { cost, each, beside })
}

impl TransitionModel {
    fn at(self, n: f64) -> f64 {
        match self {
            Self::Additive { cost, each } => cost + each * n,
            Self::Overlapping { cost, each, beside } => cost.max(each * n + beside),
        }
    }

    fn parameters(self) -> Vec<(&'static str, f64)> {
        match self {
            Self::Additive { cost, each } => vec![("cost", cost), ("each", each)],
            Self::Overlapping { cost, each, beside } => {
                vec![("cost", cost), ("each", each), ("beside", beside)]
            }
        }
    }
}

impl fmt::Display for TransitionCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.model {
            TransitionModel::Additive { cost, each } => {
                let (cost, each) = (Cycles(cost), Cycles(each));
                write!(f, "additive: {cost} + {each} n cycles")
            }
            TransitionModel::Overlapping { cost, each, beside } => {
                let (cost, each, beside) = (Cycles(cost), Cycles(each), Cycles(beside));
                write!(f, "overlapping: max({cost}, {each} n + {beside}) cycles")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COUNTS: [u32; 12] = [0, 1, 2, 4, 6, 8, 12, 16, 24, 32, 64, 128];

    fn points(model: TransitionModel, noise: &[f64]) -> Vec<(u32, Measured)> {
        let counts = COUNTS.iter().zip(noise.iter().cycle());
        counts
            .map(|(&count, noise)| {
                let cycles = model.at(f64::from(count)) * (1.0 + noise);
                (count, Measured { cycles, uncertainty: 0.01 })
            })
            .collect()
    }

    proptest! {
        #[test]
        fn what_was_put_in_comes_out(
            noise in proptest::collection::vec(-0.003f64..0.003, 12),
            // (Some points lie on either side of where the instructions outlast the transition.)
            cost in 8.0f64..18.0,
            each in 0.5f64..2.0,
            beside in 0.0f64..2.0,
        ) {
            let additive = TransitionModel::Additive { cost, each };
            let overlapping = TransitionModel::Overlapping { cost, each, beside };
            for model in [additive, overlapping] {
                let fit = TransitionCost::fit(&points(model, &noise)).unwrap();
                let (found, put) = (fit.model.parameters(), model.parameters());
                prop_assert_eq!(found.len(), put.len(), "{} of {:?}", fit, model);
                for ((_, found), (name, put)) in found.iter().zip(put).filter(|it| it.1.0 != "beside") {
                    prop_assert!((found / put - 1.0).abs() < 0.02, "{} of {:?}: {}", fit, model, name);
                }
            }
        }
    }

    #[test]
    fn it_is_said_in_a_line() {
        let model = TransitionModel::Overlapping { cost: 20.0, each: 0.5, beside: 1.0 };
        let fit = TransitionCost::fit(&points(model, &[0.0])).unwrap();
        assert_eq!(fit.to_string(), "overlapping: max(20.00, 0.50 n + 1.00) cycles");
    }
}
