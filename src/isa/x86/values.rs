//! Classes of operand values on which the duration of a form depends.
//!
//! Divisions of integers by iteration take longer the more bits the quotient has. As in the headline's class,
//! all dividends are such that quotient and remainder are what stood there before, so that every
//! division of a chain finds the same values: with a dividend of `h` and `l` (high and low halves)
//! and a divisor of `d` that is `h * (2^n - 1) = l * (d - 1)`.

//!
//! Divisions and square roots of floating-point numbers may end early when the rest of the mantissa is
//! zero. What reads MXCSR may take long for denormals, which other classes flush to zero: some cores
//! leave them to microcode.

use super::implied;
use super::memory::PLAIN_MOVES;
use super::registers::name_at;
use crate::form::{AddressPart, InstructionForm, MemoryAccess, Site, Value};
use crate::isa::{OperandValues, crossing};
use crate::metadata::InstructionSet;

/// Classes of divisions of integers: their quotients.
const DIVISION: &[OperandValues] = &[
    OperandValues::usual("quotient of middle size"),
    OperandValues::usual("quotient 0"),
    OperandValues::usual("quotient of all bits"),
];
/// Classes of divisions and square roots of floating-point numbers ...
const ROOTS: &[OperandValues] = &[
    OperandValues::usual("long mantissas"),
    OperandValues::usual("all operands 1"),
    OperandValues::unusual(DENORMAL_OPERANDS),
];
/// ... and of other operations on them.
const ARITHMETIC: &[OperandValues] =
    &[OperandValues::usual("normal operands"), OperandValues::unusual(DENORMAL_OPERANDS)];
/// Classes of repeated string instructions: how often ...
const REPEATED: &[OperandValues] = &[
    OperandValues::unusual("64 times"),
    OperandValues::unusual("no time"),
    OperandValues::unusual("once"),
    OperandValues::unusual("16 times"),
    OperandValues::unusual("256 times"),
];
/// ... in numbers.
const TIMES: [u64; 5] = [64, 0, 1, 16, 256];
/// Classes of gathers and scatters: where their lanes lie.
const GATHERED: &[OperandValues] = &[
    OperandValues::unusual("all lanes at one address"),
    OperandValues::unusual("each lane in another line"),
];
/// Classes of what moves tiles: how far its rows are from each other.
const ROWS: &[OperandValues] = &[
    OperandValues::unusual("all rows at one address"),
    OperandValues::unusual("each row in another line"),
];
/// What moves tiles of AMX: the index of its address is the distance from row to row.
const TILE_MOVES: &[&str] = &[
    "TILELOADD",
    "TILELOADDRS",
    "TILELOADDRST1",
    "TILELOADDRST1_EVEX",
    "TILELOADDRS_EVEX",
    "TILELOADDT1",
    "TILELOADDT1_EVEX",
    "TILELOADD_EVEX",
    "TILESTORED",
    "TILESTORED_EVEX",
];
/// Bytes of a line.
const LINE: u64 = 64;
const DENORMAL_OPERANDS: &str = "denormal operands";

/// Divisions and square roots of floating-point numbers.
pub(super) const ROOT_MNEMONICS: &[&str] = &[
    "divpd",
    "divps",
    "divsd",
    "divss",
    "sqrtpd",
    "sqrtps",
    "sqrtsd",
    "sqrtss",
    "vdivbf16",
    "vdivpd",
    "vdivph",
    "vdivps",
    "vdivsd",
    "vdivsh",
    "vdivss",
    "vsqrtbf16",
    "vsqrtpd",
    "vsqrtph",
    "vsqrtps",
    "vsqrtsd",
    "vsqrtsh",
    "vsqrtss",
];

/// Denormals are neither taken for zero nor flushed; all exceptions are masked, as ever.
const DENORMALS_ALLOWED: Value = Value::Number(0x1F80);

/// A floating-point format, with some of its numbers, all over 64 bits.
struct FloatFormat {
    /// What mnemonics call it.
    suffixes: &'static [&'static str],
    one: u64,
    /// A little more than one, with a long mantissa: what is divided by it again and again stays
    /// normal for thousands of times.
    nearly_one: u64,
    /// So small that sums of many are denormal, too.
    denormal: u64,
}

const FORMATS: &[FloatFormat] = &[
    FloatFormat {
        suffixes: &["pd", "sd"],
        one: 0x3FF0_0000_0000_0000,
        nearly_one: 0x3FF0_0000_1234_5679,
        denormal: 0x0000_0000_1234_5679,
    },
    FloatFormat {
        suffixes: &["ps", "ss"],
        one: 0x3F80_0000_3F80_0000,
        nearly_one: 0x3F80_0125_3F80_0125,
        denormal: 0x0000_0115_0000_0115,
    },
    FloatFormat {
        suffixes: &["ph", "sh"],
        one: 0x3C00_3C00_3C00_3C00,
        nearly_one: 0x3C05_3C05_3C05_3C05,
        denormal: 0x0003_0003_0003_0003,
    },
];

