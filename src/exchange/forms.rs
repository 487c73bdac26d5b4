//! Forms by how they are written: what finds the one form of LLVM's that a mnemonic with kinds of operands
//! is, for sources that do not know LLVM's names.
//!
//! A source writes an operand as a kind and a width (`xmm`, `r32`, `[m64]`, `imm8`), and where it means
//! several it says so (`reg/mem32`). Each meaning is looked up by itself. It is a form if exactly one is
//! written so; of two encodings of one text the source must say which it means.

use std::collections::BTreeMap;

/// What stands at the place of an operand.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum WrittenOperand {
    /// Any register of a kind.
    Register {
        /// Letters that the names of its kind begin with, or [`GENERAL`].
        kind: String,
        /// Its width, where the kind has several.
        bits: Option<u32>,
    },
    /// This register, or this number, and no other.
    Fixed(String),
    /// Memory.
    Memory {
        /// How much of it; not every source says that.
        bits: Option<u32>,
        /// Whether one element stands for all.
        broadcast: bool,
    },
    /// A number.
    Immediate {
        /// Bits that its encoding has for it; not every source says that.
        bits: Option<u32>,
    },
}

/// The kind of registers whose names have no letters in common.
pub const GENERAL: &str = "gpr";

/// Which elements of a result are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Masking {
    /// All.
    #[default]
    None,
    /// Those that a mask names; the others stay.
    Merging,
    /// Those that a mask names; the others become zero.
    Zeroing,
}

/// An instruction as it is written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WrittenForm {
    /// In small letters.
    pub mnemonic: String,
    /// In their order.
    pub operands: Vec<WrittenOperand>,
    /// What a mask does.
    pub masking: Masking,
    /// Whether it has the longer of two encodings that are written alike; none where nobody says it.
    pub is_long: Option<bool>,
}

/// Why something written is not one form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Mismatch {
    /// Nothing has the mnemonic.
    #[error("no form of LLVM's has its mnemonic")]
    Mnemonic,
    /// Nothing with the mnemonic has such operands.
    #[error("no form of LLVM's has such operands")]
    Operands,
    /// Several do.
    #[error("several forms of LLVM's are written so")]
    Several,
}

/// Forms by how they are written.
#[derive(Debug, Clone, Default)]
pub struct FormTable {
    by_mnemonic: BTreeMap<String, Vec<(WrittenForm, String)>>,
}

impl FormTable {
    /// Adds a way to write a form of this name.
    pub fn add(&mut self, written: WrittenForm, name: &str) {
        let known = self.by_mnemonic.entry(written.mnemonic.clone()).or_default();
        known.push((written, name.to_owned()));
    }

    /// The one form that is written so.
    ///
    /// # Errors
    /// When there is none, or more than one.
    pub fn find(&self, wanted: &WrittenForm) -> Result<&str, Mismatch> {
        let known = self.by_mnemonic.get(&wanted.mnemonic).ok_or(Mismatch::Mnemonic)?;
        let fits = |(form, _): &&(WrittenForm, String)| {
            form.masking == wanted.masking
                && form.operands.len() == wanted.operands.len()
                && form.operands.iter().zip(&wanted.operands).all(|(own, it)| it.means(own))
        };
        let mut fitting: Vec<&(WrittenForm, String)> = known.iter().filter(fits).collect();
        // (Masks are in the long encodings' extension and have the short one.)
        let is_as_said = |form: &WrittenForm| form.is_long == wanted.is_long;
        if wanted.is_long.is_some() && fitting.iter().any(|(form, _)| is_as_said(form)) {
            fitting.retain(|(form, _)| is_as_said(form));
        }
        let mut names: Vec<&str> = fitting.into_iter().map(|(_, name)| name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        match names[..] {
            [] => Err(Mismatch::Operands),
            [name] => Ok(name),
            _ => Err(Mismatch::Several),
        }
    }
}

impl WrittenOperand {
    /// A register of a kind without widths.
    #[must_use]
    pub fn of_kind(kind: &str) -> Self {
        Self::Register { kind: kind.to_owned(), bits: None }
    }

    /// A general register.
    #[must_use]
    pub fn general(bits: u32) -> Self {
        Self::Register { kind: GENERAL.to_owned(), bits: Some(bits) }
    }

