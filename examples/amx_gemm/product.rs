//! The matrices, and their product without any unit.

use crate::plan::{Layout, NUMBER};

/// A, B and C with small whole numbers, whose sums are exact in any order.
pub fn memory(layout: Layout) -> Vec<u8> {
    let count = 3 * layout.size * layout.size;
    (0..count).flat_map(|number| ((number * 7 % 23) as f64 - 11.0).to_le_bytes()).collect()
}

fn element(memory: &[u8], address: u64) -> f64 {
    let mut bytes = [0; NUMBER];
    bytes.copy_from_slice(&memory[address as usize..][..NUMBER]);
    f64::from_le_bytes(bytes)
}

/// C + A^T B, by rows.
pub fn plain(layout: Layout, memory: &[u8]) -> Vec<f64> {
    let size = layout.size;
    let at = |matrix, row, column| element(memory, layout.address(matrix, row, column));
    let sum = |row: usize, column: usize| {
        let products = (0..size).map(|depth| at(0, depth, row) * at(1, depth, column));
        at(2, row, column) + products.sum::<f64>()
    };
    (0..size * size).map(|number| sum(number / size, number % size)).collect()
}

/// How far C is from what it should be, at most.
pub fn largest_error(layout: Layout, memory: &[u8], wanted: &[f64]) -> f64 {
    let size = layout.size;
    let errors = wanted.iter().enumerate().map(|(number, wanted)| {
        let found = element(memory, layout.address(2, number / size, number % size));
        (found - wanted).abs()
    });
    errors.fold(0.0, f64::max)
}
