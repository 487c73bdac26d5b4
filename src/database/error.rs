//! What can be wrong with a database, in one line each.

use std::fmt::{self, Write as _};
use std::io;
use std::path::PathBuf;

use super::origin::Stranger;
use crate::files::{one_line, remedy, shown};

/// A place in a text; both count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl Position {
    /// The place of the first character after `text`.
    pub(super) fn after(text: &str) -> Self {
        let last_line = text.rsplit('\n').next().unwrap_or(text);
        Self { line: text.matches('\n').count() + 1, column: last_line.chars().count() + 1 }
    }
}

/// How many characters of a problem are shown.
const MAX_PROBLEM: usize = 300;

/// Why a text is not a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    position: Option<Position>,
    problem: String,
}

impl Malformed {
    /// A problem, where there is one place for it.
    #[must_use]
    pub fn new(position: Option<Position>, problem: &str) -> Self {
        let mut problem = one_line(problem);
        // YAML's messages quote what they found, which may be a book.
        if let Some((cut, _)) = problem.char_indices().nth(MAX_PROBLEM) {
            problem.truncate(cut);
            problem.push('…');
        }
        Self { position, problem }
    }

    /// The same, saying what it is about.
    pub(super) fn about(self, subject: &str) -> Self {
        Self::new(self.position, &format!("{subject}: {}", self.problem))
    }

    /// Where it is wrong, unless the whole of it is.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// What is wrong.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for Malformed {
    /// Begins with `line:column: `, to be put behind the name of a file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Position { line, column }) = self.position {
            write!(f, "{line}:{column}: ")?;
        } else {
            f.write_char(' ')?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Malformed {}

/// Why a database cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The file is not a database.
    #[error("{}:{fault}; the file was not touched: correct it or name another one", shown(path))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        fault: Malformed,
    },
    /// The system does not let the file be read.
    #[error("cannot read {}: {reason}; make it readable or name another file", shown(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The system does not let the file be written; what it held before is intact.
    #[error("cannot write {}: {reason}; {}", shown(path), remedy(reason))]
    Unwritable {
        /// The file, or the directory it is to be in.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The file has values of something else than the run.
    #[error("{}: {reason}", shown(path))]
    Stranger {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        reason: Stranger,
    },
    /// The path does not name a file.
    #[error("{} is a directory; name a file in it", shown(path))]
    Directory {
        /// The directory.
        path: PathBuf,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_is_one_line() {
        let path = PathBuf::from("a\nb.yaml");
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        for error in [
            DatabaseError::Malformed {
                path: path.clone(),
                fault: Malformed::new(None, "two\r\nlines"),
            },
            DatabaseError::Unreadable { path: path.clone(), reason: full() },
            DatabaseError::Unwritable { path: path.clone(), reason: full() },
            DatabaseError::Directory { path },
        ] {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
        }
    }

    #[test]
    fn positions_count_characters_from_one() {
        assert_eq!(Position::after(""), Position { line: 1, column: 1 });
        assert_eq!(Position::after("a\né"), Position { line: 2, column: 2 });
    }
}
