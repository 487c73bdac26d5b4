//! How much instructions of AArch64 compute. Source for what the vectors of streaming mode take: Arm Architecture
//! Reference Manual (DDI 0487), C8.2 "SME instructions"; an outer product of vectors of `n` elements is `n * n`
//! multiplications and additions.

use super::super::names;
use super::streaming::VECTOR_BITS;
use crate::isa::Operations;

/// Stems of LLVM's names, with what each element takes.
const STEMS: &[(&str, u32)] = &[
    ("FABD", 1),
    ("FADD", 1),
    ("FDIV", 1),
    ("FMAX", 1),
    ("FMAXNM", 1),
    ("FMIN", 1),
    ("FMINNM", 1),
    ("FMLA", 2),
    ("FMLS", 2),
    ("FMUL", 1),
    ("FSQRT", 1),
    ("FSUB", 1),
];
/// What LLVM calls arrangements, with their elements.
const ARRANGEMENTS: &[(&str, u32)] =
    &[("v2f32", 2), ("v2f64", 2), ("v4f16", 4), ("v4f32", 4), ("v8f16", 8)];
/// Whole names of scalar ones.
const SCALARS: &[(&str, u32)] = &[
    ("FADDDrr", 1),
    ("FADDHrr", 1),
    ("FADDSrr", 1),
    ("FDIVDrr", 1),
    ("FDIVHrr", 1),
    ("FDIVSrr", 1),
    ("FMADDDrrr", 2),
    ("FMADDHrrr", 2),
    ("FMADDSrrr", 2),
    ("FMSUBDrrr", 2),
    ("FMSUBHrrr", 2),
    ("FMSUBSrrr", 2),
    ("FMULDrr", 1),
    ("FMULHrr", 1),
    ("FMULSrr", 1),
    ("FSUBDrr", 1),
    ("FSUBHrr", 1),
    ("FSUBSrr", 1),
];

pub(super) fn operations(form: &str) -> Option<Operations> {
    let of_vectors = || {
        let pairs = STEMS.iter().flat_map(|stem| ARRANGEMENTS.iter().map(move |it| (stem, it)));
        let is = |(stem, arrangement): &(&(&str, u32), &(&str, u32))| {
            form == format!("{}{}", stem.0, arrangement.0)
        };
        let mut found = pairs.filter(is);
        found.next().map(|(stem, arrangement)| stem.1 * arrangement.1)
    };
    let of_scalars = SCALARS.iter().find(|row| row.0 == form).map(|row| row.1);
    of_scalars.or_else(of_vectors).map(Operations::floating)
}

/// Outer products by their whole names: bits of an element of the tile, of one of the sources, and whether they
/// are of floating-point numbers.
const OUTER_PRODUCTS: &[(&str, u32, u32, bool)] = &[
    ("BFMOPA_MPPZZ", 32, 16, true),
    ("BFMOPA_MPPZZ_H", 16, 16, true),
    ("BFMOPS_MPPZZ", 32, 16, true),
    ("BFMOPS_MPPZZ_H", 16, 16, true),
    ("FMOPAL_MPPZZ", 32, 16, true),
    ("FMOPA_MPPZZ_BtoH", 16, 8, true),
    ("FMOPA_MPPZZ_BtoS", 32, 8, true),
    ("FMOPA_MPPZZ_D", 64, 64, true),
    ("FMOPA_MPPZZ_H", 16, 16, true),
    ("FMOPA_MPPZZ_S", 32, 32, true),
    ("FMOPSL_MPPZZ", 32, 16, true),
    ("FMOPS_MPPZZ_D", 64, 64, true),
    ("FMOPS_MPPZZ_H", 16, 16, true),
    ("FMOPS_MPPZZ_S", 32, 32, true),
    ("SMOPA_MPPZZ_D", 64, 16, false),
    ("SMOPA_MPPZZ_HtoS", 32, 16, false),
    ("SMOPA_MPPZZ_S", 32, 8, false),
    ("SMOPS_MPPZZ_D", 64, 16, false),
    ("SMOPS_MPPZZ_HtoS", 32, 16, false),
    ("SMOPS_MPPZZ_S", 32, 8, false),
    ("SUMOPA_MPPZZ_D", 64, 16, false),
    ("SUMOPA_MPPZZ_S", 32, 8, false),
    ("SUMOPS_MPPZZ_D", 64, 16, false),
    ("SUMOPS_MPPZZ_S", 32, 8, false),
    ("UMOPA_MPPZZ_D", 64, 16, false),
    ("UMOPA_MPPZZ_HtoS", 32, 16, false),
    ("UMOPA_MPPZZ_S", 32, 8, false),
    ("UMOPS_MPPZZ_D", 64, 16, false),
    ("UMOPS_MPPZZ_HtoS", 32, 16, false),
    ("UMOPS_MPPZZ_S", 32, 8, false),
    ("USMOPA_MPPZZ_D", 64, 16, false),
    ("USMOPA_MPPZZ_S", 32, 8, false),
    ("USMOPS_MPPZZ_D", 64, 16, false),
    ("USMOPS_MPPZZ_S", 32, 8, false),
];

