//! What is drawn.

use std::path::PathBuf;

use clap::Args;

use crate::database::SweepKind;

/// Options of `plot`.
#[derive(Debug, Args)]
pub struct Plot {
    /// Databases with sweeps
    #[arg(value_name = "FILE", required = true)]
    pub databases: Vec<PathBuf>,
    /// Draw only sweeps of this kind; needed where the files have several
    #[arg(long, value_name = "KIND", value_parser = kind)]
    pub kind: Option<SweepKind>,
    /// Draw only sweeps of these forms, by LLVM's names or patterns of them ('VADD*')
    #[arg(short, long = "instruction", value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    pub instructions: Vec<String>,
    /// Draw rates (GFLOPS, GOPS, GiB/s) instead of cycles
    #[arg(long)]
    pub rates: bool,
    /// Where the picture goes; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub svg: PathBuf,
}

/// A kind of sweep by its name.
fn kind(name: &str) -> Result<SweepKind, String> {
    SweepKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        let names: Vec<&str> = SweepKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("there are {}", names.join(", "))
    })
}
