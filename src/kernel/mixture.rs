//! Writing instances side by side, as independent as their forms allow.
//!
//! Operands that are only read share registers, also those of forms that stand beside each other, but never
//! the same one twice in an instance; operands that are written rotate through all that is left, so that
//! instances depend on each other as late as possible. Forms that stand beside each other write to no
//! register in common but those that they touch unnamed.

use super::allocation::{Taken, no_register};
use super::breakers::breaker_instruction;
use super::cells::{self, Spread};
use super::constants::{Constants, constant_value};
use super::content::{Ingredient, Instance, Mixture, RegisterPolicy};
use super::draft::Draft;
use super::refills::Refill;
use super::{Accumulators, Breaking, KernelError, Slot, form_of};
use crate::catalogue::Catalogue;
use crate::form::{InstructionForm, Site, Value};
use crate::metadata::{ClassId, Instruction, OpcodeId, OperandValue, RegisterId};

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
    /// The operand at which registers take turns, and those.
    turns: Option<(usize, Vec<RegisterId>)>,
}

/// The registers that operands may take.
struct Operands {
    /// Register of each operand that is only read; more than one of a base that cannot lead to all cells.
    shared: Vec<Vec<RegisterId>>,
    /// How they find their cells, if they access memory.
    spread: Spread,
    /// Registers that each written operand rotates through.
    rotating: Vec<Vec<RegisterId>>,
    /// How many operands are written.
    written: usize,
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
        let renewed = self.renewed(subjects, draft)?;
        for turn in 0..self.turns {
            let (mut subject, mut breaker) = (0, 0);
            for (place, (share, ingredient)) in self.ingredients.iter().enumerate() {
                let times = share.in_turn(turn);
                for _ in 0..times {
                    match ingredient {
                        Ingredient::Instance(_) => {
                            subjects[subject].write(written[subject], draft)?;
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

    /// Whether registers that a form spends unnamed are filled again before they are used up.
    fn check_refilled(
        &self,
        instance: &Instance,
        form: &InstructionForm,
    ) -> Result<(), KernelError> {
        let times = |wanted: &dyn Fn(&Ingredient) -> bool| -> u32 {
            let shares = self.ingredients.iter().filter(|(_, ingredient)| wanted(ingredient));
            shares.flat_map(|(share, _)| (0..self.turns).map(|turn| share.in_turn(turn))).sum()
        };
        let own = |ingredient: &Ingredient| matches!(ingredient, Ingredient::Instance(other) if other == instance);
        let count = times(&own);
        let is_used_up = form.spent.iter().any(|spent| {
            let Site::Implicit(register) = spent.site else { return false };
            let fills = |ingredient: &Ingredient| {
                matches!(ingredient, Ingredient::Breaker(breaking) if breaking.register == register)
            };
            count > 1 && times(&fills) * spent.lasts < count
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
    let refills = subjects
        .iter()
        .map(|(instance, form)| Refill::all(form, |_| false, instance.values, draft));
    let refills = refills.collect::<Result<Vec<_>, _>>()?;
    let mut out = Vec::with_capacity(subjects.len());
    let chosen = shared.into_iter().zip(refills);
    for ((number, &(instance, form)), (shared, refills)) in subjects.iter().enumerate().zip(chosen)
    {
        let others: Vec<Rival<'_>> = subjects[number + 1..]
            .iter()
            .map(|&(instance, form)| Rival { form, waiting: Waiting::of(form, instance.registers) })
            .collect();
        let operands =
            Operands::choose(catalogue, (form, instance.registers), shared, &others, &draft.taken)?;
        for &register in operands.rotating.iter().flatten().filter(|_| !others.is_empty()) {
            draft.taken.take(catalogue, register);
        }
        draft.values.extend(operands.values(catalogue, form, instance));
        if matches!(instance.registers, RegisterPolicy::Given { .. }) {
            draft.values.retain(|(_, value)| *value != Value::Ordinary);
        }
        out.push(MixedForm::new(catalogue, instance, form, (operands, refills))?);
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
        (operands, refills): (Operands, Vec<Refill<'a>>),
    ) -> Result<Self, KernelError> {
        let same = match instance.registers {
            RegisterPolicy::Rotating(_)
            | RegisterPolicy::Waiting(_)
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
        Ok(Self { instance, form, operands, same, before, after, refills, turns })
    }

    fn write(&self, number: usize, draft: &mut Draft<'_>) -> Result<(), KernelError> {
        draft.body.extend(self.before.iter().cloned());
        let instruction = self.instruction(number)?;
        for refill in &self.refills {
            draft.push(refill.before(&instruction)?);
        }
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

/// Another form that may write to the same registers.
struct Rival<'a> {
    form: &'a InstructionForm,
    waiting: Waiting,
}

/// How long instances of a form would wait for each other.
#[derive(Clone, Copy)]
struct Waiting {
    /// In one register; see [`RegisterPolicy::weight`].
    weight: usize,
    /// Registers that each writes to.
    results: usize,
}

impl Waiting {
    fn of(form: &InstructionForm, policy: RegisterPolicy) -> Self {
        Self { weight: policy.weight(), results: form.results().count() }
    }

    fn all(self) -> usize {
        self.weight * self.results
    }
}

impl Operands {
    /// Leaves as many registers to each of the other forms that write to the same ones.
    fn choose(
        catalogue: &Catalogue,
        (form, policy): (&InstructionForm, RegisterPolicy),
        (shared, spread): (Vec<Vec<RegisterId>>, Spread),
        others: &[Rival<'_>],
        taken: &Taken,
    ) -> Result<Self, KernelError> {
        let written = form.results().count();
        let most = policy.most().saturating_mul(written);
        let mut rotating = vec![Vec::new(); form.operands.len()];
        let theirs: Vec<Taken> =
            others.iter().map(|other| written_by(catalogue, other.form)).collect();
        for (index, class) in form.results() {
            if let Some(alternating) = policy.alternating_at(index) {
                rotating[index] = alternating.turns(catalogue, form);
                continue;
            }
            let mut free = taken.free(catalogue, class);
            keep_disjoint(&mut free, catalogue);
            // What fewer of the others can write to is taken first, and the rest is left to them.
            free.sort_by_cached_key(|&register| {
                theirs.iter().filter(|own| own.has(catalogue, register)).count()
            });
            let in_turn = catalogue.isa.most_in_turn(&catalogue.set, class);
            free.truncate(in_turn.unwrap_or(usize::MAX));
            let rivals = others.iter().filter(|it| writes_to_one_of(catalogue, it.form, &free));
            let rivals = rivals.map(|rival| rival.waiting);
            free.truncate(share(free.len(), Waiting::of(form, policy), rivals));
            if let Some(Accumulators { source, target, count }) = policy.accumulators()
                && target == index
            {
                let class = form.class_of(source).ok_or_else(|| no_register(form, source))?;
                free.retain(|register| catalogue.set.class(class).registers.contains(register));
                if free.len() < count as usize * written {
                    return Err(no_register(form, index));
                }
            }
            free.truncate(most);
            // Two results of one instance never meet: each starts where the other does not.
            let meets = form.results().any(|(other, class)| {
                let theirs = catalogue.allocatable(class);
                other != index && theirs.iter().any(|it| overlaps(catalogue, &free, *it))
            });
            let spare = if meets || free.len() > written { free.len() % written } else { 0 };
            free.truncate(free.len() - spare);
            if free.is_empty() {
                return Err(no_register(form, index));
            }
            rotating[index] = free;
        }
        Ok(Self { shared, spread, rotating, written })
    }

    /// What an operand of instance number `number` is if the form only reads it.
    fn shared(&self, operand: usize, number: usize) -> Option<RegisterId> {
        match self.shared[operand].as_slice() {
            [] => None,
            [only] => Some(*only),
            bases => Some(bases[self.spread.base(number)]),
        }
    }

    /// What an operand of instance number `number` is if the form writes it.
    fn written(&self, operand: usize, number: usize, form: &InstructionForm) -> Option<RegisterId> {
        let choices = &self.rotating[operand];
        let position = form.operands[..operand].iter().filter(|other| other.write).count();
        (!choices.is_empty()).then(|| choices[(number * self.written + position) % choices.len()])
    }

    /// Registers that every operand of a form can be, of those that its results rotate through.
    fn common(
        &self,
        catalogue: &Catalogue,
        form: &InstructionForm,
    ) -> Result<Vec<RegisterId>, KernelError> {
        let classes: Vec<ClassId> =
            (0..form.operands.len()).filter_map(|index| form.class_of(index)).collect();
        let fits = |register: &RegisterId| {
            classes.iter().all(|&class| catalogue.set.class(class).registers.contains(register))
        };
        let common: Vec<RegisterId> =
            self.rotating.iter().flatten().copied().filter(fits).collect();
        if common.is_empty() { Err(no_register(form, 0)) } else { Ok(common) }
    }

    fn values(
        &self,
        catalogue: &Catalogue,
        form: &InstructionForm,
        instance: &Instance,
    ) -> Vec<(RegisterId, Value)> {
        let value_at = |index: usize, turn: usize| {
            constant_value(catalogue, instance, form, self.spread, (index, turn))
        };
        let shared = self.shared.iter().enumerate().flat_map(|(index, registers)| {
            registers.iter().enumerate().map(move |(turn, &r)| (r, value_at(index, turn)))
        });
        let accumulated = |index: usize| match instance.registers.accumulators() {
            Some(Accumulators { source, target, .. }) if target == index => Some(source),
            _ => None,
        };
        // What is written back to a base is the base, so that each register keeps its cell.
        let tied_value = |index: usize, turn: usize| {
            let reader = form.operands.iter().position(|operand| operand.tied_to == Some(index));
            let reader = reader.or_else(|| accumulated(index));
            value_at(reader.unwrap_or(index), if self.spread.is_apart { turn } else { 0 })
        };
        let rotating = self.rotating.iter().enumerate().flat_map(|(index, registers)| {
            registers.iter().enumerate().map(move |(turn, &r)| (r, tied_value(index, turn)))
        });
        shared.chain(rotating).collect()
    }
}

/// How many of some free registers a form takes beside rivals, by what each of them would wait in one register, and
/// in how many one instance of it writes: so many that the one that waits longest waits as little as it can.
/// (On a Zen 1 `mulps`, `punpcklbw` and `paddsw` side by side, which all read what they write, take 1.8 cycles if
/// the last one has one register and 1.5 if it has two; ports allow 1.33.)
fn share(free: usize, own: Waiting, rivals: impl Iterator<Item = Waiting>) -> usize {
    let mut all: Vec<(Waiting, usize)> =
        std::iter::once(own).chain(rivals).map(|form| (form, form.results)).collect();
    let taken: usize = all.iter().map(|(_, registers)| registers).sum();
    for _ in taken..free {
        // What waits as long as others comes behind them.
        let longest = all.iter_mut().max_by(|(one, ours), (other, theirs)| {
            (one.all() * *theirs).cmp(&(other.all() * *ours))
        });
        let Some((_, registers)) = longest.filter(|(form, _)| form.weight > 0) else { break };
        *registers += 1;
    }
    all[0].1
}

fn overlaps(catalogue: &Catalogue, registers: &[RegisterId], other: RegisterId) -> bool {
    registers.iter().any(|&register| catalogue.set.overlap(register, other))
}

/// All registers that a form may write to.
fn written_by(catalogue: &Catalogue, form: &InstructionForm) -> Taken {
    let mut out = Taken::default();
    for (_, class) in form.results() {
        catalogue.allocatable(class).iter().for_each(|&register| out.take(catalogue, register));
    }
    out
}

/// Whether a form may write to one of some registers.
fn writes_to_one_of(
    catalogue: &Catalogue,
    form: &InstructionForm,
    registers: &[RegisterId],
) -> bool {
    let mut theirs = Taken::default();
    registers.iter().for_each(|&register| theirs.take(catalogue, register));
    let mut written = form.results().flat_map(|(_, class)| catalogue.allocatable(class));
    written.any(|&register| theirs.has(catalogue, register))
}

/// Of registers that overlap (pairs of neighbours) keeps the first: results are independent.
pub(super) fn keep_disjoint(registers: &mut Vec<RegisterId>, catalogue: &Catalogue) {
    let mut taken = Taken::default();
    registers.retain(|&register| {
        let free = !taken.has(catalogue, register);
        if free {
            taken.take(catalogue, register);
        }
        free
    });
}

fn companion_slots(catalogue: &Catalogue, names: &[&str]) -> Result<Vec<Slot>, KernelError> {
    let slots = names.iter().map(|name| {
        let opcode = catalogue.set.by_name(name).unwrap_or(OpcodeId(u32::MAX));
        Ok(Slot::Instruction(form_of(catalogue, opcode)?.sample.clone()))
    });
    slots.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_waiting_form_has_the_most_registers() {
        let form = |weight: usize, results: usize| Waiting { weight, results };
        let of = |free: usize, forms: &[Waiting]| share(free, forms[0], forms[1..].iter().copied());
        // Two multiplications of three cycles, one addition of one and two others: each in its turn.
        let (products, sum, sums) = (form(24, 1), form(4, 1), form(8, 1));
        assert_eq!(of(15, &[products, sum, sums]), 9);
        assert_eq!(of(5, &[sum, sums]), 2);
        assert_eq!(of(3, &[sums]), 3);
        // Equals: what is left over goes to the later ones. What waits for nothing has one.
        assert_eq!([of(15, &[form(1, 1); 2]), of(16, &[form(1, 1); 3])], [7, 5]);
        assert_eq!([of(9, &[form(0, 1), sum]), of(9, &[sum, form(0, 1)])], [1, 8]);
        // Each has one for each of its results, however few there are.
        assert_eq!([of(2, &[form(0, 2), sum]), of(9, &[form(4, 2), sum])], [2, 6]);
    }
}
