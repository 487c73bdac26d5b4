//! What a child does with its kernel: call it, choose loop counts, take windows.
//!
//! All of it runs in the child, between other people's code: integers only, no allocation,
//! no lock, nothing that could panic.

mod together;

use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::Ordering::Relaxed;

pub(super) use together::{MeetingPlace, Together};

use super::clock::TickClock;
use super::image::{BufferCell, Function};
use super::machine;
use super::notes::Notes;
use crate::artifact::{BufferNeed, Purpose};
use crate::device::Window;
use crate::device::settle::{Judge, Loops, Pulse, Verdict};
use crate::repetition::window;

/// The functions of one kernel, found in its image.
#[derive(Debug, Clone, Copy)]
pub(in crate::device) struct Functions {
    pub purpose: Purpose,
    pub reference: Function,
    pub sentinel: Option<Function>,
    pub init: Option<Function>,
    pub single: Function,
    pub double: Option<Function>,
    /// Whether windows beside somebody else on the core do not count.
    pub alone: bool,
    /// Whether its memory is the low one.
    pub low: bool,
    /// How many cores run it at the same time.
    pub cores: u32,
    /// The buffer that it needs, and where it finds the address of that.
    pub buffer: Option<(BufferNeed, BufferCell)>,
}

impl Functions {
    /// Whether it has children of its own, and a sample for each core.
    pub(super) fn is_parallel(&self) -> bool {
        self.purpose == Purpose::Time && (self.cores > 1 || self.buffer.is_some())
    }
}

/// How long things may take, in ticks of the clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// The smallest step of the clock.
    pub step: u64,
    /// About how long one call in a window shall take.
    pub target: u64,
    /// After this time no more windows are taken than needed.
    pub budget: u64,
    /// How fast the sentinel is when nobody shares the core, as far as that has been seen.
    pub quiet: Option<Pulse>,
    /// The loop counts of the reference and the sentinel, once a child has found them.
    pub loops: Option<Loops>,
    /// How long every kernel may wait for others to leave the core, even where patience is over.
    pub pause: u64,
}

/// A first call that takes this fraction of the budget is slow for other reasons than being cold.
const SLOW_FRACTION: u64 = 8;

/// Loop counts stop here: functions that ignore theirs would send it to infinity.
const MAX_ITERATIONS: u64 = 1 << 40;

/// How often a loop count is corrected. Two or three times is normal.
const MAX_CORRECTIONS: usize = 40;

/// A call that takes at least this fraction of the target shows how many iterations fill the target.
const TELLING_FRACTION: u64 = 4;

/// The short calls of the reference have this fraction of its iterations.
const SHORT_FRACTION: u64 = 16;

/// A sentinel takes this fraction of the time of a window's other calls. That suffices, because a
/// neighbour slows it down by tens of per cent.
const SENTINEL_FRACTION: u64 = 4;

/// Iterations of the sentinel that bring it back into the caches of instructions before it is timed.
/// (Kernels get none: 24 forms of Zen 4 that turn integers into vectors, such as `VCVTSI2SDrr_Int`,
/// then take 1.23 cycles in most windows and not 1.1.)
const REMINDER: u64 = 1;

/// While a loop count is looked for, the shortest of so many calls counts: for a kernel, and for the
/// reference and the sentinel, whose counts serve all kernels.
const TRIES: usize = 2;
const TRIES_BESIDE: usize = 32;

/// Calls begin in so many phases of the choice of ports. The number is prime, so that calls meet all
/// phases whatever the number of ports and of calls in a window.
const PHASES: u64 = 13;

/// How many phases lie between one call and the next, so that a few windows see phases of all kinds.
const STRIDE: u64 = 5;

/// Calls what an image wants to have run before its functions. A loader passes the command line and the
/// environment; here both are empty.
pub(super) fn construct(stack: *mut u8, constructors: &[Function]) {
    for constructor in constructors {
        // SAFETY: as in `Worker::call`; whatever it does, it does to this child.
        unsafe { machine::call_on(stack, constructor.0, 0) };
    }
}

/// A child at work.
pub(super) struct Worker<'a, C> {
    clock: &'a C,
    stack: *mut u8,
    pace: Pace,
    functions: Functions,
    /// How much longer it may wait for others to leave the core.
    patience: Cell<u64>,
    /// The processes on other cores that it keeps in step with, if there are any.
    together: Option<&'a Together<'a>>,
    /// Of the kernel, so far.
    calls: Cell<u64>,
}

