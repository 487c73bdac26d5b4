//! Cores that belong to a run: nobody can have one to itself where none can be chosen.

use std::io;

/// A core, claimed: there is none.
#[derive(Debug)]
pub(super) enum Claim {}

impl Claim {
    /// Not possible.
    pub(super) fn take(_cpu: u32) -> io::Result<Option<Self>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
