//! The instructions of a product.

use winic::isa::amx::AmxOperation;

/// An instruction with its operand.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// What is done.
    pub operation: AmxOperation,
    /// The contents of its register.
    pub operand: u64,
}

/// Where A, B and C lie in memory: square, by rows, one behind the other.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// Rows, and columns.
    pub size: usize,
}

/// Bytes of a number.
pub const NUMBER: usize = 8;
/// Numbers of a register.
const LANES: usize = 8;

impl Layout {
    /// Rows and columns of a tile of C: two registers each way.
    pub const TILE: usize = 16;

    /// The address of an element of A (0), B (1) or C (2).
    pub fn address(self, matrix: usize, row: usize, column: usize) -> u64 {
        let before = (matrix * self.size + row) * self.size + column;
        (before * NUMBER) as u64
    }
}

/// A tile's rows or columns. The last one ends where the matrix does, so that nothing lies outside; what
/// it has in common with the one before is left alone.
#[derive(Debug, Clone, Copy)]
struct Span {
    first: usize,
    /// How many at the beginning belong to the tile before.
    taken: usize,
}

impl Span {
    fn all(size: usize) -> impl Iterator<Item = Self> {
        (0..size).step_by(Layout::TILE).map(move |wanted| {
            let first = wanted.min(size - Layout::TILE);
            Self { first, taken: wanted - first }
        })
    }

    /// Enabled lanes of one of its two registers, as mode (3: the last so many) and value; none where
    /// all belong to the tile before.
    fn enabled(self, half: usize) -> Option<u64> {
        let taken = self.taken.saturating_sub(half * LANES).min(LANES);
        (taken < LANES).then(|| 3 << 5 | ((LANES - taken) % LANES) as u64)
    }
}

/// All instructions, tile by tile.
pub fn steps(layout: Layout) -> Vec<Step> {
    let mut out = Vec::new();
    for rows in Span::all(layout.size) {
        for columns in Span::all(layout.size) {
            move_tile(AmxOperation::Ldz, layout, rows, columns, &mut out);
            for depth in 0..layout.size {
                multiply(layout, rows, columns, depth, &mut out);
            }
            move_tile(AmxOperation::Stz, layout, rows, columns, &mut out);
        }
    }
    out
}

/// Where operands have the number of a register, and the row.
const REGISTER: u32 = 56;
const ROW: u32 = 20;
const X_OFFSET: u32 = 10;
const X_ENABLE: u32 = 41;
const Y_ENABLE: u32 = 32;
/// Bytes of a register.
const BYTES: u64 = 64;

/// A tile between memory and Z. Its quarter of lower rows `v` and right columns `h` is in rows
/// `8 * row + 2 * v + h`, where `fma64` has it.
fn move_tile(
    operation: AmxOperation,
    layout: Layout,
    rows: Span,
    columns: Span,
    out: &mut Vec<Step>,
) {
    for row in 0..Layout::TILE {
        for half in 0..2 {
            let address = layout.address(2, rows.first + row, columns.first + half * LANES);
            let z = (row % LANES * LANES + row / LANES * 2 + half) as u64;
            out.push(Step { operation, operand: z << REGISTER | address });
        }
    }
}

/// A row of A by a row of B: one term of every element of the tile.
fn multiply(layout: Layout, rows: Span, columns: Span, depth: usize, out: &mut Vec<Step>) {
    for half in 0..2 {
        let register = (half as u64) << REGISTER;
        let x = layout.address(1, depth, columns.first + half * LANES);
        let y = layout.address(0, depth, rows.first + half * LANES);
        out.push(Step { operation: AmxOperation::Ldx, operand: register | x });
        out.push(Step { operation: AmxOperation::Ldy, operand: register | y });
    }
    for (vertical, horizontal) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let enabled = rows.enabled(vertical).zip(columns.enabled(horizontal));
        let Some((y_enable, x_enable)) = enabled else { continue };
        let row = (2 * vertical + horizontal) as u64;
        let x_offset = horizontal as u64 * BYTES;
        let y_offset = vertical as u64 * BYTES;
        let operand = (row << ROW)
            | (x_offset << X_OFFSET)
            | y_offset
            | (x_enable << X_ENABLE)
            | (y_enable << Y_ENABLE);
        out.push(Step { operation: AmxOperation::Fma64, operand });
    }
}
