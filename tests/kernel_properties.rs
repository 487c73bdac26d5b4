//! What must hold for the kernels of every form, found out on the finished instructions.

#![cfg(feature = "llvm")]

#[path = "support/complaints.rs"]
mod complaints;
#[path = "support/dataflow.rs"]
mod dataflow;
#[path = "support/misread.rs"]
mod misread;
#[allow(dead_code)]
mod support;

use std::collections::{BTreeMap, HashSet};

use complaints::{Complaints, apart, check_operands, register_at, units, written_units};
use dataflow::{Loop, only};
use misread::{MISREAD, is_misread};
use support::Machine;
use winic::experiment::Experiment;
use winic::form::{Catalogue, Edge, InstructionForm, Placeholder, Site};
use winic::infer::{Finding, Knowledge, LoopCost, Timing};
use winic::isa::EncodingGroup;
use winic::kernel::{
    Breaking, Chain, Kernel, KernelError, Link, Registers, Style, ThroughputBody, ValueClass,
};
use winic::metadata::{Instruction, RegisterId, UnitId};
use winic::plan::{EdgePlan, FrontEnd, Mode, Planner, Route, Scope, dependences_of};
use winic::sample::Sample;
use winic::units::Cycles;

const INSTANCES: u32 = 48;

fn body(form: &InstructionForm, breaking: Vec<Breaking>) -> ThroughputBody {
    ThroughputBody { breaking, ..ThroughputBody::plain(form.opcode, INSTANCES) }
}

#[test]
fn what_is_listed_as_misread_is_misread() {
    let mut machine = Machine::aarch64();
    for name in MISREAD.iter().flat_map(|(_, forms)| forms.iter().copied()) {
        let kernel = body(machine.form(name), Vec::new()).build(&machine.catalogue).unwrap();
        let mut comes_back = |instruction: &Instruction| {
            let encodable = machine.catalogue.set.encodable(instruction);
            let bytes = machine.llvm.encode(&encodable).unwrap();
            machine.llvm.decode(&bytes).unwrap().0.operands == encodable.operands
        };
        assert!(!kernel.instructions().all(&mut comes_back), "{name}");
    }
}

/// Control registers.
const SET_BY_THE_TEMPLATE: &[&str] = &["FPCW", "FRM", "VXRM"];

/// What must hold for any kernel.
fn check_kernel(name: &str, kernel: &Kernel, machine: &mut Machine, complaints: &mut Complaints) {
    let catalogue = &machine.catalogue;
    let reserved: HashSet<UnitId> =
        kernel.loop_control.reserved.iter().flat_map(|&r| units(catalogue, r).to_vec()).collect();
    let restored: HashSet<UnitId> = kernel
        .loop_control
        .restores
        .iter()
        .flat_map(|&(r, _)| units(catalogue, r).to_vec())
        .collect();
    let groups = kernel.instructions().filter_map(|instruction| catalogue.form(instruction.opcode));
    if groups.map(|form| form.group).try_fold(EncodingGroup::Common, EncodingGroup::with).is_none()
    {
        complaints.add("mixes encodings", name);
    }
    for unit in written_units(kernel, catalogue) {
        if restored.contains(&unit) {
            complaints.add("writes a register that the loop restores", name);
        }
    }
    let mut seen = HashSet::new();
    for instruction in kernel.instructions().filter(|&instruction| seen.insert(instruction)) {
        let form = catalogue.form(instruction.opcode).expect("a form");
        if form
            .touched(instruction)
            .iter()
            .any(|&r| units(catalogue, r).iter().any(|unit| reserved.contains(unit)))
        {
            complaints.add("touches what the loop reserves", name);
        }
        if !complaints.checked.insert(instruction.clone()) {
            continue;
        }
        check_operands(name, form, instruction, catalogue, complaints);
        if form.clobbers_itself(instruction, &catalogue.set) {
            complaints.add("writes over what it reads", name);
        }
        let encodable = catalogue.set.encodable(instruction);
        let Ok(bytes) = machine.llvm.encode(&encodable) else {
            complaints.add("does not encode", name);
            continue;
        };
        match machine.llvm.decode(&bytes) {
            Ok((decoded, length))
                if length == bytes.len() && decoded.opcode == encodable.opcode =>
            {
                if decoded.operands != encodable.operands && !is_misread(&form.name) {
                    complaints.add("decodes to other operands", name);
                }
            }
            _ => complaints.add("does not decode to its own opcode", name),
        }
    }
    let values = &kernel.values;
    for register in read_first(kernel, catalogue) {
        if SET_BY_THE_TEMPLATE.contains(&catalogue.set.register(register).name.as_str()) {
            continue;
        }
        let stack = |register: RegisterId| catalogue.set.register(register).name.starts_with("ST");
        // The x87 stack is filled as a whole.
        if !values.iter().any(|&(known, _)| {
            catalogue.set.overlap(known, register) || stack(known) && stack(register)
        }) {
            complaints.add(
                "a register is read that nobody gave a value",
                format!("{name} {}", catalogue.set.register(register).name),
            );
        }
    }
}

