//! A core of A64, as far as kernels need one: integers, branches, loads and stores, and the unit. Encodings:
//! Arm Architecture Reference Manual for A-profile, C4.1.

use super::memory::EmulatedMemory;
use crate::device::Fault;
use crate::isa::AmxGeneration;
use crate::isa::amx::{AmxFault, AmxState, AmxWord};

/// The number that means SP in some places and zero in others.
const LAST: usize = 31;
/// Where a function returns to that nobody called: no instruction lies there.
const END: u64 = 4;
/// A function that has executed so many instructions goes on for ever.
const MOST: u64 = 10_000_000;

/// Registers, and the unit.
pub(super) struct EmulatedCore {
    /// X0 to X30, and SP.
    x: [u64; 32],
    /// V0 to V31.
    v: [[u8; 16]; 32],
    /// N, Z, C and V.
    flags: [bool; 4],
    /// FPCR, the one system register that kernels write.
    control: u64,
    unit: AmxState,
}

/// An instruction's fields.
#[derive(Clone, Copy)]
struct A64Word(u32);

impl A64Word {
    fn field(self, low: u32, bits: u32) -> u32 {
        self.0 >> low & ((1 << bits) - 1)
    }

    fn bit(self, at: u32) -> bool {
        self.field(at, 1) == 1
    }

    fn register(self, low: u32) -> usize {
        self.field(low, 5) as usize
    }

    /// A signed field.
    fn signed(self, low: u32, bits: u32) -> i64 {
        let above = 64 - bits;
        (i64::from(self.field(low, bits)) << above) >> above
    }

    fn is(self, mask: u32, bits: u32) -> bool {
        self.0 & mask == bits
    }
}

/// Where the next instruction is.
enum NextPlace {
    Behind,
    At(u64),
}

impl EmulatedCore {
    pub fn new(generation: AmxGeneration) -> Self {
        Self {
            x: [0; 32],
            v: [[0; 16]; 32],
            flags: [false; 4],
            control: 0,
            unit: AmxState::new(generation),
        }
    }

    /// Calls a function with a number, and says what it returned with or why it did not.
    pub fn call(
        mut self,
        entry: u64,
        number: u64,
        memory: &mut EmulatedMemory,
    ) -> Result<(), Fault> {
        // Contents that nobody has by chance, to see what is kept.
        for (register, contents) in (0..).zip(&mut self.x) {
            *contents = 0xabcd_0000 + register;
        }
        let before = self.x;
        (self.x[0], self.x[30], self.x[LAST]) = (number, END, memory.stack());
        let mut at = entry;
        for _ in 0..MOST {
            if at == END {
                return self.check(&before, memory.stack());
            }
            let word = u32::from_le_bytes(memory.read(at)?);
            at = match self.step(A64Word(word), at, memory)? {
                NextPlace::Behind => at + 4,
                NextPlace::At(target) => target,
            };
        }
        Err(Fault::TimedOut)
    }

    /// What a function must leave as it was (Procedure Call Standard for the Arm 64-bit Architecture, 6.1),
    /// and a unit that is off.
    fn check(&self, before: &[u64; 32], stack: u64) -> Result<(), Fault> {
        if self.x[LAST] != stack {
            return Err(Fault::ClobberedStackPointer);
        }
        if self.x[19..30] != before[19..30] || self.x[18] != before[18] {
            return Err(Fault::ClobberedRegister);
        }
        if self.unit.is_on || self.control != 0 {
            return Err(Fault::DirtyFloatingPoint);
        }
        Ok(())
    }

    fn step(
        &mut self,
        word: A64Word,
        at: u64,
        memory: &mut EmulatedMemory,
    ) -> Result<NextPlace, Fault> {
        if let Some(own) = AmxWord::decode(word.0) {
            let operand = self.get(usize::from(own.register));
            self.unit.execute(own, operand, memory).map_err(|fault| match fault {
                AmxFault::Off | AmxFault::On => Fault::IllegalInstruction,
                AmxFault::Misaligned { .. } => Fault::BusError,
                AmxFault::Unmapped(_) => Fault::SegmentationFault,
            })?;
            return Ok(NextPlace::Behind);
        }
        if let Some(target) = self.branch(word, at) {
            return Ok(target);
        }
        if word.is(0xffe0_001f, 0xd420_0000) {
            return Err(Fault::Trap);
        }
        let is_known = self.compute(word, at) || self.access(word, memory)?;
        if is_known { Ok(NextPlace::Behind) } else { Err(Fault::IllegalInstruction) }
    }

