//! The language between winic and a runner: one JSON object a line, over any pipe.
//!
//! A runner can be written in a hundred lines of any language, for a board without an operating
//! system or for a simulator; this page is all it must know.
//!
//! # The conversation
//!
//! 1. On start the **runner** says once who it is:
//!    `{"greeting": {"protocol": 5, "runner": "0.1.0", "keeps": true, "host": Host}}`
//! 2. The **driver** asks for an artifact to be run: `{"run": Artifact}`, and, of a runner that
//!    `keeps` the last one (others need not say so), for more of that: `{"again": Selection}`
//! 3. The **runner** answers with one line for every kernel, in the order of the artifact, when the
//!    kernel has ended or soon after: `{"kernel": 7, "report": Report}`
//! 4. and closes the run with the number of kernels it ran: `{"done": 300}`
//! 5. or, when it cannot go on with this run, with a reason: `{"error": "no symbol k7_single"}`.
//!    It then waits for the next request.
//!
//! The driver ends the conversation by closing the pipe. It stops a run by ending the runner.
//! Everything else is an error: a line that is cut off, too long ([`MAX_LINE`]), not JSON, or
//! with members other than these. The runner then writes one line on its standard error and
//! exits with a status other than 0; the driver gives up on the runner.
//!
//! # What the names stand for
//!
//! `Host` ([`HostDescription`]) is the machine. Only `cpuinfo`, `extensions` and `resources` may be left
//! out.
//! ```json
//! {"architecture": "riscv64", "cpu": "rocket", "cpuinfo": "", "extensions": ["zba"],
//!  "system": "bare metal", "core": null,
//!  "ticks": "cycle-counter", "tick_rate": null, "tick_step": 1, "advice": [],
//!  "resources": {"cpus": [{"cpu": 1, "core": 1}, {"cpu": 0, "core": 0}],
//!                "caches": [{"level": 1, "bytes": 49152, "shared": 1}], "memory": 4294967296}}
//! ```
//! `ticks` is `cycle-counter` where a tick is a cycle of the core, `time-stamp` or `monotonic`
//! where it is not (then `tick_rate` is in Hz), and `null` where nothing tells the time that a
//! core takes: such a runner is asked for probes only. `resources` is what a runner has for kernels that
//! need more than a core ([`Resources`]): logical CPUs in the order in which kernels take them, each with
//! the number of its physical core (two hardware threads of one core have the same), the caches of data
//! of the first of them, how many bytes buffers may have, and `low`, how many there are at
//! [`LOW_MEMORY`]: none where it is left out.
//!
//! `Artifact` ([`Artifact`]) is an ELF shared object in base64 and what to run in it. A runner
//! without a loader maps its loadable segments; there is nothing to be resolved.
//! ```json
//! {"image": "f0VMRgIB...", "reference": {"symbol": "reference_add", "cycles_per_iteration": 64},
//!  "sentinel": {"symbol": "busy", "quiet": 41.5, "patience": 90000},
//!  "kernels": [{"id": 7, "purpose": "time", "init": "phase", "single": "k7", "double": "k7_double",
//!               "alone": true, "needs": {"memory": 8192, "passes_memory": true, "cores": 1,
//!                                        "states": []}},
//!              {"id": 8, "purpose": "probe", "init": null, "single": "k8", "double": null}]}
//! ```
//! `Selection` ([`Selection`]) has the members `sentinel` and `kernels` of an artifact: the kernels to
//! run of the shared object that came last, beside the same reference. Only an answer that ends with
//! `done` lets the driver ask for that.
//!
//! Every symbol is a function `void f(uint64_t loop_count)` of the C calling convention. `init`,
//! where there is one, is called before each call of the kernel, with a small number that on a core
//! out of order should be another one each time: it lets the kernel begin in another phase.
//!
//! A runner that has a GPU answers `{"gpu": Job}` instead, with a line `{"gpu": ...}` for the GPU, one for
//! the module and one for each launch, and `done` or `error` as above: [`GpuJob`], [`GpuReply`].
//!
//! `needs`, where it stands, is what a kernel needs beside a core that runs its code: so many bytes of
//! memory, which begin at the image's symbol `winic_guard_low_end`, end at `winic_guard_high` and are
//! zeros when the kernel starts; `"low": true` puts as many bytes, guards around them, at the address
//! 0x60000000 in place of those ([`LOW_MEMORY`]); whether it waits for what it stored there, which a model of a core
//! without memory cannot answer; so many cores at once; states of the machine, by names of which
//! there are none so far. `"buffer": {"bytes": 1048576, "alignment": 2097152}` asks for memory to walk
//! through, all of it there before the kernel starts: so many zeros between guards, at a multiple of
//! `alignment`, a power of two. The runner puts its address into the eight bytes at the image's symbol
//! `winic_buffer`. A kernel for several cores has memory and a buffer on each of them. A runner that
//! lacks any of it answers with an error and runs nothing.
//!
//! `Report` ([`KernelReport`]) is one of four.
//! ```json
//! {"executed": {"ticks": 412}}
//! {"timed": {"iterations": 40, "reference_iterations": 60, "overhead": 21.5, "tick_step": 1,
//!            "windows": [{"reference_before": 3871, "single": 4022, "double": 7951,
//!                         "reference_after": 3870}]}}
//! {"parallel": [{"cpu": 1, "huge": 1048576,
//!                "sample": {"iterations": 40, "reference_iterations": 60, "overhead": 21.5,
//!                           "tick_step": 1, "windows": []}}]}
//! {"faulted": "illegal-instruction"}
//! ```
//! * A `probe` is one call of `single` with a loop count of 1: `executed`, and its ticks.
//! * A kernel to be timed is called in windows of four calls in this order: the reference with
//!   `reference_iterations`, `single` and `double` with `iterations`, the reference again; each
//!   figure is the ticks of one call. Choose the counts so that a call takes some hundred tick
//!   steps, and take windows until the smallest agree; six do for a machine that is deterministic.
//!   A machine that is shared with others also times the `sentinel`, with `sentinel_iterations`,
//!   before and after the four, and reports the longer of the two: it tells when they are at work.
//!   Where an iteration is known to take `quiet` cycles while nobody is, a runner may wait until it
//!   does, so many microseconds for all kernels as `patience` says, and tells in `waited` how many
//!   it did for this one. It need not for a kernel that is not to be `alone`, a chain, which leaves
//!   most of the core to others. Machines that nobody shares ignore all that.
//!   `double` is 0 where the kernel has no such function. `overhead` is what a call of the
//!   reference takes beyond its chain, as `2 T(n) - T(2n)` tells.
//! * A kernel to be timed that needs several cores or a buffer is `parallel`: a sample for each core, in
//!   the order of the host's `cpus`, all taken at the same time. While one core times a call of the
//!   kernel, all others run the same kernel; each has references of its own, on its own core. `cpu` is
//!   where it ran, and `huge` how many bytes of its buffer lay in huge pages, as the system said
//!   afterwards; both may be null where that is not known. To a probe cores do not matter.
//! * Whatever keeps a kernel from returning is `faulted`, by the names of [`Fault`]; `{"signal":
//!   7}` and `{"exited": 3}` stand for what has no name. What faults on one core ends on all.
//!
//! [`Fault`]: super::Fault
//! [`Resources`]: super::Resources
//! [`LOW_MEMORY`]: crate::artifact::LOW_MEMORY
//!
//! [`PROTOCOL`] changes whenever an old reader would misunderstand a new writer (CHANGELOG.md says
//! which version did); the driver looks at it before anything else in the greeting.

