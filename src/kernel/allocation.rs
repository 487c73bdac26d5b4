//! Choosing registers: a set of taken units, and the registers of a class outside it.

use crate::catalogue::Catalogue;
use crate::form::InstructionForm;
use crate::isa::LoopControl;
use crate::kernel::KernelError;
use crate::metadata::{ClassId, RegisterId, UnitId};

/// The units that are spoken for, a bit each: chains are tried by the ten thousand, and every try
/// asks for all registers of a class.
#[derive(Debug, Clone, Default)]
pub(super) struct Taken(Vec<u64>);

/// Where a unit's bit lies.
fn place(unit: UnitId) -> (usize, u64) {
    let number = unit.0 as usize;
    (number / u64::BITS as usize, 1 << (number % u64::BITS as usize))
}

impl Taken {
    /// What a loop keeps for itself.
    pub fn by_loop(catalogue: &Catalogue, control: &LoopControl) -> Self {
        let mut taken = Self::default();
        for &register in &control.reserved {
            taken.take(catalogue, register);
        }
        taken
    }

    pub fn take(&mut self, catalogue: &Catalogue, register: RegisterId) {
        for &unit in &catalogue.set.register(register).units {
            let (word, bit) = place(unit);
            if self.0.len() <= word {
                self.0.resize(word + 1, 0);
            }
            self.0[word] |= bit;
        }
    }

    pub fn has(&self, catalogue: &Catalogue, register: RegisterId) -> bool {
        catalogue.set.register(register).units.iter().any(|&unit| {
            let (word, bit) = place(unit);
            self.0.get(word).is_some_and(|taken| taken & bit != 0)
        })
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
