//! What AArch64's instructions access in memory, and at which address. Source: Arm Architecture
//! Reference Manual (DDI 0487), C3.2 "Loads and stores". LLVM's tables have addresses as plain registers
//! and numbers.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::opcodes::{BASES, VECTOR_BASES};
use crate::artifact::LOW_MEMORY;
use crate::form::{AddressOrigin, AddressPart, InstructionForm, MemoryAccess, Site, Value};
use crate::isa::{FILLED_WORDS, PlainMove, Restored, Restorer};
use crate::metadata::{InstructionSet, Opcode, OperandKind};

/// What an operand is to the address of an opcode: the last register that may be SP is the base, or else
/// the last vector, which has an address in each lane; a register or a number behind it is added, but for a
/// number where the base is written back: there it only says how far the base moves. What has neither
/// loads from so far behind itself.
pub(super) fn address_part(
    set: &InstructionSet,
    opcode: &Opcode,
    operand: usize,
) -> Option<AddressPart> {
    let class_name = |kind| match kind {
        OperandKind::Register(class) => set.class(class).name.as_str(),
        _ => "",
    };
    if opcode.operands[operand].kind == OperandKind::BranchTarget {
        return Some(AddressPart::Displacement);
    }
    let behind = operand.checked_sub(opcode.definitions)?;
    let read = &opcode.operands[opcode.definitions..];
    let last =
        |names: &[&str]| read.iter().rposition(|info| names.contains(&class_name(info.kind)));
    let base = last(BASES).or_else(|| last(VECTOR_BASES))?;
    let is_written_back = opcode.operands[opcode.definitions + base].tied_to.is_some();
    match (behind.checked_sub(base)?, opcode.operands[operand].kind) {
        (0, _) => Some(AddressPart::Base),
        (1, OperandKind::Register(_)) => Some(AddressPart::Index),
        (1, _) if !is_written_back => Some(AddressPart::Displacement),
        _ => None,
    }
}

/// What the address of an opcode is counted from, as an instance is printed: `ld1w { z5.s }, p0/z, [z6.s]`
/// has 32 bits of each address.
pub(super) fn address_origin(opcode: &Opcode, text: &str) -> AddressOrigin {
    let is_literal = |kind| kind == OperandKind::BranchTarget;
    if opcode.operands.iter().any(|operand| is_literal(operand.kind)) {
        return AddressOrigin::Instruction;
    }
    let base = text.rsplit_once("[z").map_or("", |(_, address)| address);
    let base = base.split([',', ']']).next().unwrap_or_default();
    match base.rsplit_once('.') {
        Some((_, "s")) => AddressOrigin::HalfRegister,
        _ => AddressOrigin::Register,
    }
}

/// Bits of an instruction that say how many words farther a literal is, and the first of them.
const LITERAL: (u32, u32) = (0x7_FFFF, 5);

/// An instruction that loads what is so many words behind where the literals begin.
pub(super) fn literal_reference(bytes: &[u8], words: i64) -> Option<(usize, String)> {
    let (mask, first) = LITERAL;
    let word = u32::from_le_bytes(bytes.try_into().ok()?) & !(mask << first);
    let distance = format!("((({LITERALS}b - .) >> 2) + {words}) & {mask:#x}");
    Some((0, format!(".long {word:#010x} | (({distance}) << {first})")))
}

/// The label of a kernel's literals, by which the assembler finds those before an instruction.
const LITERALS: u32 = 77;

