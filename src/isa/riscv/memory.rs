//! What RISC-V's instructions access in memory, and at which address. Sources: RISC-V unprivileged
//! ISA, chapters "RV32I", "Zalrsc", "Zaamo", "Zacas", "Zalasr", "C", "V"; LLVM calls the register of an
//! address a memory operand.

use super::super::names;
use super::vector_memory::{Pattern, VectorAccess};
use crate::form::{AddressPart, InstructionForm, MemoryAccess, Site, Value};
use crate::isa::{FILLED_WORDS, PlainMove, Restored, Restorer};
use crate::metadata::{Opcode, OperandInfo, OperandKind, VectorConfiguration};

/// What an operand is to the address of an opcode: a base, and behind it a number, if one is there.
pub(super) fn address_part(opcode: &Opcode, operand: usize) -> Option<AddressPart> {
    let is_memory = |info: &OperandInfo| matches!(info.kind, OperandKind::Memory(Some(_)));
    let base = opcode.operands.iter().position(is_memory)?;
    let is_indexed =
        VectorAccess::of(&opcode.name).is_some_and(|access| access.pattern == Pattern::Indexed);
    let is_number = |kind| matches!(kind, OperandKind::Immediate | OperandKind::Target(_));
    match operand {
        _ if operand == base => Some(AddressPart::Base),
        _ if operand == base + 1 && is_number(opcode.operands[operand].kind) => {
            Some(AddressPart::Displacement)
        }
        _ if operand == base + 1 && is_indexed => Some(AddressPart::Index),
        _ => None,
    }
}

/// Loads and stores, as assemblers write them, with the bits that they access.
const WIDTHS: &[(&[&str], u32)] = &[
    (&["lb", "lbu", "sb"], 8),
    (&["lh", "lhu", "sh", "flh", "fsh"], 16),
    (&["lw", "lwu", "sw", "flw", "fsw"], 32),
    (&["ld", "sd", "fld", "fsd"], 64),
    (&["flq", "fsq"], 128),
];

/// What is atomic and has its width behind a dot: `amoadd.w.aq`.
const ATOMICS: &[&str] = &[
    "amoadd",
    "amoand",
    "amocas",
    "amomax",
    "amomaxu",
    "amomin",
    "amominu",
    "amoor",
    "amoswap",
    "amoxor",
    "lr",
    "sc",
    "ssamoswap",
];

const LETTERS: &[(&str, u32)] = &[("b", 8), ("h", 16), ("w", 32), ("d", 64), ("q", 128)];

/// Bits that an instance accesses, as it is printed: `lw t5, 0(t6)`. How many a vector has is up to the
/// machine.
pub(super) fn access_bits(text: &str) -> u32 {
    let mnemonic = text.split_whitespace().next().unwrap_or_default();
    let mut parts = mnemonic.split('.').skip_while(|&part| part == "c");
    let stem = parts.next().unwrap_or_default();
    if ATOMICS.contains(&stem) {
        let letter = parts.next().unwrap_or_default();
        return LETTERS.iter().find(|(known, _)| *known == letter).map_or(0, |&(_, bits)| bits);
    }
    WIDTHS.iter().find(|(stems, _)| stems.contains(&stem)).map_or(0, |&(_, bits)| bits)
}

/// What moves a register whole.
const WHOLE_REGISTERS: &[&str] = &["VL1RE8", "VL1RE16", "VL1RE32", "VL1RE64", "VS1R"];

/// Eighths of a vector register that an opcode accesses in one piece under a configuration, if no more than
/// all of them.
pub(super) fn access_eighths(opcode: &str, configuration: Option<VectorConfiguration>) -> u32 {
    const WHOLE: u32 = 8;
    if names::is_any(opcode, WHOLE_REGISTERS) {
        return WHOLE;
    }
    let in_one_piece =
        |access: &VectorAccess| access.pattern == Pattern::Unit && access.fields == 1;
    let access = VectorAccess::of(opcode).filter(in_one_piece);
    let Some((access, configuration)) = access.zip(configuration) else { return 0 };
    // As many elements as a group has of the configuration's.
    let group = 1_u32 << (configuration.group + 3);
    let eighths = group * access.width / configuration.element_bits;
    if eighths <= WHOLE && !configuration.masked { eighths } else { 0 }
}

/// Compare and swap, which stores only where memory holds what it is compared with: all values are
/// those that the region is filled with.
const COMPARING: &[&str] = &["AMOCAS"];

/// Contents that a form needs in registers other than those of its address.
pub(super) fn required_value(form: &InstructionForm, operand: usize) -> Option<Value> {
    let base = form.operand_of(AddressPart::Base);
    if let Some(access) = VectorAccess::of(&form.name)
        && access.pattern == Pattern::Strided
        && base.is_some_and(|base| operand == base + 1)
    {
        return Some(Value::Number(access.stride().into()));
    }
    names::is_any(&form.name, COMPARING).then_some(Value::Number(ORDINARY_CONTENTS))
}

