//! Refills: instructions that put back into an operand's register what the instance before has spent,
//! from a register that nothing changes. Gathers of x86 clear their mask: each instance gets a full one.

use super::allocation::no_register;
use super::draft::Draft;
use super::{KernelError, ValueClass};
use crate::catalogue::Catalogue;
use crate::form::{InstructionForm, Site};
use crate::metadata::{Instruction, OperandValue, RegisterId};

/// What fills an operand again in front of each instance.
pub(super) struct Refill<'a> {
    operand: usize,
    form: &'a InstructionForm,
    source: RegisterId,
}

/// The form that fills an operand's register again, without reading anything that changes.
fn filling<'a>(
    catalogue: &'a Catalogue,
    form: &InstructionForm,
    operand: usize,
) -> Option<&'a InstructionForm> {
    let register = form.register_at(Site::Operand(operand), &form.sample)?;
    let names = catalogue.isa.breakers(&catalogue.set, register).iter();
    let mut beside = names.filter_map(|name| catalogue.form_beside(name, form.group));
    beside.find(|candidate| candidate.group.with(form.group).is_some())
}

/// The forms that stand in front of each instance of a form because it spends operands.
pub fn refilling<'a>(
    catalogue: &'a Catalogue,
    form: &'a InstructionForm,
) -> impl Iterator<Item = &'a InstructionForm> {
    form.spent_operands().filter_map(|operand| filling(catalogue, form, operand))
}

impl<'a> Refill<'a> {
    /// One for each operand that instances spend, but for those that something else fills.
    ///
    /// # Errors
    /// When no form does it, or no register is left.
    pub fn all(
        form: &InstructionForm,
        is_filled: impl Fn(usize) -> bool,
        class: ValueClass,
        draft: &mut Draft<'a>,
    ) -> Result<Vec<Self>, KernelError> {
        let catalogue = draft.catalogue;
        let operands = form.spent_operands().filter(|&operand| !is_filled(operand));
        let refills = operands.map(|operand| {
            let filling = filling(catalogue, form, operand)
                .ok_or_else(|| KernelError::Spent(form.name.clone()))?;
            let read = filling.operands.iter().position(|operand| operand.read);
            let read = read.ok_or_else(|| no_register(filling, 0))?;
            let source = draft.taken.take_one(catalogue, filling, read)?;
            let value = class.required(catalogue, form, Site::Operand(operand));
            draft.values.extend(value.map(|value| (source, value)));
            Ok(Self { operand, form: filling, source })
        });
        refills.collect()
    }

    /// The instruction that stands in front of an instance.
    ///
    /// # Errors
    /// When the instance has no register there.
    pub fn before(&self, instance: &Instruction) -> Result<Instruction, KernelError> {
        let OperandValue::Register(filled) = instance.operands[self.operand] else {
            return Err(no_register(self.form, self.operand));
        };
        self.form.instantiate(|index, _| {
            Ok(if self.form.operands[index].write { filled } else { self.source })
        })
    }
}
