//! What makes cycles of a device's ticks, and what a cycle is.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{PipelineError, Run};
use crate::catalogue::Catalogue;
use crate::device::{HostDescription, TickSource};
use crate::infer::{Knowledge, LoopCost};
use crate::isa::Isa;
use crate::laboratory::Timebase;
use crate::repetition::{self, Attempts};
use crate::sample::Clock;
use crate::study::core::{UnitOfTime, reference_experiments, unit_of_model, unit_of_time};
use crate::units::Hertz;

/// A frequency of the core that the user vouches for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GivenFrequency {
    /// The frequency.
    pub frequency: Hertz,
    /// Whether to believe it where the reference chain shows another one.
    pub is_forced: bool,
}

impl GivenFrequency {
    /// The reference chain must not run at another frequency.
    pub(super) fn check(self, clock: Clock, seen: Hertz) -> Result<(), PipelineError> {
        if !self.is_forced && clock.is_contradicted(seen) {
            return Err(PipelineError::Frequency { given: self.frequency, seen });
        }
        Ok(())
    }
}

/// What makes cycles of a device's ticks.
///
/// # Errors
/// When a frequency is given but the ticks have no known rate.
pub fn clock(host: &HostDescription, frequency: Option<Hertz>) -> Result<Clock, PipelineError> {
    match (host.ticks, frequency) {
        (None, _) => Ok(Clock::Absent),
        // Nothing has to be converted into cycles.
        (Some(TickSource::CycleCounter), _) => Ok(Clock::Counter),
        (_, Some(frequency)) => {
            let tick_rate = host.tick_rate.ok_or(PipelineError::NoTickRate)?;
            Ok(Clock::Fixed { frequency, tick_rate })
        }
        (_, None) => Ok(Clock::Reference { tick_rate: host.tick_rate }),
    }
}

/// The first candidate, until one is known to be the unit.
pub(super) fn provisional(isa: &dyn Isa, clock: Clock) -> Timebase {
    timebase(isa, clock, UnitOfTime { candidate: 0, loop_cost: LoopCost::Hidden })
}

fn timebase(isa: &dyn Isa, clock: Clock, unit: UnitOfTime) -> Timebase {
    let chain = isa.references()[unit.candidate];
    let reference = chain.function(unit.loop_cost.cycles());
    Timebase { clock, reference, loop_cost: unit.loop_cost }
}

impl Run<'_> {
    /// Chooses the unit of time, with the first candidate as a provisional one: only ratios count.
    /// Where the candidates do not agree the machine may have been disturbed for a moment, so they
    /// are asked some more times.
    pub(super) fn unit_of_time(
        &mut self,
        all: &Catalogue,
        clock: Clock,
    ) -> Result<(Timebase, Knowledge), PipelineError> {
        let isa = Arc::clone(&self.target.isa);
        let questions = reference_experiments(isa.references());
        let provisional = provisional(&*isa, clock);
        let Attempts { count, apart } = repetition::UNIT_OF_TIME;
        let mut attempt = 1;
        loop {
            let mut knowledge = Knowledge::default();
            self.answer("clock", &questions, all, &provisional, &mut knowledge)?;
            if self.interrupted.load(Ordering::Relaxed) {
                return Err(PipelineError::Interrupted);
            }
            if clock == Clock::Absent {
                // Whatever chain stands beside the kernels is not looked at.
                return Ok((provisional, knowledge));
            }
            if self.device.is_model() {
                let unit = unit_of_model(isa.references(), &knowledge)?;
                return Ok((timebase(&*isa, clock, unit), knowledge));
            }
            match unit_of_time(isa.references(), &knowledge) {
                Ok(unit) => return Ok((timebase(&*isa, clock, unit), knowledge)),
                Err(disagreement) if attempt == count => return Err(disagreement.into()),
                Err(disagreement) => log::debug!("attempt {attempt}: {disagreement}"),
            }
            attempt += 1;
            std::thread::sleep(apart);
        }
    }
}
