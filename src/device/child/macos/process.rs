//! How children of a program begin and end on macOS.

use std::ffi::CStr;
use std::io;
use std::ptr;

/// Forks; `None` in the child.
///
/// # Safety
/// The child must neither allocate nor take locks, and must end by [`end`].
pub(super) unsafe fn fork() -> io::Result<Option<libc::pid_t>> {
    // SAFETY: the caller keeps to what a child may do.
    match unsafe { libc::fork() } {
        0 => Ok(None),
        child if child > 0 => Ok(Some(child)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Ends a child at once.
pub(super) fn end(status: libc::c_int) -> ! {
    // SAFETY: does not return, and nothing of a child needs to be cleaned up.
    unsafe { libc::_exit(status) }
}

/// The longest name of a CPU.
const LONGEST: usize = 128;

/// What the system calls the CPU, e.g. `Apple M2`.
pub(in crate::device) fn cpu_model() -> Option<String> {
    let mut name = [0_u8; LONGEST];
    let mut length = name.len();
    // SAFETY: the buffer is our own and as long as `length` says; nothing is set.
    let failed = unsafe {
        libc::sysctlbyname(
            c"machdep.cpu.brand_string".as_ptr(),
            name.as_mut_ptr().cast(),
            &raw mut length,
            ptr::null_mut(),
            0,
        )
    };
    let name = CStr::from_bytes_until_nul(&name).ok().filter(|_| failed == 0)?;
    Some(name.to_string_lossy().into_owned()).filter(|name| !name.is_empty())
}
