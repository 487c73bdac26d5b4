//! Any words as winic's command line: one a line, behind the program's name.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winic::cli;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let words = std::iter::once("winic").chain(text.split('\n'));
    if let Err(error) = cli::parse(words) {
        assert!(!error.to_string().is_empty());
    }
});
