use std::fmt;

use super::{between, exact};
use crate::device::Fault;
use crate::form::NamedSite;
use crate::sample::Unusable;

/// Why there is no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// It does not run to its end.
    Fault(Fault),
    /// It runs, but its windows say nothing.
    Windows(Unusable),
    /// It was executed once and not timed.
    NotTimed,
    /// Kernels may use no register of an operand's class.
    NoRegister,
    /// No loop can be closed.
    NoWayBack {
        /// What the form writes.
        target: NamedSite,
        /// What it reads.
        source: NamedSite,
    },
    /// Every body seems faster than the front end.
    BelowFloor,
    /// In words: what an instruction set forbids in chains, what stood in the way of a kernel, and
    /// what another version of winic says.
    InWords(String),
}

/// Faults without a number.
const FAULTS: [Fault; 14] = [
    Fault::IllegalInstruction,
    Fault::SegmentationFault,
    Fault::BusError,
    Fault::ArithmeticFault,
    Fault::Trap,
    Fault::SystemCall,
    Fault::NotModelled,
    Fault::TimedOut,
    Fault::Killed,
    Fault::ClobberedStackPointer,
    Fault::ClobberedRegister,
    Fault::DirtyFlags,
    Fault::DirtyFloatingPoint,
    Fault::ClobberedThreadPointer,
];

/// What windows lack, without a number.
const UNUSABLE: [Unusable; 6] = [
    Unusable::NoWindows,
    Unusable::NoIterations,
    Unusable::NoReference,
    Unusable::InvalidOverhead,
    Unusable::NoDouble,
    Unusable::ReferenceTooShort,
];

/// What is said where no loop can be closed, before it is said between what.
const NO_WAY_BACK: &str = "no instruction leads back";

/// Causes that have nothing to tell them apart.
const PLAIN: [Cause; 3] = [Cause::NotTimed, Cause::NoRegister, Cause::BelowFloor];

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{fault}"),
            Self::Windows(unusable) => write!(f, "{unusable}"),
            Self::NotTimed => f.write_str("executed, not timed"),
            Self::NoRegister => f.write_str("no register of its class is usable"),
            Self::NoWayBack { target, source } => {
                write!(f, "{NO_WAY_BACK} from {target} to {source}")
            }
            Self::BelowFloor => {
                f.write_str("below the dispatch floor: no body gave a possible value")
            }
            Self::InWords(words) => f.write_str(words),
        }
    }
}

impl From<String> for Cause {
    fn from(text: String) -> Self {
        Self::known(&text).unwrap_or(Self::InWords(text))
    }
}

impl Cause {
    /// Its text without the names of operands.
    #[must_use]
    pub fn kind(&self) -> String {
        match self {
            Self::NoWayBack { .. } => NO_WAY_BACK.to_owned(),
            other => other.to_string(),
        }
    }

    fn known(text: &str) -> Option<Self> {
        let plain = PLAIN.into_iter().find(|cause| cause.to_string() == text);
        let meaning = plain
            .or_else(|| fault(text).map(Self::Fault))
            .or_else(|| unusable(text).map(Self::Windows))
            .or_else(|| no_way_back(text));
        exact(text, meaning)
    }
}

fn fault(text: &str) -> Option<Fault> {
    let number = |prefix, suffix| between(text, prefix, suffix)?.parse().ok();
    let plain = FAULTS.into_iter().find(|fault| fault.to_string() == text);
    plain
        .or_else(|| number("signal ", "").map(Fault::Signal))
        .or_else(|| number("ended with status ", " without a result").map(Fault::Exited))
}

fn unusable(text: &str) -> Option<Unusable> {
    let windows = || between(text, "the clock moved during each of the ", " windows")?.parse().ok();
    let plain = UNUSABLE.into_iter().find(|unusable| unusable.to_string() == text);
    plain.or_else(|| windows().map(|windows| Unusable::NoStableWindow { windows }))
}

fn no_way_back(text: &str) -> Option<Cause> {
    let sites = text.strip_prefix("no instruction leads back from ")?;
    let (target, source) = sites.split_once(" to ")?;
    let (target, source) = (NamedSite::parse(target)?, NamedSite::parse(source)?);
    Some(Cause::NoWayBack { target, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_is_read_as_what_it_is() {
        let numbered = [Fault::Signal(7), Fault::Exited(3)].into_iter().chain(FAULTS);
        let unusable = [Unusable::NoStableWindow { windows: 12 }].into_iter().chain(UNUSABLE);
        let no_way = Cause::NoWayBack {
            target: NamedSite::Operand { index: 0, class: Some("GR16".into()) },
            source: NamedSite::Implicit("FLAGS".into()),
        };
        let causes = numbered
            .map(Cause::Fault)
            .chain(unusable.map(Cause::Windows))
            .chain(PLAIN)
            .chain([no_way, Cause::InWords("a reason of tomorrow".into())]);
        for cause in causes {
            assert_eq!(Cause::from(cause.to_string()), cause);
        }
    }

    #[test]
    fn what_is_written_otherwise_keeps_its_words() {
        for text in ["signal 07", "", "no instruction leads back from here to there"] {
            assert_eq!(Cause::from(text.to_owned()), Cause::InWords(text.to_owned()));
        }
    }
}
