//! winic-runner: runs kernels for a winic at the other end of its standard input and output.

use std::env;
use std::error::Error;
use std::io;
use std::process::ExitCode;

use winic::device::runner::{self, Options};

fn main() -> ExitCode {
    if env::args().any(|argument| argument == "--help") {
        println!("{}", runner::USAGE);
        return ExitCode::SUCCESS;
    }
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("winic-runner: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve() -> Result<(), Box<dyn Error>> {
    let options = Options::read(env::args().skip(1))?;
    Ok(runner::serve(&options, &mut io::stdin().lock(), &mut io::stdout().lock())?)
}
