//! Children: forked processes, which inherit finished bytes, run them and end.
//!
//! "Every instruction of a CPU" includes those that crash, hang or call the system with
//! whatever the registers hold. So a child
//!
//! * gives up everything but computing before its kernels start (`Filter`), is killed when
//!   it takes too long, and dies with the runner;
//! * is where all code of an image runs, its constructors included, and the only place;
//! * runs kernels on a stack of its own between guards, and looks after each for what it
//!   broke of the calling convention (`breach`);
//! * never allocates, takes no lock and cannot panic: it was forked from the middle of a program;
//! * leaves its results in memory that it shares with the runner (`notes`), so that no result
//!   needs the system either.
//!
//! A process costs as much time as half a kernel. So kernels that are to be timed share a child;
//! each of them ran alone before, to see whether it executes. Each finds memory as if it were the
//! first in its child, and cannot change what is noted about those before it. The first that does
//! anything but compute and return runs again in a child of its own, and those behind it in another.
//!
//! This file and its parts in `child/` are, beside LLVM's bindings, the only unsafe code of winic.
#![allow(
    unsafe_code,
    reason = "fork, loading code and running it are what the compiler cannot check"
)]

mod breach;
pub(super) mod clock;
#[cfg_attr(target_os = "macos", path = "child/macos/counter.rs")]
pub(super) mod counter;
mod ending;
#[cfg_attr(target_os = "macos", path = "child/macos/filter.rs")]
mod filter;
mod image;
mod library;
#[cfg_attr(target_os = "macos", path = "child/macos/limits.rs")]
mod limits;
mod machine;
mod memory;
mod notes;
#[cfg_attr(target_os = "macos", path = "child/macos/process.rs")]
mod process;
#[cfg_attr(target_os = "macos", path = "child/macos/segments.rs")]
mod segments;
mod timing;
mod wait;

use std::io;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use clock::{Monotonic, TickClock, TimeStamp};
use counter::{Counter, Event};
use ending::fault;
pub(super) use filter::Filter;
use filter::Permit;
pub(super) use image::{Function, Image, ImageError, Region};
use machine::Context;
use memory::{SharedNotes, Stack};
use notes::{ChildStage, Notes};
pub(super) use process::cpu_model;
use process::{end, fork};
pub(super) use timing::Functions;
use timing::{Pace, Worker};
use wait::{ChildEnd, wait};

use super::settle::{Loops, Pulse, call_overhead};
use super::tick::Tick;
use super::{KernelReport, RawSample, TickSource};
use crate::artifact::{Purpose, ReferenceFunction, Sentinel};
use crate::repetition::window;

/// A kernel that has used the CPU for this long counts as one that never ends. An ordinary kernel needs
/// a millisecond, and one that traps into a hypervisor a hundred thousand times a second.
pub(super) const WATCHDOG: Duration = Duration::from_secs(2);

/// In real time a child may take so many times longer, because it may have to share its core. (CPU time
/// alone is no limit for a process that somebody stopped.)
pub(super) const WALL_FACTOR: u32 = 10;

/// A call in a window takes at least so many tick steps, so that a step is less than 0.2 % of it.
const TARGET_STEPS: u64 = 600;

/// It also takes at least this long, so that the cost of reading a fine clock is small beside it.
const MIN_TARGET: Duration = Duration::from_micros(4);

/// It takes no longer than this, however coarse the clock is.
const MAX_TARGET: Duration = Duration::from_millis(1);

/// The part of the watchdog's time that a child may wait.
const WAITING_SHARE: u32 = 4;

/// A child runs so many kernels at the most.
const TOGETHER: usize = 16;

/// It starts no further kernel once it has used up the time budget of so many.
const LONG: u64 = 4;

/// The signals that have names are below this; the system refuses to change some of them.
const SIGNALS: libc::c_int = 32;

/// What all children of a runner have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    /// Where ticks come from.
    pub source: TickSource,
    /// What a tick of it is.
    pub tick: Tick,
    /// What a [`TickSource::CycleCounter`] counts.
    pub event: Event,
    /// CPU time that a child may use.
    pub watchdog: Duration,
    /// What keeps it from calling the system.
    pub filter: Filter,
}

