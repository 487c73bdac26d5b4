//! Writing instances side by side, as independent as their forms allow.
//!
//! Operands that are only read share registers, also those of forms that stand beside each other, but never
//! the same one twice in an instance; operands that are written rotate through all that is left, so that
//! instances depend on each other as late as possible. Forms that stand beside each other write to no
//! register in common but those that they touch unnamed.

use super::allocation::{Taken, no_register};
use super::breakers::breaker_instruction;
use super::cells;
use super::constants::Constants;
use super::content::{Ingredient, Instance, Mixture, RegisterPolicy};
use super::draft::Draft;
use super::operands::{Operands, Rival};
use super::refills::Refill;
use super::unchaining::{Turn, Unchaining};
use super::{Accumulators, Breaking, KernelError, Slot, form_of};
use crate::catalogue::Catalogue;
use crate::form::{InstructionForm, Site, Value};
use crate::metadata::{Instruction, OpcodeId, OperandValue, RegisterId};

/// A form among the instances, with its registers.
struct MixedForm<'a> {
    instance: &'a Instance,
    form: &'a InstructionForm,
    operands: Operands,
    /// Registers that all operands are, in turn; none where they differ.
    same: Vec<RegisterId>,
    /// What precedes and follows each instance.
    before: Vec<Slot>,
    after: Vec<Slot>,
    refills: Vec<Refill<'a>>,
    unchaining: Unchaining<'a>,
    /// The operand at which registers take turns, and those.
    turns: Option<(usize, Vec<RegisterId>)>,
}

