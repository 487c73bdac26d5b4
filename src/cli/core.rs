//! What is asked of the machine itself.

use std::path::PathBuf;

use clap::Args;

use super::{Measure, Results};

/// Options of `CORE` and `FORWARD`.
#[derive(Debug, Clone, Args)]
pub struct MeasureCore {
    /// Where values go.
    #[command(flatten)]
    pub results: Results,
    /// Keep nothing of what the values were concluded from
    #[arg(long = "noEvidence")]
    pub no_evidence: bool,
}

impl MeasureCore {
    /// The same as options of a mode that measures forms, of which there are none.
    #[must_use]
    pub fn measure(&self) -> Measure {
        Measure {
            instructions: Vec::new(),
            min_opcode: None,
            max_opcode: None,
            results: self.results.clone(),
            no_evidence: self.no_evidence,
            asm: PathBuf::new(),
            no_asm: true,
            resume: false,
            x87: false,
        }
    }
}
