//! Walks back to where an edge began: those of all shapes of edges, and a reason where there are none.

use std::collections::{BTreeMap, BTreeSet};

use crate::front_end::front_end;
use winic::catalogue::Catalogue;
use winic::experiment::Experiment;
use winic::form::Edge;
use winic::infer::{Finding, LoopCost, Timing};
use winic::kernel::{Chain, Kernel, Registers};
use winic::metadata::OpcodeId;
use winic::sample::Sample;
use winic::study::Grid;
use winic::study::latency::{EdgePlan, LatencyStudy, Route};
use winic::study::{latency, next_round};
use winic::units::Cycles;

use crate::chains::check_chain;
use crate::check_kernel;
use crate::complaints::Complaints;
use crate::support::Machine;

/// A timing of one cycle a link: nothing that planning would want to know more about.
fn one_cycle_a_link(chain: &Chain, kernel: &Kernel) -> Finding {
    timing(chain.links.len() as f64, kernel.instances)
}

/// A timing of so many cycles a pass or instance.
fn timing(each: f64, instances: u32) -> Finding {
    let sample = Sample {
        pulse: None,
        body: Cycles(each * f64::from(instances)),
        uncertainty: Cycles(0.0),
        plain: None,
        frequency: None,
        windows_used: 1,
        windows_total: 1,
        settled: true,
    };
    Finding::Timed(Timing::of_chain(sample, instances, LoopCost::Hidden))
}

/// Why an edge may have no chain: control registers that no instruction writes, forms that move the
/// x87 stack, tiles, and what the manual leaves undefined. The shadow stack pointer can only be moved on
/// from where it is.
#[test]
fn walks_of_all_x86_64_edges() {
    let excuses = ["MXCSR", "FPCW", "SSP", "x87", "TILE", "undefined"];
    walks_of_all_edges(Machine::x86_64(), &excuses, |_, _| false);
}

/// Control registers, the stack pointer, and tiles, to which streaming mode belongs. Of ZT0 there is one, and
/// what moves a value into it (`movt zt0[40], x0`) keeps the rest: no loop through it leaves its old value out.
/// What writes predicates is SVE's, and stands outside of streaming mode where SVE is there.
#[test]
fn walks_of_all_aarch64_edges() {
    let machine = Machine::aarch64();
    let streaming = machine.form("FMOPA_MPPZZ_S").group;
    assert_ne!(machine.form("WHILELT_CXX_S").group, streaming, "there is a way back now");
    walks_of_all_edges(
        machine,
        &["FPCR", "FPMR", "Reg<SP>", "Class<MPR", "Class<MatrixIndex", "Class<ZTR>"],
        |catalogue, edge| {
            let form = catalogue.form(edge.opcode).expect("a form");
            let class = form.class_at(edge.source).map(|class| &catalogue.set.class(class).name);
            let is_predicate = class.is_some_and(|it| ["PPR_3b", "PNR_p8to15"].contains(&&**it));
            form.group == streaming && is_predicate
        },
    );
}

/// Control registers, the stack pointer.
#[test]
fn walks_of_all_riscv64_edges() {
    walks_of_all_edges(
        Machine::riscv64(),
        &["FRM", "VXRM", "control-register instructions", "configuration is", "X2"],
        |_, _| false,
    );
}

/// The first and the last form of each shape: what a way back depends on is operands, implicit
/// registers and the encoding, which `FADDDrr` and `FMULDrr` have alike.
fn of_each_shape(catalogue: &Catalogue) -> Vec<OpcodeId> {
    let mut shapes: BTreeMap<String, (OpcodeId, OpcodeId)> = BTreeMap::new();
    for form in catalogue.forms() {
        let shape = format!(
            "{:?} {:?} {:?} {:?} {:?} {} {:?}",
            form.operands,
            form.implicit_uses,
            form.implicit_defs,
            form.unrelated,
            form.memory,
            form.access_bits,
            form.group,
        );
        shapes.entry(shape).or_insert((form.opcode, form.opcode)).1 = form.opcode;
    }
    let ends: BTreeSet<OpcodeId> = shapes.into_values().flat_map(|(a, b)| [a, b]).collect();
    ends.into_iter().collect()
}