/// Makes the runner's process one whose children need little further care: they inherit signal
/// dispositions, limits and the renunciation of privileges. Called once, at the start.
///
/// # Errors
/// When the system denies it.
pub(super) fn prepare_process() -> io::Result<()> {
    // A fault must end the child, since that is how it is reported. So signals that the runner's parent
    // ignores or blocks (`nohup`: SIGHUP), and those that Rust's runtime handles, get their default
    // disposition. SIGPIPE stays ignored: a closed pipe is an error of writing to it.
    for signal in (1..SIGNALS).filter(|&signal| signal != libc::SIGPIPE) {
        // SAFETY: the default disposition runs no code of ours.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    // SAFETY: the set is our own, and outlives the call that copies it.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        check(libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut()).into())?;
    }
    // With SIGXFSZ ignored, a file that grows beyond its limit is an error that can be reported.
    // SAFETY: as above.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    limits::bound_process()?;
    wait::start_beat()?;
    machine::ask_for_states();
    keep_heap_small();
    Ok(())
}

/// Large allocations, such as images on their way to the loader, return to the system once they are
/// freed. Otherwise every fork would copy the page tables of the memory that the heap keeps.
fn keep_heap_small() {
    // By default the allocator raises this threshold to the size of what was freed.
    #[cfg(target_env = "gnu")]
    // SAFETY: sets a number.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 64 << 10);
    }
}

/// Which filter this system offers, tried in children.
///
/// # Errors
/// When there can be no children.
pub(super) fn find_filter() -> io::Result<Filter> {
    for filter in Filter::OFFERED {
        // SAFETY: the child only arms the filter and ends.
        let child = match unsafe { fork()? } {
            None => end(filter.arm(None).is_err().into()),
            Some(child) => child,
        };
        if wait(child, WATCHDOG)? == ChildEnd::Status(0) {
            return Ok(filter);
        }
    }
    Ok(Filter::Absent)
}

/// Runs kernels, one after the other, in children.
pub(super) struct Nursery {
    settings: Settings,
    pace: Pace,
    /// How long kernels may wait for others to leave the core, in ticks: those of the artifact that
    /// are left, and those of one child.
    patience: u64,
    longest_wait: u64,
    stack: Stack,
    notes: SharedNotes<TOGETHER>,
    region: Option<Region>,
    /// What runs in every child before its kernels.
    constructors: Vec<Function>,
    /// What is timed beside the kernels, as far as the pace was found for it.
    beside: Option<(ReferenceFunction, Option<String>)>,
}

impl Nursery {
    /// Sets up what the children share.
    ///
    /// # Errors
    /// When there is no memory.
    pub(super) fn new(settings: Settings) -> io::Result<Self> {
        let step = settings.tick.step;
        let ticks = |time| settings.tick.ticks(time);
        let pace = Pace {
            step,
            target: (TARGET_STEPS * step).min(ticks(MAX_TARGET)).max(ticks(MIN_TARGET)),
            budget: ticks(window::BUDGET),
            quiet: None,
            loops: None,
            pause: ticks(window::PAUSE),
        };
        let (stack, notes) = (Stack::new()?, SharedNotes::new()?);
        let longest_wait = ticks(settings.watchdog / WAITING_SHARE);
        Ok(Self {
            settings,
            pace,
            patience: 0,
            longest_wait,
            stack,
            notes,
            region: None,
            constructors: Vec::new(),
            beside: None,
        })
    }

    /// Runs the first of some kernels, and those behind it that one child may run with it: their
    /// reports, in order, at least one. The image of their functions must be loaded.
    ///
    /// # Errors
    /// When no child could be made; never because of a kernel.
    pub(super) fn run(&mut self, kernels: &[Functions]) -> io::Result<Vec<KernelReport>> {
        let is_timed = |functions: &&Functions| functions.purpose == Purpose::Time;
        let timed = kernels.iter().take(TOGETHER).take_while(is_timed).count();
        if let Some(&functions) = kernels.first().filter(|_| timed > 0 && self.pace.loops.is_none())
        {
            self.calibrate(functions)?;
        }
        if let Some(together) = kernels.get(..timed).filter(|_| timed > 1) {
            let reports = self.reports_of_child(together)?;
            if !reports.is_empty() {
                return Ok(reports);
            }
        }
        kernels.iter().take(1).map(|&functions| self.report_of_child(functions)).collect()
    }

