//! What stands in front of each instance of a form because it needs that anew: refills put back into an
//! operand's register what the instance before has spent, from a register that nothing changes (gathers
//! of x86 clear their mask: each instance gets a full one); reservations load from the address that the
//! instance stores to, which it does only then (`ldxr` and `stxr`, `lr` and `sc`); what leads does the part
//! of an operation before the instance's, with its operands (`cpyp` and `cpym`).

use super::allocation::no_register;
use super::draft::Draft;
use super::{KernelError, ValueClass};
use crate::catalogue::Catalogue;
use crate::form::{AddressPart, InstructionForm, Site};
use crate::metadata::{Instruction, OperandValue, RegisterId};

/// What fills an operand again, reserves an address or leads, in front of each instance.
pub(super) enum Refill<'a> {
    /// Fills an operand's register.
    Operand { operand: usize, form: &'a InstructionForm, source: RegisterId },
    /// Loads from an instance's base, into registers that nobody reads.
    Reservation { form: &'a InstructionForm, base: usize, unread: Vec<(usize, RegisterId)> },
    /// Does what comes before the instance.
    Leading(&'a InstructionForm),
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
    let fillings = form.spent_operands().filter_map(|operand| filling(catalogue, form, operand));
    let leading = catalogue.isa.leading(form).iter();
    let leading = leading.filter_map(|name| catalogue.form_by_name(name));
    fillings.chain(reserving(catalogue, form)).chain(leading)
}

/// The form that reserves the address which a form stores to only then.
fn reserving<'a>(catalogue: &'a Catalogue, form: &InstructionForm) -> Option<&'a InstructionForm> {
    catalogue.isa.reserving(form).and_then(|name| catalogue.form_by_name(name))
}

impl<'a> Refill<'a> {
    /// One for each operand that instances spend, but for those that something else fills, and one if
    /// the address has to be reserved.
    ///
    /// # Errors
    /// When no form does it, it does not execute, or no register is left.
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
            Ok(Self::Operand { operand, form: filling, source })
        });
        let refills = refills.collect::<Result<Vec<_>, _>>()?;
        let reservation = match catalogue.isa.reserving(form) {
            Some(_) => Some(Self::reservation(form, draft)?),
            None => None,
        };
        let leading = catalogue.isa.leading(form).iter().map(|name| {
            let leading = catalogue.form_by_name(name);
            leading.map(Self::Leading).ok_or_else(|| KernelError::Led(form.name.clone()))
        });
        let leading = leading.collect::<Result<Vec<_>, _>>()?;
        Ok(refills.into_iter().chain(reservation).chain(leading).collect())
    }

    fn reservation(form: &InstructionForm, draft: &mut Draft<'a>) -> Result<Self, KernelError> {
        let catalogue = draft.catalogue;
        let unreserved = || KernelError::Unreserved(form.name.clone());
        let base = form.operand_of(AddressPart::Base).ok_or_else(unreserved)?;
        let load = reserving(catalogue, form).ok_or_else(unreserved)?;
        let results = (0..load.operands.len()).filter(|&result| load.operands[result].write);
        let unread =
            results.map(|result| Ok((result, draft.taken.take_one(catalogue, load, result)?)));
        let unread = unread.collect::<Result<_, KernelError>>()?;
        Ok(Self::Reservation { form: load, base, unread })
    }

    /// The instruction that stands in front of an instance.
    ///
    /// # Errors
    /// When the instance has no register there.
    pub fn before(&self, instance: &Instruction) -> Result<Instruction, KernelError> {
        let register_at = |operand: usize| match instance.operands[operand] {
            OperandValue::Register(register) => Some(register),
            OperandValue::Immediate(_) => None,
        };
        match self {
            Self::Operand { operand, form, source } => {
                let filled = register_at(*operand).ok_or_else(|| no_register(form, *operand))?;
                form.instantiate(|index, _| {
                    Ok(if form.operands[index].write { filled } else { *source })
                })
            }
            Self::Leading(form) => {
                Ok(Instruction { opcode: form.opcode, operands: instance.operands.clone() })
            }
            Self::Reservation { form, base, unread } => {
                let address = register_at(*base).ok_or_else(|| no_register(form, *base))?;
                let result = |index| unread.iter().find(|(result, _)| *result == index);
                form.instantiate(|index, _| Ok(result(index).map_or(address, |&(_, it)| it)))
            }
        }
    }
}
