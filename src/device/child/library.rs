//! Shared objects as Linux loads them: by the system's loader, from a file that is in no directory.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};

use libloading::os::unix;
use nix::sys::memfd::{MFdFlags, memfd_create};
use tempfile::NamedTempFile;

use super::image::ImageError;

/// `RTLD_NOW | RTLD_LOCAL`: nothing is left to be resolved while a kernel runs.
const NOW: libc::c_int = libc::RTLD_NOW | libc::RTLD_LOCAL;

/// Why an image cannot be loaded whose name another one has.
const STILL_LOADED: &str = "the previous one cannot be unloaded; restart the runner";

/// A loaded shared object; dropping it unloads it.
pub(super) struct Library(unix::Library);

impl Library {
    /// Loads the bytes of a complete shared object.
    ///
    /// # Errors
    /// When they cannot be stored, or the loader does not take them.
    pub(super) fn load(bytes: &[u8]) -> Result<Self, ImageError> {
        let place = Place::store(bytes)?;
        let path = place.path();
        // The loader knows images by their names: were an older one of this name still there,
        // it would be measured in place of the new one.
        // SAFETY: `RTLD_NOLOAD` runs no code.
        if unsafe { unix::Library::open(Some(&path), NOW | libc::RTLD_NOLOAD) }.is_ok() {
            return Err(ImageError::Load(STILL_LOADED.to_owned()));
        }
        // SAFETY: the driver vouches for the image's initialisers, of which it should have none.
        let library = unsafe { unix::Library::open(Some(&path), NOW) };
        library.map(Self).map_err(|error| ImageError::Load(error.to_string()))
    }

    /// Where a symbol is.
    ///
    /// # Errors
    /// The loader's words where it is nowhere.
    pub(super) fn address(&self, symbol: &str) -> Result<*mut u8, String> {
        // SAFETY: the address is not followed here.
        let found = unsafe { self.0.get::<*mut u8>(symbol.as_bytes()) };
        found.map(|found| *found).map_err(|error| error.to_string())
    }
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
