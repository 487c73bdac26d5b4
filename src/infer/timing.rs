//! What the body of a timed kernel takes, without the loop around it.

use serde::{Deserialize, Serialize};

use super::whole;
use crate::sample::{SHARED, Sample};
use crate::units::{Cycles, Hertz};

/// What a hidden loop costs an iteration besides its body, at most: the taken branch.
pub const LOOP_CYCLES: f64 = 1.0;

/// Unrollings that differ by less than this share of a duration, beyond its error and the loop's
/// cost, agree.
const SAME_UNROLLED: f64 = 0.05;

/// Two unrollings of a body that do not agree at any length that was tried. One of them shows something
/// else, such as a loop that is too long for the core's cache of instructions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnrollAnomaly {
    /// What an instance takes by `T(n)/n`.
    pub single: Cycles,
    /// What it takes by `(T(2n) - T(n))/n`.
    pub difference: Cycles,
}

/// What the instructions of a loop cost besides its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LoopCost {
    /// They run beside the body, on a core that has issue slots left for them. Now and then they take a
    /// slot that the body wanted. That costs at most [`LOOP_CYCLES`], and not the same in each unrolling.
    #[default]
    Hidden,
    /// They take their turn: the core issues them in order and alone, so that an iteration of a
    /// chain of single-cycle links takes so many cycles more than the links.
    Added(u32),
}

impl LoopCost {
    /// Of a core on which unlike chains of single-cycle links, with so many links in a body, gave
    /// these samples. Nothing hides behind a link of a single cycle: what every iteration takes
    /// besides its links is what the loop adds, and that is the same whole number for all chains.
    /// Short windows show some part of a cycle more, since the end of a loop costs something, too.
    ///
    /// Others on the core delay iterations as well, but never all of them alike. A loop counts as hidden
    /// unless the samples are beyond doubt, because a mistake here would falsify the unit of time and
    /// with it all durations of a run.
    #[must_use]
    pub fn beside(chains: &[(Sample, u32)]) -> Self {
        let whole_cycles = |(sample, links): &(Sample, u32)| {
            let cycle = sample.body / f64::from(*links);
            let added = sample.plain.map_or(0.0, |single| (single - sample.body).0 / cycle.0);
            (added + whole::LOOP.0).max(0.0) as u32
        };
        let Some(added @ 1..) = chains.first().map(whole_cycles) else { return Self::Hidden };
        let is_clear = |(sample, _): &(Sample, u32)| sample.settled && has_majority(sample);
        let pulses = || chains.iter().filter_map(|(sample, _)| sample.pulse).map(|pulse| pulse.0);
        let [least, most] = [pulses().fold(f64::INFINITY, f64::min), pulses().fold(0.0, f64::max)];
        let agree = chains.iter().all(|chain| whole_cycles(chain) == added && is_clear(chain));
        if agree && most <= least * (1.0 + SHARED) { Self::Added(added) } else { Self::Hidden }
    }

    /// Cycles that an iteration of a chain of single-cycle links takes besides them.
    #[must_use]
    pub fn cycles(self) -> u32 {
        match self {
            Self::Hidden => 0,
            Self::Added(cycles) => cycles,
        }
    }

    /// A body's duration: `beside` where the loop is hidden. Where the loop takes its turn it adds the
    /// same to both unrollings, so only their difference is free of it.
    fn choose(self, sample: &Sample, beside: Cycles) -> Cycles {
        match self {
            Self::Hidden => beside,
            Self::Added(_) => sample.body,
        }
    }
}

/// What a body takes by `T(n)` alone, and by `T(2n)` alone, each with the loop's share.
fn unrollings(sample: &Sample) -> Option<(Cycles, Cycles)> {
    sample.plain.map(|single| (single, (single + sample.body) / 2.0))
}

/// How fast the core was while a kernel was timed.
#[derive(Debug, Clone, Copy)]
pub(super) struct CorePace {
    /// Of the core, as the reference shows it.
    pub frequency: Option<Hertz>,
    /// What an iteration of the sentinel took, in cycles of the reference.
    pulse: Option<Cycles>,
}

impl CorePace {
    pub fn of(sample: &Sample) -> Self {
        Self { frequency: sample.frequency, pulse: sample.pulse }
    }

    /// What an iteration of the sentinel took, in cycles of a clock of this frequency instead of
    /// the reference's, if both are known.
    pub fn pulse_at(self, clock: Option<Hertz>) -> Option<Cycles> {
        let both = clock.zip(self.frequency);
        let scale = both.map_or(1.0, |(clock, own)| clock.get() / own.get());
        self.pulse.map(|pulse| pulse * scale)
    }
}

/// Whether most windows contributed.
fn has_majority(sample: &Sample) -> bool {
    2 * sample.windows_used >= sample.windows_total
}

/// A timed kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// What the windows say.
    pub sample: Sample,
    /// What the body holds: instances of the subject, or passes of the chain.
    pub instances: u32,
    /// What the body takes.
    duration: Cycles,
}

