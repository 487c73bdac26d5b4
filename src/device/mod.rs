//! What runs kernels and says how long they took. A device knows no instruction.

#[cfg_attr(target_os = "macos", path = "macos/affinity.rs")]
mod affinity;
mod child;
#[cfg_attr(target_os = "macos", path = "macos/claim.rs")]
mod claim;
mod connection;
mod cores;
mod elf;
pub mod gpu;
mod host;
mod leave;
mod loader;
pub mod local;
#[cfg(feature = "llvm")]
mod loops;
mod offline;
mod pipe;
mod place;
mod raw;
mod remote;
mod resources;
pub mod runner;
mod session;
mod settle;
#[cfg(feature = "llvm")]
mod simulator;
mod tick;
#[cfg_attr(target_os = "macos", path = "macos/topology.rs")]
mod topology;
mod untimed;
pub mod wire;

pub use connection::ANSWER_LIMIT;
pub use cores::CoreKind;
pub use leave::{interrupt, kill_runners};
pub use local::{LocalDevice, LocalOptions};
#[cfg(feature = "llvm")]
pub use loops::{LoopCode, LoopFailure, SharedObject, lowest_common_multiple};
pub use offline::{OfflineAnswers, OfflineError, Recorder};
pub use raw::{
    Difference, Fault, HostDescription, KernelReport, RawSample, Source, ThreadSample, TickSource,
    Window,
};
pub use remote::RemoteDevice;
pub use resources::{DataCache, LogicalCpu, Resources};
pub use settle::SHARED_PER_MILLE;
#[cfg(feature = "llvm")]
pub use simulator::SimulatorDevice;
pub use untimed::Untimed;
pub use wire::PROTOCOL;

use crate::artifact::{Artifact, KernelId};

/// Anything that runs artifacts: this machine, another one behind a pipe, a simulator.
pub trait Device {
    /// The machine behind it and how it tells time.
    fn describe(&self) -> &HostDescription;

    /// Whether nothing disturbs it and its ticks are cycles, as of a model: then nothing is gained
    /// from asking again, and what it says of a chain is what the chain takes.
    fn is_model(&self) -> bool {
        false
    }

    /// Runs every kernel of an artifact, in order, and delivers one report for each as it ends.
    /// A kernel that faults is a report; only a device that broke is an error. `deliver`
    /// returns `false` to stop early (the user interrupted): the rest are not run and that is no error.
    ///
    /// # Errors
    /// When the device cannot go on: its process died or its pipe carried nonsense.
    fn run(
        &mut self,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<(), DeviceError>;
}

/// Why a device cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The runner could not be started.
    #[error(
        "cannot start the runner {command}: {source}; {remedy}", remedy = start_remedy(source)
    )]
    Start {
        /// What was to be started.
        command: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The runner ended before it answered.
    #[error("the runner ended in the middle of its work ({0}); what it had measured is kept")]
    Died(String),
    /// The runner did not answer, and was ended.
    #[error(
        "the runner `{runner}` has not answered for {seconds} s and was ended; what it had measured \
         is kept; if it is only slow, give it longer with --runner-timeout SECONDS"
    )]
    Silent {
        /// Its command.
        runner: String,
        /// How long it was waited for.
        seconds: f64,
    },
    /// The user wanted to leave, and the runner did not answer.
    #[error("interrupted before the runner answered")]
    Interrupted,
    /// The system has no thread to serve a runner with.
    #[error("no thread can be made: {0}; raise the limit to processes (see `ulimit -u`)")]
    Thread(std::io::Error),
    /// The pipe failed.
    #[error("the pipe to the runner failed: {0}")]
    Pipe(#[from] std::io::Error),
    /// The runner sent something that is not of the protocol.
    #[error("the runner sent a line that is not of the protocol: {reason}; line: {line}")]
    Protocol {
        /// What is wrong with it.
        reason: String,
        /// The line, cut to a length a person can read.
        line: String,
    },
    /// Started again, the runner was on another kind of machine than before.
    #[error("the runner came back on another machine: {0}")]
    Moved(Difference),
    /// The runner could not do what it was asked.
    #[error("the runner reports: {0}")]
    Refused(String),
}

fn start_remedy(reason: &std::io::Error) -> &'static str {
    match reason.kind() {
        std::io::ErrorKind::WouldBlock => "raise the limit to processes (see `ulimit -u`)",
        _ => "`cargo build` makes it, WINIC_RUNNER says where it is",
    }
}
