//! The driver's side of the pipe: one runner process and what is said to it.

use std::io::{self, BufReader, Read};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::gpu::{GpuJob, GpuReply};
use super::leave::{Group, interrupted_since};
use super::pipe::Timed;
use super::wire::{self, Reply, WireError};
use super::{DeviceError, HostDescription, KernelReport};
use crate::artifact::{Artifact, KernelId, ReferenceFunction, Selection};
use crate::files::one_line;

/// How long a runner may be silent, unless told otherwise. The slowest answer of one to a machine
/// that is not overloaded takes half of that: kernels that hang, until their watchdogs end them.
pub const ANSWER_LIMIT: Duration = Duration::from_secs(120);

/// A request may take a second more for so many bytes, over the slowest of lines.
const BYTES_PER_SECOND: u64 = 16 << 10;

/// How long a runner may take to end after its pipe was closed.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often it is looked after in that time.
const GLANCE: Duration = Duration::from_millis(2);

/// How much of what a runner said last on its standard error is kept, in bytes.
const LAST_WORDS: usize = 1000;

/// How much a pipe to a runner shall hold, in bytes: as much as Linux grants everybody. Artifacts are
/// some megabytes, and runner and driver take turns whenever the pipe is empty or full.
#[cfg(target_os = "linux")]
const PIPE: i32 = 1 << 20;

/// Makes a pipe hold more, where the system lets that be said; any pipe will do.
fn widen(pipe: &ChildStdin) {
    #[cfg(target_os = "linux")]
    if let Err(error) = nix::fcntl::fcntl(pipe, nix::fcntl::FcntlArg::F_SETPIPE_SZ(PIPE)) {
        log::debug!("the pipe to the runner stays as narrow as it is: {error}");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = pipe;
}

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
    /// The command, for people.
    name: String,
    process: Child,
    /// `None` once it has ended.
    group: Option<Group>,
    /// `None` once the runner was asked to end.
    requests: Option<Timed<ChildStdin>>,
    replies: BufReader<Timed<ChildStdout>>,
    /// How long it may be silent.
    limit: Duration,
    errors: Errors,
    /// Whether the runner keeps the artifact that it ran last.
    keeps: bool,
    /// What it has of that, once it was run.
    kept: Option<(Arc<[u8]>, ReferenceFunction)>,
}

