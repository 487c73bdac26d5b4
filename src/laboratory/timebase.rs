//! What makes durations of a device's windows.

use crate::artifact::ReferenceFunction;
use crate::device::{KernelReport, RawSample};
use crate::experiment::Experiment;
use crate::infer::{Finding, LoopCost, Timing};
use crate::sample::{Clock, Sample, Unusable, reduce};

/// What makes durations of a device's windows.
#[derive(Debug, Clone)]
pub struct Timebase {
    /// Makes cycles of ticks.
    pub clock: Clock,
    /// The chain that is one cycle an instruction, with its loop.
    pub reference: ReferenceFunction,
    /// What loops cost besides their bodies.
    pub loop_cost: LoopCost,
}

impl Timebase {
    /// What a report says about an experiment whose kernel has so many instances in its body.
    pub(super) fn finding(
        &self,
        experiment: &Experiment,
        report: &KernelReport,
        instances: u32,
    ) -> Finding {
        match report {
            KernelReport::Executed { ticks } => Finding::Executed { ticks: *ticks },
            KernelReport::Faulted(fault) => Finding::Faulted(*fault),
            KernelReport::Timed(raw) => {
                let timing = match experiment {
                    Experiment::Latency(_)
                    | Experiment::Relay(_)
                    | Experiment::Reference { .. } => Timing::of_chain,
                    _ => Timing::of_instances,
                };
                let timed = |sample| Finding::Timed(timing(sample, instances, self.loop_cost));
                self.sample(raw).map_or_else(Finding::Unusable, timed)
            }
        }
    }

    fn sample(&self, raw: &RawSample) -> Result<Sample, Unusable> {
        reduce(raw, &self.clock, self.reference.cycles_per_iteration)
    }
}
