//! Numbers in operands: shifts, extensions, conditions, patterns. LLVM calls most of them plain
//! immediates, so what they mean is told by the opcode's name and their position.

use super::super::names;
use super::streaming;
use crate::metadata::{Instruction, InstructionSet, Opcode, OperandKind, OperandValue};

/// LLVM's target-specific operand kinds, counted from its first.
const IMPLICIT_ZERO: u32 = 0;
const SHIFT_MSL: u32 = 1;
const SHIFTED_REGISTER: u32 = 2;
const SHIFTED_NUMBER: u32 = 3;

/// Ordinary numbers: valid as shifts, lanes and masks, neither 0 nor 1 where there is a choice.
/// The others are for opcodes that reject it.
const NUMBERS: [i64; 4] = [5, 3, 1, 0];

/// Kinds of shift in the encoding of a shifted register, above the amount's six bits.
const LSL: i64 = 0;
const LSR: i64 = 1;
const ASR: i64 = 2;
const ROR: i64 = 3;
/// Kinds of extension in the encoding of an extended register, above the amount's three bits.
const UXTW: i64 = 2;
const UXTX: i64 = 3;

/// `MSL #8`, the plainer of the two shifts that fill with ones.
const MSL_8: i64 = (4 << 6) | 8;
/// Additions to pointers, whose shift LLVM calls a plain number.
const PLAIN_SHIFTS: &[&str] = &["ADDPT_shift", "SUBPT_shift"];
/// `#imm, LSL #12` of additions.
const LSL_12: i64 = 12;

/// Conditions as they are encoded, with their assembly names.
const CONDITIONS: [&str; 16] = [
    "eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al", "nv",
];
/// The headline's condition: equal.
const EQUAL: i64 = 0;
/// From here on conditions hold whatever the flags are.
const ALWAYS: i64 = 14;

/// Opcodes whose last operand is a condition.
const CONDITIONAL: &[&str] = &[
    "CCMNW", "CCMNX", "CCMPW", "CCMPX", "CSELW", "CSELX", "CSINCW", "CSINCX", "CSINVW", "CSINVX",
    "CSNEGW", "CSNEGX", "FCCMPD", "FCCMPED", "FCCMPEH", "FCCMPES", "FCCMPH", "FCCMPS", "FCSELD",
    "FCSELH", "FCSELS",
];

/// The predicate pattern of all elements.
const ALL_ELEMENTS: i64 = 31;

/// Opcodes whose last operand but so many is a predicate pattern: constructors of predicates,
/// and element counts, which have a multiplier behind the pattern.
const PATTERN_LAST: &[&str] = &["PTRUE", "PTRUES"];
const PATTERN_AND_MULTIPLIER: &[&str] = &[
    "CNTB", "CNTH", "CNTW", "CNTD", "INCB", "INCH", "INCW", "INCD", "DECB", "DECH", "DECW", "DECD",
    "SQINCB", "SQINCH", "SQINCW", "SQINCD", "SQDECB", "SQDECH", "SQDECW", "SQDECD", "UQINCB",
    "UQINCH", "UQINCW", "UQINCD", "UQDECB", "UQDECH", "UQDECW", "UQDECD",
];

/// Numbers that some opcode needs at some operand: by name.
const PARTICULAR: &[(&str, usize, i64)] = &[
    // Reads and writes the flags: the one system register that is part of computations.
    ("MRS", 1, NZCV),
    ("MSR", 0, NZCV),
    // Inner shareable; all of the pipeline.
    ("DMB", 0, 11),
    ("DSB", 0, 11),
    ("DSBnXS", 0, 11),
    ("ISB", 0, 15),
    ("CLREX", 0, 15),
    // `YIELD`: not one of those that wait.
    ("HINT", 0, 1),
    // DIT, which every level may set, to what it is anyway.
    ("MSRpstateImm4", 0, 0x1a),
    ("MSRpstateImm4", 1, 0),
    // PAN, of those with one bit.
    ("MSRpstateImm1", 0, 4),
    ("MSRpstateImm1", 1, 0),
    // Bit fields of 16 bits from bit 5 on.
    ("SBFMWri", 3, 20),
    ("SBFMXri", 3, 20),
    ("UBFMWri", 3, 20),
    ("UBFMXri", 3, 20),
    ("BFMWri", 4, 20),
    ("BFMXri", 4, 20),
    // Elements that there are: LLVM's encoder takes any number, and what is left of it.
    ("PSEL_PPPRI_S", 4, 1),
    ("PSEL_PPPRI_D", 4, 1),
];

/// The system register NZCV: op0 3, op1 3, CRn 4, CRm 2, op2 0.
const NZCV: i64 = 0xda10;

