//! All that is known of single instruction sets, behind traits by what it is asked about: the only
//! place, with `templates/`, where mnemonics and register names stand.

mod aarch64;
pub mod amx;
mod architectures;
mod contents;
mod crossing;
mod dependences;
mod helpers;
mod memory;
mod mixtures;
mod names;
mod opcodes;
mod operands;
mod operations;
mod passages;
mod riscv;
mod spelling;
mod text;
mod timing;
mod transitions;
mod x86;

pub use amx::AmxGeneration;
pub use architectures::{
    UnknownArchitecture, apple_amx, architectures, decodes_everything, extensions,
    for_architecture, is_part_of_extensions, possible_features,
};
pub use contents::{OperandContents, OperandValues, Restored, Restorer};
pub use dependences::{Availability, Dependences};
pub use helpers::{BreakingPair, Companions, HelperForms};
pub use memory::{FILLED_WORDS, MemoryOperands, PlainMove, REGION};
pub use mixtures::{Mixtures, Padding, RegisterPool};
pub use opcodes::Opcodes;
pub use operands::OperandRules;
pub use operations::{Computations, Operations};
pub use passages::{AdjacentPair, Passages, RandomBranch};
pub use spelling::{AddressStep, Branch, BranchOperand, Spelling};
pub use text::{
    BufferChase, BufferPath, BufferWalk, HeldOperand, KernelText, LoopControl, PHASE, Preparation,
    ReadWord, ReferenceChain, RegisterOperand, SENTINEL, WalkText, WordReader,
};
pub use timing::TimingForms;
pub use transitions::{Step, Transition, Transitions};
#[cfg(feature = "llvm")]
pub use x86::extensions as cpuid;

use crate::metadata::InstructionSet;

/// Knowledge of one instruction set, by what it is asked about.
pub trait Isa:
    Opcodes
    + OperandRules
    + MemoryOperands
    + Dependences
    + KernelText
    + TimingForms
    + Passages
    + OperandContents
    + HelperForms
    + Transitions
    + Mixtures
    + Computations
    + Spelling
    + Send
    + Sync
{
    /// Architecture as in LLVM triples.
    fn architecture(&self) -> &'static str;

    /// Completes LLVM's tables with what they leave open: widths of registers, and the
    /// configurations under which vector opcodes are legal.
    fn complete(&self, _set: &mut InstructionSet) {}
}
