//! What LLVM's tables say wrongly, or not at all, about reads and writes. Source: the
//! instruction pages of the Arm Architecture Reference Manual.

use crate::form::InstructionForm;
use crate::metadata::{InstructionSet, RegisterId};

/// LLVM's name for the length of vectors, by which it orders instructions around changes of
/// mode: nothing in a kernel writes it.
const VECTOR_LENGTH: &str = "VG";
const FLAGS: &str = "NZCV";

/// Opcodes that write the flags although LLVM does not say so: the system register chosen is
/// the flags'.
const WRITES_FLAGS: &[&str] = &["MSR"];

/// Opcodes that LLVM says write the flags, although they do not: of `MRS` only those of random
/// numbers do, of `MSR` with a number only those of streaming mode, says LLVM, and they neither.
const LEAVES_FLAGS: &[&str] = &["MRS", "MSRpstateImm1", "MSRpstateImm4"];

/// Opcodes that read the flags although LLVM does not say so: `CTERM` keeps Z and C and sets V
/// to the opposite of C.
const READS_FLAGS: &[&str] = &["MRS", "CTERMEQ_WW", "CTERMEQ_XX", "CTERMNE_WW", "CTERMNE_XX"];

/// Definitions that the instruction also reads, although LLVM calls them written only: a move
/// into the upper half keeps the lower one.
const ALSO_READ: &[(&str, usize)] = &[
    ("FMOVXDHighr", 0),
    // A part of ZT0, and a slice of a tile.
    ("MOVT_TIX", 0),
    ("MOVT_TIZ", 0),
    ("LD1_MXIPXX_H_B", 0),
    ("LD1_MXIPXX_H_D", 0),
    ("LD1_MXIPXX_H_H", 0),
    ("LD1_MXIPXX_H_Q", 0),
    ("LD1_MXIPXX_H_S", 0),
    ("LD1_MXIPXX_V_B", 0),
    ("LD1_MXIPXX_V_D", 0),
    ("LD1_MXIPXX_V_H", 0),
    ("LD1_MXIPXX_V_Q", 0),
    ("LD1_MXIPXX_V_S", 0),
];

pub(super) fn correct(form: &mut InstructionForm, set: &InstructionSet) {
    let named = |register: &RegisterId| set.register(*register).name.as_str();
    form.implicit_uses.retain(|register| named(register) != VECTOR_LENGTH);
    if LEAVES_FLAGS.contains(&form.name.as_str()) {
        form.implicit_defs.retain(|register| named(register) != FLAGS);
    }
    for &(_, index) in ALSO_READ.iter().filter(|(name, _)| *name == form.name) {
        form.operands[index].read = true;
    }
    let Some(flags) = set.register_by_name(FLAGS) else { return };
    let is_one_of = |names: &[&str]| names.contains(&form.name.as_str());
    let (reads, writes) = (is_one_of(READS_FLAGS), is_one_of(WRITES_FLAGS));
    if reads {
        form.implicit_uses.push(flags);
    }
    if writes {
        form.implicit_defs.push(flags);
    }
}
