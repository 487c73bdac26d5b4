//! How much instructions of x86 compute. Sources: Intel SDM volume 2; for tiles also Intel's architecture
//! instruction set extensions programming reference, chapter on AMX.

use crate::form::InstructionForm;
use crate::isa::Operations;
use crate::metadata::InstructionSet;

/// Operations on each element of a vector: stems of mnemonics without `v` and the format.
const ONE_EACH: &[&str] =
    &["add", "addsub", "div", "hadd", "hsub", "max", "min", "mul", "sqrt", "sub"];
/// ... fused ones, without the order of their operands.
const TWO_EACH: &[&str] = &["fmadd", "fmaddsub", "fmsub", "fmsubadd", "fnmadd", "fnmsub"];
/// The orders.
const ORDERS: &[&str] = &["132", "213", "231"];
/// Formats of packed numbers, with the bits of each.
const PACKED: &[(&str, u32)] = &[("pd", 64), ("ph", 16), ("ps", 32)];
/// Formats of single ones.
const SINGLE: &[&str] = &["sd", "sh", "ss"];

/// Whole mnemonics of packed integers and dot products: bits of an element of the result, what each takes.
const PACKED_OTHERS: &[(&str, u32, Operations)] = &[
    ("vdpbf16ps", 32, Operations::floating(4)),
    ("vpaddb", 8, Operations::integer(1)),
    ("vpaddd", 32, Operations::integer(1)),
    ("vpaddq", 64, Operations::integer(1)),
    ("vpaddw", 16, Operations::integer(1)),
    ("vpdpbusd", 32, Operations::integer(8)),
    ("vpdpbusds", 32, Operations::integer(8)),
    ("vpdpwssd", 32, Operations::integer(4)),
    ("vpdpwssds", 32, Operations::integer(4)),
    ("vpmadd52huq", 64, Operations::integer(2)),
    ("vpmadd52luq", 64, Operations::integer(2)),
    ("vpmaddwd", 32, Operations::integer(3)),
    ("vpmulld", 32, Operations::integer(1)),
    ("vpmullq", 64, Operations::integer(1)),
    ("vpmullw", 16, Operations::integer(1)),
    ("vpsubb", 8, Operations::integer(1)),
    ("vpsubd", 32, Operations::integer(1)),
    ("vpsubq", 64, Operations::integer(1)),
    ("vpsubw", 16, Operations::integer(1)),
];

/// Elements of the result of a product of two full tiles.
const TILE: u32 = 16 * 16;

/// Products of tiles: each element of the result is a sum over 64 bytes of a row.
const TILES: &[(&str, Operations)] = &[
    ("tdpbf16ps", Operations::floating(TILE * 2 * 32)),
    ("tdpbssd", Operations::integer(TILE * 2 * 64)),
    ("tdpbsud", Operations::integer(TILE * 2 * 64)),
    ("tdpbusd", Operations::integer(TILE * 2 * 64)),
    ("tdpbuud", Operations::integer(TILE * 2 * 64)),
    ("tdpfp16ps", Operations::floating(TILE * 2 * 32)),
];

/// Integers in general registers.
const GENERAL: &[&str] = &["add", "imul", "sub"];

pub(super) fn operations(set: &InstructionSet, form: &InstructionForm) -> Option<Operations> {
    let mnemonic = form.mnemonic.as_str();
    let bits = (0..form.operands.len()).find_map(|index| form.named_class(index, set));
    let bits = bits.map(|class| set.class(class).bits)?;
    let of_tiles = || TILES.iter().find(|row| row.0 == mnemonic).map(|row| row.1);
    let of_others = || {
        let &(_, element, each) = PACKED_OTHERS.iter().find(|row| row.0 == mnemonic)?;
        Some(Operations { count: each.count * (bits / element), ..each })
    };
    let of_general = || GENERAL.contains(&mnemonic).then_some(Operations::integer(1));
    of_floats(mnemonic, bits).or_else(of_tiles).or_else(of_others).or_else(of_general)
}

/// Those of floating-point numbers in vectors of so many bits.
fn of_floats(mnemonic: &str, bits: u32) -> Option<Operations> {
    let formats = PACKED.iter().map(|&(format, element)| (format, bits / element));
    let mut formats = formats.chain(SINGLE.iter().map(|&format| (format, 1)));
    formats.find_map(|(format, elements)| {
        let is = |stem: &str| {
            mnemonic == format!("{stem}{format}") || mnemonic == format!("v{stem}{format}")
        };
        let fused = |stem: &&&str| ORDERS.iter().any(|order| is(&format!("{stem}{order}")));
        let one = ONE_EACH.iter().any(|stem| is(stem)).then_some(1);
        let two = || TWO_EACH.iter().find(fused).map(|_| 2);
        one.or_else(two).map(|each| Operations::floating(each * elements))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fused_operation_is_two_in_each_element() {
        for (mnemonic, bits, count) in [
            ("vfmadd231pd", 256, Some(8)),
            ("vfnmsub132ss", 128, Some(2)),
            ("addps", 128, Some(4)),
            ("vaddph", 512, Some(32)),
            ("vmovaps", 256, None),
            ("vfmadd231", 256, None),
            ("paddd", 128, None),
        ] {
            let found = of_floats(mnemonic, bits).map(|operations| operations.count);
            assert_eq!(found, count, "{mnemonic}");
        }
    }
}
