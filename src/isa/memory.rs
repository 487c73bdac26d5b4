//! What accesses memory, and at which address.

use super::Restorer;
use crate::form::{AddressPart, InstructionForm, MemoryAccess, Value};
use crate::metadata::{InstructionSet, Opcode};

/// What accesses memory, and at which address.
pub trait MemoryOperands {
    /// What an opcode does to memory where LLVM's operand list does not say it: through
    /// registers it implies, or through an address that is listed like any register.
    /// `Some(None)` contradicts LLVM's operand list.
    fn implied_memory(&self, opcode: &Opcode) -> Option<MemoryAccess>;

    /// What an operand is to the address of the memory that an opcode accesses, if it is a part of
    /// one. An address that is only computed (`LEA`) has no parts.
    fn address_part(
        &self,
        set: &InstructionSet,
        opcode: &Opcode,
        operand: usize,
    ) -> Option<AddressPart> {
        let _ = (set, opcode, operand);
        None
    }

    /// Bits of memory that an opcode accesses at its address, by how an instance is printed; 0 where
    /// that is not known.
    fn access_bits(&self, opcode: &Opcode, text: &str) -> u32 {
        let _ = (opcode, text);
        0
    }

    /// Bytes that one in the operand of a displacement stands for, by how an instance is printed that
    /// has a one there; none where that depends on the machine (vectors of SVE).
    fn displacement_unit(&self, text: &str) -> Option<u32> {
        let _ = text;
        Some(1)
    }

    /// Assembly that fills the region which kernels may access, before registers get their values.
    fn fill_region(&self, contents: Value) -> Vec<String> {
        let _ = contents;
        Vec::new()
    }

    /// The steps that bring a register which is part of an address back to what it held, like
    /// [`OperandContents::restorers`](super::OperandContents::restorers).
    fn address_restorers(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        operand: usize,
    ) -> &'static [Restorer] {
        let _ = (set, form, operand);
        &[]
    }
}
