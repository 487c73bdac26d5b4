//! What an operation does with an operand. Source: fma.md, fms.md, mac16.md, matfp.md, matint.md,
//! vecfp.md, vecint.md.

use super::compute::{Addend, Clamping, Compute, Index, Input, LaneFunction, Narrowing};
use super::extract::Extraction;
use super::lanes::{BYTES, Enabled};
use super::lookup::Lookup;
use super::number::Element;
use super::transfer::Transfer;
use super::{AmxGeneration, AmxOperation};

/// What an instruction does.
#[derive(Debug, Clone, PartialEq)]
pub struct Meaning(pub(super) Action);

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    /// Nothing at all: a wrong bit makes a fast, empty instruction.
    Nothing,
    /// Switches the unit on or off.
    Switch,
    Transfer(Transfer),
    Compute(Compute),
    Extraction(Extraction),
    Lookup(Lookup),
}

impl Meaning {
    /// What an operation does with an operand on a generation of the unit.
    #[must_use]
    pub fn of(operation: AmxOperation, operand: u64, generation: AmxGeneration) -> Self {
        use AmxOperation as A;
        let word = OperandWord { bits: operand, generation };
        Self(match operation {
            A::Set => Action::Switch,
            A::Ldx | A::Ldy | A::Stx | A::Sty | A::Ldz | A::Stz | A::Ldzi | A::Stzi => {
                Action::Transfer(Transfer::of(operation, operand, generation))
            }
            A::Extrx | A::Extry => {
                Action::Extraction(Extraction::of(operation, operand, generation))
            }
            A::Genlut => Action::Lookup(Lookup::of(operand, generation)),
            A::Fma64 | A::Fms64 | A::Fma32 | A::Fms32 | A::Fma16 | A::Fms16 | A::Mac16 => {
                Action::Compute(word.product(operation))
            }
            A::Matfp | A::Matint => word.matrix(operation).map_or(Action::Nothing, Action::Compute),
            A::Vecfp | A::Vecint => {
                word.vectors(operation).map_or(Action::Nothing, Action::Compute)
            }
        })
    }

    /// Whether it is an instruction that does nothing.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        match &self.0 {
            Action::Nothing => true,
            Action::Compute(compute) => compute.cells().is_empty(),
            Action::Extraction(Extraction::Z(extract)) => extract.enabled == Enabled::NONE,
            _ => false,
        }
    }
}

/// An operand, on a generation.
#[derive(Debug, Clone, Copy)]
struct OperandWord {
    bits: u64,
    generation: AmxGeneration,
}

/// The kinds of numbers that meet.
#[derive(Debug, Clone, Copy)]
struct Widths {
    x: Element,
    y: Element,
    z: Element,
}

impl Widths {
    const fn alike(xy: Element, z: Element) -> Self {
        Self { x: xy, y: xy, z }
    }
}

/// In the field for enabled lanes: all lanes, but zero is written, ...
const ZERO_RESULT: (u64, u64) = (0, 3);
/// ... or X or Y counts as zero; both do the one of a matrix that the field is of, ...
const ZERO_X: (u64, u64) = (0, 4);
const ZERO_Y: (u64, u64) = (0, 5);
/// ... or one lane of Y stands for all.
const BROADCAST_Y: u64 = 1;

impl OperandWord {
    fn field(self, low: u32, bits: u32) -> u64 {
        self.bits >> low & (u64::MAX >> (64 - bits))
    }

    fn bit(self, number: u32) -> bool {
        self.field(number, 1) == 1
    }

    fn input(self, offset: u32, element: Element) -> Input {
        Input {
            offset: self.field(offset, 9) as usize,
            step: BYTES,
            lane: element.bytes(),
            element,
            index: None,
            shuffle: 0,
            is_zero: false,
            broadcast: None,
        }
    }

    fn row(self) -> usize {
        self.field(20, 6) as usize
    }