/// Stems of what computes with each element of groups of vectors, into vectors of ZA: what each takes, and
/// whether it is of floating-point numbers.
const INTO_VECTORS: &[(&str, u32, bool)] = &[
    ("ADD", 1, false),
    ("BFADD", 1, true),
    ("BFDOT", 2, true),
    ("BFMLA", 2, true),
    ("BFMLAL", 2, true),
    ("BFMLS", 2, true),
    ("BFMLSL", 2, true),
    ("BFSUB", 1, true),
    ("BFVDOT", 2, true),
    ("FADD", 1, true),
    ("FDOT", 2, true),
    ("FMLA", 2, true),
    ("FMLAL", 2, true),
    ("FMLALL", 2, true),
    ("FMLS", 2, true),
    ("FMLSL", 2, true),
    ("FSUB", 1, true),
    ("FVDOT", 2, true),
    ("SDOT", 2, false),
    ("SMLAL", 2, false),
    ("SMLALL", 2, false),
    ("SMLSL", 2, false),
    ("SMLSLL", 2, false),
    ("SUB", 1, false),
    ("SUDOT", 2, false),
    ("SUMLALL", 2, false),
    ("SUVDOT", 2, false),
    ("SVDOT", 2, false),
    ("UDOT", 2, false),
    ("UMLAL", 2, false),
    ("UMLALL", 2, false),
    ("UMLSL", 2, false),
    ("UMLSLL", 2, false),
    ("USDOT", 2, false),
    ("USMLALL", 2, false),
    ("USVDOT", 2, false),
    ("UVDOT", 2, false),
];
/// The parts of names that say where results go: into one vector of ZA for each of so many.
const SOURCES: &[(&str, u32)] = &[
    ("MZZ", 1),
    ("MZZI", 1),
    ("M2Z", 2),
    ("M2ZZ", 2),
    ("M2ZZI", 2),
    ("M2Z2Z", 2),
    ("M4Z", 4),
    ("M4ZZ", 4),
    ("M4ZZI", 4),
    ("M4Z4Z", 4),
];
/// Parts of names that say how many bits an element of the sources has; 16 where there is none.
const ELEMENTS: &[(&str, u32)] = &[
    ("BToS", 8),
    ("BtoH", 8),
    ("BtoS", 8),
    ("D", 64),
    ("H", 16),
    ("HToS", 16),
    ("HtoD", 16),
    ("HtoS", 16),
    ("S", 32),
];

