//! Opcodes that name one register at two operands, which makes them another instruction: `ror x0, x1, #5` is
//! `extr x0, x1, x1, #5`.

use super::{Configured, Instruction, InstructionSet, Opcode, OpcodeId, OperandValue, Special};

impl InstructionSet {
    /// Adds an opcode for another one that names the register at an operand at the next one, too, named
    /// `EXTRXrri@ror`. It has that register once.
    ///
    /// # Panics
    /// When the id is of another instruction set, or the opcode has no next operand.
    pub fn repeat(&mut self, base: OpcodeId, operand: usize, name: &str) {
        let own = self.opcode(base).clone();
        let id = OpcodeId(self.opcodes.len() as u32);
        let special = Special::Repeated(operand);
        self.configured.insert(id, Configured { special, base, operands: own.operands.clone() });
        let mut operands = own.operands.clone();
        operands.remove(operand + 1);
        self.add(Opcode { name: format!("{}@{name}", own.name), operands, ..own });
    }

    /// The operand of an opcode whose register LLVM's opcode names at the next operand, too, if that makes it an
    /// opcode of its own.
    #[must_use]
    pub fn repeated_operand(&self, id: OpcodeId) -> Option<usize> {
        match self.configured.get(&id)?.special {
            Special::Repeated(operand) => Some(operand),
            Special::Vector(_) | Special::Address(_) | Special::Selection(_) | Special::Zero(_) => {
                None
            }
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
