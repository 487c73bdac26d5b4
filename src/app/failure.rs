//! Why winic could not do what was asked, in one line.

use std::io;
use std::path::Path;

use crate::assemble::AssembleError;
use crate::database::DatabaseError;
use crate::device::DeviceError;
use crate::files::{one_line, remedy, shown};
use crate::journal::JournalError;
use crate::pipeline::PipelineError;

/// A reason in one line; the exit status is 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(String);

impl Failure {
    /// With a text whose line ends become spaces, and other control characters escapes.
    #[must_use]
    pub fn new(text: impl AsRef<str>) -> Self {
        Self(one_line(&text.as_ref().split_whitespace().collect::<Vec<_>>().join(" ")))
    }
}

/// A place that does not take what is written there.
pub(super) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("cannot write {}: {error}; {}", shown(path), remedy(error)))
}

macro_rules! from_errors {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::new(error.to_string())
            }
        })*
    };
}

from_errors!(PipelineError, DeviceError, AssembleError, DatabaseError, JournalError);
