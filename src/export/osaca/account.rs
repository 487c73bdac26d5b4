//! What a model holds, and what OSACA has no place for.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

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
    /// Forms that have no place, by the reason: LLVM's names.
    pub left_out: BTreeMap<String, BTreeSet<String>>,
    /// Forms in the model that lose something there, by what that is: LLVM's names.
    pub simplified: BTreeMap<String, BTreeSet<String>>,
}

/// Names that are listed of each reason.
const NAMED: usize = 6;

impl ExportAccount {
    /// A form has no place in the model.
    pub fn leave_out(&mut self, reason: impl fmt::Display, form: &str) {
        self.left_out.entry(reason.to_string()).or_default().insert(form.to_owned());
    }

    /// A form loses something in the model.
    pub fn simplify(&mut self, what: &str, form: &str) {
        self.simplified.entry(what.to_owned()).or_default().insert(form.to_owned());
    }
}

impl fmt::Display for ExportAccount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "{} forms: {} written under {} keys, {} covered by forms of the same key, {} composed by \
             OSACA of a load and a register form; ports of {} from the database",
            self.forms, self.written, self.keys, self.covered, self.composed, self.with_ports
        )?;
        list(out, "not in the model", &self.left_out)?;
        list(out, "simplified", &self.simplified)
    }
}

fn list(
    out: &mut fmt::Formatter<'_>,
    title: &str,
    reasons: &BTreeMap<String, BTreeSet<String>>,
) -> fmt::Result {
    for (reason, forms) in reasons {
        let named = forms.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if forms.len() > NAMED { ", ..." } else { "" };
        writeln!(out, "{title}, {reason}: {} ({named}{more})", forms.len())?;
    }
    Ok(())
}
