//! Figures in the formats of others: what databases are written as for other programs, and the tables
//! of other sources as databases, told by their content and not by their names.
//!
//! | format | what it holds | written | read |
//! |---|---|---|---|
//! | `flat` (CSV, JSON) | a row for each throughput and each latency between operands | yes | yes |
//! | `xml` | the same as a tree, like the tables of uops.info | yes | yes, with those, by how instructions are written |
//! | `exegesis` | one figure a form, as `llvm-exegesis -mode=analysis` reads it | yes | yes |
//! | `osaca` | one latency and one throughput of what it calls a form | by [`crate::export`] | where it names LLVM's forms |
//! | `amd` | AMD's spreadsheets of instruction latencies | no | by how instructions are written |
//! | `intel` | Intel's throughputs and latencies in JSON | no | by XED's iforms, taken for how instructions are written |
//! | `instlatx64` | AIDA64's dumps, which InstLatx64 collects | no | by how instructions are written |
//! | [`crate::database`] | what the thesis's tool wrote is a bare list of instructions | by winic | it is a database |
//!
//! Reading is tolerant: keys that are not known are passed over. Matching is strict: what is not
//! exactly one form of LLVM's is counted with its reason. Sources that do not know LLVM's names
//! write a mnemonic and kinds of operands; [`forms`] finds the form that is written so.

pub mod amd;
pub mod exegesis;
pub mod flat;
pub mod forms;
mod iform;
pub mod instlatx64;
pub mod intel;
mod notation;
pub mod osaca;
pub mod spelled;
mod uops;
pub mod xml;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::database::{Database, Latency, Throughput, Update};
use forms::FormTable;
use spelled::SpelledTable;

/// A source as a database.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Imported {
    /// What it says of forms.
    pub database: Database,
    /// What could not be matched, by the reason: how many, and the first of them.
    pub unmatched: BTreeMap<String, Unmatched>,
}

/// What could not be matched for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unmatched {
    /// How many.
    pub count: usize,
    /// The first of them.
    pub first: String,
}

impl Imported {
    /// Counts something that could not be matched.
    pub fn unmatched(&mut self, reason: impl Into<String>, what: &str) {
        Unmatched::count(&mut self.unmatched, reason, what);
    }
}

impl Unmatched {
    /// Counts something among others.
    fn count(all: &mut BTreeMap<String, Self>, reason: impl Into<String>, what: &str) {
        let unmatched = all.entry(reason.into()).or_default();
        if unmatched.count == 0 {
            what.clone_into(&mut unmatched.first);
        }
        unmatched.count += 1;
    }
}

/// What was read of a source: figures of forms that it names, and of such as it only writes down.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadTable {
    /// Those that it names.
    pub named: Imported,
    /// Those that it writes down.
    pub spelled: SpelledTable,
}

impl ReadTable {
    /// Whether a table of forms must say which of LLVM's are written down.
    #[must_use]
    pub fn needs_forms(&self) -> bool {
        !self.spelled.figures.is_empty()
    }

    /// All of it as a database, by a table of forms.
    #[must_use]
    pub fn matched(self, forms: &FormTable) -> Imported {
        let Self { mut named, spelled } = self;
        let Imported { database, unmatched } = spelled.matched(forms);
        for (reason, more) in unmatched {
            let known = named
                .unmatched
                .entry(reason)
                .or_insert_with(|| Unmatched { count: 0, first: more.first.clone() });
            known.count += more.count;
        }
        for entry in database.entries() {
            let throughput = Some(entry.throughput).filter(Throughput::says_something);
            let latency = Some(entry.latency).filter(Latency::has_value);
            let update = Update { subject: entry.subject, throughput, latency, ports: None };
            named.database.merge(&update);
        }
        named
    }
}

impl From<Imported> for ReadTable {
    fn from(named: Imported) -> Self {
        Self { named, ..Self::default() }
    }
}

impl From<SpelledTable> for ReadTable {
    fn from(spelled: SpelledTable) -> Self {
        Self { spelled, ..Self::default() }
    }
}

