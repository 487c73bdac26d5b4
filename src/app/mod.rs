//! What the modes do: from checked arguments to files and lines.

/// A line on standard output; see [`stdout`]. The standard library's macro would panic.
macro_rules! println {
    ($($line:tt)*) => { crate::app::stdout::write(format_args!("{}\n", format_args!($($line)*))) };
}
/// A line on standard error, which nobody may be reading.
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
mod diff;
mod export;
mod failure;
mod gpu;
mod listing;
mod machine;
mod manual;
mod measure;
mod names;
mod near;
mod plot;
mod predict;
mod progress;
mod reopened;
mod report;
mod shell;
mod show;
mod stdout;
mod times;

pub use failure::Failure;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{SigSet, Signal};

use crate::cli::{Arguments, Mode};
use crate::device;
use crate::study::Question;
use crate::study::core::QUESTION as CORE;
use crate::study::forward::QUESTION as FORWARD;
use crate::study::latency::QUESTION as LATENCY;
use crate::study::ports::QUESTION as PORTS;
use crate::study::throughput::QUESTION as THROUGHPUT;

/// The exit status of a run that the user stopped.
const INTERRUPTED_STATUS: u8 = 130;

/// Set when the user wants to stop.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Does what was asked.
///
/// # Errors
/// When it cannot be done; the text is one line.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    outlive_file_limit()?;
    if arguments.console.quiet {
        console::be_quiet();
    }
    let done = dispatch(arguments);
    let taken = stdout::finish();
    done.and_then(|status| taken.map(|()| status))
}

/// What `ALL` asks of a whole CPU.
static OF_A_CPU: [&Question; 4] = [&CORE, &THROUGHPUT, &LATENCY, &PORTS];
/// What `ALL` asks of some instructions. Who names them has no use for the core's figures; and to tell which
/// ports they use, hundreds of others would be measured beside them.
static OF_SOME_FORMS: [&Question; 2] = [&THROUGHPUT, &LATENCY];

fn questions_of_all(is_whole: bool) -> &'static [&'static Question] {
    if is_whole { &OF_A_CPU } else { &OF_SOME_FORMS }
}

fn dispatch(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.global.is_of_gpu() {
        return gpu::dispatch(arguments);
    }
    match &arguments.mode {
        Mode::Throughput(options) => measure::run(&arguments.global, options, &[&THROUGHPUT]),
        Mode::Latency(options) => measure::run(&arguments.global, options, &[&LATENCY]),
        Mode::Ports(options) => measure::ports(&arguments.global, options),
        Mode::All(options) => {
            measure::run(&arguments.global, options, questions_of_all(options.is_of_all()))
        }
        Mode::Core(options) => measure::run(&arguments.global, &options.measure(), &[&CORE]),
        Mode::Forward(options) => measure::run(&arguments.global, &options.measure(), &[&FORWARD]),
        Mode::Sweep(options) => measure::sweep(&arguments.global, &options.choice),
        Mode::Conclude(options) => measure::conclude(options),
        Mode::Predict(options) => predict::run(&arguments.global, options),
        Mode::Manual(options) => manual::run(&arguments.global, options),
        Mode::Completions(options) => shell::print_completions(options),
        Mode::ManualPages(options) => shell::write_manual_pages(options),
        Mode::Object => apart::serve(&arguments.global),
        Mode::List(options) => listing::run(&arguments.global, options),
        Mode::Compare(options) => compare::run(&arguments.global, options),
        Mode::Report(options) => report::run(options),
        Mode::Export(options) => export::run(options),
        Mode::Plot(options) => plot::run(options),
        Mode::Diff(options) => diff::run(options),
        Mode::Show(options) => show::run(options),
    }
}

/// Says why something was not done; the exit status that goes with it.
pub fn complain(failure: &Failure) -> ExitCode {
    eprintln!("winic: {failure}");
    failure.status()
}

/// Lets ctrl-C, and the signals by which batch systems and closed terminals end a program, stop after
/// the kernel at work; a second one ends the program and its runners at once. To be called before
/// anything is started.
fn watch_for_interrupt() -> Result<&'static AtomicBool, Failure> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            device::kill_runners();
            std::process::exit(INTERRUPTED_STATUS.into());
        }
        device::interrupt();
        remark!("\ninterrupted: writing what was measured (once more to leave at once)");
    })
    .map_err(|error| Failure::new(format!("cannot watch for ctrl-C: {error}{PROCESS_LIMIT}")))?;
    Ok(&INTERRUPTED)
}

/// Whether the user wants to stop.
fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// What to say of a thread that cannot be made.
const PROCESS_LIMIT: &str = "; raise the limit to processes (see `ulimit -u`)";

/// Makes the threads that plan, while there is nothing to lose.
fn start_planners() -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().build_global();
    pool.map_err(|error| Failure::new(format!("no thread can be made: {error}{PROCESS_LIMIT}")))
}

/// Has a limit to the sizes of files (`ulimit -f`) be an error of what exceeds it, and not the end of
/// the program. To be called before there are other threads, which do as this one does.
fn outlive_file_limit() -> Result<(), Failure> {
    SigSet::from(Signal::SIGXFSZ)
        .thread_block()
        .map_err(|error| Failure::new(format!("cannot block SIGXFSZ: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_a_cpu_has_its_ports() {
        let modes = |is_whole: bool| {
            questions_of_all(is_whole).iter().map(|question| question.mode).collect::<Vec<_>>()
        };
        assert_eq!(modes(true), ["CORE", "TP", "LAT", "PORTS"]);
        assert_eq!(modes(false), ["TP", "LAT"]);
    }
}
