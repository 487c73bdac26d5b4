//! winic-runner: runs kernels for a winic at the other end of its standard input and output.

use std::env;
use std::error::Error;
use std::io::{self, BufReader};
use std::process::ExitCode;

use winic::device::PROTOCOL;
use winic::device::gpu::{self, GpuChoice};
use winic::device::runner::{self, Options};

fn main() -> ExitCode {
    if env::args().any(|argument| argument == "--help") {
        println!("{}", runner::USAGE);
        return ExitCode::SUCCESS;
    }
    if env::args().any(|argument| argument == "--version") {
        println!("winic-runner {} (protocol {PROTOCOL})", env!("CARGO_PKG_VERSION"));
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

/// Artifacts are some megabytes; the standard input's own buffer would be filled hundreds of times.
const INPUT_BUFFER: usize = 1 << 20;

/// The options of a runner for a GPU, and of the processes that it starts.
const GPU: &str = "--gpu";

fn serve() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [gpu::CHILD] => return Ok(gpu::serve_child(&mut io::stdin().lock(), &mut io::stdout())?),
        [GPU, choice] => {
            let wrong = || format!("`{choice}` is no value for {GPU}; try `winic-runner --help`");
            let choice = GpuChoice::read(choice).ok_or_else(wrong)?;
            return Ok(gpu::serve(choice, &mut io::stdin().lock(), &mut io::stdout().lock())?);
        }
        _ => {}
    }
    let options = Options::read(env::args().skip(1))?;
    let mut input = BufReader::with_capacity(INPUT_BUFFER, io::stdin().lock());
    Ok(runner::serve(&options, &mut input, &mut io::stdout().lock())?)
}
