//! What is asked of machines that are made up, and what is said of them in the end.

#![cfg(feature = "llvm")]

#[path = "support/front_end.rs"]
mod front_end;
#[allow(dead_code)]
mod support;

use front_end::front_end;
use support::Machine;
use winic::answer::Circumstance;
use winic::experiment::Experiment;
use winic::form::{Edge, InstructionForm, Site};
use winic::infer::{Finding, Knowledge, LoopCost, Timing};
use winic::kernel::{Chain, Link, Style};
use winic::metadata::OpcodeId;
use winic::sample::Sample;
use winic::study::Grid;
use winic::study::latency::{Dependence, EdgeConclusion, EdgePlan, EdgeValue, LatencyStudy, Route};
use winic::study::throughput::ThroughputStudy;
use winic::study::{Study, latency, next_round};
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
    latency_on(&Machine::x86_64(), name, source, |experiment| match experiment {
        Experiment::Latency(chain) => Some(pass(chain)),
        _ => None,
    })
}

/// The same on a machine that takes so many cycles for a pass of an experiment, if it makes it.
fn latency_on(
    machine: &Machine,
    name: &str,
    source: usize,
    pass: impl Fn(&Experiment) -> Option<f64>,
) -> EdgeValue {
    let edges = conclusions_on(machine, name, pass);
    let wanted = |site| site == Site::Operand(source);
    let found = edges.into_iter().find(|edge| wanted(edge.edge.source));
    found.expect("an edge").value.expect("a value")
}

/// What is said of the edges of a form on such a machine.
fn conclusions_on(
    machine: &Machine,
    name: &str,
    pass: impl Fn(&Experiment) -> Option<f64>,
) -> Vec<EdgeConclusion> {
    let catalogue = &machine.catalogue;
    let subjects = [catalogue.form_by_name(name).expect("a form").opcode];
    let studies = [(latency::QUESTION.ask)(catalogue, &subjects, Grid::USUAL)];
    let mut knowledge = front_end(catalogue, 0.125);
    loop {
        let experiments = next_round(&studies, &knowledge);
        if experiments.is_empty() {
            break;
        }
        for experiment in experiments {
            let finding = pass(&experiment).map_or_else(
                || Finding::Impossible("not of this machine".to_owned()),
                |pass| exactly(pass, 48),
            );
            knowledge.learn(experiment, finding);
        }
    }
    LatencyStudy::new(catalogue, &subjects).conclusions(&knowledge).edges
}

/// A core with one pipeline for general registers and a deeper one for vectors and masks.
struct Pipelines<'a> {
    machine: &'a Machine,
    /// By how many cycles the second is reached later, and left later.
    deeper: (f64, f64),
}

impl Pipelines<'_> {
    fn resource(&self, link: &Link, site: Site) -> Option<char> {
        let catalogue = &self.machine.catalogue;
        let at = |form, site| catalogue.resource_at(self.machine.form(form), site);
        let form = catalogue.form(link.opcode)?;
        let own = catalogue.resource_at(form, site);
        let [result, known] = [Site::Operand(0), Site::Operand(1)];
        let names = [("NOT64r", result, 'G'), ("KNOTWkk", known, 'K'), ("VPADDDrr", known, 'V')];
        names.into_iter().find(|&(form, site, _)| at(form, site) == own).map(|(.., name)| name)
    }

    fn of(&self, link: &Link) -> f64 {
        match (self.resource(link, link.source), self.resource(link, link.target)) {
            (Some('V'), Some('K')) => 3.0,
            (Some('G'), Some('V')) => 2.0,
            (Some('V'), Some('G')) => 4.0,
            _ => 1.0,
        }
    }

    fn pass(&self, experiment: &Experiment) -> Option<f64> {
        let sum = |links: &[&Link]| links.iter().map(|link| self.of(link)).sum::<f64>();
        let depth = |link, deeper| 3.0 + if link == Some('G') { 0.0 } else { deeper };
        match experiment {
            Experiment::Latency(chain) => Some(sum(&chain.links.iter().collect::<Vec<_>>())),
            Experiment::Relay(relay) => {
                let (start, end) = self.deeper;
                let links = f64::from(relay.links) * sum(&[&relay.before, &relay.behind]);
                let begin = depth(self.resource(&relay.before, relay.before.source), start);
                let finish = depth(self.resource(&relay.behind, relay.behind.target), end);
                Some(begin + links + self.of(&relay.over) + finish)
            }
            _ => None,
        }
    }

    fn latency(&self, name: &str) -> Interval {
        latency_on(self.machine, name, 1, |experiment| self.pass(experiment)).interval
    }
}