impl Mixture {
    /// Chooses the registers and writes the turns down.
    pub(super) fn write<'a>(&'a self, draft: &mut Draft<'a>) -> Result<(), KernelError> {
        let catalogue = draft.catalogue;
        draft.crosses_encodings = self.crosses_encodings;
        draft.padded = self.padded;
        let instances = self.instances();
        let forms = instances.iter().map(|instance| form_of(catalogue, instance.opcode));
        let forms = forms.collect::<Result<Vec<_>, _>>()?;
        draft.take_unnamed(&forms)?;
        for (instance, form) in instances.iter().zip(&forms) {
            draft.hold_unnamed(form, instance.values);
        }
        let subjects: Vec<_> = instances.into_iter().zip(forms).collect();
        for (instance, form) in &subjects {
            self.check_refilled(instance, form)?;
        }
        let breakers = self.breakers(&subjects, draft)?;
        let subjects = choose(subjects, draft)?;
        self.write_turns(&subjects, &breakers, draft)
    }

    fn write_turns(
        &self,
        subjects: &[MixedForm<'_>],
        breakers: &[Instruction],
        draft: &mut Draft<'_>,
    ) -> Result<(), KernelError> {
        let mut written = vec![0; subjects.len()];
        let all: Vec<usize> =
            subjects.iter().map(|subject| self.times_of(subject.instance) as usize).collect();
        let renewed = self.renewed(subjects, draft)?;
        for turn in 0..self.turns {
            let (mut subject, mut breaker) = (0, 0);
            for (place, (share, ingredient)) in self.ingredients.iter().enumerate() {
                let times = share.in_turn(turn);
                for _ in 0..times {
                    match ingredient {
                        Ingredient::Instance(_) => {
                            subjects[subject].write((written[subject], all[subject]), draft)?;
                            written[subject] += 1;
                        }
                        Ingredient::Bare { opcode, immediates } => {
                            draft.push(bare(form_of(draft.catalogue, *opcode)?, immediates));
                        }
                        Ingredient::Renewed => {
                            renewed.iter().cloned().for_each(|it| draft.push(it))
                        }
                        Ingredient::Breaker(_) => draft.push(breakers[breaker].clone()),
                        Ingredient::Fillers(count) => draft.pad(*count),
                        Ingredient::LongFiller { bytes } => draft.pad_long(*bytes)?,
                        Ingredient::Piece(bytes) => draft.put(bytes.clone()),
                    }
                }
                match ingredient {
                    Ingredient::Instance(_) => subject += 1,
                    Ingredient::Breaker(_) => breaker += 1,
                    Ingredient::Bare { .. }
                    | Ingredient::Renewed
                    | Ingredient::Fillers(_)
                    | Ingredient::LongFiller { .. }
                    | Ingredient::Piece(_) => {}
                }
                if place == 0 {
                    draft.instances += times * ingredient.each();
                }
            }
        }
        Ok(())
    }

    /// How often a body holds some ingredients.
    fn times(&self, wanted: &dyn Fn(&Ingredient) -> bool) -> u32 {
        let shares = self.ingredients.iter().filter(|(_, ingredient)| wanted(ingredient));
        shares.flat_map(|(share, _)| (0..self.turns).map(|turn| share.in_turn(turn))).sum()
    }

    fn times_of(&self, instance: &Instance) -> u32 {
        self.times(&|it| matches!(it, Ingredient::Instance(other) if other == instance))
    }

    /// Whether registers that a form spends unnamed are filled again before they are used up.
    fn check_refilled(
        &self,
        instance: &Instance,
        form: &InstructionForm,
    ) -> Result<(), KernelError> {
        let count = self.times_of(instance);
        let is_used_up = form.spent.iter().any(|spent| {
            let Site::Implicit(register) = spent.site else { return false };
            let fills = |ingredient: &Ingredient| {
                matches!(ingredient, Ingredient::Breaker(breaking) if breaking.register == register)
            };
            count > 1 && self.times(&fills) * spent.lasts < count
        });
        if is_used_up { Err(KernelError::Spent(form.name.clone())) } else { Ok(()) }
    }

    fn instances(&self) -> Vec<&Instance> {
        let ingredients = self.ingredients.iter().filter_map(|(_, ingredient)| match ingredient {
            Ingredient::Instance(instance) => Some(instance),
            _ => None,
        });
        ingredients.collect()
    }

    /// What sets the registers again that subjects only read and that bare instructions write over.
    fn renewed(
        &self,
        subjects: &[MixedForm<'_>],
        draft: &mut Draft<'_>,
    ) -> Result<Vec<Instruction>, KernelError> {
        let catalogue = draft.catalogue;
        let bare = self.ingredients.iter().filter_map(|(_, ingredient)| match ingredient {
            Ingredient::Bare { opcode, .. } => catalogue.form(*opcode),
            _ => None,
        });
        let lost: Vec<RegisterId> = bare.flat_map(|form| form.implicit_defs.clone()).collect();
        let is_lost =
            |register: RegisterId| lost.iter().any(|&other| catalogue.set.overlap(other, register));
        let read = subjects.iter().flat_map(|subject| subject.operands.shared.iter().flatten());
        let mut out = Vec::new();
        for &register in read.filter(|&&register| is_lost(register)) {
            let names = catalogue.isa.breakers(&catalogue.set, register).iter();
            let forms = names.filter_map(|name| catalogue.form_by_name(name));
            let reads_nothing = |form: &&InstructionForm| form.uses().next().is_none();
            if let Some(form) = forms.rev().find(reads_nothing) {
                out.push(breaker_instruction(catalogue, form, register, &mut draft.taken)?.0);
            }
        }
        Ok(out)
    }

    /// An instruction for each breaker; what they copy from holds what the subjects find at first.
    fn breakers(
        &self,
        subjects: &[(&Instance, &InstructionForm)],
        draft: &mut Draft<'_>,
    ) -> Result<Vec<Instruction>, KernelError> {
        let catalogue = draft.catalogue;
        let mut out = Vec::new();
        for (_, ingredient) in &self.ingredients {
            let &Ingredient::Breaker(Breaking { register, breaker }) = ingredient else { continue };
            let form = form_of(catalogue, breaker)?;
            let site = Site::Implicit(register);
            let mut required = subjects
                .iter()
                .filter_map(|(instance, form)| instance.values.required(catalogue, form, site));
            let value = required.next().unwrap_or(Value::OrdinaryOf(register));
            let (instruction, sources) =
                breaker_instruction(catalogue, form, register, &mut draft.taken)?;
            draft.values.extend(sources.into_iter().map(|source| (source, value)));
            out.push(instruction);
        }
        Ok(out)
    }
}

/// An instruction that names no registers.
fn bare(form: &InstructionForm, immediates: &[(usize, i64)]) -> Instruction {
    let mut instruction = form.sample.clone();
    for &(index, value) in immediates {
        instruction.operands[index] = OperandValue::Immediate(value);
    }
    instruction
}

impl Ingredient {
    /// How many of what is counted one of it is.
    fn each(&self) -> u32 {
        match self {
            Self::Fillers(count) => *count,
            Self::Instance(_)
            | Self::Bare { .. }
            | Self::Renewed
            | Self::Breaker(_)
            | Self::LongFiller { .. }
            | Self::Piece(_) => 1,
        }
    }
}

/// Gives all subjects their registers: first what is only read, which takes one each.
fn choose<'a>(
    subjects: Vec<(&'a Instance, &'a InstructionForm)>,
    draft: &mut Draft<'a>,
) -> Result<Vec<MixedForm<'a>>, KernelError> {
    let catalogue = draft.catalogue;
    for &(instance, form) in &subjects {
        take_alternating(catalogue, instance, form, &mut draft.taken)?;
    }
    let mut constants = Constants::default();
    let shared = subjects
        .iter()
        .map(|(instance, form)| constants.choose(catalogue, instance, form, &mut draft.taken));
    let shared = shared.collect::<Result<Vec<_>, _>>()?;
    let unchaining = subjects.iter().zip(&shared).map(|(&subject, (_, spread))| {
        Unchaining::choose(catalogue, subject, *spread, &mut constants, &mut draft.taken)
    });
    let unchaining = unchaining.collect::<Result<Vec<_>, _>>()?;
    let refills = subjects
        .iter()
        .map(|(instance, form)| Refill::all(form, |_| false, instance.values, draft));
    let refills = refills.collect::<Result<Vec<_>, _>>()?;
    let mut out = Vec::with_capacity(subjects.len());
    let chosen = shared.into_iter().zip(refills.into_iter().zip(unchaining));
    for ((number, &(instance, form)), (shared, before)) in subjects.iter().enumerate().zip(chosen) {
        let others: Vec<Rival<'_>> = subjects[number + 1..]
            .iter()
            .map(|&(instance, form)| Rival::of(form, instance.registers))
            .collect();
        let operands =
            Operands::choose(catalogue, (form, instance.registers), shared, &others, &draft.taken)?;
        for &register in operands.rotating.iter().flatten().filter(|_| !others.is_empty()) {
            draft.taken.take(catalogue, register);
        }
        draft.values.extend(operands.values(catalogue, form, instance));
        draft.values.extend(before.1.values());
        if matches!(instance.registers, RegisterPolicy::Given { .. }) {
            draft.values.retain(|(_, value)| *value != Value::Ordinary);
        }
        out.push(MixedForm::new(catalogue, instance, form, (operands, before))?);
    }
    Ok(out)
}