pub(super) fn number(opcode: &Opcode, index: usize, kind: OperandKind, attempt: usize) -> i64 {
    let name = opcode.name.as_str();
    let last = opcode.operands.len() - 1;
    if let Some(number) = particular(name, index) {
        return number;
    }
    match kind {
        OperandKind::Target(IMPLICIT_ZERO) => 0,
        OperandKind::Target(SHIFT_MSL) => MSL_8,
        OperandKind::Target(SHIFTED_REGISTER) if is_extended(name) => UXTW << 3,
        OperandKind::Target(SHIFTED_REGISTER) => LSL << 6,
        OperandKind::Target(SHIFTED_NUMBER) if index == last => 0,
        _ if is_extended(name) => UXTX << 3,
        _ if PLAIN_SHIFTS.contains(&name) => LSL << 6,
        _ if index == last && is_conditional(name) => EQUAL,
        _ if Some(index) == pattern(opcode) => ALL_ELEMENTS,
        _ if pattern(opcode).is_some_and(|pattern| index == pattern + 1) => 1,
        _ => NUMBERS[attempt % NUMBERS.len()],
    }
}

fn particular(name: &str, index: usize) -> Option<i64> {
    PARTICULAR
        .iter()
        .chain(&streaming::START)
        .chain([&streaming::ALL_TILES])
        .find(|&&(opcode, at, _)| at == index && name == opcode)
        .map(|&(.., number)| number)
}

fn is_conditional(name: &str) -> bool {
    names::is_any(name, CONDITIONAL)
}

fn is_extended(name: &str) -> bool {
    matches!(names::operands(name), "rx" | "rx64")
}

/// Where the predicate pattern of an opcode stands, if it has one.
fn pattern(opcode: &Opcode) -> Option<usize> {
    let count = opcode.operands.len();
    let is_number = |index: usize| opcode.operands[index].kind == OperandKind::Immediate;
    if names::is_any(&opcode.name, PATTERN_LAST) {
        return count.checked_sub(1).filter(|&index| is_number(index));
    }
    let counts = names::is_any(&opcode.name, PATTERN_AND_MULTIPLIER);
    count.checked_sub(2).filter(|&index| counts && is_number(index) && is_number(index + 1))
}

/// Whether an instance has a condition that always holds: it does not wait for the flags.
pub(super) fn ignores_flags(set: &InstructionSet, instance: &Instruction) -> bool {
    is_conditional(&set.opcode(instance.opcode).name)
        && matches!(instance.operands.last(), Some(&OperandValue::Immediate(code)) if code >= ALWAYS)
}

/// Numbers that cores may treat differently: every condition, shifts on top of an operation
/// (short ones to the left are faster than others on many cores), and extensions.
pub(super) fn variants(opcode: &Opcode) -> Vec<(usize, i64, String)> {
    let name = opcode.name.as_str();
    let Some(last) = opcode.operands.len().checked_sub(1) else { return Vec::new() };
    let at_last = |rows: &[(i64, &str)]| {
        rows.iter().map(|&(number, name)| (last, number, name.to_owned())).collect()
    };
    if let Some(of_streaming) = streaming::variants(name) {
        return of_streaming;
    }
    if is_conditional(name) {
        return (0_i64..)
            .zip(CONDITIONS)
            .filter(|&(code, _)| code != EQUAL)
            .map(|(code, name)| (last, code, format!("condition {name}")))
            .collect();
    }
    if names::is_any(name, BIT_FIELDS) {
        // One bit less than the shift: to the left; all bits: to the right.
        let whole = if names::is_any(name, NARROW_BIT_FIELDS) { 31 } else { 63 };
        return at_last(&[(4, "left shift"), (whole, "right shift")]);
    }
    match opcode.operands[last].kind {
        OperandKind::Target(SHIFTED_REGISTER) if names::operands(name) == "rx" => {
            at_last(EXTENSIONS)
        }
        OperandKind::Target(SHIFTED_REGISTER) => {
            let rotates = !names::is_any(name, ADDITIONS);
            let rows = if rotates { SHIFTS } else { &SHIFTS[..SHIFTS.len() - 1] };
            at_last(rows)
        }
        OperandKind::Target(SHIFTED_NUMBER) if names::operands(name) == "ri" => {
            at_last(&[(LSL_12, "lsl 12")])
        }
        _ if names::operands(name) == "rx64" => at_last(LONG_EXTENSIONS),
        _ => Vec::new(),
    }
}

/// Extractions of bit fields, which shifts are cases of; and those of 32-bit registers.
const BIT_FIELDS: &[&str] = &["SBFMW", "SBFMX", "UBFMW", "UBFMX"];
const NARROW_BIT_FIELDS: &[&str] = &["SBFMW", "UBFMW"];

