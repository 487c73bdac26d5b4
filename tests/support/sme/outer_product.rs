//! Outer products, computed plainly: of each row and column the sum over what lies in both elements.

use super::memory_image::Image;

/// What elements of the sources are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Element {
    Half,
    Brain,
    Single,
    Double,
    Signed(usize),
    Unsigned(usize),
}

/// An outer product as the Arm ARM describes it.
pub struct OuterProduct {
    /// LLVM's name.
    pub name: String,
    /// Bytes of an element of the tile.
    tile: usize,
    rows: Element,
    columns: Element,
    subtracts: bool,
}

impl Element {
    fn bytes(self) -> usize {
        match self {
            Self::Half | Self::Brain => 2,
            Self::Single => 4,
            Self::Double => 8,
            Self::Signed(bytes) | Self::Unsigned(bytes) => bytes,
        }
    }

    fn is_integer(self) -> bool {
        matches!(self, Self::Signed(_) | Self::Unsigned(_))
    }

    fn value(self, bytes: &[u8]) -> f64 {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let number = u64::from_le_bytes(wide);
        match self {
            Self::Half => half(number as u16),
            Self::Brain => f64::from(f32::from_bits((number as u32) << 16)),
            Self::Single => f64::from(f32::from_bits(number as u32)),
            Self::Double => f64::from_bits(number),
            Self::Unsigned(_) => number as f64,
            Self::Signed(bytes) => {
                let unused = 64 - 8 * bytes as u32;
                (((number << unused) as i64) >> unused) as f64
            }
        }
    }
}

/// A normal number of 16 bits.
fn half(bits: u16) -> f64 {
    let (sign, exponent, fraction) = (bits >> 15, bits >> 10 & 0x1f, bits & 0x3ff);
    let size = (1.0 + f64::from(fraction) / 1024.0) * 2_f64.powi(i32::from(exponent) - 15);
    if sign == 1 { -size } else { size }
}

impl OuterProduct {
    /// All that SME's first version has and Apple's M4, too.
    pub fn all() -> Vec<Self> {
        use Element::{Brain, Double, Half, Signed, Single, Unsigned};
        let rows: &[(&str, &str, usize, Element, Element)] = &[
            ("FMOP", "_MPPZZ_S", 4, Single, Single),
            ("FMOP", "_MPPZZ_D", 8, Double, Double),
            ("FMOP", "L_MPPZZ", 4, Half, Half),
            ("BFMOP", "_MPPZZ", 4, Brain, Brain),
            ("SMOP", "_MPPZZ_S", 4, Signed(1), Signed(1)),
            ("UMOP", "_MPPZZ_S", 4, Unsigned(1), Unsigned(1)),
            ("SUMOP", "_MPPZZ_S", 4, Signed(1), Unsigned(1)),
            ("USMOP", "_MPPZZ_S", 4, Unsigned(1), Signed(1)),
            ("SMOP", "_MPPZZ_D", 8, Signed(2), Signed(2)),
            ("UMOP", "_MPPZZ_D", 8, Unsigned(2), Unsigned(2)),
            ("SUMOP", "_MPPZZ_D", 8, Signed(2), Unsigned(2)),
            ("USMOP", "_MPPZZ_D", 8, Unsigned(2), Signed(2)),
        ];
        let both = rows.iter().flat_map(|&(stem, rest, tile, rows, columns)| {
            [('A', false), ('S', true)].map(|(sign, subtracts)| {
                let name = format!("{stem}{sign}{rest}");
                Self { name, tile, rows, columns, subtracts }
            })
        });
        both.collect()
    }

    /// How many tiles there are.
    pub fn tiles(&self) -> usize {
        self.tile
    }

    /// Rows of a tile, and columns.
    pub fn rows(&self) -> usize {
        64 / self.tile
    }

    /// Adds the product of two vectors to a tile.
    pub fn add(&self, tile: usize, rows: &[u8], columns: &[u8], za: &mut [f64]) {
        let parts = self.tile / self.rows.bytes();
        let side = self.rows();
        for row in 0..side {
            for column in 0..side {
                let sum: f64 = (0..parts)
                    .map(|part| {
                        let at = |element: Element, vector: &[u8], index: usize| {
                            let from = (index * parts + part) * element.bytes();
                            element.value(&vector[from..from + element.bytes()])
                        };
                        at(self.rows, rows, row) * at(self.columns, columns, column)
                    })
                    .sum();
                let sum = if self.subtracts { -sum } else { sum };
                za[(tile * side + row) * side + column] += sum;
            }
        }
    }

    /// Compares all tiles with an image: row `r` of tile `t` is the vector `r * tiles + t` of ZA.
    pub fn compare(&self, expected: &[f64], image: &Image) {
        let (side, tiles) = (self.rows(), self.tiles());
        for (index, &expected) in expected.iter().enumerate() {
            let (tile, row, column) = (index / (side * side), index / side % side, index % side);
            let vector = image.of_za(row * tiles + tile);
            let bytes = &vector[column * self.tile..][..self.tile];
            let element = match (self.rows.is_integer(), self.tile) {
                (true, bytes) => Element::Signed(bytes),
                (false, 4) => Element::Single,
                (false, _) => Element::Double,
            };
            let found = element.value(bytes);
            // Sums of 32 bits are rounded on the way.
            let allowed = if self.rows.is_integer() { 0.0 } else { 1e-5 * expected.abs() };
            assert!(
                (found - expected).abs() <= allowed,
                "{} tile {tile} row {row} column {column}: {found} and not {expected}",
                self.name
            );
        }
    }
}
