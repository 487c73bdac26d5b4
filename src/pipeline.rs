//! The whole story on one screen: LLVM's forms, what of them this CPU has, what a cycle is,
//! and then rounds of experiments until nothing more is worth asking.

mod clock;
mod doubts;
mod error;
mod machine;
mod target;

pub use clock::{GivenFrequency, clock};
pub use error::PipelineError;
pub use machine::Machine;
pub use target::{Target, is_measurable};

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::assemble::Linker;
use crate::catalogue::Catalogue;
use crate::device::Device;
use crate::experiment::Experiment;
use crate::form::InstructionForm;
use crate::journal::Journal;
use crate::laboratory::{Times, timed};
use crate::repetition::Patience;
use crate::study::core::{floor_experiments, frequency, reference_experiments};
use crate::study::{Rounds, Study, executable, probes, register_probes};

/// What tells the user how far things are.
pub trait Progress {
    /// A stage begins, with so many experiments.
    fn begin(&mut self, stage: &str, experiments: usize);
    /// So many experiments are done.
    fn advance(&mut self, experiments: usize);
    /// The stage has ended.
    fn end(&mut self);
}

/// A run at work: a target, a device, and what they need.
pub struct Run<'a> {
    /// The forms.
    target: &'a mut Target,
    /// The machine.
    device: &'a mut dyn Device,
    /// Links kernels.
    linker: &'a Linker,
    /// Keeps findings, and has those of a run that this one continues.
    journal: &'a mut Journal,
    /// The user's wish to stop.
    interrupted: &'a AtomicBool,
    /// The user's view.
    progress: &'a mut dyn Progress,
    /// Where the time went.
    pub times: Times,
    /// How long to wait for others to leave the core.
    patience: Patience,
}

impl<'a> Run<'a> {
    /// A run that has not begun.
    pub fn new(
        target: &'a mut Target,
        device: &'a mut dyn Device,
        linker: &'a Linker,
        journal: &'a mut Journal,
        interrupted: &'a AtomicBool,
        progress: &'a mut dyn Progress,
    ) -> Self {
        let (times, patience) = (Times::default(), Patience::default());
        Self { target, device, linker, journal, interrupted, progress, times, patience }
    }

    /// Finds out what a cycle is, which of the given forms execute, and which registers exist.
    ///
    /// # Errors
    /// When no clock can be had, a frequency that was given is not the core's, or the device
    /// breaks.
    pub fn survey(
        &mut self,
        forms: Vec<InstructionForm>,
        given: Option<GivenFrequency>,
    ) -> Result<Machine, PipelineError> {
        let host = self.device.describe().clone();
        let clock = clock(&host, given.map(|given| given.frequency))?;
        let (set, isa) = (Arc::clone(&self.target.set), Arc::clone(&self.target.isa));
        let all = Catalogue::new(set, Arc::clone(&isa), forms, &HashSet::new());

        let (timebase, mut knowledge) = self.unit_of_time(&all, clock)?;
        let mut questions = reference_experiments(isa.references());
        questions.extend(floor_experiments(&all));
        self.answer("clock", &questions, &all, &timebase, &mut knowledge)?;
        let frequency = frequency(&all, &knowledge);
        if let (Some(given), Some(seen)) = (given, frequency) {
            given.check(clock, seen)?;
        }

        let probes = probes(all.forms());
        self.answer("forms", &probes, &all, &timebase, &mut knowledge)?;
        let registers = register_probes(&all, &knowledge);
        let questions: Vec<Experiment> = registers.into_iter().map(|(_, probe)| probe).collect();
        self.answer("registers", &questions, &all, &timebase, &mut knowledge)?;
        // What was not asked yet would look as if it were not there.
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(PipelineError::Interrupted);
        }
        let catalogue = executable(&all, &knowledge);
        Ok(Machine { catalogue, timebase, frequency, knowledge })
    }

    /// Measures until all questions can be answered, or the user interrupts. What a short run
    /// or one that goes on from another's findings has taken in good faith is doubted once.
    ///
    /// # Errors
    /// When the device breaks; what was found before stays in the machine's knowledge.
    pub fn measure(
        &mut self,
        machine: &mut Machine,
        studies: &[Box<dyn Study + '_>],
    ) -> Result<(), PipelineError> {
        self.ask(machine, studies)?;
        if self.doubt(machine)? { self.ask(machine, studies) } else { Ok(()) }
    }

    /// Rounds of questions until there are no more.
    fn ask(
        &mut self,
        machine: &mut Machine,
        studies: &[Box<dyn Study + '_>],
    ) -> Result<(), PipelineError> {
        let mut rounds = Rounds::of(studies);
        for round in 1.. {
            let knowledge = &machine.knowledge;
            let questions = timed(&mut self.times.planning, || rounds.next(knowledge));
            if questions.is_empty() || self.interrupted.load(Ordering::Relaxed) {
                break;
            }
            let stage = format!("round {round}");
            let Machine { timebase, knowledge, catalogue, .. } = &mut *machine;
            self.answer(&stage, &questions, catalogue, timebase, knowledge)?;
            self.look_at_front_end_again(machine)?;
        }
        Ok(())
    }
}
