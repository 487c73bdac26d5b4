//! What is known at first of a machine whose front end takes every simple instruction equally fast.

use winic::catalogue::Catalogue;
use winic::experiment::Experiment;
use winic::infer::{Finding, Knowledge, LoopCost, Timing};
use winic::sample::Sample;
use winic::study::core::floor_experiments;
use winic::units::Cycles;

/// Findings that show a front end that takes so many cycles for an instruction.
pub fn front_end(catalogue: &Catalogue, cycles: f64) -> Knowledge {
    let mut knowledge = Knowledge::default();
    for experiment in floor_experiments(catalogue) {
        let instances = match &experiment {
            Experiment::DispatchFloor { fillers } => *fillers,
            Experiment::Throughput(body) => body.instances,
            other => unreachable!("{other:?} shows no front end"),
        };
        let sample = Sample {
            body: Cycles(cycles * f64::from(instances)),
            uncertainty: Cycles(0.01),
            plain: None,
            frequency: None,
            pulse: None,
            windows_used: 6,
            windows_total: 6,
            settled: true,
        };
        let timing = Timing::of_instances(sample, instances, LoopCost::Hidden);
        knowledge.learn(experiment, Finding::Timed(timing));
    }
    knowledge
}
