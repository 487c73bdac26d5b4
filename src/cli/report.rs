//! The report of a database, as text or as a site of pages.

use std::path::PathBuf;

use clap::Args;

/// Options of `report`.
#[derive(Debug, Args)]
pub struct Report {
    /// What was measured; several databases make one site
    #[arg(value_name = "FILE", required = true)]
    pub databases: Vec<PathBuf>,
    /// Write a site of HTML pages into this directory instead of printing; it opens without a server
    #[arg(short, long, value_name = "DIRECTORY", conflicts_with = "instructions")]
    pub output: Option<PathBuf>,
    /// What runs found, as it lies beside databases: the site shows the kernels that figures were read from
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "output")]
    pub evidence: Vec<PathBuf>,
    /// Report only these forms, by LLVM's names or patterns of them ('VADD*')
    #[arg(short, long = "instruction", value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    pub instructions: Vec<String>,
    /// Report only the tables of documents on matrix units, beside these figures
    #[arg(long, conflicts_with_all = ["output", "instructions"])]
    pub published: bool,
}
