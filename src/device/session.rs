//! A runner that is started again when it is needed after it broke or was stopped.

use std::process::Command;
use std::time::Duration;

use super::connection::{Connection, RunEnd};
use super::{DeviceError, HostDescription, KernelReport};
use crate::artifact::{Artifact, KernelId};

/// A runner, as long as it is wanted. Dropping the session ends it.
pub(super) struct Session {
    connection: Option<Connection>,
    host: HostDescription,
    /// How long a runner may be silent.
    limit: Duration,
}

impl Session {
    /// Starts a runner, which may be silent for as long as `limit`.
    ///
    /// # Errors
    /// When it cannot be started or does not greet as it should.
    pub(super) fn start(command: Command, limit: Duration) -> Result<Self, DeviceError> {
        let (connection, host) = Connection::open(command, limit)?;
        Ok(Self { connection: Some(connection), host, limit })
    }

    /// The machine that the runner is on.
    pub(super) fn host(&self) -> &HostDescription {
        &self.host
    }

    /// The process that was started here, while there is one.
    pub(super) fn process_id(&self) -> Option<u32> {
        self.connection.as_ref().map(Connection::process_id)
    }

    /// Has an artifact run by the runner that is there, or by a new one. When the user wants to
    /// leave, a runner that does not answer is as good as one whose receiver wants no more.
    ///
    /// # Errors
    /// When there is none to be had, or it breaks.
    pub(super) fn run(
        &mut self,
        command: impl FnOnce() -> Command,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<(), DeviceError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => match self.reconnect(command()) {
                Err(DeviceError::Interrupted) => return Ok(()),
                connected => connected?,
            },
        };
        let end = connection.run(artifact, deliver);
        match end {
            // A runner that refuses has kept to the protocol and is ready for more.
            Ok(RunEnd::Complete) | Err(DeviceError::Refused(_)) => {
                self.connection = Some(connection);
            }
            Ok(RunEnd::Stopped) | Err(_) => connection.kill(),
        }
        match end {
            Ok(_) | Err(DeviceError::Interrupted) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// A queue of jobs may put the second runner elsewhere than the first.
    fn reconnect(&mut self, command: Command) -> Result<Connection, DeviceError> {
        let (connection, host) = Connection::open(command, self.limit)?;
        if let Some(difference) = self.host.difference(&host) {
            return Err(DeviceError::Moved(difference));
        }
        self.host = host;
        Ok(connection)
    }
}
