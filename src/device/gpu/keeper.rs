//! The runner's side of jobs for a GPU: it hands them to children and waits no longer than it is told.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use super::child::Task;
use super::{GpuChoice, GpuJob, GpuOutcome, GpuReply, GpuVendor};
use crate::device::pipe::Timed;
use crate::device::runner::RunnerError;
use crate::device::wire::{self, Greeting, Reply, Request};
use crate::device::{HostDescription, Resources, Source, host};
use crate::files::one_line;

/// The option by which a runner is a child of one.
pub const CHILD: &str = "--gpu-child";

/// Greets for a GPU and does jobs until the input ends.
///
/// # Errors
/// When a pipe fails or the other side does not keep to the protocol.
pub fn serve(
    choice: GpuChoice,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<(), RunnerError> {
    let runner = env!("CARGO_PKG_VERSION").to_owned();
    let host = describe(choice);
    let greeting = Greeting { protocol: wire::PROTOCOL, runner, keeps: false, host };
    wire::write_reply(output, &Reply::Greeting(greeting))?;
    let mut keeper = Keeper { choice, output, living: None };
    while let Some(request) = wire::read_request(input)? {
        let end = match request {
            Request::Gpu(job) => keeper.work(job)?,
            Request::Run(_) | Request::Again(_) => {
                Reply::Error("this runner has a GPU only: start it without --gpu".to_owned())
            }
        };
        wire::write_reply(keeper.output, &end)?;
    }
    Ok(())
}

/// Of the machine nothing is known before a child opens the driver.
fn describe(choice: GpuChoice) -> HostDescription {
    let architecture = match choice.vendor {
        GpuVendor::Cuda => "nvptx64",
        GpuVendor::Hip => "amdgcn",
    };
    HostDescription {
        architecture: architecture.to_owned(),
        cpu: choice.to_string(),
        cpuinfo: String::new(),
        extensions: Vec::new(),
        system: host::system(),
        source: Source::Measured,
        core: None,
        ticks: None,
        tick_rate: None,
        tick_step: 1,
        advice: Vec::new(),
        resources: Resources::default(),
    }
}

struct Keeper<'a, W> {
    choice: GpuChoice,
    output: &'a mut W,
    /// The child of the job before, if all that it did ended well: opening a driver takes longer than most
    /// jobs.
    living: Option<LivingChild>,
}

/// A child and its pipes.
struct LivingChild {
    child: Child,
    input: ChildStdin,
    replies: BufReader<Timed<ChildStdout>>,
}

/// How far a child came.
enum ChildProgress {
    /// It did all it was asked.
    Complete,
    /// It ended, and not because it was told to.
    Ended,
    /// It ended behind a launch that failed.
    Broken,
    /// It made its excuses before any launch.
    Refused,
    /// It said nothing for too long.
    Silent,
    /// It died.
    Died(i32),
    /// It said something that is not of the protocol.
    Nonsense(String),
}

