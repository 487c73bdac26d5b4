//! All values of a run as one document on standard output.

use crate::app::{Failure, stdout};
use crate::cli::Document;
use crate::database::{Database, ValueRow};
use crate::units::{Cycles, Interval};

/// Prints what a run found, and nothing else.
pub(in crate::app) fn print(document: Document, found: &Database) -> Result<(), Failure> {
    let failed = |error: String| Failure::new(format!("cannot print the values: {error}"));
    let text = match document {
        Document::Yaml => found.to_yaml().map_err(|error| failed(error.to_string()))?,
        Document::Json => found.to_json().map_err(|error| failed(error.to_string()))?,
        Document::Csv => csv(found).map_err(|error| failed(error.to_string()))?,
        Document::Table => table(found),
    };
    stdout::write(format_args!("{text}"));
    Ok(())
}

fn csv(found: &Database) -> Result<String, csv::Error> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    // (Also of no rows; a test holds them against the rows' own keys.)
    writer.write_record(COLUMNS)?;
    for row in found.rows() {
        writer.serialize(row)?;
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8(bytes).expect("all fields are text"))
}

/// The columns of the CSV: the keys of a row.
const COLUMNS: [&str; 11] = [
    "llvmName",
    "name",
    "quantity",
    "sourceOperand",
    "targetOperand",
    "min",
    "max",
    "independence",
    "uncertainty",
    "raw",
    "status",
];

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
    let quantity = match (&row.source_operand, &row.target_operand) {
        (Some(source), Some(target)) => format!("{} {source} -> {target}", row.quantity),
        _ => row.quantity.to_string(),
    };
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
    {sourceOperand: '1', targetOperand: EFLAGS, latencyMin: 1, latencyMax: 3, status: 'a, \"b\"'}]}
- {llvmName: LONG, throughputStatus: 'failed: trap'}
";

    #[test]
    fn rows_of_csv_have_the_columns_they_say() {
        let found = Database::parse(FOUND).unwrap();
        let mut with_keys = csv::Writer::from_writer(Vec::new());
        found.rows().for_each(|row| with_keys.serialize(row).unwrap());
        let with_keys = String::from_utf8(with_keys.into_inner().unwrap()).unwrap();
        let text = csv(&found).unwrap();
        assert_eq!(text, with_keys);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "A,a,throughput,,,0.25,0.25,,,,");
        assert_eq!(lines[2], "A,a,latency,1,EFLAGS,1,3,,,,\"a, \"\"b\"\"\"");
        assert_eq!(csv(&Database::default()).unwrap().lines().count(), 1);
    }

    #[test]
    fn a_table_is_aligned() {
        let text = table(&Database::parse(FOUND).unwrap());
        let expected = "\
form  mnemonic  quantity             cycles       status
A     a         throughput           0.25
A     a         latency 1 -> EFLAGS  [1.00;3.00]  a, \"b\"
LONG            throughput           -            failed: trap
";
        assert_eq!(text, expected);
    }
}
