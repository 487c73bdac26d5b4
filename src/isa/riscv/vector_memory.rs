//! Vector loads and stores, told from their names: `VLUXSEG3EI16_V` loads segments of three fields
//! from wherever 16-bit indices lead. Source: RISC-V unprivileged ISA, chapter "V", section 7.

use super::super::names;

/// A vector load or store with elements in memory; those of whole registers are not among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct VectorAccess {
    /// How its elements lie there.
    pub pattern: Pattern,
    /// Registers or groups of them that a segment fills.
    pub fields: u32,
    /// Bits of an element, or of an index where it is indexed.
    pub width: u32,
}

/// How elements lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    /// One bit each.
    Mask,
    /// One behind the other.
    Unit,
    /// So many bytes apart as a register says.
    Strided,
    /// Where a vector of indices says.
    Indexed,
}

impl VectorAccess {
    /// The access of an opcode, if it is a vector load or store.
    pub fn of(opcode: &str) -> Option<Self> {
        let name = names::without_configuration(opcode).strip_suffix("_V")?;
        if matches!(name, "VLM" | "VSM") {
            return Some(Self { pattern: Pattern::Mask, fields: 1, width: 8 });
        }
        let rest = name.strip_prefix("VL").or_else(|| name.strip_prefix("VS"))?;
        let (pattern, rest) = match () {
            () if let Some(rest) = rest.strip_prefix("UX") => (Pattern::Indexed, rest),
            () if let Some(rest) = rest.strip_prefix("OX") => (Pattern::Indexed, rest),
            // `VLSEG2E8_V` has segments, `VLSSEG2E8_V` those with a stride.
            () if rest.starts_with("SEG") => (Pattern::Unit, rest),
            () if let Some(rest) = rest.strip_prefix('S') => (Pattern::Strided, rest),
            () => (Pattern::Unit, rest),
        };
        let (fields, rest) = match rest.strip_prefix("SEG") {
            Some(rest) => (rest.get(..1)?.parse().ok()?, &rest[1..]),
            None => (1, rest),
        };
        let letters = if pattern == Pattern::Indexed { "EI" } else { "E" };
        let width = rest.strip_prefix(letters)?;
        let width = width.strip_suffix("FF").unwrap_or(width).parse().ok()?;
        Some(Self { pattern, fields, width })
    }

    /// Bytes from one element, or segment of them, to the next, where they lie side by side.
    pub fn stride(self) -> u32 {
        self.fields * self.width / 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_are_told_by_name() {
        let of = |name| VectorAccess::of(name).map(|a| (a.pattern, a.fields, a.width));
        assert_eq!(of("VLE8_V@e8m1"), Some((Pattern::Unit, 1, 8)));
        assert_eq!(of("VLE64FF_V"), Some((Pattern::Unit, 1, 64)));
        assert_eq!(of("VSE16_V"), Some((Pattern::Unit, 1, 16)));
        assert_eq!(of("VLSE32_V"), Some((Pattern::Strided, 1, 32)));
        assert_eq!(of("VSSE32_V"), Some((Pattern::Strided, 1, 32)));
        assert_eq!(of("VLSEG3E32FF_V"), Some((Pattern::Unit, 3, 32)));
        assert_eq!(of("VSSEG8E8_V"), Some((Pattern::Unit, 8, 8)));
        assert_eq!(of("VSSSEG2E64_V"), Some((Pattern::Strided, 2, 64)));
        assert_eq!(of("VLUXSEG3EI16_V"), Some((Pattern::Indexed, 3, 16)));
        assert_eq!(of("VSOXEI8_V"), Some((Pattern::Indexed, 1, 8)));
        assert_eq!(of("VSM_V"), Some((Pattern::Mask, 1, 8)));
        for other in ["VL4RE8_V", "VS8R_V", "VLSLL_V", "VSEXT_VF2", "VSLL_VV", "LD"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
