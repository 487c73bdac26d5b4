use std::fmt;

use super::{between, edges_of, edges_text, exact};
use crate::form::NamedEdge;
use crate::units::Cycles;

/// A contradiction between loops.
#[derive(Debug, Clone, PartialEq)]
pub enum LoopConflict {
    /// No latencies of their edges explain what these loops took.
    Disagree {
        /// How far off they are.
        amount: Cycles,
        /// How far off measurement errors explain.
        uncertainty: Cycles,
        /// The edges of each.
        loops: Vec<Vec<NamedEdge>>,
    },
    /// Chains between barriers say other latencies than loops, which count alone.
    Barriers,
    /// The edges of a loop do not meet.
    Open,
    /// What another version of winic says.
    InWords(String),
}

impl fmt::Display for LoopConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disagree { amount, uncertainty, loops } => {
                let loops: Vec<String> =
                    loops.iter().map(|edges| format!("[{}]", edges_text(edges))).collect();
                write!(
                    f,
                    "loops disagree by {amount} cycles where {uncertainty} would be measurement \
                     error: {}",
                    loops.join(" ")
                )
            }
            Self::Barriers => {
                f.write_str("chains between barriers contradict loops, which count alone")
            }
            Self::Open => f.write_str("a walk is not closed"),
            Self::InWords(words) => f.write_str(words),
        }
    }
}

impl From<String> for LoopConflict {
    fn from(text: String) -> Self {
        let plain =
            [Self::Barriers, Self::Open].into_iter().find(|conflict| conflict.to_string() == text);
        exact(&text, plain.or_else(|| disagreement(&text))).unwrap_or(Self::InWords(text))
    }
}

fn disagreement(text: &str) -> Option<LoopConflict> {
    let (amount, rest) = text.strip_prefix("loops disagree by ")?.split_once(" cycles where ")?;
    let (uncertainty, loops) = rest.split_once(" would be measurement error: ")?;
    let loops = between(loops, "[", "]")?.split("] [").map(edges_of);
    Some(LoopConflict::Disagree {
        amount: Cycles(amount.parse().ok()?),
        uncertainty: Cycles(uncertainty.parse().ok()?),
        loops: loops.collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_conflict_is_read_as_what_it_is() {
        let edge = |text| NamedEdge::parse(text).unwrap();
        let disagree = LoopConflict::Disagree {
            amount: Cycles(0.82),
            uncertainty: Cycles(0.6),
            loops: vec![
                vec![edge("A(1(Class<GR16>) -> impl(Reg<FLAGS>))"), edge("B(2 -> 0)")],
                vec![edge("B(2 -> 0)")],
            ],
        };
        let words = LoopConflict::InWords("loops disagree".into());
        for conflict in [disagree, LoopConflict::Barriers, LoopConflict::Open, words] {
            assert_eq!(LoopConflict::from(conflict.to_string()), conflict);
        }
    }
}
