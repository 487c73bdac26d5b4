//! Addresses: their five parts in LLVM's operand lists, which of them an instance has, and the opcodes
//! for addressing modes beside the base alone.

use super::memory::{PLAIN_MOVES, is_address_computation};
use super::registers::SEGMENTS;
use crate::artifact::LOW_MEMORY;
use crate::form::{AddressOrigin, AddressPart, InstructionForm, Placeholder};
use crate::metadata::{Addressing, InstructionSet, Opcode, OperandKind, RegisterId};

/// A part of an address, by its position within LLVM's operands for it.
pub(super) const BASE: usize = 0;
const SCALE: usize = 1;
const INDEX: usize = 2;
const DISPLACEMENT: usize = 3;
const SEGMENT: usize = 4;

/// Classes of the vector indices of gathers and scatters.
const VECTORS: &[&str] = &["VR128", "VR128X", "VR256", "VR256X", "VR512"];

/// Forms that have an opcode for each addressing mode, beside the plain moves: what adds memory to a
/// register and a register to memory.
const ADDRESSED: &[&str] = &["ADD64rm", "ADD64mr"];

/// Opcodes whose address is a number behind the opcode.
const ABSOLUTE: &[&str] = &[
    "MOV8ao32",
    "MOV16ao32",
    "MOV32ao32",
    "MOV64ao32",
    "MOV8o32a",
    "MOV16o32a",
    "MOV32o32a",
    "MOV64o32a",
    "MOV8ao64",
    "MOV16ao64",
    "MOV32ao64",
    "MOV64ao64",
    "MOV8o64a",
    "MOV16o64a",
    "MOV32o64a",
    "MOV64o64a",
];

/// Opcodes that take 32 bits of the registers with their addresses.
const HALF: &[&str] = &[
    "REP_MOVSB_32",
    "REP_MOVSW_32",
    "REP_MOVSD_32",
    "REP_MOVSQ_32",
    "REP_STOSB_32",
    "REP_STOSW_32",
    "REP_STOSD_32",
    "REP_STOSQ_32",
    "UMONITOR32",
];

/// The displacement of modes that have one: so little that no cell, each a line from the next, is at
/// distance zero.
const BELOW: i64 = -8;

/// Gives some opcodes their addressing modes beside the base alone.
pub(super) fn add_modes(set: &mut InstructionSet) {
    let moves = PLAIN_MOVES.iter().flat_map(|known| [known.store, known.load]);
    let all = moves.chain(ADDRESSED.iter().copied()).filter_map(|name| set.by_name(name));
    for opcode in all.collect::<Vec<_>>() {
        Addressing::ALL.into_iter().for_each(|mode| set.address(opcode, mode));
    }
}

/// The addressing mode of an opcode, if it is more than the base alone.
fn mode(set: &InstructionSet, opcode: &Opcode) -> Option<Addressing> {
    set.by_name(&opcode.name).and_then(|id| set.addressing(id))
}

/// The base of an opcode whose addressing mode has a certain one.
pub(super) fn base(set: &InstructionSet, opcode: &Opcode, index: usize) -> Option<RegisterId> {
    let is_base = position(opcode, index) == Some(BASE);
    let is_relative = mode(set, opcode) == Some(Addressing::InstructionPointer);
    (is_base && is_relative).then(|| set.register_by_name("RIP")).flatten()
}

/// What the address of an opcode is counted from.
pub(super) fn origin(set: &InstructionSet, opcode: &Opcode) -> AddressOrigin {
    match mode(set, opcode) {
        Some(Addressing::InstructionPointer) => AddressOrigin::Instruction,
        Some(Addressing::Absolute) => AddressOrigin::Zero,
        _ if ABSOLUTE.contains(&opcode.name.as_str()) => AddressOrigin::Zero,
        _ if HALF.contains(&opcode.name.as_str()) => AddressOrigin::HalfRegister,
        _ => AddressOrigin::Register,
    }
}

/// What an operand is to the address of an opcode that has nothing but a number.
pub(super) fn absolute_part(opcode: &Opcode, operand: usize) -> Option<AddressPart> {
    let parts = [AddressPart::Displacement, AddressPart::Segment];
    ABSOLUTE.contains(&opcode.name.as_str()).then(|| parts.get(operand).copied()).flatten()
}

/// An address that is counted from where the instruction stands has no base that anything waits for.
pub(super) fn correct(form: &mut InstructionForm) {
    if form.origin != AddressOrigin::Instruction {
        return;
    }
    let base = form.operand_of(AddressPart::Base).map(|index| (index, form.sample.operands[index]));
    if let Some((index, register)) = base {
        form.operands[index].kind = Placeholder::Fixed(register);
    }
}

/// The position of an operand within its address, if it is part of one.
pub(super) fn position(opcode: &Opcode, index: usize) -> Option<usize> {
    if is_address_computation(&opcode.name) {
        return index.checked_sub(1);
    }
    let first = opcode
        .operands
        .iter()
        .position(|operand| matches!(operand.kind, OperandKind::Memory(_)))?;
    (first..first + 5).contains(&index).then(|| index - first)
}

/// The scale or the displacement at an operand.
pub(super) fn number(set: &InstructionSet, opcode: &Opcode, index: usize) -> i64 {
    let mode = mode(set, opcode);
    if absolute_part(opcode, index) == Some(AddressPart::Displacement) {
        return LOW_MEMORY.cast_signed();
    }
    match position(opcode, index) {
        Some(DISPLACEMENT) if mode == Some(Addressing::Absolute) => LOW_MEMORY.cast_signed(),
        Some(SCALE) => mode.map_or(1, Addressing::scale),
        Some(DISPLACEMENT) if mode.is_some_and(Addressing::has_displacement) => BELOW,
        _ => 0,
    }
}

/// Whether no register stands at an operand of an address.
pub(super) fn is_absent(set: &InstructionSet, opcode: &Opcode, index: usize) -> bool {
    let (OperandKind::Register(class) | OperandKind::Memory(Some(class))) =
        opcode.operands[index].kind
    else {
        return false;
    };
    match position(opcode, index) {
        Some(SEGMENT) => true,
        Some(BASE) if mode(set, opcode) == Some(Addressing::Absolute) => true,
        // A vector index (gathers) cannot be left out.
        Some(INDEX) => {
            !is_address_computation(&opcode.name)
                && !mode(set, opcode).is_some_and(Addressing::has_index)
                && !VECTORS.contains(&set.class(class).name.as_str())
        }
        // String instructions have a pointer and a segment only.
        Some(_) => set.class(class).name == SEGMENTS,
        None => false,
    }
}
