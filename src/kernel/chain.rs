//! Chains for latency: a closed walk of links, each from a use to a definition of one
//! instruction, repeated so that every instruction waits for the one before it.
//!
//! Givens: links `l_0 .. l_k-1`, each a form with a use `s_i` and a definition `t_i`; where
//! `t_i` is and where `s_i+1` is must be able to be one register. Wanted: instructions in
//! which instruction `i+1` reads at `s_i+1` what instruction `i` wrote at `t_i`, and in which
//! no other dependence is short enough to matter. The place where a definition meets the next
//! use is a *junction*; junctions that tied operands force together form a group with one
//! register. All other reads are of constants, all other writes go to registers nobody reads.
//! Whether that succeeded is checked on the finished instructions, part by part; what is left
//! over (flags, implicit registers) is cut by breakers, which lie off the critical path.

use serde::{Deserialize, Serialize};

use super::allocation::{Taken, no_register};
use super::breakers::Breakers;
use super::dependence::{Access, LastWriters};
use super::junctions::Junctions;
use super::throughput::implicit_values;
use super::{Kernel, KernelError, Slot, ValueClass};
use crate::form::{Catalogue, Edge, InstructionForm, Site};
use crate::isa::{EncodingGroup, LoopControl, Part, Role, Value};
use crate::metadata::{Instruction, InstructionSet, OpcodeId, OperandValue, RegisterId};

/// One step of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Link {
    /// The form.
    pub opcode: OpcodeId,
    /// Where the chain comes in.
    pub source: Site,
    /// Where it goes on.
    pub target: Site,
    /// A value for one of its immediates other than the headline's.
    pub immediate: Option<(usize, i64)>,
    /// A role in keeping values fixed, if it has one.
    pub restoring: Option<Restoring>,
}

impl Link {
    /// The step over an edge of a form with its usual immediates.
    #[must_use]
    pub fn over(Edge { opcode, source, target }: Edge) -> Self {
        Self { opcode, source, target, immediate: None, restoring: None }
    }

    /// Whether the chain comes in through a flag.
    fn reads_flag(&self, catalogue: &Catalogue) -> bool {
        let (Site::Implicit(register), Some(form)) = (self.source, catalogue.form(self.opcode))
        else {
            return false;
        };
        let parts = catalogue.isa.parts(&catalogue.set, form, &form.sample, register, Role::Use);
        parts.iter().any(|part| matches!(part, Part::Flag(_)))
    }
}

/// The two steps that bring a value back without cutting the chain: `and` with zero, `or` with the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Restoring {
    /// The other operand is zero.
    Clear,
    /// The other operand is what the site of the form needs.
    Set(OpcodeId, Site),
}

/// Which registers the junctions take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Style {
    /// One register for all of them.
    Same,
    /// Several in turn: cores that stall when a register is written again need it, and so do
    /// forms with a tied operand that is not the one under test.
    Rotating,
    /// One register for all of them and for what is tied to the result: a link waits for the one
    /// before at two operands, so that it shows the larger of two latencies.
    Tied,
    /// One register for all of them, and nothing breaks other dependences: a link waits for what
    /// links before it pass on unnamed, which may still be sooner than for a breaker (a core that
    /// issues in order waits for all of them).
    Crossed,
}

/// What a latency body is to look like.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Chain {
    /// The links, in order; the last leads back to the first.
    pub links: Vec<Link>,
    /// Registers at the junctions.
    pub style: Style,
    /// Fillers behind each link, so that the scheduler does not fill up with waiting links.
    pub fillers: u32,
    /// Links in the body, at least: the loop's own instructions get in the chain's way once an
    /// iteration, for up to a cycle, so that short bodies read too long or too short.
    pub least_links: u32,
    /// What the operands hold, of forms that it matters to.
    #[serde(default)]
    pub values: ValueClass,
}

/// Passes that a body is a multiple of, and registers that unread results rotate through.
pub(super) const ROTATION: usize = HARMLESS_PASSES + 1;
/// A dependence over more than this many passes cannot take as long as the passes that it spans.
const HARMLESS_PASSES: usize = 2;

