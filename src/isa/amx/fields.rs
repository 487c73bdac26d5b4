//! The fields of operands, by operation. Which there are depends on some of them: an operand with an
//! indexed load has no field for the calculation.

use std::fmt;

use super::AmxOperation;

/// Some neighbouring bits of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Field {
    /// What they mean.
    pub name: &'static str,
    /// The lowest of them.
    pub low: u8,
    /// How many.
    pub bits: u8,
}

const fn field(name: &'static str, low: u8, bits: u8) -> Field {
    Field { name, low, bits }
}

impl Field {
    /// The field's bits.
    #[must_use]
    pub fn mask(self) -> u64 {
        (u64::MAX >> (64 - self.bits)) << self.low
    }

    /// What an operand has there.
    #[must_use]
    pub fn of(self, operand: u64) -> u64 {
        (operand & self.mask()) >> self.low
    }
}

const ADDRESS: Field = field("address", 0, 56);
const REGISTER: Field = field("register", 56, 3);
const SEVERAL: Field = field("several", 62, 1);
const X_OFFSET: Field = field("x_offset", 10, 9);
const Y_OFFSET: Field = field("y_offset", 0, 9);
const Z_ROW: Field = field("z_row", 20, 6);

/// ldst.md.
const LOAD_XY: &[Field] =
    &[ADDRESS, REGISTER, field("four", 60, 1), field("apart", 61, 1), SEVERAL];
const STORE_XY: &[Field] = &[ADDRESS, REGISTER, SEVERAL];
const MOVE_Z: &[Field] = &[ADDRESS, field("row", 56, 6), SEVERAL];
const MOVE_HALVES: &[Field] = &[ADDRESS, field("half", 56, 1), field("pair", 57, 5)];

/// fma.md, mac16.md.
const PRODUCT: &[Field] = &[
    Y_OFFSET,
    X_OFFSET,
    Z_ROW,
    field("skip_z", 27, 1),
    field("skip_y", 28, 1),
    field("skip_x", 29, 1),
    field("x_enable", 41, 5),
    field("x_enable_mode", 46, 2),
    field("vector", 63, 1),
];
/// Vectors have one set of enabled lanes, X's.
const OF_MATRIX: &[Field] = &[field("y_enable", 32, 5), field("y_enable_mode", 37, 2)];
const WIDE_Z: Field = field("wide_z", 62, 1);
const NARROW_XY: &[Field] = &[field("narrow_y", 60, 1), field("narrow_x", 61, 1)];
const PRODUCT_SHIFT: Field = field("shift", 55, 5);

/// matfp.md, matint.md, vecfp.md, vecint.md.
const ELEMENTWISE: &[Field] = &[
    Y_OFFSET,
    X_OFFSET,
    field("y_shuffle", 27, 2),
    field("x_shuffle", 29, 2),
    field("width", 42, 4),
    field("indexed", 53, 1),
];
const INDEXED: &[Field] =
    &[field("index_y", 47, 1), field("wide_indices", 48, 1), field("table", 49, 3)];
const FUNCTION: Field = field("function", 47, 6);
const MUST_BE_ZERO: Field = field("must_be_zero", 54, 3);
const ENABLE_MODE: Field = field("enable_mode", 38, 3);
const ENABLE: Field = field("enable", 32, 6);
const ENABLE_OF_32: Field = field("enable", 32, 5);
const INTEGERS: &[Field] =
    &[field("y_signed", 26, 1), field("shift", 58, 5), field("x_signed", 63, 1)];
const MATFP: &[Field] = &[
    field("z_row", 20, 3),
    field("y_enable_mode", 23, 3),
    ENABLE_OF_32,
    ENABLE_MODE,
    MUST_BE_ZERO,
    field("y_enable", 58, 5),
];
const MATINT: &[Field] = &[
    field("z_row", 20, 2),
    field("enable_is_y", 25, 1),
    ENABLE,
    ENABLE_MODE,
    field("narrow", 54, 1),
    field("must_be_zero", 55, 2),
];
const VECTOR: &[Field] = &[Z_ROW, SEVERAL_VECTORS, MUST_BE_ZERO];
const SEVERAL_VECTORS: Field = field("several_vectors", 31, 1);
const BROADCAST: Field = field("broadcast", 32, 3);

