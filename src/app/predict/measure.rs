//! The region as a kernel: what an iteration of it takes.

use std::collections::HashSet;
use std::sync::Arc;

use super::steps::PlacedStep;
use crate::app::machine::{Elsewhere, device, only_report};
use crate::app::{Failure, interrupted};
use crate::artifact::{KernelFunctions, KernelId, Purpose};
use crate::assemble::{Linker, assemble};
use crate::catalogue::Catalogue;
use crate::cli::Global;
use crate::codec::Control;
use crate::device::KernelReport;
use crate::form::{AddressPart, InstructionForm, Part, Role, Site, Value};
use crate::isa::{Availability, LoopControl};
use crate::kernel::{Audience, Kernel, Slot, render};
use crate::metadata::{Instruction, RegisterId};
use crate::pipeline::{Target, clock};
use crate::sample::{Sample, reduce};

/// Instructions in a kernel's body, at least: shorter regions stand there several times.
const LEAST_BODY: usize = 64;
/// How far into the region that kernels may access addresses lead: templates point the stack there too.
const PLACE: u32 = 2048;
/// What the kernel is called.
const NAME: &str = "predicted";

/// Runs the region; the sample is of one iteration.
pub(super) fn measure(
    global: &Global,
    target: &mut Target,
    placed: &[PlacedStep],
) -> Result<Sample, Failure> {
    let body = body(placed)?;
    let kernel = kernel(target, body)?;
    let catalogue = catalogue(target);
    let cannot = |reason: String| Failure::new(format!("the region cannot be measured: {reason}"));
    let (time, audience) = (Purpose::Time, Audience::Assembler);
    let rendered = render(&kernel, NAME, &catalogue, &mut target.llvm, time, audience)
        .map_err(|error| cannot(error.to_string()))?;
    let functions = KernelFunctions {
        id: KernelId(0),
        purpose: Purpose::Time,
        init: rendered.init,
        single: rendered.single,
        double: rendered.double,
        alone: true,
        needs: kernel.needs(),
    };
    let isa = Arc::clone(&target.isa);
    let chain = isa.references()[0];
    let reference = chain.function(0);
    let linker = Linker::find()?;
    let artifact =
        assemble(&[rendered.text], vec![functions], reference, &*isa, &target.llvm, &linker)?;
    let elsewhere = Elsewhere::start(global)?;
    let mut device = device(global, elsewhere, target)?;
    let clock = clock(device.describe(), global.frequency)?;
    match only_report(&mut *device, &artifact)? {
        Some(KernelReport::Timed(raw)) => {
            let sample = reduce(&raw, &clock, chain.instructions);
            let sample = sample.map_err(|reason| cannot(reason.to_string()))?;
            let times = f64::from(kernel.instances);
            let (body, uncertainty) = (sample.body / times, sample.uncertainty / times);
            Ok(Sample { body, uncertainty, ..sample })
        }
        Some(KernelReport::Faulted(fault)) => Err(cannot(format!(
            "{fault}; a kernel's addresses begin in {} bytes of its own, and may not leave them",
            crate::isa::REGION
        ))),
        Some(KernelReport::Executed { .. } | KernelReport::Parallel(_)) => {
            Err(cannot("the device tells no time".to_owned()))
        }
        None if interrupted() => Err(Failure::interrupted()),
        None => Err(cannot("the device gave no result".to_owned())),
    }
}

/// The instructions of the region but for the branch that closes its loop, for which the kernel has its own.
fn body(placed: &[PlacedStep]) -> Result<&[PlacedStep], Failure> {
    let cannot = |what: &str, step: &PlacedStep| {
        Err(Failure::new(format!("the region cannot be measured: `{}` {what}", step.step.text)))
    };
    let body = match placed.split_last() {
        Some((last, body)) if matches!(last.control, Control::Branch(_)) => body,
        _ => placed,
    };
    for step in body {
        if step.control != Control::Next || step.step.branches {
            return cannot("goes elsewhere", step);
        }
        if let Some(name) = &step.reference {
            return cannot(&format!("refers to {name}, which a kernel does not have"), step);
        }
        if step.form.is_none() {
            return cannot("is no form that kernels may hold", step);
        }
    }
    if body.is_empty() {
        return Err(Failure::new("the region cannot be measured: it is nothing but a branch"));
    }
    Ok(body)
}

fn catalogue(target: &Target) -> Catalogue {
    let none = HashSet::new();
    let forms: Vec<InstructionForm> = target.forms(&none).cloned().collect();
    Catalogue::new(Arc::clone(&target.set), Arc::clone(&target.isa), forms, &HashSet::new())
}

