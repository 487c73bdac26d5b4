//! The points that sweeps visit, where the user says so.

use bytesize::ByteSize;
use serde::{Deserialize, Serialize};

use crate::database::SweepKind;

/// What was asked for of a sweep's grid; what is left open has its usual extent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Grid {
    /// The most accumulators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accumulators: Option<u32>,
    /// The operand whose registers take turns, as databases count operands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operand: Option<usize>,
    /// The state that is entered and left, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The most instructions between entering and leaving it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<u32>,
    /// The most cores, where their number is varied; otherwise how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// Bytes of the largest working set on each core, where that is varied; otherwise how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub working_set: Option<u64>,
    /// Pointers that walk through the working set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streams: Option<u32>,
    /// Bytes from a page to where the working set begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
    /// Whether what is loaded is stored.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub copy: bool,
    /// Instructions in a loop, at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u32>,
    /// Whether each place of such a loop has results of its own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub apart: bool,
    /// Random mixtures that predictions are held against.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mixtures: Option<u32>,
    /// Which random mixtures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Mixtures to be measured instead of asking for ports: LLVM's names of forms, and how many of each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Vec<(String, u32)>>,
    /// Bytes of the machine's caches, the nearest first, as the system says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub caches: Vec<u64>,
}

impl Grid {
    /// With everything left open.
    pub const USUAL: &'static Self = &Self {
        accumulators: None,
        operand: None,
        state: None,
        instructions: None,
        threads: None,
        working_set: None,
        streams: None,
        offset: None,
        copy: false,
        length: None,
        apart: false,
        mixtures: None,
        seed: None,
        given: Vec::new(),
        caches: Vec::new(),
    };

    /// Whether it leaves everything open.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// As a machine has room for it: what is left open of cores and bytes is what there is.
    ///
    /// # Errors
    /// When more is asked for than there is.
    pub fn on(&self, kind: SweepKind, machine: &Room) -> Result<Self, GridError> {
        let cpus = machine.cores.max(1);
        let (threads, working_set) = match kind {
            SweepKind::Threads => (Some(self.threads.unwrap_or(cpus)), self.working_set),
            SweepKind::Bandwidth => {
                let beyond =
                    machine.caches.iter().max().map_or(UNKNOWN_MACHINE, |last| last * BEYOND);
                let most = LEAST
                    .max(beyond.min(machine.memory / u64::from(self.threads.unwrap_or(1).max(1))));
                (Some(self.threads.unwrap_or(1)), Some(self.working_set.unwrap_or(most)))
            }
            _ => return Ok(self.clone()),
        };
        if let Some(asked) = threads.filter(|threads| *threads > cpus) {
            return Err(GridError::Threads { asked, there: cpus });
        }
        let asked = working_set.unwrap_or(0).saturating_mul(threads.unwrap_or(1).into());
        if asked > machine.memory {
            return Err(GridError::Memory { asked, there: machine.memory });
        }
        Ok(Self { threads, working_set, caches: machine.caches.clone(), ..self.clone() })
    }
}

/// What a machine has for sweeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    /// Logical CPUs that programs may use.
    pub cores: u32,
    /// Bytes for the working sets of all of them.
    pub memory: u64,
    /// Bytes of the caches of one of them, the nearest first.
    pub caches: Vec<u64>,
}

/// The smallest working set, in bytes: a body has room in it, and a device without any memory is told by it.
pub(super) const LEAST: u64 = 4 << 10;
/// The largest working set is so many times the last cache.
const BEYOND: u64 = 2;
/// Bytes of the largest working set where the system names no cache.
const UNKNOWN_MACHINE: u64 = 64 << 20;

/// Why a machine has no room for a grid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// More threads than logical CPUs.
    #[error(
        "{asked} threads, and this machine lets programs use {there}: ask for fewer (--threads)"
    )]
    Threads {
        /// How many were asked for.
        asked: u32,
        /// How many there are.
        there: u32,
    },
    /// More memory than there is.
    #[error(
        "working sets of {} on all cores together, and this machine has {} for them: ask for less \
         (--working-set)", ByteSize(*asked), ByteSize(*there)
    )]
    Memory {
        /// Bytes that were asked for.
        asked: u64,
        /// Bytes that there are.
        there: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Room {
        Room { cores: 2, caches: vec![48 << 10], memory: 1 << 30 }
    }

    #[test]
    fn what_is_left_open_is_what_there_is() {
        let on = |kind| Grid::default().on(kind, &machine()).unwrap();
        assert_eq!(on(SweepKind::Threads).threads, Some(2));
        let bandwidth = on(SweepKind::Bandwidth);
        assert_eq!((bandwidth.threads, bandwidth.working_set), (Some(1), Some(96 << 10)));
        assert!(on(SweepKind::Accumulators).is_usual());
    }

    #[test]
    fn more_than_there_is_is_refused_in_words() {
        let threads = Grid { threads: Some(3), ..Grid::default() };
        let error = threads.on(SweepKind::Threads, &machine()).unwrap_err();
        assert!(error.to_string().starts_with("3 threads, and this machine lets programs use 2"));
        let set = Grid { working_set: Some(1 << 30), threads: Some(2), ..Grid::default() };
        let error = set.on(SweepKind::Bandwidth, &machine()).unwrap_err();
        assert!(error.to_string().contains("working sets of 2.0 GiB on"), "{error}");
        assert!(Grid { threads: Some(1), ..set }.on(SweepKind::Bandwidth, &machine()).is_ok());
    }
}