/// Registers read before any instruction of the body wrote them.
fn read_first(kernel: &Kernel, catalogue: &Catalogue) -> Vec<RegisterId> {
    let mut written: HashSet<UnitId> = HashSet::new();
    let mut out = Vec::new();
    for instruction in kernel.instructions() {
        let form = catalogue.form(instruction.opcode).expect("a form");
        for register in form.uses().filter_map(|site| form.register_at(site, instruction)) {
            if units(catalogue, register).iter().any(|unit| !written.contains(unit)) {
                out.push(register);
            }
        }
        for register in form.defs().filter_map(|site| form.register_at(site, instruction)) {
            written.extend(units(catalogue, register));
        }
    }
    out
}

/// What must hold for the body of a throughput measurement.
fn check_throughput(
    form: &InstructionForm,
    kernel: &Kernel,
    catalogue: &Catalogue,
    complaints: &mut Complaints,
) {
    let name = form.name.as_str();
    let instances: Vec<&Instruction> =
        kernel.instructions().filter(|instruction| instruction.opcode == form.opcode).collect();
    let companion = instances.len() > INSTANCES as usize;
    if instances.len() != INSTANCES as usize && !companion {
        complaints.add("a wrong number of instances", name);
    }
    let written = written_units(kernel, catalogue);
    // What breakers and companions write.
    let others = kernel.instructions().filter(|instruction| instruction.opcode != form.opcode);
    let by_others: Vec<RegisterId> = others
        .flat_map(|instruction| {
            let form = catalogue.form(instruction.opcode).expect("a form");
            form.defs().filter_map(|site| form.register_at(site, instruction)).collect::<Vec<_>>()
        })
        .collect();
    for index in 0..form.operands.len() {
        let operand = &form.operands[index];
        if !matches!(operand.kind, Placeholder::Register(_)) {
            continue;
        }
        let registers: Vec<RegisterId> =
            instances.iter().filter_map(|i| register_at(i, index)).collect();
        if operand.write {
            let distinct: HashSet<RegisterId> = registers.iter().copied().collect();
            let class = form.class_of(index).expect("a register operand");
            // What is read, implied, or kept by the loop is not free.
            let kept = kernel.values.iter().map(|&(register, _)| register);
            let kept = kept.filter(|&r| units(catalogue, r).iter().all(|u| !written.contains(u)));
            let taken: HashSet<UnitId> = kept
                .chain(form.implicit_defs.iter().copied())
                .chain(by_others.iter().copied())
                .chain(kernel.loop_control.reserved.iter().copied())
                .chain(kernel.loop_control.restores.iter().flat_map(|&(r, copy)| [r, copy]))
                .flat_map(|register| units(catalogue, register).to_vec())
                .collect();
            let is_free =
                |r: &&RegisterId| units(catalogue, **r).iter().all(|u| !taken.contains(u));
            let free = apart(catalogue.allocatable(class).iter().filter(is_free), catalogue);
            let results = form.operands.iter().filter(|operand| operand.write).count();
            let expected = (free / results).clamp(1, INSTANCES as usize);
            if distinct.len() < expected {
                complaints.add(
                    "fewer destinations than there are registers",
                    format!("{name} {} < {expected}", distinct.len()),
                );
            }
            // The same register comes back as late as possible.
            let turn = distinct.len().min(registers.len());
            if registers
                .windows(turn)
                .any(|window| window.iter().collect::<HashSet<_>>().len() < turn)
            {
                complaints.add("a destination comes back too early", name);
            }
        } else if operand.tied_to.is_none()
            && registers
                .iter()
                .any(|&r| units(catalogue, r).iter().any(|unit| written.contains(unit)))
        {
            complaints.add("a read-only source is written", name);
        }
    }
}

