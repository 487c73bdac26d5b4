//! Rows and columns of Z to X and Y, and between these. Source: extr_h.md, extr_v.md, extr_x.md,
//! extr_y.md.

use super::compute::{Clamping, Narrowing};
use super::float::{self, Exact};
use super::lanes::{BYTES, Enabled, Vector, select_bits};
use super::number::Element;
use super::{AmxGeneration, AmxOperation};

/// How lanes of Z become narrower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conversion {
    Copy,
    Integers(Narrowing),
    ToF16,
    ToBf16,
}

/// Rows or columns of Z, written to X or Y.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extract {
    /// Columns of lanes; else rows.
    pub is_column: bool,
    pub to_y: bool,
    /// Bytes into the target's ring.
    pub offset: usize,
    /// The row; of columns the byte whose lane is taken, with the row within each cell as its low bits.
    pub row: usize,
    /// Rows from one vector to the next.
    pub row_step: usize,
    pub z: Element,
    /// Bytes of the target's lanes.
    pub lane: usize,
    /// Rows between the lanes of Z that become neighbours, where the target's lanes are narrower.
    pub stride: usize,
    pub enabled: Enabled,
    pub conversion: Conversion,
    pub writes_zero: bool,
}

/// A register of X to one of Y, or the other way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CopyBetween {
    pub to_y: bool,
    pub source: usize,
    pub target: usize,
}

const GENERAL: u64 = 1 << 26;
const BETWEEN: u64 = 1 << 27;
const SEVERAL: u64 = 1 << 31;
const BF16: u64 = 1 << 62;

/// Which of the two it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extraction {
    Z(Extract),
    Between(CopyBetween),
}

impl Extraction {
    pub fn of(operation: AmxOperation, operand: u64, generation: AmxGeneration) -> Self {
        let is_column = operation == AmxOperation::Extry;
        if operand & GENERAL != 0 {
            return Self::Z(general(is_column, operand, generation));
        }
        if operand & BETWEEN == 0 {
            return Self::Z(short(is_column, operand));
        }
        let target = if is_column { operand >> 6 } else { operand >> 16 };
        Self::Between(CopyBetween {
            to_y: is_column,
            source: (operand >> 20 & 7) as usize,
            target: (target & 7) as usize,
        })
    }
}

fn short(is_column: bool, operand: u64) -> Extract {
    let width = operand >> 28 & 3;
    let lane = if width == 3 { 2 } else { 8 >> width };
    let (offset, enable) = if is_column { (0, 32) } else { (10, 41) };
    let enabled = Enabled::by_mode(operand >> (enable + 5) & 3, operand >> enable & 31, lane);
    let high_bytes = if width == 3 { Enabled::LOW_BYTES } else { Enabled::ALL };
    Extract {
        is_column,
        to_y: is_column,
        offset: (operand >> offset & 511) as usize,
        row: (operand >> 20 & 63) as usize,
        row_step: BYTES,
        z: Element::signed(lane),
        lane,
        stride: 0,
        enabled: Enabled(enabled.0 & high_bytes.0),
        conversion: Conversion::Copy,
        writes_zero: false,
    }
}

fn general(is_column: bool, operand: u64, generation: AmxGeneration) -> Extract {
    let is_floating = operand >> 63 == 1;
    let width = operand >> 11 & 15;
    let narrows_floats = generation >= AmxGeneration::M2;
    // The target's lanes, Z's, and the stride.
    let (lane, z, stride) = match (is_floating, width) {
        (false, 0) => (1, 1, 0),
        (_, 8) => (4, 4, 0),
        (false, 9) => (2, 4, 1),
        (false, 10) => (2, 4, 2),
        (false, 11) => (1, 4, 1),
        (false, 13) => (1, 2, 1),
        (true, 1) => (8, 8, 0),
        (true, 9) if narrows_floats => (2, 4, 1),
        (true, 10) if narrows_floats => (2, 4, 2),
        _ => (2, 2, 0),
    };
    let is_several = operand & SEVERAL != 0 && generation >= AmxGeneration::M2;
    let row = (operand >> 20 & 63) as usize;
    let row_step = match (is_several, row & 32 != 0) {
        (false, _) => BYTES,
        (true, false) => 32,
        (true, true) => 16,
    };
    let (mode, value) = (operand >> 38 & 7, operand >> 32 & 63);
    let (mode, value) = if is_several { (0, 0) } else { (mode, value) };
    let offset = (operand & 511) as usize;
    let is_aligned = is_several && generation >= AmxGeneration::M4;
    let narrowing = narrowing(operand, 8 * lane as u32);
    Extract {
        is_column,
        to_y: operand >> 10 & 1 == 1,
        offset: if is_aligned { offset / BYTES * BYTES } else { offset },
        row,
        row_step,
        z: Element::Integer { bytes: z, signed: operand >> 57 & 1 == 1 },
        lane,
        stride,
        enabled: Enabled::by_wide_mode(mode, value, lane),
        conversion: match (stride, is_floating) {
            (0, _) => Conversion::Copy,
            (_, false) => Conversion::Integers(narrowing),
            (_, true) if operand & BF16 != 0 => Conversion::ToBf16,
            (_, true) => Conversion::ToF16,
        },
        writes_zero: (mode, value) == (0, 3),
    }
}

fn narrowing(operand: u64, bits: u32) -> Narrowing {
    let bit = |number: u32| operand >> number & 1 == 1;
    let clamping = Clamping { bits, from_signed: bit(57), to_signed: bit(56) };
    Narrowing {
        shift: (operand >> 58 & 31) as u32,
        rounds: bit(54),
        clamping: bit(55).then_some(clamping),
    }
}

impl Extract {
    pub fn vectors(&self) -> usize {
        BYTES / self.row_step
    }

    /// The lane of Z for a byte of one of the vectors, as (row, byte).
    pub fn source(&self, vector: usize, at: usize) -> (usize, usize) {
        let z = self.z.bytes();
        let first = self.row % self.row_step + vector * self.row_step;
        let beside = at % z / self.lane * self.stride;
        if self.is_column {
            (select_bits(at, first + beside, z - 1), first / z * z)
        } else {
            (select_bits(first, first + beside, z - 1), at / z * z)
        }
    }

    /// One of the vectors that are written, of which only the enabled bytes count.
    pub fn vector(&self, rows: &[Vector; BYTES], number: usize) -> Vector {
        let mut out = [0; BYTES];
        if self.writes_zero {
            return out;
        }
        for at in (0..BYTES).step_by(self.lane) {
            let (row, byte) = self.source(number, at);
            let bits = self.converted(&rows[row][byte..]);
            out[at..at + self.lane].copy_from_slice(&bits.to_le_bytes()[..self.lane]);
        }
        out
    }

    fn converted(&self, bytes: &[u8]) -> u64 {
        let single = || Exact(Element::F32.float(bytes));
        match self.conversion {
            Conversion::Copy => self.z.integer(bytes) as u64,
            Conversion::Integers(narrowing) => narrowing.of(self.z.integer(bytes)) as u64,
            Conversion::ToF16 => float::to_f16(single()),
            Conversion::ToBf16 => float::to_bf16(single()),
        }
    }
}
