//! The lines of a journal.

use std::fmt;
use std::io::{self, BufRead, Read as _};

use serde::{Deserialize, Serialize};

use crate::experiment::Experiment;
use crate::files::one_line;
use crate::infer::Finding;

/// The longest line that is read: a finding takes a thousandth of it.
const MAX_LINE: u64 = 1 << 20;

/// Digits of a checksum.
const CHECKSUM: usize = 8;

/// What findings hold for. Whatever differs here may make them mean something else.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalHeader {
    /// The winic that measures: its version and the fingerprint of its sources. They decide what
    /// findings mean and how they are written, so that a journal needs no version of its own.
    pub winic: String,
    /// The LLVM that names the instructions.
    pub llvm: String,
    /// The fingerprint of its tables, which give opcodes and registers their numbers.
    pub tables: String,
    /// LLVM's name of the CPU and its architecture.
    pub target: String,
    /// The CPU's name for itself.
    pub cpu: String,
    /// What tells the time.
    pub clock: String,
    /// What is measured: the options of the command line that matter.
    pub run: String,
}

/// What two headers do not agree on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderDifference {
    what: &'static str,
    journal: String,
    now: String,
}

impl fmt::Display for HeaderDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, journal, now } = self;
        write!(f, "its {what} is `{}`, and now it is `{}`", one_line(journal), one_line(now))
    }
}

impl JournalHeader {
    /// The first thing on which a header found in a journal and that of a run differ.
    pub(super) fn difference(&self, now: &Self) -> Option<HeaderDifference> {
        let pairs = [
            ("winic", &self.winic, &now.winic),
            ("version of LLVM", &self.llvm, &now.llvm),
            ("fingerprint of LLVM's tables", &self.tables, &now.tables),
            ("target", &self.target, &now.target),
            ("CPU", &self.cpu, &now.cpu),
            ("clock", &self.clock, &now.clock),
            ("run", &self.run, &now.run),
        ];
        let differ = pairs.into_iter().find(|(_, journal, now)| journal != now);
        differ.map(|(what, journal, now)| HeaderDifference {
            what,
            journal: journal.clone(),
            now: now.clone(),
        })
    }
}

/// A finding as it is written.
#[derive(Serialize)]
pub(super) struct FindingRecord<'a> {
    pub experiment: &'a Experiment,
    pub finding: &'a Finding,
}

/// A finding as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    experiment: Experiment,
    finding: Finding,
}

/// A line with its checksum and its end.
pub(super) fn line(value: &impl Serialize) -> Vec<u8> {
    let json = serde_json::to_string(value).expect("the types have strings for keys");
    format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes())).into_bytes()
}

/// What a line says, if it matches its checksum.
fn json(line: &[u8]) -> Option<&[u8]> {
    let (checksum, rest) = line.split_at_checked(CHECKSUM)?;
    let json = rest.strip_prefix(b" ")?.strip_suffix(b"\n")?;
    let stated = u32::from_str_radix(str::from_utf8(checksum).ok()?, 16).ok()?;
    (crc32fast::hash(json) == stated).then_some(json)
}

/// Why a file is not a journal.
#[derive(Debug, thiserror::Error)]
pub enum NoJournal {
    /// Its first line says something else.
    #[error("this is not a journal of this winic")]
    Header,
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
}

/// What a journal says.
#[derive(Debug)]
pub struct Contents {
    /// What the findings hold for.
    pub header: JournalHeader,
    /// The findings, in their order.
    pub findings: Vec<(Experiment, Finding)>,
    /// Lines that do not match their checksums, other than a last one without its end.
    pub damaged: usize,
    /// Bytes up to the end of the last line that has one.
    pub whole: u64,
}

impl Contents {
    /// Reads a journal. Its size in memory is bounded by its size.
    ///
    /// # Errors
    /// When it does not begin with a header, or the system fails to read.
    pub fn read(input: &mut impl BufRead) -> Result<Self, NoJournal> {
        let mut buffer = Vec::new();
        let first = read_line(input, &mut buffer)?;
        let header = json(&buffer).and_then(|json| serde_json::from_slice(json).ok());
        let header = header.ok_or(NoJournal::Header)?;
        let mut contents = Self { header, findings: Vec::new(), damaged: 0, whole: first.bytes };
        loop {
            let read = read_line(input, &mut buffer)?;
            if !read.ended {
                return Ok(contents);
            }
            contents.whole += read.bytes;
            match json(&buffer).and_then(|json| serde_json::from_slice(json).ok()) {
                Some(Recorded { experiment, finding }) => {
                    contents.findings.push((experiment, finding));
                }
                None => contents.damaged += 1,
            }
        }
    }
}

/// A line that was read over.
struct LineExtent {
    bytes: u64,
    /// Whether it has an end, as only the last has not.
    ended: bool,
}

/// Reads to the end of a line, but keeps no more than the longest line there can be.
fn read_line(input: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<LineExtent> {
    buffer.clear();
    let mut bytes = input.by_ref().take(MAX_LINE).read_until(b'\n', buffer)? as u64;
    let mut ended = buffer.last() == Some(&b'\n');
    let mut rest = Vec::new();
    while !ended && bytes >= MAX_LINE {
        rest.clear();
        let more = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut rest)? as u64;
        bytes += more;
        ended = rest.last() == Some(&b'\n');
        if more == 0 {
            break;
        }
    }
    Ok(LineExtent { bytes, ended })
}
