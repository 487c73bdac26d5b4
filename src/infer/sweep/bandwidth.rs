//! Which levels of memory there are, and where they end.
//!
//! **Givens.** Cycles of loads, stores or copies that go round a working set, for growing sets.
//! **Model.** Plateaus: as long as a set fits into a level of memory, its size makes no difference. From one
//! plateau to the next lie at most [`STEPS`] points of the grid, since a cache that is no longer large
//! enough still hits now and then. How many plateaus there are is not assumed, nor that each is slower than
//! the one before.
//!
//! **Fit.** Levels differ by factors, so all is done in logarithms. A plateau costs the absolute deviations
//! from its median, in standard deviations of the noise, and a penalty; a point between plateaus costs
//! a little more than half of that penalty. The cheapest division of the points into plateaus is found exactly, by dynamic
//! programming over the last plateau. The noise is the median difference of neighbouring points: most of
//! them lie on one plateau.

use super::{Measured, mean_square, median};

/// Points between two plateaus at the most.
const STEPS: usize = 2;
/// Levels differ by this share at the least. What differs by less is the loop's or the page table's doing.
const CONTRAST: f64 = 0.1;
/// Penalty of a plateau, in standard deviations: about twice what the Bayesian criterion asks for its
/// level and its end among a hundred points, so that noise is not cut up.
const OF_A_PLATEAU: f64 = 10.0;
/// Less than any point on the wrong plateau costs; but two of them more than a plateau of their own, which they
/// are where the grid ends.
const OF_A_STEP: f64 = 0.6 * OF_A_PLATEAU;
/// Points that show a plateau between two others ...
const INNER: usize = 3;
/// ... and one at either end of the grid, of which there is more outside.
const OUTER: usize = 2;
/// The standard deviation of normal errors over the median of their magnitudes.
const PER_MEDIAN: f64 = 1.4826;
/// Plateaus are no flatter than this share.
const GRAIN: f64 = 0.01;

/// Where a level ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapacityEdge {
    /// The largest working set, in bytes, that the level still holds.
    pub inside: u64,
    /// The next one of the grid, which it does not: the capacity lies between.
    pub outside: u64,
}

/// A level of memory, as the cycles of accesses show it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MemoryLevel {
    /// Cycles of an access.
    pub cycles: f64,
    /// The smallest measured working set, in bytes, that it serves.
    pub first: u64,
    /// Where it ends; `None` if the grid ends before.
    pub edge: Option<CapacityEdge>,
}

/// What a sweep over working sets says.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryLevels {
    /// From small to large working sets.
    pub levels: Vec<MemoryLevel>,
    /// The root of the mean square of relative differences from the levels, on their plateaus.
    pub residual: f64,
}

impl MemoryLevels {
    /// Finds the levels of memory in cycles of an access by bytes of the working set, from small to
    /// large sets. None of fewer than two points.
    #[must_use]
    pub fn fit(points: &[(u64, Measured)]) -> Option<Self> {
        if points.len() < OUTER {
            return None;
        }
        let plateaus = Division::new(points).cheapest();
        let level = |&(from, to): &Plateau| {
            let cycles = median(points[from..to].iter().map(|(_, it)| it.cycles))?;
            let outside = points.get(to).map(|(bytes, _)| *bytes);
            let edge = outside.map(|outside| CapacityEdge { inside: points[to - 1].0, outside });
            Some(MemoryLevel { cycles, first: points[from].0, edge })
        };
        let levels: Vec<MemoryLevel> = plateaus.iter().filter_map(level).collect();
        let on_plateaus = plateaus.iter().zip(&levels).flat_map(|(&(from, to), level)| {
            points[from..to].iter().map(|(_, it)| (it.cycles, level.cycles))
        });
        Some(Self { residual: mean_square(on_plateaus).sqrt(), levels })
    }

    /// Whether every level is slower than the one before, as caches are.
    #[must_use]
    pub fn is_monotone(&self) -> bool {
        self.levels.windows(2).all(|pair| pair[1].cycles > pair[0].cycles)
    }
}

/// A plateau: indices from the first of its points to behind its last.
type Plateau = (usize, usize);

/// The search for the cheapest division into plateaus.
#[derive(Debug)]
struct Division {
    logs: Vec<f64>,
    deviations: Vec<f64>,
}

/// The cheapest way to a plateau.
#[derive(Debug, Clone, Copy)]
struct Way {
    cost: f64,
    level: f64,
    before: Option<Plateau>,
}

impl Division {
    fn new(points: &[(u64, Measured)]) -> Self {
        let logs: Vec<f64> = points.iter().map(|(_, each)| each.cycles.ln()).collect();
        let differences = logs.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        let deviation = PER_MEDIAN * median(differences).unwrap_or(0.0);
        let noise = (deviation / std::f64::consts::SQRT_2).clamp(GRAIN, CONTRAST);
        let relative = |(_, each): &(u64, Measured)| noise.hypot(each.uncertainty / each.cycles);
        Self { deviations: points.iter().map(relative).collect(), logs }
    }