/// The format of the numbers that an instruction reads: conversions name it first
/// (`vcvttpd2udq`), others last.
fn format_of(mnemonic: &str) -> Option<&'static FloatFormat> {
    let bare = mnemonic.strip_prefix('v').unwrap_or(mnemonic);
    let name = match bare.strip_prefix("cvt").and_then(|rest| rest.split_once('2')) {
        Some((source, _)) => source,
        None => bare,
    };
    FORMATS.iter().find(|format| format.suffixes.iter().any(|suffix| name.ends_with(suffix)))
}

/// The format of a form that computes with floating-point numbers in vector registers.
fn format_in(set: &InstructionSet, form: &InstructionForm) -> Option<&'static FloatFormat> {
    let computes = || form.implicit_uses.iter().any(|&r| set.register(r).name == CONTROL);
    format_of(&form.mnemonic).filter(|_| computes())
}

/// The register that says how denormals are treated.
const CONTROL: &str = "MXCSR";

fn is_root(form: &InstructionForm) -> bool {
    ROOT_MNEMONICS.contains(&form.mnemonic.as_str())
}

/// The divisor of a form that writes over its dividend, lest the quotient of quotients soon is
/// infinite.
pub(super) fn steady_divisor(form: &InstructionForm, site: Site) -> Option<Value> {
    let format = format_of(&form.mnemonic)?;
    let mut dividends = form.uses().filter(|&use_| form.tied(use_).is_some());
    let is_divisor = match site {
        Site::Operand(_) => form.tied(site).is_none() && form.address_part(site).is_none(),
        Site::Memory => true,
        Site::Implicit(_) => false,
    };
    (DESTRUCTIVE_DIVISIONS.contains(&form.mnemonic.as_str())
        && is_divisor
        && dividends.next().is_some())
    .then_some(Value::Number(format.nearly_one))
}

/// Divisions of floating-point numbers that write over their dividends.
const DESTRUCTIVE_DIVISIONS: &[&str] = &["divpd", "divps", "divsd", "divss"];

/// Gathers and scatters whose indices have 64 bits.
const INDICES_OF_64_BITS: &[&str] = &[
    "vgatherqpd",
    "vgatherqps",
    "vpgatherqd",
    "vpgatherqq",
    "vpscatterqd",
    "vpscatterqq",
    "vscatterqpd",
    "vscatterqps",
];

/// What a use holds that instances spend: a mask with all bits, or how often to repeat.
pub(super) fn unspent(form: &InstructionForm, site: Site) -> Option<Value> {
    let is_mask = matches!(site, Site::Operand(_));
    form.lasts(site).map(|_| Value::Number(if is_mask { u64::MAX } else { TIMES[0] }))
}

const NO_BITS: usize = 1;
const ALL_BITS: usize = 2;

/// Divisions of integers.
const DIVISIONS: [&str; 8] =
    ["DIV8r", "DIV16r", "DIV32r", "DIV64r", "IDIV8r", "IDIV16r", "IDIV32r", "IDIV64r"];

/// Contents in the classes after the headline's: class, width in the form's name, the register's
/// name (`""`: the divisor), value. A divisor that is not listed is the headline's.
const CONTENTS: &[(usize, &str, &str, Value)] = &[
    (NO_BITS, "8r", "AX", Value::Zero),
    (NO_BITS, "16r", "AX", Value::Zero),
    (NO_BITS, "16r", "DX", Value::Zero),
    (NO_BITS, "32r", "EAX", Value::Zero),
    (NO_BITS, "32r", "EDX", Value::Zero),
    (NO_BITS, "64r", "RAX", Value::Zero),
    (NO_BITS, "64r", "RDX", Value::Zero),
    // 4 * 0x55 + 1 = 0x155, and so on: the highest bit stays clear for the signed ones.
    (ALL_BITS, "8r", "", Value::Number(4)),
    (ALL_BITS, "8r", "AX", Value::Number(0x0155)),
    (ALL_BITS, "16r", "", Value::Number(4)),
    (ALL_BITS, "16r", "AX", Value::Number(0x5555)),
    (ALL_BITS, "16r", "DX", Value::Number(1)),
    (ALL_BITS, "32r", "", Value::Number(4)),
    (ALL_BITS, "32r", "EAX", Value::Number(0x5555_5555)),
    (ALL_BITS, "32r", "EDX", Value::Number(1)),
    (ALL_BITS, "64r", "", Value::Number(4)),
    (ALL_BITS, "64r", "RAX", Value::Number(0x5555_5555_5555_5555)),
    (ALL_BITS, "64r", "RDX", Value::Number(1)),
];

/// The width that the name of an integer division ends in.
fn width(form: &str) -> Option<&str> {
    DIVISIONS
        .contains(&form)
        .then(|| form.trim_start_matches(|letter: char| letter.is_ascii_uppercase()))
}

