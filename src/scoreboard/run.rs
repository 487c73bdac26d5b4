//! Loops on a scoreboard, until they repeat themselves: the pure core, which knows no instruction.
//!
//! Operations are looked at in the order of the program, and each finds its times once and for all:
//!
//! 1. **Issue**, in order: in the cycle of the one before or later, so many in a cycle as the width
//!    says, and not before the one that is a window's length in front of it has finished with all
//!    before it.
//! 2. **Start**, in any order: as soon as it is issued, its inputs are there (each may be late by
//!    what its latency is shorter than the longest one), and all units that it occupies are free at
//!    once. Of several units of a kind the one that is free first is taken. Where starts on a unit
//!    must be in order, not before the start of the one before on that unit.
//! 3. **Results**: each is there as long after each of its inputs as the latency of the pair, plus
//!    what the operation waited for units.
//!
//! An operation that serializes is issued when all before it have finished; nothing behind it is
//! issued until it has finished itself.

use std::collections::VecDeque;

use super::calendar::Calendar;
use super::operation::{CYCLE, Crossing, Operation, Ticks, UnitShape};

/// What a core takes of a program at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Front {
    /// Operations issued in a cycle.
    pub width: u32,
    /// Operations between the oldest that has not finished and the youngest that is issued.
    pub window: usize,
}

/// How a loop runs once it repeats itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// What so many iterations take.
    pub ticks: Ticks,
    /// The iterations.
    pub iterations: u64,
    /// Whether it did repeat itself; otherwise the figures are an average over many iterations.
    pub repeats: bool,
}

impl Period {
    /// Of a loop whose iterations take so many cycles.
    #[must_use]
    pub fn of_cycles(cycles: u32) -> Self {
        Self { ticks: Ticks::from(cycles) * CYCLE, iterations: 1, repeats: true }
    }
}

/// So many operations are looked at of a loop that does not repeat itself, or as many iterations
/// as suffice for an average.
const MOST_OPERATIONS: usize = 400_000;
const LEAST_ITERATIONS: u64 = 64;

/// Runs a loop until it repeats itself. How things stood after one iteration is compared with all
/// that follow; the one is a later one after each doubling (Brent's way of finding cycles).
#[must_use]
pub fn run_loop(body: &[Operation], units: &[UnitShape], front: Front) -> Period {
    let leeways: Vec<Vec<Ticks>> = body.iter().map(Operation::leeways).collect();
    let mut board = Board::new(body, units, front);
    let most = ((MOST_OPERATIONS / body.len().max(1)) as u64).max(LEAST_ITERATIONS);
    let (mut known, mut then, mut since) = (Vec::new(), 0, 0_u64);
    for iteration in 1..=most {
        for (operation, leeways) in body.iter().zip(&leeways) {
            board.take(operation, leeways);
        }
        let (now, state) = (board.issue, board.state());
        if state == known {
            return Period { ticks: now - then, iterations: iteration - since, repeats: true };
        }
        if iteration.is_power_of_two() && 2 * iteration <= most {
            (known, then, since) = (state, now, iteration);
        }
    }
    Period { ticks: board.issue - then, iterations: most - since, repeats: false }
}

/// How things stand between two operations.
struct Board {
    front: Front,
    /// When the last operation was issued, and how many with it.
    issue: Ticks,
    issued: u32,
    /// When each piece of machine state is there.
    ready: Vec<Ticks>,
    units: Vec<Calendar>,
    /// When each operation of the window had finished with all before it, the oldest first.
    finished: VecDeque<Ticks>,
    /// Nothing is issued before.
    issue_floor: Ticks,
    /// Nothing starts before.
    start_floor: Ticks,
    /// When the last unit becomes free.
    busy_until: Ticks,
    /// The state that was entered last cannot be left before.
    leave_floor: Ticks,
}

impl Board {
    fn new(body: &[Operation], units: &[UnitShape], front: Front) -> Self {
        let results = body.iter().flat_map(|it| it.results.iter().flat_map(|it| &it.pieces));
        let inputs = body.iter().flat_map(|operation| operation.inputs.iter().flatten());
        let pieces = results.chain(inputs).max().map_or(0, |last| last + 1);
        Self {
            front,
            issue: 0,
            issued: 0,
            ready: vec![0; pieces],
            units: units.iter().copied().map(Calendar::new).collect(),
            finished: VecDeque::with_capacity(front.window),
            issue_floor: 0,
            start_floor: 0,
            busy_until: 0,
            leave_floor: 0,
        }
    }