/// A line of literals.
pub(super) fn literals() -> Vec<String> {
    [
        ".balign 64",
        &format!("{LITERALS}:"),
        ".rept 8",
        &format!(".quad {ORDINARY_CONTENTS:#x}"),
        ".endr",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Bytes that one in a displacement stands for: what is printed behind the base. Vectors of SVE have
/// their length from the machine (`[x0, #1, mul vl]`).
pub(super) fn displacement_unit(text: &str) -> Option<u32> {
    let (_, address) = text.rsplit_once('[')?;
    let number = address.split_once('#')?.1.trim_end_matches([']', '!']);
    number.parse().ok()
}

/// Bits of the registers that hold what is accessed, by the letter in front of their numbers.
const WIDTHS: &[(char, u32)] =
    &[('b', 8), ('h', 16), ('s', 32), ('w', 32), ('d', 64), ('x', 64), ('q', 128)];

/// Bits of NEON's registers by their arrangement.
const ARRANGEMENTS: &[(&str, u32)] = &[
    ("8b", 64),
    ("4h", 64),
    ("2s", 64),
    ("1d", 64),
    ("16b", 128),
    ("8h", 128),
    ("4s", 128),
    ("2d", 128),
    ("b", 8),
    ("h", 16),
    ("s", 32),
    ("d", 64),
];

/// What loads one element for a whole register.
const REPLICATING: &[&str] = &["ld1r", "ld2r", "ld3r", "ld4r", "ldap1"];

/// What accesses a part of a general register, by its mnemonic, with the bits of the part.
static PARTS_ACCESSED: LazyLock<HashMap<String, u32>> = LazyLock::new(|| {
    let unsigned = [("b", 8), ("h", 16)];
    let signed = [("sb", 8), ("sh", 16), ("sw", 32)];
    let extending = ["ldr", "ldur", "ldtr", "ldapur"];
    let others = [
        "ldar", "ldapr", "ldlar", "ldxr", "ldaxr", "str", "stur", "sttr", "stlr", "stllr", "stlur",
        "stxr", "stlxr",
    ];
    let exchanges = [
        "ldadd", "ldclr", "ldeor", "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin", "swp", "cas",
        "rcwclr", "rcwset", "rcwswp",
    ];
    let ordered = ["", "a", "al", "l"];
    let exchanges = exchanges.iter().flat_map(|stem| ordered.map(|order| format!("{stem}{order}")));
    let stems = extending.into_iter().chain(others).map(str::to_owned).chain(exchanges);
    let plain = stems.flat_map(|stem| unsigned.map(|(end, bits)| (format!("{stem}{end}"), bits)));
    let extended =
        extending.iter().flat_map(|stem| signed.map(|(end, bits)| (format!("{stem}{end}"), bits)));
    plain.chain(extended).chain([("ldpsw".to_owned(), 32)]).collect()
});

/// Bits that an instance accesses, as it is printed: `ldp x5, x3, [x2]`. How many a vector of SVE has is
/// up to the machine.
pub(super) fn access_bits(opcode: &Opcode, text: &str) -> u32 {
    let Some((before, _)) = text.rsplit_once(", [") else { return 0 };
    let mut words = before.split([' ', '\t', ',', '{', '}']).filter(|word| !word.is_empty());
    let mnemonic = words.next().unwrap_or_default();
    let replicates = REPLICATING.contains(&mnemonic);
    let registers: Vec<u32> = words.map_while(|word| register_bits(word, replicates)).collect();
    let is_conditional = reserving(&opcode.name).is_some();
    let exchanges = opcode.flags.may_load && opcode.flags.may_store && !is_conditional;
    let part = PARTS_ACCESSED.get(mnemonic).copied();
    match registers.as_slice() {
        [] => 0,
        // What is exchanged is named twice: what comes and what goes.
        [first, ..] if exchanges => {
            let pairs = if PAIRED.contains(&mnemonic) { 2 } else { 1 };
            pairs * part.unwrap_or(*first)
        }
        // The first says whether anything was stored.
        [_, stored @ ..] if is_conditional => stored.iter().map(|&bits| part.unwrap_or(bits)).sum(),
        all => all.iter().map(|&bits| part.unwrap_or(bits)).sum(),
    }
}

/// What accesses whole vectors with elements of one width, by the end of its mnemonic: the letter of the
/// elements in registers.
const WHOLE_VECTORS: &[&str] = &["ld1", "ldnt1", "st1", "stnt1"];
const ELEMENT_LETTERS: &[(&str, &str)] =
    &[("b", "b"), ("h", "h"), ("w", "s"), ("d", "d"), ("q", "q")];

/// Bits that an instance accesses that moves vectors of so many bits one after the other, as it is printed; 0 of
/// others.
pub(super) fn vector_access_bits(text: &str, vector_bits: u32) -> u32 {
    let Some((before, address)) = text.rsplit_once(", [") else { return 0 };
    let Some((mnemonic, registers)) = before.split_once([' ', '\t']) else { return 0 };
    if address.contains('z') {
        return 0;
    }
    let registers = registers.trim();
    if matches!(mnemonic, "ldr" | "str") {
        let is_vector = registers.trim_start_matches('z') != registers;
        return if is_vector { vector_bits } else { 0 };
    }
    let is_whole = |letter: &str| {
        let (stem, width) = mnemonic.split_at(mnemonic.len() - 1);
        WHOLE_VECTORS.contains(&stem) && ELEMENT_LETTERS.contains(&(width, letter))
    };
    let list = registers.trim_start_matches('{').split('}').next().unwrap_or_default();
    let named: Option<Vec<(u32, &str)>> = match list.contains("za") {
        // A slice of a tile: `za2h.s[w14, 1]`.
        true => list.split(['.', '[']).nth(1).map(|letter| vec![(0, letter)]),
        false => list
            .split([',', '-'])
            .map(|word| {
                let (register, letter) = word.trim().split_once('.')?;
                Some((register.trim_start_matches('z').parse().ok()?, letter))
            })
            .collect(),
    };
    let Some(named) = named.filter(|named| named.iter().all(|(_, letter)| is_whole(letter))) else {
        return 0;
    };
    let count = match (list.contains('-'), named.as_slice()) {
        (true, &[(first, _), (last, _)]) => (last + 32 - first) % 32 + 1,
        (_, all) => all.len() as u32,
    };
    count * vector_bits
}

/// Eighths of a vector that an instance accesses in one piece, as it is printed: a vector, or a predicate,
/// which has a bit for each byte of one.
pub(super) fn access_eighths(text: &str) -> u32 {
    const WHOLE: u32 = 8;
    let mut words = text.split([' ', '\t', ',']).filter(|word| !word.is_empty());
    let is_predicate = matches!(words.next(), Some("ldr" | "str"))
        && words.next().is_some_and(|register| register.trim_start_matches('p') != register);
    match vector_access_bits(text, WHOLE) {
        WHOLE => WHOLE,
        _ if is_predicate => 1,
        _ => 0,
    }
}

/// Exchanges of two registers with two.
const PAIRED: &[&str] = &["casp", "caspa", "caspal", "caspl"];

/// Bits of a register as it is printed, or of the element of it that is accessed: `x5`, `v3.16b`,
/// `v3.s` of `{ v3.s }[1]`.
fn register_bits(word: &str, replicates: bool) -> Option<u32> {
    let Some((register, arrangement)) = word.split_once('.') else {
        let letter = word.chars().next()?;
        let is_register = word[1..].chars().all(|digit| digit.is_ascii_digit()) && word.len() > 1;
        return WIDTHS.iter().find(|&&(known, _)| is_register && known == letter).map(|&(_, b)| b);
    };
    let element = arrangement.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let arrangement = arrangement.split('[').next()?;
    let wanted = if replicates { element } else { arrangement };
    let bits = ARRANGEMENTS.iter().find(|(name, _)| *name == wanted).map(|&(_, bits)| bits);
    let letter = register.chars().next()?;
    bits.filter(|_| letter == 'v')
}

/// What exchanges only where memory holds what it is compared with: all values are those that the
/// region is filled with.
const COMPARING: &[&str] = &[
    "cas", "casa", "casab", "casah", "casal", "casalb", "casalh", "casb", "cash", "casl", "caslb",
    "caslh", "casp", "caspa", "caspal", "caspl",
];

/// Contents that a form needs in registers other than those of its address.
pub(super) fn required_value(form: &InstructionForm) -> Option<Value> {
    COMPARING.contains(&form.mnemonic.as_str()).then_some(Value::Number(ORDINARY_CONTENTS))
}

/// Uses and definitions without a dependence between them: the result of what exchanges is what memory
/// held, whatever it is given; a base that is written back follows from the address alone; and whether
/// an address is still reserved does not depend on what is stored there.
pub(super) fn correct(form: &mut InstructionForm) {
    let values: Vec<Site> = form.uses().filter(|&site| form.address_part(site).is_none()).collect();
    let exchanges = form.memory == MemoryAccess::Both || reserving(&form.name).is_some();
    let is_unrelated = |value: Site, result: Site| match result {
        Site::Operand(operand) if form.part_held(operand).is_some() => true,
        _ => exchanges && value != Site::Memory && result != Site::Memory,
    };
    let pairs = |&value: &Site| form.defs().map(move |result| (value, result)).collect::<Vec<_>>();
    let unrelated = values.iter().flat_map(pairs);
    form.unrelated = unrelated.filter(|&(value, result)| is_unrelated(value, result)).collect();
}

/// What stores only where a load has reserved the address just before, and says whether it has, with
/// that load.
const CONDITIONAL: &[(&str, &str)] = &[
    ("STXRB", "LDXRB"),
    ("STXRH", "LDXRH"),
    ("STXRW", "LDXRW"),
    ("STXRX", "LDXRX"),
    ("STXPW", "LDXPW"),
    ("STXPX", "LDXPX"),
    ("STLXRB", "LDXRB"),
    ("STLXRH", "LDXRH"),
    ("STLXRW", "LDXRW"),
    ("STLXRX", "LDXRX"),
    ("STLXPW", "LDXPW"),
    ("STLXPX", "LDXPX"),
    ("STTXRWr", "LDTXRWr"),
    ("STTXRXr", "LDTXRXr"),
    ("STLTXRW", "LDTXRWr"),
    ("STLTXRX", "LDTXRXr"),
];

/// The load that reserves the address which an opcode stores to only then.
pub(super) fn reserving(opcode: &str) -> Option<&'static str> {
    CONDITIONAL.iter().find(|(store, _)| *store == opcode).map(|&(_, load)| load)
}

/// Opcodes that access memory and are not measured, with the reason.
const EXCLUDED: &[(&[&str], &str)] = &[
    (
        &["LDRAAindexed", "LDRAAwriteback", "LDRABindexed", "LDRABwriteback"],
        "takes only addresses that are signed",
    ),
    (&["GCSSTR", "GCSSTTR"], "stores only to a guarded control stack"),
];

/// Why an opcode is not measured.
pub(super) fn excluded(opcode: &str) -> Option<&'static str> {
    EXCLUDED.iter().find(|(opcodes, _)| opcodes.contains(&opcode)).map(|&(_, reason)| reason)
}

