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
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Period {
    /// What so many iterations take.
    pub ticks: Ticks,
    /// The iterations.
    pub iterations: u64,
    /// By which share of `ticks` the average over ever more iterations may be another: 0 where the loop
    /// repeats itself exactly.
    pub off: f64,
}

impl Period {
    /// Of a loop whose iterations take so many cycles.
    #[must_use]
    pub fn of_cycles(cycles: u32) -> Self {
        Self { ticks: Ticks::from(cycles) * CYCLE, iterations: 1, off: 0.0 }
    }
}

/// So many operations are looked at of a loop that does not repeat itself, or as many iterations
/// as suffice for an average.
const MOST_OPERATIONS: usize = 400_000;
const LEAST_ITERATIONS: u64 = 64;
/// A loop repeats itself for all that can be measured where things stand as before but for this share of what
/// passed between: a tenth of the last digit that databases have.
const ALIKE: f64 = 1e-5;
/// Before so much passed, only what repeats itself exactly counts: operations are issued in whole cycles, so
/// that a difference of less may still come to one.
const LEAST_TICKS: Ticks = 2_000 * CYCLE;

/// Runs a loop until it repeats itself. How things stood after one iteration is compared with all
/// that follow; the one is a later one after each doubling (Brent's way of finding cycles).
///
/// Times with many decimals make exact repetitions rare. Where operations only wait for each other, how far two
/// runs of a loop are apart never grows (the maps are non-expansive; Gunawardena 2003, "From max-plus algebra
/// to nonexpansive mappings"): if all times after k iterations are those of before plus `ticks`, but for
/// a difference of `d` at the most, then `k` iterations take `ticks` on average, but for `d`.
#[must_use]
pub fn run_loop(body: &[Operation], units: &[UnitShape], front: Front) -> Period {
    let leeways: Vec<Vec<Ticks>> = body.iter().map(Operation::leeways).collect();
    let mut board = Board::new(body, units, front);
    let most = ((MOST_OPERATIONS / body.len().max(1)) as u64).max(LEAST_ITERATIONS);
    let (mut known, mut then, mut since) = (Standing::default(), 0, 0_u64);
    let mut off = 1.0;
    for iteration in 1..=most {
        for (operation, leeways) in body.iter().zip(&leeways) {
            board.take(operation, leeways);
        }
        let (now, standing) = (board.issue, board.standing());
        let ticks = now - then;
        if let Some(apart) = standing.distance(&known) {
            off = apart as f64 / ticks.max(1) as f64;
            if apart == 0 || (off <= ALIKE && ticks >= LEAST_TICKS) {
                return Period { ticks, iterations: iteration - since, off };
            }
        }
        if iteration.is_power_of_two() && 2 * iteration <= most {
            (known, then, since) = (standing, now, iteration);
        }
    }
    Period { ticks: board.issue - then, iterations: most - since, off }
}

/// All that the future depends on, each time from the last issue on: what lies before it is 0.
#[derive(Debug, Default)]
struct Standing {
    /// What has the same meaning at each iteration.
    times: Vec<Ticks>,
    /// Of each unit how many spans it is occupied for, with those.
    spans: Vec<Ticks>,
    /// When the operations of the window finish, the youngest first; those that have finished are left out.
    finishing: Vec<Ticks>,
}

impl Standing {
    /// How far apart the times of two are at the most; none where they are not of the same.
    fn distance(&self, other: &Self) -> Option<Ticks> {
        let is_alike =
            self.times.len() == other.times.len() && self.spans.len() == other.spans.len();
        if !is_alike {
            return None;
        }
        let times = self.times.iter().zip(&other.times);
        let spans = self.spans.iter().zip(&other.spans);
        let longest = self.finishing.len().max(other.finishing.len());
        let padded = |own: &[Ticks], at: usize| own.get(at).copied().unwrap_or(0);
        let finishing = (0..longest)
            .map(|at| padded(&self.finishing, at).abs_diff(padded(&other.finishing, at)));
        times.chain(spans).map(|(one, other)| one.abs_diff(*other)).chain(finishing).max()
    }
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
    /// What passes at the least from where what leaves that state is issued, where that counts.
    refill: Option<Ticks>,
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
            refill: None,
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
        let wanted = self.cross(operation.crossing, wanted.unwrap_or(issue), issue);
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
    fn cross(&self, crossing: Option<Crossing>, wanted: Ticks, issue: Ticks) -> Ticks {
        match crossing {
            None => wanted,
            Some(Crossing::Enter { .. }) => wanted.max(self.busy_until),
            Some(Crossing::Leave { .. }) => {
                let refilled = self.refill.map_or(0, |refill| issue + refill);
                wanted.max(self.busy_until).max(self.leave_floor).max(refilled)
            }
        }
    }

