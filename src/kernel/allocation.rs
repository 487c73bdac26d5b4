//! Choosing registers: a set of taken units, and the registers of a class outside it.

use std::collections::HashSet;

use crate::form::{Catalogue, InstructionForm};
use crate::isa::LoopControl;
use crate::kernel::KernelError;
use crate::metadata::{ClassId, RegisterId, UnitId};

/// The units that are spoken for.
#[derive(Debug, Clone, Default)]
pub(super) struct Taken(HashSet<UnitId>);

impl Taken {
    /// What a loop keeps for itself.
    pub fn by_loop(catalogue: &Catalogue, control: &LoopControl) -> Self {
        let mut taken = Self::default();
        for &register in &control.reserved {
            taken.take(catalogue, register);
        }
        taken
    }

    /// Everything that a form touches unnamed.
    pub fn take_implicit(&mut self, catalogue: &Catalogue, form: &InstructionForm) {
        for &register in form.implicit_uses.iter().chain(&form.implicit_defs) {
            self.take(catalogue, register);
        }
    }

    pub fn take(&mut self, catalogue: &Catalogue, register: RegisterId) {
        self.0.extend(&catalogue.set.register(register).units);
    }

    pub fn has(&self, catalogue: &Catalogue, register: RegisterId) -> bool {
        catalogue.set.register(register).units.iter().any(|unit| self.0.contains(unit))
    }

    /// The free registers of a class.
    pub fn free(&self, catalogue: &Catalogue, class: ClassId) -> Vec<RegisterId> {
        catalogue.allocatable(class).iter().copied().filter(|&r| !self.has(catalogue, r)).collect()
    }

    /// Takes the last free register of an operand's class; the first ones are those that
    /// other operands may be bound to.
    pub fn take_one(
        &mut self,
        catalogue: &Catalogue,
        form: &InstructionForm,
        operand: usize,
    ) -> Result<RegisterId, KernelError> {
        let awkward =
            |register: RegisterId| catalogue.isa.awkward(&catalogue.set, form, operand, register);
        let free =
            form.class_of(operand).map(|class| self.free(catalogue, class)).unwrap_or_default();
        let found =
            free.iter().rev().find(|&&register| !awkward(register)).or(free.last()).copied();
        let register = found.ok_or_else(|| no_register(form, operand))?;
        self.take(catalogue, register);
        Ok(register)
    }
}

pub(super) fn no_register(form: &InstructionForm, operand: usize) -> KernelError {
    KernelError::NoRegister { form: form.name.clone(), operand }
}