/// extr_x.md, extr_y.md, extr_h.md, extr_v.md.
const WIDE_EXTRACT: Field = field("general", 26, 1);
const BETWEEN_XY: Field = field("between_xy", 27, 1);
const SHORT_EXTRACT: &[Field] = &[WIDE_EXTRACT, BETWEEN_XY, Z_ROW, field("width", 28, 2)];
const GENERAL_EXTRACT: &[Field] = &[
    WIDE_EXTRACT,
    field("offset", 0, 9),
    field("to_y", 10, 1),
    field("width", 11, 4),
    Z_ROW,
    SEVERAL_VECTORS,
    field("floating", 63, 1),
];
const TO_BF16: Field = field("bf16", 62, 1);
const NARROWING: &[Field] = &[
    field("round", 54, 1),
    field("saturate", 55, 1),
    field("to_signed", 56, 1),
    field("z_signed", 57, 1),
    field("shift", 58, 5),
];

/// genlut.md.
const GENLUT: &[Field] = &[
    field("source_offset", 0, 9),
    field("source_y", 10, 1),
    field("to_z", 26, 1),
    field("mode", 53, 4),
    field("table_y", 59, 1),
    field("table", 60, 3),
];
const TO_XY: &[Field] = &[field("target", 20, 3), field("to_y", 25, 1)];
const TO_Z: Field = field("target", 20, 6);
/// Looks up; below are modes that make indices and write X or Y whatever `to_z` says.
const FIRST_LOOKUP: u64 = 7;
/// Makes indices of 16-bit floating-point numbers.
const OF_HALVES: u64 = 1;

/// The fields of an operand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperandFields {
    /// Each field with its value.
    pub values: Vec<(Field, u64)>,
}

impl OperandFields {
    /// Takes an operand apart.
    #[must_use]
    pub fn of(operation: AmxOperation, operand: u64) -> Self {
        let fields = fields(operation, operand);
        Self { values: fields.into_iter().map(|field| (field, field.of(operand))).collect() }
    }

    /// Puts the operand together; bits that no field has are zero.
    #[must_use]
    pub fn operand(&self) -> u64 {
        self.values
            .iter()
            .fold(0, |operand, (field, value)| operand | (value << field.low & field.mask()))
    }

    /// The bits that mean something.
    #[must_use]
    pub fn mask(&self) -> u64 {
        self.values.iter().fold(0, |mask, (field, _)| mask | field.mask())
    }
}

/// All that are not zero: `z_row=3 skip_z=1`.
impl fmt::Display for OperandFields {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (field, value) in self.values.iter().filter(|(_, value)| *value != 0) {
            write!(out, "{separator}{}={value:#x}", field.name)?;
            separator = " ";
        }
        Ok(())
    }
}

/// The fields that an operand has, lowest first.
fn fields(operation: AmxOperation, operand: u64) -> Vec<Field> {
    use AmxOperation as A;
    let mut out: Vec<Field> = match operation {
        A::Ldx | A::Ldy => LOAD_XY.to_vec(),
        A::Stx | A::Sty => STORE_XY.to_vec(),
        A::Ldz | A::Stz => MOVE_Z.to_vec(),
        A::Ldzi | A::Stzi => MOVE_HALVES.to_vec(),
        A::Set => Vec::new(),
        A::Extrx | A::Extry => extract(operation, operand),
        A::Fma64 | A::Fms64 | A::Fma32 | A::Fms32 | A::Fma16 | A::Fms16 | A::Mac16 => {
            product(operation, operand)
        }
        A::Matfp | A::Matint | A::Vecfp | A::Vecint => elementwise(operation, operand),
        A::Genlut => lookup(operand),
    };
    out.sort_by_key(|field| field.low);
    out
}

