//! What a scheduling model holds, and what TableGen has no place for.

use std::fmt;

use crate::export::losses::ExportLosses;

/// What became of the forms of a database.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SchedulingAccount {
    /// Forms of the database that something is known of.
    pub forms: usize,
    /// Those in the model.
    pub written: usize,
    /// What they have in common.
    pub classes: usize,
    /// Forms whose ports the database says.
    pub with_ports: usize,
    /// Opcodes that end basic blocks, and that no kernel measures.
    pub ends: usize,
    /// What is not there as it was measured.
    pub losses: ExportLosses,
}

impl fmt::Display for SchedulingAccount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "{} forms: {} written in {} classes; ports of {} from the database; {} branches, calls and \
             barriers as one micro-operation",
            self.forms, self.written, self.classes, self.with_ports, self.ends
        )?;
        self.losses.fmt(out)
    }
}