/// A form's classes, the headline's first.
pub(super) fn classes(set: &InstructionSet, form: &InstructionForm) -> &'static [OperandValues] {
    if implied::is_repeated(form) {
        return REPEATED;
    }
    if form.spent_operands().next().is_some() {
        return GATHERED;
    }
    if TILE_MOVES.contains(&form.name.as_str()) {
        return ROWS;
    }
    // What memory holds stays the same in all classes.
    if form.memory != MemoryAccess::None {
        return crossing::classes(PLAIN_MOVES, form);
    }
    match format_in(set, form) {
        Some(_) if is_root(form) => ROOTS,
        Some(_) => ARITHMETIC,
        None if width(&form.name).is_some() => DIVISION,
        None => &[],
    }
}

/// What a site holds in a class.
pub(super) fn of_class(
    set: &InstructionSet,
    form: &InstructionForm,
    site: Site,
    class: usize,
) -> Option<Value> {
    if form.lasts(site).is_some() && form.address_part(site).is_none() {
        return implied::is_repeated(form).then(|| Value::Number(TIMES[class]));
    }
    if form.spent_operands().next().is_some() {
        let is_index = form.address_part(site) == Some(AddressPart::Index);
        let lane_bits = if INDICES_OF_64_BITS.contains(&form.mnemonic.as_str()) { 64 } else { 32 };
        return is_index.then_some(Value::Lines { lane_bits });
    }
    if TILE_MOVES.contains(&form.name.as_str()) {
        let is_index = form.address_part(site) == Some(AddressPart::Index);
        return is_index.then_some(Value::Number(LINE));
    }
    if form.memory != MemoryAccess::None {
        return crossing::value(PLAIN_MOVES, form, site, class);
    }
    let Some(format) = format_in(set, form) else {
        return of_division(&form.name, name_at(set, form, site)?, class);
    };
    let denormal = classes(set, form).get(class)?.name == DENORMAL_OPERANDS;
    match site {
        Site::Memory => None,
        Site::Operand(_) => {
            Some(Value::Number(if denormal { format.denormal } else { format.one }))
        }
        Site::Implicit(register) => {
            (denormal && set.register(register).name == CONTROL).then_some(DENORMALS_ALLOWED)
        }
    }
}

/// What the place of that name holds in a class of a division of integers.
fn of_division(form: &str, place: &str, class: usize) -> Option<Value> {
    let width = width(form)?;
    let row = CONTENTS.iter().find(|row| (row.0, row.1, row.2) == (class, width, place));
    row.map(|row| row.3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_told_by_the_whole_name() {
        let found = ["DIV64r", "IDIV8r", "DIVPDrr", "ADD64rr"].map(|form| width(form).is_some());
        assert_eq!(found, [true, true, false, false]);
    }

    #[test]
    fn formats_are_those_that_are_read() {
        let one = |mnemonic| format_of(mnemonic).map(|format| format.one >> 48);
        for (mnemonic, expected) in [
            ("vaddpd", Some(0x3FF0)),
            ("sqrtss", Some(0x3F80)),
            ("vdivph", Some(0x3C00)),
            ("cvttpd2dq", Some(0x3FF0)),
            ("cvtps2pd", Some(0x3F80)),
            ("vcvtqq2pd", None),
            ("cvtsi2sd", None),
            ("paddd", None),
        ] {
            assert_eq!(one(mnemonic), expected, "{mnemonic}");
        }
    }

    #[test]
    fn numbers_of_a_format_are_what_they_are_said_to_be() {
        let double = &FORMATS[0];
        assert!(f64::from_bits(double.denormal).is_subnormal());
        assert_eq!(f64::from_bits(double.one), 1.0);
        let often = (0..10_000).fold(1.0, |x, _| x / f64::from_bits(double.nearly_one));
        assert!(often > 0.5);
        let single = &FORMATS[1];
        assert!(f32::from_bits(single.denormal as u32).is_subnormal());
        assert_eq!(f32::from_bits(single.one as u32), 1.0);
        let often = (0..10_000).fold(1.0, |x: f32, _| x / f32::from_bits(single.nearly_one as u32));
        assert!(often.is_normal());
    }

    #[test]
    fn divisions_reproduce_their_dividends_in_every_class() {
        let number = |form: &str, place: &str, class| match of_division(form, place, class) {
            Some(Value::Number(number)) => Some(u128::from(number)),
            Some(Value::Zero) => Some(0),
            _ => None,
        };
        for class in [NO_BITS, ALL_BITS] {
            for (bits, low, high) in [(16, "AX", "DX"), (32, "EAX", "EDX"), (64, "RAX", "RDX")] {
                let form = format!("IDIV{bits}r");
                // Any divisor leaves zero as it is.
                let divisor = number(&form, "", class).unwrap_or(7);
                let low = number(&form, low, class).unwrap();
                let high = number(&form, high, class).unwrap();
                let dividend = (high << bits) + low;
                assert_eq!((dividend / divisor, dividend % divisor), (low, high), "{form}");
                assert!(low < 1 << (bits - 1), "{form}: the signed quotient fits");
            }
            let divisor = number("DIV8r", "", class).unwrap_or(7);
            let dividend = number("DIV8r", "AX", class).unwrap();
            assert_eq!(((dividend % divisor) << 8) | (dividend / divisor), dividend);
        }
    }
}
