//! An artifact's shared object, loaded.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};

use libloading::os::unix::Library;
use nix::sys::memfd::{MFdFlags, memfd_create};
use tempfile::NamedTempFile;

use super::memory::page_size;
use crate::artifact::GUARDS;
use crate::device::elf;

/// `RTLD_NOW | RTLD_LOCAL`: nothing is left to be resolved while a kernel runs.
const NOW: libc::c_int = libc::RTLD_NOW | libc::RTLD_LOCAL;

/// A function of an image: the C signature `void f(uint64_t loop_count)`. An `init` ignores
/// its argument, which the calling conventions of all our architectures allow.
///
/// It must not be called after its image is dropped.
#[derive(Debug, Clone, Copy)]
pub(in crate::device) struct Function(pub(super) unsafe extern "C" fn(u64));

impl Function {
    /// Reads the function's code.
    pub(super) fn first_byte(self) -> u8 {
        // SAFETY: code of a loaded image can be read.
        unsafe { (self.0 as *const u8).read_volatile() }
    }
}

/// Why an image cannot be used.
#[derive(Debug, thiserror::Error)]
pub(in crate::device) enum ImageError {
    /// It could not be put where the loader finds it.
    #[error("cannot store the image: {0}")]
    Store(#[from] io::Error),
    /// It is something else, or a part of it is missing.
    #[error("the image is not a complete 64-bit shared object")]
    Incomplete,
    /// The loader does not take it.
    #[error("the image cannot be loaded: {0}")]
    Load(libloading::Error),
    /// An image with the same name is still in memory.
    #[error("the previous image cannot be unloaded; restart the runner")]
    StillLoaded,
    /// The guards of its data could not be put up.
    #[error("the image's guards cannot be protected: {0}")]
    Guard(io::Error),
    /// The loader does not find a function in it.
    #[error("no symbol `{symbol}` in the image: {reason}")]
    Symbol {
        /// Which one.
        symbol: String,
        /// The loader's words.
        reason: libloading::Error,
    },
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
        let place = Place::store(bytes)?;
        let path = place.path();
        // The loader knows images by their names: were an older one of this name still there,
        // it would be measured in place of the new one.
        // SAFETY: `RTLD_NOLOAD` runs no code.
        if unsafe { Library::open(Some(&path), NOW | libc::RTLD_NOLOAD) }.is_ok() {
            return Err(ImageError::StillLoaded);
        }
        // SAFETY: the driver vouches for the image's initialisers, of which it should have none.
        let library = unsafe { Library::open(Some(&path), NOW) }.map_err(ImageError::Load)?;
        let image = Self { library };
        for (begin, end) in GUARDS {
            if let (Some(begin), Some(end)) = (image.address(begin), image.address(end)) {
                forbid_access(begin, end).map_err(ImageError::Guard)?;
            }
        }
        Ok(image)
    }

    /// Where a symbol is, if the image has it.
    fn address(&self, symbol: &str) -> Option<*mut u8> {
        // SAFETY: the address is not followed here.
        unsafe { self.library.get::<*mut u8>(symbol.as_bytes()) }.ok().map(|found| *found)
    }

    /// Looks a function up.
    ///
    /// # Errors
    /// When there is no such symbol.
    pub(in crate::device) fn function(&self, symbol: &str) -> Result<Function, ImageError> {
        // SAFETY: the contract of `Artifact` gives every function this signature.
        let found = unsafe { self.library.get::<unsafe extern "C" fn(u64)>(symbol.as_bytes()) };
        match found {
            Ok(function) => Ok(Function(*function)),
            Err(reason) => Err(ImageError::Symbol { symbol: symbol.to_owned(), reason }),
        }
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

/// A file that exists while it is being loaded.
enum Place {
    Memory(File),
    Disk(NamedTempFile),
}

impl Place {
    fn store(bytes: &[u8]) -> io::Result<Self> {
        // Some systems deny executable files in memory.
        let mut place = match memfd_create("winic-image", MFdFlags::MFD_CLOEXEC) {
            Ok(descriptor) => Self::Memory(descriptor.into()),
            Err(_) => Self::Disk(NamedTempFile::new()?),
        };
        match &mut place {
            Self::Memory(file) => file.write_all(bytes)?,
            Self::Disk(file) => file.write_all(bytes)?,
        }
        Ok(place)
    }

    fn path(&self) -> PathBuf {
        match self {
            Self::Memory(file) => Path::new("/proc/self/fd").join(file.as_raw_fd().to_string()),
            Self::Disk(file) => file.path().to_owned(),
        }
    }
}
