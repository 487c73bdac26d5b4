//! What an instruction reads and writes.

use std::ops::BitOrAssign;

use super::compute::Compute;
use super::extract::{CopyBetween, Extract, Extraction};
use super::lanes::BYTES;
use super::lookup::{Lookup, LookupTarget};
use super::meaning::Action;
use super::transfer::{Pool, Transfer};
use super::{AmxGeneration, AmxOperation, Meaning};

/// Registers of X and Y and rows of Z that an instruction reads and writes, a bit each, and bytes of
/// memory. What is written in part only is read, too: the rest stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effects {
    /// Registers of X that are read.
    pub x_read: u8,
    /// Registers of X that are written.
    pub x_written: u8,
    /// Registers of Y that are read.
    pub y_read: u8,
    /// Registers of Y that are written.
    pub y_written: u8,
    /// Rows of Z that are read.
    pub z_read: u64,
    /// Rows of Z that are written.
    pub z_written: u64,
    /// Bytes that are loaded from memory.
    pub loaded: usize,
    /// Bytes that are stored to memory.
    pub stored: usize,
}

impl BitOrAssign for Effects {
    fn bitor_assign(&mut self, other: Self) {
        self.x_read |= other.x_read;
        self.x_written |= other.x_written;
        self.y_read |= other.y_read;
        self.y_written |= other.y_written;
        self.z_read |= other.z_read;
        self.z_written |= other.z_written;
        self.loaded += other.loaded;
        self.stored += other.stored;
    }
}

impl Effects {
    /// The effects of an operation with an operand.
    #[must_use]
    pub fn of(operation: AmxOperation, operand: u64, generation: AmxGeneration) -> Self {
        match Meaning::of(operation, operand, generation).0 {
            Action::Nothing => Self::default(),
            Action::Switch => Self {
                x_written: u8::MAX,
                y_written: u8::MAX,
                z_written: u64::MAX,
                ..Self::default()
            },
            Action::Transfer(transfer) => Self::of_transfer(&transfer),
            Action::Compute(compute) => Self::of_compute(&compute),
            Action::Extraction(Extraction::Z(extract)) => Self::of_extract(&extract),
            Action::Extraction(Extraction::Between(copy)) => Self::of_copy(copy),
            Action::Lookup(lookup) => Self::of_lookup(&lookup),
        }
    }

    /// Whether something that `earlier` writes is read.
    #[must_use]
    pub fn depends_on(&self, earlier: &Self) -> bool {
        self.x_read & earlier.x_written != 0
            || self.y_read & earlier.y_written != 0
            || self.z_read & earlier.z_written != 0
    }

    fn of_transfer(transfer: &Transfer) -> Self {
        let rows = || transfer.registers.iter().fold(0u64, |rows, row| rows | 1 << row);
        let registers = || rows() as u8;
        let halves = || 3u64 << transfer.registers[0];
        let bytes = transfer.bytes();
        let memory = if transfer.is_store {
            Self { stored: bytes, ..Self::default() }
        } else {
            Self { loaded: bytes, ..Self::default() }
        };
        match (transfer.pool, transfer.is_store) {
            (Pool::X, false) => Self { x_written: registers(), ..memory },
            (Pool::X, true) => Self { x_read: registers(), ..memory },
            (Pool::Y, false) => Self { y_written: registers(), ..memory },
            (Pool::Y, true) => Self { y_read: registers(), ..memory },
            (Pool::Z, false) => Self { z_written: rows(), ..memory },
            (Pool::Z, true) => Self { z_read: rows(), ..memory },
            (Pool::Halves, false) => Self { z_written: halves(), z_read: halves(), ..memory },
            (Pool::Halves, true) => Self { z_read: halves(), ..memory },
        }
    }

    fn of_compute(compute: &Compute) -> Self {
        let mut written = [0u64; BYTES];
        let lane = u64::MAX >> (BYTES - compute.z.bytes());
        for cell in compute.cells() {
            written[cell.row] |= lane << cell.byte;
        }
        let rows = |is_of: fn(u64) -> bool| {
            let rows = (0..BYTES).filter(|&row| is_of(written[row]));
            rows.fold(0, |mask, row| mask | 1u64 << row)
        };
        let z_written = rows(|bytes| bytes != 0);
        let partly = rows(|bytes| bytes != 0 && bytes != u64::MAX);
        if z_written == 0 {
            return Self::default();
        }
        let vectors = compute.vectors();
        Self {
            x_read: if compute.uses_x() { compute.x.registers(vectors) } else { 0 },
            y_read: if compute.uses_y() { compute.y.registers(vectors) } else { 0 },
            z_read: if compute.uses_z() { z_written } else { partly },
            z_written,
            ..Self::default()
        }
    }

    fn of_extract(extract: &Extract) -> Self {
        let mut out = Self::default();
        for vector in 0..extract.vectors() {
            let first = extract.offset + vector * BYTES;
            let (written, partly) = ring_bytes(first, extract.enabled.0);
            out |= Self::of_target(extract.to_y, written, partly);
            let enabled = (0..BYTES).step_by(extract.lane).filter(|&at| extract.enabled.has(at));
            if !extract.writes_zero {
                out.z_read |= enabled.fold(0, |rows, at| rows | 1 << extract.source(vector, at).0);
            }
        }
        out
    }

    fn of_target(is_y: bool, written: u8, partly: u8) -> Self {
        if is_y {
            Self { y_written: written, y_read: partly, ..Self::default() }
        } else {
            Self { x_written: written, x_read: partly, ..Self::default() }
        }
    }

    fn of_copy(copy: CopyBetween) -> Self {
        let (source, target) = (1 << copy.source, 1 << copy.target);
        if copy.to_y {
            Self { x_read: source, y_written: target, ..Self::default() }
        } else {
            Self { y_read: source, x_written: target, ..Self::default() }
        }
    }

    fn of_lookup(lookup: &Lookup) -> Self {
        let bits = u64::MAX >> (BYTES - lookup.bytes());
        let (source, _) = ring_bytes(lookup.offset, bits);
        let mut out = match lookup.target {
            LookupTarget::X(register) => Self { x_written: 1 << register, ..Self::default() },
            LookupTarget::Y(register) => Self { y_written: 1 << register, ..Self::default() },
            LookupTarget::Z(row) => Self { z_written: 1 << row, ..Self::default() },
        };
        *(if lookup.from_y { &mut out.y_read } else { &mut out.x_read }) |= source;
        *(if lookup.table_is_y { &mut out.y_read } else { &mut out.x_read }) |= 1 << lookup.table;
        out
    }
}

/// The registers that some of 64 bytes of a ring are in, and those of which others are left out.
fn ring_bytes(first: usize, bytes: u64) -> (u8, u8) {
    let mut masks = [0u64; 8];
    for at in (0..BYTES).filter(|at| bytes >> at & 1 == 1) {
        let byte = first + at;
        masks[byte / BYTES % 8] |= 1 << (byte % BYTES);
    }
    let registers = |is_of: fn(u64) -> bool| {
        let those = (0..8).filter(|&register| is_of(masks[register]));
        those.fold(0u8, |mask, register| mask | 1 << register)
    };
    (registers(|mask| mask != 0), registers(|mask| mask != 0 && mask != u64::MAX))
}
