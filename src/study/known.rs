//! What every question goes by.

use super::core::FrontEnd;
use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::infer::{Finding, Knowledge, Trust};
use crate::metadata::OpcodeId;

/// Executions that take more ticks than these are slow: fewer instances do.
const SLOW: [(u64, u32); 3] = [(1_000_000, 1), (100_000, 2), (30_000, 8)];

/// All findings, and what follows from them for every form.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// All that was found.
    pub knowledge: &'a Knowledge,
    /// Which of it can be relied on.
    pub trust: Trust,
    /// What the front end takes.
    pub front_end: FrontEnd,
}

impl<'a> Known<'a> {
    /// What the findings of a machine show.
    #[must_use]
    pub fn of(catalogue: &Catalogue, knowledge: &'a Knowledge) -> Self {
        let front_end = FrontEnd::of(catalogue, knowledge);
        Self { knowledge, trust: knowledge.trust(), front_end }
    }

    /// How many instances are enough in a body of a form whose single execution takes
    /// microseconds, if it does.
    pub(super) fn instances_if_slow(&self, opcode: OpcodeId) -> Option<u32> {
        let Some(Finding::Executed { ticks }) = self.knowledge.probe(opcode) else { return None };
        SLOW.iter().find(|(limit, _)| ticks > limit).map(|&(_, instances)| instances)
    }

    /// Whether a single execution of a form takes microseconds.
    pub(super) fn is_slow(&self, opcode: OpcodeId) -> bool {
        self.instances_if_slow(opcode).is_some()
    }
}

/// Those of some experiments of which nothing is known.
pub(super) fn unanswered(
    knowledge: &Knowledge,
    asked: impl IntoIterator<Item = Experiment>,
) -> Vec<Experiment> {
    asked.into_iter().filter(|asked| knowledge.of(asked).is_none()).collect()
}
