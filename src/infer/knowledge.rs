//! What is known so far: the finding of every experiment that was made.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde::{Deserialize, Serialize};

use crate::device::Fault;
use crate::experiment::{Experiment, Probe};
use crate::form::InstructionForm;
use crate::metadata::OpcodeId;
use crate::sample::{Sample, Unusable};
use crate::units::Cycles;

/// What came of one experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Finding {
    /// A probe ran to its end, in so many ticks.
    Executed {
        /// Duration of the cold execution.
        ticks: u64,
    },
    /// It was timed.
    Timed(Timing),
    /// It did not run to its end.
    Faulted(Fault),
    /// No kernel for it can be built.
    Impossible(String),
    /// It ran, but its windows say nothing.
    Unusable(Unusable),
}

/// A cold execution that takes more ticks is slow by itself or was disturbed: once more tells.
const SLOW_PROBE: u64 = 20_000;

impl Finding {
    fn is_better_than(&self, known: &Self) -> bool {
        match (self, known) {
            (Self::Executed { ticks }, Self::Executed { ticks: before }) => ticks < before,
            (Self::Timed(new), Self::Timed(old)) => {
                let quality = |timing: &Timing| (!timing.sample.settled, timing.uncertainty().0);
                quality(new) < quality(old)
            }
            (Self::Unusable(_), _) => false,
            _ => true,
        }
    }
}

/// A timed kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// What the windows say.
    pub sample: Sample,
    /// What the body holds: instances of the subject, or passes of the chain.
    pub instances: u32,
    /// What the body takes.
    duration: Cycles,
}

impl Timing {
    /// Of a body of independent instances. The loop takes slots of the front end in every
    /// iteration, so only the difference of the two unrollings is theirs alone.
    #[must_use]
    pub fn of_instances(sample: Sample, instances: u32) -> Self {
        Self { duration: sample.body, sample, instances }
    }

    /// Of a body that is one chain. The loop is off the critical path, but its instructions, or
    /// those of a neighbour on the same core, can delay a link: `T(n)` and `T(2n)` are then each
    /// too long by some part of a cycle or more per iteration, independently, and their difference
    /// is wrong in either direction. Neither is ever too short, so the smaller of `T(n)/n` and
    /// `T(2n)/2n` is what counts.
    #[must_use]
    pub fn of_chain(sample: Sample, passes: u32) -> Self {
        let duration = sample.plain.map_or(sample.body, |single| {
            let half_of_double = (single + sample.body) / 2.0;
            single.min(half_of_double)
        });
        Self { duration, sample, instances: passes }
    }

    /// Duration of one instance or pass.
    #[must_use]
    pub fn each(&self) -> Cycles {
        self.duration / f64::from(self.instances)
    }

    /// Its uncertainty.
    #[must_use]
    pub fn uncertainty(&self) -> Cycles {
        self.sample.uncertainty / f64::from(self.instances)
    }
}

/// All findings of a run.
#[derive(Debug, Clone, Default)]
pub struct Knowledge {
    findings: HashMap<Experiment, Finding>,
}

impl Knowledge {
    /// Takes a finding in. Of several of one experiment the best counts: noise only ever adds.
    pub fn learn(&mut self, experiment: Experiment, finding: Finding) {
        match self.findings.entry(experiment) {
            Entry::Vacant(place) => {
                place.insert(finding);
            }
            Entry::Occupied(mut known) => {
                if finding.is_better_than(known.get()) {
                    known.insert(finding);
                }
            }
        }
    }

    /// Whether an experiment's finding would gain from being made again.
    #[must_use]
    pub fn is_doubtful(&self, experiment: &Experiment) -> bool {
        match self.of(experiment) {
            Some(Finding::Timed(timing)) => !timing.sample.settled,
            Some(Finding::Unusable(_)) => true,
            Some(Finding::Executed { ticks }) => *ticks > SLOW_PROBE,
            Some(Finding::Faulted(_) | Finding::Impossible(_)) | None => false,
        }
    }

    /// What is known of an experiment.
    #[must_use]
    pub fn of(&self, experiment: &Experiment) -> Option<&Finding> {
        self.findings.get(experiment)
    }

    /// The timing of an experiment, if it was timed.
    #[must_use]
    pub fn timing(&self, experiment: &Experiment) -> Option<&Timing> {
        match self.of(experiment) {
            Some(Finding::Timed(timing)) => Some(timing),
            _ => None,
        }
    }

    /// The finding of a form's probe.
    #[must_use]
    pub fn probe(&self, opcode: OpcodeId) -> Option<&Finding> {
        self.of(&Experiment::Probe(Probe { opcode, register: None }))
    }

    /// Whether a form has been seen to execute.
    #[must_use]
    pub fn executes(&self, form: &InstructionForm) -> bool {
        matches!(self.probe(form.opcode), Some(Finding::Executed { .. }))
    }

    /// All findings, in no order.
    pub fn findings(&self) -> impl Iterator<Item = (&Experiment, &Finding)> {
        self.findings.iter()
    }
}
