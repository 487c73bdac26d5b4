//! The manual mode.

use std::path::PathBuf;

use clap::Args;

/// Options of the manual mode.
#[derive(Debug, Args)]
pub struct Manual {
    /// The assembly file
    #[arg(short, long, value_name = "FILE")]
    pub path: PathBuf,
    /// The function to time: `void f(uint64_t loop_count)`
    #[arg(long = "funcName", value_name = "NAME")]
    pub function: String,
    /// Instructions in its loop body
    #[arg(short = 'n', long = "nInst", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub instructions: u32,
    /// A function `void f(void)` to call before each timed call
    #[arg(long = "initName", value_name = "NAME")]
    pub init: Option<String>,
}