    fn take(&mut self, operation: &Operation, leeways: &[Ticks]) {
        let issue = self.issue(operation.serializes).max(self.start_floor);
        let ready = |pieces: &Vec<usize>| pieces.iter().map(|&piece| self.ready[piece]).max();
        let inputs: Vec<Ticks> = operation
            .inputs
            .iter()
            .zip(leeways)
            .map(|(pieces, leeway)| ready(pieces).unwrap_or(0).max(issue + leeway))
            .collect();
        let wanted = inputs.iter().zip(leeways).map(|(time, leeway)| time - leeway).max();
        let wanted = self.cross(operation.crossing, wanted.unwrap_or(issue));
        let start = self.occupy(operation, wanted);
        self.crossed(operation.crossing, start);
        let mut finished = start;
        for result in &operation.results {
            let after = inputs.iter().zip(&result.after);
            let latest = after.filter_map(|(time, after)| Some(time + after.as_ref()?)).max();
            let there = latest.map_or(start + result.alone, |there| there + start - wanted);
            result.pieces.iter().for_each(|&piece| self.ready[piece] = there);
            finished = finished.max(there);
        }
        let before = self.finished.back().copied().unwrap_or(0);
        if self.finished.len() == self.front.window {
            self.finished.pop_front();
        }
        self.finished.push_back(finished.max(before));
        if operation.serializes {
            self.issue_floor = finished;
        }
    }

    /// When the next operation is issued.
    fn issue(&mut self, serializes: bool) -> Ticks {
        let is_full = self.finished.len() == self.front.window;
        let place = self.finished.front().copied().filter(|_| is_full).unwrap_or(0);
        let all = self.finished.back().copied().filter(|_| serializes).unwrap_or(0);
        let floor = self.issue_floor.max(place).max(all).next_multiple_of(CYCLE);
        let next = if self.issued == self.front.width { self.issue + CYCLE } else { self.issue };
        if floor.max(next) > self.issue {
            (self.issue, self.issued) = (floor.max(next), 0);
        }
        self.issued += 1;
        self.issue
    }

    /// Occupies all units of an operation at once, and says when.
    fn occupy(&mut self, operation: &Operation, wanted: Ticks) -> Ticks {
        let mut start = wanted;
        loop {
            let free =
                operation.units.iter().map(|it| self.units[it.unit].earliest(start, it.busy));
            match free.map(|(time, _)| time).max() {
                Some(later) if later > start => start = later,
                _ => break,
            }
        }
        for &it in &operation.units {
            let (_, unit) = self.units[it.unit].earliest(start, it.busy);
            self.units[it.unit].occupy(unit, start, it.busy);
            self.busy_until = self.busy_until.max(start + it.busy);
        }
        start
    }

    /// When an operation that crosses into a state or out of it can start.
    fn cross(&self, crossing: Option<Crossing>, wanted: Ticks) -> Ticks {
        match crossing {
            None => wanted,
            Some(Crossing::Enter { .. }) => wanted.max(self.busy_until),
            Some(Crossing::Leave { .. }) => wanted.max(self.busy_until).max(self.leave_floor),
        }
    }

    fn crossed(&mut self, crossing: Option<Crossing>, start: Ticks) {
        match crossing {
            None => {}
            Some(Crossing::Enter { whole, leaving }) => {
                self.start_floor = self.start_floor.max(start);
                self.leave_floor = start + whole.saturating_sub(leaving);
            }
            Some(Crossing::Leave { leaving }) => {
                self.start_floor = start + leaving;
                self.busy_until = self.busy_until.max(self.start_floor);
            }
        }
    }

    /// All that the future depends on, from now on.
    fn state(&mut self) -> Vec<Ticks> {
        let now = self.issue;
        let later = |time: Ticks| time.saturating_sub(now);
        let mut state = vec![
            self.issued.into(),
            later(self.issue_floor),
            later(self.start_floor),
            later(self.busy_until),
            later(self.leave_floor),
        ];
        state.extend(self.ready.iter().copied().map(later));
        self.units.iter_mut().for_each(|unit| unit.settle(now, &mut state));
        // Those that have finished are the first; how many they are does not matter.
        state.extend(self.finished.iter().copied().map(later).filter(|&time| time > 0));
        state
    }
}

#[cfg(test)]
mod tests {
    use super::super::operation::{OperationResult, UnitUse};
    use super::*;

    const FRONT: Front = Front { width: 4, window: 128 };
    const ONE: UnitShape = UnitShape { count: 1, in_order: false };

