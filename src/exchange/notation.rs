//! How tables write operands: `r32`, `reg16/32/64`, `xmm/m64`, `[m128]`, `imm8`, `CL`.

use super::forms::{GENERAL, WrittenOperand, letters};
use super::spelled::OperandChoices;

/// Kinds of registers that have letters of their own, by how tables write them and how assembly does.
const KINDS: &[(&str, &str)] = &[
    ("mmx", "mm"),
    ("mm", "mm"),
    ("xmm", "xmm"),
    ("ymm", "ymm"),
    ("zmm", "zmm"),
    ("tmm", "tmm"),
    ("k", "k"),
];
/// Widths of general registers and of numbers, where a table means all.
const WIDTHS: [u32; 4] = [8, 16, 32, 64];
/// The longest operand that is looked at.
const LONGEST: usize = 64;

/// What stands in an operand's place before its width.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stem {
    General,
    Memory,
    Immediate,
}

/// How tables write these.
const STEMS: &[(&str, Stem)] = &[
    ("reg", Stem::General),
    ("r", Stem::General),
    ("memory", Stem::Memory),
    ("mem", Stem::Memory),
    ("m", Stem::Memory),
    ("imm", Stem::Immediate),
    ("i", Stem::Immediate),
];

/// The operands that a text means; none where it is no operand.
#[must_use]
pub fn operand(text: &str) -> Option<OperandChoices> {
    let text = text.trim().to_lowercase();
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let parts: Vec<&str> = text.split('/').map(str::trim).collect();
    let mut choices = OperandChoices::new();
    let mut before = None;
    for (at, part) in parts.iter().enumerate() {
        // `reg16/32` is two registers, and the register of `reg/mem32` is as wide as the memory.
        let width = part.parse::<u32>().ok();
        if let Some((stem, width)) = before.zip(width) {
            choices.extend(of_stem(stem, Some(width), false));
            continue;
        }
        let next = parts.get(at + 1).and_then(|next| stemmed(next));
        match stemmed(part) {
            Some((stem, width, broadcast)) => {
                let width = width.or_else(|| next.and_then(|(_, width, _)| width));
                choices.extend(of_stem(stem, width, broadcast));
                before = Some(stem);
            }
            None => choices.extend(named(part)?),
        }
    }
    Some(choices)
}

/// The number of a register that a table tells from others of its instruction: `r1_32`.
#[must_use]
pub fn numbered(text: &str) -> Option<u32> {
    let (name, width) = text.trim().split_once('_')?;
    let number = name.strip_prefix(['r', 'R'])?.parse().ok()?;
    width.parse::<u32>().is_ok().then_some(number)
}

/// A stem with the width behind it, and whether one element stands for all.
fn stemmed(part: &str) -> Option<(Stem, Option<u32>, bool)> {
    let bare = part.strip_prefix('[').and_then(|part| part.strip_suffix(']')).unwrap_or(part);
    if numbered(bare).is_some() {
        let width = bare.rsplit('_').next().and_then(|width| width.parse().ok());
        return Some((Stem::General, width, false));
    }
    let (bare, broadcast) = match bare.split_once("_1to") {
        Some((bare, _)) => (bare, true),
        None => (bare.strip_suffix("bcst").unwrap_or(bare), bare.ends_with("bcst")),
    };
    let (name, width) = bare.split_at(letters(bare).len());
    let (_, stem) = STEMS.iter().find(|(text, _)| *text == name)?;
    let width = if width.is_empty() { None } else { Some(width.parse().ok()?) };
    Some((*stem, width, broadcast))
}

fn of_stem(stem: Stem, width: Option<u32>, broadcast: bool) -> OperandChoices {
    let widths = || width.map_or(WIDTHS.to_vec(), |width| vec![width]).into_iter();
    match stem {
        Stem::General => widths().map(WrittenOperand::general).collect(),
        Stem::Immediate => {
            widths().map(|bits| WrittenOperand::Immediate { bits: Some(bits) }).collect()
        }
        Stem::Memory => vec![WrittenOperand::Memory { bits: width, broadcast }],
    }
}

/// A register of a kind, or something that stands there by its name.
fn named(part: &str) -> Option<OperandChoices> {
    let part = part.trim_start_matches('<').trim_end_matches('>');
    let kind = KINDS.iter().find(|(written, _)| *written == letters(part));
    if let Some((_, kind)) = kind {
        let any = WrittenOperand::of_kind(kind);
        // Tables count operands from one, and the first register is also one that is implied.
        let is_first = part.ends_with('0');
        let fixed = is_first.then(|| WrittenOperand::Fixed(part.to_owned()));
        return Some(std::iter::once(any).chain(fixed).collect());
    }
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "()".contains(letter);
    let is_name = !part.is_empty() && part.chars().all(fits) && part != GENERAL;
    is_name.then(|| vec![WrittenOperand::Fixed(part.to_owned())])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(bits: Option<u32>) -> WrittenOperand {
        WrittenOperand::Memory { bits, broadcast: false }
    }

    #[test]
    fn operands_are_read_as_tables_write_them() {
        let general = WrittenOperand::general;
        let vector = WrittenOperand::of_kind;
        let number = |bits| WrittenOperand::Immediate { bits: Some(bits) };
        let fixed = |text: &str| WrittenOperand::Fixed(text.to_owned());
        for (text, expected) in [
            ("r32", vec![general(32)]),
            ("R64", vec![general(64)]),
            ("reg16/32/64", vec![general(16), general(32), general(64)]),
            ("reg/mem32", vec![general(32), memory(Some(32))]),
            ("reg", vec![general(8), general(16), general(32), general(64)]),
            ("r1_32", vec![general(32)]),
            ("[m64]", vec![memory(Some(64))]),
            ("mem", vec![memory(None)]),
            ("xmm2/mem128", vec![vector("xmm"), memory(Some(128))]),
            ("MM", vec![vector("mm")]),
            ("xmm0", vec![vector("xmm"), fixed("xmm0")]),
            ("imm8", vec![number(8)]),
            ("I32", vec![number(32)]),
            ("M32_1to16", vec![WrittenOperand::Memory { bits: Some(32), broadcast: true }]),
            ("mem64bcst", vec![WrittenOperand::Memory { bits: Some(64), broadcast: true }]),
            ("CL", vec![fixed("cl")]),
            ("1", vec![fixed("1")]),
        ] {
            assert_eq!(operand(text), Some(expected), "{text}");
        }
        for text in ["", "r8  0/ 8b", "[no", "r32/", "a b", &"x".repeat(100)] {
            assert_eq!(operand(text), None, "{text}");
        }
    }
}
