//! What differs between two databases, as a table for a terminal: the largest difference first.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use comfy_table::{Cell, CellAlignment};

use super::compare::{Agreement, ComparedRow, Comparison, Figure, Measurand};
use super::terminal::{fitted, table};

/// The table, and a line of what it comes to. Columns share so many places as a line has; without a width
/// the terminal says how many.
#[must_use]
pub fn text(comparison: &Comparison, names: [&str; 2], width: Option<u16>) -> String {
    let differences = comparison.differences();
    let heading = ["form", "of", names[0], names[1], "apart"];
    let mut out = String::new();
    if let Some(table) = table(heading, differences.iter().map(|row| cells(row))) {
        let _ = writeln!(out, "{}", fitted(table, width));
    }
    let forms: BTreeSet<&String> = differences.iter().map(|row| &row.form).collect();
    let count = |verdict| comparison.rows.iter().filter(|row| row.verdict() == verdict).count();
    let _ = writeln!(
        out,
        "{} figures of {} forms differ beyond their uncertainty; {} agree, {} are undecided, and {} stand in \
         one file only",
        differences.len(),
        forms.len(),
        count(Agreement::Agrees),
        count(Agreement::Undecided),
        comparison.one_sided.len()
    );
    out
}

fn cells(row: &ComparedRow) -> [Cell; 5] {
    let of = match &row.measurand {
        Measurand::Throughput => "throughput".to_owned(),
        Measurand::Latency { source, target } => format!("latency {source} → {target}"),
    };
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    let figures = [&row.measured, &row.reference].map(|figure| right(range(figure)));
    let [one, other] = figures;
    [Cell::new(&row.form), Cell::new(of), one, other, right(format!("{:.2}", row.gap().0))]
}

fn range(figure: &Figure) -> String {
    let (lower, upper) = (figure.interval.lower().0, figure.interval.upper().0);
    match upper {
        upper if upper == lower => format!("{lower:.2}"),
        upper if upper.is_finite() => format!("{lower:.2}–{upper:.2}"),
        _ => format!("≥ {lower:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Database;
    use crate::report::compare::of_databases;

    fn database(add: f64, lea: f64) -> Database {
        let entry = |name: &str, value: f64| {
            format!(
                "- {{llvmName: {name}, throughput: {value}, throughputMin: {value}, throughputMax: {value}}}\n"
            )
        };
        let text = format!("instructions:\n{}{}", entry("ADD", add), entry("LEA", lea));
        Database::parse(&text).expect("a database")
    }

    #[test]
    fn the_largest_difference_is_first_and_what_agrees_is_counted() {
        let compared = |a: [f64; 2], b: [f64; 2]| {
            let comparison = of_databases(&database(a[0], a[1]), &database(b[0], b[1]));
            text(&comparison, ["one", "other"], Some(60))
        };
        let both = compared([1.0, 0.5], [2.0, 4.5]);
        assert!(both.find("LEA").unwrap() < both.find("ADD").unwrap(), "{both}");
        assert!(both.contains("4.00"), "{both}");
        assert!(both.contains("2 figures of 2 forms differ"), "{both}");
        assert!(both.lines().all(|line| line.chars().count() <= 130), "{both}");
        let none = compared([1.0, 0.5], [1.0, 0.5]);
        assert!(
            none.starts_with("0 figures of 0 forms differ") && none.contains("2 agree"),
            "{none}"
        );
    }
}
