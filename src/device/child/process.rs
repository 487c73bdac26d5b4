//! How children of a program begin and end on Linux.

use std::io;

use crate::device::CoreKind;

/// An argument of system calls, which is as wide as a register.
const ZERO: libc::c_ulong = 0;

/// Forks; `None` in the child. Not libc's `fork`, which prepares its own locks for a child that
/// goes on as a program: a quarter of the whole cost.
///
/// # Safety
/// The child must neither allocate nor take locks, and must end by [`end`].
pub(super) unsafe fn fork() -> io::Result<Option<libc::pid_t>> {
    // SAFETY: without flags beyond the signal this is what fork does; all architectures agree
    // on an order of arguments that are all zero.
    let child = unsafe {
        libc::syscall(libc::SYS_clone, libc::SIGCHLD as libc::c_ulong, ZERO, ZERO, ZERO, ZERO)
    };
    match child {
        0 => Ok(None),
        child if child > 0 => Ok(Some(child as libc::pid_t)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Ends a child at once.
pub(super) fn end(status: libc::c_int) -> ! {
    loop {
        // SAFETY: does not return, and nothing of a child needs to be cleaned up.
        unsafe { libc::syscall(libc::SYS_exit_group, status) };
    }
}

/// Asks for a kind of core: Linux chooses them by their numbers.
///
/// # Errors
/// Always.
pub(in crate::device) fn prefer(_kind: CoreKind) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// What the system calls the CPU: Linux says it in files.
pub(in crate::device) fn cpu_model() -> Option<String> {
    None
}
