//! Any text as a table of another source, of the format that its beginning tells and of every other: refused
//! with one line, or figures that are the same when they are written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winic::exchange::{Format, flat, xml};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let told = Format::of(text).into_iter();
    for format in told.chain([Format::Csv, Format::Json, Format::Xml, Format::Exegesis, Format::Osaca]) {
        let imported = match format.read(text, None) {
            Ok(imported) => imported,
            Err(fault) => {
                assert_eq!(fault.to_string().lines().count(), 1, "{fault}");
                continue;
            }
        };
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
