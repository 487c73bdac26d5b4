//! How children of a program begin and end on macOS.

use std::ffi::{CStr, CString};
use std::io;
use std::ptr;

use crate::device::CoreKind;

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

/// Asks for a kind of core for the calling thread, by its quality of service: what is interactive runs on the
/// fast ones as long as one is free, and what is in the background on the small ones alone. (Utility, which
/// the study of SME on M4 used for those, may come to run on fast ones of other chips.)
///
/// # Errors
/// When the system denies it.
pub(in crate::device) fn prefer(kind: CoreKind) -> io::Result<()> {
    let class = match kind {
        CoreKind::Performance => libc::qos_class_t::QOS_CLASS_USER_INTERACTIVE,
        CoreKind::Efficiency => libc::qos_class_t::QOS_CLASS_BACKGROUND,
    };
    // SAFETY: takes numbers only.
    match unsafe { libc::pthread_set_qos_class_self_np(class, 0) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

/// A number that the system knows by a name, e.g. `hw.perflevel0.logicalcpu`; none where it does not.
pub(in crate::device) fn system_number(name: &str) -> Option<u64> {
    let name = CString::new(name).ok()?;
    let mut value = [0_u8; size_of::<u64>()];
    let mut length = value.len();
    // SAFETY: the buffer is our own and as long as `length` says; nothing is set.
    let failed = unsafe {
        libc::sysctlbyname(
            name.as_ptr(),
            value.as_mut_ptr().cast(),
            &raw mut length,
            ptr::null_mut(),
            0,
        )
    };
    // Of four bytes or of eight, little-endian.
    (failed == 0 && length > 0).then(|| u64::from_le_bytes(value))
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