fn kernel(target: &Target, body: &[PlacedStep]) -> Result<Kernel, Failure> {
    let touched = Touched::of(target, body);
    let controls = target.isa.loop_controls(&target.set);
    let control = controls.into_iter().find(|control| touched.leaves(control, target));
    let control = control.ok_or_else(|| {
        let names = target.isa.loop_controls(&target.set).into_iter().flat_map(|it| it.reserved);
        let mut names: Vec<&str> =
            names.map(|register| target.set.register(register).name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        Failure::new(format!(
            "the region cannot be measured: no loop leaves its registers alone; kernels count \
             with {}",
            names.join(", ")
        ))
    })?;
    let times = LEAST_BODY.div_ceil(body.len());
    let own = |placed: &PlacedStep| instance(target, placed);
    let slots: Vec<Slot> = body.iter().map(|it| Slot::Instruction(own(it))).collect();
    let values = touched.values.iter().copied().chain(control.restored_values()).collect();
    Ok(Kernel {
        body: slots.iter().cloned().cycle().take(slots.len() * times).collect(),
        values,
        contents: touched.accesses_memory.then_some(Value::Ordinary),
        low: false,
        passes_memory: touched.accesses_memory,
        crosses_encodings: true,
        padded: false,
        walk: None,
        cores: 1,
        loop_control: control,
        instances: times as u32,
    })
}

/// An instruction as its form has it.
fn instance(target: &Target, placed: &PlacedStep) -> Instruction {
    match &placed.form {
        None => placed.instruction.clone(),
        Some(form) => {
            let operands = target.set.listed(form.opcode, &placed.instruction.operands);
            Instruction { opcode: form.opcode, operands }
        }
    }
}

/// What a body does to registers.
#[derive(Default)]
struct Touched {
    registers: Vec<RegisterId>,
    written: HashSet<Part>,
    /// What is read before anything writes it.
    first_read: HashSet<Part>,
    /// What registers must hold that are read before anything writes them.
    values: Vec<(RegisterId, Value)>,
    accesses_memory: bool,
}

impl Touched {
    fn of(target: &Target, body: &[PlacedStep]) -> Self {
        let mut out = Self::default();
        for placed in body {
            let Some(form) = &placed.form else { continue };
            let instance = instance(target, placed);
            out.accesses_memory |= form.memory != crate::form::MemoryAccess::None;
            let parts = |site: Site, role: Role| -> Option<(RegisterId, Vec<Part>)> {
                let register = form.register_at(site, &instance)?;
                let parts = target.isa.parts(&target.set, form, &instance, register, role);
                (register != RegisterId::NONE).then_some((register, parts))
            };
            for site in form.uses() {
                let Some((register, parts)) = parts(site, Role::Use) else { continue };
                out.registers.push(register);
                let unwritten = parts.into_iter().filter(|part| !out.written.contains(part));
                let unwritten: Vec<Part> = unwritten.collect();
                let name = &target.set.register(register).name;
                let is_free = target.isa.availability(name) != Availability::Never;
                if !unwritten.is_empty() && is_free {
                    out.values.push((register, value(target, form, site)));
                }
                out.first_read.extend(unwritten);
            }
            for site in form.defs() {
                for role in [Role::Def, Role::Undefined] {
                    let Some((register, parts)) = parts(site, role) else { continue };
                    out.registers.push(register);
                    out.written.extend(parts);
                }
            }
        }
        out
    }

    /// Whether a loop leaves alone what the body needs.
    fn leaves(&self, control: &LoopControl, target: &Target) -> bool {
        let touches = |register: RegisterId| {
            self.registers.iter().any(|&own| target.set.overlap(own, register))
        };
        let writes = |register: RegisterId| {
            let units = &target.set.register(register).units;
            units.iter().any(|&unit| self.written.contains(&Part::Unit(unit)))
        };
        let restored = |register: RegisterId| {
            let mut restores = control.restores.iter();
            restores.any(|&(own, _)| target.set.overlap(own, register))
        };
        let is_left = |&register: &RegisterId| match restored(register) {
            true => !writes(register),
            false => !touches(register),
        };
        control.reserved.iter().all(is_left)
            && control.restores.iter().all(|&(own, copy)| !writes(own) && !touches(copy))
            && control.overwrites.iter().all(|part| !self.first_read.contains(part))
    }
}

/// What a register must hold for an instruction that reads it there.
fn value(target: &Target, form: &InstructionForm, site: Site) -> Value {
    let part = match site {
        Site::Operand(operand) => form.part_held(operand),
        Site::Implicit(register) => form.implied_base(register).map(|_| AddressPart::Base),
        Site::Memory => None,
    };
    match part {
        Some(AddressPart::Base) => Value::DataAddress(PLACE),
        Some(AddressPart::Index) => Value::Zero,
        _ => target.isa.required_value(&target.set, form, site).unwrap_or(Value::Ordinary),
    }
}
