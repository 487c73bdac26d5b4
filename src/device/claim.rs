//! Cores that belong to a run: two runs that know nothing of each other shall not share one.
//!
//! A claim is a name in Linux's abstract socket namespace. It needs no directory and no
//! permission, holds between users, leaves no file behind, and ends with its process, however
//! that ends. (Containers with a network of their own do not see each other's.)

use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};

/// A core, claimed until this is dropped.
#[derive(Debug)]
pub(super) struct Claim {
    _name: UnixListener,
}

impl Claim {
    /// Claims a core by one of its logical CPUs, always the same one; `None` when another
    /// process has it.
    ///
    /// # Errors
    /// When the system knows no such names.
    pub(super) fn take(cpu: u32) -> io::Result<Option<Self>> {
        let name = SocketAddr::from_abstract_name(format!("winic-core-{cpu}"))?;
        match UnixListener::bind_addr(&name) {
            Ok(listener) => Ok(Some(Self { _name: listener })),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_has_one_owner_at_a_time() {
        // No machine has so many.
        let core = u32::MAX;
        let claim = Claim::take(core).unwrap();
        assert!(claim.is_some());
        assert!(Claim::take(core).unwrap().is_none());
        assert!(Claim::take(core - 1).unwrap().is_some());
        drop(claim);
        assert!(Claim::take(core).unwrap().is_some());
    }
}
