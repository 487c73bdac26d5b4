//! A load generator: `busy steady` or `busy bursts` keeps all CPUs busy until it is ended,
//! for `scripts/load`.

mod load;

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use load::{Rhythm, keep_busy};

fn main() -> ExitCode {
    let rhythm = match std::env::args().nth(1).as_deref() {
        Some("steady") => Rhythm::STEADY,
        Some("bursts") => Rhythm::BURSTS,
        _ => {
            eprintln!("usage: busy steady|bursts");
            return ExitCode::from(2);
        }
    };
    keep_busy(rhythm, &AtomicBool::new(false));
    ExitCode::SUCCESS
}