/// A link at its place in the body.
pub(super) struct Step<'a> {
    pub link: &'a Link,
    pub form: &'a InstructionForm,
}

impl<'a> Step<'a> {
    pub fn of(catalogue: &'a Catalogue, link: &'a Link) -> Result<Self, KernelError> {
        let form = catalogue.form(link.opcode).ok_or(KernelError::NoForm(link.opcode))?;
        Ok(Self { link, form })
    }
}

impl Chain {
    /// Chooses the registers and writes the body down.
    ///
    /// # Errors
    /// When the links do not fit together or a second dependence cannot be broken; the error
    /// is that of the most promising attempt.
    pub fn build(&self, catalogue: &Catalogue) -> Result<Kernel, KernelError> {
        let mut error = None;
        for (control, rotation) in self.attempts(catalogue) {
            match self.build_in(catalogue, &control, rotation) {
                Ok(kernel) => return Ok(kernel),
                Err(reason) => {
                    if error.as_ref().is_none_or(|known| *known == KernelError::NoLoop) {
                        error = Some(reason);
                    }
                }
            }
        }
        Err(error.unwrap_or(KernelError::NoLoop))
    }

    /// Whether a kernel that was built of it has breakers: instructions beside its links.
    #[must_use]
    pub fn has_breakers(&self, kernel: &Kernel) -> bool {
        kernel.instructions().count() > kernel.instances as usize * self.links.len()
    }

    /// Loops, each with the links that may come first in it. Flags do not survive the ordinary
    /// loop: let another junction lie at its edge first. What passes a flag that the loop keeps
    /// over others that it overwrites comes last: LLVM's models and some cores wait for flags as
    /// a whole (x86: `DEC` keeps the carry of an `ADC`), and the loop would cut the chain.
    fn attempts(&self, catalogue: &Catalogue) -> Vec<(LoopControl, usize)> {
        let controls = catalogue.isa.loop_controls(&catalogue.set);
        let mut attempts: Vec<(LoopControl, usize)> = controls
            .into_iter()
            .flat_map(|control| {
                (0..self.links.len()).map(move |rotation| (control.clone(), rotation))
            })
            .collect();
        attempts.sort_by_key(|(control, rotation)| {
            control.overwrites.iter().any(|part| matches!(part, Part::Flag(_)))
                && self.links[*rotation].reads_flag(catalogue)
        });
        attempts
    }

