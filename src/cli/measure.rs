//! What is measured, and where it goes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Results;

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
    /// Where values go.
    #[command(flatten)]
    pub results: Results,
    /// Keep nothing of what the values were concluded from; without it, it goes beside a database
    /// file, for `winic conclude`
    #[arg(long = "noEvidence")]
    pub no_evidence: bool,
    /// Where the kernels of forms named with -i go
    #[arg(long, value_name = "DIRECTORY", default_value = "asm")]
    pub asm: PathBuf,
    /// Write no kernels
    #[arg(long = "noAsm", conflicts_with = "asm")]
    pub no_asm: bool,
    /// Go on from what an earlier run, of the same options, had measured when it was stopped
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// Measure x87 floating-point forms too
    #[arg(long = "x87FP", help_heading = SELECTION)]
    pub x87: bool,
}

impl Measure {
    /// Whether no instructions are selected, by names or by numbers.
    #[must_use]
    pub fn is_of_all(&self) -> bool {
        self.instructions.is_empty() && self.min_opcode.is_none() && self.max_opcode.is_none()
    }
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
