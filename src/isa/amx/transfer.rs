//! Loads and stores. Source: ldst.md.

use super::AmxGeneration;
use super::AmxOperation;
use super::lanes::BYTES;

/// What is loaded or stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pool {
    X,
    Y,
    Z,
    /// A half of two rows, whose 32-bit lanes take turns.
    Halves,
}

/// A load or a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Transfer {
    pub pool: Pool,
    pub is_store: bool,
    /// Registers in the order of their bytes in memory; of a pair of rows the first, then 1 for the
    /// right half.
    pub registers: Vec<usize>,
    pub address: u64,
}

const REGISTER: u32 = 56;
const FOUR: u64 = 1 << 60;
const APART: u64 = 1 << 61;
const SEVERAL: u64 = 1 << 62;

impl Transfer {
    pub fn of(operation: AmxOperation, operand: u64, generation: AmxGeneration) -> Self {
        use AmxOperation as A;
        let (pool, is_store) = match operation {
            A::Ldx => (Pool::X, false),
            A::Ldy => (Pool::Y, false),
            A::Ldz => (Pool::Z, false),
            A::Ldzi => (Pool::Halves, false),
            A::Stx => (Pool::X, true),
            A::Sty => (Pool::Y, true),
            A::Stz => (Pool::Z, true),
            _ => (Pool::Halves, true),
        };
        let address = operand << 8 >> 8;
        let registers = registers(pool, is_store, operand, generation);
        Self { pool, is_store, registers, address }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        if self.pool == Pool::Halves { BYTES } else { self.registers.len() * BYTES }
    }

    /// What the address must be a multiple of, or the access faults. (Of four registers only accesses
    /// so aligned were ever tried.)
    pub fn alignment(&self) -> u64 {
        if self.bytes() > BYTES { 128 } else { 1 }
    }

    /// The places of 32-bit lanes of a pair of rows, as (row, byte), in the order of memory.
    pub fn halves(&self) -> impl Iterator<Item = (usize, usize)> {
        let [row, half] = [self.registers[0], self.registers[1]];
        (0..16).map(move |lane| (row + lane % 2, half * 32 + lane / 2 * 4))
    }
}

fn registers(pool: Pool, is_store: bool, operand: u64, generation: AmxGeneration) -> Vec<usize> {
    let number = (operand >> REGISTER) as usize;
    let count = match pool {
        Pool::Halves => return vec![(number % 64) & !1, number & 1],
        Pool::Z => 64,
        Pool::X | Pool::Y => 8,
    };
    let first = number % count;
    if operand & SEVERAL == 0 {
        return vec![first];
    }
    let loads_xy = !is_store && pool != Pool::Z;
    let is_four = operand & FOUR != 0;
    let is_apart = loads_xy && operand & APART != 0 && generation >= AmxGeneration::M3;
    let step = match (is_apart, is_four) {
        (true, true) => 2,
        (true, false) => 4,
        (false, _) => 1,
    };
    let loads_four = loads_xy && is_four && generation >= AmxGeneration::M2;
    let several = if loads_four { 4 } else { 2 };
    (0..several).map(|nth| (first + nth * step) % count).collect()
}
