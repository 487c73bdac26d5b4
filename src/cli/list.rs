//! The listing.

use clap::Args;

/// Options of the listing.
#[derive(Debug, Args)]
pub struct List {
    /// Every opcode, with the reason for each that is not a form of this CPU
    #[arg(long)]
    pub all: bool,
    /// Execute nothing: say only what LLVM's tables tell, the same on every machine
    #[arg(long = "noProbe")]
    pub no_probe: bool,
}
