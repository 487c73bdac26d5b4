//! The journal: every finding, on disk as soon as it is there, so that whatever ends a run loses
//! no more than the kernel at work.
//!
//! # The file
//!
//! It lies beside the database and is called like it with `.journal` behind. Each line is a
//! checksum (CRC-32 in eight hexadecimal digits), a space, and a JSON object: first the
//! [`JournalHeader`], which says what the findings hold for, then one line for each finding in the
//! order in which they came:
//!
//! ```text
//! 5a0c1b1e {"winic":"0.1.0 of sources 5eed5eed","llvm":"22.1.8","tables":"93c7a2f1", ...}
//! 4e20c891 {"experiment":{"Probe":{"opcode":431,"register":null}},"finding":{"Executed":{"ticks":2704}}}
//! ```
//!
//! Opcodes and registers are LLVM's numbers; the header's fingerprint of LLVM's tables guards
//! their meaning. The header and its name appear in one step ([`crate::files::create`]), so a
//! journal without a whole header is none of winic's. A line that was cut off by the end of
//! its writer, or that a disk has damaged, does not match its checksum: it is dropped, and its
//! experiment is made again.
//!
//! # Resuming
//!
//! A run asks again what it asked before, since what it asks depends on what it was told only.
//! [`Journal::recall`] answers from the file, each experiment with its findings one by one in
//! their order, and the device is asked for the rest. So a resumed run comes by the same steps
//! to the same end as one that nothing has stopped.
//!
//! What was found beside somebody who used the core from the first finding to the last looks as
//! good as any, until later ones show how fast the core is alone. So at the end of a resumed run what
//! has become doubtful is made again, once.
//!
//! The file is locked while a run is at work on it, and removed when its findings stand in the
//! database.

mod error;
mod record;

pub use error::JournalError;
pub use record::{Contents, JournalHeader, NoJournal};

use std::collections::VecDeque;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufReader, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};

use crate::experiment::Experiment;
use crate::files;
use crate::infer::Finding;
use crate::maps::Map;

/// How long findings may be known to the system's memory only: what a loss of power costs. The
/// end of the program alone, whatever it is, costs nothing.
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// What to do with the findings of an earlier run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// There must not be any.
    Anew,
    /// Go on from them.
    Resume,
}

/// Findings on their way to the disk, and those of an earlier run.
#[derive(Debug, Default)]
pub struct Journal {
    /// None if findings are kept nowhere.
    file: Option<JournalFile>,
    recorded: Map<Experiment, VecDeque<Finding>>,
    is_resumed: bool,
    damaged: usize,
}

#[derive(Debug)]
struct JournalFile {
    path: PathBuf,
    file: Flock<File>,
    synced: Instant,
}

impl Journal {
    /// For a run whose findings nobody wants to keep.
    #[must_use]
    pub fn nowhere() -> Self {
        Self::default()
    }

    /// Where the journal of a database is.
    #[must_use]
    pub fn beside(database: &Path) -> PathBuf {
        let mut name = database.as_os_str().to_owned();
        name.push(".journal");
        name.into()
    }

    /// Opens the journal at a path, or makes it. Findings of an earlier run are there to be
    /// recalled.
    ///
    /// # Errors
    /// When there are findings and the run starts anew, or they hold for something else than
    /// the header says; when another run is at work on the file; when what is there is no
    /// journal; when the system denies it. Nothing is changed then.
    pub fn open(path: &Path, header: &JournalHeader, start: Start) -> Result<Self, JournalError> {
        let path_of = || path.to_owned();
        let unwritable = |reason| JournalError::Unwritable { path: path_of(), reason };
        let (file, contents) = acquire(path, header)?;
        if start == Start::Anew && !contents.findings.is_empty() {
            return Err(JournalError::Exists {
                path: path_of(),
                findings: contents.findings.len(),
            });
        }
        if let Some(difference) = contents.header.difference(header) {
            return Err(JournalError::Other { path: path_of(), difference });
        }
        files::sweep(path);
        // A line that its writer could not finish must not run into the next one.
        file.set_len(contents.whole).map_err(unwritable)?;
        let mut recorded: Map<Experiment, VecDeque<Finding>> = Map::default();
        for (experiment, finding) in contents.findings {
            recorded.entry(experiment).or_default().push_back(finding);
        }
        let file = JournalFile { path: path_of(), file, synced: Instant::now() };
        let (is_resumed, damaged) = (!recorded.is_empty(), contents.damaged);
        Ok(Self { file: Some(file), recorded, is_resumed, damaged })
    }

