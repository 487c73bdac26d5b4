//! Where output goes: a file that is replaced whole, a stream that takes bytes as they come, or
//! nowhere.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

use super::{follow, names_file, probe, replace};

/// The name of standard output on the command line.
const STANDARD_OUTPUT: &str = "-";

/// The device that keeps nothing.
const NULL: &str = "/dev/null";

/// Bits of a file's mode by which anybody may write.
const WRITABLE: u32 = 0o222;

/// A place that was checked to take output.
#[derive(Debug)]
pub struct Sink(SinkPlace);

#[derive(Debug)]
enum SinkPlace {
    Nowhere,
    StandardOutput,
    /// A device, or a pipe with a name.
    Stream(PathBuf, File),
    File(PathBuf),
}

impl Sink {
    /// The place that keeps nothing.
    #[must_use]
    pub fn nowhere() -> Self {
        Self(SinkPlace::Nowhere)
    }

    /// Makes sure that a path takes output. A symbolic link stands for the file it points to,
    /// also for one that is not there yet; `-`, and whatever leads to the same file or pipe, for
    /// standard output; `/dev/null` for nowhere. What is there and no regular file is a stream.
    /// (To open a pipe with a name waits for its reader, as everywhere.)
    ///
    /// # Errors
    /// When the path is a directory, or the system or the file's mode denies writing it.
    pub fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new(STANDARD_OUTPUT) {
            return Ok(Self(SinkPlace::StandardOutput));
        }
        let there = match fs::metadata(path) {
            Ok(there) => there,
            Err(reason) if reason.kind() == io::ErrorKind::NotFound && names_file(path) => {
                return Self::file_at(path);
            }
            Err(reason) => return Err(reason),
        };
        if there.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if is_null(&there) {
            return Ok(Self::nowhere());
        }
        if is_standard_output(&there) {
            return Ok(Self(SinkPlace::StandardOutput));
        }
        if !there.is_file() {
            let stream = OpenOptions::new().write(true).open(path)?;
            return Ok(Self(SinkPlace::Stream(path.to_owned(), stream)));
        }
        // Replacing a file asks for its directory's permission only, and root needs none.
        if there.mode() & WRITABLE == 0 {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "its mode is read-only"));
        }
        access(path, AccessFlags::W_OK)?;
        Self::file_at(path)
    }

    fn file_at(path: &Path) -> io::Result<Self> {
        let file = follow(path)?;
        probe(&file)?;
        Ok(Self(SinkPlace::File(file)))
    }

    /// The regular file, which may not be there yet; none if it is something else.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match &self.0 {
            SinkPlace::File(file) => Some(file),
            _ => None,
        }
    }

    /// Whether it is standard output.
    #[must_use]
    pub fn is_standard_output(&self) -> bool {
        matches!(self.0, SinkPlace::StandardOutput)
    }

    /// What a person may look for when the run is over: a file or a stream by its path.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.0 {
            SinkPlace::File(path) | SinkPlace::Stream(path, _) => Some(path),
            SinkPlace::Nowhere | SinkPlace::StandardOutput => None,
        }
    }

    /// Writes all of it: a file is replaced whole.
    ///
    /// # Errors
    /// When it cannot be written; what a file held before is intact.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        match &self.0 {
            SinkPlace::Nowhere => Ok(()),
            SinkPlace::StandardOutput => {
                let mut output = io::stdout().lock();
                output.write_all(bytes).and_then(|()| output.flush())
            }
            SinkPlace::Stream(_, stream) => {
                let mut stream = stream;
                stream.write_all(bytes).and_then(|()| stream.flush())
            }
            SinkPlace::File(file) => replace(file, bytes),
        }
    }
}

fn is_null(there: &Metadata) -> bool {
    let is_device = there.file_type().is_char_device();
    is_device && fs::metadata(NULL).is_ok_and(|null| null.rdev() == there.rdev())
}

fn is_standard_output(there: &Metadata) -> bool {
    let output = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    let output = output.and_then(|output| output.metadata());
    output.is_ok_and(|output| (output.dev(), output.ino()) == (there.dev(), there.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_file_or_a_stream_or_nothing() {
        let place = tempfile::tempdir().unwrap();
        let new = place.path().join("new");
        assert_eq!(Sink::open(&new).unwrap().file(), Some(new.as_path()));
        assert!(!new.exists(), "looking made a file");
        assert!(Sink::open(Path::new("-")).unwrap().is_standard_output());
        let null = Sink::open(Path::new(NULL)).unwrap();
        assert_eq!((null.file(), null.path()), (None, None));
        null.write(b"x").unwrap();
        let full = Sink::open(Path::new("/dev/full")).unwrap();
        assert_eq!((full.file(), full.path()), (None, Some(Path::new("/dev/full"))));
        assert_eq!(full.write(b"x").unwrap_err().kind(), io::ErrorKind::StorageFull);
        let directory = Sink::open(place.path()).unwrap_err();
        assert_eq!(directory.kind(), io::ErrorKind::IsADirectory);
    }

    #[test]
    fn a_read_only_file_is_left_alone_also_by_root() {
        use std::os::unix::fs::PermissionsExt as _;
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("a");
        fs::write(&file, "a").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        let denied = Sink::open(&file).unwrap_err();
        assert_eq!(denied.kind(), io::ErrorKind::PermissionDenied);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        Sink::open(&file).unwrap().write(b"b").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"b");
    }
}
