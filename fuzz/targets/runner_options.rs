//! Any words as the command line of a runner: one a line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winic::device::runner::Options;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Err(error) = Options::read(text.split('\n').map(str::to_owned)) {
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
});