    /// `fma*`, `fms*` and `mac16`.
    fn product(self, operation: AmxOperation) -> Compute {
        use AmxOperation as A;
        let is_matrix = !self.bit(63);
        let is_wide = is_matrix && self.bit(62);
        let narrowed = |is_narrow: bool, narrow, other| if is_narrow { narrow } else { other };
        let (lane, x, y, z) = match operation {
            A::Fma64 | A::Fms64 => (8, Element::F64, Element::F64, Element::F64),
            A::Fma32 | A::Fms32 => {
                let input = |is_narrow| narrowed(is_narrow, Element::F16, Element::F32);
                (4, input(self.bit(61)), input(self.bit(60)), Element::F32)
            }
            A::Mac16 => {
                let input = |is_narrow| narrowed(is_narrow, Element::signed(1), Element::signed(2));
                let z = narrowed(is_wide, Element::signed(4), Element::signed(2));
                (2, input(self.bit(61)), input(self.bit(60)), z)
            }
            _ => (2, Element::F16, Element::F16, narrowed(is_wide, Element::F32, Element::F16)),
        };
        let enabled_y = Enabled::by_mode(self.field(37, 2), self.field(32, 5), lane);
        Compute {
            is_matrix,
            x: Input { lane, ..self.input(10, x) },
            y: Input { lane, ..self.input(0, y) },
            z,
            enabled_x: Enabled::by_mode(self.field(46, 2), self.field(41, 5), lane),
            enabled_y: if is_matrix { enabled_y } else { Enabled::ALL },
            row: self.row(),
            row_step: BYTES,
            function: self.function_of_product(operation),
            writes_zero: false,
        }
    }

    fn function_of_product(self, operation: AmxOperation) -> LaneFunction {
        use AmxOperation as A;
        let term = match (self.bit(29), self.bit(28)) {
            (false, false) => Addend::Product,
            (false, true) => Addend::X,
            (true, false) => Addend::Y,
            (true, true) => Addend::Nothing,
        };
        let shift = if operation == A::Mac16 { self.field(55, 5) as u32 } else { 0 };
        let negative = matches!(operation, A::Fms64 | A::Fms32 | A::Fms16);
        LaneFunction::Accumulate { term, negative, with_z: !self.bit(27), shift }
    }

    /// `matfp` and `matint`; nothing where bits that must be zero are not, or there is no such
    /// function.
    fn matrix(self, operation: AmxOperation) -> Option<Compute> {
        let is_integer = operation == AmxOperation::Matint;
        let indexed = self.bit(53);
        let must_be_zero = match (is_integer, indexed) {
            (true, true) => self.field(55, 2),
            _ => self.field(54, 3),
        };
        if must_be_zero != 0 {
            return None;
        }
        let function = match (indexed, is_integer && self.bit(54)) {
            (false, _) => self.field(47, 6),
            (true, eight) => 8 * u64::from(eight),
        };
        let widths =
            if is_integer { self.widths_of_matint(function) } else { self.widths_of_floats() };
        let own = (self.field(38, 3), self.field(32, 6 - u32::from(!is_integer)));
        let calculation = if is_integer { self.matint(function)? } else { matfp(function)? };
        let mut out = self.elementwise(widths, calculation);
        out.is_matrix = true;
        out.row = self.field(20, if is_integer { 2 } else { 3 }) as usize;
        let enabled = |(mode, value), input: &Input| Enabled::by_wide_mode(mode, value, input.lane);
        let zero = |mode| mode == ZERO_X || mode == ZERO_Y;
        if is_integer {
            let is_y = self.bit(25);
            let lanes = if is_y { &mut out.y } else { &mut out.x };
            lanes.is_zero = zero(own);
            let enabled = enabled(own, lanes);
            *(if is_y { &mut out.enabled_y } else { &mut out.enabled_x }) = enabled;
            out.writes_zero = own == ZERO_RESULT;
        } else {
            let other = (self.field(23, 3), self.field(58, 5));
            out.enabled_x = enabled(own, &out.x);
            out.enabled_y = enabled(other, &out.y);
            out.x.is_zero = zero(own);
            out.y.is_zero = zero(other);
            out.writes_zero = own == ZERO_RESULT || other == ZERO_RESULT;
        }
        Some(out)
    }

    /// `vecfp` and `vecint`.
    fn vectors(self, operation: AmxOperation) -> Option<Compute> {
        let is_integer = operation == AmxOperation::Vecint;
        if self.field(54, 3) != 0 {
            return None;
        }
        let function = if self.bit(53) { 0 } else { self.field(47, 6) };
        let widths =
            if is_integer { self.widths_of_vecint(function) } else { self.widths_of_floats() };
        let calculation = if is_integer { self.vecint(function)? } else { self.vecfp(function)? };
        let mut out = self.elementwise(widths, calculation);
        let is_several = self.bit(31) && self.generation >= AmxGeneration::M2;
        if is_several {
            self.repeat(&mut out);
        } else {
            let value = self.field(32, 6 - u32::from(!is_integer));
            self.enable(&mut out, (self.field(38, 3), value));
        }
        Some(out)
    }

