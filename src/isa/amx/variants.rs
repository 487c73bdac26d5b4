//! Instructions with a name of their own: an operation with an operand.

use std::sync::LazyLock;

use super::{AmxGeneration, AmxOperation, Effects};

/// An instruction that is measured by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmxVariant {
    /// Operation, shape, kinds of numbers, calculation: `fma32_mat_f32f32_x*y+z`.
    pub name: &'static str,
    /// What is done.
    pub operation: AmxOperation,
    /// The operand, with register numbers, rows, offsets and addresses of zero.
    pub operand: u64,
    /// The first generation that has it.
    pub generation: AmxGeneration,
    /// Calculations an instruction, a multiplication and an addition being two; none where it moves.
    pub operations: Option<u32>,
    /// Bytes that it moves, where it does not calculate.
    pub moved: Option<u32>,
    /// Bits of the field for Z's row by which instances differ; none where there is no such field.
    pub row_bits: Option<u8>,
}

/// The data file, in which `#` stands in comments only.
/// What writes rows of Z whatever was there: products without it, for each set of rows that one instruction
/// writes.
pub const ROW_BREAKERS: &[&str] = &[
    "fma32_vec_f32f32_x*y",
    "fma64_mat_f64f64_x*y",
    "fma32_mat_f32f32_x*y",
    "fma16_mat_f16f16_x*y",
    "fma16_mat_f16f32_x*y",
];

const TABLE: &str = include_str!("../../../reference/tables/amx-variants.tsv");
static VARIANTS: LazyLock<Vec<AmxVariant>> = LazyLock::new(|| rows().map(variant).collect());

/// All of them, in the order of `reference/tables/amx-variants.tsv`.
#[must_use]
pub fn variants() -> &'static [AmxVariant] {
    &VARIANTS
}

/// The columns of every row.
fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    let lines = TABLE.lines().filter(|line| !line.contains('#')).skip(1);
    lines.map(|line| line.split('\t').collect())
}

/// A row of the table, which is part of the program: what does not fit is a mistake in it.
fn variant(columns: Vec<&'static str>) -> AmxVariant {
    let &[name, operation, operand, generation, operations, moved, .., row_bits] = &columns[..]
    else {
        panic!("reference/tables/amx-variants.tsv: too few columns in {columns:?}")
    };
    let hexadecimal = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    let known = AmxOperation::named(operation).zip(hexadecimal(operand));
    let Some((operation, operand)) = known else {
        panic!("reference/tables/amx-variants.tsv: no operation or operand in {columns:?}")
    };
    AmxVariant {
        name,
        operation,
        operand,
        generation: generation.parse().unwrap_or_else(|error| panic!("{name}: {error}")),
        operations: operations.parse().ok(),
        moved: moved.parse().ok(),
        row_bits: hexadecimal(row_bits).map(|bits| bits as u8),
    }
}

impl AmxVariant {
    /// The lowest bit of the field for Z's row.
    pub(super) const ROW: u32 = 20;

    /// Whether a generation has it.
    #[must_use]
    pub fn is_in(&self, generation: AmxGeneration) -> bool {
        self.generation <= generation
    }

    /// The operand with another row of Z.
    #[must_use]
    pub fn with_row(&self, row: u8) -> u64 {
        self.operand ^ u64::from(row) << Self::ROW
    }

    /// Rows by which instances write registers of their own, nearest first: those that differ in the
    /// lowest usable bit of the field, and so on. They all leave X and Y alone.
    pub fn rows(&self) -> impl Iterator<Item = u8> {
        let bits = self.row_bits.unwrap_or(0);
        (0..64u8).filter(move |row| row & !bits == 0)
    }

    /// What an instance reads and writes, with a row of Z.
    #[must_use]
    pub fn effects(&self, row: u8, generation: AmxGeneration) -> Effects {
        Effects::of(self.operation, self.with_row(row), generation)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{Meaning, OperandFields};
    use super::*;

    const NEWEST: AmxGeneration = AmxGeneration::M3;

    #[test]
    fn the_table_is_whole() {
        assert_eq!(variants().len(), 326);
        let names: BTreeSet<&str> = variants().iter().map(|variant| variant.name).collect();
        assert_eq!(names.len(), 326);
        let of_sequences = |variant: &&AmxVariant| {
            let is_moving = variant.moved.is_some() && variant.name.starts_with("extr_");
            is_moving && variant.row_bits.is_some()
        };
        assert_eq!(variants().iter().filter(of_sequences).count(), 168);
    }

    #[test]
    fn operands_have_no_bit_that_means_nothing() {
        for variant in variants() {
            let fields = OperandFields::of(variant.operation, variant.operand);
            assert_eq!(fields.operand(), variant.operand, "{}", variant.name);
            let meaning = Meaning::of(variant.operation, variant.operand, NEWEST);
            assert!(!meaning.is_nothing(), "{}", variant.name);
        }
    }

    /// The columns of the table were written down from descriptions; effects follow from the lanes that
    /// meet.
    #[test]
    fn effects_are_those_of_the_table() {
        for (variant, columns) in variants().iter().zip(rows()) {
            let &[.., reads, writes, z_rows, _] = &columns[..] else { unreachable!() };
            let effects = variant.effects(0, NEWEST);
            let named = |of: [(bool, &'static str); 4]| {
                let all = of.into_iter().filter(|(is_one, _)| *is_one).map(|(_, name)| name);
                all.collect::<Vec<_>>().join(",")
            };
            let read = named([
                (effects.x_read != 0, "X"),
                (effects.y_read != 0, "Y"),
                (effects.z_read != 0, "Z"),
                (effects.loaded != 0, "memory"),
            ]);
            let written = named([
                (effects.x_written != 0, "X"),
                (effects.y_written != 0, "Y"),
                (effects.z_written != 0, "Z"),
                (effects.stored != 0, "memory"),
            ]);
            // Half of two rows: the other half stays, and the table does not count rows of loads.
            if variant.operation != AmxOperation::Ldzi {
                assert_eq!(read, reads, "{}", variant.name);
            }
            assert_eq!(written, writes, "{}", variant.name);
            if variant.operations.is_some() {
                assert_eq!(effects.z_written.count_ones().to_string(), z_rows, "{}", variant.name);
            }
        }
    }

    /// Instances with different rows write different rows, and together with the other bits of the field
    /// there are no more.
    #[test]
    fn rows_are_all_the_accumulators_that_there_are() {
        let computing = variants().iter().filter(|variant| variant.operations.is_some());
        for variant in computing {
            let mut taken = 0u64;
            for row in variant.rows() {
                let written = variant.effects(row, NEWEST).z_written;
                assert_eq!(taken & written, 0, "{} row {row}", variant.name);
                taken |= written;
            }
            assert_eq!(taken, u64::MAX, "{}", variant.name);
        }
    }

    /// What a name says of operations: a product and a sum for each lane of Z that is written.
    #[test]
    fn operations_are_lanes() {
        for variant in variants() {
            let Some(operations) = variant.operations else { continue };
            let effects = variant.effects(0, NEWEST);
            let bytes = 64 * effects.z_written.count_ones();
            let each = if variant.name.contains("x*y+z") || variant.name.contains("z-x*y") {
                2
            } else {
                1
            };
            let lane = bytes * each / operations;
            assert!([2, 4, 8].contains(&lane), "{}: lanes of {lane} bytes", variant.name);
        }
    }
}
