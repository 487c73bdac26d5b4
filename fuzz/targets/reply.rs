//! Any bytes as what a runner answers: refused with one line, or understood; and whatever
//! windows it reports, they are reduced to a sample or to a reason.
#![no_main]

use libfuzzer_sys::fuzz_target;
use winic::device::KernelReport;
use winic::device::wire::{Reply, read_reply, write_reply};
use winic::sample::{Clock, reduce, reduce_manual};
use winic::units::Hertz;

fuzz_target!(|bytes: &[u8]| {
    let mut input = bytes;
    loop {
        match read_reply(&mut input) {
            Ok(Some(reply)) => {
                let mut line = Vec::new();
                write_reply(&mut line, &reply).expect("memory takes everything");
                if let Reply::Report(_, KernelReport::Timed(raw)) = &reply {
                    let rate = Hertz::new(1e9).ok();
                    for clock in [Clock::Counter, Clock::Reference { tick_rate: rate }] {
                        let _ = reduce(raw, &clock, 64);
                        let _ = reduce_manual(raw, &clock, 64);
                    }
                }
                let again = read_reply(&mut line.as_slice()).expect("what is written is read");
                assert_eq!(again, Some(reply));
            }
            Ok(None) => return,
            Err(error) => {
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
                return;
            }
        }
    }
});
