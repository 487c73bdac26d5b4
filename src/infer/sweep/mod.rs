//! What follows from tables over grids: models of few parameters, fitted to measured points.
//!
//! All of them weigh differences by the points themselves, in shares, since a grid spans orders of
//! magnitude; and all choose among models by the Bayesian information criterion, so that a parameter more must pay for itself.

mod accumulators;
mod bandwidth;
mod registers;
mod sequences;
mod threads;
mod transition;

pub use accumulators::Saturation;
pub use bandwidth::{CapacityEdge, MemoryLevel, MemoryLevels};
pub use registers::{ConflictClass, RegisterConflict};
pub use sequences::{
    CanonicalLoop, LoopInstruction, MeasuredSequence, PredictionErrors, RegisterAccess,
    SequenceCost, SequenceError, SequenceModel, SequenceParameter, SequenceTerms, TABLE_6_2,
    hold_out,
};
pub use threads::{Scaling, Team};
pub use transition::{TransitionCost, TransitionModel};

/// What was measured at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Cycles.
    pub cycles: f64,
    /// How far off those may be.
    pub uncertainty: f64,
}

/// No measurement is better than this share of itself: differences below it tell nothing.
const FLOOR: f64 = 0.001;

/// The Bayesian information criterion (Schwarz 1978) of a model with so many parameters, fitted to so many
/// points with this mean of squared relative differences: the smaller the better.
fn bic(mean_square: f64, points: usize, parameters: usize) -> f64 {
    let count = points as f64;
    count * mean_square.max(FLOOR * FLOOR).ln() + parameters as f64 * count.ln()
}

/// The mean of squared relative differences of values from what a model says.
fn mean_square(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let squares = pairs.map(|(value, model)| ((value - model) / value.max(f64::EPSILON)).powi(2));
    let (sum, count) = squares.fold((0.0, 0usize), |(sum, count), it| (sum + it, count + 1));
    sum / count.max(1) as f64
}

/// The value in the middle of some, of an even number of them the smaller one of the two.
fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len().checked_sub(1)? / 2).copied()
}

/// The line `a + b x` with the least squares of relative differences, as `(a, b)`.
fn line(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let weigh = |&(_, y): &(f64, f64)| 1.0 / (y * y).max(f64::EPSILON);
    let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|point| weigh(point) * term(point.0, point.1)).sum()
    };
    let (w, x, y) = (sum(&|_, _| 1.0), sum(&|x, _| x), sum(&|_, y| y));
    let (xx, xy) = (sum(&|x, _| x * x), sum(&|x, y| x * y));
    let determinant = w * xx - x * x;
    (points.len() > 1 && determinant.abs() > f64::EPSILON * w * xx).then(|| {
        let slope = (w * xy - x * y) / determinant;
        ((y - slope * x) / w, slope)
    })
}