    fn build_in(
        &self,
        catalogue: &Catalogue,
        control: &LoopControl,
        rotation: usize,
    ) -> Result<Kernel, KernelError> {
        let passes = (self.least_links as usize).div_ceil(self.links.len() * ROTATION) * ROTATION;
        let count = passes * self.links.len();
        let steps = (0..count)
            .map(|index| Step::of(catalogue, &self.links[(index + rotation) % self.links.len()]))
            .collect::<Result<Vec<_>, _>>()?;
        let mut taken = Taken::by_loop(catalogue, control);
        for step in &steps[..self.links.len()] {
            let implicit = step.form.implicit_uses.iter().map(|&r| (r, false));
            let implicit = implicit.chain(step.form.implicit_defs.iter().map(|&r| (r, true)));
            for (register, written) in implicit {
                let restored =
                    control.restores.iter().any(|&(r, _)| catalogue.set.overlap(r, register));
                if taken.has(catalogue, register) || (written && restored) {
                    return Err(KernelError::NoLoop);
                }
            }
        }
        for step in &steps[..self.links.len()] {
            taken.take_implicit(catalogue, step.form);
        }
        let junctions = Junctions::choose(catalogue, &steps, self.style, &mut taken)?;
        let others =
            Others::choose(catalogue, &steps[..self.links.len()], self.values, &mut taken)?;
        let instructions = (0..count)
            .map(|index| {
                let links = (self.links.len(), &*catalogue.set);
                instruction(&steps, index, &junctions, &others, links)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let reads_twice =
            |&index: &usize| steps[index].form.reads_twice(&instructions[index], &catalogue.set);
        let twice = (0..count).find(reads_twice).map(|index| &steps[index]);
        if let Some(step) = twice.filter(|_| self.style != Style::Tied) {
            return Err(KernelError::ReadTwice(step.form.name.clone()));
        }

        let mut values = Vec::new();
        for step in &steps[..self.links.len()] {
            values.extend(implicit_values(catalogue, step.form, self.values));
        }
        values.extend(others.values);
        values.extend(junctions.values(catalogue, &steps, self.values));
        let body =
            finish(catalogue, control, &steps, &instructions, self, &mut taken, &mut values)?;
        values.extend(control.restored_values());
        Ok(Kernel { body, values, loop_control: control.clone(), instances: passes as u32 })
    }
}

/// Registers of everything that is not at a junction.
pub(super) struct Others {
    /// By link and operand: the registers to take in turn.
    registers: Vec<Vec<Vec<RegisterId>>>,
    pub values: Vec<(RegisterId, Value)>,
}

impl Others {
    pub fn choose(
        catalogue: &Catalogue,
        links: &[Step<'_>],
        class: ValueClass,
        taken: &mut Taken,
    ) -> Result<Self, KernelError> {
        let mut registers = Vec::new();
        let mut values = Vec::new();
        for step in links {
            let mut of_link = vec![Vec::new(); step.form.operands.len()];
            for (index, operand) in step.form.operands.iter().enumerate() {
                if step.form.class_of(index).is_none() || is_at_junction(step, index) {
                    continue;
                }
                let wanted = if operand.write { ROTATION } else { 1 };
                if !operand.write && operand.tied_to.is_some() {
                    continue;
                }
                for _ in 0..wanted {
                    of_link[index].push(taken.take_one(catalogue, step.form, index)?);
                }
                let value = constant_value(catalogue, step, index, class);
                values.extend(of_link[index].iter().map(|&register| (register, value)));
            }
            registers.push(of_link);
        }
        Ok(Self { registers, values })
    }

    /// Those of links that each stand so many times, one after the other.
    pub fn repeated(self, times: &[usize]) -> Self {
        let of_link = self.registers.into_iter().zip(times);
        let registers =
            of_link.flat_map(|(registers, &times)| std::iter::repeat_n(registers, times)).collect();
        Self { registers, values: self.values }
    }
}

/// Whether an operand's register is given by a junction.
pub(super) fn is_at_junction(step: &Step<'_>, index: usize) -> bool {
    let site = Site::Operand(index);
    let tied_into = |target: usize| Site::Operand(target) == step.link.target;
    site == step.link.source
        || site == step.link.target
        || step.form.operands[index].tied_to.is_some_and(tied_into)
        || step.form.tied(step.link.source) == Some(index)
}

fn constant_value(
    catalogue: &Catalogue,
    step: &Step<'_>,
    index: usize,
    class: ValueClass,
) -> Value {
    let required = |form: &InstructionForm, site| {
        class.required(catalogue, form, site).unwrap_or(match site {
            Site::Implicit(register) => Value::OrdinaryOf(register),
            Site::Operand(_) => Value::Ordinary,
        })
    };
    match step.link.restoring {
        None => required(step.form, Site::Operand(index)),
        Some(Restoring::Clear) => Value::Zero,
        Some(Restoring::Set(opcode, site)) => {
            catalogue.form(opcode).map_or(Value::Ordinary, |form| required(form, site))
        }
    }
}

/// One instruction of a body whose steps repeat after so many links.
pub(super) fn instruction(
    steps: &[Step<'_>],
    index: usize,
    junctions: &Junctions,
    others: &Others,
    (links, set): (usize, &InstructionSet),
) -> Result<Instruction, KernelError> {
    let step = &steps[index];
    let before = junctions.at[(index + steps.len() - 1) % steps.len()].read;
    let after = junctions.at[index].written;
    let source_definition = step.form.tied(step.link.source);
    let other = |operand: usize| {
        let turns = &others.registers[index % links][operand];
        (!turns.is_empty()).then(|| turns[(index / links) % turns.len()])
    };
    let mut out = step.form.instantiate(|operand, _| {
        let definition = step.form.operands[operand].tied_to.unwrap_or(operand);
        let register = if Site::Operand(operand) == step.link.source {
            Some(before)
        } else if Site::Operand(definition) == step.link.target {
            Some(after)
        } else if source_definition == Some(operand) {
            Some(before)
        } else {
            other(definition)
        };
        register.ok_or_else(|| no_register(step.form, operand))
    })?;
    if let Some((operand, value)) = step.link.immediate {
        out.operands[operand] = OperandValue::Immediate(value);
    }
    if step.form.clobbers_itself(&out, set) {
        return Err(KernelError::Clobbered(step.form.name.clone()));
    }
    Ok(out)
}

/// What each finished instruction touches.
pub(super) fn accesses(
    catalogue: &Catalogue,
    steps: &[Step<'_>],
    instructions: &[Instruction],
) -> Vec<Access> {
    let both = steps.iter().zip(instructions);
    both.map(|(step, instruction)| Access::of(catalogue, step.form, instruction)).collect()
}

/// Checks the dependences of the finished instructions and puts breakers and fillers in.
fn finish(
    catalogue: &Catalogue,
    control: &LoopControl,
    steps: &[Step<'_>],
    instructions: &[Instruction],
    chain: &Chain,
    taken: &mut Taken,
    values: &mut Vec<(RegisterId, Value)>,
) -> Result<Vec<Slot>, KernelError> {
    let accesses = accesses(catalogue, steps, instructions);
    let writers = LastWriters::of(&accesses);
    let carried = (0..steps.len())
        .map(|index| carried_parts(steps, &accesses, &writers, index))
        .collect::<Result<Vec<_>, _>>()?;
    if control.overwrites.iter().any(|part| carried[0].contains(part)) {
        return Err(KernelError::NoLoop);
    }
    // The longest distance, in links, over which a dependence could be longer than the chain.
    let harmful = HARMLESS_PASSES * chain.links.len();
    let mut breakers = Breakers::new(catalogue, chain.values, group(steps), steps.len());
    // Breakers against merging first: they also break what comes through the rest of a register.
    for index in 0..steps.len() {
        for register in merged(&accesses, &writers, index, &carried[index], harmful) {
            breakers.put(
                index,
                (steps[index].form, &instructions[index]),
                register,
                &carried,
                taken,
                values,
            )?;
        }
    }
    for index in 0..steps.len() {
        let writers = &writers;
        let wanted = |site| is_wanted(&steps[index], chain.style, site);
        for register in unwanted(steps, &accesses, writers, &breakers, index, harmful, wanted) {
            breakers.put(
                index,
                (steps[index].form, &instructions[index]),
                register,
                &carried,
                taken,
                values,
            )?;
        }
    }
    let crossed = chain.style == Style::Crossed;
    if crossed && breakers.is_empty() {
        return Err(KernelError::NothingCrosses);
    }
    let mut body = Vec::new();
    for (index, instruction) in instructions.iter().enumerate() {
        body.extend(breakers.before(index).filter(|_| !crossed));
        body.push(Slot::Instruction(instruction.clone()));
        if chain.fillers > 0 {
            body.push(Slot::Fillers(chain.fillers));
        }
    }
    Ok(body)
}

/// The encodings beside which breakers stand; rendering refuses links that do not go together.
fn group(steps: &[Step<'_>]) -> EncodingGroup {
    let of_steps = steps.iter().map(|step| step.form.group);
    of_steps.fold(EncodingGroup::Common, |group, own| group.with(own).unwrap_or(group))
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

/// Whether the chain comes in at a site of a step.
fn is_wanted(step: &Step<'_>, style: Style, site: Site) -> bool {
    site == step.link.source || (style == Style::Tied && step.form.ties(site, step.link.target))
}

/// Registers through which step `index` depends on a recent step otherwise than by the chain.
fn unwanted(
    steps: &[Step<'_>],
    accesses: &[Access],
    writers: &LastWriters,
    breakers: &Breakers<'_>,
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
