//! The command line as typed, checked into what it means. Source: thesis, section 3.7.

mod compare;
mod conclude;
mod console;
mod core;
mod device;
mod diff;
mod examples;
mod export;
mod generated;
mod global;
mod list;
mod manual;
mod measure;
mod plot;
mod ports;
mod predict;
mod report;
mod results;
mod runner;
mod show;
mod sweep;

pub use self::core::MeasureCore;
pub use compare::Compare;
pub use conclude::Conclude;
pub use console::Console;
pub use device::DeviceChoice;
pub use diff::Diff;
pub use export::{Export, ExportFormat};
pub use generated::{Completions, ManualPages, completions, write_manual_pages};
pub use global::Global;
pub use list::List;
pub use manual::Manual;
pub use measure::{Measure, Stage};
pub use plot::Plot;
pub use ports::MeasurePorts;
pub use predict::Predict;
pub use report::Report;
pub use results::{Document, Results};
pub use runner::RunnerChoice;
pub use show::Show;
pub use sweep::{
    AccumulatorSweep, BandwidthSweep, GpuSweep, MeasureSweep, ProductSweep, RegisterSweep,
    SequenceSweep, SweepChoice, SweepOptions, SweepTables, ThreadSweep, TransitionSweep,
};

use std::ffi::OsString;

/// What a command line gets that does not run anything: help, or what is wrong with it.
pub use clap::Error as Answer;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

/// A command line that makes sense.
#[derive(Debug, Parser)]
#[command(
    name = "winic",
    version = version(),
    about = "Measures latency per operand and throughput of every instruction of this CPU",
    after_help = examples::OF_ALL,
    max_term_width = 100
)]
pub struct Arguments {
    /// What holds for all modes.
    #[command(flatten)]
    pub global: Global,
    /// What is said on the way.
    #[command(flatten)]
    pub console: Console,
    /// What to do.
    #[command(subcommand)]
    pub mode: Mode,
}

impl Arguments {
    /// Reads a command line, with the program's name in front.
    ///
    /// # Errors
    /// When it makes no sense; the error says what to do and has an exit status.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let words: Vec<OsString> = words.into_iter().collect();
        let is_runner = |word: &&OsString| {
            word.to_str().is_some_and(|word| word == "--runner" || word.starts_with("--runner="))
        };
        let given = words.iter().filter(is_runner).count();
        let command = tailored().color(console::choice(&words));
        let mut matches = command.try_get_matches_from(words)?;
        refuse_unused(&matches)?;
        let arguments = Self::from_arg_matches_mut(&mut matches)?;
        // (clap looks for what an option requires on its own side of the mode only.)
        if arguments.global.force_frequency && arguments.global.frequency.is_none() {
            let text = "--forceFrequency insists on the frequency of -f: give one";
            return Err(Self::command().error(ErrorKind::MissingRequiredArgument, text));
        }
        if arguments.global.generation.is_some() && !arguments.global.is_of_amx() {
            let text = "--generation is one of Apple's AMX: say -m amx, too";
            return Err(Self::command().error(ErrorKind::MissingRequiredArgument, text));
        }
        let is_here = !matches!(arguments.global.device, Some(DeviceChoice::Gpu(_)));
        if !arguments.global.runners.is_empty() && arguments.global.device.is_some() && is_here {
            let text =
                "the argument '--runner' cannot be used with '--device', unless that is a GPU";
            return Err(Self::command().error(ErrorKind::ArgumentConflict, text));
        }
        // Of an option on both sides of the mode clap forgets those in front.
        if arguments.global.runners.len() == given {
            return Ok(arguments);
        }
        let text = "--runner stands before the mode and after it: put all on one side";
        Err(Self::command().error(ErrorKind::ArgumentConflict, text))
    }
}

/// What winic, LLVM and the pipe to runners are.
fn version() -> String {
    let (own, llvm) = (env!("CARGO_PKG_VERSION"), crate::llvm::version());
    format!("{own} (LLVM {llvm}, runner protocol {})", crate::device::PROTOCOL)
}

/// Options of all modes that some have no use for: the mode, and the fields that hold them.
const UNUSED: &[(&str, &[&str])] = &[
    ("list", &["frequency", "force_frequency", "no_timing", "record", "stop_after", "times"]),
    ("CORE", STAGES),
    ("FORWARD", STAGES),
    ("MAN", STAGES),
    (
        "compare",
        &[
            "frequency",
            "force_frequency",
            "record",
            "runners",
            "runner_timeout",
            "jobs",
            "no_timing",
            "stop_after",
            "times",
        ],
    ),
    ("predict", &["generation", "force_frequency", "record", "jobs", "no_timing", "times"]),
    ("report", MACHINE),
    ("plot", MACHINE),
    ("show", MACHINE),
    ("diff", MACHINE),
    ("export", MACHINE),
    ("conclude", MACHINE),
    ("completions", MACHINE),
    ("man-pages", MACHINE),
];

