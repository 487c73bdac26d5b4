//! How a machine's clock shows what passes on a scoreboard.

use std::time::Duration;

use super::machine::MachineClock;
use super::operation::CYCLE;
use super::run::Period;
use crate::device::{RawSample, Window};

/// Turns times on a scoreboard into readings of a clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clockwork {
    ticks_per_cycle: f64,
    step: u64,
}

impl Clockwork {
    /// While so many cores are at work.
    pub fn new(clock: &MachineClock, cores: u32) -> Self {
        let step = clock.ticks.map_or(1, |(_, step)| step);
        Self { ticks_per_cycle: clock.ticks_per_cycle(cores), step }
    }

    /// Ticks by which the clock advances at once.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// By how many ticks the clock advances while so many iterations of a loop take `factor` times
    /// what they should, if they begin at a phase of its step (from 0 to 1).
    pub fn reading(&self, period: Period, iterations: u64, factor: f64, phase: f64) -> u64 {
        // Whole periods are whole numbers, which lose nothing.
        let all = u128::from(period.ticks) * u128::from(iterations) / u128::from(period.iterations);
        let ticks = all as f64 / CYCLE as f64 * factor * self.ticks_per_cycle;
        let step = self.step as f64;
        // Products of decimals are a little off whole numbers.
        const SLACK: f64 = 1e-9;
        ((ticks / step * (1.0 + SLACK) + phase).floor() * step) as u64
    }
}

/// Windows of a sample: as many as agree on a core.
const WINDOWS: u32 = 6;
/// The reference runs so often, so that a tick more or less does not count.
pub(super) const ITERATIONS: u64 = 10_000;

/// Loops whose ticks make a sample: a body once and twice, and the reference.
#[derive(Debug, Clone, Copy)]
pub(super) struct SampledLoops {
    pub single: Period,
    pub double: Option<Period>,
    pub reference: Period,
    /// How often the first two run.
    pub iterations: u64,
}

impl Clockwork {
    /// What a core would report of loops, if their bodies take `factor` times what they should.
    pub fn sample(&self, loops: SampledLoops, factor: f64) -> RawSample {
        let window = |number: u32| {
            // Each begins in another phase of the clock's step, as on a machine whose clock
            // knows nothing of its programs.
            let phase = f64::from(number) / f64::from(WINDOWS);
            let of_reference = self.reading(loops.reference, ITERATIONS, 1.0, phase);
            let reading = |period| self.reading(period, loops.iterations, factor, phase);
            Window {
                reference_before: of_reference,
                single: reading(loops.single),
                double: loops.double.map_or(0, reading),
                reference_after: of_reference,
                // Nobody shares it.
                sentinel: 0,
            }
        };
        RawSample {
            sentinel_iterations: 0,
            waited: Duration::ZERO,
            iterations: loops.iterations,
            reference_iterations: ITERATIONS,
            overhead: 0.0,
            tick_step: self.step,
            windows: (0..WINDOWS).map(window).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::frequency::{Frequencies, FrequencyEntry};
    use super::*;
    use crate::units::Hertz;

    fn clock(ticks: Option<(f64, u64)>) -> Clockwork {
        let hertz = |gigahertz: f64| Hertz::new(gigahertz * 1e9).unwrap();
        let frequencies = Frequencies::new(&FrequencyEntry::Constant(3.0)).ok();
        let ticks = ticks.map(|(rate, step)| (hertz(rate), step));
        Clockwork::new(&MachineClock { frequencies, ticks }, 1)
    }

    #[test]
    fn cycles_are_counted_as_they_are() {
        let period = Period { ticks: 7 * CYCLE, iterations: 3, off: 0.0 };
        for phase in [0.0, 0.5, 0.9] {
            assert_eq!(clock(None).reading(period, 30_000, 1.0, phase), 70_000);
        }
        assert_eq!(clock(None).reading(period, 30_000, 1.01, 0.0), 70_700);
    }

    #[test]
    fn coarse_clocks_show_one_of_two_steps() {
        let coarse = clock(Some((0.1, 10)));
        // 10000 cycles are 333.3 ticks, a third of a step above 33 steps.
        let readings = [0.0, 0.25, 0.5, 0.75]
            .map(|phase| coarse.reading(Period::of_cycles(10_000), 1, 1.0, phase));
        assert_eq!(readings, [330, 330, 330, 340]);
    }
}
