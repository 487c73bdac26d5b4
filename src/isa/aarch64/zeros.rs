//! Instructions that are others to cores with the zero register at an operand: moves, which some eliminate, and
//! products to which nothing is added.

use super::spelling::is_zero;
use crate::form::{InstructionForm, Placeholder};
use crate::metadata::{InstructionSet, Opcode, OperandKind, RegisterId};

/// Opcodes, and the operand.
const ZEROS: &[(&str, usize)] = &[
    ("ORRWrs", 1),
    ("ORRXrs", 1),
    ("MADDWrrr", 3),
    ("MADDXrrr", 3),
    ("MSUBWrrr", 3),
    ("MSUBXrrr", 3),
    ("SMADDLrrr", 3),
    ("UMADDLrrr", 3),
];

/// Those of them that only move a register.
pub(super) const MOVES: &[&str] = &["ORRWrs@zero", "ORRXrs@zero"];

/// Gives such opcodes one with the zero register.
pub(super) fn complete(set: &mut InstructionSet) {
    for &(name, operand) in ZEROS {
        if let Some(opcode) = set.by_name(name) {
            set.zero(opcode, operand);
        }
    }
}

/// The zero register at an operand where it makes the opcode what it is.
pub(super) fn register(
    set: &InstructionSet,
    opcode: &Opcode,
    operand: usize,
) -> Option<RegisterId> {
    let own = set.by_name(&opcode.name).and_then(|id| set.zero_operand(id));
    let OperandKind::Register(class) = opcode.operands.get(operand)?.kind else { return None };
    let mut members = set.class(class).registers.iter().copied();
    let zero = members.find(|&register| is_zero(&set.register(register).name));
    zero.filter(|_| own == Some(operand))
}

/// Nothing is passed on through the zero register.
pub(super) fn correct(form: &mut InstructionForm, set: &InstructionSet) {
    if let Some(operand) = set.zero_operand(form.opcode) {
        form.operands[operand].kind = Placeholder::Fixed(form.sample.operands[operand]);
        form.operands[operand].read = false;
    }
}
