use std::fmt;

use super::{Cause, between, exact};
use crate::units::Cycles;

/// Why to doubt a value, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueStatus {
    /// Its timing did not settle.
    Unstable,
    /// Loops through the edge contradict each other.
    Contested,
    /// The run was cut short: what it did not come to ask may change the value.
    Unfinished,
    /// A body and its double say different throughputs.
    UnrollAnomaly {
        /// By the duration of the body.
        single: Cycles,
        /// By what its double takes longer.
        difference: Cycles,
    },
    /// There is no value of the instruction.
    Failed(Cause),
    /// There is no value of the edge; or a remark of another version of winic.
    Without(Cause),
}

impl fmt::Display for ValueStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unstable => f.write_str("unstable"),
            Self::Contested => f.write_str("contested: its loops disagree"),
            Self::Unfinished => f.write_str("unfinished: the run was cut short"),
            Self::UnrollAnomaly { single, difference } => {
                write!(f, "unroll anomaly: {single} by T(n)/n, {difference} by T(2n) - T(n)")
            }
            Self::Failed(cause) => write!(f, "failed: {cause}"),
            Self::Without(cause) => write!(f, "{cause}"),
        }
    }
}

impl From<String> for ValueStatus {
    fn from(text: String) -> Self {
        if let Some(cause) = text.strip_prefix("failed: ") {
            return Self::Failed(Cause::from(cause.to_owned()));
        }
        let plain = [Self::Unstable, Self::Contested, Self::Unfinished];
        let plain = plain.into_iter().find(|status| status.to_string() == text);
        exact(&text, plain.or_else(|| anomaly(&text)))
            .unwrap_or_else(|| Self::Without(Cause::from(text)))
    }
}

fn anomaly(text: &str) -> Option<ValueStatus> {
    let figures = between(text, "unroll anomaly: ", " by T(2n) - T(n)")?;
    let (single, difference) = figures.split_once(" by T(n)/n, ")?;
    let cycles = |figure: &str| figure.parse().ok().map(Cycles);
    Some(ValueStatus::UnrollAnomaly { single: cycles(single)?, difference: cycles(difference)? })
}

impl ValueStatus {
    /// Its text without what differs from form to form: figures, and names of operands.
    #[must_use]
    pub fn kind(&self) -> String {
        match self {
            Self::Unstable | Self::Contested | Self::Unfinished => self.to_string(),
            Self::UnrollAnomaly { .. } => {
                "unroll anomaly: T(n)/n and T(2n) - T(n) differ".to_owned()
            }
            Self::Failed(cause) => format!("failed: {}", cause.kind()),
            Self::Without(cause) => cause.kind(),
        }
    }

    /// Why there is no value, where that is what it says.
    #[must_use]
    pub fn cause(&self) -> Option<&Cause> {
        match self {
            Self::Failed(cause) | Self::Without(cause) => Some(cause),
            Self::Unstable | Self::Contested | Self::Unfinished | Self::UnrollAnomaly { .. } => {
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Fault;

    #[test]
    fn every_status_is_read_as_what_it_is() {
        let (single, difference) = (Cycles(0.3), Cycles(12.25));
        for status in [
            ValueStatus::Unstable,
            ValueStatus::Contested,
            ValueStatus::Unfinished,
            ValueStatus::UnrollAnomaly { single, difference },
            ValueStatus::Failed(Cause::Fault(Fault::Trap)),
            ValueStatus::Without(Cause::Fault(Fault::Trap)),
            ValueStatus::Failed(Cause::InWords("skipped".into())),
        ] {
            assert_eq!(ValueStatus::from(status.to_string()), status);
        }
    }

    #[test]
    fn statuses_of_one_kind_read_alike() {
        let anomaly = |single| ValueStatus::UnrollAnomaly { single, difference: Cycles(1.0) };
        assert_eq!(anomaly(Cycles(2.0)).kind(), anomaly(Cycles(3.0)).kind());
        let no_way =
            |text: &str| ValueStatus::from(format!("no instruction leads back from {text}"));
        let (one, other) =
            ("0(Class<GR16>) to impl(Reg<FLAGS>)", "0(Class<GR32>) to impl(Reg<FLAGS>)");
        assert_eq!(no_way(one).kind(), "no instruction leads back");
        assert_eq!(no_way(one).kind(), no_way(other).kind());
        assert_ne!(ValueStatus::Unstable.kind(), ValueStatus::Contested.kind());
    }

    #[test]
    fn a_figure_with_other_digits_keeps_them() {
        let text = "unroll anomaly: 0.3 by T(n)/n, 1.00 by T(2n) - T(n)";
        let status = ValueStatus::from(text.to_owned());
        assert_eq!(status, ValueStatus::Without(Cause::InWords(text.to_owned())));
    }
}