use std::io::{self, BufRead, Read as _, Write};

use serde::{Deserialize, Serialize};

use super::gpu::{GpuJob, GpuReply};
use super::{DeviceError, HostDescription, KernelReport};
use crate::artifact::{Artifact, KernelId, Selection};
use crate::files::one_line;

/// The version of the protocol that this winic speaks.
pub const PROTOCOL: u32 = 5;

/// The longest line, in bytes, that either side accepts: some hundred megabytes of code.
pub const MAX_LINE: u64 = 256 << 20;

/// How much of a bad line is shown, in characters.
const EXCERPT: usize = 120;

/// What the driver asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Request {
    /// Run every kernel of an artifact.
    Run(Artifact),
    /// Run kernels of the artifact before.
    Again(Selection),
    /// Run kernels on a GPU, of a runner that has one.
    Gpu(GpuJob),
}

/// What the runner answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// Who it is; the first line.
    Greeting(Greeting),
    /// One kernel has ended.
    Report(KernelId, KernelReport),
    /// The next line about a job for a GPU.
    Gpu(Box<GpuReply>),
    /// The run is complete; so many kernels were run.
    Done(usize),
    /// The run cannot go on, and why.
    Error(String),
}

/// The runner's first line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Greeting {
    /// The version of the protocol it speaks.
    pub protocol: u32,
    /// The version of the runner, for people.
    pub runner: String,
    /// Whether it keeps the artifact that came last, so that it need not be sent again.
    #[serde(default)]
    pub keeps: bool,
    /// The machine it runs on.
    pub host: HostDescription,
}

