//! The driver's side of the pipe: one runner process and what is said to it.

use std::io::{self, BufReader, Read as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::wire::{self, Reply, WireError};
use super::{DeviceError, HostDescription, KernelReport};
use crate::artifact::{Artifact, KernelId};

/// How long a runner may take to end after its pipe was closed.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often it is looked after in that time.
const GLANCE: Duration = Duration::from_millis(2);

/// How much of what a runner said on its standard error is kept, in bytes.
const LAST_WORDS: u64 = 1000;

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunEnd {
    /// All kernels were run; the runner waits for more.
    Complete,
    /// The receiver of the reports wanted no more; the runner is still busy.
    Stopped,
}

/// A runner that has greeted. Dropping it ends the process.
pub(super) struct Connection {
    process: Child,
    /// `None` once the runner was asked to end.
    requests: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
}

impl Connection {
    /// Starts a runner, in a process group of its own (an interrupt from the terminal is for the
    /// driver to decide on), and waits for its greeting.
    pub(super) fn open(mut command: Command) -> Result<(Self, HostDescription), DeviceError> {
        let name = command.get_program().to_string_lossy().into_owned();
        let start = |source| DeviceError::Start { command: name, source };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.process_group(0).spawn().map_err(start)?;
        let requests = process.stdin.take();
        let replies = process.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
        let mut connection = Self { process, requests, replies: BufReader::new(replies) };
        match connection.reply()? {
            Reply::Greeting(greeting) => Ok((connection, greeting.host)),
            other => Err(unexpected("a greeting", &other)),
        }
    }

    /// The runner's process, which is also the number of its process group.
    pub(super) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Has an artifact run.
    pub(super) fn run(
        &mut self,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<RunEnd, DeviceError> {
        self.request(artifact)?;
        for kernel in &artifact.kernels {
            match self.reply()? {
                Reply::Report(id, report) if id == kernel.id => {
                    if !deliver(id, report) {
                        return Ok(RunEnd::Stopped);
                    }
                }
                Reply::Error(reason) => return Err(DeviceError::Refused(reason)),
                other => return Err(unexpected(&format!("kernel {}", kernel.id.0), &other)),
            }
        }
        match self.reply()? {
            Reply::Done(kernels) if kernels == artifact.kernels.len() => Ok(RunEnd::Complete),
            Reply::Error(reason) => Err(DeviceError::Refused(reason)),
            other => Err(unexpected("the end of the run", &other)),
        }
    }

    fn request(&mut self, artifact: &Artifact) -> Result<(), DeviceError> {
        let Some(requests) = &mut self.requests else {
            return Err(DeviceError::Died("it was asked to end".to_owned()));
        };
        match wire::write_request(requests, artifact) {
            // What the runner died of says more than that its pipe is closed.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(self.obituary()),
            other => Ok(other?),
        }
    }

    fn reply(&mut self) -> Result<Reply, DeviceError> {
        match wire::read_reply(&mut self.replies) {
            Ok(Some(reply)) => Ok(reply),
            Ok(None) => Err(self.obituary()),
            // A line that ends early ends because its writer did.
            Err(WireError::Malformed { .. }) if self.has_ended() => Err(self.obituary()),
            Err(error) => Err(error.into()),
        }
    }

    fn has_ended(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(Some(_)))
    }

    /// What a runner that closed its output died of.
    fn obituary(&mut self) -> DeviceError {
        self.end();
        let status =
            self.process.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let mut words = Vec::new();
        if let Some(errors) = self.process.stderr.take() {
            // Without its last words the status must do.
            let _ = errors.take(LAST_WORDS).read_to_end(&mut words);
        }
        let words = String::from_utf8_lossy(&words);
        DeviceError::Died(match words.trim() {
            "" => status,
            words => format!("{status}: {words}"),
        })
    }

    /// Ends the runner and the kernel it is running, at once.
    pub(super) fn kill(mut self) {
        self.requests = None;
        self.kill_group();
    }

    /// Closes the pipe, waits for a while, and then no longer.
    fn end(&mut self) {
        self.requests = None;
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if self.has_ended() {
                return;
            }
            thread::sleep(GLANCE);
        }
        self.kill_group();
    }

    fn kill_group(&mut self) {
        // Once waited for, its number may be another's.
        if !self.has_ended() {
            let group = Pid::from_raw(self.process.id().cast_signed());
            // It can only fail by having ended just now.
            let _ = killpg(group, Signal::SIGKILL);
            let _ = self.process.wait();
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.end();
    }
}

fn unexpected(wanted: &str, reply: &Reply) -> DeviceError {
    let mut line = Vec::new();
    // Writing to memory does not fail, and an empty line would only say less.
    let _ = wire::write_reply(&mut line, reply);
    let line: String = String::from_utf8_lossy(&line).trim_end().chars().take(120).collect();
    DeviceError::Protocol { reason: format!("out of turn: wanted {wanted}"), line }
}
