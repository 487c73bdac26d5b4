//! The command line as typed, checked into what it means. Source: thesis, section 3.7.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

use crate::units::Hertz;

/// A command that leads to a runner, and on how many machines it is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerChoice {
    count: u32,
    text: String,
    words: Vec<String>,
}

impl RunnerChoice {
    /// The commands to run, each with what to call its machine, as program and arguments.
    pub fn commands(&self) -> impl Iterator<Item = (String, Vec<String>)> + '_ {
        (1..=self.count).map(|number| {
            let name = if self.count == 1 {
                format!("'{}'", self.text)
            } else {
                format!("'{}' number {number}", self.text)
            };
            (name, self.words.clone())
        })
    }
}

/// Measures how long every instruction of this CPU takes.
#[derive(Debug, Parser)]
#[command(
    name = "winic",
    version,
    about = "Measures latency per operand and throughput of every instruction of this CPU",
    after_help = EXAMPLES,
    max_term_width = 100
)]
pub struct Arguments {
    /// What holds for all modes.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub mode: Mode,
}

const EXAMPLES: &str = "\
Examples:
  winic TP                                   throughput of every register-only form, into a dated file
  winic ALL --x87FP -o cpu.yaml              throughput and latency of everything, in one run
  winic LAT -o cpu.yaml                      latency of every edge, merged into cpu.yaml
  winic ALL --x87FP -o cpu.yaml              throughput and latency of everything, in one run
  winic LAT -o cpu.yaml --resume             the same, going on where it was stopped, however that was
  winic LAT -i IMUL64rr VFMADD231PDr         two forms only; helpers are found and measured by themselves
  winic -f 3.2 TP -i ADC64ri32               with a clock that is fixed at 3.2 GHz
  winic MAN -p asm/IMUL64rr_TP.s --funcName IMUL64rr_TP_single -n 48
                                             a kernel that was edited by hand
  winic -c skylake --device mca LAT          what LLVM's scheduling model of another CPU says
  winic compare cpu.yaml                     where LLVM's scheduling model of the CPU is wrong
  winic --runner 'ssh node winic-runner' TP  the same for another machine, which needs no LLVM
  winic --jobs 4 LAT                         four cores at once
  winic list                                 the forms that this CPU executes, by LLVM name

Exit status: 0 the run completed, 1 an instruction asked for by name got no value,
2 the run could not be done, 130 interrupted (what was measured is written).";

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
        let arguments = Self::try_parse_from(words)?;
        // Of an option on both sides of the mode clap forgets those in front.
        if arguments.global.runners.len() == given {
            return Ok(arguments);
        }
        let text = "--runner stands before the mode and after it: put all on one side";
        Err(Self::command().error(ErrorKind::ArgumentConflict, text))
    }
}

/// Options that may stand before or after the mode.
#[derive(Debug, Clone, Args)]
pub struct Global {
    /// The core's fixed clock frequency; without it cycles are measured against a known chain
    #[arg(short, long, global = true, value_name = "GHz", value_parser = frequency)]
    pub frequency: Option<Hertz>,
    /// Print debug messages
    #[arg(short, long, global = true)]
    pub debug: bool,
    /// The CPU, by LLVM's name, where LLVM cannot detect it
    #[arg(short, long, global = true)]
    pub cpu: Option<String>,
    /// The architecture, where it is not this machine's (x86_64)
    #[arg(short, long, global = true, value_name = "ARCH")]
    pub march: Option<String>,
    /// Run kernels on this instead of the machine: `mca` is LLVM's scheduling model of the CPU,
    /// `mca:CPU` that of another one
    #[arg(long, global = true, value_name = "DEVICE", value_parser = device)]
    pub device: Option<DeviceChoice>,
    /// Run kernels where this command leads to: it is split as a shell splits words, and a
    /// winic-runner must answer, as in 'ssh node winic-runner'. Several times, or with a count in
    /// front as in 4:'srun -N1 winic-runner', spreads the work over machines of one kind
    #[arg(long = "runner", global = true, value_name = "[N:]COMMAND", conflicts_with = "device", value_parser = runner)]
    pub runners: Vec<RunnerChoice>,
    /// Run kernels on this many physical cores of this machine at once
    #[arg(long, global = true, value_name = "N", conflicts_with_all = ["runners", "device"], value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,
    /// Execute kernels without timing them, as happens by itself in an emulator
    #[arg(long = "noTiming", global = true)]
    pub no_timing: bool,
    /// Write where the time went to a file, as JSON
    #[arg(long, global = true, value_name = "FILE", hide = true)]
    pub times: Option<PathBuf>,
}

/// What kernels run on, where that is not this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceChoice {
    /// LLVM MCA with the model of a CPU, by LLVM's name, or else of the target's.
    Simulator(Option<String>),
}

impl Global {
    /// Whether they say which machine is meant, so that it may not be this one.
    #[must_use]
    pub fn names_a_machine(&self) -> bool {
        let named = self.march.is_some() || self.cpu.is_some() || self.device.is_some();
        named || !self.runners.is_empty()
    }
}