/// Why a line could not be had.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The pipe failed.
    #[error("the pipe failed: {0}")]
    Pipe(#[from] io::Error),
    /// The writer ended, or was ended, in the middle of a line.
    #[error("cut off before its end; line: {line}")]
    CutOff {
        /// What there is of it.
        line: String,
    },
    /// The line is not of the protocol.
    #[error("{reason}; line: {line}")]
    Malformed {
        /// What is wrong with it.
        reason: String,
        /// Its beginning.
        line: String,
    },
}

impl WireError {
    fn malformed(reason: impl Into<String>, line: &[u8]) -> Self {
        Self::Malformed { reason: one_line(&reason.into()), line: Self::excerpt(line) }
    }

    fn version(protocol: u32, line: &[u8]) -> Self {
        let reason = format!(
            "the runner speaks protocol {protocol}, this winic {PROTOCOL}: \
             build both from the same source"
        );
        Self::malformed(reason, line)
    }

    fn excerpt(line: &[u8]) -> String {
        let text = String::from_utf8_lossy(&line[..line.len().min(4 * EXCERPT)]);
        let mut excerpt: String = text.trim_end().chars().take(EXCERPT).collect();
        if excerpt.len() < text.trim_end().len() || line.len() > 4 * EXCERPT {
            excerpt.push_str("...");
        }
        // It may quote what the other side sent: on one line, and harmless to a terminal.
        one_line(&excerpt)
    }
}

impl From<WireError> for DeviceError {
    fn from(error: WireError) -> Self {
        match error {
            WireError::Pipe(source) => Self::Pipe(source),
            WireError::CutOff { .. } => Self::Died(error.to_string()),
            WireError::Malformed { reason, line } => Self::Protocol { reason, line },
        }
    }
}

/// Writes one line and flushes it.
///
/// # Errors
/// When the pipe fails.
pub fn write_request(output: &mut impl Write, artifact: &Artifact) -> io::Result<()> {
    // Borrowed, so that a driver need not clone a large image to send it.
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    enum Borrowed<'a> {
        Run(&'a Artifact),
    }
    write_line(output, &Borrowed::Run(artifact))
}

/// Writes the line that asks for more of the artifact before, and flushes it.
///
/// # Errors
/// When the pipe fails.
pub fn write_again(output: &mut impl Write, selection: Selection) -> io::Result<()> {
    write_line(output, &Request::Again(selection))
}

/// Writes the line that asks for a job on a GPU, and flushes it.
///
/// # Errors
/// When the pipe fails.
pub fn write_gpu(output: &mut impl Write, job: &GpuJob) -> io::Result<()> {
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    enum BorrowedGpu<'a> {
        Gpu(&'a GpuJob),
    }
    write_line(output, &BorrowedGpu::Gpu(job))
}

/// Reads one request; `None` when the driver has closed the pipe.
///
/// # Errors
/// When the pipe fails or the line is not a request.
pub fn read_request(input: &mut impl BufRead) -> Result<Option<Request>, WireError> {
    let Some(line) = read_line(input, MAX_LINE)? else { return Ok(None) };
    match serde_json::from_slice(&line) {
        Ok(request) => Ok(Some(request)),
        Err(error) => Err(WireError::malformed(format!("not a request: {error}"), &line)),
    }
}

/// Writes one line and flushes it.
///
/// # Errors
/// When the pipe fails.
pub fn write_reply(output: &mut impl Write, reply: &Reply) -> io::Result<()> {
    write_line(output, &Members::from(reply))
}

