//! A row for each value: CSV and JSON, with the columns that `winic ALL --csv` prints.

use super::{Format, Imported, Unreadable};
use crate::database::{Database, FlatValue, ValueRow};

/// The columns, which are the keys of a row.
pub const COLUMNS: [&str; 12] = [
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
    "variant",
];

/// Whether a line is the first of such a table: it names at least the form, the quantity and a value.
#[must_use]
pub fn is_header(line: &str) -> bool {
    let columns: Vec<&str> = line.trim_end().split(',').collect();
    ["llvmName", "quantity", "min"].iter().all(|needed| columns.contains(needed))
}

/// A database as CSV.
///
/// # Errors
/// When a row cannot be written, which no value of a database causes.
pub fn csv(database: &Database) -> Result<String, csv::Error> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    // (Also of no rows; a test holds them against the rows' own keys.)
    writer.write_record(COLUMNS)?;
    for row in database.rows() {
        writer.serialize(row)?;
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A database as a list of rows in JSON.
///
/// # Errors
/// When a value has no place in JSON, which none has.
pub fn json(database: &Database) -> Result<String, serde_json::Error> {
    let rows: Vec<ValueRow> = database.rows().collect();
    Ok(serde_json::to_string_pretty(&rows)? + "\n")
}

/// Reads what [`csv()`] writes.
///
/// # Errors
/// When it is no table of values.
pub fn from_csv(text: &str) -> Result<Imported, Unreadable> {
    let broken = |error: csv::Error| Unreadable::broken(Format::Csv, error);
    let mut reader = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let has_ends = reader.headers().map_err(broken)?.iter().any(|column| column == "max");
    let rows = reader.deserialize().collect::<Result<Vec<FlatValue>, _>>().map_err(broken)?;
    // Without a column for the other end what stands there is the value.
    let whole = |row: FlatValue| FlatValue { max: if has_ends { row.max } else { row.min }, ..row };
    imported(rows.into_iter().map(whole).collect())
}

/// Reads what [`json`] writes.
///
/// # Errors
/// When it is no list of values.
pub fn from_json(text: &str) -> Result<Imported, Unreadable> {
    let broken = |error: serde_json::Error| Unreadable::broken(Format::Json, error);
    imported(serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(broken)?)
}

fn imported(rows: Vec<FlatValue>) -> Result<Imported, Unreadable> {
    if rows.is_empty() {
        return Err(Unreadable::Empty);
    }
    Ok(Imported { database: Database::of_rows(rows), ..Imported::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUND: &str = "\
instructions:
- {llvmName: A, name: a, throughput: 0.25, throughputUncertainty: 0.01,
   throughputVariants: [{variant: one register at all operands, throughput: 0.5, uncertainty: 0.02}],
   operandLatencies: [
    {sourceOperand: '1', targetOperand: EFLAGS, latencyMin: 1, latencyMax: 3, status: 'a, \"b\"',
     variants: [{variant: large values, latency: 3}]},
    {sourceOperand: '0', targetOperand: '0', latencyMax: 1, independence: possible, raw: 0.99}]}
- {llvmName: LONG, throughputStatus: 'failed: trap', latencyStatus: 'failed: trap'}
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
        assert!(is_header(lines[0]));
        assert_eq!(lines[1], "A,a,throughput,,,0.25,0.25,,0.01,,,");
        let variant = "one register at all operands";
        assert_eq!(lines[2], format!("A,a,throughput,,,0.5,0.5,,0.02,,,{variant}"));
        assert_eq!(lines[3], "A,a,latency,1,EFLAGS,1,3,,,,\"a, \"\"b\"\"\",");
        assert_eq!(lines[4], "A,a,latency,1,EFLAGS,3,3,,,,,large values");
        assert_eq!(csv(&Database::default()).unwrap().lines().count(), 1);
    }

    #[test]
    fn what_is_read_again_has_the_same_rows() {
        let found = Database::parse(FOUND).unwrap();
        let rows: Vec<ValueRow> = found.rows().collect();
        for read in
            [from_csv(&csv(&found).unwrap()).unwrap(), from_json(&json(&found).unwrap()).unwrap()]
        {
            assert_eq!(read.database.rows().collect::<Vec<_>>(), rows);
        }
    }

    #[test]
    fn an_open_interval_stays_open_and_one_column_is_a_value() {
        let throughput = |text: &str| {
            let read = from_csv(text).unwrap().database;
            let known = read.entry("A").unwrap().throughput;
            (known.value, known.min, known.max)
        };
        let open = throughput("llvmName,quantity,min,max\nA,throughput,1,\n");
        assert_eq!(open, (None, Some(1.0), None));
        let exact = throughput("llvmName,quantity,min\nA,throughput,1\n");
        assert_eq!(exact, (Some(1.0), Some(1.0), Some(1.0)));
    }

    #[test]
    fn what_is_no_table_is_one_line() {
        for text in ["llvmName,quantity,min\nA,temperature,1\n", "llvmName,quantity,min\n\"A"] {
            let error = from_csv(text).unwrap_err().to_string();
            assert!(!error.contains('\n'), "{error}");
        }
        assert!(from_json("[{\"quantity\": 1}]").is_err());
        assert_eq!(from_csv("llvmName,quantity,min\n"), Err(Unreadable::Empty));
    }
}
