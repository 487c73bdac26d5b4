//! How many micro-operations a core has in flight, from what two chains take with fillers between them.
//!
//! As long as the second chain fits into the window behind the last link of the first one, it runs beside it;
//! from there on it begins when that link retires, and both take their time one after the other. So the
//! duration of a round steps up where the fillers and the two links next to them no longer fit. Beyond, each
//! filler more is one that the second chain has to wait for: a line. Source: H. Wong, "Measuring
//! Reorder Buffer Capacity" (2013), with chains of slow instructions in place of loads that miss.

/// One in so many points lies beyond the step, at least.
const BEYOND: usize = 4;
/// Points that make a line, at least.
const LEAST: usize = 4;
/// A duration is on the line if it is below by no more than this share of the step ...
const ON_LINE: f64 = 0.05;
/// ... or so many times as much as those beyond are scattered by.
const SCATTER: f64 = 4.0;
/// A step is one from this share of the duration on.
const STEP: f64 = 0.08;
/// One point in so many may be further below the line than the step is high.
const OUTLIERS: usize = 8;

/// A step in durations by fillers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WindowStep {
    /// The most fillers with which the second chain begins early.
    pub before: u32,
    /// The next number of fillers, with which it does not.
    pub behind: u32,
    /// The most fillers with which it gains half of the step or more.
    pub half: u32,
    /// How high the step is, in cycles.
    pub height: f64,
}

/// Why durations by fillers say nothing about a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoWindowStep {
    /// Fewer points than a line and a step take.
    #[error("too few numbers of fillers were timed")]
    TooFew,
    /// Nothing steps up.
    #[error("no number of fillers keeps one chain from running beside the other")]
    Flat,
    /// What is in front of it, or beyond, is not known.
    #[error("the step lies at the border of the numbers of fillers that were timed")]
    AtBorder,
}

impl WindowStep {
    /// Finds the step in cycles of a round by its fillers. At least a quarter of all numbers of fillers
    /// should lie beyond it.
    ///
    /// # Errors
    /// When there is none, or it cannot be told where.
    pub fn find(points: &[(u32, f64)]) -> Result<Self, NoWindowStep> {
        let mut points = points.to_vec();
        points.sort_by_key(|point| point.0);
        let beyond = points.len() / BEYOND;
        if beyond < LEAST {
            return Err(NoWindowStep::TooFew);
        }
        let border = points.len() - beyond;
        // What lies beyond tells first where it begins, and then, all of it, where the line is.
        let first = FillerLine::through(&points[border..]);
        let (place, _) = first.step(&points).ok_or(NoWindowStep::Flat)?;
        let line = FillerLine::through(&points[(place + 1).min(border)..]);
        let (place, height) = line.step(&points).ok_or(NoWindowStep::Flat)?;
        if place == 0 || place + 1 >= border {
            return Err(NoWindowStep::AtBorder);
        }
        let gains_half = |point: &&(u32, f64)| line.above(**point) >= height / 2.0;
        let (before, behind) = (points[place].0, points[place + 1].0);
        let half = points[..=place].iter().rev().find(gains_half).map_or(before, |point| point.0);
        Ok(Self { before, behind, half, height })
    }

    /// Micro-operations in flight: what lies between the last link of one chain and the first of the other,
    /// and those two.
    #[must_use]
    pub fn size(&self) -> f64 {
        f64::from(self.before + self.behind + 3) / 2.0
    }

    /// How far off that may be: half of what the step takes to rise by its second half, for what the second
    /// chain gains last is too little to tell.
    #[must_use]
    pub fn uncertainty(&self) -> f64 {
        f64::from(self.behind - self.half) / 2.0
    }
}

/// Cycles that grow with each filler.
struct FillerLine {
    slope: f64,
    start: f64,
    /// How far points are from it, in the middle.
    scatter: f64,
}

impl FillerLine {
    /// Through some points, at least one, of which any minority may be off (Theil 1950, Sen 1968).
    fn through(points: &[(u32, f64)]) -> Self {
        let places: Vec<(f64, f64)> = points.iter().map(|&(n, it)| (f64::from(n), it)).collect();
        let slope = |(at, &(x, y)): (usize, &(f64, f64))| -> Vec<f64> {
            places[at + 1..].iter().map(|other| (other.1 - y) / (other.0 - x)).collect()
        };
        let slope = median(places.iter().enumerate().flat_map(slope));
        let start = median(places.iter().map(|(x, y)| y - slope * x));
        let scatter = median(places.iter().map(|(x, y)| (y - slope * x - start).abs()));
        Self { slope, start, scatter }
    }

    /// How far it is above a point.
    fn above(&self, (fillers, cycles): (u32, f64)) -> f64 {
        self.start + self.slope * f64::from(fillers) - cycles
    }

    /// The last of some points, in order, that is clearly below it, as is the one in front of that; and how
    /// far below points are in front of a step. None where they are not far enough for one.
    fn step(&self, points: &[(u32, f64)]) -> Option<(usize, f64)> {
        let below: Vec<f64> = points.iter().map(|&point| self.above(point)).collect();
        let mut sorted = below.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let height = *sorted.get(points.len() / OUTLIERS)?;
        let least = (height * ON_LINE).max(self.scatter * SCATTER);
        let is_below =
            |&place: &usize| below[place.saturating_sub(1)..=place].iter().all(|&it| it > least);
        let place = (0..points.len()).rev().find(is_below)?;
        (height > STEP * points[place].1 && height > least).then_some((place, height))
    }
}

