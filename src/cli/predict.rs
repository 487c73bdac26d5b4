//! Predictions of loops.

use std::path::PathBuf;

use clap::Args;

/// Options of `predict`.
#[derive(Debug, Args)]
pub struct Predict {
    /// Assembly with marked regions: comments OSACA-BEGIN and OSACA-END, or LLVM-MCA-BEGIN and
    /// LLVM-MCA-END, on lines of their own, or the marks of bytes that IACA and OSACA have; without marks
    /// the last loop counts, or all of a file without loops
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// What was measured: latencies, throughputs and ports come from it
    #[arg(long, value_name = "FILE")]
    pub database: Option<PathBuf>,
    /// Run the regions as kernels, too
    #[arg(long)]
    pub measure: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
