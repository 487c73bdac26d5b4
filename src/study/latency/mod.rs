//! The latency from every operand that a form reads to every one that it writes.

mod asked;
mod conclusion;
mod dependence;
mod detours;
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

use super::{Answers, FormFigure, Known, Question, Study};
use crate::catalogue::Catalogue;
use crate::database::{self, Update};
use crate::experiment::Experiment;
use crate::form::{Edge, InstructionForm, Site};
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
        let named = |(figure, experiment)| {
            let FormFigure::Latency(edge) = figure else { return None };
            Some((file_name(edge, self.catalogue)?, experiment))
        };
        self.sources(knowledge).into_iter().filter_map(named).collect()
    }

    fn sources(&self, knowledge: &Knowledge) -> Vec<(FormFigure, Experiment)> {
        let planner = self.planner(knowledge);
        let plans = planner.plans();
        let source = |plan: &EdgePlan| {
            let Route::Walks(walks) = &plan.route else { return None };
            let chain = planner.fastest_chain(walks)?;
            Some((FormFigure::Latency(plan.edge), Experiment::Latency(chain)))
        };
        plans.iter().filter_map(source).collect()
    }
}

/// What the file of an edge's kernel is called.
fn file_name(edge: Edge, catalogue: &Catalogue) -> Option<String> {
    let form = &catalogue.form(edge.opcode)?.name;
    let site = |site| match site {
        Site::Memory => "memory".to_owned(),
        Site::Operand(index) => index.to_string(),
        Site::Implicit(register) => catalogue.set.register(register).name.clone(),
    };
    Some(format!("{form}_LAT_{}_{}", site(edge.source), site(edge.target)))
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
