//! What is made again: what somebody disturbed, and what nobody else could confirm.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{Machine, PipelineError, Run};
use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::infer::Knowledge;
use crate::laboratory::{Laboratory, LaboratoryError, Timebase};
use crate::study::core::floor_experiments;

/// A run of fewer timings than these lasts for less than a few seconds.
const FEW_WITNESSES: usize = 1000;

/// How often such a run looks at the core again, and how long it waits before each.
const MOMENTS: usize = 5;
const BETWEEN_MOMENTS: Duration = Duration::from_millis(100);

/// How often experiments that did not settle, or that others disturbed, are made again after all
/// others of their round; the laboratory itself has repeated them at once before.
const REPETITIONS: usize = 3;

/// The same for the few on which thousands of values depend.
const REPETITIONS_IF_DECISIVE: usize = 15;

/// And so many others each of them is worth waiting for.
const WORTH_IF_DECISIVE: usize = 20;

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
        for repetition in 1..=REPETITIONS_IF_DECISIVE {
            let trust = knowledge.trust();
            let is_over = repetition > REPETITIONS;
            let doubtful: Vec<Experiment> = experiments
                .iter()
                .filter(|experiment| knowledge.is_doubtful(experiment, &trust))
                .filter(|experiment| !is_over || experiment.is_decisive())
                .cloned()
                .collect();
            if is_over {
                laboratory.patience.earn(WORTH_IF_DECISIVE * doubtful.len());
            }
            if answered.is_err() || doubtful.is_empty() || laboratory.is_stopped() {
                break;
            }
            log::debug!("{} experiments are doubtful, repetition {repetition}", doubtful.len());
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
        let is_short = (1..FEW_WITNESSES).contains(&machine.knowledge.witnesses());
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
        for _ in 0..MOMENTS {
            if self.interrupted.load(Ordering::Relaxed) {
                break;
            }
            std::thread::sleep(BETWEEN_MOMENTS);
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
