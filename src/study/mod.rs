//! The questions about a machine, a folder for each. What to ask next and what to say in the end are
//! pure functions of the forms and of what is known, so full runs, single forms, resumed runs and
//! simulations share one path: as long as [`Rounds`] ask something, the run goes on.

pub mod core;
pub mod forward;
mod headline;
mod known;
pub mod latency;
pub mod ports;
mod subject;
mod survey;
pub mod sweep;
pub mod throughput;

pub use known::Known;
use known::unanswered;
pub use subject::{site, subject, way};
pub use survey::{executable, fault_of, missing_registers, probes, register_probes};
pub use sweep::{Grid, GridError};

use crate::answer::{Cause, LoopConflict, ValueStatus};
use crate::catalogue::Catalogue;
use crate::database::{Core, ExecutionUnits, ForwardingTime, Subject, Sweep, Update};
use crate::experiment::Experiment;
use crate::form::Edge;
use crate::infer::{Finding, Knowledge};
use crate::isa::Isa;
use crate::maps::Set;
use crate::metadata::OpcodeId;

/// A question about a machine.
pub trait Study: Sync {
    /// What has to be known to answer it, as far as what is known by now tells. What is known
    /// already may be among it.
    fn next(&self, knowledge: &Knowledge) -> Vec<Experiment>;

    /// What follows from what is known.
    fn conclude(&self, knowledge: &Knowledge) -> Answers;

    /// The kernels that values were read from, each with a name for its file.
    fn kernels(&self, knowledge: &Knowledge) -> Vec<(String, Experiment)>;

    /// The experiment that each figure of a form was read from; none where the answers are no figures
    /// of single forms.
    fn sources(&self, _: &Knowledge) -> Vec<(FormFigure, Experiment)> {
        Vec::new()
    }
}

/// Which figure of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormFigure {
    /// Its throughput.
    Throughput(OpcodeId),
    /// The latency along an edge of it.
    Latency(Edge),
}

/// The answers to a question.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// What a database says of each form, in order. Of what the run did not come to ask for it says
    /// nothing.
    pub updates: Vec<Update>,
    /// What it says of the core itself.
    pub core: Option<Core>,
    /// What it says of what executes instructions.
    pub execution: Option<ExecutionUnits>,
    /// What it says of store forwarding.
    pub forwarding: Option<Vec<ForwardingTime>>,
    /// The tables of sweeps.
    pub sweeps: Vec<Sweep>,
    /// Which loops contradict each other.
    pub conflicts: Vec<LoopConflict>,
}

impl Answers {
    /// The answers of a run that was cut short: what it did not come to ask may change its throughputs and
    /// latencies.
    pub fn cut_short(&mut self) {
        self.updates.iter_mut().for_each(|update| update.doubt(&ValueStatus::Unfinished));
    }
}

/// A kind of question.
pub struct Question {
    /// The mode on the command line that asks it.
    pub mode: &'static str,
    /// What databases call its runs, and evidence calls it.
    pub key: &'static str,
    /// What it counts: the subject of "have a throughput".
    pub counted: &'static str,
    /// Whether it is about forms, and not about the machine as a whole.
    pub is_of_forms: bool,
    /// LLVM's names of the forms that it is answered with besides those that it is about.
    pub forms: fn(&dyn Isa) -> Vec<&'static str>,
    /// Asks it about forms of a machine; sweeps over a grid.
    pub ask: for<'a> fn(&'a Catalogue, &'a [OpcodeId], &'a Grid) -> Box<dyn Study + 'a>,
    /// What a database says of a form that does not execute.
    pub failed: fn(Subject, ValueStatus) -> Update,
}

/// All questions that there are.
pub static QUESTIONS: [&Question; 11] = [
    &throughput::QUESTION,
    &latency::QUESTION,
    &ports::QUESTION,
    &core::QUESTION,
    &forward::QUESTION,
    &sweep::ACCUMULATORS,
    &sweep::REGISTERS,
    &sweep::TRANSITION,
    &sweep::THREADS,
    &sweep::BANDWIDTH,
    &sweep::SEQUENCES,
];

/// The experiments that are worth making now for some questions, each once; none when all of them
/// can be answered.
#[must_use]
pub fn next_round(studies: &[Box<dyn Study + '_>], knowledge: &Knowledge) -> Vec<Experiment> {
    Rounds::of(studies).next(knowledge)
}

/// Rounds of experiments for some questions. A question that asks for nothing is asked again when no other
/// one asks for anything: what is measured for others seldom changes its answer, and to plan for every form
/// takes a second.
pub struct Rounds<'a> {
    studies: &'a [Box<dyn Study + 'a>],
    /// Which of them asked for something when they were last asked, or have not been asked.
    open: Vec<bool>,
}