/// The value in the middle of some; zero of none.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A core that has so many instructions in flight, and dispatches and retires so many a cycle.
    #[derive(Clone, Copy)]
    struct WindowedCore {
        window: usize,
        width: usize,
    }

    const LATENCY: usize = 13;
    const ROUNDS: usize = 40;

    impl WindowedCore {
        /// Cycles of a round of two chains of so many links, with so many fillers behind each.
        fn round(self, links: usize, fillers: usize) -> f64 {
            let (mut dispatched, mut retired): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
            let mut ready = [0; 2];
            let round = 2 * (links + fillers);
            for at in 0..ROUNDS * round {
                let (chain, place) = (at / (links + fillers) % 2, at % (links + fillers));
                let ago = |list: &[usize], count: usize, later: usize| {
                    at.checked_sub(count).map_or(0, |at| list[at] + later)
                };
                let room = ago(&retired, self.window, 0);
                let begins = room.max(ago(&dispatched, self.width, 1));
                let done = if place < links {
                    ready[chain] = begins.max(ready[chain]) + LATENCY;
                    ready[chain]
                } else {
                    begins
                };
                dispatched.push(begins);
                let in_order = ago(&retired, 1, 0).max(ago(&retired, self.width, 1));
                retired.push(done.max(in_order));
            }
            let middle = retired[ROUNDS / 2 * round - 1];
            (retired[ROUNDS * round - 1] - middle) as f64 / (ROUNDS / 2) as f64
        }

        /// The same for numbers of fillers from none to one and a half times as many as fit.
        fn curve(self, step: usize) -> Vec<(u32, f64)> {
            let links = (5 * self.window).div_ceil(2 * self.width * LATENCY);
            let fillers = (0..=self.window * 3 / 2).step_by(step);
            fillers.map(|fillers| (fillers as u32, self.round(links, fillers))).collect()
        }
    }

    fn assert_finds(window: usize, points: &[(u32, f64)], at_most: f64) {
        let found = WindowStep::find(points).expect("a step");
        let (size, uncertainty) = (found.size(), found.uncertainty());
        assert!((size - window as f64).abs() <= uncertainty, "{window}: {size} +- {uncertainty}");
        assert!(uncertainty <= at_most, "{window}: {size} +- {uncertainty}");
    }

    #[test]
    fn a_clean_step_is_where_the_window_ends() {
        for (window, width) in [(40, 2), (128, 4), (224, 4), (448, 8), (512, 6)] {
            let core = WindowedCore { window, width };
            assert_finds(window, &core.curve(1), 8.0);
            assert_finds(window, &core.curve(window / 24), 8.0 + window as f64 / 24.0);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn a_noisy_step_is_where_the_window_ends(
            noise in proptest::collection::vec(0.0f64..0.01, 97),
            window in 60usize..300,
            width in 2usize..8,
        ) {
            let mut points = WindowedCore { window, width }.curve(3);
            points.iter_mut().zip(noise.iter().cycle()).for_each(|(point, it)| point.1 *= 1.0 + it);
            assert_finds(window, &points, 20.0);
        }
    }

    #[test]
    fn one_point_that_somebody_held_up_or_whose_reference_was_changes_nothing() {
        let clean = WindowedCore { window: 224, width: 4 }.curve(4);
        for place in 0..clean.len() {
            for factor in [0.8, 1.5] {
                let mut points = clean.clone();
                points[place].1 *= factor;
                let found = WindowStep::find(&points).expect("a step");
                assert!((found.size() - 224.0).abs() <= 12.0, "{place}: {found:?}");
            }
        }
    }

    #[test]
    fn without_a_step_there_is_a_reason() {
        // In order, and with no end of the window: lines, the second below the chain at first.
        let in_order = |n: u32| 200.0 + 0.5 * f64::from(n);
        let endless = |n: u32| (0.5 * f64::from(n)).max(100.0);
        let points = |of: &dyn Fn(u32) -> f64| -> Vec<(u32, f64)> {
            (0..600).step_by(8).map(|n| (n, of(n))).collect()
        };
        for none in [points(&in_order), points(&endless)] {
            assert_eq!(WindowStep::find(&none), Err(NoWindowStep::Flat));
        }
        assert_eq!(WindowStep::find(&[(1, 5.0), (2, 9.0)]), Err(NoWindowStep::TooFew));
    }

    #[test]
    fn a_step_at_the_border_is_none() {
        let mut points = WindowedCore { window: 224, width: 4 }.curve(4);
        points.retain(|&(fillers, _)| fillers < 236);
        let found = WindowStep::find(&points);
        assert!(matches!(found, Err(NoWindowStep::AtBorder | NoWindowStep::Flat)), "{found:?}");
        let points: Vec<(u32, f64)> =
            (0..40).map(|n| (n, 100.0 + f64::from(n) + if n > 0 { 80.0 } else { 0.0 })).collect();
        let found = WindowStep::find(&points);
        assert!(matches!(found, Err(NoWindowStep::AtBorder | NoWindowStep::Flat)), "{found:?}");
    }
}