impl Timing {
    /// Of a body of independent instances. The difference of the two unrollings holds nothing of the
    /// loop, but the errors of both. A single unrolling holds the loop, which costs at most
    /// [`LOOP_CYCLES`] where it is hidden. So the difference counts, but only within the bounds that
    /// the faster unrolling sets.
    #[must_use]
    pub fn of_instances(sample: Sample, instances: u32, loop_cost: LoopCost) -> Self {
        let (upper, share) = unrollings(&sample).map_or((sample.body, 0.0), |(single, half)| {
            // Of equal ones the longer body, whose share of the loop is smaller.
            if single.0 + LOOP_CYCLES < half.0 {
                (single, LOOP_CYCLES)
            } else {
                (half, LOOP_CYCLES / 2.0)
            }
        });
        let lower = Cycles((upper.0 - share).max(0.0));
        let beside = sample.body.max(lower).min(upper);
        Self { duration: loop_cost.choose(&sample, beside), sample, instances }
    }

    /// Of a body that is one chain. A hidden loop is off the critical path, but its instructions,
    /// or those of a neighbour on the same core, can delay a link: `T(n)` and `T(2n)` are then each
    /// too long by some part of a cycle or more per iteration, independently, and their difference
    /// is wrong in either direction. Neither is ever too short, so the smaller of `T(n)/n` and
    /// `T(2n)/2n` is what counts.
    #[must_use]
    pub fn of_chain(sample: Sample, passes: u32, loop_cost: LoopCost) -> Self {
        let beside = unrollings(&sample).map_or(sample.body, |(single, half)| single.min(half));
        Self { duration: loop_cost.choose(&sample, beside), sample, instances: passes }
    }

    /// Of two timings of one body these count, in this order: one that settled; that of a quieter core;
    /// one on which most windows agree; the more certain one. The faster one does not count for being
    /// faster: a reference that was held up makes its kernel look fast.
    pub(super) fn is_better_than(&self, old: &Self) -> bool {
        let (new, known) = (self.sample, old.sample);
        if new.settled != known.settled {
            return new.settled;
        }
        // On the clock of the faster reference, which somebody else held up less.
        let clock = new.frequency.zip(known.frequency).map(|(a, b)| if a > b { a } else { b });
        let exceeds = |a: Option<Cycles>, b: Option<Cycles>| {
            a.zip(b).is_some_and(|(a, b)| a.0 > b.0 * (1.0 + SHARED))
        };
        let (pulse, before) = (self.pulse_at(clock), old.pulse_at(clock));
        if exceeds(pulse, before) || exceeds(before, pulse) {
            return exceeds(before, pulse);
        }
        if self.has_majority() != old.has_majority() {
            return self.has_majority();
        }
        self.uncertainty() < old.uncertainty()
    }

    /// Whether most windows contributed.
    pub(super) fn has_majority(&self) -> bool {
        has_majority(&self.sample)
    }

    /// Whether a chain's pass takes whole cycles, as that of an undisturbed chain does.
    pub(super) fn is_of_whole_cycles(&self) -> bool {
        whole::is_whole(self.each(), whole::UNDISTURBED) && self.uncertainty() <= whole::SURE
    }

    /// See [`CorePace::pulse_at`].
    pub(super) fn pulse_at(&self, clock: Option<Hertz>) -> Option<Cycles> {
        CorePace::of(&self.sample).pulse_at(clock)
    }

    /// Whether the two unrollings of a body of instances say different things.
    #[must_use]
    pub fn unroll_anomaly(&self) -> Option<UnrollAnomaly> {
        let single = self.sample.plain?;
        let difference = self.sample.body;
        let room = self.sample.uncertainty.0 + SAME_UNROLLED * difference.0.max(single.0);
        let agree = -room..=LOOP_CYCLES + room;
        let each = |body: Cycles| body / f64::from(self.instances);
        (!agree.contains(&(single - difference).0))
            .then(|| UnrollAnomaly { single: each(single), difference: each(difference) })
    }

    /// Duration of one instance or pass.
    #[must_use]
    pub fn each(&self) -> Cycles {
        self.duration / f64::from(self.instances)
    }

    /// Its uncertainty.
    #[must_use]
    pub fn uncertainty(&self) -> Cycles {
        self.sample.uncertainty / f64::from(self.instances)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing(single: f64, difference: f64) -> Timing {
        let sample = Sample {
            body: Cycles(difference),
            uncertainty: Cycles(0.2),
            plain: Some(Cycles(single)),
            frequency: None,
            pulse: None,
            windows_used: 6,
            windows_total: 6,
            settled: true,
        };
        Timing::of_instances(sample, 10, LoopCost::Hidden)
    }

    #[test]
    fn unrollings_may_differ_by_the_loop_and_by_their_error() {
        for (single, difference) in [(20.0, 20.0), (21.1, 20.0), (20.0, 20.9)] {
            assert_eq!(timing(single, difference).unroll_anomaly(), None);
        }
        let anomaly = timing(30.0, 20.0).unroll_anomaly();
        assert_eq!(anomaly, Some(UnrollAnomaly { single: Cycles(3.0), difference: Cycles(2.0) }));
        assert!(timing(17.0, 20.0).unroll_anomaly().is_some());
    }
}