/// Keeps the registers that take turns at an operand from all other operands.
fn take_alternating(
    catalogue: &Catalogue,
    instance: &Instance,
    form: &InstructionForm,
    taken: &mut Taken,
) -> Result<(), KernelError> {
    let Some(alternating) = instance.registers.alternating() else { return Ok(()) };
    let (operand, registers) = (alternating.operand, alternating.turns(catalogue, form));
    if registers.iter().any(|&register| taken.has(catalogue, register)) {
        return Err(no_register(form, operand));
    }
    registers.iter().for_each(|&register| taken.take(catalogue, register));
    Ok(())
}

impl<'a> MixedForm<'a> {
    fn new(
        catalogue: &Catalogue,
        instance: &'a Instance,
        form: &'a InstructionForm,
        (operands, (refills, unchaining)): (Operands, (Vec<Refill<'a>>, Unchaining<'a>)),
    ) -> Result<Self, KernelError> {
        let same = match instance.registers {
            RegisterPolicy::Rotating(_)
            | RegisterPolicy::Waiting(_)
            | RegisterPolicy::Unchained(_)
            | RegisterPolicy::Given { .. }
            | RegisterPolicy::Accumulators(_)
            | RegisterPolicy::Alternating(_) => Vec::new(),
            RegisterPolicy::Same => operands.common(catalogue, form)?,
            RegisterPolicy::One => operands.common(catalogue, form)?[..1].to_vec(),
        };
        let companions = catalogue.isa.companions(form);
        let (before, after) = (
            companion_slots(catalogue, &companions.before)?,
            companion_slots(catalogue, &companions.after)?,
        );
        let turns = instance.registers.alternating();
        let turns = turns.map(|own| (own.operand, own.turns(catalogue, form)));
        Ok(Self { instance, form, operands, same, before, after, refills, unchaining, turns })
    }

