//! What is made from the command line for shells and for `man`.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::Arguments;

/// For which shell.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

/// Where manual pages go.
#[derive(Debug, Args)]
pub struct ManualPages {
    /// A folder that is there
    #[arg(value_name = "DIRECTORY")]
    pub directory: PathBuf,
}

/// The script that makes a shell complete winic's command line.
#[must_use]
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "winic", &mut script);
    script
}

/// Writes a page for winic and one for each mode.
///
/// # Errors
/// When one cannot be written.
pub fn write_manual_pages(directory: &Path) -> io::Result<()> {
    clap_mangen::generate_to(super::tailored(), directory)
}
