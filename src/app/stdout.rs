//! Standard output. Whoever has stopped reading (`winic ... | head`) misses the rest, and the run
//! goes on; any other error, such as a full disk, is said when the mode is done.

use std::fmt;
use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use super::Failure;

/// The first thing that went wrong.
static FAILED: Mutex<Option<io::Error>> = Mutex::new(None);

/// Writes a text.
pub(super) fn write(text: fmt::Arguments<'_>) {
    note(io::stdout().lock().write_fmt(text));
}

/// Remembers that standard output does not take what is written there.
pub(super) fn note(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        FAILED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// Says whether all of it was taken.
///
/// # Errors
/// When something was not, and nobody had closed the pipe.
pub(super) fn finish() -> Result<(), Failure> {
    note(io::stdout().lock().flush());
    match FAILED.lock().unwrap_or_else(PoisonError::into_inner).take() {
        None => Ok(()),
        Some(error) => Err(Failure::new(format!(
            "cannot write standard output: {error}; {}",
            crate::files::remedy(&error)
        ))),
    }
}
