//! What bounds a runner and its children on macOS: time, files, the stack. Address space cannot be
//! bounded, because the system maps its own libraries far beyond any bound; and no child hears of its
//! parent's death, but its CPU time is bounded.

use std::io;
use std::ptr;
use std::time::Duration;

use super::filter::Filter;
use super::{check, end};

/// How far the stack of a program may grow.
const STACK: u64 = 8 << 20;

/// Bounds the calling process and with it its children, for good.
///
/// # Errors
/// When the system denies it.
pub(super) fn bound_process() -> io::Result<()> {
    bound(libc::RLIMIT_CORE, 0)?;
    bound(libc::RLIMIT_STACK, STACK)
}

/// The descriptors that a runner has: its standard input and output, and what it says to people.
const LAST_STANDARD: libc::c_int = 2;

/// Confines the calling process, a child of `parent`: what it cannot inherit.
///
/// # Errors
/// When the system denies it.
pub(super) fn confine(parent: u32, watchdog: Duration, _filter: Filter) -> io::Result<()> {
    // SAFETY: these calls take numbers only; a child uses no descriptor that it inherits.
    unsafe {
        if libc::getppid().cast_unsigned() != parent {
            end(1);
        }
        // The handler that interrupts the runner's waits is not for a child to run.
        libc::signal(libc::SIGALRM, libc::SIG_DFL);
        libc::signal(libc::SIGXFSZ, libc::SIG_DFL);
        for descriptor in 0..=LAST_STANDARD {
            libc::close(descriptor);
        }
    }
    bound(libc::RLIMIT_NPROC, 0)?;
    bound(libc::RLIMIT_FSIZE, 0)?;
    // In whole seconds, and later than the timer: for a kernel that the timer cannot end.
    let seconds = watchdog.as_secs() + 2;
    set(libc::RLIMIT_CPU, libc::rlimit { rlim_cur: seconds, rlim_max: seconds + 1 })?;
    arm_timer(libc::ITIMER_PROF, watchdog, Duration::ZERO)
}

/// Lowers a limit, unless it is that low already.
fn bound(resource: libc::c_int, limit: u64) -> io::Result<()> {
    let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is our own and outlives the call that fills it.
    unsafe { check(libc::getrlimit(resource, &raw mut now).into())? };
    let limit = limit.min(now.rlim_max);
    set(resource, libc::rlimit { rlim_cur: limit.min(now.rlim_cur), rlim_max: limit })
}

fn set(resource: libc::c_int, limit: libc::rlimit) -> io::Result<()> {
    // SAFETY: the structure outlives the call that copies it.
    unsafe { check(libc::setrlimit(resource, &raw const limit).into()) }
}

/// Has the system send the timer's signal after a time and, unless `again` is zero, ever again.
pub(super) fn arm_timer(timer: libc::c_int, time: Duration, again: Duration) -> io::Result<()> {
    let value = |time: Duration| libc::timeval {
        tv_sec: time.as_secs() as libc::time_t,
        tv_usec: time.subsec_micros() as libc::suseconds_t,
    };
    let setting = libc::itimerval { it_interval: value(again), it_value: value(time) };
    // SAFETY: the structure outlives the call that copies it.
    unsafe { check(libc::setitimer(timer, &raw const setting, ptr::null_mut()).into()) }
}
