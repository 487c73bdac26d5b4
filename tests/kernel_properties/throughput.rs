//! Throughput bodies: instances that wait for nothing.

use std::collections::{BTreeMap, HashSet};

use winic::catalogue::Catalogue;
use winic::form::{InstructionForm, Placeholder};
use winic::kernel::{Breaking, Kernel, KernelError, ThroughputBody};
use winic::metadata::{Instruction, RegisterId, UnitId};
use winic::study::throughput::dependences_of;

use crate::check_kernel;
use crate::complaints::{Complaints, apart, register_at, units, written_units};
use crate::dataflow::Loop;
use crate::support::Machine;

const INSTANCES: u32 = 48;

pub fn body(form: &InstructionForm, breaking: Vec<Breaking>) -> ThroughputBody {
    ThroughputBody { breaking, ..ThroughputBody::plain(form.opcode, INSTANCES) }
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
        KernelError::ReadTwice(_) => "read twice",
        KernelError::Spent(_) => "spent registers",
        KernelError::Led(_) => "not begun",
        KernelError::NamedOtherwise => "named otherwise",
        KernelError::NothingCrosses => "nothing crosses",
        KernelError::NoLoop => "no loop",
        KernelError::OutOfReach { .. } => "out of reach",
        KernelError::NoBarrier => "no barrier",
        KernelError::NoWalk(_) => "no walk",
        KernelError::SmallWorkingSet(_) | KernelError::NoChase(_) => "small working set",
        KernelError::NoFiller(_) => "no filler",
        KernelError::Unreserved(_) => "nothing reserves its address",
        KernelError::OneForAll(_) => "one register for all instances",
    }
}
