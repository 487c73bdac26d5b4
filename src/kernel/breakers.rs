//! Breakers: instructions that cut the dependences which are not meant, in a chain without
//! cutting the one that is.

use super::allocation::{Taken, no_register};
use super::dependence::Access;
use super::draft::Draft;
use super::{KernelError, Slot, ValueClass};
use crate::catalogue::Catalogue;
use crate::form::{EncodingGroup, InstructionForm, Part, Role, Site, Value};
use crate::metadata::{Instruction, RegisterId};

/// What breaks the dependence through a register.
struct RegisterBreaker {
    register: RegisterId,
    /// One, or two that only together do it.
    instructions: Vec<Instruction>,
    /// What they touch when all is done.
    access: Access,
}

/// The breakers of a chain and where they stand.
pub(super) struct Breakers {
    class: ValueClass,
    /// What they stand beside.
    group: EncodingGroup,
    /// One for each register.
    chosen: Vec<RegisterBreaker>,
    /// By step: what stands in front of it, as positions in `chosen`.
    in_front: Vec<Vec<usize>>,
}

impl Breakers {
    pub fn new(class: ValueClass, group: EncodingGroup, steps: usize) -> Self {
        Self { class, group, chosen: Vec::new(), in_front: vec![Vec::new(); steps] }
    }

    /// Puts one against a register in front of a step, where it must not cut the chain.
    pub fn put(
        &mut self,
        index: usize,
        reader: (&InstructionForm, &Instruction),
        register: RegisterId,
        carried: &[Vec<Part>],
        draft: &mut Draft<'_>,
    ) -> Result<(), KernelError> {
        let cuts = |access: &Access| carried[index].iter().any(|&part| access.writes_part(part));
        let known =
            self.chosen.iter().position(|known| known.register == register && !cuts(&known.access));
        let which = match known {
            Some(which) => which,
            None => {
                let breaker = self.choose(reader, register, &cuts, draft)?;
                self.chosen.push(breaker);
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
        draft: &mut Draft<'_>,
    ) -> Result<RegisterBreaker, KernelError> {
        let catalogue = draft.catalogue;
        let candidates = catalogue.isa.breakers(&catalogue.set, register);
        let beside = candidates.iter().filter_map(|name| catalogue.form_beside(name, self.group));
        let single = beside.map(|form| (form, None));
        for (form, pop) in single.chain(self.pair(catalogue, register)) {
            if form.group.with(self.group).is_none() {
                continue;
            }
            let mut attempt = draft.taken.clone();
            let Ok((instruction, sources)) =
                breaker_instruction(catalogue, form, register, &mut attempt)
            else {
                continue;
            };
            // What pops leaves the names of registers, and what they hold, as they were.
            let access = Access::of(catalogue, form, &instruction);
            let read = catalogue.isa.parts(&catalogue.set, reader, instance, register, Role::Use);
            if cuts(&access) || !read.iter().all(|&part| access.writes_part(part)) {
                continue;
            }
            draft.taken = attempt;
            let value = self
                .class
                .required(catalogue, reader, Site::Implicit(register))
                .unwrap_or(Value::OrdinaryOf(register));
            draft.values.extend(sources.into_iter().map(|source| (source, value)));
            draft.hold_unnamed(form, self.class);
            let instructions = std::iter::once(instruction).chain(pop).collect();
            return Ok(RegisterBreaker { register, instructions, access });
        }
        Err(KernelError::SecondDependence {
            register: catalogue.set.register(register).name.clone(),
        })
    }

    /// The form that pushes, of a pair that breaks the dependence through a register, and the
    /// instruction that pops.
    fn pair<'a>(
        &self,
        catalogue: &'a Catalogue,
        register: RegisterId,
    ) -> Option<(&'a InstructionForm, Option<Instruction>)> {
        let pair = catalogue.isa.breaking_pair(&catalogue.set, register)?;
        let push = catalogue.form_beside(pair.push, self.group)?;
        let pop = catalogue.form_beside(pair.pop, self.group)?;
        let below = catalogue.set.register_by_name(pair.below)?;
        let pop = pop.instantiate(|_, _| Ok::<_, KernelError>(below)).ok()?;
        Some((push, Some(pop)))
    }

    /// Whether one stands between step `index` and what wrote `part` so many steps earlier.
    pub fn cut(&self, part: Part, index: usize, distance: usize) -> bool {
        let count = self.in_front.len();
        (0..distance).any(|back| {
            let step = (index + count - back % count) % count;
            self.in_front[step].iter().any(|&which| self.chosen[which].access.writes_part(part))
        })
    }

    /// Whether there was nothing to break.
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    pub fn before(&self, index: usize) -> impl Iterator<Item = Slot> + '_ {
        let breakers = self.in_front[index].iter().map(|&which| &self.chosen[which]);
        breakers.flat_map(|breaker| breaker.instructions.iter().cloned().map(Slot::Instruction))
    }
}

/// An instance of a breaker that writes `register` and otherwise touches only registers of its
/// own; those that it reads are returned too.
pub(super) fn breaker_instruction(
    catalogue: &Catalogue,
    form: &InstructionForm,
    register: RegisterId,
    taken: &mut Taken,
) -> Result<(Instruction, Vec<RegisterId>), KernelError> {
    let mut sources = Vec::new();
    let other = |operand: usize| {
        let source = taken.take_one(catalogue, form, operand)?;
        // A result besides (a comparison that also gives a difference) goes where nobody reads.
        if !form.operands[operand].write {
            sources.push(source);
        }
        Ok(source)
    };
    let instruction = breaker_of(catalogue, form, register, other)?;
    Ok((instruction, sources))
}

/// An instance of a breaker that writes `register`, and has other registers where it does not.
pub(super) fn breaker_of(
    catalogue: &Catalogue,
    form: &InstructionForm,
    register: RegisterId,
    mut other: impl FnMut(usize) -> Result<RegisterId, KernelError>,
) -> Result<Instruction, KernelError> {
    let whole = catalogue.whole(register);
    form.instantiate(|index, class| {
        if !form.operands[index].write {
            return other(index);
        }
        let members = &catalogue.set.class(class).registers;
        let same = [register, whole]
            .into_iter()
            .find(|candidate| members.contains(candidate))
            .or_else(|| members.iter().copied().find(|&r| catalogue.set.overlap(r, register)));
        match same {
            Some(same) => Ok(same),
            None if writes_unnamed(catalogue, form, register) => other(index),
            None => Err(no_register(form, index)),
        }
    })
}

fn writes_unnamed(catalogue: &Catalogue, form: &InstructionForm, register: RegisterId) -> bool {
    form.implicit_defs.iter().any(|&written| catalogue.set.overlap(written, register))
}
