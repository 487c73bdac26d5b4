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
    /// Write every pair of figures to a table, tab-separated
    #[arg(long, value_name = "FILE")]
    pub tsv: Option<PathBuf>,
}