/// Loops take 4 cycles between vectors and masks, and 6 between vectors and general registers.
#[test]
fn relays_tell_how_edges_there_and_back_share_a_loop() {
    let machine = Machine::x86_64();
    let between = |least, most| Interval::new(Cycles(least), Cycles(most));
    let core = |start, end| Pipelines { machine: &machine, deeper: (start, end) };
    let deeper = core(1.0, 1.0);
    assert_eq!(deeper.latency("VPMOVM2BZ128rk"), between(1.0, 1.0));
    assert_eq!(deeper.latency("VPMOVB2MZ128kr"), between(3.0, 3.0));
    // Between pipelines there is room for what they may differ by at the start or at the end.
    assert_eq!(deeper.latency("VMOV64toPQIrr"), between(1.0, 3.0));
    assert_eq!(deeper.latency("VMOVPQIto64rr"), between(3.0, 5.0));
    let alike = core(0.0, 0.0);
    assert_eq!(alike.latency("VMOV64toPQIrr"), between(2.0, 2.0));
}

/// What is no barrier, or not a synchronous core, tells nothing: loops alone do.
#[test]
fn relays_that_say_nothing_leave_what_loops_say() {
    let machine = Machine::x86_64();
    let between = |least, most| Interval::new(Cycles(least), Cycles(most));
    let core = |start, end| Pipelines { machine: &machine, deeper: (start, end) };
    let odd = Pipelines { machine: &machine, deeper: (-3.0, -3.0) };
    assert_eq!(odd.latency("VPMOVM2BZ128rk"), between(1.0, 3.0));
    let no_relays = latency_on(&machine, "VPMOVM2BZ128rk", 1, |experiment| match experiment {
        Experiment::Latency(_) => core(1.0, 1.0).pass(experiment),
        _ => None,
    });
    assert_eq!(no_relays.interval, between(1.0, 3.0));
    // A cycle there and a cycle back are not the 4 of the loop.
    let contradicting = latency_on(&machine, "VPMOVM2BZ128rk", 1, |experiment| match experiment {
        Experiment::Relay(relay) => Some(7.0 + 2.0 * f64::from(relay.links)),
        _ => core(1.0, 1.0).pass(experiment),
    });
    assert_eq!(contradicting.interval, between(1.0, 3.0));
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
    assert_eq!(value.variants, [(Circumstance::OldDestination, Cycles(2.0))]);
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
    let (subjects, nothing) = ([form.opcode], Knowledge::default());
    let study = LatencyStudy::new(catalogue, &subjects);
    let planner = study.planner(&nothing);
    let plans = planner.plans();
    let most = plans.iter().map(|plan| planner.class_chains(plan).len()).max();
    (most.expect("an edge"), catalogue.isa.value_classes(&catalogue.set, form).len())
}

#[test]
fn values_are_varied_only_in_chains_that_restore_them() {
    assert_eq!(classes_in_chains(&Machine::x86_64(), "IDIV64r"), (3, 3));
    // A product is the next one's factor.
    assert_eq!(classes_in_chains(&Machine::riscv64(), "MUL"), (0, 2));
}

/// Zen 4's `LEA64r`: a third part makes the way from its base a cycle longer, and not that from its index.
#[test]
fn an_edge_is_also_timed_with_immediates_that_may_slow_it_down() {
    let of = |source: usize, slow: f64| {
        latency("LEA64r", source, |chain| {
            let own = &chain.links[0];
            let has_third = own.immediate == Some((4, 64));
            let others = chain.links.len() as f64 - 1.0;
            others + if has_third && own.source == Site::Operand(1) { slow } else { 1.0 }
        })
    };
    let displacement = Circumstance::Values("displacement".to_owned());
    let value = of(1, 2.0);
    assert_eq!(value.interval, Interval::exact(Cycles(1.0)));
    assert_eq!(value.variants, [(displacement, Cycles(2.0))]);
    assert_eq!(of(3, 2.0).variants, []);
    assert_eq!(of(1, 1.0).variants, []);
}

