//! Assembling what a person wrote in a process apart. A few bytes can ask LLVM for more memory or
//! time than there is, or for something that ends it; then that process is gone, and winic
//! says so in one line.

use std::io::{self, Read as _, Write as _};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::thread;

use nix::sys::resource::{Resource, setrlimit};

use super::machine::{Elsewhere, target};
use super::{Failure, PROCESS_LIMIT};
use crate::cli::Global;
use crate::codec::Assembler as _;
use crate::pipeline::Target;

/// The mode by which winic starts itself for it.
const MODE: &str = "object";

/// Memory for one file, LLVM itself included, in bytes.
const MEMORY: u64 = 2 << 30;

/// Time for one file, in seconds of a CPU.
const SECONDS: u64 = 10;

/// The longest text and the largest object, in bytes.
pub const SIZE: u64 = 64 << 20;

/// How much of its last words is read, in bytes.
const WORDS: u64 = 4096;

/// Assembles a text into an object file.
pub fn assemble(
    global: &Global,
    target: &Target,
    what: &str,
    text: &str,
) -> Result<Vec<u8>, Failure> {
    let failed =
        |error: io::Error| Failure::new(format!("cannot start the assembler for {what}: {error}"));
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    // Where the options are silent it is this machine in either process, with all that it has.
    if global.names_a_machine() {
        command.args(["--march", &target.set.architecture]);
        if !target.set.cpu.is_empty() {
            command.args(["--cpu", &target.set.cpu]);
        }
    }
    command.arg(MODE).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().map_err(failed)?;
    let (input, output, errors) =
        (process.stdin.take(), process.stdout.take(), process.stderr.take());
    let (object, words) = thread::scope(|scope| {
        let thread = |work| thread::Builder::new().spawn_scoped(scope, work);
        let write = move || {
            // If it does not read to the end, how it ended says why.
            input.map(|mut input| input.write_all(text.as_bytes()));
            Vec::new()
        };
        let words = move || errors.map_or_else(Vec::new, |errors| read(errors, WORDS));
        thread(Box::new(write) as Box<dyn FnOnce() -> Vec<u8> + Send>)?;
        let words = thread(Box::new(words))?;
        let object = output.map_or_else(Vec::new, |output| read(output, SIZE + 1));
        Ok((object, words.join().unwrap_or_default()))
    })
    .map_err(|error: io::Error| {
        Failure::new(format!("no thread can be made for the assembler: {error}{PROCESS_LIMIT}"))
    })?;
    let status = process.wait().map_err(failed)?;
    if object.len() as u64 > SIZE {
        return Err(Failure::new(format!("{what} assembles to more than {} MiB", SIZE >> 20)));
    }
    if !status.success() {
        return Err(refusal(what, status, &words));
    }
    Ok(object)
}

/// What can be read of a pipe, up to a limit. Whoever writes more gets an error for it.
fn read(pipe: impl io::Read, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A pipe that fails ends; how its writer ended says why.
    let _ = pipe.take(limit).read_to_end(&mut bytes);
    bytes
}

fn refusal(what: &str, status: ExitStatus, words: &[u8]) -> Failure {
    let words = String::from_utf8_lossy(words);
    let words = words.trim();
    Failure::new(match status.code() {
        Some(_) => format!(
            "the assembler refuses {what}: {}",
            words.strip_prefix("winic: ").unwrap_or(words)
        ),
        None => format!(
            "the assembler broke on {what} ({status}; {}): it asks for more than {} GiB or {SECONDS} s, \
             or for what LLVM cannot do",
            words.lines().next().unwrap_or("no message"),
            MEMORY >> 30
        ),
    })
}

/// The other side: reads the text from standard input and writes the object.
pub fn serve(global: &Global) -> Result<ExitCode, Failure> {
    for (resource, limit) in
        [(Resource::RLIMIT_AS, MEMORY), (Resource::RLIMIT_CPU, SECONDS), (Resource::RLIMIT_CORE, 0)]
    {
        setrlimit(resource, limit, limit)
            .map_err(|error| Failure::new(format!("cannot limit the assembler: {error}")))?;
    }
    let mut text = String::new();
    let failed = |error: io::Error| Failure::new(error.to_string());
    io::stdin().lock().read_to_string(&mut text).map_err(failed)?;
    let object = target(global, &Elsewhere::nowhere())?
        .llvm
        .assemble(&text)
        .map_err(|error| Failure::new(error.to_string()))?;
    io::stdout().lock().write_all(&object).map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}
