//! All values of a run as one document on standard output.

use std::fmt::Write as _;

use crate::app::{Failure, stdout};
use crate::cli::Document;
use crate::database::{Database, ValueRow};
use crate::exchange::flat;
use crate::units::{Cycles, Interval};

/// Prints what a run found, and nothing else.
pub(in crate::app) fn print(document: Document, found: &Database) -> Result<(), Failure> {
    let failed = |error: String| Failure::new(format!("cannot print the values: {error}"));
    let text = match document {
        Document::Yaml => found.to_yaml().map_err(|error| failed(error.to_string()))?,
        Document::Json => found.to_json().map_err(|error| failed(error.to_string()))?,
        Document::Csv => flat::csv(found).map_err(|error| failed(error.to_string()))?,
        Document::Table => table(found),
    };
    stdout::write(format_args!("{text}"));
    Ok(())
}

const HEADINGS: [&str; 5] = ["form", "mnemonic", "quantity", "cycles", "status"];

/// Columns that are as wide as what stands in them.
fn table(found: &Database) -> String {
    let rows = found.rows().map(|row| cells(&row));
    let lines: Vec<[String; 5]> = [HEADINGS.map(str::to_owned)].into_iter().chain(rows).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: [usize; 5] = std::array::from_fn(|column| width(column).unwrap_or_default());
    let padded = |line: &[String; 5]| {
        let cells = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    lines.iter().map(padded).collect()
}

fn cells(row: &ValueRow) -> [String; 5] {
    let mut quantity = row.quantity.to_string();
    if let (Some(source), Some(target)) = (&row.source_operand, &row.target_operand) {
        let _ = write!(quantity, " {source} -> {target}");
    }
    if let Some(variant) = &row.variant {
        let _ = write!(quantity, ", {variant}");
    }
    let cycles = match (row.min, row.max) {
        (Some(min), Some(max)) if min == max => Cycles(max).to_string(),
        (Some(min), Some(max)) => Interval::new(Cycles(min), Cycles(max)).to_string(),
        _ => "-".to_owned(),
    };
    let status = row.status.as_ref().map(ToString::to_string).unwrap_or_default();
    let name = row.name.clone().unwrap_or_default();
    [row.llvm_name.clone(), name, quantity, cycles, status]
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUND: &str = "\
instructions:
- {llvmName: A, name: a, throughput: 0.25, operandLatencies: [
    {sourceOperand: '1', targetOperand: EFLAGS, latencyMin: 1, latencyMax: 3, status: 'a, \"b\"',
     variants: [{variant: old, latency: 1}]}]}
- {llvmName: LONG, throughputStatus: 'failed: trap'}
";

    #[test]
    fn a_table_is_aligned() {
        let text = table(&Database::parse(FOUND).unwrap());
        let expected = "\
form  mnemonic  quantity                  cycles       status
A     a         throughput                0.25
A     a         latency 1 -> EFLAGS       [1.00;3.00]  a, \"b\"
A     a         latency 1 -> EFLAGS, old  1.00
LONG            throughput                -            failed: trap
";
        assert_eq!(text, expected);
    }
}