/// Modes.
#[derive(Debug, Subcommand)]
pub enum Mode {
    /// Measure throughput
    #[command(name = "TP", alias = "tp")]
    Throughput(Measure),
    /// Measure latency from every operand to every result
    #[command(name = "LAT", alias = "lat")]
    Latency(Measure),
    /// Measure throughput and latency in one run
    #[command(name = "ALL", alias = "all")]
    All(Measure),
    /// Time a function of an assembly file
    #[command(name = "MAN", alias = "man")]
    Manual(Manual),
    /// Assemble standard input within limits of memory and time, for MAN
    #[command(name = "object", hide = true)]
    Object,
    /// List instruction forms
    #[command(name = "list", alias = "LIST")]
    List(List),
    /// Hold a database against LLVM's scheduling model of its CPU, or against another database
    #[command(name = "compare")]
    Compare(Compare),
}

/// Options of the measuring modes.
#[derive(Debug, Clone, Args)]
pub struct Measure {
    /// Measure only these forms (LLVM names, see `winic list`); their kernels go to asm/
    #[arg(short, long = "instruction", value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    pub instructions: Vec<String>,
    /// Measure only opcodes from this number of LLVM's on
    #[arg(long = "minOpcode", value_name = "N")]
    pub min_opcode: Option<u32>,
    /// Measure only opcodes up to this number of LLVM's
    #[arg(long = "maxOpcode", value_name = "N")]
    pub max_opcode: Option<u32>,
    /// Write no report file
    #[arg(long = "noReport")]
    pub no_report: bool,
    /// The database; results are merged into an existing one; /dev/null for none
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Go on from what an earlier run, of the same options, had measured when it was stopped
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// Stop early and write down what there is: the forms, the first round's experiments, their
    /// kernels (asm/) or shared objects (artifacts/)
    #[arg(long = "stop-after", value_name = "STAGE", value_enum)]
    pub stop_after: Option<Stage>,
    /// Measure x87 floating-point forms too
    #[arg(long = "x87FP")]
    pub x87: bool,
}

/// A stage of a run after which it can stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// Which forms there are.
    Forms,
    /// Which experiments to make first.
    Plan,
    /// The kernels that answer them, as text.
    Kernels,
    /// The kernels as shared objects.
    Artifacts,
}

/// Options of the manual mode.
#[derive(Debug, Args)]
pub struct Manual {
    /// The assembly file
    #[arg(short, long, value_name = "FILE")]
    pub path: PathBuf,
    /// The function to time: `void f(uint64_t loop_count)`
    #[arg(long = "funcName", value_name = "NAME")]
    pub function: String,
    /// Instructions in its loop body
    #[arg(short = 'n', long = "nInst", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub instructions: u32,
    /// A function `void f(void)` to call before each timed call
    #[arg(long = "initName", value_name = "NAME")]
    pub init: Option<String>,
}

/// Options of the listing.
#[derive(Debug, Args)]
pub struct List {
    /// Every opcode, with the reason for each that is not a form of this CPU
    #[arg(long)]
    pub all: bool,
    /// Execute nothing: say only what LLVM's tables tell, the same on every machine
    #[arg(long = "noProbe")]
    pub no_probe: bool,
}

/// Options of the comparison.
#[derive(Debug, Args)]
pub struct Compare {
    /// What was measured
    #[arg(value_name = "FILE")]
    pub measured: PathBuf,
    /// Another database to hold it against; else the model of the CPU that -c or the file names
    #[arg(value_name = "OTHER")]
    pub reference: Option<PathBuf>,
    /// Write every pair of figures to a table, tab-separated
    #[arg(long, value_name = "FILE")]
    pub tsv: Option<PathBuf>,
}

fn device(text: &str) -> Result<DeviceChoice, String> {
    match text.split_once(':') {
        None if text == SIMULATOR => Ok(DeviceChoice::Simulator(None)),
        Some((SIMULATOR, cpu)) if !cpu.is_empty() => {
            Ok(DeviceChoice::Simulator(Some(cpu.to_owned())))
        }
        _ => Err(format!("there is no device '{text}'; there is {SIMULATOR} and {SIMULATOR}:CPU")),
    }
}

const SIMULATOR: &str = "mca";

/// Reads a command line, the program's name first.
///
/// # Errors
/// When it says nothing that winic could do, or asks for help; the text is for the user.
pub fn parse<'a>(
    words: impl Iterator<Item = &'a str>,
) -> Result<Arguments, impl std::error::Error> {
    Arguments::read(words.map(OsString::from))
}

fn runner(text: &str) -> Result<RunnerChoice, String> {
    let counted = text.split_once(':').and_then(|(count, command)| {
        let is_number = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some((count, command))
    });
    let (count, command) = match counted {
        Some((count, command)) => {
            let count = count.parse().ok().filter(|&count| count > 0);
            (count.ok_or_else(|| format!("'{text}' is for no machine at all"))?, command)
        }
        None => (1, text),
    };
    match shlex::split(command) {
        Some(words) if !words.is_empty() => {
            Ok(RunnerChoice { count, text: command.to_owned(), words })
        }
        Some(_) => Err("the command is empty".to_owned()),
        None => Err(format!("'{command}' has a quote that does not end")),
    }
}

fn frequency(text: &str) -> Result<Hertz, String> {
    let gigahertz: f64 = text.parse().map_err(|_| format!("'{text}' is not a number of GHz"))?;
    Hertz::new(gigahertz * 1e9).map_err(|_| "the frequency must be above 0 GHz".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(line.split(' '))
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
        ] {
            let error = parse(line).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }
}
