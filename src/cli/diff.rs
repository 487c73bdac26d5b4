//! What changed from one database to another.

use std::path::PathBuf;

use clap::Args;

/// Options of `diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// A database
    #[arg(value_name = "FILE")]
    pub before: PathBuf,
    /// Another one
    #[arg(value_name = "OTHER")]
    pub after: PathBuf,
    /// Only these forms, by LLVM's names or patterns of them ('VADD*')
    #[arg(short, long = "instruction", value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    pub instructions: Vec<String>,
}
