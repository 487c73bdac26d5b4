//! Copies that cut the chains of instances which would wait for each other.
//!
//! What reads the register that it writes to makes chains, one for each register, and a core finds no more to do than
//! there are chains. Long before one of them takes as long as ports, this slows mixtures: what is ready waits for the
//! port of one form while that of another form stands idle. (On a Zen 4, with 15 registers, three `mulps`, two
//! `addps` and one `pcmpeqd` take 1.85 cycles; as `vmulps`, `vaddps` and `vpcmpeqd`, which wait for nothing, 1.5.)
//! A copy of a constant ends a chain. Cores rename most copies and execute none.

use super::KernelError;
use super::allocation::{Taken, no_register};
use super::breakers::breaker_of;
use super::cells::Spread;
use super::constants::{Constants, constant_value};
use super::content::Instance;
use crate::catalogue::Catalogue;
use crate::form::{InstructionForm, Value};
use crate::metadata::{Instruction, OperandValue, RegisterId};

/// A copy stands in front of each of so many instances that write to one register, if as many of a body do.
const EVERY: usize = 3;

/// The copies into the registers of a form's results.
#[derive(Default)]
pub(super) struct Unchaining<'a>(Vec<ChainCopy<'a>>);

/// A copy into some registers of a result.
struct ChainCopy<'a> {
    /// The operand that is the result.
    result: usize,
    form: &'a InstructionForm,
    /// The register at each operand that the copy reads.
    sources: Vec<(usize, RegisterId)>,
    /// What those hold, and what the result does.
    value: Value,
    /// The registers that it can be for.
    registers: Vec<RegisterId>,
}

/// Which of the instances of a form one is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    /// Its number.
    pub number: usize,
    /// How many of a body there are.
    pub all: usize,
    /// After how many of them results are in the same registers again.
    pub registers: usize,
}

impl Turn {
    /// Whether a copy stands in front of it: each register has one in a body, and they are spread over it.
    fn cuts(self) -> bool {
        let Self { number, all, registers } = self;
        let every = (all / registers).clamp(1, EVERY);
        (number / registers + number % registers) % every == 0
    }
}

impl<'a> Unchaining<'a> {
    /// Those of an instance, if its policy wants some.
    pub fn choose(
        catalogue: &'a Catalogue,
        (instance, form): (&Instance, &InstructionForm),
        spread: Spread,
        constants: &mut Constants,
        taken: &mut Taken,
    ) -> Result<Self, KernelError> {
        let mut out = Self::default();
        if !instance.registers.is_unchained() {
            return Ok(out);
        }
        for (result, read) in chained_results(form) {
            let class = form.class_of(result).ok_or_else(|| no_register(form, result))?;
            let value = constant_value(catalogue, instance, form, spread, (read, 0));
            for register in taken.free(catalogue, class) {
                let Some(copy) = copy_into(catalogue, form, register) else { continue };
                let is_same =
                    |it: &&mut ChainCopy<'_>| (it.result, it.form.opcode) == (result, copy.opcode);
                match out.0.iter_mut().find(is_same) {
                    Some(known) => known.registers.push(register),
                    None => {
                        let sources = constants.read(catalogue, copy, value, taken)?;
                        let registers = vec![register];
                        out.0.push(ChainCopy { result, form: copy, sources, value, registers });
                    }
                }
            }
        }
        Ok(out)
    }

    /// The registers that copies read, with what they hold.
    pub fn values(&self) -> impl Iterator<Item = (RegisterId, Value)> + '_ {
        let read = |it: &ChainCopy<'a>| {
            let value = it.value;
            it.sources.clone().into_iter().map(move |(_, register)| (register, value))
        };
        self.0.iter().flat_map(read)
    }

    /// What stands in front of an instance.
    pub fn in_front(
        &self,
        catalogue: &Catalogue,
        instruction: &Instruction,
        turn: Turn,
    ) -> Result<Vec<Instruction>, KernelError> {
        if !turn.cuts() {
            return Ok(Vec::new());
        }
        let copies = self.0.iter().filter_map(|copy| match instruction.operands[copy.result] {
            OperandValue::Register(register) if copy.registers.contains(&register) => {
                Some(copy.write(catalogue, register))
            }
            _ => None,
        });
        copies.collect()
    }
}

impl ChainCopy<'_> {
    fn write(
        &self,
        catalogue: &Catalogue,
        register: RegisterId,
    ) -> Result<Instruction, KernelError> {
        breaker_of(catalogue, self.form, register, |operand| {
            let source = self.sources.iter().find(|(at, _)| *at == operand);
            source.map(|it| it.1).ok_or_else(|| no_register(self.form, operand))
        })
    }
}

/// The results of a form through which chains go, each with the operand that says what it holds: those that an operand
/// is tied to or, of a form that has none, all, which may keep a part of their registers. A base that is written back
/// leads to a cell of its own, and keeps it.
fn chained_results(form: &InstructionForm) -> Vec<(usize, usize)> {
    let reader = |result: usize| form.operands.iter().position(|it| it.tied_to == Some(result));
    let results = form.results().map(|(result, _)| (result, reader(result)));
    let (tied, others): (Vec<_>, Vec<_>) = results.partition(|(_, reader)| reader.is_some());
    let wanted = if tied.is_empty() { others } else { tied };
    let read = wanted.into_iter().map(|(result, reader)| (result, reader.unwrap_or(result)));
    read.filter(|&(_, read)| form.operands[read].address.is_none()).collect()
}

/// Whether copies can cut the chains of a form's instances.
#[must_use]
pub fn is_unchained(catalogue: &Catalogue, form: &InstructionForm) -> bool {
    let results = chained_results(form);
    let has_copy = |&(result, _): &(usize, usize)| {
        let registers = form.class_of(result).map(|class| catalogue.allocatable(class));
        let mut registers = registers.unwrap_or_default().iter();
        registers.all(|&register| copy_into(catalogue, form, register).is_some())
    };
    !results.is_empty() && results.iter().all(has_copy)
}

/// What copies into a register and can stand beside a form.
fn copy_into<'a>(
    catalogue: &'a Catalogue,
    form: &InstructionForm,
    register: RegisterId,
) -> Option<&'a InstructionForm> {
    let names = catalogue.isa.breakers(&catalogue.set, register).iter();
    let mut forms = names.filter_map(|name| catalogue.form_beside(name, form.group));
    forms.find(|copy| copy.group.with(form.group).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_register_has_a_copy_in_a_body() {
        for (all, registers) in [(1, 1), (3, 7), (7, 7), (13, 7), (24, 20), (50, 20), (120, 14)] {
            let turns = (0..all).map(|number| Turn { number, all, registers });
            let copied: Vec<usize> =
                turns.filter(|it| it.cuts()).map(|it| it.number % registers).collect();
            let used = all.min(registers);
            assert!((0..used).all(|own| copied.contains(&own)), "{all} in {registers}: {copied:?}");
            let least = all / EVERY.min((all / registers).max(1));
            assert!(copied.len() <= least + used, "{all} in {registers}: {copied:?}");
        }
    }
}