impl<'a, C: TickClock> Worker<'a, C> {
    pub(super) fn new(
        clock: &'a C,
        stack: *mut u8,
        pace: Pace,
        functions: Functions,
        patience: u64,
    ) -> Self {
        let patience = Cell::new(patience.max(pace.pause));
        Self { clock, stack, pace, functions, patience, together: None, calls: Cell::new(0) }
    }

    /// In step with processes on other cores.
    pub(super) fn beside(self, together: Option<&'a Together<'a>>) -> Self {
        Self { together, ..self }
    }

    /// Does what the kernel's purpose asks for, after another kernel of the same child if there
    /// was one. How long the next one may wait for others to leave the core.
    pub(super) fn work(&self, notes: &Notes, previous: Option<&Notes>) -> u64 {
        let patience = self.patience.get();
        self.warm_up();
        let start = self.clock.now();
        let first = self.kernel(self.functions.single, 1);
        notes.first.store(first, Relaxed);
        if self.functions.purpose == Purpose::Time {
            self.time(start, first, notes, previous);
        }
        let left = self.patience.get();
        notes.waited.store(patience.saturating_sub(left), Relaxed);
        left
    }

    /// Brings the stack and the kernel's first page into memory, which takes far longer than an
    /// instruction, so that the first execution tells how slow that is.
    fn warm_up(&self) {
        let Functions { reference, single, .. } = self.functions;
        self.call(reference, 1);
        black_box(single.first_byte());
    }

    fn time(&self, start: u64, first: u64, notes: &Notes, previous: Option<&Notes>) {
        let Functions { reference, sentinel, .. } = self.functions;
        let target = self.pace.target;
        let loops = self.pace.loops.unwrap_or_else(|| Loops {
            reference: self.iterations(target, TRIES_BESIDE, |count| self.call(reference, count)),
            sentinel: sentinel.map_or(0, |sentinel| {
                let target = target / SENTINEL_FRACTION;
                self.iterations(target, TRIES_BESIDE, |count| self.call(sentinel, count))
            }),
        });
        notes.reference_iterations.store(loops.reference, Relaxed);
        notes.sentinel_iterations.store(loops.sentinel, Relaxed);
        match previous {
            Some(previous) => notes.copy_short_calls(previous),
            None => self.time_short_calls(loops.reference / SHORT_FRACTION, notes),
        }

        // A very slow kernel is not called again: the first call has shown how slow it is.
        let longest = self.functions.double.unwrap_or(self.functions.single);
        let iterations = if first > self.pace.budget / SLOW_FRACTION {
            1
        } else {
            self.iterations(target, TRIES, |count| self.kernel(longest, count))
        };
        notes.iterations.store(iterations, Relaxed);
        match self.together {
            Some(together) => {
                self.take_windows_together(together, start, (loops, iterations), notes);
            }
            None => self.take_windows(start, loops, iterations, notes),
        }
    }

    /// Takes windows until they settle, somebody else turns out to be on the core, the time is up,
    /// or there is no more room.
    fn take_windows(&self, start: u64, loops: Loops, iterations: u64, notes: &Notes) {
        let quietest = self.pace.quiet.filter(|_| self.functions.alone);
        let pulse = quietest.map(|quietest| (quietest, loops));
        let bounds = if iterations == 1 { window::COUNT_IF_SLOW } else { window::COUNT };
        let mut windows = [Window::default(); window::MOST];
        let mut judge = Judge::new(self.pace.step, pulse);
        let patience = self.patience.get();
        let mut count = 0;
        let mut last = Window::default();
        let mut sentinel = self.sentinel(loops);
        while let Some(place) = windows.get_mut(count).filter(|_| count < *bounds.end()) {
            let before = self.await_quiet(&judge, &Window { sentinel, ..last }, loops);
            (last, sentinel) = self.window(loops, iterations, before);
            *place = last;
            count += 1;
            let is_open = judge.hear(&last) == Verdict::Open;
            let waited = patience.saturating_sub(self.patience.get());
            let working = self.clock.now().wrapping_sub(start).saturating_sub(waited);
            let is_late = working > self.pace.budget;
            if count >= *bounds.start() && (is_late || !is_open) {
                break;
            }
        }
        notes.set_windows(windows.get(..count).unwrap_or_default());
    }