    /// Finds the loop counts of the reference and the sentinel, once for all kernels: in a child
    /// that runs nothing else, because a kernel may write anything into its notes.
    fn calibrate(&mut self, functions: Functions) -> io::Result<()> {
        let alone =
            Functions { single: functions.reference, double: None, init: None, ..functions };
        if let KernelReport::Timed(sample) = self.report_of_child(alone)? {
            self.pace.loops = Some(Loops {
                reference: sample.reference_iterations,
                sentinel: sample.sentinel_iterations,
            });
        }
        Ok(())
    }

    /// Prepares for the kernels of an artifact, which may write into a region of its image.
    pub(super) fn expect(
        &mut self,
        reference: &ReferenceFunction,
        sentinel: Option<&Sentinel>,
        image: &Image,
    ) {
        self.region = image.region();
        self.constructors = image.constructors().to_vec();
        let symbol = |sentinel: &Sentinel| sentinel.symbol.clone();
        // Artifacts name the same code alike.
        let beside = Some((reference.clone(), sentinel.map(symbol)));
        if self.beside != beside {
            self.pace.loops = None;
            self.beside = beside;
        }
        let quiet = sentinel.and_then(|sentinel| sentinel.quiet);
        self.pace.quiet =
            quiet.map(|quiet| Pulse::from_cycles(quiet.0, reference.cycles_per_iteration));
        let patience = sentinel.map_or(Duration::ZERO, |sentinel| sentinel.patience);
        self.patience = self.settings.tick.ticks(patience);
    }

    /// Runs one kernel in a child of its own.
    fn report_of_child(&mut self, functions: Functions) -> io::Result<KernelReport> {
        let end = self.raise(&[functions])?;
        let [notes, ..] = self.notes.get();
        let broken = || breach::fault(notes.breaches.load(Relaxed));
        match fault(end, notes.stage()).or_else(broken) {
            Some(fault) => Ok(KernelReport::Faulted(fault)),
            None if notes.stage() == ChildStage::Denied => {
                Err(io::Error::from_raw_os_error(notes.error.load(Relaxed).cast_signed()))
            }
            None => Ok(self.report(functions.purpose, notes)),
        }
    }

    /// Runs kernels in one child. The reports end before the first kernel that did anything but compute
    /// and return. None where a kernel wrote into the notes on another one.
    fn reports_of_child(&mut self, kernels: &[Functions]) -> io::Result<Vec<KernelReport>> {
        self.raise(kernels)?;
        let notes = self.notes.get();
        let has_ended = |notes: &&Notes| notes.stage() == ChildStage::Finished;
        let ended: Vec<&Notes> = notes.iter().take_while(has_ended).collect();
        if !ended.iter().all(|notes| notes.is_sealed()) {
            return Ok(Vec::new());
        }
        let is_good = |notes: &&&Notes| notes.breaches.load(Relaxed) == 0;
        let good = ended.iter().take_while(is_good);
        Ok(good.map(|notes| self.report(Purpose::Time, notes)).collect())
    }

    /// The whole life of one child.
    fn raise(&mut self, kernels: &[Functions]) -> io::Result<ChildEnd> {
        self.notes.get().iter().for_each(Notes::clear);
        let parent = std::process::id();
        // SAFETY: the child calls only `live`, which keeps to what a forked child may do.
        let end = match unsafe { fork()? } {
            None => self.live(kernels, parent),
            Some(child) => wait(child, self.settings.watchdog * WALL_FACTOR)?,
        };
        for notes in self.notes.get() {
            self.patience = self.patience.saturating_sub(notes.waited.load(Relaxed));
        }
        Ok(end)
    }

    fn report(&self, purpose: Purpose, notes: &Notes) -> KernelReport {
        if purpose == Purpose::Probe {
            return KernelReport::Executed { ticks: notes.first.load(Relaxed) };
        }
        let windows = notes.windows();
        let reference_iterations = notes.reference_iterations.load(Relaxed);
        let long: Vec<u64> = windows
            .iter()
            .flat_map(|window| [window.reference_before, window.reference_after])
            .collect();
        let overhead = call_overhead(
            (notes.short_iterations.load(Relaxed), &notes.short_calls()),
            (reference_iterations, &long),
            self.pace.step,
        );
        KernelReport::Timed(RawSample {
            iterations: notes.iterations.load(Relaxed),
            reference_iterations,
            overhead,
            tick_step: self.pace.step,
            waited: self.settings.tick.duration(notes.waited.load(Relaxed)),
            sentinel_iterations: notes.sentinel_iterations.load(Relaxed),
            windows,
        })
    }

