//! The comparison.

use std::path::PathBuf;

use clap::Args;

/// Options of the comparison.
#[derive(Debug, Args)]
pub struct Compare {
    /// What was measured: a database, or what `winic export` made of one
    #[arg(value_name = "FILE")]
    pub measured: PathBuf,
    /// What to hold it against, likewise, or what uops.info, AMD, Intel or InstLatx64 publish; else the
    /// model of the CPU that -c or the file names. Several are put side by side. FILE@NAME names a machine
    /// of a file that has several
    #[arg(value_name = "OTHER")]
    pub references: Vec<PathBuf>,
    /// Exit with 1 if figures differ by more than their uncertainty
    #[arg(long)]
    pub exit_code: bool,
    /// Write every pair of figures, and what only one side has, to a table, tab-separated
    #[arg(long, value_name = "FILE")]
    pub tsv: Option<PathBuf>,
}
