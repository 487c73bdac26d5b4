//! The throughput of forms: the cycles that each of many independent instances takes.

mod bodies;
mod conclusion;

pub use bodies::{
    Broken, Condition, bodies_of, companions_of, conditions, dependences_of, one_register_chain,
};
pub use conclusion::{ThroughputConclusion, ThroughputValue, VariantConclusion};

use super::{Known, Study};
use crate::experiment::Experiment;
use crate::form::Catalogue;
use crate::infer::Knowledge;
use crate::metadata::OpcodeId;

/// The question for the throughput of some forms.
pub struct Throughput<'a> {
    catalogue: &'a Catalogue,
    subjects: &'a [OpcodeId],
}

impl<'a> Throughput<'a> {
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

impl Study for Throughput<'_> {
    fn next(&self, knowledge: &Knowledge) -> Vec<Experiment> {
        let known = Known::of(self.catalogue, knowledge);
        let bodies = bodies::all_bodies(self.catalogue, self.subjects, known);
        bodies.into_iter().map(Experiment::Throughput).collect()
    }
}
