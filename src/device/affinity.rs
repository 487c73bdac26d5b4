//! Which logical CPUs a process may use.

use std::fs;
use std::io;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// What a person can do where nothing is pinned.
pub(super) const UNPINNED: &str = "Kernels could not be pinned to a CPU and may wander between several: \
    give one that is allowed in WINIC_CORE, see `taskset --pid $$`.";

/// Whether this system pins programs to CPUs.
pub(super) const PINS: bool = true;

/// The calling thread.
const THIS: Pid = Pid::from_raw(0);

/// The CPUs that this process may use, in order; none where the system does not say.
pub(super) fn allowed() -> Vec<u32> {
    let Ok(allowed) = sched_getaffinity(THIS) else { return Vec::new() };
    cpus(&allowed).filter_map(|cpu| u32::try_from(cpu).ok()).collect()
}

/// Pins the calling thread to one CPU.
pub(super) fn pin(core: u32) -> io::Result<()> {
    let mut only = CpuSet::new();
    only.set(core as usize)?;
    Ok(sched_setaffinity(THIS, &only)?)
}

/// Keeps all threads of this process off one CPU; `false` when there is no other.
pub(super) fn leave(core: u32) -> io::Result<bool> {
    let mut others = sched_getaffinity(THIS)?;
    others.unset(core as usize)?;
    if cpus(&others).next().is_none() {
        return Ok(false);
    }
    for task in fs::read_dir("/proc/self/task")? {
        let Some(thread) = task?.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        match sched_setaffinity(Pid::from_raw(thread), &others) {
            // It has ended since the directory was read.
            Ok(()) | Err(nix::Error::ESRCH) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(true)
}

fn cpus(set: &CpuSet) -> impl Iterator<Item = usize> + '_ {
    (0..CpuSet::count()).filter(|&cpu| set.is_set(cpu).unwrap_or(false))
}
