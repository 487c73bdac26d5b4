//! Forms of matrix instructions: which operands they have, and how much they compute.

use std::fmt;

/// What an operand of a matrix instruction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatrixOperand {
    /// The result.
    D,
    /// The left factor.
    A,
    /// The right factor.
    B,
    /// What is added.
    C,
    /// Where the elements of a sparse left factor stand.
    Index,
    /// The scales of blocks of the left factor.
    ScaleA,
    /// The scales of blocks of the right factor.
    ScaleB,
}

/// As the field writes it.
impl fmt::Display for MatrixOperand {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::D => "D",
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::Index => "index",
            Self::ScaleA => "scale of A",
            Self::ScaleB => "scale of B",
        })
    }
}

/// Which result of the instruction before is which operand of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChainLink {
    /// D becomes C: the accumulator.
    Addend,
    /// D becomes A.
    Left,
    /// D becomes B.
    Right,
}

impl ChainLink {
    /// The operand that D becomes.
    #[must_use]
    pub fn role(self) -> MatrixOperand {
        match self {
            Self::Addend => MatrixOperand::C,
            Self::Left => MatrixOperand::A,
            Self::Right => MatrixOperand::B,
        }
    }
}

/// What one kernel of a form finds out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GpuExperiment {
    /// How long after an operand the result is there: one chain.
    Latency(ChainLink),
    /// How often the instruction can be issued: so many chains side by side.
    Throughput(u32),
}

impl GpuExperiment {
    /// The experiments that are made of every form, as far as it allows: the paper's chain through the
    /// accumulator, the other two edges, and independent chains.
    pub const ALL: [Self; 7] = [
        Self::Latency(ChainLink::Addend),
        Self::Latency(ChainLink::Left),
        Self::Latency(ChainLink::Right),
        Self::Throughput(1),
        Self::Throughput(2),
        Self::Throughput(4),
        Self::Throughput(8),
    ];

    /// In a symbol of a kernel.
    #[must_use]
    pub fn word(self) -> String {
        match self {
            Self::Latency(ChainLink::Addend) => "latency_c".to_owned(),
            Self::Latency(ChainLink::Left) => "latency_a".to_owned(),
            Self::Latency(ChainLink::Right) => "latency_b".to_owned(),
            Self::Throughput(chains) => format!("chains_{chains}"),
        }
    }
}

/// How large the matrices of an instruction are: D is m x n, A m x k, B k x n, in `blocks` products.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatrixShape {
    /// Rows of D.
    pub m: u32,
    /// Columns of D.
    pub n: u32,
    /// Elements that are multiplied for one of D.
    pub k: u32,
    /// Products side by side.
    pub blocks: u32,
}

impl MatrixShape {
    /// Operations of one instruction: a multiplication and an addition for each product of elements.
    #[must_use]
    pub fn operations(&self) -> u64 {
        2 * u64::from(self.m) * u64::from(self.n) * u64::from(self.k) * u64::from(self.blocks)
    }

    /// The shape that a text begins with, `32x32x8f16`, and what stands behind it.
    #[must_use]
    pub fn read(text: &str) -> Option<(Self, &str)> {
        let (m, rest) = number(text)?;
        let (n, rest) = number(rest.strip_prefix('x')?)?;
        let (k, rest) = number(rest.strip_prefix('x')?)?;
        Some((Self { m, n, k, blocks: 1 }, rest))
    }
}

fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

impl fmt::Display for MatrixShape {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}x{}", self.m, self.n, self.k)?;
        if self.blocks > 1 { write!(out, " in {} blocks", self.blocks) } else { Ok(()) }
    }
}

/// The type of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatrixElement {
    /// IEEE double.
    F64,
    /// IEEE single, or what is multiplied with fewer bits of it and stands in as many.
    F32,
    /// IEEE half.
    F16,
    /// The upper half of a single.
    Bf16,
    /// Eight bits, four of them the exponent.
    F8E4,
    /// Eight bits, five of them the exponent.
    F8E5,
    /// Six bits, two of them the exponent.
    F6E2,
    /// Six bits, three of them the exponent.
    F6E3,
    /// Four bits, two of them the exponent.
    F4,
    /// An integer of 32 bits.
    I32,
    /// An integer of 8 bits.
    I8,
    /// An integer of 4 bits.
    I4,
    /// A bit.
    B1,
}

