//! Registers that operands are which are only read.

use super::KernelError;
use super::allocation::Taken;
use super::cells::Spread;
use super::content::Instance;
use crate::catalogue::Catalogue;
use crate::form::{AddressPart, InstructionForm, Placeholder, Site, Value};
use crate::metadata::RegisterId;

/// Those of all forms that stand side by side: what wants the same of one has it in common, so that more
/// are left to results.
#[derive(Default)]
pub(super) struct Constants(Vec<(RegisterId, Value)>);

impl Constants {
    /// The registers of each operand that is only read, and how instances find their cells.
    pub fn choose(
        &mut self,
        catalogue: &Catalogue,
        instance: &Instance,
        form: &InstructionForm,
        taken: &mut Taken,
    ) -> Result<(Vec<Vec<RegisterId>>, Spread), KernelError> {
        let base = form.operand_of(AddressPart::Base);
        let class = base.and_then(|operand| form.class_of(operand));
        let free = class.map_or(0, |class| taken.free(catalogue, class).len());
        let spread = Spread::of(form, instance.cells, free);
        let accumulators = instance.registers.accumulators();
        let is_accumulator = |index: usize| accumulators.is_some_and(|it| it.source == index);
        let mut own: Vec<Vec<RegisterId>> = Vec::with_capacity(form.operands.len());
        for (index, operand) in form.operands.iter().enumerate() {
            let is_register = matches!(operand.kind, Placeholder::Register(_));
            let is_constant = operand.read
                && !operand.write
                && operand.tied_to.is_none()
                && !is_accumulator(index);
            let turns = instance.registers.alternating_at(index).filter(|_| is_constant);
            let count = match is_register && is_constant {
                true if Some(index) == base => spread.bases,
                true => 1,
                false => 0,
            };
            own.push(match turns {
                Some(alternating) => alternating.turns(catalogue, form),
                None if count == 1 => {
                    let value = constant_value(catalogue, instance, form, spread, (index, 0));
                    vec![self.one(catalogue, (form, index), value, &own, taken)?]
                }
                None => (0..count)
                    .map(|_| taken.take_one(catalogue, form, index))
                    .collect::<Result<_, _>>()?,
            });
        }
        Ok((own, spread))
    }

    /// The register at each operand that a copy only reads: of those that hold a value.
    pub fn read(
        &mut self,
        catalogue: &Catalogue,
        copy: &InstructionForm,
        value: Value,
        taken: &mut Taken,
    ) -> Result<Vec<(usize, RegisterId)>, KernelError> {
        let is_read =
            |index: &usize| !copy.operands[*index].write && copy.class_of(*index).is_some();
        let operands = (0..copy.operands.len()).filter(is_read);
        let registers = operands
            .map(|index| Ok((index, self.one(catalogue, (copy, index), value, &[], taken)?)));
        registers.collect()
    }

    /// A register for an operand that holds a value: one that another form reads already, or a free one.
    fn one(
        &mut self,
        catalogue: &Catalogue,
        (form, operand): (&InstructionForm, usize),
        value: Value,
        own: &[Vec<RegisterId>],
        taken: &mut Taken,
    ) -> Result<RegisterId, KernelError> {
        let class = form.class_of(operand).map(|class| catalogue.set.class(class));
        let fits = |&&(register, held): &&(RegisterId, Value)| {
            held == value
                && class.is_some_and(|class| class.registers.contains(&register))
                && !own.iter().flatten().any(|&it| catalogue.set.overlap(it, register))
                && !catalogue.isa.awkward(&catalogue.set, form, operand, register)
        };
        if let Some(&(register, _)) = self.0.iter().find(fits) {
            return Ok(register);
        }
        let register = taken.take_one(catalogue, form, operand)?;
        self.0.push((register, value));
        Ok(register)
    }
}

/// What an operand holds that is only read or where that goes, in the turn of a base.
pub(super) fn constant_value(
    catalogue: &Catalogue,
    instance: &Instance,
    form: &InstructionForm,
    spread: Spread,
    (index, turn): (usize, usize),
) -> Value {
    let required = instance.values.required(catalogue, form, Site::Operand(index));
    required.unwrap_or(Value::Ordinary).farther(spread.place(turn))
}
