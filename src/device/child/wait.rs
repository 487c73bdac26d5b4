//! Waiting for a child, though not for ever: a child that somebody stopped neither ends nor hears
//! its own timers. The runner's timer interrupts the wait now and then to look at the clock.

use std::io;
use std::time::{Duration, Instant};

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

use super::limits::arm_timer;

/// How often a wait is interrupted: seldom, because it disturbs the child's core.
const BEAT: Duration = Duration::from_secs(1);

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChildEnd {
    /// By itself or by a signal: a status as `waitpid(2)` has it.
    Status(libc::c_int),
    /// It had to be killed, because its time was up.
    Overdue,
}

/// Has waits of this process interrupted from now on.
///
/// # Errors
/// When the system denies it.
pub(super) fn start_beat() -> io::Result<()> {
    extern "C" fn nothing(_: libc::c_int) {}
    // Without `SA_RESTART`, which would go on waiting.
    let interrupt = SigAction::new(SigHandler::Handler(nothing), SaFlags::empty(), SigSet::empty());
    // SAFETY: the handler does nothing.
    unsafe { sigaction(Signal::SIGALRM, &interrupt)? };
    arm_timer(libc::ITIMER_REAL, BEAT, BEAT)
}

/// Waits for all of some children to end, which must be all that the calling thread has. As soon as one
/// did not end as `is_well` wants it, or after `limit`, the others are killed. Returns which of them that
/// was, if any, and how it ended.
///
/// # Errors
/// When there are no such children.
pub(super) fn wait_for_all(
    children: &[libc::pid_t],
    limit: Duration,
    is_well: impl Fn(usize, ChildEnd) -> bool,
) -> io::Result<Option<(usize, ChildEnd)>> {
    let begin = Instant::now();
    let mut left: Vec<libc::pid_t> = children.to_vec();
    let mut failed = None;
    while !left.is_empty() {
        let mut status = 0;
        // SAFETY: the status is our own.
        let ended = unsafe { libc::waitpid(-1, &raw mut status, OWN_CHILDREN) };
        if ended > 0 {
            left.retain(|&child| child != ended);
            let end = ChildEnd::Status(status);
            let place = children.iter().position(|&child| child == ended);
            if let Some(place) = place.filter(|&place| failed.is_none() && !is_well(place, end)) {
                failed = Some((place, end));
                kill(&left);
            }
            continue;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
        if begin.elapsed() > limit {
            failed = failed.or(Some((0, ChildEnd::Overdue)));
            kill(&left);
        }
    }
    Ok(failed)
}

/// Children of other threads are theirs to wait for.
#[cfg(target_os = "linux")]
const OWN_CHILDREN: libc::c_int = libc::__WNOTHREAD;
#[cfg(not(target_os = "linux"))]
const OWN_CHILDREN: libc::c_int = 0;

/// Ends children that were not waited for.
pub(super) fn kill(children: &[libc::pid_t]) {
    for &child in children {
        // SAFETY: a child that was not waited for keeps its number.
        unsafe { libc::kill(child, libc::SIGKILL) };
    }
}

/// Waits for a child to end; after `limit`, to the beat, it is killed.
///
/// # Errors
/// When there is no such child.
pub(super) fn wait(child: libc::pid_t, limit: Duration) -> io::Result<ChildEnd> {
    let begin = Instant::now();
    let mut is_overdue = false;
    let mut status = 0;
    loop {
        // SAFETY: the status is our own.
        if unsafe { libc::waitpid(child, &raw mut status, 0) } == child {
            return Ok(if is_overdue { ChildEnd::Overdue } else { ChildEnd::Status(status) });
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
        if begin.elapsed() > limit {
            kill(&[child]);
            is_overdue = true;
        }
    }
}
