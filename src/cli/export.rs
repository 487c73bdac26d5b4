//! A database for other programs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Options of `export`.
#[derive(Debug, Args)]
pub struct Export {
    /// For whom
    #[arg(value_name = "FORMAT", value_enum)]
    pub format: ExportFormat,
    /// What was measured
    #[arg(value_name = "FILE")]
    pub database: PathBuf,
    /// Where to: a directory for models of several files, which OSACA finds in ~/.osaca/data; else a
    /// file, or standard output
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// What the model is called there, as in `osaca --arch NAME`; OSACA knows no names but its own.
    /// LLVM's records begin with it
    #[arg(long = "as", value_name = "NAME")]
    pub name: Option<String>,
}

/// Who reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// OSACA: a machine model and an ISA file
    Osaca,
    /// LLVM: a scheduling model, in TableGen
    Llvm,
    /// A row for each throughput and each latency between operands
    Csv,
    /// The same as a list of objects
    Json,
    /// A tree of instructions, operands and latencies, like the tables of uops.info
    Xml,
    /// llvm-exegesis -mode=analysis: a file of latencies and one of inverse throughputs
    Exegesis,
}
