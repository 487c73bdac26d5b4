//! The latency from every operand that a form reads to every one that it writes.

mod asked;
mod conclusion;
mod dependence;
mod helpers;
mod outcome;
mod padding;
mod plans;
mod record;
mod relays;
mod walk_timing;

pub use conclusion::{EdgeConclusion, EdgeValue, LatencyConclusions};
pub use dependence::{Dependence, DependenceTest};
pub use helpers::relevant_forms;
pub use plans::{EdgePlan, Route, restoring};
pub use relays::Passage;
pub use walk_timing::WalkTiming;

use std::sync::{OnceLock, RwLock};

use super::{Answers, Known, Question, Study};
use crate::catalogue::Catalogue;
use crate::database::{self, Update};
use crate::experiment::Experiment;
use crate::form::{InstructionForm, Site};
use crate::infer::Knowledge;
use crate::kernel::{Chain, Link};
use crate::maps::Map;
use crate::metadata::OpcodeId;
use asked::Asked;
use helpers::{Helpers, Ranking};
use outcome::{Outcome, Outcomes};

/// What is asked.
pub static QUESTION: Question = Question {
    mode: "LAT",
    key: "latency",
    counted: "edges have a latency",
    is_of_forms: true,
    forms: |_| Vec::new(),
    ask: |catalogue, subjects, _| Box::new(LatencyStudy::new(catalogue, subjects)),
    failed: |subject, status| {
        let status = Some(status);
        let latency = Some(database::Latency { status, ..database::Latency::default() });
        Update { subject, latency, ..Update::default() }
    },
};

/// The question for the latency of every edge of some forms.
pub struct LatencyStudy<'a> {
    catalogue: &'a Catalogue,
    subjects: &'a [OpcodeId],
    helpers: OnceLock<Helpers>,
    outcomes: Outcomes,
}

impl<'a> LatencyStudy<'a> {
    /// Asks about forms of a machine.
    #[must_use]
    pub fn new(catalogue: &'a Catalogue, subjects: &'a [OpcodeId]) -> Self {
        Self { catalogue, subjects, helpers: OnceLock::default(), outcomes: Outcomes::default() }
    }

    /// What to measure by what is known so far.
    #[must_use]
    pub fn planner<'k>(&'k self, knowledge: &'k Knowledge) -> Planner<'k> {
        Planner {
            study: self,
            catalogue: self.catalogue,
            known: Known::of(self.catalogue, knowledge),
            asked: Asked::of(knowledge),
            ranking: RwLock::default(),
        }
    }

    /// What is known of each edge, in typed form.
    #[must_use]
    pub fn conclusions(&self, knowledge: &Knowledge) -> LatencyConclusions {
        conclusion::latencies(&self.planner(knowledge))
    }
}

impl Study for LatencyStudy<'_> {
    fn next(&self, knowledge: &Knowledge) -> Vec<Experiment> {
        self.planner(knowledge).next()
    }

    fn conclude(&self, knowledge: &Knowledge) -> Answers {
        let LatencyConclusions { edges, conflicts } = self.conclusions(knowledge);
        Answers { updates: record::of(&edges, self.catalogue), conflicts, ..Answers::default() }
    }

    fn kernels(&self, knowledge: &Knowledge) -> Vec<(String, Experiment)> {
        let planner = self.planner(knowledge);
        let plans = planner.plans();
        plans.iter().filter_map(|plan| planner.kernel_of(plan)).collect()
    }
}

/// The plans for the edges of a study's subjects, a function of what is known: another one is made
/// whenever that has grown.
pub struct Planner<'k> {
    study: &'k LatencyStudy<'k>,
    /// The machine's forms.
    pub catalogue: &'k Catalogue,
    known: Known<'k>,
    asked: Asked<'k>,
    /// Orders of helpers that were already asked for.
    ranking: RwLock<Map<helpers::Way, Ranking>>,
}

impl<'k> Planner<'k> {
    fn knowledge(&self) -> &'k Knowledge {
        self.known.knowledge
    }

    /// The fastest chain of an edge, with a name for its file.
    fn kernel_of(&self, plan: &EdgePlan) -> Option<(String, Experiment)> {
        let form = self.catalogue.form(plan.edge.opcode)?;
        let Route::Walks(walks) = &plan.route else { return None };
        let chain = self.fastest_chain(walks)?;
        let site = |site| match site {
            Site::Memory => "memory".to_owned(),
            Site::Operand(index) => index.to_string(),
            Site::Implicit(register) => self.catalogue.set.register(register).name.clone(),
        };
        let (source, target) = (site(plan.edge.source), site(plan.edge.target));
        Some((format!("{}_LAT_{source}_{target}", form.name), Experiment::Latency(chain)))
    }

    fn subjects(&self) -> impl Iterator<Item = &'k InstructionForm> {
        self.study.subjects.iter().filter_map(|&opcode| self.catalogue.form(opcode))
    }

    /// Whether a chain's registers work out.
    fn can_build(&self, chain: &Chain) -> bool {
        self.study.outcomes.of(chain, self.catalogue) != Outcome::Impossible
    }

    /// Whether other dependences cross a chain, so that it has breakers.
    fn is_broken(&self, chain: &Chain) -> bool {
        self.study.outcomes.of(chain, self.catalogue) == Outcome::Broken
    }

    /// Of ways that would do, the first `most`: those that were asked for already before others, so
    /// that what is learnt on the way, a little more of which helper is the fastest, does not change
    /// the plan.
    fn asked_first(
        &self,
        ways: impl Iterator<Item = Vec<Link>> + Clone,
        would_do: impl Fn(&Vec<Link>) -> bool,
        most: usize,
    ) -> Vec<Vec<Link>> {
        let mut out: Vec<Vec<Link>> =
            ways.clone().filter(|way| self.asked.has_walk(way)).take(most).collect();
        if out.len() < most {
            let others = ways.filter(|way| !self.asked.has_walk(way) && would_do(way));
            out.extend(others.take(most - out.len()));
        }
        out
    }
}
