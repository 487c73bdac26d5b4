//! A machine that takes windows: known durations behind a coarse clock, with disturbances.

use std::time::Duration;

use crate::random::{Drawn, Random};
use winic::device::{RawSample, Window};

/// Cycles per iteration of the simulated reference.
pub const REFERENCE_CYCLES: u32 = 16;

/// The truth behind the windows.
#[derive(Debug, Clone)]
pub struct Machine {
    /// Cycles per body.
    pub body: f64,
    /// Cycles the loop itself adds to an iteration.
    pub loop_overhead: f64,
    /// Ticks of a call of any function.
    pub call_overhead: f64,
    /// Ticks per cycle at the start.
    pub ticks_per_cycle: f64,
    /// The counter advances by so many ticks at once.
    pub step: u64,
    /// Steps that `T(n)` takes, about.
    pub window_steps: f64,
    /// Windows taken.
    pub windows: usize,
    /// Probability that an interrupt hits one reading.
    pub interrupts: f64,
    /// Relative change of the frequency from the first window to the last.
    pub drift: f64,
    /// Probability that the frequency jumps (by up to a tenth) before a reading.
    pub jumps: f64,
    /// Relative jitter of every duration.
    pub jitter: f64,
    /// Probability that somebody else uses the core during a window, so that the body and the
    /// sentinel take [`SHARED_FACTOR`] times as long, but not the reference, which is one chain.
    pub neighbours: f64,
}

/// What a busy neighbour makes of a duration.
pub const SHARED_FACTOR: f64 = 1.8;

/// Cycles of one iteration of the sentinel on a quiet core.
pub const SENTINEL_CYCLES: f64 = 40.0;

impl Machine {
    /// What it hands over; the same seed gives the same windows.
    pub fn measure(&self, seed: u64) -> RawSample {
        let mut random = Random::new(seed);
        let target = self.window_steps * self.step as f64 / self.ticks_per_cycle;
        let iterations = (target / (self.body + self.loop_overhead)).ceil();
        let reference_iterations = (target / f64::from(REFERENCE_CYCLES)).ceil();
        let reference = reference_iterations * f64::from(REFERENCE_CYCLES);
        let mut clock = Clock { machine: self, scale: self.ticks_per_cycle, taken: 0 };
        let has_sentinel = self.neighbours > 0.0;
        let sentinel_iterations =
            if has_sentinel { (target / SENTINEL_CYCLES / 4.0).ceil() } else { 0.0 };
        let mut window = || {
            let is_shared = random.unit() < self.neighbours;
            let factor = if is_shared { SHARED_FACTOR } else { 1.0 };
            let kernel = |bodies: f64| iterations * (self.loop_overhead + bodies * self.body);
            Window {
                reference_before: clock.read(reference, &mut random),
                single: clock.read(factor * kernel(1.0), &mut random),
                double: clock.read(factor * kernel(2.0), &mut random),
                reference_after: clock.read(reference, &mut random),
                sentinel: if sentinel_iterations > 0.0 {
                    clock.read(factor * sentinel_iterations * SENTINEL_CYCLES, &mut random)
                } else {
                    0
                },
            }
        };
        RawSample {
            iterations: iterations as u64,
            reference_iterations: reference_iterations as u64,
            sentinel_iterations: sentinel_iterations as u64,
            waited: Duration::ZERO,
            overhead: self.call_overhead,
            tick_step: self.step,
            windows: (0..self.windows).map(|_| window()).collect(),
        }
    }
}

struct Clock<'a> {
    machine: &'a Machine,
    scale: f64,
    taken: usize,
}

impl Clock<'_> {
    fn read(&mut self, cycles: f64, random: &mut Random) -> u64 {
        let machine = self.machine;
        if random.unit() < machine.jumps {
            self.scale = machine.ticks_per_cycle * random.between(0.9, 1.1);
        }
        let readings = (5 * machine.windows) as f64;
        let scale = self.scale * (1.0 + machine.drift * self.taken as f64 / readings);
        self.taken += 1;
        let mut duration = cycles * scale * (1.0 + machine.jitter * random.unit());
        duration += machine.call_overhead;
        if random.unit() < machine.interrupts {
            duration += machine.window_steps * machine.step as f64 * random.between(0.001, 3.0);
        }
        let step = machine.step as f64;
        let begin = random.unit() * step;
        ((begin + duration) / step).floor() as u64 * machine.step
    }
}
