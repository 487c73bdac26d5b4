//! What a model holds, and what OSACA has no place for.

use std::fmt;

use crate::export::losses::ExportLosses;

/// What became of the forms of a database.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExportAccount {
    /// Forms of the database with a throughput.
    pub forms: usize,
    /// Keys of OSACA's that the model has, each a mnemonic with kinds of operands.
    pub keys: usize,
    /// Forms whose cost is in the model under a key.
    pub written: usize,
    /// Forms that OSACA composes of a load and a twin with a register.
    pub composed: usize,
    /// Forms that others stand for, which have the same key.
    pub covered: usize,
    /// Forms whose ports the database says.
    pub with_ports: usize,
    /// What is not there as it was measured.
    pub losses: ExportLosses,
}

impl fmt::Display for ExportAccount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "{} forms: {} written under {} keys, {} covered by forms of the same key, {} composed by \
             OSACA of a load and a register form; ports of {} from the database",
            self.forms, self.written, self.keys, self.covered, self.composed, self.with_ports
        )?;
        self.losses.fmt(out)
    }
}
