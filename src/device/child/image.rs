//! An artifact's shared object, loaded.

use std::io;

use super::library::Library;
use super::memory::{LOW_BYTES, LowMemory, page_size};
use crate::artifact::{BUFFER, GUARDS};
use crate::device::elf;
use crate::files;

/// A function of an image: the C signature `void f(uint64_t loop_count)`. An `init` ignores
/// its argument, which the calling conventions of all our architectures allow.
///
/// It must not be called after its image is dropped.
#[derive(Debug, Clone, Copy)]
pub(in crate::device) struct Function(pub(super) unsafe extern "C" fn(u64));

impl Function {
    /// What stands at an address of an image.
    pub(super) fn at(address: *mut u8) -> Self {
        // SAFETY: the contract of `Artifact` gives every function this signature, and only children
        // call them.
        Self(unsafe { std::mem::transmute::<*mut u8, unsafe extern "C" fn(u64)>(address) })
    }

    /// Reads the function's code.
    pub(super) fn first_byte(self) -> u8 {
        // SAFETY: code of a loaded image can be read.
        unsafe { (self.0 as *const u8).read_volatile() }
    }
}

/// Why an image cannot be used.
#[derive(Debug, thiserror::Error)]
pub(in crate::device) enum ImageError {
    /// There is no memory for it.
    #[error("cannot store the image: {0}; {remedy}", remedy = files::remedy(.0))]
    Store(#[from] io::Error),
    /// It is something else, or a part of it is missing.
    #[error("the image is not a complete 64-bit shared object")]
    Incomplete,
    /// The loader does not take it.
    #[error("the image cannot be loaded: {0}")]
    Load(String),
    /// The guards of its data could not be put up.
    #[error("the image's guards cannot be protected: {0}")]
    Guard(io::Error),
    /// The loader does not find a function in it.
    #[error("no symbol `{0}` in the image: none of its segments defines it for others (.globl)")]
    Symbol(String),
}

/// A loaded shared object; dropping it unloads it.
pub(in crate::device) struct Image {
    library: Library,
}

impl Image {
    /// Loads the bytes of a shared object.
    ///
    /// # Errors
    /// When they cannot be stored, or are no shared object for this machine.
    pub(in crate::device) fn load(bytes: &[u8]) -> Result<Self, ImageError> {
        if !elf::is_complete(bytes) {
            return Err(ImageError::Incomplete);
        }
        let library = Library::load(bytes)?;
        let image = Self { library };
        for (begin, end) in GUARDS {
            let (begin, end) = (image.library.address(begin), image.library.address(end));
            if let (Some(begin), Some(end)) = (begin, end) {
                forbid_access(begin, end).map_err(ImageError::Guard)?;
            }
        }
        Ok(image)
    }

    /// What kernels may write to, where the image has such a region: what lies between its guards.
    pub(in crate::device) fn region(&self) -> Option<Region> {
        let [(_, start), (end, _)] = GUARDS;
        let (start, end) = (self.library.address(start)?, self.library.address(end)?);
        let length = (end as usize).checked_sub(start as usize)?;
        Some(Region { start, length })
    }

    /// Looks a function up.
    ///
    /// # Errors
    /// When there is no such symbol.
    pub(in crate::device) fn function(&self, symbol: &str) -> Result<Function, ImageError> {
        let address = self.library.address(symbol);
        address.map(Function::at).ok_or_else(|| ImageError::Symbol(symbol.to_owned()))
    }

    /// Where kernels find the address of their buffer.
    ///
    /// # Errors
    /// When there is no such symbol.
    pub(in crate::device) fn buffer_cell(&self) -> Result<BufferCell, ImageError> {
        let address = self.library.address(BUFFER);
        address.map(BufferCell).ok_or_else(|| ImageError::Symbol(BUFFER.to_owned()))
    }

    /// What is to run in every child before any other function.
    pub(in crate::device) fn constructors(&self) -> &[Function] {
        self.library.constructors()
    }
}

/// The eight bytes of an image in which kernels find the address of their buffer.
#[derive(Debug, Clone, Copy)]
pub(in crate::device) struct BufferCell(*mut u8);

impl BufferCell {
    /// A number in place of an image's.
    #[cfg(test)]
    pub(super) fn of(cell: &'static std::sync::atomic::AtomicU64) -> Self {
        Self(cell.as_ptr().cast())
    }

    /// Puts an address there. In a child, which ends if the image cannot be written to.
    pub(super) fn fill(self, address: *mut u8) {
        // SAFETY: the symbol lies in an image that is still loaded, which says that it has eight bytes.
        unsafe { self.0.cast::<u64>().write_unaligned(address as u64) };
    }
}

/// The memory that kernels may write to, of an image or at low addresses: all zeros when it is there first.
#[derive(Debug, Clone, Copy)]
pub(in crate::device) struct Region {
    start: *mut u8,
    length: usize,
}

impl Region {
    /// A number in place of an image's memory.
    #[cfg(test)]
    pub(super) fn of(cell: &'static std::sync::atomic::AtomicU64) -> Self {
        Self { start: cell.as_ptr().cast(), length: size_of::<u64>() }
    }

    /// That at low addresses; it lives as long as the runner.
    pub(super) fn low(memory: &LowMemory) -> Self {
        Self { start: memory.start(), length: LOW_BYTES }
    }

    /// How many bytes there are.
    pub(in crate::device) fn length(self) -> usize {
        self.length
    }

    /// Makes it what it was when the image was loaded.
    pub(super) fn clear(self) {
        // SAFETY: the region lies in an image that is still loaded, is writable, and nothing but
        // kernels uses it.
        unsafe { self.start.write_bytes(0, self.length) };
    }
}

/// Makes all whole pages between two places in an image inaccessible.
fn forbid_access(begin: *mut u8, end: *mut u8) -> io::Result<()> {
    let page = page_size();
    let first = begin.wrapping_add(begin.align_offset(page));
    let length = (end as usize & !(page - 1)).saturating_sub(first as usize);
    // SAFETY: the image says that these pages hold nothing.
    let failed =
        length > 0 && unsafe { libc::mprotect(first.cast(), length, libc::PROT_NONE) } != 0;
    if failed { Err(io::Error::last_os_error()) } else { Ok(()) }
}