    /// Which lanes of a single vector count.
    fn enable(self, out: &mut Compute, (mode, value): (u64, u64)) {
        if mode == BROADCAST_Y {
            out.y.broadcast = Some(value as usize);
            return;
        }
        out.x.is_zero = (mode, value) == ZERO_X;
        out.y.is_zero = (mode, value) == ZERO_Y;
        out.writes_zero = (mode, value) == ZERO_RESULT;
        out.enabled_x = Enabled::by_wide_mode(mode, value, out.x.lane);
        out.enabled_y = Enabled::by_wide_mode(mode, value, out.y.lane);
    }

    /// Two or four vectors, of rows as far from each other as can be.
    fn repeat(self, out: &mut Compute) {
        out.row_step = if self.bit(25) { 16 } else { 32 };
        match self.field(32, 3) {
            1 => out.writes_zero = true,
            2 => out.x.step = 0,
            3 => out.y.step = 0,
            4 => out.x.is_zero = true,
            5 => out.y.is_zero = true,
            6 => (out.x.step, out.x.broadcast) = (0, Some(0)),
            7 => (out.y.step, out.y.broadcast) = (0, Some(0)),
            _ => {}
        }
        let vectors = out.vectors();
        for input in [&mut out.x, &mut out.y] {
            let packed = input.index.map(|index| index.bits * (BYTES / input.lane) / 8);
            if input.step != 0 {
                input.step = packed.unwrap_or(BYTES);
            }
            if self.generation >= AmxGeneration::M4 {
                // All indices stand in one register; a lane alone may stand anywhere.
                let block = match (packed, input.broadcast) {
                    (Some(bytes), _) => (bytes * vectors).min(BYTES),
                    (None, Some(_)) => input.lane,
                    (None, None) => BYTES,
                };
                input.offset = input.offset / block * block;
            }
        }
    }

    /// A calculation of the newer operations, with all lanes enabled.
    fn elementwise(self, widths: Widths, function: LaneFunction) -> Compute {
        let is_in_place = matches!(function, LaneFunction::Narrow(_));
        let shuffle = |low| if is_in_place { 0 } else { self.field(low, 2) as u8 };
        let mut x = Input { shuffle: shuffle(29), ..self.input(10, widths.x) };
        let mut y = Input { shuffle: shuffle(27), ..self.input(0, widths.y) };
        if self.bit(53) {
            let bits = if self.bit(48) { 4 } else { 2 };
            let index = Some(Index { table: self.field(49, 3) as usize, bits });
            *(if self.bit(47) { &mut y.index } else { &mut x.index }) = index;
        }
        Compute {
            is_matrix: false,
            x,
            y,
            z: widths.z,
            enabled_x: Enabled::ALL,
            enabled_y: Enabled::ALL,
            row: self.row(),
            row_step: BYTES,
            function,
            writes_zero: false,
        }
    }

    fn widths_of_floats(self) -> Widths {
        let has_bf16 = self.generation >= AmxGeneration::M2;
        match self.field(42, 4) {
            0 if has_bf16 => Widths::alike(Element::Bf16, Element::Bf16),
            1 if has_bf16 => Widths::alike(Element::Bf16, Element::F32),
            3 => Widths::alike(Element::F16, Element::F32),
            4 => Widths::alike(Element::F32, Element::F32),
            7 => Widths::alike(Element::F64, Element::F64),
            _ => Widths::alike(Element::F16, Element::F16),
        }
    }

    fn x_of(self, bytes: usize) -> Element {
        Element::Integer { bytes, signed: self.bit(63) }
    }

    fn y_of(self, bytes: usize) -> Element {
        Element::Integer { bytes, signed: self.bit(26) }
    }

    fn integers(self, x: usize, y: usize, z: usize) -> Widths {
        Widths { x: self.x_of(x), y: self.y_of(y), z: Element::signed(z) }
    }

