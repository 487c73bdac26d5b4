//! Writing links in sequence.
//!
//! Givens: links `l_0 .. l_k-1`, each a form with a use `s_i` and a definition `t_i`; where
//! `t_i` is and where `s_i+1` is must be able to be one register. Wanted: instructions in
//! which instruction `i+1` reads at `s_i+1` what instruction `i` wrote at `t_i`, and in which
//! no other dependence is short enough to matter. The place where a definition meets the next
//! use is a *junction*; junctions that tied operands force together form a group with one
//! register. All other reads are of constants, all other writes go to registers nobody reads.
//! Whether that succeeded is checked on the finished instructions, part by part; what is left
//! over (flags, implicit registers) is cut by breakers, which lie off the critical path.

use super::allocation::{Taken, no_register};
use super::cells::CellLayout;
use super::chain::{Link, Restoring, Style};
use super::content::{Sequence, SequenceEnds, Stretch};
use super::dependence::Access;
use super::draft::Draft;
use super::junctions::Junctions;
use super::refills::Refill;
use super::{KernelError, ValueClass, cells, closed, form_of, open};
use crate::catalogue::Catalogue;
use crate::form::{AddressPart, InstructionForm, Site, Value};
use crate::metadata::{Instruction, OperandValue, RegisterId};

/// Passes that a body is a multiple of, and registers that unread results rotate through.
pub(super) const ROTATION: usize = HARMLESS_PASSES + 1;
/// A dependence over more than this many passes cannot take as long as the passes that it spans.
pub(super) const HARMLESS_PASSES: usize = 2;

/// A link at its place in the body.
#[derive(Clone, Copy)]
pub(super) struct LinkStep<'a> {
    pub link: &'a Link,
    pub form: &'a InstructionForm,
}

impl<'a> LinkStep<'a> {
    fn of(catalogue: &'a Catalogue, link: &'a Link) -> Result<Self, KernelError> {
        let form = form_of(catalogue, link.opcode)?;
        Ok(Self { link, form })
    }
}

impl Sequence {
    /// Links in a pass.
    pub(super) fn pass_length(&self) -> usize {
        self.stretches.iter().map(|stretch| stretch.times as usize).sum()
    }

    /// Chooses the registers and writes the passes down; those that are closed begin with the
    /// stretch `first`.
    pub(super) fn write(&self, draft: &mut Draft<'_>, first: usize) -> Result<(), KernelError> {
        let catalogue = draft.catalogue;
        let barrier = self.barrier(catalogue)?;
        // Each stretch once, and which of them stands at each place of a pass.
        let (last, leading) = self.stretches.split_at(first);
        let stretches: Vec<&Stretch> = leading.iter().chain(last).collect();
        let kinds = stretches.iter().map(|stretch| LinkStep::of(catalogue, &stretch.link));
        let kinds = kinds.collect::<Result<Vec<_>, _>>()?;
        let times = stretches.iter().map(|stretch| stretch.times as usize).enumerate();
        let pass: Vec<usize> = times.flat_map(|(kind, n)| std::iter::repeat_n(kind, n)).collect();
        // What barriers separate is the same in every pass.
        let passes = if barrier.is_some() { 1 } else { self.passes as usize };
        let steps: Vec<LinkStep<'_>> =
            (0..passes).flat_map(|_| &pass).map(|&kind| kinds[kind]).collect();

        let forms: Vec<&InstructionForm> = kinds.iter().map(|step| step.form).collect();
        draft.take_unnamed(&forms)?;
        let layout = CellLayout::of(&kinds);
        let junctions = self.junctions(catalogue, &steps, layout, &mut draft.taken)?;
        let cell = |index: usize| junctions.cell(&steps, index);
        // Where the base of a link points to in a pass.
        let place = |kind: usize, turn: usize| {
            let first = pass.iter().position(|&other| other == kind).unwrap_or_default();
            let index = (turn * pass.len() + first) % steps.len();
            layout.place(&kinds[kind], self.style, (kind, turn), cell(index))
        };
        let others = Others::choose(catalogue, &kinds, self, (layout, &place), &mut draft.taken)?;
        let instructions = (0..steps.len()).map(|index| {
            let kind = pass[index % pass.len()];
            let turn = index / pass.len();
            let mut out =
                instruction(catalogue, &steps, index, &junctions, (&others.registers[kind], turn))?;
            let form = steps[index].form;
            if let Some(cell) = cell(index) {
                let is_load = steps[index].link.source == Site::Memory;
                let offset = if is_load { self.load_offset } else { 0 };
                let distance = i64::from(cell) + i64::from(offset) - i64::from(place(kind, turn));
                cells::access(&mut out, form, distance)?;
            } else if let Some(distance) = cells::distance_apart(form, turn) {
                cells::access(&mut out, form, i64::from(distance))?;
            }
            Ok(out)
        });
        let instructions = instructions.collect::<Result<Vec<_>, _>>()?;
        let refills = kinds.iter().map(|step| {
            Refill::all(step.form, |operand| is_at_junction(step, operand), self.values, draft)
        });
        let refills = refills.collect::<Result<Vec<_>, _>>()?;
        draft.passes_memory = kinds.iter().any(|step| step.link.passes_memory());
        kinds.iter().for_each(|step| draft.hold_unnamed(step.form, self.values));
        draft.values.extend(others.values);
        draft.values.extend(junctions.values(catalogue, &steps, self.values));
        draft.instances = self.passes;
        let Some((barrier, fillers)) = barrier else {
            self.check_read_once(catalogue, &steps, &instructions)?;
            let cells: Vec<Option<u32>> = (0..steps.len()).map(cell).collect();
            let refills = instructions.iter().enumerate().map(|(index, instruction)| {
                let of_link = refills[pass[index % pass.len()]].iter();
                of_link.map(|refill| refill.before(instruction)).collect()
            });
            let refills = refills.collect::<Result<Vec<Vec<_>>, _>>()?;
            return closed::write(draft, &steps, (instructions, refills), &cells, self);
        };
        open::check(catalogue, &steps, &instructions)?;
        for _ in 0..self.passes {
            draft.push(barrier.clone());
            draft.pad(fillers);
            for instruction in &instructions {
                draft.push(instruction.clone());
                draft.pad(self.fillers);
            }
        }
        Ok(())
    }

