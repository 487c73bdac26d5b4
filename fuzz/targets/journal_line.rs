//! Any JSON as a finding with the right checksum: understood, and then written as it was
//! understood, or dropped.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winic::journal::{Contents, JournalHeader, Journal, Start};

const HEADER: &str =
    r#"{"winic":"0","llvm":"22","tables":"0","target":"t","cpu":"c","clock":"k","run":"TP"}"#;

fn line(json: &[u8]) -> Vec<u8> {
    let mut line = format!("{:08x} ", crc32fast::hash(json)).into_bytes();
    line.extend(json);
    line.push(b'\n');
    line
}

fuzz_target!(|json: &[u8]| {
    if json.contains(&b'\n') {
        return;
    }
    let text = [line(HEADER.as_bytes()), line(json)].concat();
    let contents = Contents::read(&mut text.as_slice()).expect("the header is whole");
    assert_eq!(contents.findings.len() + contents.damaged, 1);
    // A header of anything is no journal, or one.
    let _ = Contents::read(&mut line(json).as_slice());
    // A real file now and then: most of the time goes into the system.
    if contents.findings.len() == 1 && json.len() % 16 == 0 {
        again(&contents);
    }
});

fn again(contents: &Contents) {
    let path = std::env::temp_dir().join(format!("winic-fuzz-{}.journal", std::process::id()));
    let mut journal = Journal::open(&path, &JournalHeader::default(), Start::Anew).expect("a new journal");
    let (experiment, finding) = &contents.findings[0];
    journal.append(experiment, finding).expect("room");
    let text = std::fs::read(&path).expect("it is there");
    let read = Contents::read(&mut text.as_slice()).expect("what is written can be read");
    assert_eq!(read.findings, contents.findings);
    journal.remove().expect("it is there");
}
