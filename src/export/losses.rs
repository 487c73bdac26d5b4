//! What a model for another program has no place for.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Forms of a database that are not in a model as they were measured.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExportLosses {
    /// Forms that have no place, by the reason: LLVM's names.
    pub left_out: BTreeMap<String, BTreeSet<String>>,
    /// Forms in the model that lose something there, by what that is: LLVM's names.
    pub simplified: BTreeMap<String, BTreeSet<String>>,
}

/// Names that are listed of each reason.
const NAMED: usize = 6;

impl ExportLosses {
    /// A form has no place in the model.
    pub fn leave_out(&mut self, reason: impl fmt::Display, form: &str) {
        self.left_out.entry(reason.to_string()).or_default().insert(form.to_owned());
    }

    /// A form loses something in the model.
    pub fn simplify(&mut self, what: &str, form: &str) {
        self.simplified.entry(what.to_owned()).or_default().insert(form.to_owned());
    }
}

/// A line for each reason, with how many forms it is about and the first of them.
impl fmt::Display for ExportLosses {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
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
