//! Calculations on lanes: which lanes of X and Y meet in which lane of Z, and what becomes of it.

use super::float;
use super::lanes::{BYTES, Enabled, RING, Vector, by_index, select_bits, shuffled};
use super::number::Element;

/// A register of X or Y, or 64 bytes from anywhere in their ring, as lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Input {
    /// Bytes into the ring.
    pub offset: usize,
    /// Bytes from one vector to the next, of instructions on several.
    pub step: usize,
    /// Bytes of a lane. Where an element is narrower, it is the low part.
    pub lane: usize,
    pub element: Element,
    /// Lanes come from a table.
    pub index: Option<Index>,
    pub shuffle: u8,
    /// All lanes count as zero.
    pub is_zero: bool,
    /// One lane stands for all.
    pub broadcast: Option<usize>,
}

/// What the 64 bytes hold: indices of lanes of another register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Index {
    /// The register with the lanes.
    pub table: usize,
    /// Bits of an index.
    pub bits: usize,
}

/// What is added to Z, or stands there instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Addend {
    Product,
    Sum,
    X,
    Y,
    Nothing,
}

/// What becomes of a lane of Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LaneFunction {
    /// `z ± (term >> shift)`, or without `z`.
    Accumulate { term: Addend, negative: bool, with_z: bool, shift: u32 },
    /// `x <= 0 ? 0 : y`
    Select,
    /// `min(x, z)`
    Minimum,
    /// `max(x, z)`
    Maximum,
    /// `sat(z ± round((x * y * 2) >> 16))`
    DoublingHigh { negative: bool },
    /// `z + popcount(~(x ^ y))`
    EqualBits,
    /// Z alone.
    Narrow(Narrowing),
}

/// A shift to the right, and what is done about numbers that do not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Narrowing {
    pub shift: u32,
    pub rounds: bool,
    /// Without, high bits are cut off.
    pub clamping: Option<Clamping>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clamping {
    pub bits: u32,
    pub from_signed: bool,
    pub to_signed: bool,
}

impl Narrowing {
    pub fn of(self, value: i64) -> i64 {
        let half = if self.rounds && self.shift > 0 { 1 << (self.shift - 1) } else { 0 };
        let value = (value + half) >> self.shift;
        let Some(Clamping { bits, from_signed, to_signed }) = self.clamping else {
            return value;
        };
        let limit = 1i64 << (bits - u32::from(to_signed));
        let least = if from_signed && to_signed { -limit } else { 0 };
        value.clamp(least, limit - 1)
    }
}

/// A calculation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Compute {
    /// Every lane of X meets every lane of Y; else each meets its own.
    pub is_matrix: bool,
    pub x: Input,
    pub y: Input,
    pub z: Element,
    pub enabled_x: Enabled,
    pub enabled_y: Enabled,
    pub row: usize,
    /// Rows from one vector to the next; as many as there are where there is one vector.
    pub row_step: usize,
    pub function: LaneFunction,
    /// Zero is written whatever the function says.
    pub writes_zero: bool,
}

/// A lane of Z, and the lanes of X and Y that meet there, by their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub vector: usize,
    pub x: usize,
    pub y: usize,
    pub row: usize,
    pub byte: usize,
}

impl Compute {
    /// How many vectors it works on.
    pub fn vectors(&self) -> usize {
        BYTES / self.row_step
    }

    /// Whether it needs lanes of X.
    pub fn uses_x(&self) -> bool {
        let by_function = match self.function {
            LaneFunction::Accumulate { term, .. } => {
                matches!(term, Addend::Product | Addend::Sum | Addend::X)
            }
            LaneFunction::Narrow(_) => false,
            _ => true,
        };
        by_function && !self.x.is_zero && !self.writes_zero
    }

    /// Whether it needs lanes of Y.
    pub fn uses_y(&self) -> bool {
        let by_function = match self.function {
            LaneFunction::Accumulate { term, .. } => {
                matches!(term, Addend::Product | Addend::Sum | Addend::Y)
            }
            LaneFunction::Narrow(_) | LaneFunction::Minimum | LaneFunction::Maximum => false,
            _ => true,
        };
        by_function && !self.y.is_zero && !self.writes_zero
    }

    /// Whether it needs what lanes of Z held.
    pub fn uses_z(&self) -> bool {
        let by_function = match self.function {
            LaneFunction::Accumulate { with_z, .. } => with_z,
            LaneFunction::Select => false,
            _ => true,
        };
        by_function && !self.writes_zero
    }

    /// Every lane of Z that is written. Where X has narrower lanes than Z, the results of its
    /// neighbouring lanes stand in neighbouring rows.
    pub fn cells(&self) -> Vec<Cell> {
        if self.is_matrix { self.cells_of_matrix() } else { self.cells_of_vectors() }
    }

    fn cells_of_matrix(&self) -> Vec<Cell> {
        let (lane, z) = (self.x.lane, self.z.bytes());
        // Of 8-bit lanes only those of Y are used that have a place in Z.
        let step = if lane == 1 { z } else { lane };
        let mut out = Vec::new();
        for y in (0..BYTES).step_by(step).filter(|&y| self.enabled_y.has(y)) {
            for x in (0..BYTES).step_by(lane).filter(|&x| self.enabled_x.has(x)) {
                let first = select_bits(y, self.row, lane - 1);
                let row = select_bits(first, x / lane, z / lane - 1);
                out.push(Cell { vector: 0, x, y, row, byte: x / z * z });
            }
        }
        out
    }

