//! What LLVM's tables say wrongly, or not at all, about reads and writes. Their purpose is to
//! keep a compiler right, so they may say too much, and what a compiler never emits they often
//! leave open. Source: the instruction pages of the Intel SDM, volume 2.

use super::super::names;
use super::memory::is_address_computation;
use super::{flags, registers};
use crate::form::{InstructionForm, MemoryAccess, Placeholder, Site};
use crate::metadata::{InstructionSet, OperandKind, RegisterId};

/// Definitions that the instruction also reads, although LLVM calls them written only: they
/// stay as they were if a comparison (`CMPXCHG`), a check (`LAR`, `LSL`) or a search (`BSF`,
/// `BSR`, which newer LLVM ties) fails.
const ALSO_READ: &[(&[&str], usize)] = &[
    (&["CMPXCHG8", "CMPXCHG16", "CMPXCHG32", "CMPXCHG64"], 0),
    (&["LAR16", "LAR32", "LAR64"], 0),
    (&["LSL16", "LSL32", "LSL64"], 0),
    (&["BSF16", "BSF32", "BSF64"], 0),
    (&["BSR16", "BSR32", "BSR64"], 0),
];

/// Registers that LLVM says the instruction writes, although it does not: `CQO` leaves RAX
/// alone.
const NOT_WRITTEN: &[(&str, &str)] =
    &[("CWD", "AX"), ("CDQ", "EAX"), ("CQO", "RAX"), ("FNSTSW16r", "FPSW")];

/// 8-bit multiplications and divisions have one result, AX, whatever LLVM says of its halves.
const INTO_AX: &[&str] = &["MUL8r", "IMUL8r", "DIV8r", "IDIV8r"];

/// Instructions for which LLVM's `EFLAGS` means other bits than the status flags (interrupts,
/// access to user pages).
const NO_STATUS_FLAGS: &[&str] = &["CLI", "STI", "CLAC", "STAC"];

/// Instructions that LLVM lets read the flags to say that they keep the others.
const NO_FLAGS_READ: &[&str] = &["STC", "CLC"];

/// LLVM marks the address of some opcodes that only compute it as one that is accessed. Its parts
/// are registers and numbers like any other operands.
pub(super) fn unmark_computed_addresses(set: &mut InstructionSet) {
    let computing = set.opcodes.iter_mut().filter(|opcode| is_address_computation(&opcode.name));
    for operand in computing.flat_map(|opcode| &mut opcode.operands) {
        operand.kind = match operand.kind {
            OperandKind::Memory(Some(class)) => OperandKind::Register(class),
            OperandKind::Memory(None) => OperandKind::Immediate,
            other => other,
        };
    }
}

pub(super) fn correct(form: &mut InstructionForm, set: &InstructionSet) {
    for (stems, index) in ALSO_READ {
        if names::is_any(&form.name, stems) {
            read_operand(form, *index);
        }
    }
    if keeps_masked_elements(form) {
        read_operand(form, 0);
    }
    let name = form.name.clone();
    form.implicit_defs.retain(|&register| !not_written(&name, &set.register(register).name));
    if INTO_AX.iter().any(|start| is_or_extends(&name, start)) {
        let whole = set.register_by_name("AX");
        let part = |register: RegisterId| whole.is_some_and(|whole| set.overlap(whole, register));
        form.implicit_defs.retain(|&register| !part(register));
        form.implicit_defs.extend(whole);
    }
    correct_flags(form, set);
    form.unrelated = unrelated(form, set);
    merge_partial_results(form, set);
}

/// What is written into 8 or 16 bits of a register that the instruction implies is merged with
/// the rest, so instances wait for each other (`CWD` through RDX), though nothing of what they
/// wait for gets into a result. Registers of operands differ from instance to instance anyway.
fn merge_partial_results(form: &mut InstructionForm, set: &InstructionSet) {
    let merged: Vec<RegisterId> = form
        .implicit_defs
        .iter()
        .filter(|&&register| form.implicit_uses.iter().all(|&other| !set.overlap(other, register)))
        .filter_map(|&register| registers::merged(set, register))
        .collect();
    for whole in merged {
        form.unrelated
            .extend(form.defs().map(|def| (Site::Implicit(whole), def)).collect::<Vec<_>>());
        form.implicit_uses.push(whole);
    }
}

