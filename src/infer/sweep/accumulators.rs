//! From cycles by accumulators to a latency and an issue interval.

use super::{Measured, mean_square, median};

/// What a number of chains side by side takes: `max(latency / count, interval)` for an instruction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Saturation {
    /// What a link of one chain takes; none where one chain takes no more than many, so that it is at
    /// most the interval.
    pub latency: Option<f64>,
    /// What an instruction takes when its units are always busy; none where so many accumulators as there
    /// are do not keep them busy.
    pub interval: Option<f64>,
    /// The fewest accumulators that were measured with which an instruction takes the interval.
    pub saturating_count: Option<u32>,
    /// The root of the mean square of relative differences from the model.
    pub residual: f64,
}

/// An instruction takes the interval if it takes at most this share more, beyond its uncertainty.
const AT_INTERVAL: f64 = 0.03;

/// A latency beside an interval must explain at least so much of the sum of relative differences: else
/// one of the two does.
const WORTH: f64 = 0.03;

impl Saturation {
    /// Fits the model to cycles of an instruction by the number of accumulators.
    ///
    /// The points are split into those that wait for the chain and those that are saturated, at the place
    /// that leaves the least sum of relative differences. Medians count, so that a point at which the
    /// scheduler chose badly moves nothing. None of fewer than two points.
    #[must_use]
    pub fn fit(points: &[(u32, Measured)]) -> Option<Self> {
        let mut points = points.to_vec();
        points.sort_by_key(|(count, _)| *count);
        if points.len() < 2 {
            return None;
        }
        let splits = (0..=points.len()).map(|place| Self::split(&points, place));
        let (_, mut best) = splits.min_by(|a, b| a.0.total_cmp(&b.0))?;
        best.saturating_count = best.interval.and_then(|interval| {
            let holds = |point: &(u32, Measured)| {
                point.1.cycles <= interval * (1.0 + AT_INTERVAL) + point.1.uncertainty
            };
            points.iter().find(|point| holds(point)).map(|(count, _)| *count)
        });
        Some(best)
    }

    /// The model where the first `place` points wait, with the sum of its relative differences.
    fn split(points: &[(u32, Measured)], place: usize) -> (f64, Self) {
        let (waiting, saturated) = points.split_at(place);
        let latency = median(waiting.iter().map(|(count, it)| f64::from(*count) * it.cycles));
        let interval = median(saturated.iter().map(|(_, it)| it.cycles));
        let fit = Self { latency, interval, saturating_count: None, residual: 0.0 };
        let model = |count: u32| fit.cycles(count);
        let differences =
            points.iter().map(|(count, it)| (it.cycles - model(*count)).abs() / it.cycles);
        let residual =
            mean_square(points.iter().map(|(count, it)| (it.cycles, model(*count)))).sqrt();
        let price = if latency.is_some() && interval.is_some() { WORTH } else { 0.0 };
        (differences.sum::<f64>() + price, Self { residual, ..fit })
    }

    /// What an instruction takes with so many accumulators.
    #[must_use]
    pub fn cycles(&self, count: u32) -> f64 {
        let waits = self.latency.map_or(0.0, |latency| latency / f64::from(count));
        waits.max(self.interval.unwrap_or(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(latency: f64, interval: f64, most: u32) -> Vec<(u32, Measured)> {
        let cycles = |count: u32| (latency / f64::from(count)).max(interval);
        (1..=most)
            .map(|count| (count, Measured { cycles: cycles(count), uncertainty: 0.001 }))
            .collect()
    }

    #[test]
    fn what_was_put_in_comes_out() {
        for (latency, interval, count) in
            [(4.0, 0.5, 8), (3.0, 1.0, 3), (13.0, 5.0, 3), (5.0, 1.0 / 3.0, 15)]
        {
            let fit = Saturation::fit(&points(latency, interval, 16)).unwrap();
            assert!((fit.latency.unwrap() - latency).abs() < 1e-9, "{fit:?}");
            assert!((fit.interval.unwrap() - interval).abs() < 1e-9, "{fit:?}");
            assert_eq!(fit.saturating_count, Some(count), "{fit:?}");
            assert!(fit.residual < 1e-9);
        }
    }

    #[test]
    fn a_point_at_which_the_scheduler_chose_badly_moves_nothing() {
        let mut disturbed = points(4.0, 0.5, 16);
        disturbed[2].1.cycles *= 1.3;
        disturbed[10].1.cycles *= 1.3;
        let fit = Saturation::fit(&disturbed).unwrap();
        assert_eq!(
            (fit.latency, fit.interval, fit.saturating_count),
            (Some(4.0), Some(0.5), Some(8))
        );
        assert!(fit.residual > 0.05);
    }

    #[test]
    fn too_few_accumulators_leave_the_interval_open_and_no_chain_the_latency() {
        let fit = Saturation::fit(&points(20.0, 1.0, 8)).unwrap();
        assert_eq!((fit.latency, fit.interval, fit.saturating_count), (Some(20.0), None, None));
        let fit = Saturation::fit(&points(0.5, 0.5, 8)).unwrap();
        assert_eq!((fit.latency, fit.interval, fit.saturating_count), (None, Some(0.5), Some(1)));
        assert_eq!(Saturation::fit(&points(4.0, 1.0, 1)), None);
    }
}
