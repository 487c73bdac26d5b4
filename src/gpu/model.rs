//! What the throughput and the power of matrix units follow, by few parameters.
//!
//! Source: the AMD matrix core paper (seed 004), equations 2 and 3.
//! * Equation 2, generalised: `FLOPS(N) = operations / cycles * min(N, units) * clock`, for N wavefronts with
//!   one unit each. Behind the knee rounds of units are started whole: a round that is not full leaves
//!   units idle.
//! * Equation 3: the power of a device is a line over its throughput, `PC = a Th + b`.

/// Throughput of so many wavefronts, in operations a second: equation 2, with rounds.
///
/// `operations` and `cycles` are of one instruction, `clock` is in Hz.
#[must_use]
pub fn throughput(operations: f64, cycles: f64, wavefronts: u32, units: u32, clock: f64) -> f64 {
    let rounds = wavefronts.div_ceil(units.max(1)).max(1);
    operations / cycles * f64::from(wavefronts) / f64::from(rounds) * clock
}

/// A line through points: `y = slope x + intercept`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// What y grows by.
    pub slope: f64,
    /// What y is at 0.
    pub intercept: f64,
    /// The largest distance of a point from the line, in units of y.
    pub residual: f64,
}

impl Line {
    /// The line with the least squares of distances; none of fewer than two places.
    #[must_use]
    pub fn fit(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        if points.len() < 2 || spread <= 0.0 {
            return None;
        }
        let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
        let intercept = y - slope * x;
        let distance = |point: &(f64, f64)| (point.1 - slope * point.0 - intercept).abs();
        let residual = points.iter().map(distance).fold(0.0, f64::max);
        Some(Self { slope, intercept, residual })
    }

    /// Its y at a place.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        self.slope * x + self.intercept
    }
}

/// Where throughput stops to grow with the number of wavefronts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knee {
    /// Wavefronts with which every unit is busy.
    pub wavefronts: f64,
    /// Throughput there, in units of the points.
    pub peak: f64,
}

/// Up to which share of the peak points count as those below the knee.
const BELOW: f64 = 0.75;

/// The knee of points of wavefronts and throughput: where a line through the origin and the lower ones
/// reaches the highest. None where no point is below it.
#[must_use]
pub fn knee(points: &[(f64, f64)]) -> Option<Knee> {
    let peak = points.iter().map(|point| point.1).fold(0.0, f64::max);
    let first = points.iter().position(|point| point.1 > BELOW * peak)?;
    let below = points[..first].iter().filter(|point| point.0 > 0.0);
    let (top, bottom) =
        below.fold((0.0, 0.0), |(top, bottom), (x, y)| (top + x * y, bottom + x * x));
    (bottom > 0.0 && top > 0.0).then(|| Knee { wavefronts: peak * bottom / top, peak })
}

/// Mean, standard deviation and number of samples, without those at both ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trimmed {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of a sample.
    pub deviation: f64,
    /// Samples that count.
    pub count: usize,
}

/// The share of samples at each end that do not count: power needs a while to settle.
const ENDS: f64 = 0.1;

/// Trims samples in the order in which they were taken; none where none is left.
#[must_use]
pub fn trimmed(samples: &[f64]) -> Option<Trimmed> {
    let end = (samples.len() as f64 * ENDS).floor() as usize;
    let kept = samples.get(end..samples.len() - end).filter(|kept| !kept.is_empty())?;
    let mean = kept.iter().sum::<f64>() / kept.len() as f64;
    let squares: f64 = kept.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = if kept.len() > 1 { (squares / (kept.len() - 1) as f64).sqrt() } else { 0.0 };
    Some(Trimmed { mean, deviation, count: kept.len() })
}

/// What bounds how many wavefronts a unit keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisterRoom {
    /// Registers of a lane, for all wavefronts together.
    pub registers: u32,
    /// In steps of so many a wavefront gets them.
    pub step: u32,
    /// Wavefronts, whatever they need.
    pub most: u32,
}

impl RegisterRoom {
    /// How many wavefronts of a kernel have room at once, by the registers that a lane of it takes.
    #[must_use]
    pub fn occupancy(self, registers: u32) -> u32 {
        let each = registers.max(1).next_multiple_of(self.step.max(1));
        (self.registers / each).min(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_back_from_its_points() {
        let points: Vec<(f64, f64)> =
            (1..9).map(f64::from).map(|x| (x, 0.61 * x + 123.0)).collect();
        let line = Line::fit(&points).unwrap();
        assert!((line.slope - 0.61).abs() < 1e-9 && (line.intercept - 123.0).abs() < 1e-9);
        assert!(line.residual < 1e-9);
        assert_eq!(Line::fit(&[(1.0, 1.0), (1.0, 2.0)]), None);
    }

    #[test]
    fn the_knee_is_where_units_end() {
        let of = |count: u32| throughput(16384.0, 64.0, count, 440, 1.7e9);
        let points: Vec<(f64, f64)> =
            (1..=64).map(|step| 16 * step).map(|it| (f64::from(it), of(it))).collect();
        let knee = knee(&points).unwrap();
        assert!((knee.wavefronts - 440.0).abs() < 10.0, "{knee:?}");
        // Half a round more than one takes two.
        assert!(of(660) < 0.76 * of(440) && of(880) == of(440));
    }

    #[test]
    fn ends_do_not_count() {
        let mut samples = vec![100.0; 20];
        samples[0] = 1.0;
        samples[19] = 900.0;
        assert_eq!(trimmed(&samples), Some(Trimmed { mean: 100.0, deviation: 0.0, count: 16 }));
        assert_eq!(trimmed(&[]), None);
    }

    #[test]
    fn registers_limit_occupancy() {
        let unit = RegisterRoom { registers: 512, step: 8, most: 8 };
        assert_eq!([128, 33, 8].map(|it| unit.occupancy(it)), [4, 8, 8]);
        assert_eq!(RegisterRoom { registers: 2048, step: 8, most: 64 }.occupancy(33), 51);
    }
}
