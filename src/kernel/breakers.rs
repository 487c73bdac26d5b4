//! Breakers of a chain: instructions that cut the dependences which are not meant, without
//! cutting the one that is.

use super::allocation::Taken;
use super::dependence::Access;
use super::throughput::breaker_instruction;
use super::{KernelError, Slot, ValueClass};
use crate::form::{Catalogue, InstructionForm, Site};
use crate::isa::{EncodingGroup, Part, Role, Value};
use crate::metadata::{Instruction, RegisterId};

/// Breakers and where they stand.
pub(super) struct Breakers<'a> {
    catalogue: &'a Catalogue,
    class: ValueClass,
    /// What they stand beside.
    group: EncodingGroup,
    /// One instruction for each register, with what it writes.
    chosen: Vec<(RegisterId, Instruction, Access)>,
    /// By step: what stands in front of it, as positions in `chosen`.
    in_front: Vec<Vec<usize>>,
}

impl<'a> Breakers<'a> {
    pub fn new(
        catalogue: &'a Catalogue,
        class: ValueClass,
        group: EncodingGroup,
        steps: usize,
    ) -> Self {
        Self { catalogue, class, group, chosen: Vec::new(), in_front: vec![Vec::new(); steps] }
    }

    /// Puts one against a register in front of a step, where it must not cut the chain.
    pub fn put(
        &mut self,
        index: usize,
        (reader, instance): (&InstructionForm, &Instruction),
        register: RegisterId,
        carried: &[Vec<Part>],
        taken: &mut Taken,
        values: &mut Vec<(RegisterId, Value)>,
    ) -> Result<(), KernelError> {
        let cuts = |access: &Access| carried[index].iter().any(|&part| access.writes_part(part));
        let known =
            self.chosen.iter().position(|(other, _, access)| *other == register && !cuts(access));
        let which = match known {
            Some(which) => which,
            None => {
                let (instruction, access) =
                    self.choose((reader, instance), register, &cuts, taken, values)?;
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
        let beside = candidates.iter().filter_map(|name| catalogue.form_beside(name, self.group));
        for form in beside.filter(|form| form.group.with(self.group).is_some()) {
            let mut attempt = taken.clone();
            let Ok((instruction, sources)) =
                breaker_instruction(catalogue, form, register, &mut attempt)
            else {
                continue;
            };
            let access = Access::of(catalogue, form, &instruction);
            let read = catalogue.isa.parts(&catalogue.set, reader, instance, register, Role::Use);
            if cuts(&access) || !read.iter().all(|&part| access.writes_part(part)) {
                continue;
            }
            *taken = attempt;
            let value = self
                .class
                .required(catalogue, reader, Site::Implicit(register))
                .unwrap_or(Value::OrdinaryOf(register));
            values.extend(sources.into_iter().map(|source| (source, value)));
            return Ok((instruction, access));
        }
        Err(KernelError::SecondDependence {
            register: catalogue.set.register(register).name.clone(),
        })
    }

    /// Whether one stands between step `index` and what wrote `part` so many steps earlier.
    pub fn cut(&self, part: Part, index: usize, distance: usize) -> bool {
        let count = self.in_front.len();
        (0..distance).any(|back| {
            let step = (index + count - back % count) % count;
            self.in_front[step].iter().any(|&which| self.chosen[which].2.writes_part(part))
        })
    }

    /// Whether there was nothing to break.
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    pub fn before(&self, index: usize) -> impl Iterator<Item = Slot> + '_ {
        self.in_front[index].iter().map(|&which| Slot::Instruction(self.chosen[which].1.clone()))
    }
}
