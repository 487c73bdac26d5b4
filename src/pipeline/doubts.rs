//! What is made again: what somebody disturbed, and what nobody else could confirm.

use std::sync::atomic::Ordering;

use super::{Machine, PipelineError, Run};
use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::infer::Knowledge;
use crate::laboratory::{Laboratory, LaboratoryError, Timebase};
use crate::repetition::{self, Attempts};
use crate::study::core::floor_experiments;

impl Run<'_> {
    /// Answers experiments, and makes again what the findings of all of them cast doubt on.
    pub(super) fn answer(
        &mut self,
        stage: &str,
        experiments: &[Experiment],
        catalogue: &Catalogue,
        timebase: &Timebase,
        knowledge: &mut Knowledge,
    ) -> Result<(), LaboratoryError> {
        let progress = &mut *self.progress;
        progress.begin(stage, experiments.len());
        self.patience.earn(experiments.len());
        let mut laboratory = Laboratory {
            device: &mut *self.device,
            timebase,
            assembler: &mut self.target.llvm,
            linker: self.linker,
            journal: &mut *self.journal,
            interrupted: self.interrupted,
            times: self.times,
            patience: &mut self.patience,
        };
        let mut advance = |count| progress.advance(count);
        let mut answered = laboratory.answer(experiments, catalogue, knowledge, &mut advance);
        for round in 1..=repetition::ROUNDS {
            let trust = knowledge.trust();
            let doubtful: Vec<Experiment> = experiments
                .iter()
                .filter(|experiment| knowledge.is_doubtful(experiment, &trust))
                .filter(|experiment| round <= repetition::of_experiment(experiment.is_decisive()))
                .cloned()
                .collect();
            if round > repetition::of_experiment(false) {
                laboratory.patience.earn(repetition::WORTH_IF_DECISIVE * doubtful.len());
            }
            if answered.is_err() || doubtful.is_empty() || laboratory.is_stopped() {
                break;
            }
            log::debug!("{} experiments are doubtful, repetition {round}", doubtful.len());
            answered = laboratory.answer(&doubtful, catalogue, knowledge, &mut |_| ());
        }
        self.times = laboratory.times;
        progress.end();
        answered
    }

    /// Doubts once what a short run, or one that goes on from another's findings, took in good faith;
    /// whether anything was made again.
    ///
    /// # Errors
    /// When the device breaks.
    pub(super) fn doubt(&mut self, machine: &mut Machine) -> Result<bool, PipelineError> {
        let is_short = (1..repetition::FEW_TIMINGS).contains(&machine.knowledge.witnesses());
        if self.device.is_model() || !(is_short || self.journal.is_resumed()) {
            return Ok(false);
        }
        if is_short {
            self.call_witnesses(machine)?;
        }
        let doubtful = machine.knowledge.doubtful();
        if doubtful.is_empty() || self.interrupted.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let Machine { timebase, knowledge, catalogue, .. } = &mut *machine;
        self.answer("doubts", &doubtful, catalogue, timebase, knowledge)?;
        self.look_at_front_end_again(machine)?;
        Ok(true)
    }

    /// Looks at the core at other moments. Somebody who shares it for as long as a short run lasts
    /// is with all its kernels alike, so that none of them tells; a run of thousands of kernels sees
    /// the core alone now and then.
    fn call_witnesses(&mut self, machine: &mut Machine) -> Result<(), PipelineError> {
        let floors = floor_experiments(&machine.catalogue);
        let Attempts { count, apart } = repetition::SHORT_RUN;
        for _ in 0..count {
            if self.interrupted.load(Ordering::Relaxed) {
                break;
            }
            std::thread::sleep(apart);
            let Machine { timebase, knowledge, catalogue, .. } = &mut *machine;
            self.answer("front end", &floors, catalogue, timebase, knowledge)?;
        }
        Ok(())
    }

    /// Times once more what showed how fast the front end is, where that was done while somebody
    /// shared the core: in the survey nobody knows yet how fast a quiet core is. (On a core that was
    /// shared all through it, Zen 4 would have been said to take 8 instructions a cycle, and that
    /// `NOOP`, at 12, cannot be.)
    pub(super) fn look_at_front_end_again(
        &mut self,
        machine: &mut Machine,
    ) -> Result<(), PipelineError> {
        let floors = floor_experiments(&machine.catalogue);
        let trust = machine.knowledge.trust();
        let is_doubtful = |floor: &&Experiment| machine.knowledge.is_doubtful(floor, &trust);
        let doubtful: Vec<Experiment> = floors.iter().filter(is_doubtful).cloned().collect();
        if !doubtful.is_empty() {
            let Machine { timebase, knowledge, catalogue, .. } = machine;
            self.answer("front end", &doubtful, catalogue, timebase, knowledge)?;
        }
        Ok(())
    }
}
