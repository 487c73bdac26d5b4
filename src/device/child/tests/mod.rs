//! Children that measure functions of this program.
#![allow(unsafe_code, reason = "functions that children call")]

mod crew;

use std::sync::atomic::{AtomicPtr, AtomicU64};

use super::image::BufferCell;
use super::*;
use crate::units::Hertz;

/// How often a kernel is timed again because other tests of this program held its cores up: in every
/// window of several cores, so that none counts, or in the reference, beside which a slow sentinel is
/// not slow. The runner reports such a sample, and a run repeats it.
const TRIES_BESIDE_OTHER_TESTS: usize = 50;

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
        low: false,
        cores: 1,
        buffer: None,
    }
}

fn nursery_settings() -> Settings {
    prepare_process().unwrap();
    Settings {
        source: TickSource::TimeStamp,
        tick: Tick { step: 50, rate: Hertz::new(1e9).unwrap() },
        event: Event::CPU_CLOCK,
        watchdog: WATCHDOG,
        filter: find_filter().unwrap(),
        cores: None,
    }
}

fn nursery(source: TickSource) -> Nursery {
    let settings = Settings { source, ..nursery_settings() };
    Nursery::new(settings, affinity::allowed()).unwrap()
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
    const PATIENCE: u64 = 50_000_000;
    let (briefly, none) = waited(0);
    assert!(briefly <= window::PAUSE && none == 0, "{briefly:?}, {none}");
    let is_long = (0..TRIES_BESIDE_OTHER_TESTS).any(|_| {
        let (long, left) = waited(PATIENCE);
        assert_eq!(Duration::from_nanos(PATIENCE - left), long);
        long > window::PAUSE
    });
    assert!(is_long, "nobody was waited for, however often the kernel was timed");
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
