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
            // SAFETY: a child that was not waited for keeps its number.
            unsafe { libc::kill(child, libc::SIGKILL) };
            is_overdue = true;
        }
    }
}