const MACHINE: &[&str] = &[
    "generation",
    "frequency",
    "force_frequency",
    "cpu",
    "march",
    "device",
    "record",
    "runners",
    "runner_timeout",
    "jobs",
    "no_timing",
    "stop_after",
    "times",
];

/// Only runs that measure forms have stages.
const STAGES: &[&str] = &["stop_after"];

fn unused(mode: &str) -> &'static [&'static str] {
    UNUSED.iter().find(|(of, _)| *of == mode).map_or(&[], |(_, options)| options)
}

/// The command line, where each mode shows only the options that it has a use for.
fn tailored() -> Command {
    let command = Arguments::command();
    let options: Vec<clap::Arg> = command.get_arguments().cloned().collect();
    command.mut_subcommands(|mode| {
        let unused = unused(mode.get_name());
        let hidden = options.iter().filter(|option| unused.contains(&option.get_id().as_str()));
        let hidden: Vec<clap::Arg> = hidden.map(|option| option.clone().hide(true)).collect();
        mode.args(hidden)
    })
}

/// An option that the mode has no use for would be obeyed by nobody.
fn refuse_unused(matches: &ArgMatches) -> Result<(), clap::Error> {
    let Some((mode, of_mode)) = matches.subcommand() else { return Ok(()) };
    let is_given = |option: &&&str| {
        [matches, of_mode]
            .iter()
            .any(|matches| matches.value_source(option) == Some(ValueSource::CommandLine))
    };
    let Some(option) = unused(mode).iter().find(is_given) else { return Ok(()) };
    let command = Arguments::command();
    let names = command.get_arguments().find(|argument| argument.get_id() == *option);
    let name = names.and_then(clap::Arg::get_long).unwrap_or(option);
    let text = format!("{mode} has no use for --{name}");
    Err(Arguments::command().error(ErrorKind::ArgumentConflict, text))
}

/// Modes.
#[derive(Debug, Subcommand)]
pub enum Mode {
    /// Measure throughput
    #[command(name = "TP", alias = "tp", after_help = examples::THROUGHPUT)]
    Throughput(Measure),
    /// Measure latency from every operand to every result
    #[command(name = "LAT", alias = "lat", after_help = examples::LATENCY)]
    Latency(Measure),
    /// Find out which ports forms use, from what mixtures of them take
    #[command(name = "PORTS", alias = "ports", after_help = examples::PORTS)]
    Ports(MeasurePorts),
    /// Measure throughput and latency, and of a whole CPU its ports and the core itself, in one run
    #[command(name = "ALL", alias = "all", after_help = examples::ALL)]
    All(Measure),
    /// Measure the core itself: its clock and what its front end takes
    #[command(name = "CORE", alias = "core", after_help = examples::CORE)]
    Core(MeasureCore),
    /// Measure store forwarding: cycles from what is stored to what is loaded, by widths and offsets
    #[command(name = "FORWARD", alias = "forward", after_help = examples::FORWARD)]
    Forward(MeasureCore),
    /// Measure what one latency cannot say, as tables over grids: accumulators, threads, bandwidth, registers,
    /// transitions, sequences
    #[command(name = "SWEEP", alias = "sweep", after_help = examples::SWEEP)]
    Sweep(MeasureSweep),
    /// Conclude values from the evidence of earlier runs, without executing anything
    #[command(name = "conclude", after_help = examples::CONCLUDE)]
    Conclude(Conclude),
    /// Write a database as other programs read it: OSACA, llvm-exegesis, CSV, JSON, XML
    #[command(name = "export", after_help = examples::EXPORT)]
    Export(Export),
    /// Predict what a loop of an assembly file takes by a database: ports, chains, the front end
    #[command(name = "predict", after_help = examples::PREDICT)]
    Predict(Predict),
    /// Time a function of an assembly file
    #[command(name = "MAN", alias = "man", after_help = examples::MANUAL)]
    Manual(Manual),
    /// Print what makes a shell complete winic's command line
    #[command(name = "completions", hide = true)]
    Completions(Completions),
    /// Write the manual pages
    #[command(name = "man-pages", hide = true)]
    ManualPages(ManualPages),
    /// Assemble standard input within limits of memory and time, for MAN
    #[command(name = "object", hide = true)]
    Object,
    /// List instruction forms
    #[command(name = "list", alias = "LIST", after_help = examples::LIST)]
    List(List),
    /// Print how the figures of a database came about, or make a site of pages from databases
    #[command(name = "report", after_help = examples::REPORT)]
    Report(Report),
    /// Show what a database says of some forms, with the matrix of latencies between their operands
    #[command(name = "show", after_help = examples::SHOW)]
    Show(Show),
    /// Show what differs between two databases beyond their uncertainty, the largest first
    #[command(name = "diff", after_help = examples::DIFF)]
    Diff(Diff),
    /// Draw the sweeps of databases, of several machines in one picture
    #[command(name = "plot", after_help = examples::PLOT)]
    Plot(Plot),
    /// Hold a database against LLVM's scheduling model of its CPU, or against another database
    #[command(name = "compare", after_help = examples::COMPARE)]
    Compare(Compare),
}

