//! The registers that operands of forms side by side take: constants, and results that take turns.
//!
//! Of registers that several forms may write to each has a share, by how long its instances would wait for each other
//! in one.

use super::Accumulators;
use super::KernelError;
use super::allocation::{Taken, no_register};
use super::cells::Spread;
use super::constants::constant_value;
use super::content::{Instance, RegisterPolicy};
use crate::catalogue::Catalogue;
use crate::form::{InstructionForm, Value};
use crate::metadata::{ClassId, RegisterId};

/// The registers that operands may take.
pub(super) struct Operands {
    /// Register of each operand that is only read; more than one of a base that cannot lead to all cells.
    pub shared: Vec<Vec<RegisterId>>,
    /// How they find their cells, if they access memory.
    pub spread: Spread,
    /// Registers that each written operand rotates through.
    pub rotating: Vec<Vec<RegisterId>>,
    /// How many operands are written.
    written: usize,
}

/// Another form that may write to the same registers.
pub(super) struct Rival<'a> {
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

impl<'a> Rival<'a> {
    pub fn of(form: &'a InstructionForm, policy: RegisterPolicy) -> Self {
        Self { form, waiting: Waiting::of(form, policy) }
    }
}

impl Operands {
    /// Leaves as many registers to each of the other forms that write to the same ones.
    pub fn choose(
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
    pub fn shared(&self, operand: usize, number: usize) -> Option<RegisterId> {
        match self.shared[operand].as_slice() {
            [] => None,
            [only] => Some(*only),
            bases => Some(bases[self.spread.base(number)]),
        }
    }

    /// What an operand of instance number `number` is if the form writes it.
    pub fn written(
        &self,
        operand: usize,
        number: usize,
        form: &InstructionForm,
    ) -> Option<RegisterId> {
        let choices = &self.rotating[operand];
        let position = form.operands[..operand].iter().filter(|other| other.write).count();
        (!choices.is_empty()).then(|| choices[(number * self.written + position) % choices.len()])
    }

    /// Instances after which results are in the same registers again.
    pub fn turns(&self) -> usize {
        let most = self.rotating.iter().map(Vec::len).max().unwrap_or(0);
        (most / self.written.max(1)).max(1)
    }

    /// Registers that every operand of a form can be, of those that its results rotate through.
    pub fn common(
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

    pub fn values(
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
