//! What a device hands over, before anything is concluded from it.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Resources;
use crate::files::one_line;
use crate::units::{Hertz, microseconds};

/// The machine behind a device and how it tells time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostDescription {
    /// Architecture as in LLVM triples: `x86_64`, `aarch64`, `riscv64`.
    pub architecture: String,
    /// The CPU's own name, e.g. `AMD EPYC 9B45`.
    pub cpu: String,
    /// What Linux says of this CPU in `/proc/cpuinfo`, by which LLVM can tell which one it is;
    /// empty where there is nothing of the kind.
    #[serde(default)]
    pub cpuinfo: String,
    /// The extensions of the architecture that the system knows of, by the system's names.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Operating system and release.
    pub system: String,
    /// What its times are times of.
    #[serde(default)]
    pub source: Source,
    /// The logical CPU that kernels are pinned to, if pinning worked.
    pub core: Option<u32>,
    /// Where ticks come from; `None` where nothing tells the time that a core takes (an
    /// emulator): then kernels are executed, not timed.
    pub ticks: Option<TickSource>,
    /// Ticks per second; `None` for a source that counts core cycles.
    pub tick_rate: Option<Hertz>,
    /// The smallest amount by which the tick counter was seen to advance.
    pub tick_step: u64,
    /// What may disturb measurements here and what would help, one sentence each.
    pub advice: Vec<String>,
    /// What it has for kernels that need more than a core.
    #[serde(default)]
    pub resources: Resources,
}

#[cfg(test)]
impl HostDescription {
    /// Of a machine that is only a test's.
    pub(crate) fn of_a_test() -> Self {
        Self {
            architecture: "toy".into(),
            cpu: "toy".into(),
            cpuinfo: String::new(),
            extensions: Vec::new(),
            system: "none".into(),
            source: Source::Measured,
            core: None,
            ticks: Some(TickSource::Monotonic),
            tick_rate: None,
            tick_step: 1,
            advice: Vec::new(),
            resources: Resources::default(),
        }
    }
}

/// How two machines differ that should be of one kind.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("its {what} is {that}, not {this}")]
pub struct Difference {
    what: &'static str,
    this: String,
    that: String,
}

/// Rates of one kind of clock differ by less.
const SAME_RATE: f64 = 0.01;

impl HostDescription {
    /// The name of its clock, for people.
    #[must_use]
    pub fn clock(&self) -> &'static str {
        self.ticks.map_or("none", TickSource::name)
    }

    /// With texts that do nothing to a terminal, but for `cpuinfo`, which is for LLVM alone.
    pub(super) fn tamed(self) -> Self {
        let all = |texts: Vec<String>| texts.iter().map(|text| one_line(text)).collect();
        Self {
            architecture: one_line(&self.architecture),
            cpu: one_line(&self.cpu),
            extensions: all(self.extensions),
            system: one_line(&self.system),
            advice: all(self.advice),
            ..self
        }
    }

    /// What makes another machine one of a different kind, if anything does: values from the two
    /// must not be mixed.
    #[must_use]
    pub fn difference(&self, that: &Self) -> Option<Difference> {
        let rate = |host: &Self| host.tick_rate.map_or_else(String::new, |rate| rate.to_string());
        let is_same_rate = match (self.tick_rate, that.tick_rate) {
            (Some(this), Some(that)) => (this.get() / that.get() - 1.0).abs() < SAME_RATE,
            (this, that) => this == that,
        };
        let facts = [
            ("architecture", self.architecture.clone(), that.architecture.clone()),
            ("CPU", self.cpu.clone(), that.cpu.clone()),
            ("clock", self.clock().to_owned(), that.clock().to_owned()),
            ("kind of machine", self.source.to_string(), that.source.to_string()),
        ];
        let mut differences = facts.into_iter().filter(|(_, this, that)| this != that);
        let difference = |(what, this, that)| Difference { what, this, that };
        differences
            .next()
            .map(difference)
            .or_else(|| (!is_same_rate).then(|| difference(("clock rate", rate(self), rate(that)))))
    }
}

/// Where values come from. Those of unlike sources are never mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A core of silicon, timed.
    #[default]
    Measured,
    /// A model of a core that says how many cycles pass: LLVM's tables, or a core's Verilog.
    Simulated,
    /// An emulator: it does what a core does, in a time of its own. Kernels are executed only.
    Emulated,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Measured => "measured",
            Self::Simulated => "simulated",
            Self::Emulated => "emulated",
        })
    }
}

/// A source of ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TickSource {
    /// Core cycles: in user mode, counted by `perf_event_open`, or a simulator's.
    CycleCounter,
    /// A time-stamp register read with the instructions of the architecture (`rdtscp`, `cntvct_el0`, `rdtime`).
    TimeStamp,
    /// `clock_gettime(CLOCK_MONOTONIC_RAW)`; a tick is a nanosecond.
    Monotonic,
}

