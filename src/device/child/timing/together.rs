//! The same kernel on several cores at the same time.
//!
//! A process on each core calls it. Windows are taken in step: before a process times a call it has called
//! the kernel for a while, until all others do so as well, and behind it goes on until the last of
//! them has timed its own. So whatever they share is shared for the whole of every timed call. The
//! references are timed at the same time, too, each on its own core.
//!
//! Somebody who takes a core away from one of the processes leaves more of what is shared to the others,
//! who would look too fast. So a window counts for nobody if one of them was held up in it.

use std::cell::Cell;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{Loops, Worker};
use crate::device::Window;
use crate::device::child::clock::TickClock;
use crate::device::child::image::Function;
use crate::device::child::notes::Notes;
use crate::device::settle::{Judge, Verdict};
use crate::repetition::window;

/// Calls around a timed one take this fraction of its iterations.
const PARTS: u64 = 8;

/// A call that takes so many times as long as the shortest before it was held up, unless it took less than
/// this fraction of the budget: nobody gets a core for a shorter time.
const HELD_UP: u64 = 4;
const NOT_GIVEN_AWAY: u64 = 250;

/// After so many times the budget a kernel ends even where hardly any window counted.
const OVERDUE: u64 = 8;

/// Where the processes meet: numbers that only grow, each in a line of its own. They are atomic because
/// processes share them; what they guard is time and no memory.
#[repr(C)]
pub(in crate::device::child) struct MeetingPlace {
    arrived: Lone,
    running: Lone,
    timed: Lone,
    held_up: Lone,
    satisfied: Lone,
}

/// A number without neighbours.
#[repr(C, align(128))]
struct Lone(AtomicU64);

/// One process of several.
pub(in crate::device::child) struct Together<'a> {
    place: &'a MeetingPlace,
    /// How many there are.
    threads: u64,
    /// How often it met the others, and called the kernel beside them.
    meetings: Cell<u64>,
    rounds: Cell<u64>,
    /// What an iteration took at the least, in fractions of a tick, of each kind of function.
    shortest: [Cell<u64>; 2],
}

/// Which of a kernel's functions is called.
#[derive(Clone, Copy)]
enum Kind {
    Single,
    Double,
}

/// Fractions of a tick that durations of iterations are kept in.
const FRACTION: u64 = 1 << 10;

impl<'a> Together<'a> {
    pub fn new(place: &'a MeetingPlace, threads: u64) -> Self {
        let shortest = [const { Cell::new(u64::MAX) }; 2];
        Self { place, threads, meetings: Cell::new(0), rounds: Cell::new(0), shortest }
    }

    /// Goes on when all are here. Who waits for somebody that has ended is ended by the runner.
    fn meet(&self) {
        let all = next(&self.meetings).wrapping_mul(self.threads);
        self.place.arrived.0.fetch_add(1, Relaxed);
        while self.place.arrived.0.load(Relaxed) < all {
            spin_loop();
        }
    }
}

fn next(count: &Cell<u64>) -> u64 {
    count.set(count.get().wrapping_add(1));
    count.get()
}

impl<C: TickClock> Worker<'_, C> {
    /// Takes windows in step with others until those of all have settled, or the time is up.
    pub(super) fn take_windows_together(
        &self,
        together: &Together<'_>,
        start: u64,
        (loops, iterations): (Loops, u64),
        notes: &Notes,
    ) {
        let bounds = if iterations == 1 { window::COUNT_IF_SLOW } else { window::COUNT };
        let mut windows = [Window::default(); window::MOST];
        // Two threads of one core slow each other's sentinels.
        let mut judge = Judge::new(self.pace.step, None);
        let (mut count, mut is_satisfied) = (0, false);
        loop {
            let held_up = together.place.held_up.0.load(Relaxed);
            let taken = self.window_together(together, loops, iterations);
            together.meet();
            let counts = together.place.held_up.0.load(Relaxed) == held_up;
            if let Some(place) = windows.get_mut(count).filter(|_| counts) {
                *place = taken;
                count += 1;
            }
            let is_open = !counts || judge.hear(&taken) == Verdict::Open;
            let working = self.clock.now().wrapping_sub(start);
            let is_late = working > self.pace.budget;
            let is_overdue = working > self.pace.budget.saturating_mul(OVERDUE);
            let is_enough = count >= *bounds.start() && (is_late || !is_open);
            if !is_satisfied && (is_enough || is_overdue || count >= *bounds.end()) {
                is_satisfied = true;
                together.place.satisfied.0.fetch_add(1, Relaxed);
            }
            // All see the same number: nobody votes again before the next window.
            together.meet();
            if together.place.satisfied.0.load(Relaxed) >= together.threads {
                break;
            }
        }
        notes.set_windows(windows.get(..count).unwrap_or_default());
    }

    fn window_together(&self, together: &Together<'_>, loops: Loops, iterations: u64) -> Window {
        let reference = self.functions.reference;
        together.meet();
        let reference_before = self.call(reference, loops.reference);
        let single = (self.functions.single, Kind::Single);
        let single = self.beside_all(together, single, iterations);
        let double = self.functions.double.map(|double| (double, Kind::Double));
        let double = double.map_or(0, |double| self.beside_all(together, double, iterations));
        together.meet();
        let reference_after = self.call(reference, loops.reference);
        Window { reference_before, single, double, reference_after, sentinel: 0 }
    }

    /// Ticks of a call that all others run the same function beside.
    fn beside_all(
        &self,
        together: &Together<'_>,
        (function, kind): (Function, Kind),
        iterations: u64,
    ) -> u64 {
        let all = next(&together.rounds).wrapping_mul(together.threads);
        let MeetingPlace { running, timed, .. } = together.place;
        let part = (iterations / PARTS).max(1);
        // Until all run nobody is timed, and it does not matter who is late.
        self.call(function, part);
        running.0.fetch_add(1, Relaxed);
        while running.0.load(Relaxed) < all {
            self.call(function, part);
        }
        let mut last = self.clock.now();
        let mut is_held_up = false;
        // What the shortest call so far says of one with so many iterations.
        let mut look = |iterations: u64| {
            let now = self.clock.now();
            let taken = now.wrapping_sub(last);
            last = now;
            let shortest = &together.shortest[kind as usize];
            shortest.set(shortest.get().min(taken.saturating_mul(FRACTION) / iterations));
            let usual = shortest.get().saturating_mul(iterations) / FRACTION;
            let allowed = usual.saturating_mul(HELD_UP).max(self.pace.budget / NOT_GIVEN_AWAY);
            is_held_up |= taken > allowed;
        };
        let ticks = self.kernel(function, iterations);
        look(iterations);
        timed.0.fetch_add(1, Relaxed);
        while timed.0.load(Relaxed) < all {
            self.call(function, part);
            look(part);
        }
        if is_held_up {
            together.place.held_up.0.fetch_add(1, Relaxed);
        }
        ticks
    }
}
