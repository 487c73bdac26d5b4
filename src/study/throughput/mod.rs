//! The throughput of forms: the cycles that each of many independent instances takes.

mod bodies;
mod conclusion;
mod record;

pub use bodies::{
    Broken, Condition, bodies_of, companions_of, conditions, dependences_of, one_register_chain,
};
pub use conclusion::{ThroughputConclusion, ThroughputValue, VariantConclusion};

use super::{Answers, FormFigure, Known, Question, Study};
use crate::catalogue::Catalogue;
use crate::database::{self, Update};
use crate::experiment::Experiment;
use crate::infer::Knowledge;
use crate::metadata::OpcodeId;

/// What is asked.
pub static QUESTION: Question = Question {
    mode: "TP",
    key: "throughput",
    counted: "forms have a throughput",
    is_of_forms: true,
    forms: |_| Vec::new(),
    ask: |catalogue, subjects, _| Box::new(ThroughputStudy::new(catalogue, subjects)),
    failed: |subject, status| {
        let status = Some(status);
        let throughput = Some(database::Throughput { status, ..database::Throughput::default() });
        Update { subject, throughput, ..Update::default() }
    },
};

/// The question for the throughput of some forms.
pub struct ThroughputStudy<'a> {
    catalogue: &'a Catalogue,
    subjects: &'a [OpcodeId],
}

impl<'a> ThroughputStudy<'a> {
    /// Asks about forms of a machine.
    #[must_use]
    pub fn new(catalogue: &'a Catalogue, subjects: &'a [OpcodeId]) -> Self {
        Self { catalogue, subjects }
    }

    /// What is known of each form, in typed form.
    #[must_use]
    pub fn conclusions(&self, knowledge: &Knowledge) -> Vec<ThroughputConclusion> {
        let known = Known::of(self.catalogue, knowledge);
        conclusion::throughputs(self.catalogue, self.subjects, known)
    }
}

impl Study for ThroughputStudy<'_> {
    fn next(&self, knowledge: &Knowledge) -> Vec<Experiment> {
        let known = Known::of(self.catalogue, knowledge);
        let bodies = bodies::all_bodies(self.catalogue, self.subjects, known);
        bodies.into_iter().map(Experiment::Throughput).collect()
    }

    fn conclude(&self, knowledge: &Knowledge) -> Answers {
        let conclusions = self.conclusions(knowledge);
        let updates = conclusions.iter().filter_map(|form| record::of(form, self.catalogue));
        Answers { updates: updates.collect(), ..Answers::default() }
    }

    fn kernels(&self, knowledge: &Knowledge) -> Vec<(String, Experiment)> {
        let named = |(figure, experiment)| {
            let FormFigure::Throughput(opcode) = figure else { return None };
            Some((format!("{}_TP", self.catalogue.form(opcode)?.name), experiment))
        };
        self.sources(knowledge).into_iter().filter_map(named).collect()
    }

    fn sources(&self, knowledge: &Knowledge) -> Vec<(FormFigure, Experiment)> {
        let source = |form: ThroughputConclusion| {
            let body = form.value.ok()?.body;
            Some((FormFigure::Throughput(form.opcode), Experiment::Throughput(body)))
        };
        self.conclusions(knowledge).into_iter().filter_map(source).collect()
    }
}