    fn widths_of_matint(self, function: u64) -> Widths {
        let has_mixed = self.generation >= AmxGeneration::M3;
        match (function, self.field(42, 4)) {
            (4, width) => self.in_place(matches!(width, 3 | 4 | 10), false),
            (5 | 6, _) => self.integers(2, 2, 2),
            (8, 10) => self.integers(1, 1, 4),
            (8, 12) if has_mixed => self.integers(1, 2, 4),
            (8, _) => self.integers(1, 1, 2),
            (9, 4) => self.integers(4, 4, 4),
            (_, 3) => self.integers(2, 2, 4),
            _ => self.integers(2, 2, 2),
        }
    }

    fn widths_of_vecint(self, function: u64) -> Widths {
        match (function, self.field(42, 4)) {
            (4, width) => self.in_place(matches!(width, 3 | 4 | 10), width == 9),
            (5 | 6, _) => self.integers(2, 2, 2),
            (_, 3) => self.integers(2, 2, 4),
            (_, 10) => self.integers(1, 1, 4),
            (_, 11) => self.integers(1, 1, 2),
            (_, 12) => self.integers(1, 2, 4),
            (_, 13) => self.integers(2, 1, 4),
            _ => self.integers(2, 2, 2),
        }
    }

    /// Where Z alone counts, X and Y stand for its lanes.
    fn in_place(self, is_wide: bool, is_byte: bool) -> Widths {
        let bytes = if is_byte { 1 } else { 2 + 2 * usize::from(is_wide) };
        let element = Element::Integer { bytes, signed: self.bit(63) };
        Widths::alike(element, element)
    }

    fn matint(self, function: u64) -> Option<LaneFunction> {
        match function {
            8 => Some(accumulate(Addend::Product, false, self.shift())),
            9 => Some(LaneFunction::EqualBits),
            7 | 10.. => None,
            _ => self.vecint(function),
        }
    }

    fn vecint(self, function: u64) -> Option<LaneFunction> {
        let shift = self.shift();
        let is_newer = self.generation >= AmxGeneration::M2;
        let product = LaneFunction::Accumulate {
            term: Addend::Product,
            negative: false,
            with_z: false,
            shift,
        };
        match function {
            0 => Some(accumulate(Addend::Product, false, shift)),
            1 => Some(accumulate(Addend::Product, true, shift)),
            2 => Some(accumulate(Addend::Sum, false, shift)),
            3 => Some(accumulate(Addend::Sum, true, shift)),
            4 => Some(LaneFunction::Narrow(self.narrowing())),
            5 => Some(LaneFunction::DoublingHigh { negative: false }),
            6 => Some(LaneFunction::DoublingHigh { negative: true }),
            10 if is_newer => Some(product),
            11 if is_newer => Some(accumulate(Addend::X, false, shift)),
            12 if is_newer => Some(accumulate(Addend::Y, false, shift)),
            _ => None,
        }
    }

    fn vecfp(self, function: u64) -> Option<LaneFunction> {
        let is_newer = self.generation >= AmxGeneration::M2;
        let product = LaneFunction::Accumulate {
            term: Addend::Product,
            negative: false,
            with_z: false,
            shift: 0,
        };
        match function {
            5 => Some(LaneFunction::Minimum),
            7 => Some(LaneFunction::Maximum),
            10 if is_newer => Some(product),
            11 if is_newer => Some(accumulate(Addend::X, false, 0)),
            12 if is_newer => Some(accumulate(Addend::Y, false, 0)),
            _ => matfp(function),
        }
    }

    fn shift(self) -> u32 {
        self.field(58, 5) as u32
    }

    fn narrowing(self) -> Narrowing {
        let bits = match self.field(42, 4) {
            4 => 32,
            9..=11 => 8,
            _ => 16,
        };
        let clamping = Clamping { bits, from_signed: self.bit(63), to_signed: self.bit(26) };
        Narrowing {
            shift: self.shift(),
            rounds: self.bit(29),
            clamping: self.bit(30).then_some(clamping),
        }
    }
}

fn accumulate(term: Addend, negative: bool, shift: u32) -> LaneFunction {
    LaneFunction::Accumulate { term, negative, with_z: true, shift }
}

fn matfp(function: u64) -> Option<LaneFunction> {
    match function {
        0 => Some(accumulate(Addend::Product, false, 0)),
        1 => Some(accumulate(Addend::Product, true, 0)),
        4 => Some(LaneFunction::Select),
        _ => None,
    }
}
