//! Checks of a sequence between barriers.

use super::KernelError;
use super::dependence::Access;
use super::sequence::{LinkStep, accesses};
use crate::catalogue::Catalogue;
use crate::form::{Part, Site};
use crate::metadata::{Instruction, InstructionSet, RegisterId};

/// Each instruction reads at its source what the one before wrote at its target, and nothing else
/// that an instruction of the pass wrote.
pub(super) fn check(
    catalogue: &Catalogue,
    steps: &[LinkStep<'_>],
    instructions: &[Instruction],
) -> Result<(), KernelError> {
    if let Some(step) = steps.iter().find(|step| !step.form.spent.is_empty()) {
        return Err(KernelError::Spent(step.form.name.clone()));
    }
    let accesses = accesses(catalogue, steps, instructions);
    for (index, (step, access)) in steps.iter().zip(&accesses).enumerate() {
        let earlier = &accesses[..index];
        let target = index.checked_sub(1).map(|previous| steps[previous].link.target);
        let mut is_carried = index == 0;
        for (site, register, parts) in &access.reads {
            let comes = |writer: &Access, part: &Part, at: Option<Site>| {
                let mut left = writer.writes.iter().chain(&writer.undefined);
                left.any(|(site, parts)| at.is_none_or(|at| at == *site) && parts.contains(part))
            };
            let previous = earlier.last();
            if *site == step.link.source {
                let carries = |part| previous.is_some_and(|writer| comes(writer, part, target));
                is_carried |= parts.iter().any(carries);
            } else if parts.iter().any(|part| earlier.iter().any(|w| comes(w, part, None))) {
                return Err(second(&catalogue.set, *register));
            }
        }
        for (register, parts) in &access.merged {
            let is_source = steps[index].form.register_at(step.link.source, &instructions[index]);
            let own = is_source.is_some_and(|source| catalogue.set.overlap(source, *register));
            let written = |part: &Part| earlier.iter().any(|writer| writer.writes_part(*part));
            if !own && parts.iter().any(written) {
                return Err(second(&catalogue.set, *register));
            }
        }
        if !is_carried {
            let name = |step: &LinkStep<'_>| step.form.name.clone();
            let from = index.checked_sub(1).map(|previous| name(&steps[previous]));
            let from = from.unwrap_or_default();
            return Err(KernelError::NoDependence { from, to: name(step) });
        }
    }
    Ok(())
}

fn second(set: &InstructionSet, register: RegisterId) -> KernelError {
    KernelError::SecondDependence { register: set.register(register).name.clone() }
}