/// What makes a register of an address zero, and what makes it again what it was.
macro_rules! and_or {
    ($and:literal, $or:literal) => {
        &[
            Restorer { form: $and, source: 0, other: Restored::Zero },
            Restorer { form: $or, source: 0, other: Restored::Value },
        ]
    };
}

/// Stores and loads that do nothing else.
pub(super) const PLAIN_MOVES: &[PlainMove] = &[
    PlainMove::general(8, "STURBBi", "LDURBBi"),
    PlainMove::general(16, "STURHHi", "LDURHHi"),
    PlainMove::general(32, "STURWi", "LDURWi"),
    PlainMove::general(64, "STURXi", "LDURXi"),
    PlainMove::vector(8, "STURBi", "LDURBi"),
    PlainMove::vector(16, "STURHi", "LDURHi"),
    PlainMove::vector(32, "STURSi", "LDURSi"),
    PlainMove::vector(64, "STURDi", "LDURDi"),
    PlainMove::vector(128, "STURQi", "LDURQi"),
];

/// Stores of all that loads load: whole vectors of SVE and SME, groups of them, and ZA's.
pub(super) const COPIES: &[(&str, &str)] = &[
    ("LDRQui", "STRQui"),
    ("LDR_ZXI", "STR_ZXI"),
    ("LDR_ZA", "STR_ZA"),
    ("LD1B_IMM", "ST1B_IMM"),
    ("LD1H_IMM", "ST1H_IMM"),
    ("LD1W_IMM", "ST1W_IMM"),
    ("LD1D_IMM", "ST1D_IMM"),
    ("LD1W_2Z_IMM", "ST1W_2Z_IMM"),
    ("LD1W_4Z_IMM", "ST1W_4Z_IMM"),
    ("LD1W_2Z_STRIDED_IMM", "ST1W_2Z_STRIDED_IMM"),
    ("LD1W_4Z_STRIDED_IMM", "ST1W_4Z_STRIDED_IMM"),
    ("LD1D_2Z_IMM", "ST1D_2Z_IMM"),
    ("LD1D_4Z_IMM", "ST1D_4Z_IMM"),
    ("LD1D_2Z_STRIDED_IMM", "ST1D_2Z_STRIDED_IMM"),
    ("LD1D_4Z_STRIDED_IMM", "ST1D_4Z_STRIDED_IMM"),
];

