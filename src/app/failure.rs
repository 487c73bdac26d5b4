//! Why winic could not do what was asked, in one line.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use super::INTERRUPTED_STATUS;
use crate::assemble::AssembleError;
use crate::database::DatabaseError;
use crate::device::DeviceError;
use crate::files::{one_line, remedy, shown};
use crate::journal::JournalError;
use crate::pipeline::PipelineError;

/// A reason in one line.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct Failure {
    text: String,
    status: u8,
}

/// The exit status where something could not be done.
const UNDONE: u8 = 2;

/// The exit status where what was asked for comes to nothing.
const NOTHING: u8 = 1;

impl Failure {
    /// With a text whose line ends become spaces, and other control characters escapes.
    #[must_use]
    pub fn new(text: impl AsRef<str>) -> Self {
        let text = one_line(&text.as_ref().split_whitespace().collect::<Vec<_>>().join(" "));
        Self { text, status: UNDONE }
    }

    /// The same where what was asked for is clear, and is nothing.
    #[must_use]
    pub fn nothing(text: impl AsRef<str>) -> Self {
        Self { status: NOTHING, ..Self::new(text) }
    }

    /// Of a run that the user stopped before there was anything to say.
    #[must_use]
    pub fn interrupted() -> Self {
        let text = PipelineError::Interrupted.to_string();
        Self { text, status: INTERRUPTED_STATUS }
    }

    /// What the program is to end with.
    #[must_use]
    pub fn status(&self) -> ExitCode {
        self.status.into()
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

from_errors!(AssembleError, DatabaseError, JournalError);

impl From<DeviceError> for Failure {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::Interrupted => Self::interrupted(),
            error => Self::new(error.to_string()),
        }
    }
}

impl From<PipelineError> for Failure {
    fn from(error: PipelineError) -> Self {
        match error {
            PipelineError::Interrupted => Self::interrupted(),
            PipelineError::Device(error) => error.into(),
            error => Self::new(error.to_string()),
        }
    }
}
