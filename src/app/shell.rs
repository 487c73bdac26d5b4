//! What an installation gives the shell and `man`.

use std::io::Write as _;
use std::process::ExitCode;

use super::Failure;
use crate::cli::{self, Completions, ManualPages};

pub fn print_completions(options: &Completions) -> Result<ExitCode, Failure> {
    let script = cli::completions(options.shell);
    let mut stdout = std::io::stdout().lock();
    stdout
        .write_all(&script)
        .and_then(|()| stdout.flush())
        .map_err(|error| Failure::new(format!("cannot write the completions: {error}")))?;
    Ok(ExitCode::SUCCESS)
}

pub fn write_manual_pages(options: &ManualPages) -> Result<ExitCode, Failure> {
    let directory = options.directory.display();
    cli::write_manual_pages(&options.directory).map_err(|error| {
        Failure::new(format!("cannot write manual pages into {directory}: {error}"))
    })?;
    Ok(ExitCode::SUCCESS)
}