    /// Whether there were findings of an earlier run.
    #[must_use]
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// Findings of an earlier run that were not recalled yet.
    #[must_use]
    pub fn remembered(&self) -> usize {
        self.recorded.values().map(VecDeque::len).sum()
    }

    /// Lines that were dropped because they do not match their checksums.
    #[must_use]
    pub fn damaged(&self) -> usize {
        self.damaged
    }

    /// The next finding that an earlier run made of an experiment.
    pub fn recall(&mut self, experiment: &Experiment) -> Option<Finding> {
        self.recorded.get_mut(experiment)?.pop_front()
    }

    /// Puts a finding on record.
    ///
    /// # Errors
    /// When it cannot be written; what was written before is intact.
    pub fn append(
        &mut self,
        experiment: &Experiment,
        finding: &Finding,
    ) -> Result<(), JournalError> {
        let Some(kept) = &mut self.file else { return Ok(()) };
        kept.append(&record::line(&record::FindingRecord { experiment, finding }))
            .map_err(|reason| JournalError::Unwritable { path: kept.path.clone(), reason })
    }

    /// Removes the file: its findings stand in the database now.
    ///
    /// # Errors
    /// When the system denies it.
    pub fn remove(self) -> Result<(), JournalError> {
        let Some(JournalFile { path, file, .. }) = self.file else { return Ok(()) };
        let removed = fs::remove_file(&path);
        drop(file);
        removed.map_err(|reason| JournalError::Unwritable { path, reason })
    }
}

impl JournalFile {
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        // One call, so that other programs see whole lines.
        self.file.write_all(line)?;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.file.sync_data()?;
            self.synced = Instant::now();
        }
        Ok(())
    }
}

/// How often a file may come and go while it is opened: others do so once at most.
const ATTEMPTS: usize = 100;

/// Locks and reads the journal at a path; one that is not there, or that has no findings, is
/// made with this header.
fn acquire(path: &Path, header: &JournalHeader) -> Result<(Flock<File>, Contents), JournalError> {
    let unwritable = |reason| JournalError::Unwritable { path: path.to_owned(), reason };
    for _ in 0..ATTEMPTS {
        let Some(file) = lock(path)? else {
            match files::create(path, &record::line(header)) {
                // Somebody else was as quick.
                Err(reason) if reason.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made.map_err(unwritable)?,
            }
            continue;
        };
        let contents = Contents::read(&mut BufReader::new(&*file))
            .map_err(|reason| JournalError::Foreign { path: path.to_owned(), reason })?;
        if !contents.findings.is_empty() || contents.header == *header {
            return Ok((file, contents));
        }
        // Of a run that had no time to find anything.
        fs::remove_file(path).map_err(unwritable)?;
    }
    Err(JournalError::Busy { path: path.to_owned() })
}

/// Opens and locks a journal; none if there is no file.
fn lock(path: &Path) -> Result<Option<Flock<File>>, JournalError> {
    let unreadable = |reason| JournalError::Unreadable { path: path.to_owned(), reason };
    let there = match fs::metadata(path) {
        Ok(there) if there.is_file() => there,
        Ok(_) => return Err(unreadable(io::Error::other("it is not a file"))),
        Err(reason) if reason.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(reason) => return Err(unreadable(reason)),
    };
    let file = match OpenOptions::new().read(true).append(true).open(path) {
        Ok(file) => file,
        Err(reason) if reason.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(reason) => return Err(unreadable(reason)),
    };
    let file = match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
        Ok(file) => file,
        Err((_, Errno::EWOULDBLOCK)) => {
            return Err(JournalError::Busy { path: path.to_owned() });
        }
        Err((_, error)) => return Err(unreadable(error.into())),
    };
    // Its last owner may have removed it meanwhile.
    let mine = file.metadata().map_err(unreadable)?;
    let same = fs::metadata(path).is_ok_and(|now| identity(&now) == identity(&mine));
    Ok((same && identity(&there) == identity(&mine)).then_some(file))
}

fn identity(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}
