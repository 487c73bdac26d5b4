//! Why winic could not do what was asked, in one line.

use crate::assemble::AssembleError;
use crate::database::DatabaseError;
use crate::device::DeviceError;
use crate::files::one_line;
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

    /// The exit status that goes with it.
    #[must_use]
    pub fn status(&self) -> u8 {
        self.status
    }
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
