//! winic: see `winic --help`, and `lib.rs` for how the house is built.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments =
        winic::cli::Arguments::read(std::env::args_os()).unwrap_or_else(|error| error.exit());
    arguments.console.set_colors();
    let level =
        if arguments.console.debug { log::LevelFilter::Debug } else { log::LevelFilter::Warn };
    env_logger::Builder::new().filter_level(level).format_timestamp(None).init();
    match winic::app::run(&arguments) {
        Ok(status) => status,
        Err(failure) => winic::app::complain(&failure),
    }
}
