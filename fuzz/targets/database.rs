//! Any text as a database: refused with one line, or a database that can be written, read
//! again, and changed without harm to the rest of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winic::database::{Database, Subject, Throughput, Update};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut database = match Database::parse(text) {
        Ok(database) => database,
        Err(fault) => {
            assert_eq!(fault.to_string().lines().count(), 1, "{fault}");
            return;
        }
    };
    let written = database.to_yaml().expect("what is read can be written");
    assert_eq!(Database::parse(&written).expect("what is written can be read"), database);
    let before = database.len();
    let subject = Subject { llvm_name: "EXA16rr".into(), ..Subject::default() };
    let throughput = Some(Throughput { value: Some(0.5), ..Throughput::default() });
    let is_new = database.entry(&subject.llvm_name).is_none();
    database.merge(&Update { subject, throughput, ..Update::default() });
    assert_eq!(database.len(), before + usize::from(is_new));
    assert_eq!(database.entry("EXA16rr").expect("merged").throughput.value, Some(0.5));
    let written = database.to_yaml().expect("what is merged can be written");
    Database::parse(&written).expect("what is merged can be read");
});
