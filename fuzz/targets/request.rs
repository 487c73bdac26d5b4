//! Any bytes as what a driver asks a runner: refused with one line, or understood the same
//! when it is asked again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winic::device::wire::{Request, read_request, write_again, write_gpu, write_request};

fuzz_target!(|bytes: &[u8]| {
    let mut input = bytes;
    loop {
        match read_request(&mut input) {
            Ok(Some(request)) => {
                let mut line = Vec::new();
                let written = match &request {
                    Request::Run(artifact) => write_request(&mut line, artifact),
                    Request::Again(selection) => write_again(&mut line, selection.clone()),
                    Request::Gpu(job) => write_gpu(&mut line, job),
                };
                written.expect("memory takes everything");
                let again = read_request(&mut line.as_slice()).expect("what is written is read");
                assert_eq!(again, Some(request));
            }
            Ok(None) => return,
            Err(error) => {
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
                return;
            }
        }
    }
});
