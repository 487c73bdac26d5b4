//! Shared objects on a system whose loader takes another format: winic lays them out itself.

use std::collections::HashMap;
use std::io;
use std::ptr;

use super::image::ImageError;
use super::memory::Mapping;
use crate::device::loader::{Segment, lay_out};

/// A loaded shared object; dropping it unloads it.
pub(super) struct Library {
    memory: Mapping,
    symbols: HashMap<String, usize>,
}

unsafe extern "C" {
    /// Of the system's library: makes the core forget what it fetched from there.
    fn sys_icache_invalidate(start: *mut libc::c_void, length: usize);
}

impl Library {
    /// Loads the bytes of a complete shared object.
    ///
    /// # Errors
    /// When there is no memory, or the object is not self-contained.
    pub(super) fn load(bytes: &[u8]) -> Result<Self, ImageError> {
        let mut memory = None;
        let layout = lay_out(bytes, |length| {
            let writable = libc::PROT_READ | libc::PROT_WRITE;
            let mapping = memory.insert(Mapping::new(length, writable, libc::MAP_PRIVATE));
            mapping.as_ref().map_or(0, |mapping| mapping.start() as u64)
        });
        let layout = layout.map_err(|error| ImageError::Load(error.to_string()))?;
        let memory = memory.unwrap_or_else(|| Err(io::ErrorKind::InvalidData.into()))?;
        // SAFETY: the mapping is as long as the layout, and nobody knows of it yet.
        unsafe {
            ptr::copy_nonoverlapping(layout.bytes.as_ptr(), memory.start(), layout.bytes.len());
        }
        for segment in &layout.segments {
            protect(&memory, segment)?;
        }
        Ok(Self { memory, symbols: layout.symbols })
    }

    /// Where a symbol is.
    ///
    /// # Errors
    /// Where it is nowhere.
    pub(super) fn address(&self, symbol: &str) -> Result<*mut u8, String> {
        let found = self.symbols.get(symbol);
        found.map(|&place| self.memory.start().wrapping_add(place)).ok_or("undefined".to_owned())
    }
}

/// Gives a segment its protection. Segments of different protection share no page.
fn protect(memory: &Mapping, segment: &Segment) -> io::Result<()> {
    let page = super::memory::page_size();
    let first = segment.place.start & !(page - 1);
    let length = segment.place.end - first;
    let start = memory.start().wrapping_add(first);
    let allowed = |allowed: bool, protection| if allowed { protection } else { libc::PROT_NONE };
    let protection = libc::PROT_READ
        | allowed(segment.write, libc::PROT_WRITE)
        | allowed(segment.execute, libc::PROT_EXEC);
    // SAFETY: the range lies within the mapping, whose code nobody runs yet.
    let failed = unsafe {
        sys_icache_invalidate(start.cast(), length);
        libc::mprotect(start.cast(), length, protection)
    };
    if failed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