#[test]
fn throughput_bodies_of_all_x86_64_forms() {
    throughput_bodies_of_all_forms(Machine::x86_64());
}

#[test]
fn throughput_bodies_of_all_aarch64_forms() {
    throughput_bodies_of_all_forms(Machine::aarch64());
}

#[test]
fn throughput_bodies_of_all_riscv64_forms() {
    throughput_bodies_of_all_forms(Machine::riscv64());
}

fn throughput_bodies_of_all_forms(mut machine: Machine) {
    let forms: Vec<InstructionForm> = machine.catalogue.forms().cloned().collect();
    let mut complaints = Complaints::default();
    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut built = 0;
    for form in &forms {
        let kernel = match body(form, Vec::new()).build(&machine.catalogue) {
            Ok(kernel) => kernel,
            Err(error) => {
                refused.entry(kind_of(&error).to_owned()).or_default().push(form.name.clone());
                continue;
            }
        };
        built += 1;
        check_kernel(&form.name, &kernel, &mut machine, &mut complaints);
        check_throughput(form, &kernel, &machine.catalogue, &mut complaints);
        check_independence(form, &mut machine, &mut complaints);
    }
    println!("{} forms, {built} bodies", forms.len());
    for (reason, names) in &refused {
        println!("{} x {reason}: {}", names.len(), names[..names.len().min(6)].join(" "));
    }
    complaints.assert_none();
}

/// The top of the x87 stack and the shadow stack pointer.
const UNBROKEN: &[&str] = &["ST0", "SSP"];

/// With a breaker after every instance, nothing but the written operands' own chains is left.
fn check_independence(form: &InstructionForm, machine: &mut Machine, complaints: &mut Complaints) {
    let catalogue = &machine.catalogue;
    let mut breaking = Vec::new();
    for register in dependences_of(catalogue, form) {
        let names = catalogue.isa.breakers(&catalogue.set, register);
        let Some(breaker) = names.iter().find_map(|name| catalogue.form_by_name(name)) else {
            let register = &catalogue.set.register(register).name;
            if !UNBROKEN.contains(&register.as_str()) {
                complaints.add(format!("nothing breaks {register}"), &form.name);
            }
            return;
        };
        breaking.push(Breaking { register, breaker: breaker.opcode });
    }
    let kernel = match body(form, breaking.clone()).build(catalogue) {
        Ok(kernel) => kernel,
        Err(error) => {
            complaints.add(format!("with breakers: {}", kind_of(&error)), &form.name);
            return;
        }
    };
    let name = format!("{} with breakers", form.name);
    check_throughput(form, &kernel, catalogue, complaints);
    let (growth, passes) =
        Loop::of(&kernel, catalogue).growth(|step, _, _| i64::from(step.number.is_some()));
    let turns = (0..form.operands.len())
        .filter(|&index| form.operands[index].write)
        .map(|index| {
            let registers: HashSet<RegisterId> = kernel
                .instructions()
                .filter(|instruction| instruction.opcode == form.opcode)
                .filter_map(|instruction| register_at(instruction, index))
                .collect();
            (INSTANCES as usize).div_ceil(registers.len().max(1)) as i64
        })
        .max()
        .unwrap_or(0);
    // Where the x87 stack moves, names mean other registers from one instruction to the next.
    let moves = !catalogue.isa.companions(form).before.is_empty()
        || !catalogue.isa.companions(form).after.is_empty();
    if growth > turns * passes && !moves {
        complaints.add(
            "instances wait for each other",
            format!(
                "{} ({} a pass instead of at most {turns})",
                form.name,
                growth as f64 / passes as f64
            ),
        );
    }
    check_kernel(&name, &kernel, machine, complaints);
}

fn kind_of(error: &KernelError) -> &'static str {
    match error {
        KernelError::NoForm(_) => "no form",
        KernelError::NoRegister { .. } => "not enough registers",
        KernelError::NoJunction { .. } => "no junction",
        KernelError::NoDependence { .. } => "no dependence",
        KernelError::SecondDependence { .. } => "a second dependence",
        KernelError::Clobbered(_) => "clobbered",
        KernelError::NothingCrosses => "nothing crosses",
        KernelError::NoLoop => "no loop",
        KernelError::NoBarrier => "no barrier",
    }
}