impl MatrixElement {
    /// How wide it is.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Self::F64 => 64,
            Self::F32 | Self::I32 => 32,
            Self::F16 | Self::Bf16 => 16,
            Self::F8E4 | Self::F8E5 | Self::I8 => 8,
            Self::F6E2 | Self::F6E3 => 6,
            Self::F4 | Self::I4 => 4,
            Self::B1 => 1,
        }
    }

    /// One, as its bits; with `fnuz` in the formats of 8 bits that have no negative zero.
    #[must_use]
    pub fn one(self, fnuz: bool) -> u64 {
        match self {
            Self::F64 => 1.0_f64.to_bits(),
            Self::F32 => 1.0_f32.to_bits().into(),
            Self::F16 => 0x3c00,
            Self::Bf16 => 0x3f80,
            Self::F8E4 | Self::F8E5 if fnuz => 0x40,
            Self::F8E4 => 0x38,
            Self::F8E5 => 0x3c,
            Self::F6E2 => 0x08,
            Self::F6E3 => 0x0c,
            Self::F4 => 0x02,
            Self::I32 | Self::I8 | Self::I4 | Self::B1 => 1,
        }
    }

    /// The number that bits are, where it can be told that a sum is exact: up to which it is, and itself.
    #[must_use]
    pub fn sum(self, bits: u64) -> Option<(f64, f64)> {
        let low = bits as u32;
        Some(match self {
            Self::F64 => (9.0e15, f64::from_bits(bits)),
            Self::F32 => (16_777_216.0, f32::from_bits(low).into()),
            Self::F16 => (2048.0, half::f16::from_bits(low as u16).into()),
            Self::Bf16 => (256.0, half::bf16::from_bits(low as u16).into()),
            Self::I32 => (2.0e9, f64::from(low.cast_signed())),
            _ => return None,
        })
    }

    /// Bits that may be anything while the others are those of one: the number stays between one and two.
    #[must_use]
    pub fn free_bits(self) -> u64 {
        match self {
            Self::F64 => (1 << 52) - 1,
            Self::F32 => (1 << 23) - 1,
            Self::F16 => 0x03ff,
            Self::Bf16 => 0x007f,
            Self::F8E4 | Self::F6E2 => 0x07,
            Self::F8E5 | Self::F6E3 => 0x03,
            Self::F4 => 0x01,
            Self::I32 => u32::MAX.into(),
            Self::I8 => 0xff,
            Self::I4 => 0x0f,
            Self::B1 => 1,
        }
    }

    /// So many words of 32 bits, filled with the same element over and over.
    #[must_use]
    pub fn words(self, element: u64, count: u32) -> Vec<u32> {
        let width = self.bits();
        let bit = |at: u32| (element >> (at % width)) & 1;
        let word =
            |index: u32| (0..32).fold(0, |word, at| word | (bit(32 * index + at) as u32) << at);
        (0..count).map(word).collect()
    }
}

/// What stands in the factors while an instruction is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Data {
    /// Ones, whose sums are known.
    #[default]
    Ones,
    /// Zeros, which toggle nothing.
    Zeros,
    /// Numbers between one and two, another one in each lane.
    Random,
}

impl Data {
    /// As the command line and databases name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ones => "ones",
            Self::Zeros => "zeros",
            Self::Random => "random",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_are_ones_in_every_format() {
        assert_eq!(MatrixElement::F16.words(0x3c00, 1), [0x3c00_3c00]);
        assert_eq!(MatrixElement::F64.words(1.0_f64.to_bits(), 2), [0, 0x3ff0_0000]);
        // Sixteen numbers of six bits in three words.
        let sixes = MatrixElement::F6E2.words(MatrixElement::F6E2.one(false), 3);
        let all = sixes.iter().rev().fold(0_u128, |all, &word| all << 32 | u128::from(word));
        assert!((0..16).all(|at| all >> (6 * at) & 0x3f == 0x08), "{all:x}");
    }

    #[test]
    fn shapes_are_read_with_what_follows_them() {
        let (shape, rest) = MatrixShape::read("32x32x8f16").unwrap();
        assert_eq!((shape.operations(), rest), (2 * 32 * 32 * 8, "f16"));
        assert_eq!(MatrixShape::read("4x4x1").map(|(shape, rest)| (shape.k, rest)), Some((1, "")));
        assert!(MatrixShape::read("f32").is_none());
    }
}