/// What brings a register of an address back to what it held, by its class.
pub(super) fn restorers(
    set: &InstructionSet,
    form: &InstructionForm,
    site: Site,
) -> &'static [Restorer] {
    let class = form.class_at(site).map(|class| set.class(class));
    let first = class.and_then(|class| class.registers.first());
    let letter = first.and_then(|&register| set.register(register).name.chars().next());
    match (form.address_part(site), letter) {
        (Some(AddressPart::Base | AddressPart::Index), Some('Z')) => and_or!("AND_ZZZ", "ORR_ZZZ"),
        (Some(AddressPart::Base | AddressPart::Index), Some('W')) => and_or!("ANDWrs", "ORRWrs"),
        (Some(AddressPart::Base | AddressPart::Index), _) => and_or!("ANDXrs", "ORRXrs"),
        _ => &[],
    }
}

/// Halfwords that are ordinary in every interpretation, and others than those in registers.
const ORDINARY_CONTENTS: u64 = 0x3DB5_3DB5_3DB5_3DB5;

/// Assembly that fills the region, or low memory in its place.
pub(super) fn fill_region(contents: Value, low: bool) -> Vec<String> {
    let number = match contents {
        Value::Number(number) => number,
        Value::Zero => 0,
        _ => ORDINARY_CONTENTS,
    };
    let mut lines = match low {
        true => super::registers::number_lines("x0", LOW_MEMORY),
        false => {
            vec!["adrp x0, winic_region".to_owned(), "add x0, x0, :lo12:winic_region".to_owned()]
        }
    };
    lines.extend(super::registers::number_lines("x1", number));
    lines.extend(
        [
            &format!("mov x2, #{}", FILLED_WORDS / 2),
            "1: stp x1, x1, [x0], #16",
            "subs x2, x2, #1",
            "b.ne 1b",
        ]
        .map(str::to_owned),
    );
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::{OpcodeFlags, OperandInfo};

    fn bits(text: &str, exchanges: bool) -> u32 {
        let flags = OpcodeFlags { may_load: true, may_store: exchanges, ..OpcodeFlags::default() };
        let opcode = Opcode {
            name: String::new(),
            flags,
            operands: Vec::new(),
            definitions: 0,
            implicit_uses: Vec::new(),
            implicit_defs: Vec::new(),
        };
        access_bits(&opcode, text)
    }

    #[test]
    fn widths_are_those_of_what_is_printed() {
        for (text, expected) in [
            ("ldr x5, [x6]", 64),
            ("ldrsb x5, [x6]", 8),
            ("ldp q5, q3, [x6]", 256),
            ("ldpsw x5, x3, [x6]", 64),
            ("ldrab x5, [x6]", 64),
            ("ld1 { v5.8b, v6.8b }, [x6]", 128),
            ("ld2 { v5.h, v6.h }[1], [x6]", 32),
            ("ld4r { v5.4s, v6.4s, v7.4s, v8.4s }, [x6]", 128),
            ("ld1d { z5.d }, p0/z, [x6]", 0),
            ("prfm pldl1keep, [x6]", 0),
        ] {
            assert_eq!(bits(text, false), expected, "{text}");
        }
        assert_eq!(bits("ldaddh w5, w3, [x6]", true), 16);
        assert_eq!(bits("casp x4, x5, x6, x7, [x8]", true), 128);
    }

    #[test]
    fn vectors_are_as_long_as_streaming_mode_has_them() {
        for (text, vectors) in [
            ("ldr z5, [x6]", 1),
            ("str za[w14, 5], [x15, #5, mul vl]", 1),
            ("ldr zt0, [x14]", 1),
            ("ldr p4, [x15]", 0),
            ("ld1w { z5.s }, p0/z, [x6]", 1),
            ("ld1w { z5.d }, p0/z, [x6]", 0),
            ("ld1rw { z5.s }, p0/z, [x6]", 0),
            ("ld1w { z5.s }, p0/z, [x6, z3.s, uxtw]", 0),
            ("ld1w { z0.s - z3.s }, pn8/z, [x5]", 4),
            ("st1d { z0.d, z8.d }, pn8, [x5, x6, lsl #3]", 2),
            ("ldnt1h { z0.h, z4.h, z8.h, z12.h }, pn8/z, [x5]", 4),
            ("ld1q {za8h.q[w14, 0]}, p4/z, [x15, x13, lsl #4]", 1),
            ("ldp q5, q3, [x6]", 0),
        ] {
            assert_eq!(vector_access_bits(text, 512), vectors * 512, "{text}");
        }
    }

    #[test]
    fn vectors_and_predicates_are_accessed_whole() {
        for (text, eighths) in [
            ("ldr z5, [x6]", 8),
            ("str p4, [x15]", 1),
            ("st1w { z5.s }, p0, [x6]", 8),
            ("st1w { z5.d }, p0, [x6]", 0),
            ("st2w { z5.s, z6.s }, p0, [x6]", 0),
            ("ld1w { z0.s - z3.s }, pn8/z, [x5]", 0),
            ("ldr x5, [x6]", 0),
            ("prfm pldl1keep, [x6]", 0),
        ] {
            assert_eq!(access_eighths(text), eighths, "{text}");
        }
    }

    #[test]
    fn an_address_is_whole_or_half() {
        let origin = |text: &str, kind| {
            let operand = OperandInfo { kind, tied_to: None, early_clobber: false };
            let opcode = Opcode {
                name: String::new(),
                flags: OpcodeFlags::default(),
                operands: vec![operand],
                definitions: 0,
                implicit_uses: Vec::new(),
                implicit_defs: Vec::new(),
            };
            address_origin(&opcode, text)
        };
        let number = OperandKind::Immediate;
        assert_eq!(
            origin("ld1w { z16.s }, p4/z, [z15.s, #20]", number),
            AddressOrigin::HalfRegister
        );
        assert_eq!(origin("ld1w { z16.d }, p4/z, [z15.d]", number), AddressOrigin::Register);
        let index = "ld1w { z16.s }, p4/z, [x15, z14.s, uxtw]";
        assert_eq!(origin(index, number), AddressOrigin::Register);
        let literal = OperandKind::BranchTarget;
        assert_eq!(origin("ldr x14, #0", literal), AddressOrigin::Instruction);
    }

    #[test]
    fn a_literal_is_counted_in_words() {
        let (kept, text) = literal_reference(&0x5800_000E_u32.to_le_bytes(), 0).unwrap();
        assert_eq!(kept, 0);
        assert_eq!(text, ".long 0x5800000e | (((((77b - .) >> 2) + 0) & 0x7ffff) << 5)");
    }

    #[test]
    fn displacements_are_counted_as_they_are_printed() {
        assert_eq!(displacement_unit("ldr x5, [x6, #8]"), Some(8));
        assert_eq!(displacement_unit("ldur x5, [x6, #1]"), Some(1));
        assert_eq!(displacement_unit("ld1d { z5.d }, p0/z, [x6, #1, mul vl]"), None);
    }
}