const LONG: i64 = 1000;
/// What a side path may take while a link of the chain takes one.
const HARMLESS: i64 = 2;

fn chain(edge: Edge, style: Style) -> Chain {
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
fn check_chain(kernel: &Kernel, catalogue: &Catalogue, links: &[Edge]) -> Result<(), String> {
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
            let name = edge.describe(form, &catalogue.set);
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

/// A timing of one cycle a link: nothing that planning would want to know more about.
fn one_cycle_a_link(chain: &Chain, kernel: &Kernel) -> Finding {
    let sample = Sample {
        pulse: None,
        body: Cycles((chain.links.len() as u32 * kernel.instances).into()),
        uncertainty: Cycles(0.0),
        plain: None,
        frequency: None,
        windows_used: 1,
        windows_total: 1,
        settled: true,
    };
    Finding::Timed(Timing::of_chain(sample, kernel.instances, LoopCost::Hidden))
}

/// Why an edge may have no chain: control registers that no instruction writes, forms that move the
/// x87 stack, tiles, and what the manual leaves undefined. The shadow stack pointer can only be moved on
/// from where it is.
#[test]
fn walks_of_all_x86_64_edges() {
    walks_of_all_edges(Machine::x86_64(), &["MXCSR", "FPCW", "SSP", "x87", "TILE", "undefined"]);
}

/// Control registers, the stack pointer, and tiles, to which streaming mode belongs.
#[test]
fn walks_of_all_aarch64_edges() {
    walks_of_all_edges(
        Machine::aarch64(),
        &["FPCR", "FPMR", "Reg<SP>", "Class<MPR", "Class<MatrixIndex"],
    );
}

/// Control registers, the stack pointer.
#[test]
fn walks_of_all_riscv64_edges() {
    walks_of_all_edges(
        Machine::riscv64(),
        &["FRM", "VXRM", "control-register instructions", "configuration is", "X2"],
    );
}

fn walks_of_all_edges(mut machine: Machine, excuses: &[&str]) {
    let subjects: Vec<_> = machine.catalogue.forms().map(|form| form.opcode).collect();
    let catalogue = machine.catalogue.clone();
    let scope = Scope {
        modes: vec![Mode::Latency],
        subjects,
        front_end: FrontEnd { floor: Cycles(0.125), filler: Cycles(0.125) },
        slow: HashSet::new(),
    };
    let planner = Planner::new(&catalogue, &scope);
    let mut knowledge = Knowledge::default();
    let mut complaints = Complaints::default();
    let mut chains = 0;
    for round in 0.. {
        let start = std::time::Instant::now();
        let experiments = planner.next_round(&knowledge);
        println!("round {round}: {} in {:?}", experiments.len(), start.elapsed());
        if experiments.is_empty() {
            break;
        }
        for experiment in experiments {
            let chain = match &experiment {
                Experiment::Latency(chain) => chain,
                Experiment::Throughput(body) => {
                    assert_eq!(body.registers, Registers::One, "{experiment:?} is no chain");
                    knowledge.learn(experiment.clone(), Finding::Impossible(String::new()));
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
                    edge.describe(catalogue.form(edge.opcode).expect("a form"), &catalogue.set)
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
    let plans = planner.plans(&knowledge);
    let mut refused: BTreeMap<&str, Vec<&EdgePlan>> = BTreeMap::new();
    for plan in &plans {
        if let Route::None(reason) = &plan.route {
            refused.entry(reason).or_default().push(plan);
        }
    }
    println!("{} edges, {chains} chains", plans.len());
    for (reason, plans) in &refused {
        if !excuses.iter().any(|excuse| reason.contains(excuse)) {
            let edge = plans[0].edge;
            let name = edge.describe(catalogue.form(edge.opcode).expect("a form"), &catalogue.set);
            complaints.add(format!("no way back: {reason}"), name);
        }
    }
    for (reason, plans) in &refused {
        let name = |plan: &&EdgePlan| {
            let edge = plan.edge;
            edge.describe(catalogue.form(edge.opcode).expect("a form"), &catalogue.set)
        };
        let names: Vec<String> = plans.iter().take(4).map(name).collect();
        println!("{} x {reason}: {}", plans.len(), names.join(", "));
    }
    complaints.assert_none();
}
