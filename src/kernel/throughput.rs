//! Bodies for throughput: as many independent instances as the registers allow.
//!
//! Operands that are only read share registers, never the same one twice in an instance;
//! operands that are written rotate through all that is left, so that instances depend on
//! each other as late as possible. What a form reads and writes unnamed makes a chain of
//! them; *breakers*, instructions that write the register without reading anything that
//! changes, cut it every few instances.

use serde::{Deserialize, Serialize};

use super::allocation::{Taken, no_register};
use super::{Kernel, KernelError, Slot, ValueClass};
use crate::form::{Catalogue, InstructionForm, Placeholder, Site};
use crate::isa::{LoopControl, Value};
use crate::metadata::{Instruction, OpcodeId, OperandValue, RegisterId};

/// What a throughput body is to look like.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ThroughputBody {
    /// The form under test.
    pub subject: OpcodeId,
    /// A value for one of its immediates other than the headline's.
    pub immediate: Option<(usize, i64)>,
    /// At least so many instances.
    pub instances: u32,
    /// What breaks its implicit dependences.
    pub breaking: Vec<Breaking>,
    /// Instances from one set of breakers to the next.
    pub interval: u32,
    /// Fillers behind each instance: cores that choose a port long before it is used choose better
    /// ones when instances come less densely (on Zen 4 `VPCOMPRESSD` takes 0.67 cycles or 1).
    pub fillers: u32,
    /// What the operands hold, if it matters.
    #[serde(default)]
    pub values: ValueClass,
    /// How instances share registers.
    #[serde(default)]
    pub registers: Registers,
}

impl ThroughputBody {
    /// Whether its instances share no register, and hold what the headline's do.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.registers == Registers::default() && self.values == ValueClass::default()
    }
}

/// How the instances of a body share registers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Registers {
    /// No register stands twice in an instance, and instances wait for each other as late as possible.
    #[default]
    Distinct,
    /// One register at all operands of an instance, another in the next one: what subtracts a
    /// register from itself need not wait for it.
    Same,
    /// One register at all operands of all instances: a chain, unless the core sees that nothing
    /// depends on it.
    One,
}

/// A breaker at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Breaking {
    /// The register whose dependence is broken.
    pub register: RegisterId,
    /// The form that does it.
    pub breaker: OpcodeId,
}

/// A subject of a body with the registers its operands may take.
struct Operands {
    /// Register of each operand that is only read.
    shared: Vec<Option<RegisterId>>,
    /// Registers that each written operand rotates through.
    rotating: Vec<Vec<RegisterId>>,
    /// How many operands are written.
    written: usize,
}

impl ThroughputBody {
    /// Instances of a form and nothing else.
    #[must_use]
    pub fn plain(subject: OpcodeId, instances: u32) -> Self {
        Self {
            subject,
            immediate: None,
            instances,
            breaking: Vec::new(),
            interval: 1,
            fillers: 0,
            values: ValueClass::default(),
            registers: Registers::default(),
        }
    }

    /// Breakers in one body.
    #[must_use]
    pub fn breaker_count(&self) -> u32 {
        if self.breaking.is_empty() { 0 } else { self.instances.div_ceil(self.interval) }
    }

    /// Chooses the registers and writes the body down.
    ///
    /// # Errors
    /// When a form is missing or the registers do not suffice.
    pub fn build(&self, catalogue: &Catalogue) -> Result<Kernel, KernelError> {
        let subject = catalogue.form(self.subject).ok_or(KernelError::NoForm(self.subject))?;
        let mut error = KernelError::NoLoop;
        for control in catalogue.isa.loop_controls(&catalogue.set) {
            match self.build_in(catalogue, subject, control) {
                Ok(kernel) => return Ok(kernel),
                Err(reason) => error = reason,
            }
        }
        Err(error)
    }

