//! The grammar of LLVM's opcode names. A name is a *stem*, which says what is done, and then what
//! it is done to: operands in small letters (`MOVSLDUPrr`), parts behind underscores (`VADD_VV`),
//! and for vector opcodes that are listed once a configuration, that one (`VADD_VV@e64m2`).
//! Families of instructions are lists of whole stems: `MOVSL` is not the beginning of `MOVSLDUP`.

/// What stands in front of the first small letter, underscore or configuration.
pub fn stem(name: &str) -> &str {
    name.find(is_no_stem).map_or(name, |end| &name[..end])
}

/// What stands behind the stem, without variants of the encoding and configurations: `rrCL` of
/// `SHLD64rrCL_EVEX`.
pub fn operands(name: &str) -> &str {
    let rest = &name[stem(name).len()..];
    rest.split(['_', '@']).next().unwrap_or_default()
}

/// Whether a name is, or its stem is, one of these. (Names such as `REP_MOVSB_32` have more than
/// operands behind the underscore, so that tables have them whole.)
pub fn is_any(name: &str, stems: &[&str]) -> bool {
    stems.contains(&stem(name)) || stems.contains(&name)
}

/// What stands between underscores: `AMOCAS`, `D`, `RV32`, `AQ`.
pub fn parts(name: &str) -> impl DoubleEndedIterator<Item = &str> {
    without_configuration(name).split('_')
}

/// The part in front of the first underscore: for RISC-V, `C` or a vendor's letters, or the mnemonic.
pub fn first_part(name: &str) -> &str {
    parts(name).next().unwrap_or_default()
}

/// The part behind the last underscore, if there is one.
pub fn last_part(name: &str) -> &str {
    without_configuration(name).rsplit_once('_').map_or("", |(_, last)| last)
}

/// The opcode's own name, without a vector configuration.
pub fn without_configuration(name: &str) -> &str {
    name.split('@').next().unwrap_or_default()
}

fn is_no_stem(letter: char) -> bool {
    letter.is_ascii_lowercase() || matches!(letter, '_' | '@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_whole() {
        for (name, expected) in [
            ("MOVSL", "MOVSL"),
            ("MOVSLDUPrr", "MOVSLDUP"),
            ("PUSH64rmm", "PUSH64"),
            ("DIV8r_NF", "DIV8"),
            ("LEAVE64", "LEAVE64"),
            ("UDIVXr", "UDIVX"),
            ("UDIVR_ZPmZ_D", "UDIVR"),
            ("BFMXri", "BFMX"),
            ("BFMLALBIdx", "BFMLALBI"),
            ("VSHA2MS_VV@e32m1", "VSHA2MS"),
            ("", ""),
        ] {
            assert_eq!(stem(name), expected, "{name}");
        }
        assert!(is_any("MOVSL", &["MOVSL"]) && !is_any("MOVSLDUPrr", &["MOVSL"]));
    }

    #[test]
    fn operands_follow_the_stem() {
        for (name, expected) in [
            ("SHLD64rrCL_EVEX", "rrCL"),
            ("RCL16r1_ND", "r1"),
            ("CRC32r32r16", "r32r16"),
            ("CPUID", ""),
            ("PTRUE_B", ""),
        ] {
            assert_eq!(operands(name), expected, "{name}");
        }
    }

    #[test]
    fn parts_lie_between_underscores() {
        assert_eq!(parts("AMOCAS_D_RV32_AQ").collect::<Vec<_>>(), ["AMOCAS", "D", "RV32", "AQ"]);
        assert_eq!(first_part("QC_ADDSAT"), "QC");
        assert_eq!(last_part("VADC_VVM@e8m1"), "VVM");
        assert_eq!(last_part("ADD"), "");
    }
}
