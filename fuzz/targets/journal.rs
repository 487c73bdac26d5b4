//! Any bytes as a journal, also behind a header.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winic::journal::Contents;

const HEADER: &str =
    r#"{"winic":"0","llvm":"22","tables":"0","target":"t","cpu":"c","clock":"k","run":"TP"}"#;

fuzz_target!(|bytes: &[u8]| {
    if let Err(reason) = Contents::read(&mut &*bytes) {
        assert_eq!(reason.to_string().lines().count(), 1, "{reason}");
    }
    let mut text = format!("{:08x} {HEADER}\n", crc32fast::hash(HEADER.as_bytes())).into_bytes();
    text.extend(bytes);
    let contents = Contents::read(&mut text.as_slice()).expect("the header is whole");
    assert!(contents.whole <= text.len() as u64);
    let lines = text.iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(contents.findings.len() + contents.damaged + 1, lines);
});
