//! Which timings are relied on that were made beside somebody else.

use winic::experiment::Experiment;
use winic::form::Site;
use winic::infer::{Finding, Knowledge, LoopCost, Reliance, Timing};
use winic::kernel::{Chain, Link, Style, ThroughputBody, ValueClass};
use winic::metadata::OpcodeId;
use winic::sample::Sample;
use winic::units::{Cycles, Hertz};

const FORM: OpcodeId = OpcodeId(7);
/// What the sentinel takes alone, and beside somebody else.
const ALONE: f64 = 40.0;
const BESIDE: f64 = 60.0;
/// The steady clock, in GHz.
const CLOCK: f64 = 3.7;

fn sample(body: f64, pulse: f64, gigahertz: f64) -> Sample {
    Sample {
        body: Cycles(body),
        uncertainty: Cycles(0.1),
        plain: None,
        frequency: Hertz::new(gigahertz * 1e9).ok(),
        pulse: Some(Cycles(pulse)),
        windows_used: 6,
        windows_total: 6,
        settled: true,
    }
}

/// A run on a core that is quiet now and then, on which an instance of the form takes so long, if
/// that is known.
fn knowledge(instance: Option<f64>) -> Knowledge {
    let mut knowledge = Knowledge::default();
    for candidate in 0..10 {
        let timing = Timing::of_chain(sample(64.0, ALONE, CLOCK), 64, LoopCost::Hidden);
        knowledge.learn(Experiment::Reference { candidate }, Finding::Timed(timing));
    }
    if let Some(cycles) = instance {
        let timing = Timing::of_instances(sample(cycles, BESIDE, CLOCK), 1, LoopCost::Hidden);
        let body = ThroughputBody::plain(FORM, 1);
        knowledge.learn(Experiment::Throughput(body), Finding::Timed(timing));
    }
    knowledge
}

/// A chain of the form with so many fillers behind each link.
fn chain(fillers: u32) -> Experiment {
    let (source, target) = (Site::Operand(1), Site::Operand(0));
    let links = vec![Link { opcode: FORM, source, target, immediate: None, restoring: None }];
    let values = ValueClass::default();
    Experiment::Latency(Chain { links, style: Style::Same, fillers, least_links: 48, values })
}

/// How far a chain is relied on of which 25 passes took so long.
fn reliance(asked: &Experiment, sample: Sample, mut knowledge: Knowledge) -> Reliance {
    let timing = Timing::of_chain(sample, 25, LoopCost::Hidden);
    knowledge.learn(asked.clone(), Finding::Timed(timing));
    knowledge.reliance(asked, &knowledge.trust())
}

#[test]
fn chains_of_whole_cycles_that_leave_half_of_the_core_count_beside_somebody() {
    for body in [100.0, 100.4] {
        let beside = sample(body, BESIDE, CLOCK);
        assert_eq!(reliance(&chain(0), beside, knowledge(Some(1.0))), Reliance::Beside);
    }
    let alone = sample(107.0, ALONE, CLOCK);
    assert_eq!(reliance(&chain(0), alone, knowledge(None)), Reliance::Alone);
}

#[test]
fn chains_that_others_delayed_do_not_count() {
    // Now and then, and in every fourth pass; beside a reference that they held up, too.
    for (body, clock) in [(104.0, CLOCK), (106.0, CLOCK), (100.0, 2.4)] {
        let beside = sample(body, BESIDE, clock);
        assert_eq!(reliance(&chain(0), beside, knowledge(Some(1.0))), Reliance::None);
    }
}

#[test]
fn chains_that_need_more_than_half_of_the_core_do_not_count() {
    // On Zen 4 flags do not wait for `ROL16rCL`: a chain of it takes the half cycle that its
    // instances occupy, and a whole one beside somebody who takes half of the core.
    let beside = || sample(25.0, BESIDE, CLOCK);
    assert_eq!(reliance(&chain(0), beside(), knowledge(Some(0.5))), Reliance::None);
    assert_eq!(reliance(&chain(0), beside(), knowledge(Some(0.25))), Reliance::Beside);
    assert_eq!(reliance(&chain(0), beside(), knowledge(None)), Reliance::None);
    // Fillers take what others leave.
    assert_eq!(reliance(&chain(3), beside(), knowledge(Some(0.25))), Reliance::None);
}
