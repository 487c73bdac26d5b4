//! The command line as typed, checked into what it means. Source: thesis, section 3.7.

mod compare;
mod device;
mod global;
mod list;
mod manual;
mod measure;
mod runner;

pub use compare::Compare;
pub use device::DeviceChoice;
pub use global::Global;
pub use list::List;
pub use manual::Manual;
pub use measure::{Measure, Stage};
pub use runner::RunnerChoice;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser, Subcommand};

/// A command line that makes sense.
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

Exit status: 0 the run completed, 1 an instruction asked for by name got no value
or `compare --exit-code` found a difference,
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
