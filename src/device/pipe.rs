//! Pipes whose other end is not waited for without end.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::leave::interrupted_since;

/// How long the other side is still waited for once the user wants to leave.
const GRACE: Duration = Duration::from_secs(2);

/// How often a wait looks whether the user does.
const GLANCE: Duration = Duration::from_millis(100);

/// An end of a pipe with a time by which the other side must have done its part. Past it, reading
/// and writing are errors of the kind [`io::ErrorKind::TimedOut`].
pub(super) struct Timed<P> {
    pipe: P,
    deadline: Instant,
}

impl<P: AsFd> Timed<P> {
    /// Past its time already.
    pub(super) fn new(pipe: P) -> Self {
        Self { pipe, deadline: Instant::now() }
    }

    /// Gives the other side so much time from now on.
    pub(super) fn allow(&mut self, time: Duration) {
        // A time that no clock can tell is for ever.
        self.deadline = Instant::now().checked_add(time.min(FOREVER)).unwrap_or(self.deadline);
    }

    fn wait(&self, wanted: PollFlags) -> io::Result<()> {
        loop {
            let interrupted = interrupted_since().map(|since| since + GRACE);
            let end = interrupted.map_or(self.deadline, |end| end.min(self.deadline));
            let left = end.saturating_duration_since(Instant::now());
            if is_ready(self.pipe.as_fd(), wanted, left.min(GLANCE))? {
                return Ok(());
            }
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
    }
}

/// A century, about.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// Whether the other side has done its part, or does so within a time. A pipe that is closed is
/// ready: reading and writing say so.
fn is_ready(pipe: BorrowedFd<'_>, wanted: PollFlags, time: Duration) -> io::Result<bool> {
    // Rounded up, so that a wait never spins.
    let milliseconds = time.as_nanos().div_ceil(1_000_000) as u16;
    match poll(&mut [PollFd::new(pipe, wanted)], PollTimeout::from(milliseconds)) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::EINTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

impl<P: Read + AsFd> Read for Timed<P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.wait(PollFlags::POLLIN)?;
        self.pipe.read(buffer)
    }
}

impl<P: Write + AsFd> Timed<P> {
    /// For writing, which must take no more than there is room for.
    ///
    /// # Errors
    /// When the system cannot do that.
    pub(super) fn writing(pipe: P) -> io::Result<Self> {
        let flags = OFlag::from_bits_retain(fcntl(&pipe, FcntlArg::F_GETFL)?);
        fcntl(&pipe, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        Ok(Self::new(pipe))
    }
}

impl<P: Write + AsFd> Write for Timed<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.pipe.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.wait(PollFlags::POLLOUT)?;
                }
                other => return other,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pipe.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufRead as _;

    use super::*;

    const SHORT: Duration = Duration::from_millis(50);

    fn timed_out<T: std::fmt::Debug>(result: io::Result<T>) -> bool {
        result.is_err_and(|error| error.kind() == io::ErrorKind::TimedOut)
    }

    #[test]
    fn who_says_nothing_is_not_waited_for() {
        let (reader, mut writer) = io::pipe().unwrap();
        let mut reader = io::BufReader::new(Timed::new(reader));
        let mut line = String::new();
        assert!(timed_out(reader.read_line(&mut line)), "nobody allowed it any time");
        // Half a line, and then nothing.
        writer.write_all(b"half").unwrap();
        reader.get_mut().allow(SHORT);
        assert!(timed_out(reader.read_line(&mut line)));
        writer.write_all(b" a line\n").unwrap();
        reader.get_mut().allow(SHORT);
        reader.read_line(&mut line).unwrap();
        assert_eq!(line, "half a line\n");
        drop(writer);
        reader.get_mut().allow(SHORT);
        assert_eq!(reader.read_line(&mut line).unwrap(), 0);
    }

    #[test]
    fn who_takes_nothing_is_not_waited_for() {
        let (reader, writer) = io::pipe().unwrap();
        let mut writer = Timed::writing(writer).unwrap();
        writer.allow(SHORT);
        // No pipe holds so much.
        assert!(timed_out(writer.write_all(&vec![0; 64 << 20])));
        drop(reader);
        let error = writer.write_all(&[0]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn any_time_can_be_allowed() {
        let (reader, mut writer) = io::pipe().unwrap();
        let mut reader = Timed::new(reader);
        reader.allow(Duration::MAX);
        writer.write_all(b"x").unwrap();
        assert_eq!(reader.read(&mut [0]).unwrap(), 1);
    }
}
