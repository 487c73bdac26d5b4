//! The listing.

use clap::Args;

/// Options of the listing.
#[derive(Debug, Args)]
pub struct List {
    /// List only these opcodes, by LLVM's names or patterns of them ('VADD*')
    #[arg(value_name = "NAME", help_heading = FILTERS)]
    pub names: Vec<String>,
    /// The same, as the measuring modes have it
    #[arg(short, long = "instruction", value_name = "NAME", num_args = 1.., value_delimiter = ',', help_heading = FILTERS)]
    pub instructions: Vec<String>,
    /// Only forms with this mnemonic, in any case
    #[arg(long, value_name = "NAME", help_heading = FILTERS)]
    pub mnemonic: Option<String>,
    /// Only forms that need this extension, by LLVM's name (avx512bw, sve2, zbb)
    #[arg(long = "isa-extension", value_name = "NAME", help_heading = FILTERS)]
    pub isa_extension: Option<String>,
    /// Only forms that read this register without a choice (EFLAGS), or an operand of this class
    /// (GR64)
    #[arg(long, value_name = "REG|CLASS", help_heading = FILTERS)]
    pub reads: Option<String>,
    /// Only what loads or stores
    #[arg(long, help_heading = FILTERS)]
    pub memory: bool,
    /// Every opcode, with the reason for each that is not a form of this CPU
    #[arg(long)]
    pub all: bool,
    /// Execute nothing: say only what LLVM's tables tell, the same on every machine
    #[arg(long = "noProbe")]
    pub no_probe: bool,
    /// Print the numbers of the opcodes, which --minOpcode and --maxOpcode take, in a first column
    #[arg(long, conflicts_with = "json")]
    pub numbers: bool,
    /// Print one JSON array with all that is known of each
    #[arg(long)]
    pub json: bool,
}

const FILTERS: &str = "Filters";
