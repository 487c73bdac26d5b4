//! Indices from tables, and tables by indices. Source: genlut.md.

use super::AmxGeneration;
use super::lanes::{BYTES, Vector, by_index};
use super::number::Element;

/// Where a lookup writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LookupTarget {
    X(usize),
    Y(usize),
    Z(usize),
}

/// Looks lanes up in a table, or finds where they belong in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lookup {
    pub from_y: bool,
    /// Bytes into the source's ring.
    pub offset: usize,
    pub table_is_y: bool,
    pub table: usize,
    pub target: LookupTarget,
    /// Bits of an index.
    pub bits: usize,
    pub element: Element,
    /// Makes indices; else takes lanes by them.
    pub generates: bool,
}

impl Lookup {
    pub fn of(operand: u64, generation: AmxGeneration) -> Self {
        let is_bf16 = operand >> 30 & 1 == 1 && generation >= AmxGeneration::M2;
        let halves = if is_bf16 { Element::Bf16 } else { Element::F16 };
        let unsigned = |bytes| Element::Integer { bytes, signed: false };
        let mode = operand >> 53 & 15;
        let (bits, element) = match mode {
            0 => (4, Element::F32),
            1 => (5, halves),
            2 => (4, Element::F64),
            3 => (4, Element::signed(4)),
            4 => (5, Element::signed(2)),
            5 => (4, unsigned(4)),
            6 => (5, unsigned(2)),
            7 => (2, unsigned(4)),
            8 => (2, unsigned(2)),
            9 => (2, unsigned(1)),
            10 => (4, unsigned(8)),
            11 => (4, unsigned(4)),
            12 => (4, unsigned(2)),
            13 => (4, unsigned(1)),
            14 => (5, unsigned(2)),
            _ => (5, unsigned(1)),
        };
        let generates = mode < 7;
        let register = (operand >> 20 & 7) as usize;
        let bit = |number: u32| operand >> number & 1 == 1;
        let target = match (bit(26) && !generates, bit(25)) {
            (true, _) => LookupTarget::Z((operand >> 20 & 63) as usize),
            (false, true) => LookupTarget::Y(register),
            (false, false) => LookupTarget::X(register),
        };
        Self {
            from_y: bit(10),
            offset: (operand & 511) as usize,
            table_is_y: bit(59),
            table: (operand >> 60 & 7) as usize,
            target,
            bits,
            element,
            generates,
        }
    }

    /// Bytes of the source.
    pub fn bytes(&self) -> usize {
        if self.generates { BYTES } else { self.bits * (BYTES / self.element.bytes()) / 8 }
    }

    /// What is written.
    pub fn result(&self, source: &Vector, table: &Vector) -> Vector {
        if !self.generates {
            return by_index(source, table, self.bits, self.element.bytes());
        }
        let lane = self.element.bytes();
        let mut out = [0; BYTES];
        for (number, value) in source.chunks(lane).enumerate() {
            let greater = table.chunks(lane).position(|entry| self.is_greater(entry, value));
            // One before the first that is greater; -1, all bits set, where none is or the first is.
            let index = greater.map_or(usize::MAX, |at| at.wrapping_sub(1));
            // Of eight lanes the high bit is never set.
            let index = index % (1 << self.bits).min(BYTES / lane);
            for bit in (0..self.bits).filter(|bit| index >> bit & 1 == 1) {
                let at = number * self.bits + bit;
                out[at / 8] |= 1 << (at % 8);
            }
        }
        out
    }

    fn is_greater(&self, a: &[u8], b: &[u8]) -> bool {
        if self.element.is_integer() {
            self.element.integer(a) > self.element.integer(b)
        } else {
            self.element.float(a) > self.element.float(b)
        }
    }
}