fn read_operand(form: &mut InstructionForm, index: usize) {
    if form.operands.iter().any(|operand| operand.tied_to == Some(index)) {
        return;
    }
    if let Some(operand) = form.operands.get_mut(index) {
        operand.read |= operand.write && matches!(operand.kind, Placeholder::Register(_));
    }
}

/// Masked moves in their second encoding: LLVM forgets that what is masked out stays.
fn keeps_masked_elements(form: &InstructionForm) -> bool {
    names::operands(&form.name) == "rrk"
        && names::last_part(&form.name) == "REV"
        && form.operands.iter().all(|o| o.tied_to.is_none())
}

fn not_written(form: &str, register: &str) -> bool {
    NOT_WRITTEN.iter().any(|&(name, written)| written == register && is_or_extends(form, name))
}

/// Whether a form is the named one or one of its APX siblings (`IMUL8r_NF`): `CDQE` is not `CDQ`'s.
fn is_or_extends(form: &str, name: &str) -> bool {
    names::first_part(form) == name
}

fn correct_flags(form: &mut InstructionForm, set: &InstructionSet) {
    let Some(flags) = set.register_by_name("EFLAGS") else { return };
    let one_of = |names: &[&str]| names.contains(&form.name.as_str());
    let (none, unread) = (one_of(NO_STATUS_FLAGS), one_of(NO_FLAGS_READ));
    if none || unread {
        form.implicit_uses.retain(|&register| register != flags);
    }
    if none {
        form.implicit_defs.retain(|&register| register != flags);
    }
    if flags::may_keep(&form.name)
        && form.implicit_defs.contains(&flags)
        && !form.implicit_uses.contains(&flags)
    {
        form.implicit_uses.push(flags);
    }
}

/// Uses and definitions without a dependence between them.
fn unrelated(form: &InstructionForm, set: &InstructionSet) -> Vec<(Site, Site)> {
    let name = form.name.as_str();
    let operand = Site::Operand;
    let register = |wanted: &str| set.register_by_name(wanted).map(Site::Implicit);
    let exchanges = form.mnemonic == "xchg";
    if exchanges && names::operands(name) == "rr" {
        return vec![(operand(2), operand(0)), (operand(3), operand(1))];
    }
    // What was in the register goes to memory, and the other way round.
    if exchanges && form.memory != MemoryAccess::None {
        let value = form.operands.iter().position(|operand| operand.tied_to.is_some());
        return value.map(|value| (operand(value), operand(0))).into_iter().collect();
    }
    if exchanges && names::operands(name) == "ar" {
        let accumulator = form.implicit_uses.first().map(|&register| Site::Implicit(register));
        return accumulator.map(|a| vec![(operand(1), operand(0)), (a, a)]).unwrap_or_default();
    }
    // The x87 top and the operand, as `x87` has it.
    if name == "XCH_F" {
        return register("ST0")
            .map(|top| vec![(operand(0), operand(0)), (top, top)])
            .unwrap_or_default();
    }
    // A register becomes empty whatever it holds.
    if name == "FFREE" {
        return register("FPSW").map(|status| vec![(operand(0), status)]).unwrap_or_default();
    }
    // What was in the destination goes to the source, and only that.
    if form.mnemonic == "xadd" && form.memory != MemoryAccess::None {
        let value = form.operands.iter().position(|operand| operand.tied_to.is_some());
        return value.map(|value| (operand(value), operand(0))).into_iter().collect();
    }
    if form.mnemonic == "xadd" {
        return vec![(operand(3), operand(1))];
    }
    // Destination and accumulator are compared; the source is at most stored.
    if form.mnemonic == "cmpxchg" {
        let from_source = |site| (operand(1), site);
        return form
            .implicit_defs
            .iter()
            .map(|&register: &RegisterId| from_source(Site::Implicit(register)))
            .collect();
    }
    // The flags that may stay as they were are none of the result's business, except for
    // rotations through carry.
    if flags::may_keep(name) && !matches!(form.mnemonic.as_str(), "rcl" | "rcr") {
        return register("EFLAGS").map(|flags| vec![(flags, operand(0))]).unwrap_or_default();
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_registers_are_told_by_whole_names() {
        assert!(not_written("CDQ", "EAX"));
        assert!(!not_written("CDQE", "RAX") && !not_written("CDQE", "EAX"));
        assert!(is_or_extends("IMUL8r_NF", "IMUL8r") && !is_or_extends("IMUL8rr", "IMUL8r"));
        assert!(not_written("CQO", "RAX") && !not_written("CQO", "RDX"));
    }
}
