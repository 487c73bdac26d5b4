//! Products of matrices by the vendor's library, as jobs name them.

use serde::{Deserialize, Serialize};

/// D = alpha A B + beta C, all of N x N, in columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibraryProduct {
    /// Of which types.
    pub routine: Routine,
    /// Rows and columns.
    pub n: u32,
}

/// A routine, as rocBLAS's users call it: one letter for each of factors, result and what is computed in
/// (H half, S single, D double) where those are not one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Routine {
    /// All single.
    Sgemm,
    /// All double.
    Dgemm,
    /// All half.
    Hgemm,
    /// Half, computed in single.
    Hhs,
    /// Factors are half, all else is single.
    Hss,
}

/// The type of a number in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberType {
    /// IEEE half.
    F16,
    /// IEEE single.
    F32,
    /// IEEE double.
    F64,
}

impl NumberType {
    /// One in memory.
    #[must_use]
    pub fn one(self) -> Vec<u8> {
        match self {
            Self::F16 => 0x3c00_u16.to_le_bytes().to_vec(),
            Self::F32 => 1.0_f32.to_le_bytes().to_vec(),
            Self::F64 => 1.0_f64.to_le_bytes().to_vec(),
        }
    }
}

impl Routine {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Sgemm, Self::Dgemm, Self::Hgemm, Self::Hhs, Self::Hss];

    /// As papers write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sgemm => "SGEMM",
            Self::Dgemm => "DGEMM",
            Self::Hgemm => "HGEMM",
            Self::Hhs => "HHS",
            Self::Hss => "HSS",
        }
    }

    /// The types of factors, of C and D, and of what is computed in.
    #[must_use]
    pub fn types(self) -> [NumberType; 3] {
        use NumberType::{F16, F32, F64};
        match self {
            Self::Sgemm => [F32, F32, F32],
            Self::Dgemm => [F64, F64, F64],
            Self::Hgemm => [F16, F16, F16],
            Self::Hhs => [F16, F16, F32],
            Self::Hss => [F16, F32, F32],
        }
    }
}

/// What scales the product, and what is added: a tenth each, as in the paper, so that results stay in all types.
pub const SCALE: f64 = 0.1;

impl LibraryProduct {
    /// A and C of ones.
    #[must_use]
    pub fn ones(self, kind: NumberType) -> Vec<u8> {
        kind.one().repeat((self.n * self.n) as usize)
    }

    /// B: ones on the diagonal.
    #[must_use]
    pub fn identity(self, kind: NumberType) -> Vec<u8> {
        let (one, n) = (kind.one(), self.n as usize);
        let mut bytes = vec![0; n * n * one.len()];
        for row in 0..n {
            let at = (row * n + row) * one.len();
            bytes[at..at + one.len()].copy_from_slice(&one);
        }
        bytes
    }

    /// What every element of D is after so many products into the same matrix.
    #[must_use]
    pub fn expected(times: u32) -> f64 {
        (0..times).fold(1.0, |c, _| SCALE + SCALE * c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_hold_what_makes_the_result_known() {
        let product = LibraryProduct { routine: Routine::Hss, n: 3 };
        let [factor, result, _] = product.routine.types();
        assert_eq!(product.ones(result).len(), 36);
        let b = product.identity(factor);
        let numbers: Vec<u16> =
            b.as_chunks::<2>().0.iter().map(|it| u16::from_le_bytes(*it)).collect();
        let one = 0x3c00;
        assert_eq!(numbers, [one, 0, 0, 0, one, 0, 0, 0, one]);
        assert!((LibraryProduct::expected(1) - 0.2).abs() < 1e-12);
        assert!((LibraryProduct::expected(2) - 0.12).abs() < 1e-12);
    }
}
