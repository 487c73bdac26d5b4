//! Databases on disk: refused early if they cannot be used, replaced whole or not at all.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::document::Database;
use super::error::{DatabaseError, Malformed, Position};
use super::origin::Origin;
use crate::files::Sink;

/// The largest file that is read: fifty times as much as there is to say about any CPU.
const MAX_SIZE: u64 = 512 << 20;

/// A place that is known to take a database.
#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
    sink: Sink,
    /// What a file that is there holds.
    found: Database,
}

impl Destination {
    /// Makes sure that a database can be written to a path, as [`Sink::open`] has it, and that a
    /// file that exists is one.
    ///
    /// # Errors
    /// When the path cannot be written, or what is there is not a database.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        let sink = Sink::open(path).map_err(|reason| match reason.kind() {
            io::ErrorKind::IsADirectory => DatabaseError::Directory { path: path.to_owned() },
            _ => DatabaseError::Unwritable { path: path.to_owned(), reason },
        })?;
        let found = read_if_there(&sink)?;
        Ok(Self { path: path.to_owned(), sink, found })
    }

    /// The place of a run whose values go to no file.
    #[must_use]
    pub fn nowhere() -> Self {
        Self { path: PathBuf::new(), sink: Sink::nowhere(), found: Database::default() }
    }

    /// The regular file, if it is one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.sink.file()
    }

    /// Where it goes.
    #[must_use]
    pub fn sink(&self) -> &Sink {
        &self.sink
    }

    /// Whether what was found when it was opened may have a run's values put in.
    ///
    /// # Errors
    /// When it has others; see [`Database::admit`].
    pub fn admit(&self, run: &Origin, adopt: bool) -> Result<(), DatabaseError> {
        self.check(&self.found, run, adopt)
    }

    /// What the file holds now, if a run's values may be put in; an empty database if there is
    /// none.
    ///
    /// To be called right before merging: another run may have written to the file since it was
    /// opened.
    ///
    /// # Errors
    /// When it cannot be read, is not a database, or has values of something else.
    pub fn read(&self, run: &Origin, adopt: bool) -> Result<Database, DatabaseError> {
        let now = read_if_there(&self.sink)?;
        self.check(&now, run, adopt)?;
        Ok(now)
    }

    /// Writes a database. A file is replaced whole; its permissions, and its owner if possible,
    /// stay.
    ///
    /// # Errors
    /// When it cannot be written; what was there before is intact.
    pub fn save(&self, database: &Database) -> Result<(), DatabaseError> {
        let written = database.to_yaml().and_then(|text| self.sink.write(text.as_bytes()));
        written.map_err(|reason| DatabaseError::Unwritable { path: self.path.clone(), reason })
    }

    fn check(&self, database: &Database, run: &Origin, adopt: bool) -> Result<(), DatabaseError> {
        let path = || self.path.clone();
        database
            .admit(run, adopt)
            .map_err(|reason| DatabaseError::Stranger { path: path(), reason })
    }
}

/// What a file holds; an empty database if it is none, or is not there.
fn read_if_there(sink: &Sink) -> Result<Database, DatabaseError> {
    match sink.file().map(read) {
        None => Ok(Database::default()),
        Some(Err(DatabaseError::Unreadable { reason, .. }))
            if reason.kind() == io::ErrorKind::NotFound =>
        {
            Ok(Database::default())
        }
        Some(read) => read,
    }
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
