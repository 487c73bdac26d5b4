//! Forms of a database on the terminal.

use clap::Args;

/// Options of `show`.
#[derive(Debug, Args)]
pub struct Show {
    /// Forms, by LLVM's names or patterns of them ('VADD*'), and last the database
    #[arg(value_name = "FORM... FILE", num_args = 2.., required = true)]
    pub words: Vec<String>,
}

impl Show {
    /// The names and patterns, and the database.
    #[must_use]
    pub fn split(&self) -> (&[String], &str) {
        self.words.split_last().map_or((&[], ""), |(database, forms)| (forms, database))
    }
}
