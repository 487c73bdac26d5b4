//! Evidence: everything that a run found, in a file beside its database, so that the database can
//! be concluded again: by anyone who wants to check a figure, and by better inference later.
//!
//! # The file
//!
//! It is called like its database with `.evidence` in place of `.yaml`, and is text compressed by
//! zstd (`zstdcat` prints it). Each line is a JSON object: first an [`Account`], which says what the
//! findings are of and what was asked; then a line for each experiment with all its findings in the
//! order in which they came, those that a better one replaced among them:
//!
//! ```text
//! {"format":1,"winic":"0.1.0 of sources 5eed5eed","llvm":"22.1.8","tables":"93c7a2f1", ...}
//! {"experiment":{"Probe":{"opcode":431,"register":null}},"findings":[{"Executed":{"ticks":2704}}]}
//! ```
//!
//! Several such sequences may follow each other, as when files are concatenated. Opcodes and
//! registers are LLVM's numbers; the fingerprint of LLVM's tables guards their meaning. The lines
//! are in the order of the experiments, so that equal findings make equal files.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::database::{Measurement, Origin};
use crate::experiment::Experiment;
use crate::files::{self, shown};
use crate::infer::{Finding, Knowledge};
use crate::study::Grid;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// How hard to compress: as quickly as findings are put into text.
const LEVEL: i32 = 3;

/// How the line of an account begins.
const ACCOUNT: &[u8] = b"{\"format\":";

/// The longest line that is read: an account names every form of a machine.
const MAX_LINE: u64 = 64 << 20;

/// The longest text that is read: twenty times what a run of all forms finds.
const MAX_TEXT: u64 = 2 << 30;

/// What findings are of, and what was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Account {
    /// The version of the format.
    pub format: u32,
    /// The winic that measured: its version and the fingerprint of its sources.
    pub winic: String,
    /// The LLVM that names the instructions.
    pub llvm: String,
    /// The fingerprint of its tables, which give opcodes and registers their numbers.
    pub tables: String,
    /// The LLVM triple that it was asked about.
    pub triple: String,
    /// LLVM's name of the CPU.
    pub cpu: String,
    /// LLVM's features besides.
    pub features: String,
    /// Whose values they are.
    pub origin: Origin,
    /// What was asked: the questions by the keys of their descriptions in databases.
    pub questions: Vec<String>,
    /// Over which grid, of a sweep.
    #[serde(default, skip_serializing_if = "Grid::is_usual")]
    pub grid: Grid,
    /// LLVM's names of the forms that were asked for, in their order.
    pub asked: Vec<String>,
    /// Where, when and how it was measured.
    pub measurement: Measurement,
}

impl Account {
    /// Whether another account has all that this one asks for.
    fn is_within(&self, other: &Self) -> bool {
        let asked: HashSet<&String> = other.asked.iter().collect();
        self.grid == other.grid
            && self.questions.iter().all(|question| other.questions.contains(question))
            && self.asked.iter().all(|name| asked.contains(name))
    }

    /// What another account has otherwise, if its findings are no more of the same machine.
    fn difference(&self, other: &Self) -> Option<String> {
        let pairs = [
            ("LLVM", &self.llvm, &other.llvm),
            ("tables of LLVM", &self.tables, &other.tables),
            ("triple", &self.triple, &other.triple),
            ("CPU", &self.cpu, &other.cpu),
            ("features", &self.features, &other.features),
        ];
        let differ = pairs.into_iter().find(|(_, own, others)| own != others);
        let text = differ.map(|(what, own, others)| format!("its {what}: {others}, not {own}"));
        let origin = || format!("{}, not {}", other.origin, self.origin);
        text.or_else(|| (self.origin != other.origin).then(origin))
    }
}

/// What a run found.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// What it is of.
    pub account: Account,
    /// All findings.
    pub knowledge: Knowledge,
}

/// Why evidence cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// The system does not let it be read.
    #[error("cannot read {}: {reason}", shown(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The file is no evidence, or damaged.
    #[error("{}: {reason}: it is no evidence of winic's, or damaged", shown(path))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// It is of another format.
    #[error(
        "{}: its format is {found}, and this winic reads {FORMAT}: use the winic that wrote it ({winic})",
        shown(path)
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The winic that wrote it.
        winic: String,
    },
    /// The system does not let it be written.
    #[error("cannot write {}: {reason}; {}", shown(path), files::remedy(reason))]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// A run would put findings into it that are of another machine.
    #[error(
        "{} is evidence of another machine ({difference}): move it away, or leave evidence out with --noEvidence",
        shown(path)
    )]
    Unlike {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// Its findings are of another machine than those before it.
    #[error("{}: {difference}: conclude it by itself", shown(path))]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
}

/// The findings of one experiment as they are written.
#[derive(Serialize)]
struct EvidenceLine<'a> {
    experiment: &'a Experiment,
    findings: &'a [Finding],
}

/// The same as they are read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineRead {
    experiment: Experiment,
    findings: Vec<Finding>,
}

/// The one key that must be known to read the others.
#[derive(Deserialize)]
struct FormatKey {
    format: u32,
    winic: String,
}

/// Where the evidence of a database is.
#[must_use]
pub fn beside(database: &Path) -> PathBuf {
    database.with_extension("evidence")
}

/// Evidence as the bytes of a file.
///
/// # Errors
/// When there is no memory for the compression.
pub fn encode(account: &Account, knowledge: &Knowledge) -> io::Result<Vec<u8>> {
    let mut text = zstd::Encoder::new(Vec::new(), LEVEL)?;
    text.include_checksum(true)?;
    write_line(&mut text, account)?;
    let mut histories: Vec<_> = knowledge.histories().collect();
    histories.sort_unstable_by_key(|(experiment, _)| *experiment);
    for (experiment, findings) in histories {
        write_line(&mut text, &EvidenceLine { experiment, findings })?;
    }
    text.finish()
}

