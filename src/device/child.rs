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
mod buffer;
pub(super) mod clock;
#[cfg_attr(target_os = "macos", path = "child/macos/counter.rs")]
pub(super) mod counter;
mod crew;
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
mod smaps;
mod timing;
mod wait;

use std::io;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use buffer::Buffer;
use clock::{Monotonic, TickClock, TimeStamp};
use counter::{Counter, Event};
use ending::fault;
pub(super) use filter::Filter;
use filter::Permit;
pub(super) use image::{Function, Image, ImageError, Region};
use machine::Context;
use memory::{LOW_BYTES, LowMemory, SharedNotes, Stack};
use notes::{ChildStage, Notes};
#[cfg(target_os = "macos")]
pub(super) use process::system_number;
pub(super) use process::{cpu_model, prefer};
use process::{end, fork};
pub(super) use timing::Functions;
use timing::{Pace, Together, Worker};
use wait::{ChildEnd, wait};

use super::settle::{Loops, Pulse, call_overhead};
use super::tick::Tick;
use super::{CoreKind, KernelReport, RawSample, TickSource, affinity};
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
    /// The kind of core that it runs on, where none can be chosen by number.
    pub cores: Option<CoreKind>,
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
    low: Option<LowMemory>,
    /// What runs in every child before its kernels.
    constructors: Vec<Function>,
    /// The logical CPUs for kernels that need several, in the order in which they are taken.
    cpus: Vec<u32>,
    /// What is timed beside the kernels, as far as the pace was found for it.
    beside: Option<(ReferenceFunction, Option<String>)>,
}

impl Nursery {
    /// Sets up what the children share.
    ///
    /// # Errors
    /// When there is no memory.
    pub(super) fn new(settings: Settings, cpus: Vec<u32>) -> io::Result<Self> {
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
            low: LowMemory::map(),
            constructors: Vec::new(),
            cpus,
            beside: None,
        })
    }

    /// Bytes that kernels may have at low addresses.
    pub(super) fn low_memory(&self) -> u64 {
        if self.low.is_some() { LOW_BYTES as u64 } else { 0 }
    }

    /// Runs the first of some kernels, and those behind it that one child may run with it: their
    /// reports, in order, at least one. The image of their functions must be loaded.
    ///
    /// # Errors
    /// When no child could be made; never because of a kernel.
    pub(super) fn run(&mut self, kernels: &[Functions]) -> io::Result<Vec<KernelReport>> {
        let is_timed =
            |functions: &&Functions| functions.purpose == Purpose::Time && !functions.is_parallel();
        let timed = kernels.iter().take(TOGETHER).take_while(is_timed).count();
        let first = kernels.first().filter(|first| first.purpose == Purpose::Time);
        if let Some(&functions) = first.filter(|_| self.pace.loops.is_none()) {
            self.calibrate(functions)?;
        }
        if let Some(&functions) = first.filter(|first| first.is_parallel()) {
            return Ok(vec![self.report_of_crew(functions)?]);
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
        let alone = Functions {
            single: functions.reference,
            double: None,
            init: None,
            low: false,
            cores: 1,
            buffer: None,
            ..functions
        };
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
            None => {
                let notes = self.notes.get();
                self.live(kernels, parent, &Post { notes, ..Post::of(self.pace) })
            }
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
        KernelReport::Timed(self.sample(notes))
    }

    /// What a child noted about a kernel that it timed.
    fn sample(&self, notes: &Notes) -> RawSample {
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
        RawSample {
            iterations: notes.iterations.load(Relaxed),
            reference_iterations,
            overhead,
            tick_step: self.pace.step,
            waited: self.settings.tick.duration(notes.waited.load(Relaxed)),
            sentinel_iterations: notes.sentinel_iterations.load(Relaxed),
            windows,
        }
    }

    /// The life of a child, as the child sees it.
    fn live(&self, kernels: &[Functions], parent: u32, post: &Post<'_>) -> ! {
        let Settings { source, watchdog, filter, cores, .. } = self.settings;
        // (A new process need not have its parent's quality of service.)
        let placed = cores.map_or(Ok(()), CoreKind::prefer).and_then(|()| post.take(kernels));
        let confined = placed.and_then(|()| limits::confine(parent, watchdog, filter));
        let outcome = confined.and_then(|()| match source {
            TickSource::TimeStamp => self.work(&TimeStamp, None, kernels, post),
            TickSource::Monotonic => self.work(&Monotonic, Some(Permit::MONOTONIC), kernels, post),
            TickSource::CycleCounter => {
                let counter = Counter::open(self.settings.event)?;
                let read = Permit::read(counter.descriptor());
                self.work(&counter, Some(read), kernels, post)?;
                // Closing it is not permitted any more.
                std::mem::forget(counter);
                Ok(())
            }
        });
        if let (Err(error), Some(notes)) = (outcome, post.notes.first()) {
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
        post: &Post<'_>,
    ) -> io::Result<()> {
        self.settings.filter.arm(permit)?;
        let (start, before) = (clock.now(), Context::read());
        timing::construct(self.stack.start(), &self.constructors);
        let mut patience = self.patience.min(self.longest_wait);
        let mut previous = None;
        for (&functions, notes) in kernels.iter().zip(post.notes) {
            // For the first kernel as well: its time has no page faults in it.
            let low = || self.low.as_ref().map(Region::low);
            if let Some(region) = if functions.low { low() } else { self.region } {
                region.clear();
            }
            let worker = Worker::new(clock, self.stack.start(), post.pace, functions, patience);
            patience = worker.beside(post.together).work(notes, previous);
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

/// What a child is told besides its kernels.
struct Post<'a> {
    notes: &'a [Notes],
    pace: Pace,
    /// The logical CPU that it runs on; else the runner's.
    cpu: Option<u32>,
    /// What keeps it in step with children on other CPUs, if there are any.
    together: Option<&'a Together<'a>>,
}

impl Post<'_> {
    /// On the runner's CPU, with no notes and no others.
    fn of(pace: Pace) -> Self {
        Self { notes: &[], pace, cpu: None, together: None }
    }

    /// Goes to the CPU and maps the buffer of the first kernel, if it needs one: only such a kernel's
    /// child has no other.
    fn take(&self, kernels: &[Functions]) -> io::Result<()> {
        if let Some(cpu) = self.cpu.filter(|_| affinity::PINS) {
            affinity::pin(cpu)?;
        }
        if let Some((need, cell)) = kernels.first().and_then(|first| first.buffer) {
            let buffer = Buffer::map(need)?;
            cell.fill(buffer.start);
            if let Some(notes) = self.notes.first() {
                notes.huge.store(buffer.huge.unwrap_or(Notes::UNKNOWN), Relaxed);
            }
        }
        Ok(())
    }
}

fn check(result: libc::c_long) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