impl Connection {
    /// Starts a runner, in a process group of its own (an interrupt from the terminal is for the
    /// driver to decide on), and waits for its greeting. It may be silent for as long as `limit`.
    pub(super) fn open(
        mut command: Command,
        limit: Duration,
    ) -> Result<(Self, HostDescription), DeviceError> {
        let name = command.get_program().to_string_lossy().into_owned();
        let start = |source| DeviceError::Start { command: name.clone(), source };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.process_group(0).spawn().map_err(start)?;
        let group = Some(Group::new(process.id()));
        let requests = process.stdin.take().inspect(widen).map(Timed::writing).transpose()?;
        let replies = process.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
        let errors = process.stderr.take().ok_or_else(|| io::Error::other("no error output"))?;
        let errors = Errors::listen(errors).map_err(DeviceError::Thread)?;
        let replies = BufReader::new(Timed::new(replies));
        let name = words(&command);
        let (keeps, kept) = (false, None);
        let mut connection =
            Self { name, process, group, requests, replies, limit, errors, keeps, kept };
        match connection.reply(limit)? {
            Reply::Greeting(greeting) => {
                connection.keeps = greeting.keeps;
                Ok((connection, greeting.host))
            }
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
        // It may wait for its neighbours as long as it was told to.
        let patience = artifact.sentinel.as_ref().map_or(Duration::ZERO, |it| it.patience);
        let limit = self.limit.saturating_add(patience);
        for kernel in &artifact.kernels {
            match self.reply(limit)? {
                Reply::Report(id, report) if id == kernel.id => {
                    if !deliver(id, report) {
                        return Ok(RunEnd::Stopped);
                    }
                }
                Reply::Error(reason) => return Err(DeviceError::Refused(reason)),
                other => return Err(unexpected(&format!("kernel {}", kernel.id.0), &other)),
            }
        }
        match self.reply(limit)? {
            Reply::Done(kernels) if kernels == artifact.kernels.len() => {
                let ran = || (Arc::clone(&artifact.image), artifact.reference.clone());
                self.kept = self.keeps.then(ran);
                Ok(RunEnd::Complete)
            }
            Reply::Error(reason) => Err(DeviceError::Refused(reason)),
            other => Err(unexpected("the end of the run", &other)),
        }
    }

    /// Has a job done on a GPU.
    pub(super) fn run_gpu(
        &mut self,
        job: &GpuJob,
        deliver: &mut dyn FnMut(GpuReply),
    ) -> Result<(), DeviceError> {
        self.send(job.module.len(), |requests| wire::write_gpu(requests, job))?;
        // Each line comes in the time that the runner gives its children; it may have to start one more.
        let longest = job.launches.iter().map(|launch| launch.hold).max().unwrap_or(0);
        let own = Duration::from_millis(2 * u64::from(job.limit) + u64::from(longest));
        let limit = self.limit.saturating_add(own);
        loop {
            match self.reply(limit)? {
                Reply::Gpu(reply) => deliver(*reply),
                Reply::Done(_) => return Ok(()),
                Reply::Error(reason) => return Err(DeviceError::Refused(reason)),
                other => return Err(unexpected("the job's next line", &other)),
            }
        }
    }

    fn request(&mut self, artifact: &Artifact) -> Result<(), DeviceError> {
        let is_kept = self.kept.take().is_some_and(|(image, reference)| {
            Arc::ptr_eq(&image, &artifact.image) && reference == artifact.reference
        });
        self.send(artifact.image.len(), |requests| match is_kept {
            true => wire::write_again(requests, Selection::of(artifact)),
            false => wire::write_request(requests, artifact),
        })
    }

    /// Writes a request of about so many bytes, in the time that takes.
    fn send(
        &mut self,
        bytes: usize,
        write: impl FnOnce(&mut Timed<ChildStdin>) -> io::Result<()>,
    ) -> Result<(), DeviceError> {
        let Some(requests) = &mut self.requests else {
            return Err(DeviceError::Died("it was asked to end".to_owned()));
        };
        let own = Duration::from_secs(bytes as u64 / BYTES_PER_SECOND);
        requests.allow(self.limit.saturating_add(own));
        match write(requests) {
            // What the runner died of says more than that its pipe is closed.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(self.obituary()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Err(self.silence(self.limit)),
            other => Ok(other?),
        }
    }

    /// One line, which must be there as a whole when the time is over.
    fn reply(&mut self, limit: Duration) -> Result<Reply, DeviceError> {
        self.replies.get_mut().allow(limit);
        match wire::read_reply(&mut self.replies) {
            Ok(Some(reply)) => Ok(reply),
            Ok(None) => Err(self.obituary()),
            // A line that ends early ends because its writer did.
            Err(WireError::CutOff { .. }) => Err(self.obituary()),
            Err(WireError::Pipe(error)) if error.kind() == io::ErrorKind::TimedOut => {
                Err(self.silence(limit))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Why nobody waits any longer. There is no reason to ask such a runner to end.
    fn silence(&mut self, limit: Duration) -> DeviceError {
        self.requests = None;
        self.kill_group();
        match interrupted_since() {
            Some(_) => DeviceError::Interrupted,
            None => DeviceError::Silent {
                runner: self.name.clone(),
                seconds: limit.as_secs_f64().ceil(),
            },
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
        DeviceError::Died(match self.errors.last_words().as_str() {
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
        while begin.elapsed() < PATIENCE && !self.has_ended() {
            thread::sleep(GLANCE);
        }
        self.kill_group();
    }

    /// Ends what is left of the runner and of what it started. (A group keeps its number while there
    /// is anybody in it, and a number that has just become free is not given to others soon.)
    fn kill_group(&mut self) {
        self.group = None;
        // It can only fail by having ended just now.
        let _ = self.process.wait();
    }
}

/// A command for people.
fn words(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy());
    one_line(&std::iter::once(program).chain(arguments).collect::<Vec<_>>().join(" "))
}

/// What a runner, and whatever leads to it, says on its standard error. Somebody must listen, or
/// it would have to wait for that one day.
struct Errors {
    said: Arc<Mutex<Vec<u8>>>,
    listener: Option<JoinHandle<()>>,
}

impl Errors {
    fn listen(mut errors: impl Read + Send + 'static) -> io::Result<Self> {
        let said = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&said);
        let listener = thread::Builder::new().spawn(move || {
            let mut heard = [0; LAST_WORDS];
            while let Ok(length @ 1..) = errors.read(&mut heard) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&heard[..length]);
                let old = kept.len().saturating_sub(LAST_WORDS);
                kept.drain(..old);
            }
        })?;
        Ok(Self { said, listener: Some(listener) })
    }

    /// The end of what was said, once the runner has ended. Something else that it started may
    /// live on and hold the pipe: that is not waited for.
    fn last_words(&mut self) -> String {
        let begin = Instant::now();
        while self.listener.as_ref().is_some_and(|listener| !listener.is_finished())
            && begin.elapsed() < PATIENCE
        {
            thread::sleep(GLANCE);
        }
        self.listener = None;
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        one_line(&String::from_utf8_lossy(&said).split_whitespace().collect::<Vec<_>>().join(" "))
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
