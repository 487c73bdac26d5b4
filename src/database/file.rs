//! Databases on disk: refused early if they cannot be used, replaced whole or not at all.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::document::Database;
use super::error::{DatabaseError, Malformed, Position};

/// What a new file may be used for, less what the user's umask forbids.
const NEW_FILE_MODE: u32 = 0o666;

/// How many symbolic links in a row are followed, as in Linux.
const MAX_LINKS: usize = 40;

/// A place that is known to take a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// None if what is written is thrown away.
    file: Option<PathBuf>,
}

impl Destination {
    /// Makes sure that a database can be written to a path: a file that exists is one, and its
    /// directory takes new files.
    ///
    /// A symbolic link stands for the file it points to, also for one that is not there yet. A
    /// device or a pipe, such as `/dev/null`, takes everything and keeps nothing.
    ///
    /// # Errors
    /// When the path cannot be written, or what is there is not a database.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        let unwritable = |reason| DatabaseError::Unwritable { path: path.to_owned(), reason };
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                return Err(DatabaseError::Directory { path: path.to_owned() });
            }
            Ok(found) if !found.is_file() => return Ok(Self { file: None }),
            Ok(_) => drop(read(path)?),
            Err(reason) if is_missing(&reason) && names_file(path) => {}
            Err(reason) => return Err(unwritable(reason)),
        }
        let file = follow(path).map_err(unwritable)?;
        temporary(&file).and_then(NamedTempFile::close).map_err(unwritable)?;
        Ok(Self { file: Some(file) })
    }

    /// What the file holds now; an empty database if there is none.
    ///
    /// To be called right before merging: another run may have written to the file since it was
    /// opened.
    ///
    /// # Errors
    /// When it cannot be read or is not a database.
    pub fn read(&self) -> Result<Database, DatabaseError> {
        match self.file.as_deref().map(read) {
            None => Ok(Database::default()),
            Some(Err(DatabaseError::Unreadable { reason, .. })) if is_missing(&reason) => {
                Ok(Database::default())
            }
            Some(read) => read,
        }
    }

    /// Writes a database, replacing the file whole. Its permissions, and its owner if possible,
    /// stay.
    ///
    /// # Errors
    /// When it cannot be written; what was there before is intact.
    pub fn save(&self, database: &Database) -> Result<(), DatabaseError> {
        let Some(file) = &self.file else { return Ok(()) };
        let written = database.to_yaml().and_then(|text| replace(file, text.as_bytes()));
        written.map_err(|reason| DatabaseError::Unwritable { path: file.clone(), reason })
    }
}

fn is_missing(reason: &io::Error) -> bool {
    reason.kind() == io::ErrorKind::NotFound
}

/// Whether a path that leads to nothing could lead to a file: not the empty one, not `missing/`.
fn names_file(path: &Path) -> bool {
    path.file_name().is_some() && !path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Database, DatabaseError> {
    let bytes = fs::read(path)
        .map_err(|reason| DatabaseError::Unreadable { path: path.to_owned(), reason })?;
    utf8(&bytes)
        .and_then(Database::parse)
        .map_err(|fault| DatabaseError::Malformed { path: path.to_owned(), fault })
}

fn utf8(bytes: &[u8]) -> Result<&str, Malformed> {
    str::from_utf8(bytes).map_err(|error| {
        let readable = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        Malformed::new(Some(Position::after(&readable)), "this byte is not UTF-8 text")
    })
}

/// The file a path stands for. Unlike `fs::canonicalize`, it need not exist.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut file = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&file) {
            Ok(target) => file = directory(&file).join(target),
            // Not a link, or nothing.
            Err(_) => return Ok(file),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

fn directory(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A new file beside the one it is to replace, so that renaming it is atomic.
fn temporary(file: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(".winic-")
        .permissions(Permissions::from_mode(NEW_FILE_MODE))
        .tempfile_in(directory(file))
        .map_err(without_name)
}

/// The system's reason alone; the name of a temporary file tells nobody anything.
fn without_name(error: io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text.split_once(" at path ").map_or(text.as_str(), |(reason, _)| reason);
    io::Error::new(error.kind(), reason)
}

fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = temporary(file)?;
    if let Ok(old) = fs::metadata(file) {
        inherit(new.as_file(), &old)?;
    }
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    new.persist(file)?;
    sync_directory(directory(file))
}

/// Gives a file the owner and the permissions of another one.
fn inherit(file: &File, old: &Metadata) -> io::Result<()> {
    // Only root may give files away. Then it matters: who measures with `sudo` wants to keep
    // the file. For others nothing changes.
    let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    file.set_permissions(old.permissions())
}

/// Makes the new name survive a loss of power, on file systems that know how.
fn sync_directory(directory: &Path) -> io::Result<()> {
    match File::open(directory)?.sync_all() {
        Err(reason) if reason.kind() == io::ErrorKind::InvalidInput => Ok(()),
        done => done,
    }
}
