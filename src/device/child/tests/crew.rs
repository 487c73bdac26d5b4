//! Kernels on several cores and in buffers, as functions of this program.

use std::sync::atomic::{AtomicPtr, AtomicU64};
use std::time::Instant;

use super::super::memory::Mapping;
use super::*;
use crate::artifact::BufferNeed;
use crate::device::Fault;

/// A nursery for two cores, if this machine has them.
fn on_two_cores() -> Option<Nursery> {
    if affinity::allowed().len() < 2 {
        println!("skipped: this process may use one CPU only");
        return None;
    }
    Some(Nursery {
        settings: Settings { watchdog: Duration::from_millis(300), ..nursery_settings() },
        ..nursery(TickSource::TimeStamp)
    })
}

fn on_cores(cores: u32, single: unsafe extern "C" fn(u64)) -> Functions {
    let spinning = spinning(Purpose::Time);
    Functions { single: Function(single), double: Some(Function(single)), cores, ..spinning }
}

/// Nobody is left of those who ran a kernel.
fn assert_alone() {
    let mut status = 0;
    // SAFETY: the status is our own.
    let left = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG | libc::__WNOTHREAD) };
    assert_eq!((left, io::Error::last_os_error().raw_os_error()), (-1, Some(libc::ECHILD)));
}

#[test]
fn each_core_has_windows_of_its_own() {
    let Some(mut nursery) = on_two_cores() else { return };
    let [first, second, ..] = affinity::allowed()[..] else { panic!("two were allowed") };
    let found = (0..TRIES_BESIDE_OTHER_TESTS).find_map(|_| {
        let mut reports =
            nursery.run(&[on_cores(2, spin), spinning(Purpose::Time)]).unwrap().into_iter();
        let (Some(KernelReport::Parallel(threads)), None) = (reports.next(), reports.next()) else {
            panic!("not one report of two threads")
        };
        let cpus: Vec<Option<u32>> = threads.iter().map(|thread| thread.cpu).collect();
        assert_eq!(cpus, [Some(first), Some(second)]);
        assert_alone();
        let is_timed = threads.iter().all(|thread| !thread.sample.windows.is_empty());
        is_timed.then_some(threads)
    });
    for thread in found.expect("no window counted, however often the kernel was timed") {
        assert!(thread.huge.is_none(), "{thread:?}");
        for window in &thread.sample.windows {
            assert!(window.single > 0 && window.reference_before > 0, "{window:?}");
        }
    }
}

/// Memory that children share, where they count themselves.
static SHARED: AtomicPtr<AtomicU64> = AtomicPtr::new(ptr::null_mut());

/// The first that gets here crashes; the others go on.
unsafe extern "C" fn one_crashes(iterations: u64) {
    // SAFETY: only the test's children run this, and it put a mapping there that outlives them.
    unsafe {
        if (*SHARED.load(Relaxed)).fetch_add(1, Relaxed) == 0 {
            ptr::null_mut::<u8>().write_volatile(0);
        }
        spin(iterations);
    }
}

#[test]
fn a_fault_on_one_core_is_the_kernels_and_ends_all() {
    let Some(mut nursery) = on_two_cores() else { return };
    let shared = libc::MAP_SHARED;
    let page = Mapping::new(4096, libc::PROT_READ | libc::PROT_WRITE, shared).unwrap();
    SHARED.store(page.start().cast(), Relaxed);
    let reports = nursery.run(&[on_cores(2, one_crashes)]).unwrap();
    assert_eq!(reports, [KernelReport::Faulted(Fault::SegmentationFault)]);
    assert_alone();
}

unsafe extern "C" fn forever(_: u64) {
    loop {
        std::hint::spin_loop();
    }
}

#[test]
fn what_never_ends_is_ended_on_all_cores() {
    let Some(mut nursery) = on_two_cores() else { return };
    let begin = Instant::now();
    let reports = nursery.run(&[on_cores(2, forever)]).unwrap();
    assert_eq!(reports, [KernelReport::Faulted(Fault::TimedOut)]);
    assert!(begin.elapsed() < Duration::from_millis(300) * WALL_FACTOR);
    assert_alone();
}

/// Where kernels find their buffer, and what they access of it.
static BUFFER: AtomicU64 = AtomicU64::new(0);
static PLACE: AtomicU64 = AtomicU64::new(0);

unsafe extern "C" fn touch(_: u64) {
    let place = BUFFER.load(Relaxed).wrapping_add(PLACE.load(Relaxed));
    let cell = place as *mut u8;
    // SAFETY: only children run this; what is not theirs faults.
    unsafe { cell.write_volatile(cell.read_volatile().wrapping_add(1)) };
}

/// What becomes of an access to so many bytes from the beginning of a buffer.
fn access(nursery: &mut Nursery, bytes: u64, alignment: u64, place: i64) -> KernelReport {
    PLACE.store(place.cast_unsigned(), Relaxed);
    let buffer = Some((BufferNeed { bytes, alignment }, BufferCell::of(&BUFFER)));
    let functions = Functions { buffer, ..on_cores(1, touch) };
    nursery.run(&[functions]).unwrap().remove(0)
}

#[test]
fn a_buffer_lies_between_guards() {
    let mut nursery = nursery(TickSource::TimeStamp);
    for bytes in [4096_u64, 12 << 10, 2 << 20, 3 << 20] {
        let end = bytes.cast_signed();
        for place in [0, end / 2, end - 1] {
            let report = access(&mut nursery, bytes, 64, place);
            let KernelReport::Parallel(threads) = report else {
                panic!("{bytes} {place}: {report:?}")
            };
            assert_eq!(threads.len(), 1);
            assert!(threads[0].huge.is_none_or(|huge| huge <= bytes), "{:?}", threads[0].huge);
        }
        for place in [-1, end, end + (60 << 10)] {
            let fault = KernelReport::Faulted(Fault::SegmentationFault);
            assert_eq!(access(&mut nursery, bytes, 64, place), fault, "{bytes} {place}");
        }
    }
}

unsafe extern "C" fn crash_if_not_aligned(_: u64) {
    if !BUFFER.load(Relaxed).is_multiple_of(16 << 20) {
        // SAFETY: only children run this.
        unsafe { libc::raise(libc::SIGABRT) };
    }
}

#[test]
fn a_buffer_is_aligned_as_asked() {
    let mut nursery = nursery(TickSource::TimeStamp);
    let need = BufferNeed { bytes: 4096, alignment: 16 << 20 };
    let buffer = Some((need, BufferCell::of(&BUFFER)));
    let reports = nursery.run(&[Functions { buffer, ..on_cores(1, crash_if_not_aligned) }]);
    assert!(matches!(reports.unwrap()[..], [KernelReport::Parallel(_)]));
}

#[test]
fn memory_that_is_not_there_is_an_error_of_the_run() {
    let mut nursery = nursery(TickSource::TimeStamp);
    let need = BufferNeed { bytes: 1 << 50, alignment: 64 };
    let buffer = Some((need, BufferCell::of(&BUFFER)));
    let error = nursery.run(&[Functions { buffer, ..on_cores(1, touch) }]).unwrap_err();
    assert_eq!(error.raw_os_error(), Some(libc::ENOMEM));
    assert_alone();
}
