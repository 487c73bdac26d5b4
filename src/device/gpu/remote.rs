//! A GPU behind a runner, here or elsewhere.

use std::process::Command;
use std::time::Duration;

use super::{GpuChoice, GpuFacts, GpuJob, GpuReply};
use crate::device::connection::Connection;
use crate::device::{DeviceError, HostDescription, local};

/// How long a driver may take to tell what it has, in milliseconds: the first context after a start
/// of the system takes seconds.
const OPENING: u32 = 60_000;

/// A GPU. Dropping it ends its runner.
pub struct GpuDevice {
    connection: Connection,
    host: HostDescription,
    facts: GpuFacts,
}

impl GpuDevice {
    /// Starts a runner for a GPU: this machine's, or the one that a command leads to. It may be silent
    /// for as long as `limit` besides what jobs may take.
    ///
    /// # Errors
    /// When there is no runner, no driver, or no such GPU.
    pub fn start(
        choice: GpuChoice,
        words: Option<&[String]>,
        limit: Duration,
    ) -> Result<Self, DeviceError> {
        let mut command = match words {
            Some([program, arguments @ ..]) => {
                let mut command = Command::new(program);
                command.args(arguments);
                command
            }
            Some([]) | None => Command::new(local::runner_program()),
        };
        command.args(["--gpu", &choice.to_string()]);
        let (connection, host) = Connection::open(command, limit)?;
        let mut device = Self { connection, host, facts: GpuFacts::default() };
        let nothing = GpuJob { module: [].into(), launches: Vec::new(), limit: OPENING };
        let mut facts = Err(DeviceError::Refused("the driver said nothing of the GPU".to_owned()));
        device.run(&nothing, &mut |reply| match reply {
            GpuReply::Facts(found) => facts = Ok(found),
            GpuReply::Refused(reason) => facts = Err(DeviceError::Refused(reason)),
            GpuReply::Ready(_) | GpuReply::Launched(_) => {}
        })?;
        device.facts = facts?;
        Ok(device)
    }

    /// The machine that its runner is on.
    #[must_use]
    pub fn host(&self) -> &HostDescription {
        &self.host
    }

    /// The GPU.
    #[must_use]
    pub fn facts(&self) -> &GpuFacts {
        &self.facts
    }

    /// Has a job done, and delivers what is said of it.
    ///
    /// # Errors
    /// When the runner breaks, or the driver cannot go on.
    pub fn run(
        &mut self,
        job: &GpuJob,
        deliver: &mut dyn FnMut(GpuReply),
    ) -> Result<(), DeviceError> {
        self.connection.run_gpu(job, deliver)
    }
}