    fn build_in(
        &self,
        catalogue: &Catalogue,
        subject: &InstructionForm,
        control: LoopControl,
    ) -> Result<Kernel, KernelError> {
        let mut taken = Taken::by_loop(catalogue, &control);
        if subject
            .implicit_uses
            .iter()
            .chain(&subject.implicit_defs)
            .any(|&r| taken.has(catalogue, r))
        {
            return Err(KernelError::NoLoop);
        }
        taken.take_implicit(catalogue, subject);
        let mut values = implicit_values(catalogue, subject, self.values);
        let breakers = self.breakers(catalogue, subject, &mut taken, &mut values)?;
        let operands = Operands::choose(catalogue, subject, &mut taken)?;
        values.extend(operands.values(catalogue, subject, self.values));

        let companions = catalogue.isa.companions(subject);
        let beside = |names: &[&str]| companion_slots(catalogue, names);
        let (before, after) = (beside(&companions.before)?, beside(&companions.after)?);
        let mut body = Vec::new();
        for number in 0..self.instances {
            body.extend(before.iter().cloned());
            body.push(Slot::Instruction(self.instance(
                catalogue,
                subject,
                &operands,
                number as usize,
            )?));
            body.extend(after.iter().cloned());
            if self.fillers > 0 {
                body.push(Slot::Fillers(self.fillers));
            }
            if (number + 1) % self.interval.max(1) == 0 {
                body.extend(breakers.iter().cloned());
            }
        }
        values.extend(control.restored_values());
        Ok(Kernel { body, values, loop_control: control, instances: self.instances })
    }

    /// The breakers' instructions; what they copy from holds what the subject finds at first.
    fn breakers(
        &self,
        catalogue: &Catalogue,
        subject: &InstructionForm,
        taken: &mut Taken,
        values: &mut Vec<(RegisterId, Value)>,
    ) -> Result<Vec<Slot>, KernelError> {
        let mut slots = Vec::new();
        for breaking in &self.breaking {
            let form =
                catalogue.form(breaking.breaker).ok_or(KernelError::NoForm(breaking.breaker))?;
            let value = self
                .values
                .required(catalogue, subject, Site::Implicit(breaking.register))
                .unwrap_or(Value::OrdinaryOf(breaking.register));
            let (instruction, sources) =
                breaker_instruction(catalogue, form, breaking.register, taken)?;
            values.extend(sources.into_iter().map(|source| (source, value)));
            slots.push(Slot::Instruction(instruction));
        }
        Ok(slots)
    }

    fn instance(
        &self,
        catalogue: &Catalogue,
        subject: &InstructionForm,
        operands: &Operands,
        number: usize,
    ) -> Result<Instruction, KernelError> {
        let mut chosen: Vec<Option<RegisterId>> = vec![None; subject.operands.len()];
        let mut position = 0;
        for (index, operand) in subject.operands.iter().enumerate() {
            if operand.write {
                let choices = &operands.rotating[index];
                chosen[index] =
                    Some(choices[(number * operands.written + position) % choices.len()]);
                position += 1;
            }
        }
        let same = match self.registers {
            Registers::Distinct => None,
            Registers::Same => Some(common_registers(catalogue, subject, operands)?),
            Registers::One => {
                common_registers(catalogue, subject, operands)?.get(..1).map(<[_]>::to_vec)
            }
        };
        let same = same.map(|registers| registers[number % registers.len()]);
        let mut instruction = subject.instantiate(|index, _| {
            if let Some(register) = same {
                return Ok(register);
            }
            let tied = subject.operands[index].tied_to;
            tied.and_then(|definition| chosen[definition])
                .or(chosen[index])
                .or(operands.shared[index])
                .ok_or_else(|| no_register(subject, index))
        })?;
        if let Some((index, value)) = self.immediate {
            instruction.operands[index] = OperandValue::Immediate(value);
        }
        Ok(instruction)
    }
}

/// Registers that every operand of a form can be, of those that its results rotate through.
fn common_registers(
    catalogue: &Catalogue,
    subject: &InstructionForm,
    operands: &Operands,
) -> Result<Vec<RegisterId>, KernelError> {
    let classes: Vec<_> =
        (0..subject.operands.len()).filter_map(|index| subject.class_of(index)).collect();
    let fits = |register: &RegisterId| {
        classes.iter().all(|&class| catalogue.set.class(class).registers.contains(register))
    };
    let common: Vec<RegisterId> =
        operands.rotating.iter().flatten().copied().filter(fits).collect();
    if common.is_empty() { Err(no_register(subject, 0)) } else { Ok(common) }
}