    /// A register that is zero if it is the last.
    fn get(&self, register: usize) -> u64 {
        if register == LAST { 0 } else { self.x[register] }
    }

    fn set(&mut self, register: usize, is_wide: bool, value: u64) {
        if register != LAST {
            self.x[register] = if is_wide { value } else { value & u64::from(u32::MAX) };
        }
    }

    fn branch(&mut self, word: A64Word, at: u64) -> Option<NextPlace> {
        let to = |offset: i64| NextPlace::At(at.wrapping_add_signed(4 * offset));
        let taken =
            |is_taken: bool, offset: i64| if is_taken { to(offset) } else { NextPlace::Behind };
        Some(match word.0 {
            _ if word.is(0xfc00_0000, 0x1400_0000) => to(word.signed(0, 26)),
            _ if word.is(0xfc00_0000, 0x9400_0000) => {
                self.x[30] = at + 4;
                to(word.signed(0, 26))
            }
            _ if word.is(0xff00_0010, 0x5400_0000) => {
                taken(self.holds(word.field(0, 4)), word.signed(5, 19))
            }
            _ if word.is(0x7e00_0000, 0x3400_0000) => {
                let mask = if word.bit(31) { u64::MAX } else { u32::MAX.into() };
                let is_zero = self.get(word.register(0)) & mask == 0;
                taken(is_zero != word.bit(24), word.signed(5, 19))
            }
            // BR and RET.
            _ if word.is(0xffff_fc1f, 0xd61f_0000) || word.is(0xffff_fc1f, 0xd65f_0000) => {
                NextPlace::At(self.get(word.register(5)))
            }
            _ => return None,
        })
    }

    /// Whether the flags say so.
    fn holds(&self, condition: u32) -> bool {
        let [n, z, c, v] = self.flags;
        let holds = match condition >> 1 {
            0 => z,
            1 => c,
            2 => n,
            3 => v,
            4 => c && !z,
            5 => n == v,
            6 => n == v && !z,
            _ => return true,
        };
        holds != (condition & 1 == 1)
    }

    /// What works on registers alone. Whether it is known.
    fn compute(&mut self, word: A64Word, at: u64) -> bool {
        let is_wide = word.bit(31);
        let (d, n, m) = (word.register(0), word.register(5), word.register(16));
        let value = match word.0 {
            // Hints.
            _ if word.is(0xffff_f01f, 0xd503_201f) => return true,
            _ if word.is(0x7f80_0000, 0x5280_0000) => {
                u64::from(word.field(5, 16)) << (16 * word.field(21, 2))
            }
            _ if word.is(0x7f80_0000, 0x7280_0000) => {
                let shift = 16 * word.field(21, 2);
                self.get(d) & !(0xffff << shift) | u64::from(word.field(5, 16)) << shift
            }
            _ if word.is(0x1f80_0000, 0x1100_0000) => {
                let number = u64::from(word.field(10, 12)) << (12 * word.field(22, 1));
                return self.add(word, self.x[n], number, true);
            }
            _ if word.is(0x1f20_0000, 0x0b00_0000) && word.field(22, 2) == 0 => {
                return self.add(word, self.get(n), self.get(m) << word.field(10, 6), false);
            }
            _ if word.is(0x1f20_0000, 0x0a00_0000) && word.field(22, 2) == 0 => {
                let other = self.get(m) << word.field(10, 6);
                match word.field(29, 2) {
                    0 => self.get(n) & other,
                    1 => self.get(n) | other,
                    2 => self.get(n) ^ other,
                    _ => return false,
                }
            }
            // ADR and ADRP.
            _ if word.is(0x1f00_0000, 0x1000_0000) => {
                let offset = word.signed(5, 19) << 2 | i64::from(word.field(29, 2));
                match word.bit(31) {
                    false => at.wrapping_add_signed(offset),
                    true => (at & !0xfff).wrapping_add_signed(offset << 12),
                }
            }
            // CSINC, of which CSET is made.
            _ if word.is(0x7fe0_0c00, 0x1a80_0400) => match self.holds(word.field(12, 4)) {
                true => self.get(n),
                false => self.get(m).wrapping_add(1),
            },
            _ if word.is(0xffe0_fc00, 0x9ac0_2000) => self.get(n) << (self.get(m) & 63),
            // FPCR.
            _ if word.is(0xffff_ffe0, 0xd53b_4400) => self.control,
            _ if word.is(0xffff_ffe0, 0xd51b_4400) => {
                self.control = self.get(d);
                return true;
            }
            _ => return false,
        };
        // (ADR has another bit where others say how wide they are.)
        self.set(d, is_wide || word.is(0x1f00_0000, 0x1000_0000), value);
        true
    }

