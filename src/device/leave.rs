//! What becomes of runners when the user wants to leave before the work is done.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// When the user said so.
static SINCE: OnceLock<Instant> = OnceLock::new();

/// The process groups of the runners that this process started.
static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// From now on no runner is waited for longer than a moment.
pub fn interrupt() {
    SINCE.get_or_init(Instant::now);
}

/// Ends all runners and the kernels they are running, at once.
pub fn kill_runners() {
    groups().iter().for_each(|&group| kill(group));
}

/// Since when.
pub(super) fn interrupted_since() -> Option<Instant> {
    SINCE.get().copied()
}

/// The process group of a runner; dropping it kills what is left of it.
pub(super) struct Group(Pid);

impl Group {
    /// Of the process that leads it.
    pub(super) fn new(leader: u32) -> Self {
        let group = Pid::from_raw(leader.cast_signed());
        groups().push(group);
        Self(group)
    }

    /// Ends all its processes.
    pub(super) fn kill(&self) {
        kill(self.0);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        groups().retain(|group| *group != self.0);
    }
}

fn kill(group: Pid) {
    match killpg(group, Signal::SIGKILL) {
        // The usual: all have ended.
        Ok(()) | Err(Errno::ESRCH) => {}
        Err(error) => log::debug!("the processes of runner {group} cannot be ended: {error}"),
    }
}

fn groups() -> MutexGuard<'static, Vec<Pid>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}