/// A tick of a source that counts cycles.
#[cfg(feature = "llvm")]
pub(super) const TICK_OF_CYCLES: u64 = 1;

impl TickSource {
    /// All sources, the best first.
    pub const ALL: [Self; 3] = [Self::CycleCounter, Self::TimeStamp, Self::Monotonic];

    /// Its name, on the wire and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CycleCounter => "cycle-counter",
            Self::TimeStamp => "time-stamp",
            Self::Monotonic => "monotonic",
        }
    }
}

/// What a device says of one kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KernelReport {
    /// The probe ran to its end in so many ticks (the first execution).
    Executed {
        /// Duration of the one call.
        ticks: u64,
    },
    /// It was timed.
    Timed(RawSample),
    /// It was timed on several cores at the same time, or in a buffer: what each core saw.
    Parallel(Vec<ThreadSample>),
    /// It did not run to its end.
    Faulted(Fault),
}

/// The windows of one kernel, all taken in one child process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RawSample {
    /// Loop count of the kernel's functions in every window.
    pub iterations: u64,
    /// Loop count of the reference function in every window.
    pub reference_iterations: u64,
    /// Loop count of the sentinel in every window; 0 where the artifact has none.
    #[serde(default)]
    pub sentinel_iterations: u64,
    /// Ticks that a call of the reference function takes beyond its chain
    /// (reading the clock, call, return), measured in the same child.
    pub overhead: f64,
    /// The smallest step of the tick counter.
    pub tick_step: u64,
    /// How long it was waited for others to leave the core; on the wire in microseconds.
    #[serde(default, with = "microseconds")]
    pub waited: Duration,
    /// The windows, in the order taken.
    pub windows: Vec<Window>,
}

/// What one of the cores saw that ran a kernel at the same time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThreadSample {
    /// The logical CPU, if it is known.
    pub cpu: Option<u32>,
    /// How many bytes of its buffer lay in huge pages, if the system says; `None` without a buffer.
    pub huge: Option<u64>,
    /// Its windows.
    pub sample: RawSample,
}

/// `sentinel, ref, T(n), T(2n), ref, sentinel`, back to back, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Window {
    /// The reference before.
    pub reference_before: u64,
    /// The kernel with its body once per iteration.
    pub single: u64,
    /// The kernel with its body twice per iteration; 0 where the kernel has no such function.
    pub double: u64,
    /// The reference after.
    pub reference_after: u64,
    /// The longer of the two calls of the sentinel; 0 where the artifact has none.
    #[serde(default)]
    pub sentinel: u64,
}

/// Why a kernel did not run to its end. The names are stable: they stand in databases.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    thiserror::Error,
)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// `SIGILL`: this CPU does not have the instruction.
    #[error("illegal instruction")]
    IllegalInstruction,
    /// `SIGSEGV`: an invalid address, or an instruction that user mode may not execute.
    #[error("segmentation fault")]
    SegmentationFault,
    /// `SIGBUS`.
    #[error("bus error")]
    BusError,
    /// `SIGFPE`: the values do not suit the instruction (a division's quotient overflows).
    #[error("arithmetic fault")]
    ArithmeticFault,
    /// `SIGTRAP`: a breakpoint.
    #[error("trap")]
    Trap,
    /// `SIGSYS`: the kernel tried a system call.
    #[error("system call")]
    SystemCall,
    /// A simulator's model of the CPU leaves it out.
    #[error("not covered by the scheduling model")]
    NotModelled,
    /// It did not end in time.
    #[error("timed out")]
    TimedOut,
    /// `SIGKILL`: ended from outside, by a person or for want of memory; never by the kernel.
    #[error("killed from outside")]
    Killed,
    /// It returned with the stack pointer elsewhere.
    #[error("stack pointer clobbered")]
    ClobberedStackPointer,
    /// It returned with another value in a register that belongs to its caller.
    #[error("callee-saved register clobbered")]
    ClobberedRegister,
    /// It returned with a flag set that must be clear (x86: direction, alignment check).
    #[error("flags left dirty")]
    DirtyFlags,
    /// It returned with another rounding mode, exception mask or floating-point register stack.
    #[error("floating-point state left dirty")]
    DirtyFloatingPoint,
    /// It returned with another thread pointer or segment register.
    #[error("thread pointer or segment register clobbered")]
    ClobberedThreadPointer,
    /// Another signal, by its number.
    #[error("signal {0}")]
    Signal(i32),
    /// The child ended without having said anything, with this exit status.
    #[error("ended with status {0} without a result")]
    Exited(i32),
}

impl Fault {
    /// Whether it is a breakpoint, by which a kernel says that something is not as it should be.
    #[must_use]
    pub fn is_trap(self) -> bool {
        self == Self::Trap
    }
}