    /// Reads and writes numbered pieces, each result so many cycles after all inputs.
    fn operation(inputs: &[usize], results: &[usize], cycles: u64, busy: Ticks) -> Operation {
        let result = |&piece: &usize| OperationResult {
            pieces: vec![piece],
            after: vec![Some(cycles * CYCLE); inputs.len()],
            alone: cycles * CYCLE,
        };
        Operation {
            inputs: inputs.iter().map(|&piece| vec![piece]).collect(),
            results: results.iter().map(result).collect(),
            units: vec![UnitUse { unit: 0, busy }],
            ..Operation::default()
        }
    }

    fn cycles(body: &[Operation], units: &[UnitShape]) -> f64 {
        let period = run_loop(body, units, FRONT);
        assert!(period.repeats);
        period.ticks as f64 / CYCLE as f64 / period.iterations as f64
    }

    #[test]
    fn chains_take_their_latency_and_others_their_interval() {
        for (count, latency) in [(1, 4), (2, 4), (1, 7)] {
            let shape = UnitShape { count, ..ONE };
            for independent in 1..=10_usize {
                let body: Vec<_> = (0..independent)
                    .map(|piece| operation(&[piece], &[piece], latency, CYCLE))
                    .collect();
                let expected = (latency as f64).max(independent as f64 / count as f64);
                assert_eq!(cycles(&body, &[shape]), expected, "{count} {latency} {independent}");
            }
        }
    }

    #[test]
    fn fractions_of_a_cycle_are_exact() {
        let body: Vec<_> =
            (0..9).map(|piece| operation(&[piece], &[piece], 3, CYCLE / 2)).collect();
        assert_eq!(cycles(&body, &[ONE]), 4.5);
    }

    #[test]
    fn an_input_that_is_needed_late_has_a_latency_of_its_own() {
        let mut late = operation(&[0, 1], &[0], 4, CYCLE);
        late.results[0].after = vec![Some(2 * CYCLE), Some(4 * CYCLE)];
        assert_eq!(cycles(&[late.clone()], &[ONE]), 2.0);
        late.results[0].pieces = vec![1];
        assert_eq!(cycles(&[late], &[ONE]), 4.0);
    }

    /// Latencies that no start with a fixed offset for each input could explain.
    #[test]
    fn every_pair_has_its_latency() {
        for (chained, expected) in [((0, 0), 3.0), ((0, 1), 1.0), ((1, 0), 1.0), ((1, 1), 3.0)] {
            let mut crossed = operation(&[0, 1], &[2, 3], 1, CYCLE / 4);
            crossed.results[0].after[0] = Some(3 * CYCLE);
            crossed.results[1].after[1] = Some(3 * CYCLE);
            crossed.results[chained.1].pieces = vec![chained.0];
            assert_eq!(cycles(&[crossed], &[ONE]), expected, "{chained:?}");
        }
    }

    #[test]
    fn the_front_end_and_the_window_bound_what_is_free_of_dependences() {
        let free = Operation::default();
        assert_eq!(cycles(&vec![free.clone(); 6], &[]), 1.5);
        let mut slow = operation(&[], &[0], 100, CYCLE);
        slow.units.clear();
        let narrow = Front { width: 4, window: 50 };
        let period = run_loop(&[slow], &[], narrow);
        // As many as the window holds every hundred cycles.
        assert_eq!(period.ticks as f64 / CYCLE as f64 / period.iterations as f64, 2.0);
    }

    #[test]
    fn what_serializes_waits_and_is_waited_for() {
        let body = [
            operation(&[], &[0], 5, CYCLE),
            Operation { serializes: true, ..operation(&[], &[1], 3, CYCLE) },
        ];
        assert_eq!(cycles(&body, &[ONE]), 8.0);
    }

    #[test]
    fn a_state_that_takes_its_time_hides_behind_work() {
        let (whole, leaving) = (60 * CYCLE, 4 * CYCLE);
        let at = |crossing| Operation { crossing: Some(crossing), ..Operation::default() };
        for (work, expected) in [(1, 60.0), (40, 60.0), (56, 60.0), (57, 61.0), (90, 94.0)] {
            let mut body = vec![at(Crossing::Enter { whole, leaving })];
            body.extend((0..work).map(|_| operation(&[], &[0], 1, CYCLE)));
            body.push(at(Crossing::Leave { leaving }));
            assert_eq!(cycles(&body, &[ONE]), expected, "{work}");
        }
    }
}
