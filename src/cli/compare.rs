//! The comparison.

use std::path::PathBuf;

use clap::Args;

/// Options of the comparison.
#[derive(Debug, Args)]
pub struct Compare {
    /// What was measured
    #[arg(value_name = "FILE")]
    pub measured: PathBuf,
    /// Another database to hold it against; else the model of the CPU that -c or the file names
    #[arg(value_name = "OTHER")]
    pub reference: Option<PathBuf>,
    /// Exit with 1 if figures differ by more than their uncertainty
    #[arg(long)]
    pub exit_code: bool,
    /// Write every pair of figures, and what only one side has, to a table, tab-separated
    #[arg(long, value_name = "FILE")]
    pub tsv: Option<PathBuf>,
}