fn product(operation: AmxOperation, operand: u64) -> Vec<Field> {
    use AmxOperation as A;
    let is_vector = operand >> 63 == 1;
    let mut out = PRODUCT.to_vec();
    if !is_vector {
        out.extend(OF_MATRIX);
    }
    match operation {
        A::Fma32 | A::Fms32 => out.extend(NARROW_XY),
        A::Mac16 => out.extend(NARROW_XY.iter().chain([&PRODUCT_SHIFT])),
        _ => {}
    }
    if !is_vector && matches!(operation, A::Fma16 | A::Fms16 | A::Mac16) {
        out.push(WIDE_Z);
    }
    out
}

fn elementwise(operation: AmxOperation, operand: u64) -> Vec<Field> {
    use AmxOperation as A;
    let mut out = ELEMENTWISE.to_vec();
    if operand >> 53 & 1 == 1 {
        out.extend(INDEXED)
    } else {
        out.push(FUNCTION)
    }
    if matches!(operation, A::Matint | A::Vecint) {
        out.extend(INTEGERS);
    }
    match operation {
        A::Matfp => out.extend(MATFP),
        A::Matint => out.extend(MATINT),
        _ => {
            out.extend(VECTOR);
            let is_several = SEVERAL_VECTORS.of(operand) == 1;
            let value = if operation == A::Vecint { ENABLE } else { ENABLE_OF_32 };
            out.extend(if is_several { vec![BROADCAST] } else { vec![ENABLE_MODE, value] });
        }
    }
    out
}

fn extract(operation: AmxOperation, operand: u64) -> Vec<Field> {
    let is_rows = operation == AmxOperation::Extrx;
    if WIDE_EXTRACT.of(operand) == 1 {
        let mut out = GENERAL_EXTRACT.to_vec();
        if operand >> 63 == 1 {
            out.push(TO_BF16)
        } else {
            out.extend(NARROWING)
        }
        if SEVERAL_VECTORS.of(operand) == 0 {
            out.extend([ENABLE_MODE, ENABLE]);
        }
        return out;
    }
    if BETWEEN_XY.of(operand) == 1 {
        let target = if is_rows { 16 } else { 6 };
        let target = field("target", target, 3);
        return vec![WIDE_EXTRACT, BETWEEN_XY, field("source", 20, 3), target];
    }
    let mut out = SHORT_EXTRACT.to_vec();
    out.extend(if is_rows {
        [X_OFFSET, field("x_enable", 41, 5), field("x_enable_mode", 46, 2)]
    } else {
        [Y_OFFSET, field("y_enable", 32, 5), field("y_enable_mode", 37, 2)]
    });
    out
}

fn lookup(operand: u64) -> Vec<Field> {
    let mut out = GENLUT.to_vec();
    let mode = operand >> 53 & 15;
    let to_z = operand >> 26 & 1 == 1 && mode >= FIRST_LOOKUP;
    if to_z {
        out.push(TO_Z)
    } else {
        out.extend(TO_XY)
    }
    if mode == OF_HALVES {
        out.push(field("bf16", 30, 1));
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    fn operations() -> impl Strategy<Value = AmxOperation> {
        select(AmxOperation::all().collect::<Vec<_>>())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// What no field has is ignored; all else comes back.
        #[test]
        fn an_operand_comes_back_from_its_fields(operation in operations(), operand: u64) {
            let fields = OperandFields::of(operation, operand);
            prop_assert_eq!(fields.operand(), operand & fields.mask());
            let again = OperandFields::of(operation, fields.operand());
            prop_assert_eq!(again, fields);
        }

        #[test]
        fn no_two_fields_share_a_bit(operation in operations(), operand: u64) {
            let fields = OperandFields::of(operation, operand);
            let bits: u32 = fields.values.iter().map(|(field, _)| u32::from(field.bits)).sum();
            prop_assert_eq!(bits, fields.mask().count_ones());
        }
    }

    #[test]
    fn fields_are_printed_where_they_are_not_zero() {
        let fields = OperandFields::of(AmxOperation::Fma32, 1 << 27 | 3 << 20);
        assert_eq!(fields.to_string(), "z_row=0x3 skip_z=0x1");
    }
}
