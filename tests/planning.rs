//! What is asked of machines that are made up, and what is said of them in the end.

#![cfg(feature = "llvm")]

#[allow(dead_code)]
mod support;

use std::collections::HashSet;

use support::Machine;
use winic::conclude::{EdgeValue, latencies};
use winic::experiment::Experiment;
use winic::form::{Edge, InstructionForm, Site};
use winic::infer::{Finding, Knowledge, LoopCost, Timing};
use winic::kernel::{Chain, Link, Style};
use winic::metadata::OpcodeId;
use winic::plan::{EdgePlan, FrontEnd, Mode, OLD_TIED, Planner, Route, Scope};
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

/// Each round of experiments about some forms on a machine on which every link takes a cycle, and
/// the plans in the end.
fn plans_of(machine: &Machine, subjects: Vec<OpcodeId>) -> (Vec<Chain>, Vec<EdgePlan>) {
    let scope = Scope {
        modes: vec![Mode::Latency],
        subjects,
        front_end: FrontEnd { floor: Cycles(0.125), filler: Cycles(0.125) },
        slow: HashSet::new(),
    };
    let planner = Planner::new(&machine.catalogue, &scope);
    let mut knowledge = Knowledge::default();
    let mut chains = Vec::new();
    loop {
        let experiments = planner.next_round(&knowledge);
        if experiments.is_empty() {
            return (chains, planner.plans(&knowledge));
        }
        for experiment in experiments {
            let finding = match &experiment {
                Experiment::Latency(chain) => {
                    chains.push(chain.clone());
                    exactly(chain.links.len() as f64, 48)
                }
                _ => Finding::Impossible("not of this machine".to_owned()),
            };
            knowledge.learn(experiment, finding);
        }
    }
}

/// The forms of the x87 unit, or the others.
fn forms_of(machine: &Machine, x87: bool) -> impl Iterator<Item = &InstructionForm> {
    let isa = &machine.catalogue.isa;
    machine.catalogue.forms().filter(move |form| isa.is_deprecated_floating_point(form) == x87)
}

/// Names of the forms on the walks of an edge.
fn walks(machine: &Machine, name: &str, source: &str, target: &str) -> Vec<Vec<String>> {
    let form = machine.form(name);
    let site = |text: &str| match text.parse() {
        Ok(index) => Site::Operand(index),
        Err(_) => Site::Implicit(machine.register(text)),
    };
    let edge = Edge { opcode: form.opcode, source: site(source), target: site(target) };
    let (_, plans) = plans_of(machine, vec![form.opcode]);
    let plan = plans.into_iter().find(|plan| plan.edge == edge).expect("an edge");
    let Route::Walks(walks) = plan.route else { panic!("{name}: {:?}", plan.route) };
    let name_of = |link: &Link| machine.catalogue.set.opcode(link.opcode).name.clone();
    walks.iter().map(|walk| walk.iter().map(name_of).collect()).collect()
}

/// Every result of every x87 form is led back, but for forms that move the stack, and to the control
/// word, which only loads write.
#[test]
fn x87_edges_have_ways_back() {
    let machine = Machine::x86_64();
    let subjects: Vec<OpcodeId> = forms_of(&machine, true).map(|form| form.opcode).collect();
    let (_, plans) = plans_of(&machine, subjects);
    let control = Site::Implicit(machine.register("FPCW"));
    let mut found = 0;
    for plan in plans {
        let form = machine.catalogue.form(plan.edge.opcode).expect("a form");
        match plan.route {
            Route::Walks(walks) => {
                assert!(!walks.is_empty(), "{}", plan.edge.describe(form, &machine.catalogue.set));
                found += 1;
            }
            Route::None(reason) => assert!(
                reason == "the x87 register stack moves" || plan.edge.source == control,
                "{}: {reason}",
                plan.edge.describe(form, &machine.catalogue.set)
            ),
        }
    }
    assert!(found > 100, "{found} edges");
}

#[test]
fn x87_ways_back_lead_over_the_stack_the_flags_and_the_status_word() {
    let machine = Machine::x86_64();
    for walk in walks(&machine, "ADD_FST0r", "0", "ST0") {
        assert_eq!(walk, ["ADD_FST0r", "ST_Frr"]);
    }
    let back = walks(&machine, "ADD_FrST0", "ST0", "0");
    assert!(back.contains(&vec!["ADD_FrST0".to_owned(), "XCH_F".to_owned()]), "{back:?}");
    for walk in walks(&machine, "ADD_FST0r", "0", "FPSW") {
        assert_eq!((walk.len(), walk[1].as_str(), walk[4].as_str()), (5, "FNSTSW16r", "ST_Frr"));
        assert!(walk[3].starts_with("CMOV"), "{walk:?}");
    }
    for walk in walks(&machine, "CMOVB_F", "EFLAGS", "ST0") {
        assert!(["COM_FIr", "UCOM_FIr"].contains(&walk[1].as_str()), "{walk:?}");
    }
    // What makes a register empty reads nothing in it.
    assert_eq!(machine.form("FFREE").edges().count(), 0);
}

/// Nothing else is measured, or led back otherwise, because x87 forms are measured, too.
#[test]
fn other_forms_are_planned_without_x87_forms() {
    let machine = Machine::x86_64();
    let some = |x87, every| forms_of(&machine, x87).step_by(every).map(|form| form.opcode);
    let others: Vec<OpcodeId> = some(false, 40).collect();
    let is_x87 = |chain: &Chain| {
        let forms = chain.links.iter().filter_map(|link| machine.catalogue.form(link.opcode));
        forms.into_iter().any(|form| machine.catalogue.isa.is_deprecated_floating_point(form))
    };
    let (chains, alone) = plans_of(&machine, others.clone());
    assert!(!chains.iter().any(is_x87));
    let both = others.iter().copied().chain(some(true, 4)).collect();
    let (mut with_x87, mut plans) = plans_of(&machine, both);
    with_x87.retain(|chain| !is_x87(chain));
    assert_eq!(with_x87, chains);
    plans.truncate(alone.len());
    assert_eq!(plans, alone);
}
