//! A machine that takes windows: known durations behind a coarse clock, with disturbances.

use crate::random::Random;
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
}

impl Machine {
    /// What it hands over; the same seed gives the same windows.
    pub fn measure(&self, seed: u64) -> RawSample {
        let mut random = Random::new(seed);
        let target = self.window_steps * self.step as f64 / self.ticks_per_cycle;
        let iterations = (target / (self.body + self.loop_overhead)).ceil();
        let reference_iterations = (target / f64::from(REFERENCE_CYCLES)).ceil();
        let reference = reference_iterations * f64::from(REFERENCE_CYCLES);
        let mut clock = Clock { machine: self, scale: self.ticks_per_cycle, taken: 0 };
        let mut window = || Window {
            reference_before: clock.read(reference, &mut random),
            single: clock.read(iterations * (self.loop_overhead + self.body), &mut random),
            double: clock.read(iterations * (self.loop_overhead + 2.0 * self.body), &mut random),
            reference_after: clock.read(reference, &mut random),
        };
        RawSample {
            iterations: iterations as u64,
            reference_iterations: reference_iterations as u64,
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
        let readings = (4 * machine.windows) as f64;
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
