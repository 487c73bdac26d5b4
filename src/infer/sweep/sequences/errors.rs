//! How far predictions are off.

use std::collections::BTreeMap;
use std::fmt;

use super::{MeasuredSequence, SequenceModel};
use crate::infer::sweep::median;

/// How far predictions of some loops are off what was measured, as in the thesis's Table 6.2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PredictionErrors {
    /// Number of loops.
    pub loops: usize,
    /// Mean of the differences' sizes, in percent of what was measured.
    pub mean_percent: f64,
    /// The difference of the loop in the middle, in percent of what was measured.
    pub median_percent: f64,
    /// Root of the mean of squared differences, in percent of what was measured.
    pub rms_percent: f64,
    /// Share of loops that are off by at most 1, 2 and 5 percent.
    pub within: [f64; 3],
    /// Mean of the differences' sizes, in cycles.
    pub mean_cycles: f64,
    /// Root of the mean of squared differences, in cycles.
    pub rms_cycles: f64,
    /// Share of loops with the same number of whole cycles, both rounded.
    pub exact: f64,
    /// Share of loops whose numbers of whole cycles differ by at most one.
    pub off_by_one: f64,
}

/// Percents of `PredictionErrors::within`.
const LIMITS: [f64; 3] = [1.0, 2.0, 5.0];

/// What the thesis says of AMX on an M2 Pro: each figure by its name, for loops of two instructions, which its
/// model was fitted to, and of three, which it was not (Zhou 2025, Table 6.2).
pub const TABLE_6_2: [(&str, [f64; 2]); 9] = [
    ("MAE (%)", [0.432, 4.826]),
    ("RMSE (%)", [1.753, 9.103]),
    ("Within 1%", [0.909, 0.488]),
    ("Within 2%", [0.933, 0.588]),
    ("Within 5%", [0.969, 0.707]),
    ("MAE (cycles)", [0.070, 1.355]),
    ("RMSE (cycles)", [0.354, 2.525]),
    ("Exact int match", [0.963, 0.582]),
    ("Off-by-1 (int)", [0.987, 0.715]),
];

impl PredictionErrors {
    /// Of pairs of what was measured and predicted, in cycles; none without any.
    #[must_use]
    pub fn of(pairs: &[(f64, f64)]) -> Option<Self> {
        if pairs.is_empty() {
            return None;
        }
        let mean = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
            pairs.iter().map(|&(measured, predicted)| term(measured, predicted)).sum::<f64>()
                / pairs.len() as f64
        };
        let share =
            |holds: &dyn Fn(f64, f64) -> bool| mean(&|a, b| f64::from(u8::from(holds(a, b))));
        let percent = |a: f64, b: f64| 100.0 * (b - a).abs() / a.max(f64::EPSILON);
        let whole = |a: f64, b: f64| (a.round() - b.round()).abs();
        Some(Self {
            loops: pairs.len(),
            mean_percent: mean(&percent),
            median_percent: median(pairs.iter().map(|&(a, b)| percent(a, b)))?,
            rms_percent: mean(&|a, b| percent(a, b).powi(2)).sqrt(),
            within: LIMITS.map(|limit| share(&|a, b| percent(a, b) <= limit)),
            mean_cycles: mean(&|a, b| (b - a).abs()),
            rms_cycles: mean(&|a, b| (b - a).powi(2)).sqrt(),
            exact: share(&|a, b| whole(a, b) < 0.5),
            off_by_one: share(&|a, b| whole(a, b) < 1.5),
        })
    }

    /// What a model says of loops, by the number of their instructions. Loops with instructions that the model
    /// does not know do not count.
    #[must_use]
    pub fn by_length(model: &SequenceModel, loops: &[MeasuredSequence]) -> BTreeMap<usize, Self> {
        let mut pairs: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
        for it in loops {
            if let Some(predicted) = model.predict(&it.instructions) {
                let length = it.instructions.instructions().len();
                pairs.entry(length).or_default().push((it.measured.cycles, predicted));
            }
        }
        pairs.into_iter().filter_map(|(length, pairs)| Some((length, Self::of(&pairs)?))).collect()
    }

    /// The figures of [`TABLE_6_2`], in its order.
    #[must_use]
    pub fn figures(&self) -> [f64; 9] {
        let [one, two, five] = self.within;
        let percents = [self.mean_percent, self.rms_percent];
        let cycles = [self.mean_cycles, self.rms_cycles];
        [
            percents[0],
            percents[1],
            one,
            two,
            five,
            cycles[0],
            cycles[1],
            self.exact,
            self.off_by_one,
        ]
    }
}

impl fmt::Display for PredictionErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, _, five] = self.within.map(|share| 100.0 * share);
        let exact = 100.0 * self.exact;
        write!(f, "{} loops: {:.2} % off on average, ", self.loops, self.mean_percent)?;
        write!(
            f,
            "{one:.0} % of them within 1 %, {five:.0} % within 5 %, {exact:.0} % to the cycle"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_counted_by_hand() {
        let errors =
            PredictionErrors::of(&[(10.0, 10.0), (10.0, 10.2), (100.0, 96.0), (10.0, 11.4)])
                .unwrap();
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(near(errors.mean_percent, (2.0 + 4.0 + 14.0) / 4.0), "{errors:?}");
        assert!(near(errors.median_percent, 2.0));
        assert!(near(errors.rms_percent, (216.0f64 / 4.0).sqrt()));
        assert_eq!(errors.within, [0.25, 0.5, 0.75]);
        assert!(near(errors.mean_cycles, 5.6 / 4.0));
        assert!(near(errors.rms_cycles, (18.0f64 / 4.0).sqrt()));
        assert_eq!((errors.exact, errors.off_by_one), (0.5, 0.75));
        assert_eq!(errors.figures()[4], 0.75);
        let said = "4 loops: 5.00 % off on average, 25 % of them within 1 %, 75 % within 5 %, 50 % to the cycle";
        assert_eq!(errors.to_string(), said);
        assert_eq!(PredictionErrors::of(&[]), None);
    }
}
