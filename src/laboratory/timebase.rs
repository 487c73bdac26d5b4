//! What makes durations of a device's windows.

use crate::artifact::ReferenceFunction;
use crate::device::{KernelReport, RawSample};
use crate::experiment::Experiment;
use crate::infer::{Finding, LoopCost, ThreadTiming, Timing};
use crate::sample::{Clock, Unusable, reduce, reduce_chain};

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
                let timing = self.timing(experiment, raw, instances);
                timing.map_or_else(Finding::Unusable, Finding::Timed)
            }
            KernelReport::Parallel(threads) => {
                let timed = threads.iter().map(|thread| {
                    let timing = self.timing(experiment, &thread.sample, instances)?;
                    Ok(ThreadTiming { cpu: thread.cpu, huge: thread.huge, timing })
                });
                let timed: Result<Vec<ThreadTiming>, Unusable> = timed.collect();
                timed.map_or_else(Finding::Unusable, Finding::Parallel)
            }
        }
    }

    /// What the windows of one core say.
    fn timing(
        &self,
        experiment: &Experiment,
        raw: &RawSample,
        instances: u32,
    ) -> Result<Timing, Unusable> {
        let cycles = self.reference.cycles_per_iteration;
        if experiment.is_chain() {
            reduce_chain(raw, &self.clock, cycles)
                .map(|sample| Timing::of_chain(sample, instances, self.loop_cost))
        } else {
            reduce(raw, &self.clock, cycles)
                .map(|sample| Timing::of_instances(sample, instances, self.loop_cost))
        }
    }
}
