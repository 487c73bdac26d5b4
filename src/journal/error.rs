//! What can be wrong with a journal, in one line each.

use std::io;
use std::path::PathBuf;

use super::record::{HeaderDifference, NoJournal};
use crate::files::{remedy, shown};

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// There are findings of an earlier run, and this one is to start anew.
    #[error(
        "{} holds {findings} findings of a run that did not end: continue it with --resume, or delete the file to measure anew",
        shown(path)
    )]
    Exists {
        /// The journal.
        path: PathBuf,
        /// Its findings.
        findings: usize,
    },
    /// The findings hold for something else.
    #[error(
        "{} cannot be continued: {difference}; repeat the run as it was, or delete the file to measure anew",
        shown(path)
    )]
    Other {
        /// The journal.
        path: PathBuf,
        /// The first thing that is not the same.
        difference: HeaderDifference,
    },
    /// Another run is using it.
    #[error(
        "another winic is at work on {}: wait for its end, or name another database with -o",
        shown(path)
    )]
    Busy {
        /// The journal.
        path: PathBuf,
    },
    /// The file is no journal.
    #[error(
        "{}: {reason}; it was not touched: move it away, or name another database with -o",
        shown(path)
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: NoJournal,
    },
    /// The system does not let it be read.
    #[error("cannot use {}: {reason}; make it readable and writable, or delete it", shown(path))]
    Unreadable {
        /// The journal.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The system does not let it be written; the findings in it are intact.
    #[error("cannot write {}: {reason}; {}", shown(path), remedy(reason))]
    Unwritable {
        /// The journal.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
}
