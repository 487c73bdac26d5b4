//! The lowest level: where the undisturbed readings of a duration lie.

/// Equal durations differ by this much on an idle core whatever the clock: alignment of the loop's
/// first iteration, a cache line fetched again.
pub(super) const JITTER: f64 = 0.001;
/// Fewer readings at one place are a coincidence.
const SUPPORT: usize = 3;
/// ... and so are fewer than one in this many: among hundreds of windows even rare disturbances
/// meet three times.
const SUPPORT_SHARE: usize = 10;

/// How coarse readings are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grain {
    /// The step of the tick counter.
    pub step: f64,
    /// What one step of a reference changes in its window's ticks per cycle; 0 where those do not
    /// come from the reference.
    pub scale_step: f64,
}

/// One reading and the clock of its window.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    /// The window it stems from.
    pub window: usize,
    pub ticks: f64,
    pub ticks_per_cycle: f64,
}

impl Reading {
    pub fn cycles(&self) -> f64 {
        self.ticks / self.ticks_per_cycle
    }
}

/// Readings of the same duration; at least one.
#[derive(Debug)]
pub(super) struct Level {
    pub readings: Vec<Reading>,
}

impl Level {
    pub fn of(readings: Vec<Reading>) -> Self {
        debug_assert!(!readings.is_empty(), "a level without readings has no duration");
        Self { readings }
    }

    /// The duration: a ratio of sums, because a mean of ratios is biased by the references' noise.
    pub fn cycles(&self) -> f64 {
        self.readings.iter().map(|reading| reading.ticks).sum::<f64>() / self.scale()
    }

    /// The smallest reading and the largest, in cycles.
    pub fn extremes(&self) -> (f64, f64) {
        let cycles = self.readings.iter().map(Reading::cycles);
        cycles.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        })
    }

    /// Sum of the ticks per cycle: what one tick more in one reading is divided by.
    pub fn scale(&self) -> f64 {
        self.readings.iter().map(|reading| reading.ticks_per_cycle).sum()
    }

    #[allow(clippy::cast_precision_loss)] // A count of windows.
    pub fn ticks_per_cycle(&self) -> f64 {
        self.scale() / self.readings.len() as f64
    }
}

/// The readings at the lowest level that has enough support.
pub(super) fn lowest_level(readings: &[Reading], grain: &Grain) -> Option<Level> {
    let cycles: Vec<f64> = readings.iter().map(Reading::cycles).collect();
    let scales = readings.iter().map(|reading| reading.ticks_per_cycle);
    let scale = scales.fold(f64::INFINITY, f64::min);
    // Clean values span what one step of the reading and one of its reference make of them.
    let quantisation = |value: f64| grain.step / scale + value * grain.scale_step / scale;
    let band = lowest_band(&cycles, quantisation)?;
    let inside = |reading: &&Reading| band.contains(reading.cycles());
    Some(Level::of(readings.iter().filter(inside).copied().collect()))
}

/// A stretch of values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Band {
    pub lower: f64,
    pub upper: f64,
}

impl Band {
    fn contains(&self, value: f64) -> bool {
        (self.lower..=self.upper).contains(&value)
    }
}

/// The lowest stretch, as wide as `quantisation` and the jitter, in which enough values lie.
///
/// The first supported stretch may begin at an outlier just below the true level and end inside
/// it; so of all stretches that begin within the first, the fullest is taken.
pub(super) fn lowest_band(values: &[f64], quantisation: impl Fn(f64) -> f64) -> Option<Band> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let support = SUPPORT.max(sorted.len().div_ceil(SUPPORT_SHARE));
    let band = |start: usize| {
        let lower = sorted[start];
        let upper = lower + quantisation(lower) + lower * JITTER;
        let end = sorted.partition_point(|value| *value <= upper);
        (Band { lower, upper }, end - start)
    };
    let (first, (lowest, _)) = (0..sorted.len())
        .map(|start| (start, band(start)))
        .find(|(_, (_, members))| *members >= support)?;
    let rivals = (first..sorted.len()).take_while(|start| lowest.contains(sorted[*start]));
    let fullest = rivals.map(band).reduce(|best, next| if next.1 > best.1 { next } else { best });
    fullest.map(|(band, _)| band)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_values_are_no_level() {
        assert_eq!(lowest_band(&[100.0, 100.0, 120.0, 130.0], |_| 1.0), None);
        assert_eq!(lowest_band(&[], |_| 1.0), None);
    }

    #[test]
    fn the_lowest_supported_band_wins_over_a_fuller_one_above() {
        let values = [300.0, 300.0, 300.0, 300.0, 200.0, 200.5, 200.0, 150.0];
        assert_eq!(lowest_band(&values, |_| 1.0).unwrap().lower, 200.0);
    }

    #[test]
    fn an_outlier_just_below_does_not_cut_the_level() {
        let band = lowest_band(&[99.0, 100.0, 100.0, 101.0, 101.0, 101.0], |_| 1.0).unwrap();
        assert_eq!(band.lower, 100.0);
        assert!(band.contains(101.0));
    }

    #[test]
    fn among_many_three_are_a_coincidence() {
        let mut values = vec![50.0; 3];
        values.extend(vec![100.0; 97]);
        assert_eq!(lowest_band(&values, |_| 1.0).unwrap().lower, 100.0);
    }
}
