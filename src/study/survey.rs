//! Before anything is timed: which forms and registers this CPU has.

use std::collections::BTreeSet;

use crate::answer::Cause;
use crate::catalogue::Catalogue;
use crate::experiment::{Experiment, Probe};
use crate::form::InstructionForm;
use crate::infer::{Finding, Knowledge};
use crate::isa::{Availability, Isa};
use crate::metadata::{OpcodeId, RegisterId};

/// One probe for each form.
pub fn probes<'a>(forms: impl Iterator<Item = &'a InstructionForm>) -> Vec<Experiment> {
    forms.map(|form| Experiment::Probe(Probe { opcode: form.opcode, register: None })).collect()
}

/// Registers that only some CPUs have and that executable forms could use.
#[must_use]
pub fn missing_registers(catalogue: &Catalogue) -> BTreeSet<RegisterId> {
    register_uses(catalogue).into_iter().map(|(register, _)| register).collect()
}

/// A probe for each register that only some CPUs have, with a form that does execute.
#[must_use]
pub fn register_probes(
    catalogue: &Catalogue,
    knowledge: &Knowledge,
) -> Vec<(RegisterId, Experiment)> {
    let mut asked = BTreeSet::new();
    register_uses(catalogue)
        .into_iter()
        .filter(|(_, probe)| {
            catalogue.form(probe.opcode).is_some_and(|form| knowledge.executes(form))
        })
        .filter(|(register, _)| asked.insert(*register))
        .map(|(register, probe)| (register, Experiment::Probe(probe)))
        .collect()
}

fn register_uses(catalogue: &Catalogue) -> Vec<(RegisterId, Probe)> {
    let mut out = Vec::new();
    for form in catalogue.forms() {
        for operand in 0..form.operands.len() {
            // A tied use follows its definition.
            let Some(class) = form.class_of(operand) else { continue };
            if form.operands[operand].tied_to.is_some() {
                continue;
            }
            for &register in &catalogue.set.class(class).registers {
                if catalogue.isa.availability(&catalogue.set.register(register).name)
                    == Availability::IfExecuted
                {
                    out.push((
                        register,
                        Probe { opcode: form.opcode, register: Some((operand, register)) },
                    ));
                }
            }
        }
    }
    out
}

/// The forms of a machine that execute, with the registers that exist.
#[must_use]
pub fn executable(all: &Catalogue, knowledge: &Knowledge) -> Catalogue {
    let forms = all.forms().filter(|form| knowledge.executes(form)).cloned();
    let executed =
        |probe: &Experiment| matches!(knowledge.of(probe), Some(Finding::Executed { .. }));
    let registers = register_probes(all, knowledge).into_iter();
    let registers = registers.filter(|(_, probe)| executed(probe)).map(|(register, _)| register);
    Catalogue::new(all.set.clone(), all.isa.clone(), forms, &registers.collect())
}

/// Why a form does not execute here, if its probe says so.
#[must_use]
pub fn fault_of(knowledge: &Knowledge, opcode: OpcodeId, isa: &dyn Isa) -> Option<Cause> {
    match knowledge.probe(opcode)? {
        Finding::Faulted(fault) => {
            let words = isa.why_trapped(opcode).filter(|_| fault.is_trap());
            Some(words.map_or(Cause::Fault(*fault), |words| Cause::InWords(words.to_owned())))
        }
        Finding::Impossible(reason) => Some(Cause::InWords(reason.clone())),
        _ => None,
    }
}