/// Walks lead back from all edges but for those with a reason that is excused, and those that are themselves.
fn walks_of_all_edges(
    mut machine: Machine,
    excuses: &[&str],
    is_excused: impl Fn(&Catalogue, Edge) -> bool,
) {
    let catalogue = machine.catalogue.clone();
    let subjects = of_each_shape(&catalogue);
    println!("{} of {} forms", subjects.len(), catalogue.forms().count());
    let studies = [(latency::QUESTION.ask)(&catalogue, &subjects, Grid::USUAL)];
    let mut knowledge = front_end(&catalogue, 0.125);
    let mut complaints = Complaints::default();
    let mut chains = 0;
    for round in 0.. {
        let start = std::time::Instant::now();
        let experiments = next_round(&studies, &knowledge);
        println!("round {round}: {} in {:?}", experiments.len(), start.elapsed());
        if experiments.is_empty() {
            break;
        }
        for experiment in experiments {
            let chain = match &experiment {
                Experiment::Latency(chain) => chain,
                // Instances take what chains do, so that all of these have to be shown to be loops.
                Experiment::Throughput(body) => {
                    let finding = match body.registers {
                        Registers::Distinct => timing(1.0, body.instances),
                        _ => Finding::Impossible(String::new()),
                    };
                    knowledge.learn(experiment, finding);
                    continue;
                }
                // It closes no loop.
                Experiment::Relay(_) => {
                    knowledge.learn(experiment.clone(), Finding::Impossible(String::new()));
                    continue;
                }
                _ => panic!("{experiment:?} is no chain"),
            };
            chains += 1;
            let links: Vec<Edge> = chain
                .links
                .iter()
                .map(|link| Edge { opcode: link.opcode, source: link.source, target: link.target })
                .collect();
            let label = links
                .iter()
                .map(|edge| {
                    let form = catalogue.form(edge.opcode).expect("a form");
                    edge.named(form, &catalogue.set).to_string()
                })
                .collect::<Vec<_>>()
                .join(" ");
            let kernel = match chain.build(&catalogue) {
                Ok(kernel) => kernel,
                Err(error) => {
                    complaints.add(format!("planned, but {error}"), label);
                    knowledge.learn(experiment.clone(), Finding::Impossible(String::new()));
                    continue;
                }
            };
            check_kernel(&label, &kernel, &mut machine, &mut complaints);
            if let Err(wrong) = check_chain(&kernel, &catalogue, &links) {
                complaints.add(wrong, label);
            }
            let finding = one_cycle_a_link(chain, &kernel);
            knowledge.learn(experiment, finding);
        }
    }
    let study = LatencyStudy::new(&catalogue, &subjects);
    let plans = study.planner(&knowledge).plans();
    let mut refused: BTreeMap<String, Vec<&EdgePlan>> = BTreeMap::new();
    for plan in &plans {
        if let Route::None(cause) = &plan.route {
            refused.entry(cause.to_string()).or_default().push(plan);
        }
    }
    println!("{} edges, {chains} chains", plans.len());
    for (reason, plans) in &refused {
        if excuses.iter().any(|excuse| reason.contains(excuse)) {
            continue;
        }
        let edges = plans.iter().map(|plan| plan.edge);
        for edge in edges.filter(|&edge| !is_excused(&catalogue, edge)) {
            let name = edge.named(catalogue.form(edge.opcode).expect("a form"), &catalogue.set);
            complaints.add(format!("no way back: {reason}"), name.to_string());
        }
    }
    for (reason, plans) in &refused {
        let name = |plan: &&EdgePlan| {
            let edge = plan.edge;
            let form = catalogue.form(edge.opcode).expect("a form");
            edge.named(form, &catalogue.set).to_string()
        };
        let names: Vec<String> = plans.iter().take(4).map(name).collect();
        println!("{} x {reason}: {}", plans.len(), names.join(", "));
    }
    complaints.assert_none();
}