    /// Writes instance number `number` of so many.
    fn write(
        &self,
        (number, all): (usize, usize),
        draft: &mut Draft<'_>,
    ) -> Result<(), KernelError> {
        draft.body.extend(self.before.iter().cloned());
        let instruction = self.instruction(number)?;
        for refill in &self.refills {
            draft.push(refill.before(&instruction)?);
        }
        let turn = Turn { number, all, registers: self.operands.turns() };
        let copies = self.unchaining.in_front(draft.catalogue, &instruction, turn)?;
        copies.into_iter().for_each(|it| draft.push(it));
        draft.push(instruction);
        draft.body.extend(self.after.iter().cloned());
        Ok(())
    }

    /// Instance number `number`.
    fn instruction(&self, number: usize) -> Result<Instruction, KernelError> {
        let form = self.form;
        let given = match self.instance.registers {
            RegisterPolicy::Given { operand, register } => Some((operand, register)),
            _ => {
                self.turns.as_ref().map(|(operand, turns)| (*operand, turns[number % turns.len()]))
            }
        };
        let accumulators = self.instance.registers.accumulators();
        let mut instruction = form.instantiate(|index, _| {
            let definition = form.operands[index].tied_to;
            let is_given =
                |&(operand, _): &(usize, _)| index == operand || definition == Some(operand);
            if let Some((_, register)) = given.filter(is_given) {
                return Ok(register);
            }
            if !self.same.is_empty() {
                return Ok(self.same[number % self.same.len()]);
            }
            // What reads an accumulator without being tied to it.
            let index = match accumulators {
                Some(Accumulators { source, target, .. }) if index == source => target,
                _ => index,
            };
            definition
                .and_then(|definition| self.operands.written(definition, number, form))
                .or_else(|| self.operands.written(index, number, form))
                .or_else(|| self.operands.shared(index, number))
                .ok_or_else(|| no_register(form, index))
        })?;
        cells::access(&mut instruction, form, i64::from(self.operands.spread.distance(number)))?;
        if let Some((index, value)) = self.instance.immediate {
            instruction.operands[index] = OperandValue::Immediate(value);
        }
        Ok(instruction)
    }
}

fn companion_slots(catalogue: &Catalogue, names: &[&str]) -> Result<Vec<Slot>, KernelError> {
    let slots = names.iter().map(|name| {
        let opcode = catalogue.set.by_name(name).unwrap_or(OpcodeId(u32::MAX));
        Ok(Slot::Instruction(form_of(catalogue, opcode)?.sample.clone()))
    });
    slots.collect()
}
