//! The system-call filter: macOS has none that a program could put on its children, so that only
//! the watchdog and the resource limits stand between kernels and the system.

use std::io;

/// What kind of filter this system offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::device) enum Filter {
    /// None.
    Absent,
}

/// A system call that a child needs to read its clock: all of them are permitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Permit;

impl Permit {
    /// Reading a clock.
    pub(super) const MONOTONIC: Self = Self;

    /// Reading a file.
    pub(super) fn read(_descriptor: libc::c_int) -> Self {
        Self
    }
}

impl Filter {
    /// What a system may offer.
    pub(super) const OFFERED: [Self; 0] = [];

    /// Does nothing.
    ///
    /// # Errors
    /// Never.
    pub(super) fn arm(self, _permit: Option<Permit>) -> io::Result<()> {
        Ok(())
    }
}