    /// Waits until nobody else is at work on the core. Calls of the sentinel show that, compared with
    /// the reference of the last window. Returns what the last call took.
    ///
    /// Others come and go within a fraction of a millisecond. (In ten seconds on a virtual machine most
    /// of the quiet time came in stretches of 0.3 to 4 ms, and most of the other time in stretches of
    /// 16 us to 0.5 ms.) So waiting is much shorter than measuring again.
    fn await_quiet(&self, judge: &Judge, last: &Window, loops: Loops) -> u64 {
        let mut sentinel = last.sentinel;
        loop {
            let left = self.patience.get();
            if left == 0 || !judge.is_shared(&Window { sentinel, ..*last }) {
                return sentinel;
            }
            sentinel = self.sentinel(loops);
            self.patience.set(left.saturating_sub(sentinel));
        }
    }

    /// A call of the sentinel, behind one that brings it back into the caches. Otherwise a kernel that
    /// drove it out of them would look like somebody else on the core.
    fn sentinel(&self, loops: Loops) -> u64 {
        self.functions.sentinel.map_or(0, |sentinel| {
            self.call(sentinel, REMINDER);
            self.call(sentinel, loops.sentinel)
        })
    }

    /// A window. `before` is what the call of the sentinel in front of it took; returns the window and
    /// what its own call of the sentinel took, which is the one in front of the next window.
    fn window(&self, loops: Loops, iterations: u64, before: u64) -> (Window, u64) {
        let Functions { reference, single, double, .. } = self.functions;
        let reference_before = self.call(reference, loops.reference);
        let single = self.kernel(single, iterations);
        let double = double.map_or(0, |double| self.kernel(double, iterations));
        let reference_after = self.call(reference, loops.reference);
        let after = self.sentinel(loops);
        let sentinel = after.max(before);
        (Window { reference_before, single, double, reference_after, sentinel }, after)
    }

    /// Times short calls of the reference, which show the cost of a call. Pauses of changing length keep
    /// the calls from falling in step with the tick counter.
    fn time_short_calls(&self, iterations: u64, notes: &Notes) {
        let iterations = iterations.max(1);
        for (pause, cell) in notes.short.iter().enumerate() {
            for step in 0..pause {
                black_box(step);
            }
            cell.store(self.call(self.functions.reference, iterations), Relaxed);
        }
        notes.short_iterations.store(iterations, Relaxed);
    }

    /// The loop count with which a call takes about `target` ticks.
    ///
    /// A call takes `overhead + iterations * body`, so scaling the count by `target / duration`
    /// never overshoots. It is repeated until the overhead is small beside the duration. The shortest of
    /// some calls counts, because a call that others disturb would end the search early.
    fn iterations(&self, target: u64, tries: usize, call: impl Fn(u64) -> u64) -> u64 {
        let mut iterations = 1_u64;
        for _ in 0..MAX_CORRECTIONS {
            let calls = (0..tries).map(|_| call(iterations));
            let duration = calls.fold(u64::MAX, u64::min).max(1);
            if duration >= target - target / 10 || iterations >= MAX_ITERATIONS {
                break;
            }
            // At least a step: a call may be too short for the clock to see.
            let scaled = iterations.saturating_mul(target) / duration.max(self.pace.step).max(1);
            iterations = scaled.clamp(iterations.saturating_add(1), MAX_ITERATIONS);
            if duration >= target / TELLING_FRACTION {
                break;
            }
        }
        iterations
    }

    /// Ticks of one call of a kernel function, after `init`, which is not timed.
    #[inline(always)]
    fn kernel(&self, function: Function, iterations: u64) -> u64 {
        if let Some(init) = self.functions.init {
            let call = self.calls.get().wrapping_add(1);
            self.calls.set(call);
            // SAFETY: as below.
            unsafe { machine::call_on(self.stack, init.0, call.wrapping_mul(STRIDE) % PHASES) };
        }
        self.call(function, iterations)
    }

    /// Ticks of one call.
    #[inline(always)]
    fn call(&self, function: Function, iterations: u64) -> u64 {
        let before = self.clock.now();
        // SAFETY: the function is from an image that is still loaded and has the calling
        // convention that `Artifact` prescribes; the stack is the runner's for this purpose.
        // Whether the code behaves nobody knows: that is why this is a child of its own.
        unsafe { machine::call_on(self.stack, function.0, iterations) };
        self.clock.now().wrapping_sub(before)
    }
}
