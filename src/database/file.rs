//! Databases on disk: refused early if they cannot be used, replaced whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::document::Database;
use super::error::{DatabaseError, Malformed, Position};
use crate::files;

/// The largest file that is read: fifty times as much as there is to say about any CPU.
const MAX_SIZE: u64 = 512 << 20;

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
        let file = files::follow(path).map_err(unwritable)?;
        files::probe(&file).map_err(unwritable)?;
        Ok(Self { file: Some(file) })
    }

    /// The file, unless what is written is thrown away.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
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
        let written = database.to_yaml().and_then(|text| files::replace(file, text.as_bytes()));
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
    let bytes = read_all(path)
        .map_err(|reason| DatabaseError::Unreadable { path: path.to_owned(), reason })?;
    utf8(&bytes)
        .and_then(Database::parse)
        .map_err(|fault| DatabaseError::Malformed { path: path.to_owned(), fault })
}

fn read_all(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_SIZE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_SIZE {
        return Err(io::Error::other(format!("it is larger than {} MiB", MAX_SIZE >> 20)));
    }
    Ok(bytes)
}

fn utf8(bytes: &[u8]) -> Result<&str, Malformed> {
    str::from_utf8(bytes).map_err(|error| {
        let readable = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        Malformed::new(Some(Position::after(&readable)), "this byte is not UTF-8 text")
    })
}
