//! Rotations by a number: `extr` with one register at both sources, which cores execute in another way. (Arm's
//! Software Optimization Guides list the extraction of bit fields from one register and from two apart.)

use crate::metadata::InstructionSet;

/// Opcodes that extract bits of two registers side by side, the first of which is this operand.
const EXTRACTS: &[&str] = &["EXTRWrri", "EXTRXrri"];
const FIRST: usize = 1;
/// What they are with one register.
const ROTATION: &str = "ror";

/// Gives such opcodes one that rotates.
pub(super) fn complete(set: &mut InstructionSet) {
    for name in EXTRACTS {
        if let Some(opcode) = set.by_name(name) {
            set.repeat(opcode, FIRST, ROTATION);
        }
    }
}
