//! Core cycles as the system counts them for one thread: `perf_event_open(2)`.

use std::io;
use std::ptr;
use std::sync::atomic::{AtomicI64, AtomicU16, AtomicU32, AtomicU64, Ordering};

use super::clock::TickClock;
use super::machine;
use super::memory::page_size;

/// What is counted.
#[derive(Debug, Clone, Copy)]
pub(in crate::device) struct Event {
    /// `PERF_TYPE_*` of `linux/perf_event.h`.
    kind: u32,
    /// Which one of that type.
    config: u64,
}

impl Event {
    /// Core cycles: `PERF_TYPE_HARDWARE`, `PERF_COUNT_HW_CPU_CYCLES`.
    pub(in crate::device) const CYCLES: Self = Self { kind: 0, config: 0 };

    /// Nanoseconds on the CPU, which need no hardware: `PERF_TYPE_SOFTWARE`,
    /// `PERF_COUNT_SW_CPU_CLOCK`.
    #[cfg(test)]
    pub(super) const CPU_CLOCK: Self = Self { kind: 1, config: 0 };

    /// Of no type that a system knows.
    #[cfg(test)]
    pub(super) const UNKNOWN: Self = Self { kind: u32::MAX, config: 0 };
}

/// `struct perf_event_attr` in its first version, which every kernel understands.
#[repr(C)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    config1: u64,
}

/// Count in user mode only, which needs no privilege: `exclude_kernel`, `exclude_hv`.
const USER_ONLY: u64 = 1 << 5 | 1 << 6;

/// The head of `struct perf_event_mmap_page`: what reading a counter without the system needs.
#[repr(C)]
struct Page {
    version: u32,
    compatible_version: u32,
    /// Changes whenever the members below do.
    lock: AtomicU32,
    /// The hardware counter plus one; 0 while it must not be read.
    index: AtomicU32,
    /// To be added to the hardware counter.
    offset: AtomicI64,
    time_enabled: u64,
    time_running: u64,
    capabilities: AtomicU64,
    /// How many bits the hardware counter has.
    width: AtomicU16,
}

/// `cap_user_rdpmc`: user mode may read the hardware counter.
const USER_READ: u64 = 1 << 2;

/// A counter of the calling thread, open until the process ends or it is dropped.
pub(in crate::device) struct Counter {
    descriptor: libc::c_int,
    /// Null when the system does not share the counter.
    page: *const Page,
}

impl Counter {
    /// Starts counting for the calling thread.
    ///
    /// # Errors
    /// When the system has no such counter or forbids it.
    pub(in crate::device) fn open(event: Event) -> io::Result<Self> {
        let attributes = Attributes {
            kind: event.kind,
            size: size_of::<Attributes>() as u32,
            config: event.config,
            sample_period: 0,
            sample_type: 0,
            read_format: 0,
            flags: USER_ONLY,
            wakeup_events: 0,
            breakpoint_type: 0,
            config1: 0,
        };
        let (this_thread, any_cpu, no_group, no_flags) = (0, -1, -1, 0 as libc::c_ulong);
        // SAFETY: the attributes are of the size they claim and outlive the call.
        let descriptor = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw const attributes,
                this_thread,
                any_cpu,
                no_group,
                no_flags,
            )
        };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        let descriptor = descriptor as libc::c_int;
        // SAFETY: a new mapping, of the size that the system defines for this page.
        let page = unsafe {
            libc::mmap(
                ptr::null_mut(),
                page_size(),
                libc::PROT_READ,
                libc::MAP_SHARED,
                descriptor,
                0,
            )
        };
        let page = if page == libc::MAP_FAILED { ptr::null() } else { page.cast_const().cast() };
        Ok(Self { descriptor, page })
    }

    /// The file descriptor that reading may need.
    pub(super) fn descriptor(&self) -> libc::c_int {
        self.descriptor
    }

    /// Reads without the system, in the way that `linux/perf_event.h` prescribes.
    #[inline(always)]
    fn read_directly(&self) -> Option<u64> {
        // SAFETY: the page stays mapped as long as `self`; the system writes to it only in ways
        // that its atomic members allow for.
        let page = unsafe { self.page.as_ref()? };
        if page.capabilities.load(Ordering::Relaxed) & USER_READ == 0 {
            return None;
        }
        loop {
            let lock = page.lock.load(Ordering::Acquire);
            let index = page.index.load(Ordering::Relaxed).checked_sub(1)?;
            let offset = page.offset.load(Ordering::Relaxed);
            let unused = 64_u32.saturating_sub(page.width.load(Ordering::Relaxed).into()) & 63;
            // SAFETY: the page says that user mode may read this counter.
            let raw = unsafe { machine::performance_counter(index)? };
            let count = ((raw << unused).cast_signed() >> unused).wrapping_add(offset);
            if page.lock.load(Ordering::Acquire) == lock {
                return Some(count.cast_unsigned());
            }
        }
    }

    #[inline(always)]
    fn read_from_system(&self) -> u64 {
        let mut count = 0_u64;
        // SAFETY: the buffer is eight bytes, which is what a counter hands out.
        unsafe { libc::syscall(libc::SYS_read, self.descriptor, &raw mut count, size_of::<u64>()) };
        count
    }
}

impl TickClock for Counter {
    #[inline(always)]
    fn now(&self) -> u64 {
        self.read_directly().unwrap_or_else(|| self.read_from_system())
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        // SAFETY: both are this counter's own and not used afterwards.
        unsafe {
            if !self.page.is_null() {
                libc::munmap(self.page.cast_mut().cast(), page_size());
            }
            libc::close(self.descriptor);
        }
    }
}
