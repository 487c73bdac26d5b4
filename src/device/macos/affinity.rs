//! Which logical CPUs a process may use: macOS does not say, and pins nothing. Which kind of core a
//! thread gets is up to its quality of service.

use std::io;

/// What a person can do about it.
pub(super) const UNPINNED: &str = "macOS pins no program to a CPU, so kernels may wander between \
    several of a kind, and it may move them to the other kind: let nothing else run.";

/// Whether this system pins programs to CPUs.
pub(super) const PINS: bool = false;

/// None that are known.
pub(super) fn allowed() -> Vec<u32> {
    Vec::new()
}

/// Not possible.
pub(super) fn pin(_core: u32) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// There is no core to keep off.
pub(super) fn leave(_core: u32) -> io::Result<bool> {
    Ok(false)
}