/// Whole names of what computes in vectors of SVE: bits of an element of the sources, what each takes, and whether
/// it is of floating-point numbers.
const IN_VECTORS: &[(&str, u32, u32, bool)] = &[
    ("BFDOT_ZZZ", 16, 2, true),
    ("FDOT_ZZZ_S", 16, 2, true),
    ("FMLA_ZPmZZ_D", 64, 2, true),
    ("FMLA_ZPmZZ_H", 16, 2, true),
    ("FMLA_ZPmZZ_S", 32, 2, true),
    ("MLA_ZPmZZ_B", 8, 2, false),
    ("MLA_ZPmZZ_D", 64, 2, false),
    ("MLA_ZPmZZ_H", 16, 2, false),
    ("MLA_ZPmZZ_S", 32, 2, false),
    ("SDOT_ZZZ_BtoS", 8, 2, false),
    ("SDOT_ZZZ_HtoD", 16, 2, false),
    ("SDOT_ZZZ_HtoS", 16, 2, false),
    ("UDOT_ZZZ_BtoS", 8, 2, false),
    ("UDOT_ZZZ_HtoD", 16, 2, false),
    ("UDOT_ZZZ_HtoS", 16, 2, false),
];

/// What an instruction of streaming mode computes, in vectors of 512 bits.
pub(super) fn of_streaming(form: &str) -> Option<Operations> {
    outer_product(form).or_else(|| into_vectors(form)).or_else(|| in_vectors(form))
}

fn operations_of(count: u32, floating: bool) -> Operations {
    Operations { count, floating }
}

fn outer_product(form: &str) -> Option<Operations> {
    let &(_, tile, source, floating) = OUTER_PRODUCTS.iter().find(|(name, ..)| *name == form)?;
    let rows = VECTOR_BITS / tile;
    Some(operations_of(2 * rows * rows * (tile / source), floating))
}

fn into_vectors(form: &str) -> Option<Operations> {
    let &(_, each, floating) = INTO_VECTORS.iter().find(|(stem, ..)| *stem == names::stem(form))?;
    let of_parts = |rows: &[(&str, u32)]| {
        let mut found = names::parts(form).filter_map(|part| rows.iter().find(|row| row.0 == part));
        found.next().map(|row| row.1)
    };
    let vectors = of_parts(SOURCES)?;
    let bits = of_parts(ELEMENTS).unwrap_or(16);
    Some(operations_of(each * vectors * VECTOR_BITS / bits, floating))
}

fn in_vectors(form: &str) -> Option<Operations> {
    let &(_, bits, each, floating) = IN_VECTORS.iter().find(|(name, ..)| *name == form)?;
    Some(operations_of(each * VECTOR_BITS / bits, floating))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_those_of_the_arrangement() {
        let count = |form| operations(form).map(|operations| operations.count);
        assert_eq!(
            ["FMLAv4f32", "FADDv2f64", "FMADDDrrr", "FMOVDr"].map(count),
            [Some(8), Some(2), Some(2), None]
        );
    }

    /// The studies of M4 count so many (`tzakharko/m4-sme-exploration`).
    #[test]
    fn streaming_mode_has_vectors_of_512_bits() {
        for (form, expected) in [
            ("FMOPA_MPPZZ_S", 512),
            ("FMOPS_MPPZZ_D", 128),
            ("FMOPAL_MPPZZ", 1024),
            ("BFMOPA_MPPZZ", 1024),
            ("SMOPA_MPPZZ_HtoS", 1024),
            ("SMOPA_MPPZZ_S", 2048),
            ("SMOPA_MPPZZ_D", 512),
            ("FMLA_ZPmZZ_S", 32),
            ("MLA_ZPmZZ_B", 128),
            ("SDOT_ZZZ_HtoD", 64),
            ("FMLA_VG4_M4ZZ_S", 128),
            ("FMLA_VG2_M2Z2Z_D", 32),
            ("FMLAL_VG4_M4Z4Z_HtoS", 256),
            ("SMLALL_VG2_M2Z2Z_BtoS", 256),
            ("SDOT_VG4_M4Z4Z_BtoS", 512),
            ("ADD_VG2_M2Z_S", 32),
            ("SMLALL_MZZI_HtoD", 64),
        ] {
            let count = of_streaming(form).map(|operations| operations.count);
            assert_eq!(count, Some(expected), "{form}");
        }
        for moving in ["ADD_ZZZ_D", "MOVA_VG2_MXI2Z", "ZERO_M", "ADDHA_MPPZ_S"] {
            assert_eq!(of_streaming(moving), None, "{moving}");
        }
    }
}
