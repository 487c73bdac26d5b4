//! Loops of several instructions that share registers: of each kind of register all results go to one, which
//! all read, and what else they read never changes.
//!
//! So whether an instruction waits for another follows from the kinds of registers that they work on alone,
//! as where all register numbers are zero in a study of matrix units.
//!
//! Or each place of the loop has results of its own: then an instruction waits for itself in the round before
//! alone, as where a study of mixes gives each outer product a tile of its own.

use serde::{Deserialize, Serialize};

use super::allocation::no_register;
use super::dependence::Access;
use super::draft::Draft;
use super::{Content, KernelError, ValueClass, form_of};
use crate::catalogue::Catalogue;
use crate::form::{InstructionForm, Part, Placeholder, Site, Value};
use crate::metadata::{ClassId, Instruction, OpcodeId, RegisterId};

/// A loop of instructions that share registers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SharedLoop {
    /// The forms of a round, in order.
    pub forms: Vec<OpcodeId>,
    /// Rounds in a body, which is what a kernel's instances count.
    pub rounds: u32,
    /// Whether each place of a round has results of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub apart: bool,
}

/// The registers that instructions share.
#[derive(Default)]
struct SharedRegisters {
    /// Where results go.
    results: Vec<RegisterId>,
    /// What is only read.
    constants: Vec<RegisterId>,
}

/// What an instruction of such a loop passes to others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedParts {
    /// The parts of registers that it reads.
    pub reads: Vec<Part>,
    /// The parts that it writes.
    pub writes: Vec<Part>,
}

impl SharedLoop {
    /// Chooses the registers and writes the rounds down.
    pub(super) fn write(&self, draft: &mut Draft<'_>) -> Result<(), KernelError> {
        let catalogue = draft.catalogue;
        let forms = self.forms.iter().map(|&opcode| form_of(catalogue, opcode));
        let forms = forms.collect::<Result<Vec<_>, _>>()?;
        draft.take_unnamed(&forms)?;
        let mut shared = SharedRegisters::default();
        let mut round = Vec::with_capacity(forms.len());
        for form in forms {
            if self.apart && catalogue.isa.register_operand(&form.sample).is_some() {
                return Err(KernelError::OneForAll(form.name.clone()));
            }
            draft.hold_unnamed(form, ValueClass::default());
            if self.apart {
                shared.results.clear();
            }
            round.push(shared.instruction(form, draft)?);
        }
        for instruction in (0..self.rounds).flat_map(|_| &round) {
            draft.push(instruction.clone());
        }
        draft.instances = self.rounds;
        Ok(())
    }

    /// What each of its instructions reads and writes of registers that any of them writes.
    ///
    /// # Errors
    /// When registers do not suffice.
    pub fn parts(&self, catalogue: &Catalogue) -> Result<Vec<SharedParts>, KernelError> {
        let once = Self { rounds: 1, ..self.clone() };
        let kernel = Content::Sharing(once).build(catalogue)?;
        let parts = kernel.instructions().map(|instruction| {
            let form = form_of(catalogue, instruction.opcode)?;
            let access = Access::of(catalogue, form, instruction);
            Ok(SharedParts {
                reads: access.reads.into_iter().flat_map(|(_, _, parts)| parts).collect(),
                writes: access.writes.into_iter().flat_map(|(_, parts)| parts).collect(),
            })
        });
        parts.collect()
    }
}

impl SharedRegisters {
    fn instruction(
        &mut self,
        form: &InstructionForm,
        draft: &mut Draft<'_>,
    ) -> Result<Instruction, KernelError> {
        // What says in a register what it does says with zeros that all register numbers are 0.
        if draft.catalogue.isa.register_operand(&form.sample).is_some() {
            return Ok(form.sample.clone());
        }
        let mut chosen: Vec<Option<RegisterId>> = vec![None; form.operands.len()];
        let registers = |write: bool| {
            (0..form.operands.len()).filter_map(move |index| {
                let operand = &form.operands[index];
                let is_register = matches!(operand.kind, Placeholder::Register(_));
                let class = form.class_of(index).filter(|_| is_register)?;
                (operand.write == write).then_some((index, class))
            })
        };
        for (index, class) in registers(true) {
            let register = choose(&mut self.results, &chosen, (form, index, class), draft)?;
            chosen[index] = Some(register);
        }
        let results = chosen.clone();
        for (index, _) in registers(false) {
            chosen[index] = form.operands[index].tied_to.and_then(|written| chosen[written]);
        }
        // Who has no result as an operand in any case reads one at the last place that can be it.
        let waits = registers(true).any(|(index, _)| form.operands[index].read)
            || registers(false).any(|(index, _)| chosen[index].is_some());
        if !waits {
            let mut fits = registers(false).filter_map(|(index, class)| {
                let mut seen = results.iter().flatten().filter_map(|&it| {
                    form.address_part(Site::Operand(index))
                        .is_none()
                        .then(|| view(draft.catalogue, class, it))
                        .flatten()
                });
                Some((index, seen.next()?))
            });
            if let Some((index, register)) = fits.next_back() {
                chosen[index] = Some(register);
            }
        }
        for (index, class) in registers(false) {
            if chosen[index].is_none() {
                let register = choose(&mut self.constants, &chosen, (form, index, class), draft)?;
                chosen[index] = Some(register);
            }
        }
        form.instantiate(|index, _| chosen[index].ok_or_else(|| no_register(form, index)))
    }
}

/// A register for an operand: the first of those in use that it can name and that stands nowhere else in the
/// instruction, or a new one.
fn choose(
    used: &mut Vec<RegisterId>,
    chosen: &[Option<RegisterId>],
    (form, index, class): (&InstructionForm, usize, ClassId),
    draft: &mut Draft<'_>,
) -> Result<RegisterId, KernelError> {
    let catalogue = draft.catalogue;
    let is_elsewhere = |register: RegisterId| {
        chosen.iter().flatten().any(|&other| catalogue.set.overlap(other, register))
    };
    let mut known = used.iter().filter_map(|&register| view(catalogue, class, register));
    let register = match known.find(|&register| !is_elsewhere(register)) {
        Some(register) => register,
        None => {
            let free = draft.taken.free(catalogue, class).into_iter().next();
            let register = free.ok_or_else(|| no_register(form, index))?;
            draft.taken.take(catalogue, register);
            used.push(register);
            register
        }
    };
    let required = ValueClass::default().required(catalogue, form, Site::Operand(index));
    draft.values.push((register, required.unwrap_or(Value::Ordinary)));
    Ok(register)
}

/// A register as a class names it.
fn view(catalogue: &Catalogue, class: ClassId, register: RegisterId) -> Option<RegisterId> {
    let mut members = catalogue.allocatable(class).iter().copied();
    members.find(|&member| catalogue.set.overlap(member, register))
}
