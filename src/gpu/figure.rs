//! From the records of launches to cycles of an instruction.
//!
//! **Givens.** Launches of one kernel with n and 2n iterations in turn, a record of each wavefront.
//! **Unknown.** Cycles between two instances of the body.
//! **Reduction.** The clock's difference of a launch with 2n less that of the one before with n is n bodies:
//! what the window has besides the loop cancels. The figure is the median over repetitions and
//! wavefronts, its spread the distance from the least to the largest in parts of it. The ratio of
//! the unit's clock to the real time in the same records is the clock during the run.

use super::record::GpuRecord;

/// Cycles of an instruction, as a kernel's launches say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GpuFigure {
    /// The median.
    pub cycles: f64,
    /// From the least to the largest, in parts of the median.
    pub spread: f64,
    /// Ticks of the unit's clock in one of the real time.
    pub clocks_per_tick: Option<f64>,
}

/// Why records give no figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoFigure {
    /// There are no pairs of launches with as many records.
    #[error("launches and records do not match")]
    Unpaired,
    /// More iterations took no longer.
    #[error(
        "twice the iterations take no longer: the loop was not kept, or the clock stands still"
    )]
    NoDifference,
}

/// What tells the time in records: how many bits of the clock count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockBits(pub u32);

impl ClockBits {
    /// A clock that never wraps.
    pub const WHOLE: Self = Self(64);

    fn difference(self, [before, after]: [u64; 2]) -> u64 {
        let difference = after.wrapping_sub(before);
        if self.0 >= 64 { difference } else { difference & ((1 << self.0) - 1) }
    }
}

/// The figure of launches with `iterations` and twice as many in turn, of a body of so many instances.
///
/// # Errors
/// When they give none.
pub fn reduce(
    launches: &[Vec<GpuRecord>],
    iterations: u32,
    instances: u32,
    bits: ClockBits,
) -> Result<GpuFigure, NoFigure> {
    let (pairs, rest) = launches.as_chunks::<2>();
    if pairs.is_empty() || !rest.is_empty() {
        return Err(NoFigure::Unpaired);
    }
    let count = f64::from(iterations) * f64::from(instances);
    let mut cycles = Vec::new();
    let mut ratios = Vec::new();
    for [once, twice] in pairs {
        if once.len() != twice.len() || once.is_empty() {
            return Err(NoFigure::Unpaired);
        }
        for (once, twice) in once.iter().zip(twice) {
            let (short, long) = (bits.difference(once.clock), bits.difference(twice.clock));
            cycles.push((to_number(long) - to_number(short)) / count);
            let real = twice.real[1].wrapping_sub(twice.real[0]);
            if real > 0 {
                ratios.push(to_number(long) / to_number(real));
            }
        }
    }
    let (least, middle, largest) = quantiles(&mut cycles).ok_or(NoFigure::Unpaired)?;
    if middle <= 0.0 {
        return Err(NoFigure::NoDifference);
    }
    let clocks_per_tick = quantiles(&mut ratios).map(|(_, middle, _)| middle);
    Ok(GpuFigure { cycles: middle, spread: (largest - least) / middle, clocks_per_tick })
}

fn to_number(ticks: u64) -> f64 {
    ticks as f64
}

/// The least, the median and the largest.
fn quantiles(values: &mut [f64]) -> Option<(f64, f64, f64)> {
    values.sort_by(f64::total_cmp);
    let middle = *values.get(values.len() / 2)?;
    Some((*values.first()?, middle, *values.last()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(clock: [u64; 2], real: [u64; 2]) -> GpuRecord {
        GpuRecord { clock, real, place: 0, result: 0, number: 0 }
    }

    #[test]
    fn what_is_not_the_loop_cancels() {
        let overhead = 137;
        let once = record([5, 5 + 100 * 16 * 32 + overhead], [0, 100]);
        let twice = record([9, 9 + 200 * 16 * 32 + overhead], [0, 1000]);
        let figure = reduce(&[vec![once], vec![twice]], 100, 16, ClockBits(64)).unwrap();
        assert_eq!((figure.cycles, figure.spread), (32.0, 0.0));
        assert!((figure.clocks_per_tick.unwrap() - 102.537).abs() < 1e-9);
    }

    #[test]
    fn a_short_counter_wraps() {
        let once = record([0xf_ff00, 0x100], [0, 0]);
        let twice = record([0xf_ff00, 0x300], [0, 0]);
        let figure = reduce(&[vec![once], vec![twice]], 1, 16, ClockBits(20)).unwrap();
        assert_eq!((figure.cycles, figure.clocks_per_tick), (32.0, None));
    }

    #[test]
    fn a_loop_that_was_not_kept_is_none() {
        let same = record([0, 50], [0, 1]);
        let launches = [vec![same], vec![same]];
        assert_eq!(reduce(&launches, 1, 16, ClockBits(64)), Err(NoFigure::NoDifference));
        assert_eq!(reduce(&launches[..1], 1, 16, ClockBits(64)), Err(NoFigure::Unpaired));
    }
}
