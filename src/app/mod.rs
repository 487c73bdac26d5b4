//! What the modes do: from checked arguments to files and lines.

/// A line on a stream. Whoever has stopped reading (`winic ... | head`) misses it, and the run
/// goes on; the standard library's macros would panic.
macro_rules! line_on {
    ($stream:ident $($line:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::$stream(), $($line)*);
    }};
}
macro_rules! println {
    ($($line:tt)*) => { line_on!(stdout $($line)*) };
}
macro_rules! eprintln {
    ($($line:tt)*) => { line_on!(stderr $($line)*) };
}

mod apart;
mod compare;
mod failure;
mod listing;
mod machine;
mod manual;
mod measure;
mod near;
mod progress;
mod records;
mod report;
mod times;

pub use failure::Failure;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::{Arguments, Mode};
use crate::plan;

/// Set when the user wants to stop.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Does what was asked.
///
/// # Errors
/// When it cannot be done; the text is one line.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    match &arguments.mode {
        Mode::Throughput(options) => {
            measure::run(&arguments.global, options, &[plan::Mode::Throughput])
        }
        Mode::Latency(options) => measure::run(&arguments.global, options, &[plan::Mode::Latency]),
        Mode::All(options) => {
            measure::run(&arguments.global, options, &[plan::Mode::Throughput, plan::Mode::Latency])
        }
        Mode::Manual(options) => manual::run(&arguments.global, options),
        Mode::Object => apart::serve(&arguments.global),
        Mode::List(options) => listing::run(&arguments.global, options),
        Mode::Compare(options) => compare::run(&arguments.global, options),
    }
}

/// Lets ctrl-C stop after the kernel at work; a second one ends the program at once.
fn watch_for_interrupt() -> Result<&'static AtomicBool, Failure> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("\ninterrupted: writing what was measured (once more to leave at once)");
    })
    .map_err(|error| Failure::new(format!("cannot watch for ctrl-C: {error}")))?;
    Ok(&INTERRUPTED)
}
