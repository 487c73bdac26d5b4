//! Where values go.

use std::path::PathBuf;

use clap::Args;

/// Options of all modes that come to values.
#[derive(Debug, Clone, Args)]
pub struct Results {
    /// The database; results are merged into an existing one. `-` and what is no regular file get
    /// this run's values as YAML, /dev/null none. A run without -o and -i makes a new dated file,
    /// unless values are printed
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Make a database that does not say which CPU it is about one of this CPU
    #[arg(long, requires = "output")]
    pub adopt: bool,
    /// Print this run's database as JSON
    #[arg(long, group = "document")]
    pub json: bool,
    /// Print a line of CSV for each throughput and for each latency between two operands
    #[arg(long, group = "document")]
    pub csv: bool,
    /// Print the same as a table for people
    #[arg(long, group = "document")]
    pub table: bool,
    /// Write how each value was obtained to this file; without it, beside a database file
    #[arg(long, value_name = "FILE", conflicts_with = "no_report")]
    pub report: Option<PathBuf>,
    /// Write no report
    #[arg(long = "noReport")]
    pub no_report: bool,
}

impl Results {
    /// The form in which values are printed, if one is asked for.
    #[must_use]
    pub fn document(&self) -> Option<Document> {
        let asked =
            [(self.json, Document::Json), (self.csv, Document::Csv), (self.table, Document::Table)];
        asked.into_iter().find_map(|(is_asked, document)| is_asked.then_some(document))
    }
}

/// A form in which standard output gets all values of a run, and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// As a database has them.
    Yaml,
    /// The same as JSON.
    Json,
    /// A row a value.
    Csv,
    /// The same rows for people.
    Table,
}