    fn crossed(&mut self, crossing: Option<Crossing>, start: Ticks) {
        match crossing {
            None => {}
            Some(Crossing::Enter { whole, leaving, refills }) => {
                self.start_floor = self.start_floor.max(start);
                let floor = whole.saturating_sub(leaving);
                self.leave_floor = start + floor;
                self.refill = refills.then_some(floor);
                if refills {
                    self.issue_floor = self.issue_floor.max(start);
                }
            }
            Some(Crossing::Leave { leaving }) => {
                self.start_floor = start + leaving;
                self.busy_until = self.busy_until.max(self.start_floor);
            }
        }
    }

    /// How things stand from now on.
    fn standing(&mut self) -> Standing {
        let now = self.issue;
        let later = |time: Ticks| time.saturating_sub(now);
        let mut times = vec![
            Ticks::from(self.issued) * CYCLE,
            later(self.issue_floor),
            later(self.start_floor),
            later(self.busy_until),
            later(self.leave_floor),
        ];
        times.extend(self.ready.iter().copied().map(later));
        let mut spans = Vec::new();
        self.units.iter_mut().for_each(|unit| unit.settle(now, &mut spans));
        let youngest = self.finished.iter().rev().copied().map(later);
        let finishing = youngest.take_while(|&time| time > 0).collect();
        Standing { times, spans, finishing }
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
        assert_eq!(period.off, 0.0);
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

    /// Times that come round to whole cycles after thousands of iterations only.
    #[test]
    fn what_hardly_ever_repeats_itself_is_averaged_soon() {
        for (busy, chains) in [(2_007_812, 8), (934_897, 4), (333_333, 16), (4_015_627, 1)] {
            let mut body: Vec<_> =
                (0..24).map(|at| operation(&[at % chains], &[at % chains], 4, busy)).collect();
            body.extend((0..3).map(|_| operation(&[90], &[90], 1, 0)));
            let period = run_loop(&body, &[ONE], FRONT);
            let per_iteration = period.ticks as f64 / period.iterations as f64;
            let wanted = (24 * busy).max(24 / chains as Ticks * 4 * CYCLE) as f64;
            assert!((per_iteration / wanted - 1.0).abs() <= ALIKE, "{busy}: {period:?}");
            assert!(period.iterations < 1000 && period.off <= ALIKE, "{busy}: {period:?}");
        }
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

    /// Eight in a cycle are issued: what enters, the work, and what leaves.
    #[test]
    fn a_state_that_refills_the_front_end_takes_longer_with_more_work() {
        let (whole, leaving) = (36 * CYCLE, 4 * CYCLE);
        let at = |crossing| Operation { crossing: Some(crossing), ..Operation::default() };
        for (work, expected) in [(8, 37.0), (16, 38.0), (32, 40.0), (64, 68.0), (128, 132.0)] {
            let mut body = vec![at(Crossing::Enter { whole, leaving, refills: true })];
            body.extend((0..work).map(|_| operation(&[], &[0], 1, CYCLE)));
            body.push(at(Crossing::Leave { leaving }));
            let front = Front { width: 8, window: 600 };
            let period = run_loop(&body, &[ONE], front);
            assert_eq!(period.ticks as f64 / CYCLE as f64 / period.iterations as f64, expected);
        }
    }

    #[test]
    fn a_state_that_takes_its_time_hides_behind_work() {
        let (whole, leaving) = (60 * CYCLE, 4 * CYCLE);
        let at = |crossing| Operation { crossing: Some(crossing), ..Operation::default() };
        for (work, expected) in [(1, 60.0), (40, 60.0), (56, 60.0), (57, 61.0), (90, 94.0)] {
            let mut body = vec![at(Crossing::Enter { whole, leaving, refills: false })];
            body.extend((0..work).map(|_| operation(&[], &[0], 1, CYCLE)));
            body.push(at(Crossing::Leave { leaving }));
            assert_eq!(cycles(&body, &[ONE]), expected, "{work}");
        }
    }
}
