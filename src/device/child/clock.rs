//! The clocks a child can read without a lock, an allocation or (but for the last) the system.

use super::machine;

/// A counter that only goes up.
pub(in crate::device) trait TickClock {
    /// Its value now, in ticks.
    fn now(&self) -> u64;
}

/// The time-stamp register of the architecture.
pub(in crate::device) struct TimeStamp;

impl TickClock for TimeStamp {
    #[inline(always)]
    fn now(&self) -> u64 {
        machine::time_stamp()
    }
}

/// `CLOCK_MONOTONIC_RAW`, in nanoseconds.
pub(in crate::device) struct Monotonic;

impl TickClock for Monotonic {
    #[inline(always)]
    fn now(&self) -> u64 {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the pointer is to a timespec of our own; the clock exists on every Linux.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC_RAW, &raw mut time) };
        (time.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec as u64)
    }
}
