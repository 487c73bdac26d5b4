//! Segments of a shared object on macOS, which maps no code from files that are not signed: copied.

use std::io;
use std::ptr;

use super::memory::page_size;
use crate::device::loader::{Layout, Segment};

unsafe extern "C" {
    /// Of the system's library: makes the core forget what it fetched from there.
    fn sys_icache_invalidate(start: *mut libc::c_void, length: usize);
}

/// Puts the segments where they belong.
///
/// # Errors
/// When the system denies the memory its protection.
///
/// # Safety
/// From `base` on, a page, as much memory as the layout is long must be the caller's alone.
pub(super) unsafe fn fill(base: *mut u8, layout: &Layout) -> io::Result<()> {
    for segment in layout.segments.iter().filter(|segment| !segment.place.is_empty()) {
        let first = segment.place.start & !(page_size() - 1);
        let (start, length) = (base.wrapping_add(first), segment.place.end - first);
        let filled = &layout.bytes[first..segment.place.start + segment.filled];
        // SAFETY: the range lies within the layout.
        unsafe {
            protect(start, length, libc::PROT_READ | libc::PROT_WRITE)?;
            ptr::copy_nonoverlapping(filled.as_ptr(), start, filled.len());
            sys_icache_invalidate(start.cast(), length);
            protect(start, length, protection(segment))?;
        }
    }
    Ok(())
}

/// # Safety
/// Nobody may rely on another protection of this memory.
unsafe fn protect(start: *mut u8, length: usize, protection: libc::c_int) -> io::Result<()> {
    // SAFETY: the caller answers for the memory.
    let failed = unsafe { libc::mprotect(start.cast(), length, protection) };
    if failed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn protection(segment: &Segment) -> libc::c_int {
    let allowed = |allowed: bool, protection| if allowed { protection } else { libc::PROT_NONE };
    libc::PROT_READ
        | allowed(segment.write, libc::PROT_WRITE)
        | allowed(segment.execute, libc::PROT_EXEC)
}