/// Reads one reply; `None` when the runner has closed the pipe.
///
/// # Errors
/// When the pipe fails, the line is not a reply, or a greeting is of another protocol.
pub fn read_reply(input: &mut impl BufRead) -> Result<Option<Reply>, WireError> {
    let Some(line) = read_line(input, MAX_LINE)? else { return Ok(None) };
    let members = serde_json::from_slice::<Members>(&line).map_err(|error| {
        let malformed = || WireError::malformed(format!("not a reply: {error}"), &line);
        other_version(&line).unwrap_or_else(malformed)
    })?;
    let reply = Reply::try_from(members).map_err(|reason| WireError::malformed(reason, &line))?;
    match reply {
        Reply::Greeting(Greeting { protocol, .. }) if protocol != PROTOCOL => {
            Err(WireError::version(protocol, &line))
        }
        reply => Ok(Some(tamed(reply))),
    }
}

/// A reply whose texts do nothing to a terminal.
fn tamed(reply: Reply) -> Reply {
    match reply {
        Reply::Greeting(Greeting { protocol, runner, keeps, host }) => Reply::Greeting(Greeting {
            protocol,
            runner: one_line(&runner),
            keeps,
            host: host.tamed(),
        }),
        Reply::Error(reason) => Reply::Error(one_line(&reason)),
        // (What a driver says is made one line where it is heard.)
        Reply::Report(..) | Reply::Gpu(_) | Reply::Done(_) => reply,
    }
}

/// What to say of a line that is a greeting of another version, which may have other members.
fn other_version(line: &[u8]) -> Option<WireError> {
    #[derive(Deserialize)]
    struct AnyGreeting {
        greeting: Version,
    }
    #[derive(Deserialize)]
    struct Version {
        protocol: u32,
    }
    let AnyGreeting { greeting: Version { protocol } } = serde_json::from_slice(line).ok()?;
    (protocol != PROTOCOL).then(|| WireError::version(protocol, line))
}

/// The members that a reply's line may have. Which combinations make sense is said by
/// `TryFrom`; serde's untagged enums would call every mistake by the same words.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Members {
    #[serde(skip_serializing_if = "Option::is_none")]
    greeting: Option<Greeting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kernel: Option<KernelId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<KernelReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gpu: Option<Box<GpuReply>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl From<&Reply> for Members {
    fn from(reply: &Reply) -> Self {
        let none = Self::default();
        match reply.clone() {
            Reply::Greeting(greeting) => Self { greeting: Some(greeting), ..none },
            Reply::Report(id, report) => Self { kernel: Some(id), report: Some(report), ..none },
            Reply::Gpu(reply) => Self { gpu: Some(reply), ..none },
            Reply::Done(kernels) => Self { done: Some(kernels), ..none },
            Reply::Error(reason) => Self { error: Some(reason), ..none },
        }
    }
}

impl TryFrom<Members> for Reply {
    type Error = &'static str;

    fn try_from(members: Members) -> Result<Self, &'static str> {
        let Members { greeting, kernel, report, gpu, done, error } = members;
        if let Some(reply) = gpu {
            let is_alone = greeting.is_none() && kernel.is_none() && report.is_none();
            let is_alone = is_alone && done.is_none() && error.is_none();
            return if is_alone { Ok(Self::Gpu(reply)) } else { Err(NOT_A_REPLY) };
        }
        match (greeting, kernel, report, done, error) {
            (Some(greeting), None, None, None, None) => Ok(Self::Greeting(greeting)),
            (None, Some(id), Some(report), None, None) => Ok(Self::Report(id, report)),
            (None, None, None, Some(kernels), None) => Ok(Self::Done(kernels)),
            (None, None, None, None, Some(reason)) => Ok(Self::Error(reason)),
            _ => Err(NOT_A_REPLY),
        }
    }
}

const NOT_A_REPLY: &str =
    "not a reply: wants `greeting`, or `kernel` with `report`, or `gpu`, or `done`, or `error`";

fn write_line(output: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

/// One line without its end; `None` at the end of the input.
fn read_line(input: &mut impl BufRead, limit: u64) -> Result<Option<Vec<u8>>, WireError> {
    let mut line = Vec::new();
    input.by_ref().take(limit + 1).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some(line));
    }
    if line.len() as u64 > limit {
        return Err(WireError::malformed(format!("longer than {limit} bytes"), &line));
    }
    Err(WireError::CutOff { line: WireError::excerpt(&line) })
}

#[cfg(test)]
mod tests;
