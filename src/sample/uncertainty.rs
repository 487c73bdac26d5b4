//! How far the truth may be from a difference of levels.
//!
//! Four contributions, of which the first two are independent and random (added in quadrature),
//! the others systematic (added to that):
//! * *Quantisation.* Each reading is off by less than a step, with a random phase: a bounded error
//!   of zero mean and a range of one step. Hoeffding's inequality bounds the error of their mean
//!   whatever the phases are.
//! * *Spread.* The standard error as seen, for what else scatters. Readings of one window share its
//!   references, so it is taken over windows of the difference, not over levels.
//! * *Drift.* A frequency that moves by d between the two references leaves, after division by their
//!   mean, d * s * t / (r + s + t) of a difference t - s, when the readings follow each other; a
//!   reference disturbed by d shifts the mean by d / 2.
//! * *What averaging cannot see.* Disturbances smaller than the width of a level, and the error of
//!   the reference's call overhead.

use super::level::{JITTER, Level};
use super::window::Windows;

/// The probability with which Hoeffding's bound may fail. It is attained only by phases at exactly
/// one half; in truth failures are rarer by an order of magnitude.
const FAILURE_PROBABILITY: f64 = 0.01;
/// Standard errors that the spread is counted with.
const SPREAD_FACTOR: f64 = 2.0;
/// Half of the jitter that a level admits may be in its mean.
const HIDDEN_JITTER: f64 = JITTER / 2.0;
/// The call overhead is a mean of many readings of which the phases are not all alike; what is
/// left of a step after that.
const OVERHEAD_ERROR_STEPS: f64 = 0.25;
/// A manual kernel saves other registers than the reference does: how much of the reference's
/// overhead may be missing or too much.
pub(super) const UNKNOWN_SHARE_OF_OVERHEAD: f64 = 0.5;

/// A level and its sign in a difference.
#[derive(Debug)]
pub(super) struct Term {
    sign: f64,
    level: Level,
}

impl Term {
    pub fn plus(level: Level) -> Self {
        Self { sign: 1.0, level }
    }

    pub fn minus(level: Level) -> Self {
        Self { sign: -1.0, level }
    }
}

/// A signed sum of levels, in cycles of a whole call.
#[derive(Debug)]
pub(super) struct LevelSum {
    terms: Vec<Term>,
}

impl LevelSum {
    pub fn new(terms: Vec<Term>) -> Self {
        Self { terms }
    }

    /// The value: of levels that agree their means, else of whatever is lowest.
    pub fn estimate(&self, settled: bool) -> f64 {
        let of = |level: &Level| if settled { level.cycles() } else { level.extremes().0 };
        self.terms.iter().map(|term| term.sign * of(&term.level)).sum()
    }

    /// Indices of the windows that contributed, each once, ascending.
    pub fn windows(&self) -> Vec<usize> {
        let readings = self.terms.iter().flat_map(|term| &term.level.readings);
        let mut windows: Vec<usize> = readings.map(|reading| reading.window).collect();
        windows.sort_unstable();
        windows.dedup();
        windows
    }

    /// The bound for levels that agree.
    pub fn uncertainty(&self, windows: &Windows) -> f64 {
        let random = self.quantisation(windows).hypot(SPREAD_FACTOR * self.standard_error());
        random + self.drift(windows) + self.hidden(windows)
    }

    /// The bound for readings that do not agree: all that was seen lies within.
    pub fn uncertainty_unsettled(&self, windows: &Windows) -> f64 {
        let spread = self.terms.iter().map(|term| {
            let (low, high) = term.level.extremes();
            high - low
        });
        // One window has no spread; nothing vouches for it.
        let unvouched = if self.windows().len() == 1 { self.estimate(false).abs() } else { 0.0 };
        spread.sum::<f64>().max(unvouched)
            + self.worst_quantisation(windows)
            + self.drift(windows)
            + self.hidden(windows)
    }

    /// What one tick per cycle more in each window would take from the value.
    fn scale_sensitivities(&self) -> Vec<f64> {
        let of = |window: usize| {
            let shares = self.terms.iter().filter(|term| term.holds(window));
            shares.map(|term| term.sign * term.level.cycles() / term.level.scale()).sum()
        };
        self.windows().into_iter().map(of).collect()
    }

    fn quantisation(&self, windows: &Windows) -> f64 {
        let grain = &windows.grain;
        let readings: f64 = (self.terms.iter())
            .map(|term| count(&term.level) * (grain.step / term.level.scale()).powi(2))
            .sum();
        // The mean of two references: two errors, each of half the range.
        let references: f64 = (self.scale_sensitivities().iter())
            .map(|sensitivity| 2.0 * (sensitivity * grain.scale_step / 2.0).powi(2))
            .sum();
        let hoeffding = (2.0 / FAILURE_PROBABILITY).ln() / 2.0;
        (hoeffding * (readings + references)).sqrt().min(self.worst_quantisation(windows))
    }

    fn worst_quantisation(&self, windows: &Windows) -> f64 {
        let grain = &windows.grain;
        let readings = self.terms.iter().map(|term| grain.step / term.level.ticks_per_cycle());
        let references =
            self.scale_sensitivities().into_iter().map(|factor| factor.abs() * grain.scale_step);
        readings.sum::<f64>() + references.sum::<f64>()
    }

    /// The scatter of the windows' influences on the value.
    #[allow(clippy::cast_precision_loss)] // A count of windows.
    fn standard_error(&self) -> f64 {
        let windows = self.windows();
        let influence = |window: &usize| -> f64 {
            self.terms.iter().map(|term| term.sign * term.influence(*window)).sum()
        };
        let squares: f64 = windows.iter().map(|window| influence(window).powi(2)).sum();
        let count = windows.len() as f64;
        (squares * count / (count - 1.0).max(1.0)).sqrt()
    }

    fn drift(&self, windows: &Windows) -> f64 {
        let gap = windows.mean_over(&self.windows(), |window| window.gap / window.reference);
        let levels: Vec<f64> = self.terms.iter().map(|term| term.level.cycles()).collect();
        let sum = windows.reference_cycles + levels.iter().sum::<f64>();
        let moved = match levels[..] {
            [later, earlier] => earlier * later / sum,
            _ => 0.0,
        };
        gap * moved.max(self.estimate(true).abs() / 2.0)
    }

    fn hidden(&self, windows: &Windows) -> f64 {
        let overhead = OVERHEAD_ERROR_STEPS * windows.grain.scale_step;
        let scales = self.terms.iter().map(|term| term.level.ticks_per_cycle());
        let relative = overhead / scales.fold(f64::INFINITY, f64::min);
        self.estimate(true).abs() * (HIDDEN_JITTER + relative)
    }
}

impl Term {
    fn holds(&self, window: usize) -> bool {
        self.level.readings.iter().any(|reading| reading.window == window)
    }

    /// How much the reading of a window moves the level away from what the others say.
    fn influence(&self, window: usize) -> f64 {
        let mean = self.level.cycles();
        let own = self.level.readings.iter().filter(|reading| reading.window == window);
        let residual: f64 = own.map(|reading| reading.ticks - mean * reading.ticks_per_cycle).sum();
        residual / self.level.scale()
    }
}

#[allow(clippy::cast_precision_loss)] // A count of windows.
fn count(level: &Level) -> f64 {
    level.readings.len() as f64
}
