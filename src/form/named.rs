//! Sites and edges by name, as the thesis's listings have them: they outlive the tables of LLVM
//! that their numbers belong to.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place where a form reads or writes. It is serialised as its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum NamedSite {
    /// An operand.
    Operand {
        /// LLVM's index.
        index: usize,
        /// The class of registers that can stand there.
        class: Option<String>,
    },
    /// A register that is implied.
    Implicit(String),
    /// The memory at the form's address.
    Memory,
}

/// From where to where a form passes something on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedEdge {
    /// LLVM's name of the form.
    pub form: String,
    /// What is read.
    pub source: NamedSite,
    /// What is written.
    pub target: NamedSite,
}

/// What memory is called.
const MEMORY: &str = "memory";

impl fmt::Display for NamedSite {
    /// `1(Class<GR16>)`, `impl(Reg<EFLAGS>)` or `memory`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operand { index, class: Some(class) } => write!(f, "{index}(Class<{class}>)"),
            Self::Operand { index, class: None } => write!(f, "{index}"),
            Self::Implicit(register) => write!(f, "impl(Reg<{register}>)"),
            Self::Memory => f.write_str(MEMORY),
        }
    }
}

impl fmt::Display for NamedEdge {
    /// `BTS16rr(1(Class<GR16>) -> 0(Class<GR16>))`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({} -> {})", self.form, self.source, self.target)
    }
}

impl NamedSite {
    /// Reads what `Display` writes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == MEMORY {
            return Some(Self::Memory);
        }
        let inner = |prefix, suffix| text.strip_prefix(prefix)?.strip_suffix(suffix);
        if let Some(register) = inner("impl(Reg<", ">)") {
            return Some(Self::Implicit(register.to_owned()));
        }
        let (index, class) = match text.split_once("(Class<") {
            Some((index, class)) => (index, Some(class.strip_suffix(">)")?.to_owned())),
            None => (text, None),
        };
        Some(Self::Operand { index: index.parse().ok()?, class })
    }
}

impl TryFrom<String> for NamedSite {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let wrong =
            || format!("`{text}` is no site: write it as in 1(Class<GR16>) or impl(Reg<X>)");
        Self::parse(&text).ok_or_else(wrong)
    }
}

impl From<NamedSite> for String {
    fn from(site: NamedSite) -> Self {
        site.to_string()
    }
}

impl NamedEdge {
    /// Reads what `Display` writes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (form, sites) = text.strip_suffix(')')?.split_once('(')?;
        let (source, target) = sites.split_once(" -> ")?;
        let (source, target) = (NamedSite::parse(source)?, NamedSite::parse(target)?);
        Some(Self { form: form.to_owned(), source, target })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_read_as_they_are_written() {
        let edge = NamedEdge {
            form: "A@e8m4".to_owned(),
            source: NamedSite::Operand { index: 1, class: Some("GR16".to_owned()) },
            target: NamedSite::Implicit("FLAGS".to_owned()),
        };
        let text = "A@e8m4(1(Class<GR16>) -> impl(Reg<FLAGS>))";
        assert_eq!(edge.to_string(), text);
        assert_eq!(NamedEdge::parse(text), Some(edge));
        let sites = (NamedSite::parse("12"), NamedSite::parse("twelve"));
        assert_eq!(sites, (Some(NamedSite::Operand { index: 12, class: None }), None));
        assert_eq!(NamedEdge::parse("A(1 to 0)"), None);
    }
}
