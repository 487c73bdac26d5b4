//! Figures in the formats of others: what databases are written as for other programs, and the tables
//! of other sources as databases, told by their content and not by their names.
//!
//! | format | what it holds | written | read |
//! |---|---|---|---|
//! | `flat` (CSV, JSON) | a row for each throughput and each latency between operands | yes | yes |
//! | `xml` | the same as a tree, like the tables of uops.info | yes | yes, with those |
//! | `exegesis` | one figure a form, as `llvm-exegesis -mode=analysis` reads it | yes | yes |
//! | `osaca` | one latency and one throughput of what it calls a form | by [`crate::export`] | where it names LLVM's forms |
//!
//! Reading is tolerant: keys that are not known are passed over. Matching is strict: what does not name
//! exactly one form of LLVM's is counted with its reason.

pub mod exegesis;
pub mod flat;
pub mod osaca;
pub mod xml;

use std::collections::BTreeMap;

use crate::database::Database;

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
        let unmatched = self.unmatched.entry(reason.into()).or_default();
        if unmatched.count == 0 {
            what.clone_into(&mut unmatched.first);
        }
        unmatched.count += 1;
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
}

impl Format {
    /// The format of a text; none where it is a database, or nothing that is known.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let first = text.lines().next().unwrap_or_default();
        if text.starts_with('<') {
            Some(Self::Xml)
        } else if text.starts_with('[') && text.contains("\"quantity\"") {
            Some(Self::Json)
        } else if flat::is_header(first) {
            Some(Self::Csv)
        } else if exegesis::is_first(text) {
            Some(Self::Exegesis)
        } else if osaca::is_first(text) {
            Some(Self::Osaca)
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
        }
    }

    /// Reads a text of the format. `part` names which of several machines is meant, where a source has
    /// several.
    ///
    /// # Errors
    /// When the text is not what its beginning says.
    pub fn read(self, text: &str, part: Option<&str>) -> Result<Imported, Unreadable> {
        match self {
            Self::Csv => flat::from_csv(text),
            Self::Json => flat::from_json(text),
            Self::Xml => xml::read(text, part),
            Self::Exegesis => exegesis::read(text),
            Self::Osaca => osaca::read(text),
        }
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
