//! What is concluded again.

use std::path::PathBuf;

use clap::Args;

use super::Results;

/// Options of `conclude`.
#[derive(Debug, Clone, Args)]
pub struct Conclude {
    /// What runs found: files that lie beside their databases. Several must be of one machine
    #[arg(value_name = "EVIDENCE", required = true)]
    pub evidence: Vec<PathBuf>,
    /// Where values go.
    #[command(flatten)]
    pub results: Results,
}