    /// Whether a form's operand is one that is meant by it.
    fn means(&self, own: &Self) -> bool {
        let same = |wanted: Option<u32>, own: Option<u32>| {
            wanted.zip(own).is_none_or(|(wanted, own)| wanted == own)
        };
        match (self, own) {
            (Self::Register { kind, bits }, Self::Register { kind: own, bits: width }) => {
                kind == own && same(*bits, *width)
            }
            (Self::Fixed(wanted), Self::Fixed(own)) => wanted == own,
            (
                Self::Memory { bits, broadcast },
                Self::Memory { bits: width, broadcast: is_broadcast },
            ) => broadcast == is_broadcast && same(*bits, *width),
            (Self::Immediate { bits }, Self::Immediate { bits: width }) => same(*bits, *width),
            _ => false,
        }
    }
}

/// The letters that a name begins with, before its number.
#[must_use]
pub fn letters(name: &str) -> &str {
    name.trim_end_matches(|letter: char| letter.is_ascii_digit())
}

/// Takes what says something of a mask or of elements off the end of an operand: `zmm {k1} {z}`.
#[must_use]
pub fn undecorated(text: &str) -> (&str, Masking) {
    let Some((bare, rest)) = text.split_once('{') else { return (text.trim(), Masking::None) };
    let mut marks = rest.split('{').map(|mark| mark.trim().trim_end_matches('}').trim());
    let has = |mark: &str| mark.eq_ignore_ascii_case("z");
    let masking = match (rest.starts_with(['k', 'K']), marks.any(has)) {
        (true, true) => Masking::Zeroing,
        (true, false) => Masking::Merging,
        (false, _) => Masking::None,
    };
    (bare.trim(), masking)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors(kind: &str, is_long: Option<bool>, masking: Masking) -> WrittenForm {
        let operands = vec![WrittenOperand::of_kind(kind); 2];
        WrittenForm { mnemonic: "vmova".to_owned(), operands, masking, is_long }
    }

    #[test]
    fn what_is_written_is_one_form_or_none() {
        let mut table = FormTable::default();
        for (kind, is_long, masking, name) in [
            ("ymm", false, Masking::None, "SHORT"),
            ("ymm", true, Masking::None, "LONG"),
            ("zmm", true, Masking::None, "WIDE"),
            ("zmm", true, Masking::Merging, "MASKED"),
        ] {
            table.add(vectors(kind, Some(is_long), masking), name);
        }
        let find = |kind, is_long, masking| table.find(&vectors(kind, is_long, masking));
        assert_eq!(find("ymm", Some(true), Masking::None), Ok("LONG"));
        assert_eq!(find("ymm", Some(false), Masking::None), Ok("SHORT"));
        assert_eq!(find("ymm", None, Masking::None), Err(Mismatch::Several));
        assert_eq!(find("zmm", Some(false), Masking::None), Ok("WIDE"), "it has no short one");
        assert_eq!(find("zmm", None, Masking::Merging), Ok("MASKED"));
        assert_eq!(find("xmm", None, Masking::None), Err(Mismatch::Operands));
        let other = WrittenForm { mnemonic: "x".to_owned(), ..vectors("zmm", None, Masking::None) };
        assert_eq!(table.find(&other), Err(Mismatch::Mnemonic));
    }

    #[test]
    fn widths_count_where_both_sides_have_them() {
        let memory = |bits| WrittenOperand::Memory { bits, broadcast: false };
        assert!(memory(None).means(&memory(Some(64))) && memory(Some(64)).means(&memory(None)));
        assert!(!memory(Some(32)).means(&memory(Some(64))));
        assert!(!WrittenOperand::general(32).means(&WrittenOperand::general(64)));
        assert!(!WrittenOperand::general(64).means(&WrittenOperand::of_kind("mm")));
        let one = WrittenOperand::Fixed("1".to_owned());
        assert!(!WrittenOperand::Immediate { bits: None }.means(&one) && one.means(&one));
    }

    #[test]
    fn masks_are_no_part_of_an_operand() {
        assert_eq!(undecorated("zmm1 {k1} {z}"), ("zmm1", Masking::Zeroing));
        assert_eq!(undecorated("ymm{k}"), ("ymm", Masking::Merging));
        assert_eq!(undecorated("[m64]{1to8}"), ("[m64]", Masking::None));
        assert_eq!(undecorated(" r32 "), ("r32", Masking::None));
    }
}