    fn cheapest(&self) -> Vec<Plateau> {
        let count = self.logs.len();
        let mut ways: Vec<Vec<Option<Way>>> = vec![vec![None; count + 1]; count];
        for to in OUTER..=count {
            for from in 0..=to - OUTER {
                ways[from][to] = self.way_to((from, to), &ways);
            }
        }
        let ends = (count.saturating_sub(STEPS)..=count).flat_map(|to| {
            let behind = OF_A_STEP * (count - to) as f64;
            (0..to).map(move |from| ((from, to), behind))
        });
        let reached = ends.filter_map(|((from, to), behind)| {
            ways[from][to].map(|way| ((from, to), way.cost + behind))
        });
        let mut at = reached.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(plateau, _)| plateau);
        let mut plateaus = Vec::new();
        while let Some((from, to)) = at {
            plateaus.push((from, to));
            at = ways[from][to].and_then(|way| way.before);
        }
        plateaus.reverse();
        plateaus
    }

    /// The cheapest way to a plateau, given those to all that end before it.
    fn way_to(&self, (from, to): Plateau, ways: &[Vec<Option<Way>>]) -> Option<Way> {
        let (level, own) = self.plateau(from, to)?;
        if from == 0 {
            return Some(Way { cost: own, level, before: None });
        }
        let is_last = to + STEPS >= self.logs.len();
        if !is_last && to - from < INNER {
            return None;
        }
        let gaps = (0..=STEPS.min(from)).map(|gap| (from - gap, gap));
        let befores = gaps.flat_map(|(end, gap)| {
            (0..end).filter_map(move |start| {
                let before = ways[start][end]?;
                let is_shown = start == 0 || end - start >= INNER;
                let differs = (before.level - level).abs() >= CONTRAST.ln_1p();
                (is_shown && differs && self.lie_between(end, from, before.level, level)).then_some(
                    Way {
                        cost: before.cost + OF_A_STEP * gap as f64 + own,
                        level,
                        before: Some((start, end)),
                    },
                )
            })
        });
        befores.min_by(|a, b| a.cost.total_cmp(&b.cost))
    }

    /// Whether all points from one plateau to another have values between theirs.
    fn lie_between(&self, end: usize, from: usize, before: f64, after: f64) -> bool {
        let [low, high] = [before.min(after), before.max(after)];
        self.logs[end..from].iter().all(|value| (low..=high).contains(value))
    }

    /// The level of a plateau and what it costs.
    fn plateau(&self, from: usize, to: usize) -> Option<(f64, f64)> {
        let points = || self.logs[from..to].iter().zip(&self.deviations[from..to]);
        let level = weighted_median(points().map(|(log, deviation)| (*log, 1.0 / deviation)))?;
        let off: f64 = points().map(|(log, deviation)| (log - level).abs() / deviation).sum();
        Some((level, off + OF_A_PLATEAU))
    }
}

/// The value at which half of the weight lies below and half above (the lower one if two do), which
/// minimises the weighted sum of absolute deviations.
fn weighted_median(values: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let mut values: Vec<(f64, f64)> = values.collect();
    values.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let total: f64 = values.iter().map(|(_, weight)| weight).sum();
    let mut below = 0.0;
    let middle = values.iter().find(|(_, weight)| {
        below += weight;
        below >= total / 2.0
    });
    middle.or(values.last()).map(|(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: u64 = 1024;

    /// Of bytes per cycle by KiB.
    fn levels(points: &[(u64, f64)]) -> MemoryLevels {
        let measured = |rate: f64| Measured { cycles: 1.0 / rate, uncertainty: 0.001 / rate };
        let points = points.iter().map(|(kib, rate)| (kib * KIB, measured(*rate)));
        MemoryLevels::fit(&points.collect::<Vec<_>>()).unwrap()
    }

    fn edges(found: &MemoryLevels) -> Vec<Option<u64>> {
        found.levels.iter().map(|level| level.edge.map(|edge| edge.inside / KIB)).collect()
    }

    #[test]
    fn three_caches_and_memory_are_found() {
        let rate = |kib: u64| match kib {
            0..=48 => 63.0,
            49..=2048 => 40.0,
            2049..=32768 => 14.0,
            _ => 6.0,
        };
        let sizes = (2..=17).flat_map(|power| [1_u64 << power, 3 << (power - 1)]);
        let points: Vec<(u64, f64)> = sizes.map(|kib| (kib, rate(kib))).collect();
        let found = levels(&points);
        assert_eq!(edges(&found), [Some(48), Some(2048), Some(32768), None]);
        assert!(found.is_monotone() && found.residual < 1e-9);
        let first = found.levels[0].edge.unwrap();
        assert_eq!(first.outside, 64 * KIB);
    }

    #[test]
    fn points_between_plateaus_belong_to_neither() {
        let rates = [64.0, 63.5, 64.2, 64.0, 55.0, 41.0, 32.0, 31.8, 32.1, 32.0, 20.0, 8.0, 8.1];
        let points: Vec<(u64, f64)> = (2..).map(|power| 1 << power).zip(rates).collect();
        let found = levels(&points);
        assert_eq!(edges(&found), [Some(32), Some(2048), None]);
        assert_eq!(found.levels[1].first, 256 * KIB);
        assert!((1.0 / found.levels[1].cycles - 32.0).abs() < 0.2);
    }

    #[test]
    fn the_edge_shows_even_if_the_next_level_does_not() {
        let points: Vec<(u64, f64)> = [64.0, 64.1, 63.9, 64.0, 64.0, 32.0]
            .into_iter()
            .zip(1..)
            .map(|(r, k)| (k, r))
            .collect();
        assert_eq!(edges(&levels(&points)), [Some(5)]);
    }

    #[test]
    fn one_level_stays_one_and_a_disturbed_point_ends_none() {
        let mut rates = vec![32.0; 20];
        assert_eq!(levels(&(1..).zip(rates.clone()).collect::<Vec<_>>()).levels.len(), 1);
        rates[9] = 20.0;
        let found = levels(&(1..).zip(rates).collect::<Vec<_>>());
        assert_eq!(edges(&found), [None]);
        assert_eq!(1.0 / found.levels[0].cycles, 32.0);
    }
}
