//! How much instructions of AArch64 compute.

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
}