impl<'a> Rounds<'a> {
    /// Of questions of which none was asked.
    #[must_use]
    pub fn of(studies: &'a [Box<dyn Study + 'a>]) -> Self {
        Self { studies, open: vec![true; studies.len()] }
    }

    /// The experiments that are worth making now, each once; none when all questions can be answered by
    /// what is known.
    #[must_use]
    pub fn next(&mut self, knowledge: &Knowledge) -> Vec<Experiment> {
        let were_all_open = self.open.iter().all(|&open| open);
        let asked = self.of_open(knowledge);
        if !asked.is_empty() || were_all_open {
            return asked;
        }
        self.open.fill(true);
        self.of_open(knowledge)
    }

    /// Goes through the rounds of a run again whose findings are known, from those that it had before the
    /// first of them: what studies keep from round to round is then what they kept in the run. (A mixture
    /// that a late round timed in another order is quicker for steps that had been over by then.) Ends
    /// where the next round would ask for nothing that is known.
    pub fn repeat(&mut self, mut known: Knowledge, all: &Knowledge) {
        loop {
            let asked = self.next(&known).into_iter();
            let found = asked.flat_map(|experiment| {
                let findings = all.history(&experiment).iter();
                findings.map(move |finding| (experiment.clone(), finding.clone()))
            });
            let found: Vec<(Experiment, Finding)> = found.collect();
            if found.is_empty() {
                return;
            }
            found.into_iter().for_each(|(experiment, finding)| known.learn(experiment, finding));
        }
    }

    fn of_open(&mut self, knowledge: &Knowledge) -> Vec<Experiment> {
        let mut seen = Set::default();
        let mut out = Vec::new();
        for (study, open) in self.studies.iter().zip(&mut self.open).filter(|(_, open)| **open) {
            let unknown = study.next(knowledge).into_iter();
            let unknown = unknown.filter(|experiment| knowledge.of(experiment).is_none());
            let own: Vec<Experiment> = unknown.collect();
            *open = !own.is_empty();
            out.extend(own.into_iter().filter(|experiment| seen.insert(experiment.clone())));
        }
        out
    }
}

/// Why there is no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// The run ended before it was asked; this says nothing about the form.
    NotAsked,
    /// It was asked, and this came of it.
    Because(Cause),
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::kernel::{MixedBody, Order};

    /// An experiment of so many rounds.
    fn of_rounds(rounds: u32) -> Experiment {
        let (parts, breaking, order) = (Vec::new(), Vec::new(), Order::Spread);
        Experiment::Mixed(MixedBody { parts, breaking, order, rounds })
    }

    /// Asks for what a function says, and knows no answer.
    struct Asking<F>(F);

    impl<F: Fn(&Knowledge) -> Vec<Experiment> + Send + Sync> Study for Asking<F> {
        fn next(&self, knowledge: &Knowledge) -> Vec<Experiment> {
            (self.0)(knowledge)
        }

        fn conclude(&self, _: &Knowledge) -> Answers {
            Answers::default()
        }

        fn kernels(&self, _: &Knowledge) -> Vec<(String, Experiment)> {
            Vec::new()
        }
    }

    #[test]
    fn who_asks_for_nothing_is_asked_again_at_the_end() {
        let asked = [AtomicU32::new(0), AtomicU32::new(0)];
        // Asks for another experiment as often as it says.
        let study = |times: u32, asked| -> Box<dyn Study + '_> {
            let asked: &AtomicU32 = asked;
            Box::new(Asking(move |_: &Knowledge| {
                let rounds = 1 + asked.fetch_add(1, Ordering::Relaxed);
                if rounds <= times { vec![of_rounds(rounds)] } else { Vec::new() }
            }))
        };
        let studies = [study(1, &asked[0]), study(4, &asked[1])];
        let knowledge = Knowledge::default();
        let mut rounds = Rounds::of(&studies);
        let mut sizes = Vec::new();
        loop {
            sizes.push(rounds.next(&knowledge).len());
            if sizes.last() == Some(&0) {
                break;
            }
        }
        // In the first round both ask for the same.
        assert_eq!(sizes, [1, 1, 1, 1, 0]);
        assert_eq!(asked.each_ref().map(|it| it.load(Ordering::Relaxed)), [3, 6]);
    }

    /// A study meets what is known in the order in which the run met it; what the run did not ask for ends it.
    #[test]
    fn rounds_of_a_run_are_repeated_as_far_as_it_went() {
        let finding = || Finding::Impossible(String::new());
        for (last, met) in [(3, vec![1, 2, 3, 4]), (2, vec![1, 2, 3])] {
            let mut surveyed = Knowledge::default();
            surveyed.learn(Experiment::Reference { candidate: 0 }, finding());
            let mut all = surveyed.clone();
            (1..=last).for_each(|rounds| all.learn(of_rounds(rounds), finding()));
            let seen = Mutex::new(Vec::new());
            // Asks for the next of three experiments that is unknown, and keeps how many were known each time.
            let ask = |knowledge: &Knowledge| -> Vec<Experiment> {
                seen.lock().unwrap().push(knowledge.findings().count());
                let unknown = |experiment: &Experiment| knowledge.of(experiment).is_none();
                (1..=3).map(of_rounds).find(unknown).into_iter().collect()
            };
            let studies = [Box::new(Asking(ask)) as Box<dyn Study + '_>];
            Rounds::of(&studies).repeat(surveyed, &all);
            drop(studies);
            assert_eq!(seen.into_inner().unwrap(), met);
        }
    }
}