impl Operands {
    fn choose(
        catalogue: &Catalogue,
        subject: &InstructionForm,
        taken: &mut Taken,
    ) -> Result<Self, KernelError> {
        let count = subject.operands.len();
        let mut shared = vec![None; count];
        let is_register =
            |index: usize| matches!(subject.operands[index].kind, Placeholder::Register(_));
        for index in (0..count).filter(|&index| is_register(index)) {
            let operand = &subject.operands[index];
            if operand.read && !operand.write && operand.tied_to.is_none() {
                shared[index] = Some(taken.take_one(catalogue, subject, index)?);
            }
        }
        let written: Vec<usize> = (0..count)
            .filter(|&index| is_register(index) && subject.operands[index].write)
            .collect();
        let mut rotating = vec![Vec::new(); count];
        for &index in &written {
            let class = subject.class_of(index).ok_or_else(|| no_register(subject, index))?;
            let mut free = taken.free(catalogue, class);
            keep_disjoint(&mut free, catalogue);
            // Two results of one instance never meet: each starts where the other does not.
            let spare = free.len() % written.len();
            free.truncate(free.len() - spare);
            if free.is_empty() {
                return Err(no_register(subject, index));
            }
            rotating[index] = free;
        }
        Ok(Self { shared, rotating, written: written.len() })
    }

    fn values(
        &self,
        catalogue: &Catalogue,
        subject: &InstructionForm,
        class: ValueClass,
    ) -> Vec<(RegisterId, Value)> {
        let value_at = |index: usize| {
            class.required(catalogue, subject, Site::Operand(index)).unwrap_or(Value::Ordinary)
        };
        let shared = self.shared.iter().enumerate();
        let shared = shared
            .filter_map(|(index, register)| register.map(|register| (register, value_at(index))));
        let tied_value = |index: usize| {
            let reader = subject.operands.iter().position(|operand| operand.tied_to == Some(index));
            value_at(reader.unwrap_or(index))
        };
        let rotating =
            self.rotating.iter().enumerate().flat_map(|(index, registers)| {
                registers.iter().map(move |&r| (r, tied_value(index)))
            });
        shared.chain(rotating).collect()
    }
}

/// What a form needs in the registers that it reads unnamed.
pub(super) fn implicit_values(
    catalogue: &Catalogue,
    form: &InstructionForm,
    class: ValueClass,
) -> Vec<(RegisterId, Value)> {
    form.implicit_uses
        .iter()
        .map(|&register| {
            let site = Site::Implicit(register);
            let value = class.required(catalogue, form, site);
            (register, value.unwrap_or(Value::Ordinary))
        })
        .collect()
}

/// An instance of a breaker that writes `register` and otherwise touches only registers of its
/// own; those that it reads are returned too.
pub(super) fn breaker_instruction(
    catalogue: &Catalogue,
    form: &InstructionForm,
    register: RegisterId,
    taken: &mut Taken,
) -> Result<(Instruction, Vec<RegisterId>), KernelError> {
    let whole = catalogue.whole(register);
    let mut sources = Vec::new();
    let instruction = form.instantiate(|index, class| {
        if form.operands[index].write {
            let members = &catalogue.set.class(class).registers;
            let same = [register, whole]
                .into_iter()
                .find(|candidate| members.contains(candidate))
                .or_else(|| members.iter().copied().find(|&r| catalogue.set.overlap(r, register)));
            // A result besides (a comparison that also gives a difference) goes where nobody reads.
            return match same {
                Some(same) => Ok(same),
                None if writes_unnamed(catalogue, form, register) => {
                    taken.take_one(catalogue, form, index)
                }
                None => Err(no_register(form, index)),
            };
        }
        let source = taken.take_one(catalogue, form, index)?;
        sources.push(source);
        Ok(source)
    })?;
    Ok((instruction, sources))
}

/// Of registers that overlap (pairs of neighbours) keeps the first: results are independent.
fn keep_disjoint(registers: &mut Vec<RegisterId>, catalogue: &Catalogue) {
    let mut taken = Taken::default();
    registers.retain(|&register| {
        let free = !taken.has(catalogue, register);
        if free {
            taken.take(catalogue, register);
        }
        free
    });
}

fn writes_unnamed(catalogue: &Catalogue, form: &InstructionForm, register: RegisterId) -> bool {
    form.implicit_defs.iter().any(|&written| catalogue.set.overlap(written, register))
}

fn companion_slots(catalogue: &Catalogue, names: &[&str]) -> Result<Vec<Slot>, KernelError> {
    names
        .iter()
        .map(|name| {
            let opcode = catalogue.set.by_name(name).unwrap_or(OpcodeId(u32::MAX));
            let form = catalogue.form(opcode).ok_or(KernelError::NoForm(opcode))?;
            Ok(Slot::Instruction(form.sample.clone()))
        })
        .collect()
}
