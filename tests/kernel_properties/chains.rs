//! Chains of each edge within a resource: the edge is what the loop waits for.

use std::collections::BTreeMap;

use winic::catalogue::Catalogue;
use winic::form::{Edge, InstructionForm, Site};
use winic::kernel::{Chain, Kernel, Link, Style, ValueClass};
use winic::metadata::{Instruction, RegisterId};

use crate::check_kernel;
use crate::complaints::{Complaints, units, written_units};
use crate::dataflow::{Loop, only};
use crate::support::Machine;

const LONG: i64 = 1000;
/// What a side path may take while a link of the chain takes one.
const HARMLESS: i64 = 2;

pub fn chain(edge: Edge, style: Style) -> Chain {
    let link = Link {
        opcode: edge.opcode,
        source: edge.source,
        target: edge.target,
        immediate: None,
        restoring: None,
    };
    Chain { links: vec![link], style, fillers: 0, least_links: 12, values: ValueClass::default() }
}

/// The edge under test at each place of a body, where there is one. Breakers may be of the same
/// form as a link, but what they read is never written.
fn meant(kernel: &Kernel, catalogue: &Catalogue, links: &[Edge]) -> Vec<Option<Edge>> {
    let written = written_units(kernel, catalogue);
    let is_link = |instruction: &Instruction, edge: Edge| {
        if instruction.opcode != edge.opcode {
            return false;
        }
        let form = catalogue.form(instruction.opcode).expect("a form");
        let source = form.register_at(edge.source, instruction).expect("a register stands there");
        units(catalogue, source).iter().any(|unit| written.contains(unit))
    };
    // The body may begin with any of the links.
    let from = |first: usize| {
        let mut next = first;
        let found: Vec<Option<Edge>> = kernel
            .instructions()
            .map(|instruction| {
                let edge = links[next % links.len()];
                is_link(instruction, edge).then(|| {
                    next += 1;
                    edge
                })
            })
            .collect();
        (next - first == kernel.instances as usize * links.len()).then_some(found)
    };
    (0..links.len()).find_map(from).unwrap_or_else(|| panic!("the links are not in the body"))
}

/// Simulates a chain and says what is wrong with it.
pub fn check_chain(kernel: &Kernel, catalogue: &Catalogue, links: &[Edge]) -> Result<(), String> {
    let edges = meant(kernel, catalogue, links);
    let count = edges.iter().flatten().count() as i64;
    let simulated = Loop::of(kernel, catalogue);
    let (growth, passes) = simulated.growth(only(&edges, LONG, 1));
    if growth != count * LONG * passes {
        return Err(format!(
            "{} of {count} links are in the loop",
            growth as f64 / (LONG * passes) as f64
        ));
    }
    let (growth, passes) = simulated.growth(only(&edges, 1, HARMLESS));
    if growth > count * passes {
        return Err(format!(
            "a side path takes {:.2} a link",
            growth as f64 / (passes * count) as f64
        ));
    }
    Ok(())
}

#[test]
fn chains_of_all_x86_64_edges_within_a_resource() {
    chains_of_all_edges_within_a_resource(Machine::x86_64());
}

#[test]
fn chains_of_all_aarch64_edges_within_a_resource() {
    chains_of_all_edges_within_a_resource(Machine::aarch64());
}

#[test]
fn chains_of_all_riscv64_edges_within_a_resource() {
    chains_of_all_edges_within_a_resource(Machine::riscv64());
}

/// Whether one register can stand at both ends; a mask and what it masks have none in common.
fn can_meet(form: &InstructionForm, edge: Edge, catalogue: &Catalogue) -> bool {
    let registers = |site: Site| match site {
        Site::Memory => Vec::new(),
        Site::Implicit(register) => vec![register],
        Site::Operand(index) => {
            let class = form.class_of(index).expect("a register operand");
            catalogue.allocatable(class).to_vec()
        }
    };
    let targets = registers(edge.target);
    let meets = |&source: &RegisterId| targets.iter().any(|&t| catalogue.set.overlap(source, t));
    registers(edge.source).iter().any(meets)
}

/// What has breakers can be built without them: the planner does not try.
fn check_crossed(
    chain: &Chain,
    kernel: &Kernel,
    catalogue: &Catalogue,
    complaints: &mut Complaints,
) {
    if chain.style != Style::Same || !chain.has_breakers(kernel) {
        return;
    }
    let crossed = Chain { style: Style::Crossed, ..chain.clone() };
    match crossed.build(catalogue) {
        Ok(bare) if crossed.has_breakers(&bare) => {
            complaints.add("breakers are left", format!("{chain:?}"));
        }
        Ok(_) => {}
        Err(error) => complaints.add(format!("crossed, but {error}"), format!("{chain:?}")),
    }
}

fn chains_of_all_edges_within_a_resource(mut machine: Machine) {
    let forms: Vec<InstructionForm> = machine.catalogue.forms().cloned().collect();
    let mut complaints = Complaints::default();
    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut edges, mut built) = (0, BTreeMap::new());
    for form in &forms {
        for edge in form.edges() {
            let catalogue = &machine.catalogue;
            let at = |site: Site| catalogue.resource_at(form, site);
            let unchainable = catalogue.isa.unchainable(&catalogue.set, form, edge.target);
            if at(edge.source) != at(edge.target)
                || unchainable.is_some()
                || !can_meet(form, edge, catalogue)
            {
                continue;
            }
            edges += 1;
            let name = edge.named(form, &catalogue.set).to_string();
            let mut any = false;
            for style in [Style::Same, Style::Rotating] {
                let label = format!("{name} {style:?}");
                let chain = chain(edge, style);
                match chain.build(&machine.catalogue) {
                    Ok(kernel) => {
                        check_crossed(&chain, &kernel, &machine.catalogue, &mut complaints);
                        any = true;
                        *built.entry(style).or_insert(0) += 1;
                        check_kernel(&label, &kernel, &mut machine, &mut complaints);
                        if let Err(wrong) = check_chain(&kernel, &machine.catalogue, &[edge]) {
                            complaints.add(wrong, label);
                        }
                    }
                    Err(error) if style == Style::Rotating && !any => {
                        refused.entry(error.to_string()).or_default().push(name.clone());
                    }
                    Err(_) => {}
                }
            }
        }
    }
    println!("{edges} edges, built {built:?}");
    let without: usize = refused.values().map(Vec::len).sum();
    assert!(without * 30 < edges, "{without} of {edges} edges cannot be chained into themselves");
    for (reason, names) in &refused {
        println!("{} x {reason}: {}", names.len(), names[..names.len().min(6)].join(", "));
    }
    complaints.assert_none();
}
