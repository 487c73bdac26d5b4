//! What an opcode is.

use crate::form::{EncodingGroup, InstructionForm};
use crate::metadata::{InstructionSet, RegisterId};

/// What an opcode is.
pub trait Opcodes {
    /// Whether an opcode leaves the kernel although LLVM does not call it a branch.
    fn leaves_the_kernel(&self, opcode: &str) -> bool;

    /// Why an opcode that LLVM can encode is not to be measured at all (it traps, or what it
    /// does is not its own), if it is not.
    fn excluded(&self, _opcode: &str) -> Option<&'static str> {
        None
    }

    /// Whether an opcode only changes the next instruction.
    fn is_prefix(&self, opcode: &str) -> bool;

    /// Whether a form belongs to the deprecated floating-point unit that runs skip by default.
    fn is_deprecated_floating_point(&self, form: &InstructionForm) -> bool;

    /// The mnemonic in a printed instruction.
    fn mnemonic(&self, text: &str) -> String;

    /// Which group an instruction that touches these registers belongs to; kernels do not mix
    /// groups, since some cores pay for each change.
    fn encoding_group(
        &self,
        set: &InstructionSet,
        touched: &[RegisterId],
        bytes: &[u8],
    ) -> EncodingGroup;
}