    /// What stands before each pass, if anything does: an instruction and so many fillers.
    fn barrier(&self, catalogue: &Catalogue) -> Result<Option<(Instruction, u32)>, KernelError> {
        match self.ends {
            SequenceEnds::Closed => Ok(None),
            SequenceEnds::Barriers { fillers, .. } => {
                let barrier = catalogue.barrier().ok_or(KernelError::NoBarrier)?;
                Ok(Some((barrier.sample.clone(), fillers)))
            }
        }
    }

    fn junctions(
        &self,
        catalogue: &Catalogue,
        steps: &[LinkStep<'_>],
        layout: CellLayout,
        taken: &mut Taken,
    ) -> Result<Junctions, KernelError> {
        match self.ends {
            SequenceEnds::Closed => {
                Junctions::closed(catalogue, steps, (self.style, layout), taken)
            }
            SequenceEnds::Barriers { handover, .. } => {
                let before = self.stretches[..handover].iter();
                let over = before.map(|stretch| stretch.times as usize).sum();
                Junctions::between_barriers(catalogue, steps, over, taken)
            }
        }
    }

    /// Whether each link waits for the one before at one operand only.
    fn check_read_once(
        &self,
        catalogue: &Catalogue,
        steps: &[LinkStep<'_>],
        instructions: &[Instruction],
    ) -> Result<(), KernelError> {
        let mut both = steps.iter().zip(instructions);
        let twice =
            both.find(|(step, instruction)| step.form.reads_twice(instruction, &catalogue.set));
        match twice.filter(|_| self.style != Style::Tied) {
            Some((step, _)) => Err(KernelError::ReadTwice(step.form.name.clone())),
            None => Ok(()),
        }
    }
}

/// Registers of everything that is not at a junction.
struct Others {
    /// By stretch and operand: the registers to take in turn.
    registers: Vec<Vec<Vec<RegisterId>>>,
    values: Vec<(RegisterId, Value)>,
}

impl Others {
    fn choose(
        catalogue: &Catalogue,
        links: &[LinkStep<'_>],
        sequence: &Sequence,
        (layout, place): (CellLayout, &dyn Fn(usize, usize) -> u32),
        taken: &mut Taken,
    ) -> Result<Self, KernelError> {
        let (class, style) = (sequence.values, sequence.style);
        // The bases that all share who pass something on through memory and name it alike, by where
        // they point to.
        let mut shared: Vec<(u32, RegisterId)> = Vec::new();
        let mut registers = Vec::new();
        let mut values = Vec::new();
        for (kind, step) in links.iter().enumerate() {
            let mut of_link = vec![Vec::new(); step.form.operands.len()];
            for (index, operand) in step.form.operands.iter().enumerate() {
                if step.form.class_of(index).is_none() || is_at_junction(step, index) {
                    continue;
                }
                let is_base = step.form.part_held(index) == Some(AddressPart::Base);
                let is_restored_apart = restores_apart(catalogue, step);
                let wanted = match operand.write {
                    true => ROTATION,
                    false if is_base => layout.bases(step, style),
                    false if is_restored_apart => ROTATION,
                    false => 1,
                };
                if !operand.write && operand.tied_to.is_some() {
                    continue;
                }
                let is_shared = is_base
                    && !operand.write
                    && step.link.passes_memory()
                    && style == Style::SameAddress;
                let value = constant_value(catalogue, step, index, class);
                let offset = value.place().unwrap_or(0);
                for turn in 0..wanted {
                    let at = offset + place(kind, turn);
                    let known = shared.iter().find(|(other, _)| is_shared && *other == at);
                    let register = match known {
                        Some(&(_, register)) => register,
                        None => taken.take_one(catalogue, step.form, index)?,
                    };
                    if is_shared && known.is_none() {
                        shared.push((at, register));
                    }
                    of_link[index].push(register);
                }
                let turns = of_link[index].iter().enumerate();
                // What is restored of an implied address says itself where that is.
                let is_implied =
                    matches!(step.link.restoring, Some(Restoring::Set(_, Site::Implicit(_))));
                values.extend(turns.map(|(turn, &register)| match value {
                    _ if is_implied => (register, value),
                    _ if is_restored_apart => (register, value.farther(cells::place_apart(turn))),
                    _ => (register, value.farther(place(kind, turn))),
                }));
            }
            registers.push(of_link);
        }
        // (`[rax]` and `[rax + rcx]` are one address, but not named alike.)
        let through_memory = links.iter().filter(|step| step.link.passes_memory());
        let mut modes = through_memory.map(|step| catalogue.set.addressing(step.form.opcode));
        let first = modes.next();
        if style == Style::SameAddress && modes.any(|mode| Some(mode) != first) {
            return Err(KernelError::NamedOtherwise);
        }
        Ok(Self { registers, values })
    }
}

/// Whether a link restores the base of what stores, and no displacement leads to another cell in each
/// pass: another base has to.
fn restores_apart(catalogue: &Catalogue, step: &LinkStep<'_>) -> bool {
    let Some(Restoring::Set(opcode, Site::Operand(operand))) = step.link.restoring else {
        return false;
    };
    catalogue.form(opcode).is_some_and(|form| {
        let is_base = form.part_held(operand) == Some(AddressPart::Base);
        is_base && form.stores() && cells::distance_apart(form, 0).is_none()
    })
}

/// Whether an operand's register is given by a junction.
pub(super) fn is_at_junction(step: &LinkStep<'_>, index: usize) -> bool {
    let site = Site::Operand(index);
    let tied_into = |target: usize| Site::Operand(target) == step.link.target;
    site == step.link.source
        || site == step.link.target
        || step.form.operands[index].tied_to.is_some_and(tied_into)
        || step.form.tied(step.link.source) == Some(index)
}

fn constant_value(
    catalogue: &Catalogue,
    step: &LinkStep<'_>,
    index: usize,
    class: ValueClass,
) -> Value {
    let required = |form: &InstructionForm, site| {
        class.required(catalogue, form, site).unwrap_or(match site {
            Site::Implicit(register) => Value::OrdinaryOf(register),
            Site::Operand(_) | Site::Memory => Value::Ordinary,
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

/// One instruction of a body, in which what is at no junction takes turns from pass to pass.
fn instruction(
    catalogue: &Catalogue,
    steps: &[LinkStep<'_>],
    index: usize,
    junctions: &Junctions,
    (others, pass): (&[Vec<RegisterId>], usize),
) -> Result<Instruction, KernelError> {
    let step = &steps[index];
    let before = junctions.at[(index + steps.len() - 1) % steps.len()].read;
    let after = junctions.at[index].written;
    let source_definition = step.form.tied(step.link.source);
    let other = |operand: usize| {
        let turns = &others[operand];
        (!turns.is_empty()).then(|| turns[pass % turns.len()])
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
    if step.form.clobbers_itself(&out, &catalogue.set) {
        return Err(KernelError::Clobbered(step.form.name.clone()));
    }
    Ok(out)
}

/// What each finished instruction touches.
pub(super) fn accesses(
    catalogue: &Catalogue,
    steps: &[LinkStep<'_>],
    instructions: &[Instruction],
) -> Vec<Access> {
    let both = steps.iter().zip(instructions);
    both.map(|(step, instruction)| Access::of(catalogue, step.form, instruction)).collect()
}