    fn cells_of_vectors(&self) -> Vec<Cell> {
        let (step, z) = (self.x.lane.min(self.y.lane), self.z.bytes());
        let mut out = Vec::new();
        for vector in 0..self.vectors() {
            let first = self.row % self.row_step + vector * self.row_step;
            for at in (0..BYTES).step_by(step) {
                let (x, y) = (self.x.lane_at(at), self.y.lane_at(at));
                if self.enabled_x.has(x) && self.enabled_y.has(y) {
                    let row = select_bits(first, at / step, z / step - 1);
                    out.push(Cell { vector, x, y, row, byte: at / z * z });
                }
            }
        }
        out
    }

    /// What a lane of Z becomes, by what stands at the beginning of these bytes: its bits.
    pub fn value(&self, x: &[u8], y: &[u8], z: &[u8]) -> u64 {
        if self.writes_zero {
            return 0;
        }
        if self.z.is_integer() { self.integer(x, y, z) as u64 } else { self.float(x, y, z) }
    }

    fn float(&self, x: &[u8], y: &[u8], old: &[u8]) -> u64 {
        let (x, y) = (self.x.element.float(x), self.y.element.float(y));
        let z = self.z.float(old);
        let exact = match self.function {
            LaneFunction::Accumulate { term: Addend::Nothing, with_z: true, .. } => {
                return Element::Integer { bytes: self.z.bytes(), signed: false }.integer(old)
                    as u64;
            }
            LaneFunction::Accumulate { term, negative, with_z, .. } => {
                let sign = if negative { -1.0 } else { 1.0 };
                self.accumulated(term, sign, x, y, with_z.then_some(z))
            }
            LaneFunction::Minimum => float::Exact(float::minimum(x, z)),
            LaneFunction::Maximum => float::Exact(float::maximum(x, z)),
            _ => float::Exact(if x <= 0.0 { 0.0 } else { y }),
        };
        self.z.rounded(exact)
    }

    fn accumulated(&self, term: Addend, sign: f64, x: f64, y: f64, z: Option<f64>) -> float::Exact {
        let single = match term {
            Addend::X => sign * x,
            Addend::Y => sign * y,
            Addend::Product => sign * x * y,
            Addend::Sum => sign * (x + y),
            Addend::Nothing => 0.0,
        };
        match z {
            None => float::Exact(single),
            Some(z) if self.z != Element::F64 => float::add(single, z),
            Some(z) if term == Addend::Product => float::Exact((sign * x).mul_add(y, z)),
            Some(z) => float::Exact(single + z),
        }
    }

    fn integer(&self, x: &[u8], y: &[u8], z: &[u8]) -> i64 {
        let (x, y) = (self.x.element.integer(x), self.y.element.integer(y));
        let z = self.z.integer(z);
        let signed = |value: i64, negative: bool| if negative { -value } else { value };
        match self.function {
            LaneFunction::Accumulate { term, negative, with_z, shift } => {
                let term = match term {
                    Addend::Product => x * y,
                    Addend::Sum => x + y,
                    Addend::X => x,
                    Addend::Y => y,
                    Addend::Nothing => 0,
                };
                signed(term >> shift, negative) + if with_z { z } else { 0 }
            }
            LaneFunction::DoublingHigh { negative } => {
                let high = (x * y + (1 << 14)) >> 15;
                (signed(high, negative) + z).clamp(i16::MIN.into(), i16::MAX.into())
            }
            LaneFunction::EqualBits => {
                let bits = 8 * self.x.element.bytes() as u32;
                z + i64::from((!(x ^ y) << (64 - bits)).count_ones())
            }
            LaneFunction::Narrow(narrowing) => narrowing.of(z),
            LaneFunction::Select => {
                if x <= 0 {
                    0
                } else {
                    y
                }
            }
            LaneFunction::Minimum => x.min(z),
            LaneFunction::Maximum => x.max(z),
        }
    }
}

impl Input {
    /// The byte at which its lane for a byte of the result begins.
    fn lane_at(&self, byte: usize) -> usize {
        let lanes = BYTES / self.lane;
        self.broadcast.map_or(byte / self.lane, |lane| lane % lanes) * self.lane
    }

    /// Its lanes for one of several vectors.
    pub fn vector(&self, ring: &[u8; RING], number: usize) -> Vector {
        if self.is_zero {
            return [0; BYTES];
        }
        let first = self.offset + number * self.step;
        let plain: Vector = std::array::from_fn(|at| ring[(first + at) % RING]);
        let lanes = match self.index {
            None => plain,
            Some(Index { table, bits }) => {
                let table: Vector = std::array::from_fn(|at| ring[table * BYTES + at]);
                by_index(&plain, &table, bits, self.lane)
            }
        };
        shuffled(&lanes, self.shuffle, self.lane)
    }

    /// The registers from which so many vectors come, a bit each.
    pub fn registers(&self, vectors: usize) -> u8 {
        let mut out = self.index.map_or(0, |index| 1 << index.table);
        let bytes = self.index.map_or(BYTES, |index| index.bits * (BYTES / self.lane) / 8);
        for vector in 0..vectors {
            let first = self.offset + vector * self.step;
            for at in [first, first + bytes - 1] {
                out |= 1 << (at % RING / BYTES);
            }
        }
        out
    }
}
