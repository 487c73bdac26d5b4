//! How much of a matrix product a library can do on matrix units.
//!
//! Source: the AMD matrix core paper (seed 004), its section on rocBLAS. Of `D = alpha A B + beta C` with
//! matrices of N x N the product is 2 N^3 operations, which matrix units can do, and scaling and adding is
//! 3 N^2, which they cannot. (The paper says HGEMM once where DGEMM must be meant.)

/// A routine of the library, and from which N on it uses matrix units; `None`: never.
pub const ROUTINES: [(&str, Option<u64>); 5] = [
    ("SGEMM", Some(32)),
    ("DGEMM", Some(32)),
    ("HHS", Some(32)),
    ("HSS", Some(32)),
    ("HGEMM", None),
];

/// Operations of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProductOperations {
    /// On matrix units.
    pub matrix: u64,
    /// On vector units.
    pub vector: u64,
}

/// The operations of a routine for matrices of N x N; all are on vector units where it does not use others.
#[must_use]
pub fn operations(n: u64, from: Option<u64>) -> ProductOperations {
    let (product, rest) = (2 * n.pow(3), 3 * n.pow(2));
    match from {
        Some(from) if n >= from => ProductOperations { matrix: product, vector: rest },
        _ => ProductOperations { matrix: 0, vector: product + rest },
    }
}

impl ProductOperations {
    /// The share of matrix units.
    #[must_use]
    pub fn share(self) -> f64 {
        self.matrix as f64 / (self.matrix + self.vector) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_grows_with_two_thirds_of_n() {
        let of = operations(96, Some(32));
        assert_eq!(of.matrix / of.vector, 2 * 96 / 3);
        assert!(operations(16, Some(32)).share() < f64::EPSILON);
        assert!(operations(1024, Some(32)).share() > 0.998);
        assert_eq!(operations(64, None).matrix, 0);
    }
}
