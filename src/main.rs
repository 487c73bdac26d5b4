//! winic: see `winic --help`, and `lib.rs` for how the house is built.

use std::io::ErrorKind;
use std::process::ExitCode;

/// Prints help, or what is wrong with the command line. Who asked for help must get it: a closed
/// pipe has had enough of it, a full disk has not.
fn answered(answer: &winic::cli::Answer) -> ExitCode {
    match answer.print() {
        Err(error) if !answer.use_stderr() && error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("winic: cannot write standard output: {error}");
            ExitCode::from(2)
        }
        _ => u8::try_from(answer.exit_code()).map_or(ExitCode::from(2), ExitCode::from),
    }
}

fn main() -> ExitCode {
    let arguments = match winic::cli::Arguments::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(answer) => return answered(&answer),
    };
    arguments.console.set_colors();
    let level =
        if arguments.console.debug { log::LevelFilter::Debug } else { log::LevelFilter::Warn };
    env_logger::Builder::new().filter_level(level).format_timestamp(None).init();
    match winic::app::run(&arguments) {
        Ok(status) => status,
        Err(failure) => winic::app::complain(&failure),
    }
}