/// The result of what both reads and writes memory is what was there, whatever it is given; and whether
/// an address is still reserved does not depend on what is stored there.
pub(super) fn correct(form: &mut InstructionForm) {
    if form.memory != MemoryAccess::Both && reserving(&form.name).is_none() {
        return;
    }
    let values =
        form.uses().filter(|&site| site != Site::Memory && form.address_part(site).is_none());
    form.unrelated = values.map(|value| (value, Site::Operand(0))).collect();
}

/// What stores only where a load has reserved the address just before, and says whether it has, by
/// its width, with that load.
const CONDITIONAL: &[(&str, &str)] = &[("W", "LR_W"), ("D", "LR_D")];

/// The load that reserves the address which an opcode stores to only then.
pub(super) fn reserving(opcode: &str) -> Option<&'static str> {
    let mut parts = names::parts(opcode);
    let width = parts.next().filter(|&first| first == "SC").and_then(|_| parts.next())?;
    CONDITIONAL.iter().find(|(known, _)| *known == width).map(|&(_, load)| load)
}

/// Why an opcode that accesses memory is not measured.
pub(super) const EXCLUDED: &[(&[&str], &str)] =
    &[(&["CBO_INVAL"], "throws away what was written to memory")];

/// What makes a register of an address zero, and what makes it an address again.
const GENERAL: &[Restorer] = &[
    Restorer { form: "AND", source: 0, other: Restored::Zero },
    Restorer { form: "OR", source: 0, other: Restored::Value },
];

/// The same for a vector of indices.
const VECTORS: &[Restorer] = &[
    Restorer { form: "VAND_VV", source: 0, other: Restored::Zero },
    Restorer { form: "VOR_VV", source: 0, other: Restored::Value },
];

/// Stores and loads that do nothing else.
pub(super) const PLAIN_MOVES: &[PlainMove] = &[
    PlainMove::general(8, "SB", "LBU"),
    PlainMove::general(16, "SH", "LHU"),
    PlainMove::general(32, "SW", "LWU"),
    PlainMove::general(64, "SD", "LD"),
    PlainMove::vector(32, "FSW", "FLW"),
    PlainMove::vector(64, "FSD", "FLD"),
];

/// What brings a register of an address back to what it held.
pub(super) fn restorers(form: &InstructionForm, site: Site) -> &'static [Restorer] {
    match form.address_part(site) {
        Some(AddressPart::Base) => GENERAL,
        Some(AddressPart::Index) => VECTORS,
        _ => &[],
    }
}

/// Halfwords that are ordinary in every interpretation, and others than those in registers.
const ORDINARY_CONTENTS: u64 = 0x3DB5_3DB5_3DB5_3DB5;

/// Assembly that fills the region.
pub(super) fn fill_region(contents: Value) -> Vec<String> {
    let number = match contents {
        Value::Number(number) => number,
        Value::Zero => 0,
        _ => ORDINARY_CONTENTS,
    };
    [
        "lla t0, winic_region",
        &format!("li t1, {number:#x}"),
        &format!("li t2, {FILLED_WORDS}"),
        "1: sd t1, 0(t0)",
        "addi t0, t0, 8",
        "addi t2, t2, -1",
        "bnez t2, 1b",
    ]
    .map(str::to_owned)
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_accessed_in_eighths() {
        let of = |name: &str, element_bits, group| {
            let configuration = VectorConfiguration { element_bits, group, masked: false };
            access_eighths(name, Some(configuration))
        };
        assert_eq!(of("VLE32_V", 32, 0), 8);
        assert_eq!(of("VSE8_V@e8mf8", 8, -3), 1);
        assert_eq!(of("VSE16_V", 32, 0), 4);
        assert_eq!(of("VLE8_V@e8m4", 8, 2), 0);
        assert_eq!(of("VLE64_V", 64, 0), 8);
        assert_eq!(of("VLSE32_V", 32, 0), 0);
        assert_eq!(of("VLSEG2E32_V", 32, 0), 0);
        assert_eq!((access_eighths("VS1R_V", None), access_eighths("VL2RE8_V", None)), (8, 0));
    }

    #[test]
    fn widths_are_those_that_are_printed() {
        for (text, bits) in [
            ("lw t5, 0(t6)", 32),
            ("c.fld fs0, 8(a0)", 64),
            ("amoadd.b.aqrl t5, t6, (t4)", 8),
            ("lr.d t5, (t6)", 64),
            ("ld.aq t5, (t6)", 64),
            ("vle8.v v8, (t5)", 0),
            ("prefetch.r 0(t5)", 0),
        ] {
            assert_eq!(access_bits(text), bits, "{text}");
        }
    }
}