impl<W: Write> Keeper<'_, W> {
    fn say(&mut self, reply: GpuReply) -> io::Result<()> {
        wire::write_reply(self.output, &Reply::Gpu(Box::new(reply)))
    }

    /// Does a job, in as many children as it takes.
    fn work(&mut self, job: GpuJob) -> io::Result<Reply> {
        let all = job.launches.len();
        let mut done = 0;
        let mut is_first = true;
        loop {
            let task = Task { choice: self.choice, job: job.clone(), done };
            let mut seen = Seen { launched: 0, is_ready: false, is_first };
            let progress = self.raise(&task, &mut seen)?;
            is_first = false;
            done += seen.launched;
            let limit = Duration::from_millis(job.limit.into());
            match (progress, seen.is_ready) {
                (ChildProgress::Complete | ChildProgress::Refused, _) => {
                    return Ok(Reply::Done(done));
                }
                // Before any launch: nothing more is to be had of this driver.
                (ChildProgress::Silent, false) => {
                    return Ok(Reply::Error(format!("the driver did not answer for {limit:?}")));
                }
                (ChildProgress::Died(signal), false) => {
                    return Ok(Reply::Error(format!("the driver died of signal {signal}")));
                }
                (ChildProgress::Nonsense(reason), _) => return Ok(Reply::Error(reason)),
                (ChildProgress::Ended, _) => {
                    return Ok(Reply::Error("a child of the runner ended early".to_owned()));
                }
                (ChildProgress::Broken, _) => {}
                (ChildProgress::Silent, true) => {
                    let launch = job.launches.get(done).map_or(0, |launch| launch.hold);
                    let seconds = (limit + Duration::from_millis(launch.into())).as_secs_f64();
                    self.say(GpuReply::Launched(GpuOutcome::TimedOut(seconds)))?;
                    done += 1;
                }
                (ChildProgress::Died(signal), true) => {
                    self.say(GpuReply::Launched(GpuOutcome::Crashed(signal)))?;
                    done += 1;
                }
            }
            if done >= all {
                return Ok(Reply::Done(done));
            }
        }
    }

    /// Has a child do a task, the living one or a new one. It lives on if the task ended well.
    fn raise(&mut self, task: &Task, seen: &mut Seen) -> io::Result<ChildProgress> {
        let (mut living, is_told) = self.told(task)?;
        let progress = match is_told {
            true => self.listen(&mut living.replies, task, seen)?,
            // It died; its status says of what.
            false => ChildProgress::Ended,
        };
        // What a product had of the GPU's memory ends with its process alone.
        let is_large = task.job.launches.iter().any(|launch| launch.product.is_some());
        if matches!(progress, ChildProgress::Complete) && !is_large {
            self.living = Some(living);
            return Ok(progress);
        }
        living.end(progress)
    }

    /// A child that has been told a task, and whether it could be. The living one may have died while it had
    /// nothing to do, which says nothing of the task.
    fn told(&mut self, task: &Task) -> io::Result<(LivingChild, bool)> {
        if let Some(mut living) = self.living.take() {
            if living.tell(task).is_ok() {
                return Ok((living, true));
            }
            living.end(ChildProgress::Ended)?;
        }
        let mut living = LivingChild::start()?;
        let is_told = living.tell(task).is_ok();
        Ok((living, is_told))
    }

    fn listen(
        &mut self,
        replies: &mut BufReader<Timed<ChildStdout>>,
        task: &Task,
        seen: &mut Seen,
    ) -> io::Result<ChildProgress> {
        loop {
            let launch = task.job.launches.get(task.done + seen.launched);
            let hold = launch.filter(|_| seen.is_ready).map_or(0, |launch| launch.hold);
            let limit = Duration::from_millis(u64::from(task.job.limit) + u64::from(hold));
            replies.get_mut().allow(limit);
            let mut line = String::new();
            match replies.read_line(&mut line) {
                Ok(0) => return Ok(ChildProgress::Ended),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    return Ok(ChildProgress::Silent);
                }
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    return Ok(ChildProgress::Nonsense(
                        "a child of the runner wrote no text".to_owned(),
                    ));
                }
                Err(error) => return Err(error),
            }
            // A line that is cut off is one of a child that died.
            if !line.ends_with('\n') {
                return Ok(ChildProgress::Ended);
            }
            let Ok(reply) = serde_json::from_str::<GpuReply>(&line) else {
                // A driver may print what it likes.
                log::debug!("the driver said: {}", one_line(&line));
                continue;
            };
            let is_repeated = !seen.is_first;
            match &reply {
                GpuReply::Facts(_) if is_repeated => continue,
                GpuReply::Ready(_) => {
                    seen.is_ready = true;
                    if is_repeated {
                        continue;
                    }
                }
                GpuReply::Launched(_) => seen.launched += 1,
                GpuReply::Facts(_) | GpuReply::Refused(_) => {}
            }
            let progress = match &reply {
                GpuReply::Refused(_) => Some(ChildProgress::Refused),
                GpuReply::Launched(GpuOutcome::Failed(_)) => Some(ChildProgress::Broken),
                reply if task.is_done(reply, seen.launched) => Some(ChildProgress::Complete),
                _ => None,
            };
            self.say(reply)?;
            if let Some(progress) = progress {
                return Ok(progress);
            }
        }
    }
}

/// What a child has said.
struct Seen {
    launched: usize,
    is_ready: bool,
    is_first: bool,
}

impl LivingChild {
    fn start() -> io::Result<Self> {
        let mut command = Command::new(env::current_exe()?);
        command.arg(CHILD).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(io::Error::other("a child without pipes"));
        };
        Ok(Self { child, input, replies: BufReader::new(Timed::new(output)) })
    }

    fn tell(&mut self, task: &Task) -> io::Result<()> {
        let mut line = serde_json::to_vec(task)?;
        line.push(b'\n');
        self.input.write_all(&line)
    }

    /// Ends a child that has said what it had to say, or nothing for too long.
    fn end(mut self, progress: ChildProgress) -> io::Result<ChildProgress> {
        if !matches!(progress, ChildProgress::Ended) {
            // It can only fail by having ended just now.
            let _ = self.child.kill();
        }
        let status = self.child.wait()?;
        match (progress, status.signal()) {
            (ChildProgress::Ended, Some(signal)) => Ok(ChildProgress::Died(signal)),
            (ChildProgress::Ended, None) if !status.success() => {
                Ok(ChildProgress::Nonsense(format!("a child of the runner ended with {status}")))
            }
            (progress, _) => Ok(progress),
        }
    }
}