/// A format, as its content tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Rows with commas.
    Csv,
    /// Rows as JSON.
    Json,
    /// uops.info's XML, and winic's like it.
    Xml,
    /// llvm-exegesis's YAML.
    Exegesis,
    /// OSACA's machine models.
    Osaca,
    /// AMD's spreadsheets.
    Spreadsheet,
    /// Intel's JSON.
    Intel,
    /// AIDA64's dumps.
    InstLatx64,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Csv,
        Self::Json,
        Self::Xml,
        Self::Exegesis,
        Self::Osaca,
        Self::Spreadsheet,
        Self::Intel,
        Self::InstLatx64,
    ];

    /// The format of a file's bytes; none where it is a database, or nothing that is known.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(amd::MAGIC) {
            return Some(Self::Spreadsheet);
        }
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let first = text.lines().next().unwrap_or_default();
        if text.starts_with('<') {
            Some(Self::Xml)
        } else if text.starts_with('[') && text.contains("\"quantity\"") {
            Some(Self::Json)
        } else if intel::is_first(text) {
            Some(Self::Intel)
        } else if flat::is_header(first) {
            Some(Self::Csv)
        } else if exegesis::is_first(text) {
            Some(Self::Exegesis)
        } else if osaca::is_first(text) {
            Some(Self::Osaca)
        } else if instlatx64::has_line(text) {
            Some(Self::InstLatx64)
        } else {
            None
        }
    }

    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Xml => "XML",
            Self::Exegesis => "llvm-exegesis YAML",
            Self::Osaca => "a machine model of OSACA",
            Self::Spreadsheet => "a spreadsheet of AMD's",
            Self::Intel => "JSON of Intel's",
            Self::InstLatx64 => "a dump of AIDA64",
        }
    }

    /// Reads a file's bytes. `part` names which of several machines is meant, where a source has
    /// several.
    ///
    /// # Errors
    /// When it is not what its beginning says.
    pub fn read(self, bytes: &[u8], part: Option<&str>) -> Result<ReadTable, Unreadable> {
        match self {
            Self::Csv => Ok(flat::from_csv(self.text(bytes)?)?.into()),
            Self::Json => Ok(flat::from_json(self.text(bytes)?)?.into()),
            Self::Xml => xml::read(self.text(bytes)?, part),
            Self::Exegesis => Ok(exegesis::read(self.text(bytes)?)?.into()),
            Self::Osaca => Ok(osaca::read(self.text(bytes)?)?.into()),
            Self::Spreadsheet => Ok(amd::read(bytes)?.into()),
            Self::Intel => Ok(intel::read(self.text(bytes)?)?.into()),
            // (Names of CPUs in dumps are in the encodings of many countries.)
            Self::InstLatx64 => {
                let text: Cow<'_, str> = String::from_utf8_lossy(bytes);
                Ok(instlatx64::read(&text)?.into())
            }
        }
    }

    /// Bytes as text without a mark of its encoding.
    fn text(self, bytes: &[u8]) -> Result<&str, Unreadable> {
        let text = str::from_utf8(bytes).map_err(|error| {
            let at = error.valid_up_to();
            Unreadable::broken(self, format!("byte {at} is not UTF-8 text"))
        })?;
        Ok(text.trim_start_matches('\u{feff}').trim_start())
    }
}

/// Why a text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Not in its format.
    #[error("it begins as {format} and is none: {reason}")]
    Broken {
        /// What it begins as.
        format: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// It has the figures of several machines.
    #[error("it has figures of several machines: name one behind a @ ({})", .0.join(", "))]
    Several(Vec<String>),
    /// It has not those of the machine that is named.
    #[error("it has no figures of {named}, but of {}", .has.join(", "))]
    Absent {
        /// What was asked for.
        named: String,
        /// What there is.
        has: Vec<String>,
    },
    /// Nothing in it is a figure of a form.
    #[error("nothing in it is a figure of a form")]
    Empty,
}

impl Unreadable {
    fn broken(format: Format, reason: impl ToString) -> Self {
        let reason = reason.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        Self::Broken { format: format.name(), reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_their_content() {
        for (text, expected) in [
            (&b"PK\x03\x04"[..], Some(Format::Spreadsheet)),
            (b"\xef\xbb\xbf<root/>", Some(Format::Xml)),
            (b"[{\"quantity\": 1}]", Some(Format::Json)),
            (b"[{\"iform\": \"A\", \"latency\": 1}]", Some(Format::Intel)),
            (b"llvmName,quantity,min\n", Some(Format::Csv)),
            (b"---\nmode: latency\n", Some(Format::Exegesis)),
            (b"osaca_version: 1\n", Some(Format::Osaca)),
            (b"CPU \xae\n 1 X86 :A L: 1ns= 1.0c T: 1ns= 1.00c\n", Some(Format::InstLatx64)),
            (b"{\"schemaVersion\": 1, \"instructions\": [{\"latency\": 1}]}", None),
            (b"- llvmName: BTS16rr\n  latency: 2\n", None),
            (b"\x00\xff", None),
            (b"", None),
        ] {
            assert_eq!(Format::of(text), expected, "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn what_is_no_text_is_one_line() {
        for format in Format::ALL {
            let error = format.read(b"<a b='\xff'/>\n", None).unwrap_err().to_string();
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}
