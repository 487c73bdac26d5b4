//! Numbers as lanes hold them.

use super::float;

/// The kind of numbers in lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    F16,
    Bf16,
    F32,
    F64,
    Integer { bytes: usize, signed: bool },
}

impl Element {
    pub const fn signed(bytes: usize) -> Self {
        Self::Integer { bytes, signed: true }
    }

    pub fn bytes(self) -> usize {
        match self {
            Self::F16 | Self::Bf16 => 2,
            Self::F32 => 4,
            Self::F64 => 8,
            Self::Integer { bytes, .. } => bytes,
        }
    }

    pub fn is_integer(self) -> bool {
        matches!(self, Self::Integer { .. })
    }

    /// The floating-point number at the beginning of some bytes; every format but F64's own is exact
    /// in an `f64`.
    pub fn float(self, bytes: &[u8]) -> f64 {
        let bits = self.bits(bytes);
        match self {
            Self::F16 => half::f16::from_bits(bits as u16).to_f64(),
            Self::Bf16 => half::bf16::from_bits(bits as u16).to_f64(),
            Self::F32 => f32::from_bits(bits as u32).into(),
            Self::F64 => f64::from_bits(bits),
            Self::Integer { .. } => self.integer(bytes) as f64,
        }
    }

    /// The integer at the beginning of some bytes.
    pub fn integer(self, bytes: &[u8]) -> i64 {
        let unused = 64 - 8 * self.bytes() as u32;
        let bits = self.bits(bytes);
        match self {
            Self::Integer { signed: true, .. } => (bits << unused) as i64 >> unused,
            _ => bits as i64,
        }
    }

    fn bits(self, bytes: &[u8]) -> u64 {
        let own = &bytes[..self.bytes()];
        own.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
    }

    /// A floating-point number, rounded once to the format: its bits.
    pub fn rounded(self, value: float::Exact) -> u64 {
        match self {
            Self::F16 => float::to_f16(value),
            Self::Bf16 => float::to_bf16(value),
            Self::F32 => float::to_f32(value),
            Self::F64 => float::to_f64(value),
            Self::Integer { .. } => value.0 as i64 as u64,
        }
    }
}
