//! The questions about a machine, a folder for each. What to ask next and what to say in the end are
//! pure functions of the forms and of what is known, so full runs, single forms, resumed runs and
//! simulations share one path: as long as [`next_round`] asks something, the run goes on.

pub mod core;
mod headline;
mod known;
pub mod latency;
mod survey;
pub mod throughput;

pub use known::Known;
pub use survey::{executable, fault_of, missing_registers, probes, register_probes};

use crate::answer::Cause;
use crate::experiment::Experiment;
use crate::form::Catalogue;
use crate::infer::Knowledge;
use crate::maps::Set;
use crate::metadata::OpcodeId;

/// A question about a machine.
pub trait Study: Sync {
    /// What has to be known to answer it, as far as what is known by now tells. What is known
    /// already may be among it.
    fn next(&self, knowledge: &Knowledge) -> Vec<Experiment>;
}

/// Which of the two databases a run fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Throughput of forms.
    Throughput,
    /// Latency of edges.
    Latency,
}

impl Mode {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Throughput, Self::Latency];

    /// What databases call its runs.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Throughput => "throughput",
            Self::Latency => "latency",
        }
    }

    /// The question of a mode about some forms of a machine.
    #[must_use]
    pub fn study<'a>(
        self,
        catalogue: &'a Catalogue,
        subjects: &'a [OpcodeId],
    ) -> Box<dyn Study + 'a> {
        match self {
            Self::Throughput => Box::new(throughput::Throughput::new(catalogue, subjects)),
            Self::Latency => Box::new(latency::Latency::new(catalogue, subjects)),
        }
    }
}

/// The experiments that are worth making now for some questions, each once; none when all of them
/// can be answered.
#[must_use]
pub fn next_round(studies: &[Box<dyn Study + '_>], knowledge: &Knowledge) -> Vec<Experiment> {
    let mut seen = Set::default();
    studies
        .iter()
        .flat_map(|study| study.next(knowledge))
        .filter(|experiment| knowledge.of(experiment).is_none() && seen.insert(experiment.clone()))
        .collect()
}

/// Why there is no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// The run ended before it was asked; this says nothing about the form.
    NotAsked,
    /// It was asked, and this came of it.
    Because(Cause),
}
