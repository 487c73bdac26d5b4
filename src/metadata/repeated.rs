//! Opcodes that name one register at two operands, which makes them another instruction: `ror x0, x1, #5` is
//! `extr x0, x1, x1, #5`.

use super::{Instruction, InstructionSet, OpcodeId, OperandValue, Special};

impl InstructionSet {
    /// Adds an opcode for another one that names the register at an operand at the next one, too, named
    /// `EXTRXrri@ror`. It has that register once.
    ///
    /// # Panics
    /// When the id is of another instruction set, or the opcode has no next operand.
    pub fn repeat(&mut self, base: OpcodeId, operand: usize, name: &str) {
        let id = self.add_special(base, Special::Repeated(operand), name);
        self.opcodes[id.0 as usize].operands.remove(operand + 1);
    }

    /// The operand of an opcode whose register LLVM's opcode names at the next operand, too, if that makes it an
    /// opcode of its own.
    #[must_use]
    pub fn repeated_operand(&self, id: OpcodeId) -> Option<usize> {
        match self.configured.get(&id)?.special {
            Special::Repeated(operand) => Some(operand),
            _ => None,
        }
    }
}

/// Operands as LLVM has them.
pub(super) fn encodable(instruction: &Instruction, operand: usize) -> Vec<OperandValue> {
    let mut operands = instruction.operands.clone();
    operands.insert(operand + 1, operands[operand]);
    operands
}

/// Operands as the opcode has them, of LLVM's.
pub(super) fn listed(operands: &[OperandValue], operand: usize) -> Vec<OperandValue> {
    let mut operands = operands.to_vec();
    operands.remove(operand + 1);
    operands
}
