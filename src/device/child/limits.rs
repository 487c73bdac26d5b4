//! What bounds a runner and its children on Linux, beside the filter: memory, time, files.

use std::io;
use std::ptr;
use std::time::Duration;

use super::filter::Filter;
use super::{check, end};

// Arguments of system calls that are as wide as a register.
const ZERO: libc::c_ulong = 0;
const ONE: libc::c_ulong = 1;

/// Address space of the runner and of each child: the longest request fits in several times, and
/// no kernel can exhaust the machine.
const ADDRESS_SPACE: u64 = 8 << 30;

/// How far the stack of a program may grow; on some systems as far as there is memory, and a
/// kernel that finds it could make it do so.
const STACK: u64 = 8 << 20;

/// Bounds the calling process and with it its children, for good.
///
/// # Errors
/// When the system denies it.
pub(super) fn bound_process() -> io::Result<()> {
    bound(libc::RLIMIT_CORE, 0)?;
    bound(libc::RLIMIT_STACK, STACK)?;
    bound(libc::RLIMIT_AS, ADDRESS_SPACE)?;
    // SAFETY: sets a flag of the process.
    unsafe { check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, ONE, ZERO, ZERO, ZERO).into()) }
}

/// Confines the calling process, a child of `parent`: what it cannot inherit.
///
/// # Errors
/// When the system denies it.
pub(super) fn confine(parent: u32, watchdog: Duration, filter: Filter) -> io::Result<()> {
    // SAFETY: these calls take numbers only.
    unsafe {
        check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong).into())?;
        // The runner may have died before this took effect.
        if libc::getppid().cast_unsigned() != parent {
            end(1);
        }
        // Limits do not keep a crash from being piped to a crash reporter, which takes
        // a tenth of a second; this does.
        check(libc::prctl(libc::PR_SET_DUMPABLE, ZERO).into())?;
        // The handler that interrupts the runner's waits is not for a child to run.
        libc::signal(libc::SIGALRM, libc::SIG_DFL);
        libc::signal(libc::SIGXFSZ, libc::SIG_DFL);
    }
    close_everything();
    if filter == Filter::Absent {
        bound(libc::RLIMIT_NPROC, 0)?;
        bound(libc::RLIMIT_FSIZE, 0)?;
    }
    // In whole seconds, and later than the timer: for a kernel that the timer cannot end.
    let seconds = watchdog.as_secs() + 2;
    set(libc::RLIMIT_CPU, libc::rlimit64 { rlim_cur: seconds, rlim_max: seconds + 1 })?;
    arm_timer(libc::ITIMER_PROF, watchdog, Duration::ZERO)
}

/// The last descriptor that is closed where the system cannot close all of them at once.
const LAST_STANDARD: libc::c_int = 2;

/// Closes what a kernel could write to or read from: the pipe to the driver, above all.
fn close_everything() {
    let (first, last, no_flags) = (ZERO, libc::c_ulong::from(libc::c_uint::MAX), ZERO);
    // SAFETY: a child uses no descriptor that it inherits; one that is not there stays so.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, last, no_flags) != 0 {
            for descriptor in 0..=LAST_STANDARD {
                libc::close(descriptor);
            }
        }
    }
}

/// Lowers a limit, unless it is that low already.
fn bound(resource: libc::__rlimit_resource_t, limit: u64) -> io::Result<()> {
    let mut now = libc::rlimit64 { rlim_cur: 0, rlim_max: 0 };
    let no_new = ptr::null::<libc::rlimit64>();
    // SAFETY: the structure is our own and outlives the call that fills it.
    unsafe { check(libc::syscall(libc::SYS_prlimit64, 0, resource, no_new, &raw mut now))? };
    let limit = limit.min(now.rlim_max);
    set(resource, libc::rlimit64 { rlim_cur: limit.min(now.rlim_cur), rlim_max: limit })
}

fn set(resource: libc::__rlimit_resource_t, limit: libc::rlimit64) -> io::Result<()> {
    let no_old = ptr::null_mut::<libc::rlimit64>();
    // SAFETY: the structure outlives the call that copies it.
    unsafe { check(libc::syscall(libc::SYS_prlimit64, 0, resource, &raw const limit, no_old)) }
}

/// Has the system send the timer's signal after a time and, unless `again` is zero, ever again.
pub(super) fn arm_timer(timer: libc::c_int, time: Duration, again: Duration) -> io::Result<()> {
    let value = |time: Duration| libc::timeval {
        tv_sec: time.as_secs() as libc::time_t,
        tv_usec: time.subsec_micros().into(),
    };
    let setting = libc::itimerval { it_interval: value(again), it_value: value(time) };
    let no_old = ptr::null_mut::<libc::itimerval>();
    // SAFETY: the structure outlives the call that copies it.
    unsafe { check(libc::syscall(libc::SYS_setitimer, timer, &raw const setting, no_old)) }
}
