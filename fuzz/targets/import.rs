//! Any bytes as a table of another source, of the format that its beginning tells and of every other: refused
//! with one line, or figures that are the same when they are written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winic::exchange::forms::{FormTable, WrittenForm};
use winic::exchange::spelled::SpelledTable;
use winic::exchange::{Format, flat, xml};

/// A table in which everything that is written down is a form.
fn forms(spelled: &SpelledTable) -> FormTable {
    let mut table = FormTable::default();
    let written = spelled.figures.iter().flat_map(|figure| &figure.meanings);
    let mut written: Vec<&WrittenForm> = written.take(64).collect();
    written.sort_unstable();
    written.dedup();
    for (number, form) in written.into_iter().enumerate() {
        table.add(form.clone(), &format!("FORM{number}"));
    }
    table
}

fuzz_target!(|bytes: &[u8]| {
    let told = Format::of(bytes).into_iter();
    for format in told.chain(Format::ALL) {
        let read = match format.read(bytes, None) {
            Ok(read) => read,
            Err(fault) => {
                assert_eq!(fault.to_string().lines().count(), 1, "{fault}");
                continue;
            }
        };
        let table = forms(&read.spelled);
        let imported = read.matched(&table);
        let rows: Vec<_> = imported.database.rows().collect();
        if rows.is_empty() {
            continue;
        }
        let csv = flat::csv(&imported.database).expect("rows can be written");
        let again = flat::from_csv(&csv).expect("what is written can be read");
        assert_eq!(again.database.rows().count(), rows.len());
        let tree = xml::write(&imported.database).expect("rows can be written");
        xml::read(&tree, None).expect("what is written can be read");
    }
});
