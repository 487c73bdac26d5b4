//! Tables for a terminal, drawn with lines.

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Cell, ContentArrangement, Table};

/// A table with a heading; none without rows.
#[must_use]
pub fn table<T: Into<Cell> + Clone, const COLUMNS: usize>(
    heading: [&str; COLUMNS],
    rows: impl Iterator<Item = [T; COLUMNS]>,
) -> Option<Table> {
    let mut table = Table::new();
    table.set_header(heading);
    for row in rows {
        table.add_row(row);
    }
    (table.row_count() > 0).then_some(table)
}

/// The same, with columns that share so many places; without a width the terminal says how many, and where
/// there is none they take what they need.
#[must_use]
pub fn fitted(mut table: Table, width: Option<u16>) -> Table {
    table.load_preset(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    if let Some(width) = width {
        table.set_width(width);
    }
    table
}
