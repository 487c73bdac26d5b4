//! This machine as a device: a runner process beside winic.

use std::env;
use std::io;
use std::iter;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::session::Session;
use super::{
    ANSWER_LIMIT, Device, DeviceError, HostDescription, KernelReport, TickSource, affinity, host,
    runner,
};
use crate::artifact::{Artifact, KernelId};

/// How to start the runner. The default finds it by itself and leaves everything to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalOptions {
    /// The program; else what WINIC_RUNNER names, else `winic-runner` beside this program.
    pub runner: Option<PathBuf>,
    /// The logical CPU to run kernels on; else the last one that is allowed and free.
    pub core: Option<u32>,
    /// Where ticks shall come from; else the best source that works.
    pub ticks: Option<TickSource>,
    /// CPU time after which a kernel is taken for one that never ends; else two seconds.
    pub watchdog: Option<Duration>,
    /// How long the runner may be silent; else [`super::ANSWER_LIMIT`], or longer with a watchdog that
    /// is.
    pub answer_limit: Option<Duration>,
}

impl LocalOptions {
    fn command(&self) -> Command {
        let mut command = Command::new(self.program());
        if let Some(core) = self.core {
            command.args(["--core", &core.to_string()]);
        }
        if let Some(ticks) = self.ticks {
            command.args(["--ticks", ticks.name()]);
        }
        if let Some(watchdog) = self.watchdog {
            command.args(["--watchdog", &watchdog.as_millis().to_string()]);
        }
        command
    }

    fn answer_limit(&self) -> Duration {
        // The runner's environment is this process's.
        let named = || runner::Options::read(iter::empty()).ok().map(|options| options.watchdog);
        let watchdog = self.watchdog.or_else(named).unwrap_or_default();
        self.answer_limit.unwrap_or_else(|| ANSWER_LIMIT.max(2 * runner::slowest_answer(watchdog)))
    }

    fn program(&self) -> PathBuf {
        self.runner.clone().unwrap_or_else(runner_program)
    }
}

/// The runner's program: what WINIC_RUNNER names, else `winic-runner` beside this program.
pub(super) fn runner_program() -> PathBuf {
    let named = || env::var_os("WINIC_RUNNER").map(PathBuf::from);
    let beside = || Some(env::current_exe().ok()?.with_file_name(RUNNER));
    named().or_else(beside).unwrap_or_else(|| RUNNER.into())
}

/// The runner's file name.
const RUNNER: &str = "winic-runner";

/// A runner process on this machine. It is started again when it is needed after it broke or
/// was stopped; dropping the device ends it.
pub struct LocalDevice {
    options: LocalOptions,
    session: Session,
}

impl LocalDevice {
    /// Starts the runner.
    ///
    /// # Errors
    /// When it cannot be started or does not greet as it should.
    pub fn start(options: LocalOptions) -> Result<Self, DeviceError> {
        let session = Session::start(options.command(), options.answer_limit())?;
        // Another runner must use the same core, even though this process may have left it.
        let core = session.host().core.or(options.core);
        Ok(Self { options: LocalOptions { core, ..options }, session })
    }

    /// The runner's process, while there is one.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.session.process_id()
    }
}

impl Device for LocalDevice {
    fn describe(&self) -> &HostDescription {
        self.session.host()
    }

    fn run(
        &mut self,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<(), DeviceError> {
        self.session.run(|| self.options.command(), artifact, deliver)
    }
}

/// Logical CPUs that this process may use, each on a physical core of its own, in order.
#[must_use]
pub fn physical_cores() -> Vec<u32> {
    let mut taken = Vec::new();
    let mut cores = Vec::new();
    for cpu in affinity::allowed() {
        if !taken.contains(&cpu) {
            cores.push(cpu);
            taken.extend(host::siblings(cpu));
        }
    }
    cores
}

/// Keeps this process, with all its threads, off the core that kernels run on, so that the
/// driver's own work does not disturb them. To be called after the device was started.
/// `false` when there is no other core to go to.
///
/// # Errors
/// When the system does not permit it.
pub fn leave_core(core: u32) -> io::Result<bool> {
    affinity::leave(core)
}