/// Reads a command line, the program's name first.
///
/// # Errors
/// When it says nothing that winic could do, or asks for help; the text is for the user.
pub fn parse<'a>(
    words: impl Iterator<Item = &'a str>,
) -> Result<Arguments, impl std::error::Error> {
    Arguments::read(words.map(OsString::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(line.split(' '))
    }

    #[test]
    fn what_selects_no_instruction_is_of_all() {
        let is_of_all = |line: &str| match parse(line).unwrap().mode {
            Mode::All(measure) => measure.is_of_all(),
            _ => panic!("{line}"),
        };
        assert!(is_of_all("winic ALL") && is_of_all("winic ALL --x87FP -o cpu.yaml"));
        for selection in ["-i ADD64rr", "--minOpcode 10", "--maxOpcode 10"] {
            assert!(!is_of_all(&format!("winic ALL {selection}")), "{selection}");
        }
    }

    #[test]
    fn the_command_line_is_the_thesis_s() {
        for line in [
            "winic -f 3.2 TP",
            "winic TP -f 3.2",
            "winic -d -c znver5 -m x86_64 lat -i IMUL64rr ADC16ri ADC16ri8",
            "winic LAT --minOpcode 10 --maxOpcode 20 --noReport -o out.yaml --x87FP",
            "winic MAN -p a.s --funcName f -n 12 --initName i",
            "winic MAN -p a.s --funcName f -n 12",
            "winic -m amx --generation m2 --stop-after kernels TP -i vecfp_*",
            "winic man --path a.s --funcName f --nInst 12",
            "winic list --all",
        ] {
            assert!(parse(line).is_ok(), "{line}: {}", parse(line).unwrap_err());
        }
        let Mode::Latency(measure) = parse("winic LAT -i A B C").unwrap().mode else { panic!() };
        assert_eq!(measure.instructions, ["A", "B", "C"]);
    }

    #[test]
    fn runners_are_commands_as_a_shell_has_them() {
        let read = |words: &[&str]| Arguments::read(words.iter().map(OsString::from));
        let two = ["--runner", "ssh 'my node' winic-runner", "--runner=2:srun -N1 winic-runner"];
        let [first, command, second] = two;
        let Arguments { global, .. } = read(&["winic", first, command, second, "TP"]).unwrap();
        assert!(read(&["winic", first, command, "TP", second]).is_err());
        assert!(read(&["winic", "TP", first, command, second]).is_ok());
        let commands: Vec<_> = global.runners.iter().flat_map(RunnerChoice::commands).collect();
        assert_eq!(commands.len(), 3);
        assert_eq!(commands[0].1, ["ssh", "my node", "winic-runner"]);
        assert_eq!(commands[2].1, ["srun", "-N1", "winic-runner"]);
        assert_eq!(commands[2].0, "'srun -N1 winic-runner' number 2");
        for wrong in ["", "  ", "0:ssh node", "ssh 'node", "3:", "99999999999:ssh node"] {
            assert!(Arguments::try_parse_from(["winic", "--runner", wrong, "TP"]).is_err());
        }
        assert!(parse("winic --jobs 2 --runner ssh TP").is_err());
        assert!(parse("winic --jobs 0 TP").is_err());
        assert!(parse("winic TP --jobs 2 --noTiming").is_ok());
    }

    #[test]
    fn frequencies_must_be_positive_numbers() {
        for line in [
            "winic -f 0 TP",
            "winic -f=-1 TP",
            "winic -f x TP",
            "winic -f nan TP",
            "winic -f inf TP",
            "winic -f 3200 TP",
            "winic -f 1e99 TP",
        ] {
            let error = parse(line).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }
}
