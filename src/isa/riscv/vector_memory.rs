//! Vector loads and stores, told from their names: `VLUXSEG3EI16_V` loads segments of three fields
//! from wherever 16-bit indices lead. Source: RISC-V unprivileged ISA, chapter "V", section 7.

use std::collections::HashMap;
use std::sync::LazyLock;

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
    /// Whether it stores.
    pub stores: bool,
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

/// Every vector load and store, by the first part of LLVM's name.
static ACCESSES: LazyLock<HashMap<String, VectorAccess>> = LazyLock::new(|| {
    let mut accesses = HashMap::new();
    for (fields, width) in (1..=8).flat_map(|fields| [8, 16, 32, 64].map(|width| (fields, width))) {
        let segment = if fields == 1 { String::new() } else { format!("SEG{fields}") };
        let mut add = |name: String, pattern, stores| {
            accesses.insert(name, VectorAccess { pattern, fields, width, stores });
        };
        for (verb, stores) in [("VL", false), ("VS", true)] {
            add(format!("{verb}{segment}E{width}"), Pattern::Unit, stores);
            add(format!("{verb}S{segment}E{width}"), Pattern::Strided, stores);
            add(format!("{verb}UX{segment}EI{width}"), Pattern::Indexed, stores);
            add(format!("{verb}OX{segment}EI{width}"), Pattern::Indexed, stores);
        }
        // Only the first element may fault.
        add(format!("VL{segment}E{width}FF"), Pattern::Unit, false);
    }
    for (name, stores) in [("VLM", false), ("VSM", true)] {
        let access = VectorAccess { pattern: Pattern::Mask, fields: 1, width: 8, stores };
        accesses.insert(name.to_owned(), access);
    }
    accesses
});

impl VectorAccess {
    /// The access of an opcode, if it is a vector load or store.
    pub fn of(opcode: &str) -> Option<Self> {
        let is_access = names::last_part(opcode) == "V";
        is_access.then(|| ACCESSES.get(names::first_part(opcode)).copied()).flatten()
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
