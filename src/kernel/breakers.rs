//! Checks the dependences of a chain's finished instructions, part by part, and puts breakers
//! against all but the one that is meant.
//!
//! Givens: the instructions, what each reads and writes, and at which site the chain comes in
//! and goes on. Wanted: for each instruction, breakers in front of it so that it waits for
//! nothing recent but the chain; none of them may write what carries the chain there.

use super::allocation::Taken;
use super::chain::{Chain, Step};
use super::dependence::{Access, LastWriters};
use super::throughput::breaker_instruction;
use super::{KernelError, Slot};
use crate::form::{Catalogue, InstructionForm, Site};
use crate::isa::{LoopControl, Part, Role, Value};
use crate::metadata::{Instruction, RegisterId};

/// A dependence over so many links cannot be longer than the links it spans.
const HARMLESS_DISTANCE: usize = 3;

/// Checks the dependences of the finished instructions and puts breakers and fillers in.
pub(super) fn finish(
    catalogue: &Catalogue,
    control: &LoopControl,
    steps: &[Step<'_>],
    instructions: &[Instruction],
    chain: &Chain,
    taken: &mut Taken,
    values: &mut Vec<(RegisterId, Value)>,
) -> Result<Vec<Slot>, KernelError> {
    let accesses: Vec<Access> = steps
        .iter()
        .zip(instructions)
        .map(|(step, instruction)| Access::of(catalogue, step.form, instruction))
        .collect();
    let writers = LastWriters::of(&accesses);
    let carried = (0..steps.len())
        .map(|index| carried_parts(steps, &accesses, &writers, index))
        .collect::<Result<Vec<_>, _>>()?;
    if control.overwrites.iter().any(|part| carried[0].contains(part)) {
        return Err(KernelError::NoLoop);
    }
    let mut breakers = Breakers::new(catalogue, steps.len());
    // Breakers against merging first: they also break what comes through the rest of a register.
    for index in 0..steps.len() {
        for register in merged(&accesses, &writers, index, &carried[index]) {
            breakers.put(index, (steps[index].form, &instructions[index]), register, &carried, taken, values)?;
        }
    }
    for index in 0..steps.len() {
        for register in unwanted(steps, &accesses, &writers, &breakers, index) {
            breakers.put(index, (steps[index].form, &instructions[index]), register, &carried, taken, values)?;
        }
    }
    let mut body = Vec::new();
    for (index, instruction) in instructions.iter().enumerate() {
        body.extend(breakers.before(index));
        body.push(Slot::Instruction(instruction.clone()));
        if chain.fillers > 0 {
            body.push(Slot::Fillers(chain.fillers));
        }
    }
    Ok(body)
}

/// The parts in which step `index` receives the chain from the step before it.
fn carried_parts(
    steps: &[Step<'_>],
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

/// Registers through which step `index` depends on a recent step otherwise than by the chain.
fn unwanted(
    steps: &[Step<'_>],
    accesses: &[Access],
    writers: &LastWriters,
    breakers: &Breakers<'_>,
    index: usize,
) -> Vec<RegisterId> {
    let mut out = Vec::new();
    for (site, register, parts) in &accesses[index].reads {
        let by_chain = *site == steps[index].link.source;
        let harmful = parts.iter().any(|&part| {
            let Some((writer, distance)) = writers.before(index, part) else { return false };
            // From link to link nothing is later than the chain itself: not what a site leaves
            // undefined, nor what skips a link because that writes only a part of the register.
            let intended = by_chain && leaves_at(&accesses[writer], steps[writer].link.target, part);
            !intended && distance < HARMLESS_DISTANCE && !breakers.cut(part, index, distance)
        });
        if harmful && !out.contains(register) {
            out.push(*register);
        }
    }
    out
}

/// Registers of which step `index` writes a part while a recent step wrote the rest. Merging
/// with the register that carries the chain is part of the chain.
fn merged(accesses: &[Access], writers: &LastWriters, index: usize, carried: &[Part]) -> Vec<RegisterId> {
    let near = |part: &Part| writers.before(index, *part).is_some_and(|(_, distance)| distance < HARMLESS_DISTANCE);
    accesses[index]
        .merged
        .iter()
        .filter(|(_, parts)| parts.iter().any(near) && !parts.iter().any(|part| carried.contains(part)))
        .map(|(register, _)| *register)
        .collect()
}

fn leaves_at(access: &Access, site: Site, part: Part) -> bool {
    access.writes.iter().chain(&access.undefined).any(|(other, parts)| *other == site && parts.contains(&part))
}

/// Breakers and where they stand.
struct Breakers<'a> {
    catalogue: &'a Catalogue,
    /// One instruction for each register, with what it writes.
    chosen: Vec<(RegisterId, Instruction, Access)>,
    /// By step: what stands in front of it, as positions in `chosen`.
    in_front: Vec<Vec<usize>>,
}

impl<'a> Breakers<'a> {
    fn new(catalogue: &'a Catalogue, steps: usize) -> Self {
        Self { catalogue, chosen: Vec::new(), in_front: vec![Vec::new(); steps] }
    }

    /// Puts one against a register in front of a step, where it must not cut the chain.
    fn put(
        &mut self,
        index: usize,
        (reader, instance): (&InstructionForm, &Instruction),
        register: RegisterId,
        carried: &[Vec<Part>],
        taken: &mut Taken,
        values: &mut Vec<(RegisterId, Value)>,
    ) -> Result<(), KernelError> {
        let cuts = |access: &Access| carried[index].iter().any(|&part| access.writes_part(part));
        let known = self.chosen.iter().position(|(other, _, access)| *other == register && !cuts(access));
        let which = match known {
            Some(which) => which,
            None => {
                let (instruction, access) = self.choose((reader, instance), register, &cuts, taken, values)?;
                self.chosen.push((register, instruction, access));
                self.chosen.len() - 1
            }
        };
        self.in_front[index].push(which);
        Ok(())
    }

    fn choose(
        &self,
        (reader, instance): (&InstructionForm, &Instruction),
        register: RegisterId,
        cuts: &dyn Fn(&Access) -> bool,
        taken: &mut Taken,
        values: &mut Vec<(RegisterId, Value)>,
    ) -> Result<(Instruction, Access), KernelError> {
        let catalogue = self.catalogue;
        let candidates = catalogue.isa.breakers(&catalogue.set, register);
        for form in candidates.iter().filter_map(|name| catalogue.form_by_name(name)) {
            let mut attempt = taken.clone();
            let Ok((instruction, sources)) = breaker_instruction(catalogue, form, register, &mut attempt) else {
                continue;
            };
            let access = Access::of(catalogue, form, &instruction);
            let read = catalogue.isa.parts(&catalogue.set, reader, instance, register, Role::Use);
            if cuts(&access) || !read.iter().all(|&part| access.writes_part(part)) {
                continue;
            }
            *taken = attempt;
            let value = catalogue
                .isa
                .required_value(&catalogue.set, reader, Site::Implicit(register))
                .unwrap_or(Value::OrdinaryOf(register));
            values.extend(sources.into_iter().map(|source| (source, value)));
            return Ok((instruction, access));
        }
        Err(KernelError::SecondDependence { register: catalogue.set.register(register).name.clone() })
    }

    /// Whether one stands between step `index` and what wrote `part` so many steps earlier.
    fn cut(&self, part: Part, index: usize, distance: usize) -> bool {
        let count = self.in_front.len();
        (0..distance).any(|back| {
            let step = (index + count - back % count) % count;
            self.in_front[step].iter().any(|&which| self.chosen[which].2.writes_part(part))
        })
    }

    fn before(&self, index: usize) -> impl Iterator<Item = Slot> + '_ {
        self.in_front[index].iter().map(|&which| Slot::Instruction(self.chosen[which].1.clone()))
    }
}
