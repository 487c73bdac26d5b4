//! What stands at operands, and what the tables of LLVM say wrongly of them.

use crate::form::InstructionForm;
use crate::metadata::{InstructionSet, Opcode, OperandKind};

/// What stands at operands, and what the tables of LLVM say wrongly of them.
pub trait OperandRules {
    /// A value for an operand that is no register; `attempt` 0 is the headline's.
    fn immediate(
        &self,
        set: &InstructionSet,
        opcode: &Opcode,
        operand: (usize, OperandKind),
        attempt: usize,
    ) -> i64;

    /// Other values of the form's immediates that a core may treat differently, as
    /// (operand, value, name); the headline's is not among them.
    fn variants(&self, set: &InstructionSet, form: &InstructionForm) -> Vec<(usize, i64, String)>;

    /// Whether a register operand is left out (a segment, an index).
    fn absent(&self, set: &InstructionSet, opcode: &Opcode, index: usize) -> bool;

    /// Puts right what LLVM's tables say wrongly or not at all about a form's reads and writes.
    fn correct(&self, form: &mut InstructionForm, set: &InstructionSet);
}
