//! Checks of a sequence that closes on itself, and the breakers that it needs.

use super::breakers::Breakers;
use super::chain::Style;
use super::content::Sequence;
use super::dependence::{Access, LastWriters};
use super::draft::Draft;
use super::sequence::{HARMLESS_PASSES, LinkStep, accesses};
use super::{KernelError, Slot};
use crate::form::{EncodingGroup, Part, Site};
use crate::metadata::{Instruction, RegisterId};

/// Checks the dependences of the finished instructions and writes them down, with breakers against
/// those that are not meant.
pub(super) fn write(
    draft: &mut Draft<'_>,
    steps: &[LinkStep<'_>],
    (instructions, refills): (Vec<Instruction>, Vec<Vec<Instruction>>),
    cells: &[Option<u32>],
    sequence: &Sequence,
) -> Result<(), KernelError> {
    let mut accesses = accesses(draft.catalogue, steps, &instructions);
    for ((access, step), cell) in accesses.iter_mut().zip(steps).zip(cells) {
        if let Some(cell) = *cell {
            access.reach(step.form, cell);
        }
    }
    let writers = LastWriters::of(&accesses);
    let carried = (0..steps.len())
        .map(|index| carried_parts(steps, &accesses, &writers, index))
        .collect::<Result<Vec<_>, _>>()?;
    if draft.control.overwrites.iter().any(|part| carried[0].contains(part)) {
        return Err(KernelError::NoLoop);
    }
    // The longest distance, in links, over which a dependence could be longer than the chain.
    let harmful = HARMLESS_PASSES * sequence.pass_length();
    let mut breakers = Breakers::new(sequence.values, group(steps), steps.len());
    // Breakers against merging first: they also break what comes through the rest of a register.
    for (index, step) in steps.iter().enumerate() {
        let reader = (step.form, &instructions[index]);
        for register in merged(&accesses, &writers, index, &carried[index], harmful) {
            breakers.put(index, reader, register, &carried, draft)?;
        }
    }
    for (index, step) in steps.iter().enumerate() {
        let reader = (step.form, &instructions[index]);
        let wanted = |site| is_wanted(step, sequence.style, site);
        for register in unwanted(steps, &accesses, &writers, &breakers, index, harmful, wanted) {
            if register == RegisterId::NONE {
                return Err(KernelError::SecondDependence { register: "memory".to_owned() });
            }
            breakers.put(index, reader, register, &carried, draft)?;
        }
    }
    let crossed = sequence.style == Style::Crossed;
    let is_spent = steps.iter().any(|step| !step.form.spent.is_empty());
    if crossed && (breakers.is_empty() || is_spent) {
        return Err(KernelError::NothingCrosses);
    }
    for (index, (instruction, refills)) in instructions.into_iter().zip(refills).enumerate() {
        draft.body.extend(breakers.before(index).filter(|_| !crossed));
        draft.body.extend(refills.into_iter().map(Slot::Instruction));
        draft.push(instruction);
        draft.pad(sequence.fillers);
    }
    Ok(())
}

/// The encodings beside which breakers stand; rendering refuses links that do not go together.
fn group(steps: &[LinkStep<'_>]) -> EncodingGroup {
    let of_steps = steps.iter().map(|step| step.form.group);
    of_steps.fold(EncodingGroup::COMMON, |group, own| group.with(own).unwrap_or(group))
}

/// The parts in which step `index` receives the chain from the step before it.
fn carried_parts(
    steps: &[LinkStep<'_>],
    accesses: &[Access],
    writers: &LastWriters,
    index: usize,
) -> Result<Vec<Part>, KernelError> {
    let count = steps.len();
    let previous = (index + count - 1) % count;
    let written: Vec<Part> = accesses[previous]
        .writes
        .iter()
        .filter(|(site, _)| *site == steps[previous].link.target)
        .flat_map(|(_, parts)| parts.iter().copied())
        .collect();
    let carried: Vec<Part> = accesses[index]
        .reads
        .iter()
        .filter(|(site, ..)| *site == steps[index].link.source)
        .flat_map(|(.., parts)| parts.iter().copied())
        .filter(|&part| written.contains(&part))
        .filter(|&part| writers.before(index, part).is_some_and(|(writer, _)| writer == previous))
        .collect();
    if carried.is_empty() {
        return Err(KernelError::NoDependence {
            from: steps[previous].form.name.clone(),
            to: steps[index].form.name.clone(),
        });
    }
    Ok(carried)
}

/// Whether the chain comes in at a site of a step.
fn is_wanted(step: &LinkStep<'_>, style: Style, site: Site) -> bool {
    site == step.link.source || (style == Style::Tied && step.form.ties(site, step.link.target))
}

/// Registers through which step `index` depends on a recent step otherwise than by the chain.
fn unwanted(
    steps: &[LinkStep<'_>],
    accesses: &[Access],
    writers: &LastWriters,
    breakers: &Breakers,
    index: usize,
    harmful: usize,
    wanted: impl Fn(Site) -> bool,
) -> Vec<RegisterId> {
    let mut out = Vec::new();
    for (site, register, parts) in &accesses[index].reads {
        let by_chain = wanted(*site);
        let is_harmful = parts.iter().any(|&part| {
            let Some((writer, distance)) = writers.before(index, part) else { return false };
            // From link to link nothing is later than the chain itself: not what a site leaves
            // undefined, nor what skips a link because that writes only a part of the register.
            let intended =
                by_chain && leaves_at(&accesses[writer], steps[writer].link.target, part);
            !intended && distance <= harmful && !breakers.cut(part, index, distance)
        });
        if is_harmful && !out.contains(register) {
            out.push(*register);
        }
    }
    out
}

/// Registers of which step `index` writes a part while a recent step wrote the rest. Merging
/// with the register that carries the chain is part of the chain.
fn merged(
    accesses: &[Access],
    writers: &LastWriters,
    index: usize,
    carried: &[Part],
    harmful: usize,
) -> Vec<RegisterId> {
    let near =
        |part: &Part| writers.before(index, *part).is_some_and(|(_, distance)| distance <= harmful);
    accesses[index]
        .merged
        .iter()
        .filter(|(_, parts)| {
            parts.iter().any(near) && !parts.iter().any(|part| carried.contains(part))
        })
        .map(|(register, _)| *register)
        .collect()
}

fn leaves_at(access: &Access, site: Site, part: Part) -> bool {
    access
        .writes
        .iter()
        .chain(&access.undefined)
        .any(|(other, parts)| *other == site && parts.contains(&part))
}
