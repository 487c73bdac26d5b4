//! What is asked of machines that are made up, and what is said of them in the end.

#![cfg(feature = "llvm")]

#[allow(dead_code)]
mod support;

use std::collections::HashSet;

use support::Machine;
use winic::conclude::{EdgeValue, latencies};
use winic::experiment::Experiment;
use winic::form::Site;
use winic::infer::{Finding, Knowledge, LoopCost, Timing};
use winic::kernel::{Chain, Style};
use winic::plan::{FrontEnd, Mode, OLD_TIED, Planner, Scope};
use winic::sample::Sample;
use winic::units::{Cycles, Interval};

/// A timing without errors.
fn exactly(cycles: f64, passes: u32) -> Finding {
    let sample = Sample {
        pulse: None,
        body: Cycles(cycles * f64::from(passes)),
        uncertainty: Cycles(0.0),
        plain: None,
        frequency: None,
        windows_used: 1,
        windows_total: 1,
        settled: true,
    };
    Finding::Timed(Timing::of_chain(sample, passes, LoopCost::Hidden))
}

/// The latency from an operand of a form to its result, on a machine that takes so many cycles for
/// a pass of a chain.
fn latency(name: &str, source: usize, pass: impl Fn(&Chain) -> f64) -> EdgeValue {
    let machine = Machine::x86_64();
    let catalogue = &machine.catalogue;
    let opcode = catalogue.form_by_name(name).expect("a form").opcode;
    let scope = Scope {
        modes: vec![Mode::Latency],
        subjects: vec![opcode],
        front_end: FrontEnd { floor: Cycles(0.125), filler: Cycles(0.125) },
        slow: HashSet::new(),
    };
    let planner = Planner::new(catalogue, &scope);
    let mut knowledge = Knowledge::default();
    loop {
        let experiments = planner.next_round(&knowledge);
        if experiments.is_empty() {
            break;
        }
        for experiment in experiments {
            let finding = match &experiment {
                Experiment::Latency(chain) => exactly(pass(chain), 48),
                _ => Finding::Impossible("not of this machine".to_owned()),
            };
            knowledge.learn(experiment, finding);
        }
    }
    let edges = latencies(&planner, &knowledge).edges;
    let wanted = |site| site == Site::Operand(source);
    let found = edges.into_iter().find(|edge| wanted(edge.edge.source));
    found.expect("an edge").value.expect("a value")
}

/// Zen 4 takes a cycle from a source to the result if the operand that the result is merged with is
/// as new as the source, and two if that is older. (1 is tied to the result, 2 the mask.)
#[test]
fn an_edge_is_also_timed_beside_the_operand_that_is_written_over() {
    let pass = |chain: &Chain| {
        let links = chain.links.len() as f64;
        if chain.style == Style::Rotating && chain.links[0].source != Site::Operand(1) {
            2.0 * links
        } else {
            links
        }
    };
    let value = latency("VPANDQZ256rrk", 3, pass);
    assert_eq!(value.interval, Interval::exact(Cycles(1.0)));
    assert_eq!(value.variants, [(OLD_TIED, Cycles(2.0))]);
    assert_eq!(value.saturated, None, "it was not the scheduler");
}

/// Where that operand makes no difference nothing more is asked.
#[test]
fn an_edge_that_is_as_fast_as_the_operand_beside_it_stands_alone() {
    let pass = |chain: &Chain| {
        assert_ne!(chain.style, Style::Tied);
        4.0 * chain.links.len() as f64
    };
    let value = latency("VFMADD231PDZ256rk", 4, pass);
    assert_eq!(value.interval, Interval::exact(Cycles(4.0)));
    assert_eq!(value.variants, []);
}

/// How many chains of other values are asked for an edge from a form's register to its result, and
/// how many classes of values it has.
fn classes_in_chains(machine: &Machine, name: &str) -> (usize, usize) {
    let catalogue = &machine.catalogue;
    let form = machine.form(name);
    let modes = vec![Mode::Latency];
    let subjects = vec![form.opcode];
    let front_end = FrontEnd { floor: Cycles(0.125), filler: Cycles(0.125) };
    let scope = Scope { modes, subjects, front_end, slow: HashSet::new() };
    let planner = Planner::new(catalogue, &scope);
    let plans = planner.plans(&Knowledge::default());
    let most = plans.iter().map(|plan| planner.class_chains(plan).len()).max();
    (most.expect("an edge"), catalogue.isa.value_classes(&catalogue.set, form).len())
}

#[test]
fn values_are_varied_only_in_chains_that_restore_them() {
    assert_eq!(classes_in_chains(&Machine::x86_64(), "IDIV64r"), (3, 3));
    // A product is the next one's factor.
    assert_eq!(classes_in_chains(&Machine::riscv64(), "MUL"), (0, 2));
}
