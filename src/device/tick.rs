//! What a tick is: the step in which the counter advances and its rate.

use std::time::Duration;

use super::child::clock::TickClock;
use crate::units::Hertz;

/// How many consecutive readings the step is judged by.
const READINGS: usize = 4096;

/// Rounding makes at most so many neighbouring advances of one: a counter is scaled once or twice.
const MAX_ROUNDED: usize = 3;

/// How long the rate is measured, in nanoseconds: good to some parts in a million.
const RATE_DURATION: u64 = 20_000_000;

/// A tick source as it was measured once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tick {
    /// The smallest amount by which the counter was seen to advance.
    pub step: u64,
    /// Ticks per second of busy time.
    pub rate: Hertz,
}

impl Tick {
    /// Measures a source; takes about 20 ms. `None` when it does not advance.
    pub(super) fn measure(clock: &dyn TickClock, wall: &dyn TickClock) -> Option<Self> {
        let readings: Vec<u64> = (0..READINGS).map(|_| clock.now()).collect();
        Some(Self { step: step(&readings)?, rate: rate(clock, wall)? })
    }

    /// How many ticks a time is.
    pub(super) fn ticks(&self, time: Duration) -> u64 {
        (time.as_secs_f64() * self.rate.get()) as u64
    }

    /// How long some ticks are.
    #[allow(clippy::cast_precision_loss)] // Nobody asks for more than a microsecond in a second.
    pub(super) fn duration(&self, ticks: u64) -> Duration {
        Duration::try_from_secs_f64(ticks as f64 / self.rate.get()).unwrap_or(Duration::MAX)
    }
}

/// The step of a counter from consecutive readings; `None` when it never advanced.
///
/// A coarse counter read quickly repeats itself, and its smallest advance is its step. Read
/// more slowly, it advances by some multiple of the step, and the step is the distance between
/// the advances that occur. Hypervisors and clocks scale counters, and a step of 24.5 shows up
/// as 24 and 25: a few advances next to each other count as one.
fn step(readings: &[u64]) -> Option<u64> {
    let mut advances: Vec<u64> =
        readings.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
    advances.sort_unstable();
    let repeats = advances.first() == Some(&0);
    advances.retain(|&advance| advance > 0);
    let smallest = *advances.first()?;
    // Longer ones are interruptions.
    let ordinary: Vec<u64> =
        frequent(&advances).into_iter().filter(|&advance| advance <= 4 * smallest).collect();
    let groups: Vec<&[u64]> = ordinary.chunk_by(|a, b| b - a == 1).collect();
    if repeats {
        return Some(smallest);
    }
    if groups.iter().any(|group| group.len() > MAX_ROUNDED) {
        return Some(1);
    }
    let distances = groups.windows(2).map(|pair| pair[1][0] - pair[0][0]);
    Some(distances.fold(smallest, u64::min))
}

/// The values of a sorted list that are not mere accidents, each once.
fn frequent(sorted: &[u64]) -> Vec<u64> {
    let enough = (sorted.len() / 1000).max(1);
    let runs = sorted.chunk_by(|a, b| a == b);
    runs.filter(|run| run.len() >= enough).map(|run| run[0]).collect()
}

/// Ticks per second, from two readings of both clocks [`RATE_DURATION`] apart.
/// `wall` is in nanoseconds.
fn rate(clock: &dyn TickClock, wall: &dyn TickClock) -> Option<Hertz> {
    let start = both(clock, wall);
    while wall.now() < start.1 + RATE_DURATION {
        std::hint::spin_loop();
    }
    let end = both(clock, wall);
    let seconds = (end.1 - start.1) as f64 / 1e9;
    Hertz::new(end.0.checked_sub(start.0)? as f64 / seconds).ok()
}

/// Both clocks at the same time: the narrowest of a few attempts, so that an interruption
/// between two readings does not count.
fn both(clock: &dyn TickClock, wall: &dyn TickClock) -> (u64, u64) {
    let attempts = (0..16).map(|_| {
        let before = wall.now();
        let ticks = clock.now();
        let after = wall.now();
        (after - before, ticks, before.midpoint(after))
    });
    attempts.min().map_or((0, 0), |(_, ticks, wall)| (ticks, wall))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(advances: &[u64]) -> Vec<u64> {
        let mut now = 1000;
        let mut readings = vec![now];
        for advance in advances.iter().cycle().take(advances.len() * 100) {
            now += advance;
            readings.push(now);
        }
        readings
    }

    #[test]
    fn a_coarse_counter_read_quickly() {
        assert_eq!(step(&readings(&[0, 26, 0, 26, 26, 52])), Some(26));
        assert_eq!(step(&readings(&[0, 24, 25, 0])), Some(24));
    }

    #[test]
    fn a_coarse_counter_read_slowly() {
        assert_eq!(step(&readings(&[52, 78, 52, 26 * 4])), Some(26));
        // As recorded on a virtual machine whose counter is scaled.
        assert_eq!(step(&readings(&[49, 73, 74, 74, 73])), Some(24));
        assert_eq!(step(&readings(&[24, 25])), Some(24));
        // The monotonic clock of the same machine.
        assert_eq!(step(&readings(&[20, 21, 29, 30, 30, 31])), Some(9));
    }

    #[test]
    fn a_fine_counter() {
        assert_eq!(step(&readings(&[36, 37, 38, 39, 40])), Some(1));
        assert_eq!(step(&readings(&[36, 37, 38, 39])), Some(1));
        assert_eq!(step(&readings(&[36, 38, 40, 9000])), Some(2));
    }

    #[test]
    fn a_counter_that_stands_still_is_none() {
        assert_eq!(step(&[5, 5, 5]), None);
        assert_eq!(step(&[]), None);
    }

    #[test]
    fn an_accident_is_not_a_step() {
        let mut readings = readings(&[52; 50]);
        let last = *readings.last().unwrap();
        readings.extend([last + 59, last + 59 + 52]);
        assert_eq!(step(&readings), Some(52));
    }
}
