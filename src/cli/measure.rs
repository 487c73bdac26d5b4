//! What is measured, and where it goes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Options of the measuring modes.
#[derive(Debug, Clone, Args)]
pub struct Measure {
    /// Measure only these forms, by LLVM's names or patterns of them ('VADD*', see `winic list`);
    /// their kernels go to asm/
    #[arg(short, long = "instruction", value_name = "NAME", num_args = 1.., value_delimiter = ',', conflicts_with_all = ["min_opcode", "max_opcode"], help_heading = SELECTION)]
    pub instructions: Vec<String>,
    /// Measure only opcodes from this number of LLVM's on
    #[arg(long = "minOpcode", value_name = "N", help_heading = SELECTION)]
    pub min_opcode: Option<u32>,
    /// Measure only opcodes up to this number of LLVM's
    #[arg(long = "maxOpcode", value_name = "N", help_heading = SELECTION)]
    pub max_opcode: Option<u32>,
    /// The database; results are merged into an existing one. `-` and what is no regular file get
    /// this run's values as YAML, /dev/null none. Without -o and -i it is a new dated file, unless
    /// values are printed
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Make a database that does not say which CPU it is about one of this CPU
    #[arg(long, requires = "output")]
    pub adopt: bool,
    /// Print this run's database as JSON
    #[arg(long, group = "document")]
    pub json: bool,
    /// Print a line of CSV for each throughput and for each latency between two operands
    #[arg(long, group = "document")]
    pub csv: bool,
    /// Print the same as a table for people
    #[arg(long, group = "document")]
    pub table: bool,
    /// Write how each value was obtained to this file; without it, beside a database file
    #[arg(long, value_name = "FILE", conflicts_with = "no_report")]
    pub report: Option<PathBuf>,
    /// Write no report
    #[arg(long = "noReport")]
    pub no_report: bool,
    /// Where the kernels of forms named with -i go
    #[arg(long, value_name = "DIRECTORY", default_value = "asm")]
    pub asm: PathBuf,
    /// Write no kernels
    #[arg(long = "noAsm", conflicts_with = "asm")]
    pub no_asm: bool,
    /// Go on from what an earlier run, of the same options, had measured when it was stopped
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// Stop early and write down what there is: the forms, the first round's experiments, their
    /// kernels (asm/) or shared objects (artifacts/)
    #[arg(long = "stop-after", value_name = "STAGE", value_enum)]
    pub stop_after: Option<Stage>,
    /// Measure x87 floating-point forms too
    #[arg(long = "x87FP", help_heading = SELECTION)]
    pub x87: bool,
}

impl Measure {
    /// The form in which values are printed, if one is asked for.
    #[must_use]
    pub fn document(&self) -> Option<Document> {
        let asked =
            [(self.json, Document::Json), (self.csv, Document::Csv), (self.table, Document::Table)];
        asked.into_iter().find_map(|(is_asked, document)| is_asked.then_some(document))
    }
}

/// A form in which standard output gets all values of a run, and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// As a database has them.
    Yaml,
    /// The same as JSON.
    Json,
    /// A row a value.
    Csv,
    /// The same rows for people.
    Table,
}
/// What is measured, of all there is.
const SELECTION: &str = "Selection";

/// A stage of a run after which it can stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// Which forms there are.
    Forms,
    /// Which experiments to make first.
    Plan,
    /// The kernels that answer them, as text.
    Kernels,
    /// The kernels as shared objects.
    Artifacts,
}
