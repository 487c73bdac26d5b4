//! What the modes do: from checked arguments to files and lines.

/// A line on standard output; see [`stdout`]. The standard library's macro would panic.
macro_rules! println {
    ($($line:tt)*) => { crate::app::stdout::write(format_args!("{}\n", format_args!($($line)*))) };
}
/// A line on standard error, which nobody may be reading.
macro_rules! eprintln {
    ($($line:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($line)*);
    }};
}

mod apart;
mod compare;
mod failure;
mod listing;
mod machine;
mod manual;
mod measure;
mod progress;
mod records;
mod report;
mod stdout;
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
    let done = dispatch(arguments);
    let taken = stdout::finish();
    done.and_then(|status| taken.map(|()| status))
}

fn dispatch(arguments: &Arguments) -> Result<ExitCode, Failure> {
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