/// Additions and subtractions.
const ADDITIONS: &[&str] = &["ADDW", "ADDX", "ADDSW", "ADDSX", "SUBW", "SUBX", "SUBSW", "SUBSX"];

/// Shifts of a register, rotation last: additions have none.
const SHIFTS: &[(i64, &str)] = &[
    ((LSL << 6) | 1, "lsl 1"),
    ((LSL << 6) | 4, "lsl 4"),
    ((LSL << 6) | 5, "lsl 5"),
    ((LSR << 6) | 5, "lsr 5"),
    ((ASR << 6) | 5, "asr 5"),
    ((ROR << 6) | 5, "ror 5"),
];

/// Extensions of a 32-bit register, and with a shift on top.
const EXTENSIONS: &[(i64, &str)] = &[
    (0 << 3, "uxtb"),
    (1 << 3, "uxth"),
    ((UXTW << 3) | 2, "uxtw 2"),
    ((UXTW << 3) | 4, "uxtw 4"),
    (4 << 3, "sxtb"),
    (5 << 3, "sxth"),
    (6 << 3, "sxtw"),
    ((6 << 3) | 2, "sxtw 2"),
];

/// Extensions of a 64-bit register, which are none, with a shift on top.
const LONG_EXTENSIONS: &[(i64, &str)] =
    &[((UXTX << 3) | 2, "uxtx 2"), ((UXTX << 3) | 4, "uxtx 4"), (7 << 3, "sxtx")];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::{ClassId, OpcodeFlags, OperandInfo};

    const REGISTER: OperandKind = OperandKind::Register(ClassId(0));

    fn opcode(name: &str, kinds: &[OperandKind]) -> Opcode {
        let operand =
            |&kind: &OperandKind| OperandInfo { kind, tied_to: None, early_clobber: false };
        Opcode {
            name: name.into(),
            flags: OpcodeFlags::default(),
            operands: kinds.iter().map(operand).collect(),
            definitions: 1,
            implicit_uses: Vec::new(),
            implicit_defs: Vec::new(),
        }
    }

    fn numbers(name: &str, kinds: &[OperandKind]) -> Vec<i64> {
        let opcode = opcode(name, kinds);
        let indices = (0..kinds.len()).filter(|&index| kinds[index] != REGISTER);
        indices.map(|index| number(&opcode, index, kinds[index], 0)).collect()
    }

    #[test]
    fn the_headline_shifts_and_extends_nothing_more_than_it_must() {
        let shifted = OperandKind::Target(SHIFTED_REGISTER);
        let number = OperandKind::Target(SHIFTED_NUMBER);
        assert_eq!(numbers("ADDXrs", &[REGISTER, REGISTER, REGISTER, shifted]), [0]);
        assert_eq!(numbers("ADDXrx", &[REGISTER, REGISTER, REGISTER, shifted]), [16]);
        let plain = OperandKind::Immediate;
        assert_eq!(numbers("ADDXrx64", &[REGISTER, REGISTER, REGISTER, plain]), [24]);
        assert_eq!(numbers("ADDXri", &[REGISTER, REGISTER, number, number]), [5, 0]);
        assert_eq!(numbers("MOVIv4s_msl", &[REGISTER, plain, OperandKind::Target(1)]), [5, 264]);
    }

    #[test]
    fn patterns_and_conditions_are_found() {
        let plain = OperandKind::Immediate;
        assert_eq!(numbers("PTRUE_B", &[REGISTER, plain]), [31]);
        assert_eq!(numbers("CNTB_XPiI", &[REGISTER, plain, plain]), [31, 1]);
        assert_eq!(numbers("INCB_XPiI", &[REGISTER, REGISTER, plain, plain]), [31, 1]);
        assert_eq!(numbers("CCMPXi", &[REGISTER, plain, plain, plain]), [5, 5, 0]);
        assert_eq!(variants(&opcode("CSELXr", &[REGISTER, plain])).len(), 15);
    }

    #[test]
    fn system_registers_are_those_of_whole_names() {
        assert_eq!(particular("MRS", 1), Some(NZCV));
        assert_eq!(particular("MSRR", 0), None);
        assert_eq!(particular("MSRpstateImm4", 0), Some(0x1a));
    }

    #[test]
    fn additions_do_not_rotate() {
        let shifted = OperandKind::Target(SHIFTED_REGISTER);
        let rotates = |name| {
            variants(&opcode(name, &[REGISTER, shifted])).iter().any(|(.., name)| name == "ror 5")
        };
        assert!(rotates("EORXrs") && !rotates("SUBSXrs"));
    }
}
