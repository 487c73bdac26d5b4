use std::fmt;

use serde::{Deserialize, Serialize};

use super::{edges_of, edges_text, exact};
use crate::form::NamedEdge;

/// Why an interval is not narrower.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// What its lower end comes from.
    pub below: EdgeLimit,
    /// What its upper end comes from.
    pub above: EdgeLimit,
}

/// What an end of a latency's interval comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EdgeLimit {
    /// The edge alone was measured.
    Measured,
    /// The edge takes at least what any instruction does.
    Least,
    /// Others in its loop take at least what any instruction does.
    Others(Vec<NamedEdge>),
    /// Others in its loop take what chains between barriers show.
    Timed(Vec<NamedEdge>),
    /// What another loop leaves of this one.
    Loop(Vec<NamedEdge>),
    /// What another version of winic says.
    InWords(String),
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from below: {}; from above: {}", self.below, self.above)
    }
}

impl fmt::Display for EdgeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Measured => f.write_str("measured"),
            Self::Least => f.write_str("no instruction is faster"),
            Self::Others(edges) => write!(f, "{} cannot be faster", edges_text(edges)),
            Self::Timed(edges) => write!(f, "{} was timed between barriers", edges_text(edges)),
            Self::Loop(edges) => write!(f, "what is left of {}", edges_text(edges)),
            Self::InWords(words) => f.write_str(words),
        }
    }
}

impl From<String> for EdgeLimit {
    fn from(text: String) -> Self {
        Self::known(&text).unwrap_or(Self::InWords(text))
    }
}

impl EdgeLimit {
    fn known(text: &str) -> Option<Self> {
        let plain =
            [Self::Measured, Self::Least].into_iter().find(|limit| limit.to_string() == text);
        let before = |suffix| text.strip_suffix(suffix).and_then(edges_of);
        let meaning = plain
            .or_else(|| before(" cannot be faster").map(Self::Others))
            .or_else(|| before(" was timed between barriers").map(Self::Timed))
            .or_else(|| text.strip_prefix("what is left of ").and_then(edges_of).map(Self::Loop));
        exact(text, meaning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_is_read_as_what_it_is() {
        let edge = |text| NamedEdge::parse(text).unwrap();
        let edges = || vec![edge("A(1(Class<GR16>) -> impl(Reg<FLAGS>))"), edge("B(2 -> 0)")];
        for limit in [
            EdgeLimit::Measured,
            EdgeLimit::Least,
            EdgeLimit::Others(edges()),
            EdgeLimit::Timed(edges()),
            EdgeLimit::Loop(edges()),
            EdgeLimit::InWords("A cannot be faster".into()),
        ] {
            assert_eq!(EdgeLimit::from(limit.to_string()), limit);
        }
    }
}
