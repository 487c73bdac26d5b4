//! Buffers that kernels walk through, each in a child of its own.
//!
//! A buffer is mapped, touched and read once before the child gives up calling the system, so that no
//! kernel sees a page fault or a cache that has never held the buffer. It lies between guards. What it has
//! beyond its last page up to the end of a huge page is touched with it, and made inaccessible then: so
//! even a small buffer is contiguous in physical memory where the system has huge pages.

use std::io;
use std::ptr;

use super::memory::{Mapping, page_size};
use super::smaps;
use crate::artifact::BufferNeed;

/// Bytes of a huge page on systems with pages of 4 KiB.
const HUGE: usize = 2 << 20;

/// Bytes that fault on either side, at the least.
const GUARD: usize = 64 << 10;

/// Bytes from one place that is read to the next: no cache has shorter lines.
const LINE: usize = 32;

/// A buffer; it lives as long as its process.
#[derive(Debug, Clone, Copy)]
pub(super) struct Buffer {
    pub start: *mut u8,
    /// How many bytes lie in huge pages, if the system says.
    pub huge: Option<u64>,
}

impl Buffer {
    /// Maps one in the calling process.
    ///
    /// # Errors
    /// When there is not so much memory.
    pub(super) fn map(need: BufferNeed) -> io::Result<Self> {
        let too_large = || io::Error::from_raw_os_error(libc::ENOMEM);
        let bytes = usize::try_from(need.bytes).map_err(|_| too_large())?.max(1);
        let alignment = usize::try_from(need.alignment).map_err(|_| too_large())?.max(HUGE);
        let whole = bytes.checked_next_multiple_of(HUGE).ok_or_else(too_large)?;
        let span = whole.checked_add(alignment).and_then(|span| span.checked_add(2 * GUARD));
        let reserved = libc::MAP_PRIVATE | libc::MAP_NORESERVE;
        let mapping = Mapping::new(span.ok_or_else(too_large)?, libc::PROT_NONE, reserved)?;
        let first = mapping.start().wrapping_add(GUARD);
        let start = first.wrapping_add(first.align_offset(alignment));
        std::mem::forget(mapping);
        // SAFETY: the range lies in the mapping above, which is this function's.
        unsafe { fill(start, whole, bytes)? };
        let huge = smaps::huge_bytes(start as u64);
        // SAFETY: these bytes are mapped and readable.
        unsafe { read(start, bytes) };
        Ok(Self { start, huge })
    }
}

/// Maps `whole` bytes, touches all pages and leaves the first `bytes` accessible.
///
/// # Safety
/// The range must be the caller's, and huge pages must fit into it.
unsafe fn fill(start: *mut u8, whole: usize, bytes: usize) -> io::Result<()> {
    let page = page_size();
    let kept = bytes.next_multiple_of(page);
    // SAFETY: the caller's range, and nobody knows of it yet.
    unsafe {
        // Reserved ones cannot be given back in parts.
        if !(whole == kept && place(start, whole, RESERVED_HUGE)) {
            if !place(start, whole, 0) {
                return Err(io::Error::last_os_error());
            }
            advise_huge(start, whole);
        }
        for offset in (0..whole).step_by(page) {
            start.add(offset).write_volatile(0);
        }
        let rest = start.add(kept);
        if whole > kept && libc::mprotect(rest.cast(), whole - kept, libc::PROT_NONE) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Flags of a mapping from the huge pages that an administrator has set aside.
#[cfg(target_os = "linux")]
const RESERVED_HUGE: libc::c_int = libc::MAP_HUGETLB;
#[cfg(not(target_os = "linux"))]
const RESERVED_HUGE: libc::c_int = 0;

/// Whether memory could be mapped at a place.
///
/// # Safety
/// The range must be the caller's.
unsafe fn place(start: *mut u8, length: usize, flags: libc::c_int) -> bool {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = flags | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
    // SAFETY: the caller's range.
    let mapped = unsafe { libc::mmap(start.cast(), length, protection, flags, -1, 0) };
    !ptr::eq(mapped, libc::MAP_FAILED)
}

/// Asks for huge pages; what became of it is read back.
///
/// # Safety
/// The range must be mapped.
unsafe fn advise_huge(start: *mut u8, length: usize) {
    #[cfg(target_os = "linux")]
    // SAFETY: advice changes no contents.
    unsafe {
        libc::madvise(start.cast(), length, libc::MADV_HUGEPAGE);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, length);
}

/// Brings all of it through the caches once, from the beginning on.
///
/// # Safety
/// The range must be readable.
unsafe fn read(start: *mut u8, bytes: usize) {
    for offset in (0..bytes).step_by(LINE) {
        // SAFETY: within the range.
        unsafe { start.add(offset).read_volatile() };
    }
}
