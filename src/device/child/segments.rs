//! Segments of a shared object on Linux: mapped from a file that is in no directory, so that a fork
//! copies nothing of them.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::FileExt as _;

use nix::sys::memfd::{MFdFlags, memfd_create};

use super::memory::page_size;
use crate::device::loader::{Layout, Segment};

/// Puts the segments where they belong.
///
/// # Errors
/// When they cannot be stored or mapped.
///
/// # Safety
/// From `base` on, a page, as much memory as the layout is long must be the caller's alone.
pub(super) unsafe fn fill(base: *mut u8, layout: &Layout) -> io::Result<()> {
    let file = store(layout)?;
    for segment in layout.segments.iter().filter(|segment| !segment.place.is_empty()) {
        let first = segment.place.start & !(page_size() - 1);
        // SAFETY: the range lies within the layout.
        let mapped = unsafe {
            libc::mmap(
                base.wrapping_add(first).cast(),
                segment.place.end - first,
                protection(segment),
                libc::MAP_PRIVATE | libc::MAP_FIXED,
                file.as_raw_fd(),
                first as libc::off_t,
            )
        };
        if mapped == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// A file with the layout's bytes; what segments have beyond theirs are holes.
fn store(layout: &Layout) -> io::Result<File> {
    // Some systems deny executable files in memory.
    let file = match memfd_create("winic-image", MFdFlags::MFD_CLOEXEC) {
        Ok(descriptor) => descriptor.into(),
        Err(_) => tempfile::tempfile()?,
    };
    file.set_len(layout.bytes.len() as u64)?;
    for Segment { place, filled, .. } in &layout.segments {
        file.write_all_at(&layout.bytes[place.start..][..*filled], place.start as u64)?;
    }
    Ok(file)
}

fn protection(segment: &Segment) -> libc::c_int {
    let allowed = |allowed: bool, protection| if allowed { protection } else { libc::PROT_NONE };
    libc::PROT_READ
        | allowed(segment.write, libc::PROT_WRITE)
        | allowed(segment.execute, libc::PROT_EXEC)
}
