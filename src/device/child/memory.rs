//! Memory that the runner sets up once for all its children.

use std::io;
use std::ptr;

use super::notes::Notes;
use super::timing::MeetingPlace;
use crate::artifact::LOW_MEMORY;

/// Anonymous memory that is unmapped when dropped.
pub(super) struct Mapping {
    start: *mut u8,
    length: usize,
}

impl Mapping {
    pub(super) fn new(
        length: usize,
        protection: libc::c_int,
        flags: libc::c_int,
    ) -> io::Result<Self> {
        // SAFETY: a new mapping at a place of the system's choice.
        let start = unsafe {
            libc::mmap(ptr::null_mut(), length, protection, flags | libc::MAP_ANONYMOUS, -1, 0)
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { start: start.cast(), length })
    }

    /// Where it begins, on a page.
    pub(super) fn start(&self) -> *mut u8 {
        self.start
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own; its users borrow from it.
        unsafe { libc::munmap(self.start.cast(), self.length) };
    }
}

/// The notes that a child writes and the runner reads, on so many kernels.
pub(super) struct SharedNotes<const KERNELS: usize>(Mapping);

impl<const KERNELS: usize> SharedNotes<KERNELS> {
    pub(super) fn new() -> io::Result<Self> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        Mapping::new(size_of::<[Notes; KERNELS]>(), protection, libc::MAP_SHARED).map(Self)
    }

    pub(super) fn get(&self) -> &[Notes; KERNELS] {
        // SAFETY: the mapping is large enough, aligned to a page, zeroed (which is a valid
        // value) and lives as long as `self`. All members are atomic, so that the other
        // process may write at any time.
        unsafe { &*self.0.start().cast() }
    }
}

/// What the children share that run a kernel at the same time: a place to meet, and notes of each.
pub(super) struct SharedCrew {
    memory: Mapping,
    threads: usize,
}

impl SharedCrew {
    pub(super) fn new(threads: usize) -> io::Result<Self> {
        let length = size_of::<MeetingPlace>() + threads * size_of::<Notes>();
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        Ok(Self { memory: Mapping::new(length, protection, libc::MAP_SHARED)?, threads })
    }

    pub(super) fn place(&self) -> &MeetingPlace {
        // SAFETY: as of `SharedNotes::get`.
        unsafe { &*self.memory.start().cast() }
    }

    pub(super) fn notes(&self) -> &[Notes] {
        let start = self.memory.start().wrapping_add(size_of::<MeetingPlace>());
        // SAFETY: as of `SharedNotes::get`; the place to meet is aligned more than notes are.
        unsafe { std::slice::from_raw_parts(start.cast(), self.threads) }
    }
}

/// The stack that kernels run on, between two guards. No page of it is touched by the runner,
/// so that it costs nothing to inherit.
pub(super) struct Stack(Mapping);

/// Pages that fault, on either side; larger than any frame.
const GUARD: usize = 64 << 10;

/// How far a kernel can go up or down from where it starts. Kernels that push or pop without
/// balance reach a guard soon.
const REACH: usize = 256 << 10;

impl Stack {
    pub(super) fn new() -> io::Result<Self> {
        let flags = libc::MAP_PRIVATE | libc::MAP_NORESERVE;
        let mapping = Mapping::new(2 * (GUARD + REACH), libc::PROT_NONE, flags)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the range lies within the mapping.
        let failed =
            unsafe { libc::mprotect(mapping.start().add(GUARD).cast(), 2 * REACH, protection) };
        if failed == 0 { Ok(Self(mapping)) } else { Err(io::Error::last_os_error()) }
    }

    /// Where kernels start: the middle, aligned to a page.
    pub(super) fn start(&self) -> *mut u8 {
        self.0.start().wrapping_add(GUARD + REACH)
    }
}

/// Bytes of low memory that kernels get.
pub(in crate::device) const LOW_BYTES: usize = 8 << 10;

/// Memory at [`LOW_MEMORY`], between two guards: like the region of an image, for instructions that reach
/// no other. The addresses around it belong to nobody.
pub(in crate::device) struct LowMemory(Mapping);

impl LowMemory {
    /// Maps it; nothing where the system gives that place to others, or to nobody.
    pub(in crate::device) fn map() -> Option<Self> {
        let page = page_size();
        let guard = GUARD.next_multiple_of(page);
        let start = usize::try_from(LOW_MEMORY).ok()?;
        let length = 2 * guard + LOW_BYTES.next_multiple_of(page);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | ONLY_THERE;
        let wanted = ptr::without_provenance_mut(start.checked_sub(guard)?);
        // SAFETY: a new mapping, which takes no place that another one has.
        let mapped = unsafe { libc::mmap(wanted, length, libc::PROT_NONE, flags, -1, 0) };
        if mapped == libc::MAP_FAILED {
            return None;
        }
        let mapping = Mapping { start: mapped.cast(), length };
        let inner = mapping.start().wrapping_add(guard);
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the range lies within the mapping.
        let failed = unsafe { libc::mprotect(inner.cast(), length - 2 * guard, protection) };
        // (Older systems take the place for a wish.)
        (failed == 0 && inner as usize == start).then_some(Self(mapping))
    }

    /// Where it begins.
    pub(super) fn start(&self) -> *mut u8 {
        self.0.start().wrapping_add(GUARD.next_multiple_of(page_size()))
    }
}

/// Lets the system map memory only where it was asked to.
#[cfg(target_os = "linux")]
const ONLY_THERE: libc::c_int = libc::MAP_FIXED_NOREPLACE;
#[cfg(not(target_os = "linux"))]
const ONLY_THERE: libc::c_int = 0;

/// How many bytes a page has.
pub(super) fn page_size() -> usize {
    // SAFETY: no memory is involved.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
}