    /// Additions and subtractions; of those of numbers the last register is SP.
    fn add(&mut self, word: A64Word, first: u64, second: u64, is_of_stack: bool) -> bool {
        let (is_wide, subtracts, says) = (word.bit(31), word.bit(30), word.bit(29));
        let above = if is_wide { 0 } else { 32 };
        let second = if subtracts { !second } else { second };
        let (first, second) = (u128::from(first << above), u128::from(second << above));
        let carry = u128::from(subtracts) << above;
        let sum = first + second + carry;
        let value = (sum as u64) >> above;
        if says {
            let sign = |number: u128| number >> 63 & 1 == 1;
            let overflows = sign(first) == sign(second) && sign(first) != sign(sum);
            self.flags = [sign(sum), value == 0, sum >> 64 == 1, overflows];
        }
        let d = word.register(0);
        if d == LAST && is_of_stack && !says {
            self.x[LAST] = value;
        } else {
            self.set(d, is_wide, value);
        }
        true
    }

    /// What loads and stores. Whether it is known.
    fn access(&mut self, word: A64Word, memory: &mut EmulatedMemory) -> Result<bool, Fault> {
        let (t, base) = (word.register(0), word.register(5));
        // LDR and STR of X, at a number of eights.
        if word.is(0xff80_0000, 0xf900_0000) {
            let address = self.x[base].wrapping_add(8 * u64::from(word.field(10, 12)));
            if word.bit(22) {
                let loaded = u64::from_le_bytes(memory.read(address)?);
                self.set(t, true, loaded);
            } else {
                memory.write(address, &self.get(t).to_le_bytes())?;
            }
            return Ok(true);
        }
        // LDR of X, at a register.
        if word.is(0xffe0_fc00, 0xf860_6800) {
            let address = self.x[base].wrapping_add(self.get(word.register(16)));
            let loaded = u64::from_le_bytes(memory.read(address)?);
            self.set(t, true, loaded);
            return Ok(true);
        }
        let is_pair = word.field(27, 3) == 0b101 && word.field(25, 1) == 0;
        let is_vector = word.bit(26);
        let bytes = match (word.field(30, 2), is_vector) {
            (0b10, false) | (0b01, true) => 8,
            (0b10, true) => 16,
            _ => return Ok(false),
        };
        if !is_pair {
            return Ok(false);
        }
        let apart = word.signed(15, 7) * bytes as i64;
        let moved = self.x[base].wrapping_add_signed(apart);
        let (address, kept) = match word.field(23, 2) {
            0b01 => (self.x[base], moved),
            0b10 => (moved, self.x[base]),
            0b11 => (moved, moved),
            _ => return Ok(false),
        };
        for (register, place) in [(t, address), (word.register(10), address + bytes as u64)] {
            self.move_one(register, place, (word.bit(22), is_vector, bytes), memory)?;
        }
        self.x[base] = kept;
        Ok(true)
    }

    fn move_one(
        &mut self,
        register: usize,
        place: u64,
        (is_load, is_vector, bytes): (bool, bool, usize),
        memory: &mut EmulatedMemory,
    ) -> Result<(), Fault> {
        match (is_load, is_vector) {
            (true, false) => {
                let loaded = u64::from_le_bytes(memory.read(place)?);
                self.set(register, true, loaded);
            }
            (false, false) => memory.write(place, &self.get(register).to_le_bytes())?,
            (true, true) => {
                self.v[register] = [0; 16];
                for at in (0..bytes).step_by(8) {
                    let loaded: [u8; 8] = memory.read(place + at as u64)?;
                    self.v[register][at..at + 8].copy_from_slice(&loaded);
                }
            }
            (false, true) => memory.write(place, &self.v[register][..bytes])?,
        }
        Ok(())
    }
}
