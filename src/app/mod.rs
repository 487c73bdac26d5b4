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
    ($($line:tt)*) => { $crate::app::console::say(&format!($($line)*)) };
}
/// A line on stderr about how a run goes, which is left out when quiet.
macro_rules! remark {
    ($($line:tt)*) => {
        if !$crate::app::console::is_quiet() {
            $crate::app::console::say(&format!($($line)*));
        }
    };
}

mod apart;
mod compare;
mod console;
mod failure;
mod listing;
mod machine;
mod manual;
mod measure;
mod names;
mod progress;
mod records;
mod report;
mod shell;
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
    if arguments.console.quiet {
        console::be_quiet();
    }
    match &arguments.mode {
        Mode::Throughput(options) => {
            measure::run(&arguments.global, options, &[plan::Mode::Throughput])
        }
        Mode::Latency(options) => measure::run(&arguments.global, options, &[plan::Mode::Latency]),
        Mode::All(options) => {
            measure::run(&arguments.global, options, &[plan::Mode::Throughput, plan::Mode::Latency])
        }
        Mode::Manual(options) => manual::run(&arguments.global, options),
        Mode::Completions(options) => shell::print_completions(options),
        Mode::ManualPages(options) => shell::write_manual_pages(options),
        Mode::Object => apart::serve(&arguments.global),
        Mode::List(options) => listing::run(&arguments.global, options),
        Mode::Compare(options) => compare::run(&arguments.global, options),
    }
}

/// Says why something was not done; the exit status that goes with it.
pub fn complain(failure: &Failure) -> ExitCode {
    eprintln!("winic: {failure}");
    ExitCode::from(failure.status())
}

/// Lets ctrl-C stop after the kernel at work; a second one ends the program at once.
fn watch_for_interrupt() -> Result<&'static AtomicBool, Failure> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        remark!("\ninterrupted: writing what was measured (once more to leave at once)");
    })
    .map_err(|error| Failure::new(format!("cannot watch for ctrl-C: {error}")))?;
    Ok(&INTERRUPTED)
}