    /// The life of a child, as the child sees it.
    fn live(&self, kernels: &[Functions], parent: u32) -> ! {
        let Settings { source, watchdog, filter, .. } = self.settings;
        let confined = limits::confine(parent, watchdog, filter);
        let outcome = confined.and_then(|()| match source {
            TickSource::TimeStamp => self.work(&TimeStamp, None, kernels),
            TickSource::Monotonic => self.work(&Monotonic, Some(Permit::MONOTONIC), kernels),
            TickSource::CycleCounter => {
                let counter = Counter::open(self.settings.event)?;
                let read = Permit::read(counter.descriptor());
                self.work(&counter, Some(read), kernels)?;
                // Closing it is not permitted any more.
                std::mem::forget(counter);
                Ok(())
            }
        });
        if let Err(error) = outcome {
            let [notes, ..] = self.notes.get();
            let number = error.raw_os_error().unwrap_or(libc::EINVAL);
            notes.error.store(number.cast_unsigned(), Relaxed);
            notes.set_stage(ChildStage::Denied);
        }
        end(0)
    }

    fn work<C: TickClock>(
        &self,
        clock: &C,
        permit: Option<Permit>,
        kernels: &[Functions],
    ) -> io::Result<()> {
        self.settings.filter.arm(permit)?;
        let (start, before) = (clock.now(), Context::read());
        timing::construct(self.stack.start(), &self.constructors);
        let mut patience = self.patience.min(self.longest_wait);
        let mut previous = None;
        for (&functions, notes) in kernels.iter().zip(self.notes.get()) {
            // For the first kernel as well: its time has no page faults in it.
            if let Some(region) = self.region {
                region.clear();
            }
            let worker = Worker::new(clock, self.stack.start(), self.pace, functions, patience);
            patience = worker.work(notes, previous);
            let breaches = machine::breaches() | before.breaches_to(Context::read());
            notes.finish(breaches);
            let taken = clock.now().wrapping_sub(start);
            if breaches != 0 || taken > self.pace.budget.saturating_mul(LONG) {
                break;
            }
            previous = Some(notes);
        }
        Ok(())
    }
}

