//! The report of a database.

use std::path::PathBuf;

use clap::Args;

/// Options of `report`.
#[derive(Debug, Args)]
pub struct Report {
    /// What was measured
    #[arg(value_name = "FILE")]
    pub database: PathBuf,
    /// Report only these forms, by LLVM's names or patterns of them ('VADD*')
    #[arg(short, long = "instruction", value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    pub instructions: Vec<String>,
}