/// Each round of experiments about some forms on a machine on which every link takes a cycle, and
/// the plans in the end.
fn plans_of(machine: &Machine, subjects: Vec<OpcodeId>) -> (Vec<Chain>, Vec<EdgePlan>) {
    let studies = [(latency::QUESTION.ask)(&machine.catalogue, &subjects, Grid::USUAL)];
    let mut knowledge = front_end(&machine.catalogue, 0.125);
    let mut chains = Vec::new();
    loop {
        let experiments = next_round(&studies, &knowledge);
        if experiments.is_empty() {
            let study = LatencyStudy::new(&machine.catalogue, &subjects);
            return (chains, study.planner(&knowledge).plans());
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
                assert!(!walks.is_empty(), "{}", plan.edge.named(form, &machine.catalogue.set));
                found += 1;
            }
            Route::None(reason) => assert!(
                reason.to_string() == "the x87 register stack moves" || plan.edge.source == control,
                "{}: {reason}",
                plan.edge.named(form, &machine.catalogue.set)
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

/// The latency from a site of a form to another, on a machine on which links take a cycle each, but
/// this one so many, if it waits for its source at all, and instances of its form so many.
fn latency_of(edge: (&str, &str, &str), waits: Option<f64>, instances: f64) -> EdgeValue {
    let (name, source, target) = edge;
    let machine = Machine::x86_64();
    let form = machine.catalogue.form_by_name(name).expect("a form").clone();
    let named = |site: Site| match site {
        Site::Operand(index) => index.to_string(),
        Site::Memory => "memory".to_owned(),
        Site::Implicit(register) => machine.catalogue.set.register(register).name.clone(),
    };
    let is_it = |link: &Link| {
        let ends = (named(link.source), named(link.target));
        link.opcode == form.opcode && (ends.0.as_str(), ends.1.as_str()) == (source, target)
    };
    let pass = |experiment: &Experiment| match experiment {
        Experiment::Latency(chain) => {
            let own = chain.links.iter().filter(|link| is_it(link)).count() as f64;
            let others = chain.links.len() as f64 - own;
            let busy = own * instances + others * 0.25;
            let waiting = waits.map_or(0.0, |waits| own * waits + others);
            let is_loop = own == 0.0 || waits.is_some();
            Some(if is_loop { busy.max(waiting).max(others) } else { busy })
        }
        Experiment::Throughput(body) if body.subject == form.opcode => Some(instances),
        Experiment::Throughput(_) => Some(0.25),
        _ => None,
    };
    let edges = conclusions_on(&machine, name, pass);
    let wanted = |edge: &Edge| is_it(&Link::over(*edge));
    let found = edges.into_iter().find(|edge| wanted(&edge.edge));
    found.expect("an edge").value.expect("a value")
}

#[test]
fn a_chain_that_takes_what_instances_do_is_no_latency_where_nothing_waits() {
    for name in ["SHL64rCL", "ROL64rCL", "SHLD64rrCL"] {
        let value = latency_of((name, "EFLAGS", "EFLAGS"), None, 1.5);
        assert_eq!(value.dependence, Dependence::Absent, "{name}");
        assert_eq!(value.interval, Interval::new(Cycles(0.0), Cycles(1.5)), "{name}");
    }
}

#[test]
fn a_chain_that_takes_what_instances_do_is_told_from_its_latency() {
    let value = latency_of(("IMUL64rr", "1", "0"), Some(3.0), 3.0);
    assert_eq!(value.dependence, Dependence::Shown);
    assert_eq!(value.interval, Interval::exact(Cycles(3.0)));
    // A unit that is not pipelined, and a result that is there before it is free again.
    let value = latency_of(("IMUL64rr", "1", "0"), Some(5.0), 12.0);
    assert_eq!(value.dependence, Dependence::Faster(Cycles(5.0)));
    assert_eq!(value.interval, Interval::exact(Cycles(5.0)));
}

#[test]
fn of_two_forms_that_need_each_other_either_may_take_all_of_the_time() {
    let machine = Machine::x86_64();
    let catalogue = &machine.catalogue;
    let opcode = |name| catalogue.form_by_name(name).expect("a form").opcode;
    let (push, pop) = (opcode("LD_Frr"), opcode("ST_FPrr"));
    let study = ThroughputStudy::new(catalogue, std::slice::from_ref(&push));
    let mut knowledge = front_end(catalogue, 0.125);
    let asked = study.next(&knowledge);
    let is_of_pop = |asked: &Experiment| asked.plain_subject() == Some(pop);
    assert!(asked.iter().any(is_of_pop), "the run is about the other one only: {asked:?}");
    for experiment in asked {
        knowledge.learn(experiment, exactly(1.0, 48));
    }
    let found = study.conclusions(&knowledge);
    let value = found[0].value.as_ref().expect("a value");
    assert_eq!(value.interval, Interval::new(Cycles(0.125), Cycles(1.0)));
}