fn check(result: libc::c_long) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicPtr, AtomicU64};

    use super::*;
    use crate::units::Hertz;

    /// Ten thousand steps of a recurrence for every iteration.
    unsafe extern "C" fn spin(iterations: u64) {
        let mut value = 1_u64;
        for step in 0..iterations * 10_000 {
            value = std::hint::black_box(value.wrapping_mul(3) ^ step);
        }
    }

    fn spinning(purpose: Purpose) -> Functions {
        let spin = Function(spin);
        Functions {
            purpose,
            reference: spin,
            sentinel: Some(spin),
            init: Some(spin),
            single: spin,
            double: Some(spin),
            alone: true,
        }
    }

    fn nursery(source: TickSource) -> Nursery {
        prepare_process().unwrap();
        Nursery::new(Settings {
            source,
            tick: Tick { step: 50, rate: Hertz::new(1e9).unwrap() },
            event: Event::CPU_CLOCK,
            watchdog: WATCHDOG,
            filter: find_filter().unwrap(),
        })
        .unwrap()
    }

    fn assert_times_spinning(source: TickSource) {
        let reports = nursery(source).run(&[spinning(Purpose::Time)]).unwrap();
        let [KernelReport::Timed(sample)] = reports.as_slice() else { panic!("{reports:?}") };
        assert!(sample.windows.len() >= MIN_TEST_WINDOWS, "{sample:?}");
        for window in &sample.windows {
            assert!(window.single > 0 && window.reference_before > 0, "{window:?}");
        }
    }

    const MIN_TEST_WINDOWS: usize = 2;

    #[test]
    fn every_architecture_has_a_time_stamp() {
        assert_times_spinning(TickSource::TimeStamp);
    }

    #[test]
    fn the_monotonic_clock_is_readable_under_the_filter() {
        assert_times_spinning(TickSource::Monotonic);
    }

    #[test]
    fn a_counter_is_readable_under_the_filter() {
        // A software event takes the same way through the system as the cycle counter.
        if let Err(error) = Counter::open(Event::CPU_CLOCK) {
            println!("skipped: this system forbids perf events: {error}");
            return;
        }
        assert_times_spinning(TickSource::CycleCounter);
    }

    #[test]
    fn a_child_that_is_denied_its_clock_is_an_error_of_the_run() {
        let mut nursery = nursery(TickSource::CycleCounter);
        nursery.settings.event = Event::UNKNOWN;
        assert!(nursery.run(&[spinning(Purpose::Probe)]).is_err());
    }

    /// Where the notes on the first kernel are.
    static FIRST: AtomicPtr<Notes> = AtomicPtr::new(ptr::null_mut());

    /// Changes what is noted about the first kernel.
    unsafe extern "C" fn forge(_: u64) {
        // SAFETY: only the test runs this, which put the address there.
        unsafe { (*FIRST.load(Relaxed)).iterations.store(u64::MAX, Relaxed) };
    }

    #[test]
    fn kernels_of_one_child_report_in_order_and_none_for_another() {
        let mut nursery = nursery(TickSource::Monotonic);
        FIRST.store(ptr::from_ref(&nursery.notes.get()[0]).cast_mut(), Relaxed);
        let good = spinning(Purpose::Time);
        let forging = Functions { single: Function(forge), double: None, ..good };
        // As many as one child runs, then those that are left.
        let reports = nursery.run(&[good; TOGETHER + 3]).unwrap();
        assert!((2..=TOGETHER).contains(&reports.len()), "{}", reports.len());
        // A child that ran the forging kernel is not believed: the good one runs again, alone.
        assert_eq!(nursery.run(&[good, forging, good]).unwrap().len(), 1);
        // Nor does a probe share a child with what is timed.
        assert_eq!(nursery.run(&[good, spinning(Purpose::Probe), good]).unwrap().len(), 1);
    }

    static CALLS: AtomicU64 = AtomicU64::new(0);

    /// A sentinel that somebody holds up during most of its first calls.
    unsafe extern "C" fn held_up(iterations: u64) {
        let slower = if (4..50).contains(&CALLS.fetch_add(1, Relaxed)) { 4 } else { 1 };
        // SAFETY: it only counts.
        unsafe { spin(iterations * slower) };
    }

    #[test]
    fn who_shares_the_core_is_waited_for_as_long_as_patience_lasts() {
        let mut nursery = nursery(TickSource::Monotonic);
        let spin = spinning(Purpose::Time);
        nursery.calibrate(spin).unwrap();
        nursery.pace.quiet = Some(Pulse::from_cycles(1.0, 1));
        let mut waited = |patience| {
            nursery.patience = patience;
            let held_up = Functions { sentinel: Some(Function(held_up)), ..spin };
            let reports = nursery.run(&[held_up]).unwrap();
            let [KernelReport::Timed(sample)] = reports.as_slice() else { panic!("{reports:?}") };
            (sample.waited, nursery.patience)
        };
        // Ticks are nanoseconds.
        let (briefly, none) = waited(0);
        assert!(briefly <= window::PAUSE && none == 0, "{briefly:?}, {none}");
        let (long, left) = waited(50_000_000);
        assert!(long > window::PAUSE, "{long:?}");
        assert_eq!(Duration::from_nanos(50_000_000 - left), long);
    }

    static CELL: AtomicU64 = AtomicU64::new(0);

    /// Crashes where it finds what another one wrote.
    unsafe extern "C" fn soil<const NAME: u64>(_: u64) {
        let found = CELL.swap(NAME, Relaxed);
        if found != 0 && found != NAME {
            // SAFETY: only children run this.
            unsafe { libc::raise(libc::SIGABRT) };
        }
    }

    #[test]
    fn what_one_kernel_of_a_child_writes_no_other_reads() {
        let mut nursery = nursery(TickSource::Monotonic);
        let soiling = |soil| Functions { single: Function(soil), ..spinning(Purpose::Time) };
        let kernels = [soiling(soil::<1>), soiling(soil::<2>), soiling(soil::<3>)];
        assert_eq!(nursery.run(&kernels).unwrap().len(), 1);
        nursery.region = Some(Region::of(&CELL));
        assert_eq!(nursery.run(&kernels).unwrap().len(), 3);
    }
}
