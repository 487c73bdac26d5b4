//! Any machine as a device: a command whose standard input and output lead to a runner.

use std::process::Command;
use std::time::Duration;

use super::session::Session;
use super::{Device, DeviceError, HostDescription, KernelReport};
use crate::artifact::{Artifact, KernelId};

/// A runner behind a command such as `ssh node winic-runner`. The command is run again when its
/// runner is needed after it broke or was stopped; dropping the device ends it.
pub struct RemoteDevice {
    words: Vec<String>,
    session: Session,
}

impl RemoteDevice {
    /// Runs the command, given as the program and its arguments. A runner that is silent for longer
    /// than `limit`, beside what it was told to wait, is broken; see [`super::ANSWER_LIMIT`].
    ///
    /// # Errors
    /// When it cannot be run, or what answers is no runner, or nothing answers.
    pub fn start(words: Vec<String>, limit: Duration) -> Result<Self, DeviceError> {
        let session = Session::start(command(&words), limit)?;
        Ok(Self { words, session })
    }
}

fn command(words: &[String]) -> Command {
    let mut words = words.iter();
    let mut command = Command::new(words.next().map_or("", String::as_str));
    command.args(words);
    command
}

impl Device for RemoteDevice {
    fn describe(&self) -> &HostDescription {
        self.session.host()
    }

    fn run(
        &mut self,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<(), DeviceError> {
        self.session.run(|| command(&self.words), artifact, deliver)
    }
}
