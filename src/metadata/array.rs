//! Vectors of an array as registers: encodings name them by a register that holds a part of the number.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    ClassId, Configured, Instruction, InstructionSet, OpcodeId, OperandKind, OperandValue,
    RegisterId, Special,
};

/// How an opcode names vectors of an array, all of which is one register to LLVM: `za.s[w9, 3, vgx2]` is
/// the vectors 11 and 43 of ZA where W9 holds 8. A register of its own stands for each that can be named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArraySelection {
    /// The operands that LLVM calls the whole array, a result first; all are the same vectors.
    pub operands: Vec<usize>,
    /// LLVM's register for the whole array.
    pub whole: RegisterId,
    /// The operand whose register holds a part of the number.
    pub selector: usize,
    /// The operands that say what is added to it, all the same.
    pub offsets: Vec<usize>,
    /// The registers that stand for vectors, each with the selector and the number that name it.
    pub names: BTreeMap<RegisterId, (RegisterId, i64)>,
}

impl ArraySelection {
    /// An instruction as LLVM takes it.
    pub(super) fn encodable(&self, instruction: &Instruction) -> Vec<OperandValue> {
        let mut operands = instruction.operands.clone();
        let chosen = self.operands.first().map(|&at| operands[at]);
        let Some(OperandValue::Register(vectors)) = chosen else { return operands };
        let Some(&(selector, offset)) = self.names.get(&vectors) else { return operands };
        for &at in &self.operands {
            operands[at] = OperandValue::Register(self.whole);
        }
        operands[self.selector] = OperandValue::Register(selector);
        for &at in &self.offsets {
            operands[at] = OperandValue::Immediate(offset);
        }
        operands
    }

    /// The operands that LLVM decodes, with the register that stands for the vectors.
    pub(super) fn named(&self, operands: &[OperandValue]) -> Vec<OperandValue> {
        let mut out = operands.to_vec();
        let selector = operands.get(self.selector);
        let offset = self.offsets.first().and_then(|&at| operands.get(at));
        let (Some(OperandValue::Register(selector)), Some(OperandValue::Immediate(offset))) =
            (selector, offset)
        else {
            return out;
        };
        let mut names = self.names.iter();
        if let Some((&vectors, _)) = names.find(|(_, name)| **name == (*selector, *offset)) {
            for &at in &self.operands {
                out[at] = OperandValue::Register(vectors);
            }
        }
        out
    }
}

impl InstructionSet {
    /// Puts registers of a class in the place of the whole array that an opcode names.
    ///
    /// # Panics
    /// When the ids are of another instruction set.
    pub fn select(&mut self, id: OpcodeId, selection: ArraySelection, class: ClassId) {
        let operands = self.opcode(id).operands.clone();
        for &at in &selection.operands {
            self.opcodes[id.0 as usize].operands[at].kind = OperandKind::Register(class);
        }
        let special = Special::Selection(selection);
        self.configured.insert(id, Configured { special, base: id, operands });
    }

    /// How an opcode names vectors of an array, if it does.
    #[must_use]
    pub fn selection(&self, id: OpcodeId) -> Option<&ArraySelection> {
        match &self.configured.get(&id)?.special {
            Special::Selection(selection) => Some(selection),
            _ => None,
        }
    }
}