fn write_line(text: &mut impl io::Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *text, value)?;
    text.write_all(b"\n")
}

/// Whether a file that is there may be extended by what a run of this account finds: it is of the
/// same machine, or there is none.
///
/// # Errors
/// When it is of another machine, or no evidence.
pub fn admit(file: &Path, account: &Account) -> Result<(), EvidenceError> {
    accounts(file)?.iter().try_for_each(|old| match old.difference(account) {
        None => Ok(()),
        Some(difference) => Err(EvidenceError::Unlike { path: file.to_owned(), difference }),
    })
}

/// Puts what a run found into a file: behind what is there, but for what this run has asked anew.
///
/// # Errors
/// When it cannot be written, or is of another machine by now; what was there before is intact.
pub fn keep(file: &Path, account: &Account, knowledge: &Knowledge) -> Result<(), EvidenceError> {
    admit(file, account)?;
    let unwritable = |reason| EvidenceError::Unwritable { path: file.to_owned(), reason };
    let is_replaced = accounts(file)?.iter().all(|old| old.is_within(account));
    let mut bytes = match is_replaced {
        true => Vec::new(),
        false => fs::read(file).map_err(unwritable)?,
    };
    bytes.extend(encode(account, knowledge).map_err(unwritable)?);
    files::replace(file, &bytes).map_err(unwritable)
}

/// The accounts in a file; none if it is not there.
fn accounts(path: &Path) -> Result<Vec<Account>, EvidenceError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut accounts = Vec::new();
    let mut lines = Lines::open(path)?;
    while let Some(line) = lines.next()? {
        if accounts.is_empty() || line.starts_with(ACCOUNT) {
            accounts.push(account(path, &line)?);
        }
    }
    Ok(accounts)
}

/// Reads files of evidence of one machine, at least one; what any of them found counts.
///
/// # Errors
/// When one cannot be read, is none, or is of another machine than those before it.
///
/// # Panics
/// Without files.
pub fn read(paths: &[PathBuf]) -> Result<Evidence, EvidenceError> {
    let mut sum = None;
    paths.iter().try_for_each(|path| Reader { path, sum: &mut sum }.read())?;
    Ok(sum.expect("each file has an account"))
}

/// Takes a file in.
struct Reader<'a> {
    path: &'a Path,
    sum: &'a mut Option<Evidence>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), EvidenceError> {
        let mut lines = Lines::open(self.path)?;
        let mut has_account = false;
        while let Some(line) = lines.next()? {
            match serde_json::from_slice(&line) {
                Ok(found) if has_account => self.learn(found),
                _ => self.begin(account(self.path, &line)?)?,
            }
            has_account = true;
        }
        if has_account { Ok(()) } else { Err(malformed(self.path, "it is empty")) }
    }

    /// Begins with the findings of an account, on top of those before.
    fn begin(&mut self, account: Account) -> Result<(), EvidenceError> {
        let Some(Evidence { account: sum, .. }) = self.sum else {
            *self.sum = Some(Evidence { account, knowledge: Knowledge::default() });
            return Ok(());
        };
        if let Some(difference) = sum.difference(&account) {
            return Err(EvidenceError::Other { path: self.path.to_owned(), difference });
        }
        add_new(&mut sum.questions, account.questions);
        add_new(&mut sum.asked, account.asked);
        // Of several sweeps the last one's.
        if !account.grid.is_usual() {
            sum.grid = account.grid;
        }
        sum.measurement = account.measurement;
        Ok(())
    }

    fn learn(&mut self, LineRead { experiment, findings }: LineRead) {
        let Some(Evidence { knowledge, .. }) = self.sum else { return };
        findings.into_iter().for_each(|finding| knowledge.learn(experiment.clone(), finding));
    }
}

/// The lines of a file.
struct Lines<'a> {
    path: &'a Path,
    text: io::Take<BufReader<zstd::Decoder<'static, BufReader<File>>>>,
}

impl<'a> Lines<'a> {
    fn open(path: &'a Path) -> Result<Self, EvidenceError> {
        let unreadable = |reason| EvidenceError::Unreadable { path: path.to_owned(), reason };
        let file = File::open(path).map_err(unreadable)?;
        let text = zstd::Decoder::new(file).map_err(unreadable)?;
        Ok(Self { path, text: BufReader::new(text).take(MAX_TEXT) })
    }

    /// The next line without its end.
    fn next(&mut self) -> Result<Option<Vec<u8>>, EvidenceError> {
        let mut line = Vec::new();
        let read = (&mut self.text).take(MAX_LINE).read_until(b'\n', &mut line);
        read.map_err(|reason| malformed(self.path, reason))?;
        match line.pop() {
            None => Ok(None),
            Some(b'\n') => Ok(Some(line)),
            Some(_) => Err(malformed(self.path, "its end is missing")),
        }
    }
}

fn malformed(path: &Path, reason: impl ToString) -> EvidenceError {
    EvidenceError::Malformed { path: path.to_owned(), reason: reason.to_string() }
}

fn account(path: &Path, line: &[u8]) -> Result<Account, EvidenceError> {
    let wrong = |reason| malformed(path, reason);
    let FormatKey { format, winic } = serde_json::from_slice(line).map_err(wrong)?;
    if format != FORMAT {
        return Err(EvidenceError::Format { path: path.to_owned(), found: format, winic });
    }
    serde_json::from_slice(line).map_err(wrong)
}

/// Adds what is not there yet.
fn add_new(all: &mut Vec<String>, more: Vec<String>) {
    let known: HashSet<String> = all.iter().cloned().collect();
    all.extend(more.into_iter().filter(|name| !known.contains(name)));
}
