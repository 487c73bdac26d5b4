//! Windows whose references agree, with the ticks a cycle took in each.

use super::level::{Grain, Level, Reading, lowest_band};
use super::{Clock, SHARED, Unusable};
use crate::device::{RawSample, Window};
use crate::units::{Cycles, Hertz};

/// References of one window that differ by more (beyond one tick step) saw different frequencies
/// or an interrupt.
const REFERENCE_TOLERANCE: f64 = 0.005;

/// A window whose references agree. Durations are in ticks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steady {
    /// Its place among all windows.
    pub index: usize,
    pub single: f64,
    pub double: f64,
    /// Mean of the two references, without their call overhead.
    pub reference: f64,
    /// By how much the two differ.
    pub gap: f64,
    /// Cycles of one iteration of the sentinel, where there is one.
    pub pulse: Option<f64>,
}

/// The steady windows of a sample and what is needed to convert them.
#[derive(Debug)]
pub(super) struct Windows {
    pub steady: Vec<Steady>,
    pub total: usize,
    pub iterations: f64,
    pub reference_cycles: f64,
    /// Ticks of a call beyond its chain.
    pub overhead: f64,
    pub grain: Grain,
    ticks_per_cycle: Option<f64>,
    tick_rate: Option<Hertz>,
}

impl Windows {
    #[allow(clippy::cast_precision_loss)] // Counts and ticks of short windows stay far below 2^52.
    pub fn new(
        raw: &RawSample,
        clock: &Clock,
        cycles_per_iteration: u32,
    ) -> Result<Self, Unusable> {
        let reference_cycles = raw.reference_iterations as f64 * f64::from(cycles_per_iteration);
        check(raw, reference_cycles)?;
        // A counter of whole ticks cannot be finer than one.
        let step = raw.tick_step.max(1) as f64;
        let ticks_per_cycle = clock.ticks_per_cycle();
        let grain = Grain {
            step,
            scale_step: if ticks_per_cycle.is_some() { 0.0 } else { step / reference_cycles },
        };
        let mut steady = steady(raw, step)?;
        for window in &mut steady {
            // Whatever the clock: only the ratio of the two matters.
            let scale = window.reference / reference_cycles;
            let sentinel = raw.windows[window.index].sentinel as f64 - raw.overhead;
            let iterations = raw.sentinel_iterations as f64;
            window.pulse =
                (sentinel > 0.0 && iterations > 0.0).then_some(sentinel / scale / iterations);
        }
        Ok(Self {
            steady,
            total: raw.windows.len(),
            iterations: raw.iterations as f64,
            reference_cycles,
            overhead: raw.overhead,
            grain,
            ticks_per_cycle,
            tick_rate: clock.tick_rate(),
        })
    }

    /// The windows in which nobody shared the core, as far as these windows can tell: the others
    /// have a sentinel that is slower than the lowest level of several. All of them, where there
    /// is no such level.
    pub fn quiet(&self) -> Vec<Steady> {
        let pulses: Vec<f64> = self.steady.iter().filter_map(|window| window.pulse).collect();
        let Some(band) = lowest_band(&pulses, |lowest| lowest * SHARED / 2.0) else {
            return self.steady.clone();
        };
        let is_quiet = |pulse: f64| pulse <= band.lower * (1.0 + SHARED);
        let quiet = self.steady.iter().filter(|window| window.pulse.is_none_or(is_quiet));
        quiet.copied().collect()
    }

    /// The windows among `candidates` that cannot owe a small result to disturbed references:
    /// those at the lowest level that the references of several windows share, and below.
    pub fn trusted(&self, candidates: &[Steady]) -> Vec<Steady> {
        let references: Vec<f64> = candidates.iter().map(|window| window.reference).collect();
        // The mean of two readings lies within one step like each of them.
        let Some(band) = lowest_band(&references, |_| self.grain.step) else {
            return Vec::new();
        };
        candidates.iter().copied().filter(|window| window.reference <= band.upper).collect()
    }

    /// One kind of reading of some windows, ready to be turned into cycles.
    pub fn readings(&self, windows: &[Steady], ticks: impl Fn(&Steady) -> f64) -> Vec<Reading> {
        let reading = |window: &Steady| Reading {
            window: window.index,
            ticks: ticks(window),
            ticks_per_cycle: self
                .ticks_per_cycle
                .unwrap_or(window.reference / self.reference_cycles),
        };
        windows.iter().map(reading).collect()
    }

    /// What a call of the reference costs beyond its chain, at the clock of these readings.
    pub fn overhead_cycles(&self, level: &Level) -> Cycles {
        Cycles(self.overhead / level.ticks_per_cycle())
    }

    /// The core's frequency as the references of some windows saw it.
    pub fn frequency(&self, used: &[usize]) -> Option<Hertz> {
        let per_cycle = self.mean_over(used, |window| window.reference) / self.reference_cycles;
        Hertz::new(self.tick_rate?.get() / per_cycle).ok()
    }

    /// Cycles of one iteration of the sentinel in some windows, where there is one.
    pub fn pulse(&self, used: &[usize]) -> Option<f64> {
        let pulse = self.mean_over(used, |window| window.pulse.unwrap_or(f64::NAN));
        pulse.is_finite().then_some(pulse)
    }

    /// The mean of a figure over the windows with these indices.
    #[allow(clippy::cast_precision_loss)] // As above.
    pub fn mean_over(&self, used: &[usize], figure: impl Fn(&Steady) -> f64) -> f64 {
        let among = self.steady.iter().filter(|window| used.contains(&window.index));
        among.map(figure).sum::<f64>() / used.len() as f64
    }
}

fn check(raw: &RawSample, reference_cycles: f64) -> Result<(), Unusable> {
    if raw.windows.is_empty() {
        return Err(Unusable::NoWindows);
    }
    if raw.iterations == 0 {
        return Err(Unusable::NoIterations);
    }
    if reference_cycles == 0.0 {
        return Err(Unusable::NoReference);
    }
    if !raw.overhead.is_finite() {
        return Err(Unusable::InvalidOverhead);
    }
    Ok(())
}

fn steady(raw: &RawSample, step: f64) -> Result<Vec<Steady>, Unusable> {
    let timed: Vec<Steady> = (raw.windows.iter().enumerate())
        .map(|(index, window)| durations(index, window, raw.overhead))
        .filter(|window| window.reference > 0.0)
        .collect();
    if timed.is_empty() {
        return Err(Unusable::ReferenceTooShort);
    }
    let agrees = |window: &Steady| window.gap <= REFERENCE_TOLERANCE * window.reference + step;
    let steady: Vec<Steady> = timed.into_iter().filter(agrees).collect();
    if steady.is_empty() {
        return Err(Unusable::NoStableWindow { windows: raw.windows.len() });
    }
    Ok(steady)
}

#[allow(clippy::cast_precision_loss)] // As above.
fn durations(index: usize, window: &Window, overhead: f64) -> Steady {
    let (before, after) = (window.reference_before as f64, window.reference_after as f64);
    Steady {
        index,
        single: window.single as f64,
        double: window.double as f64,
        reference: f64::midpoint(before, after) - overhead,
        gap: (after - before).abs(),
        pulse: None,
    }
}
