//! Bodies that walk through a buffer: loads, stores, or both, from one end of a working set to the other
//! and again from the beginning.

use serde::{Deserialize, Serialize};

use super::allocation::no_register;
use super::draft::Draft;
use super::operands::keep_disjoint;
use super::{KernelError, Slot, ValueClass, cells, form_of};
use crate::catalogue::Catalogue;
use crate::form::{
    AddressOrigin, AddressPart, InstructionForm, MemoryAccess, Placeholder, Site, Value,
};
use crate::isa::{BufferPath, BufferWalk};
use crate::metadata::{Instruction, OpcodeId, RegisterId};

/// Accesses of each direction in a body, at most: few enough for the smallest working sets, and enough that
/// moving the pointers costs little beside them.
const ACCESSES: u32 = 64;

/// A walk through a buffer. With a load and a store it copies: each register that was loaded is stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WalkBody {
    /// The form that loads.
    pub load: Option<OpcodeId>,
    /// The form that stores.
    pub store: Option<OpcodeId>,
    /// Pointers of each direction, each with a part of the working set for itself.
    pub streams: u32,
    /// Bytes of the working set: what is loaded and what is stored together.
    pub bytes: u64,
    /// Bytes from a multiple of the page size to where the working set begins.
    pub offset: u32,
    /// Cores that do so at the same time, each in a buffer of its own.
    pub cores: u32,
}

/// One direction of a walk.
struct Direction<'a> {
    form: &'a InstructionForm,
    /// The operand whose register is loaded or stored.
    data: usize,
    base: usize,
    pointers: Vec<RegisterId>,
    /// Registers of operands that are neither.
    others: Vec<Option<RegisterId>>,
}

/// How many accesses stand in a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct WalkShape {
    /// Accesses of each pointer between two moves of all of them.
    steps: u32,
    /// Moves in a body.
    moves: u32,
    /// Bytes of each pointer's part of the working set.
    part: u64,
}

/// The operand that a plain load loads to, or that a plain store stores: the form has one address, of
/// which the base is a register that stays as it is, and otherwise one register, beside one that says which
/// elements take part.
#[must_use]
pub fn walked_operand(catalogue: &Catalogue, form: &InstructionForm) -> Option<usize> {
    let is_load = match form.memory {
        MemoryAccess::Load => true,
        MemoryAccess::Store => false,
        _ => return None,
    };
    let base =
        form.operand_of(AddressPart::Base).filter(|_| form.origin == AddressOrigin::Register)?;
    let is_untied = form.operands.iter().all(|operand| operand.tied_to.is_none());
    let is_plain = is_untied
        && !form.operands[base].write
        && form.implied_bases.is_empty()
        && form.spent.is_empty()
        && form.implicit_defs.is_empty()
        && form.access_bits >= u8::BITS;
    let governs = |index: usize| {
        let register = form.register_at(Site::Operand(index), &form.sample);
        register.is_some_and(|it| catalogue.isa.governs_accesses(&catalogue.set, it))
    };
    let is_data = |&index: &usize| {
        let operand = &form.operands[index];
        form.class_of(index).is_some()
            && !governs(index)
            && form.address_part(Site::Operand(index)).is_none()
            && (operand.write, operand.read) == (is_load, !is_load)
    };
    let mut data = (0..form.operands.len()).filter(is_data);
    let first = data.next()?;
    (is_plain && data.next().is_none()).then_some(first)
}

impl WalkBody {
    /// Chooses the registers and writes the body down.
    pub(super) fn write(&self, draft: &mut Draft<'_>) -> Result<(), KernelError> {
        let catalogue = draft.catalogue;
        let forms = [self.load, self.store].into_iter().flatten();
        let forms: Vec<&InstructionForm> =
            forms.map(|opcode| form_of(catalogue, opcode)).collect::<Result<_, _>>()?;
        draft.take_unnamed(&forms)?;
        let width = forms.iter().map(|form| form.access_bits / u8::BITS).max().unwrap_or(0);
        let shape = self.shape(&forms, width)?;
        let mut directions = Vec::with_capacity(forms.len());
        for form in &forms {
            directions.push(Direction::choose(form, self.streams, draft)?);
        }
        let mut walk = self.walk(&directions, (shape, width), draft)?;
        let mut registers = data_registers(&directions, draft)?;
        if names_data(directions[0].form, catalogue) {
            registers = self.named_by_pointers(&directions[0], registers, &mut walk, draft)?;
        }
        for turn in 0..shape.moves * shape.steps * self.streams {
            let (step, stream) = (turn / self.streams, turn % self.streams);
            let distance = i64::from(step % shape.steps) * i64::from(width);
            let data = registers[turn as usize % registers.len()];
            for direction in &directions {
                let instruction = direction.instruction((stream as usize, data), distance)?;
                draft.push(instruction);
                draft.instances += 1;
            }
            if (turn + 1) % (shape.steps * self.streams) == 0 {
                draft.body.push(Slot::Advance);
            }
        }
        draft.walk = Some(BufferPath::Straight(walk));
        Ok(())
    }

    /// Of a form that finds in a pointer which register it loads or stores: the register of each stream, the
    /// first that there are, and pointers that name them.
    fn named_by_pointers(
        &self,
        direction: &Direction<'_>,
        mut registers: Vec<RegisterId>,
        walk: &mut BufferWalk,
        draft: &Draft<'_>,
    ) -> Result<Vec<RegisterId>, KernelError> {
        let isa = &draft.catalogue.isa;
        registers.sort_by_key(|&register| isa.own_numbers(register));
        keep_disjoint(&mut registers, draft.catalogue);
        if registers.len() < self.streams as usize {
            return Err(no_register(direction.form, direction.data));
        }
        registers.truncate(self.streams as usize);
        for (stream, (&data, pointer)) in registers.iter().zip(&mut walk.pointers).enumerate() {
            let instruction = direction.instruction((stream, data), 0)?;
            pointer.1 += isa.register_operand(&instruction).map_or(0, |own| own.operand.value);
        }
        Ok(registers)
    }

    /// How the working set is divided, where accesses are so many bytes wide.
    fn shape(&self, forms: &[&InstructionForm], width: u32) -> Result<WalkShape, KernelError> {
        let too_small = || KernelError::SmallWorkingSet(self.bytes);
        let pointers = u64::from(self.streams) * forms.len() as u64;
        if pointers == 0 || width == 0 {
            return Err(too_small());
        }
        let reach = forms.iter().map(|form| form.displacement.map_or(0, |it| it.reach)).min();
        let reached = reach.unwrap_or(0) / width + 1;
        let wanted = (ACCESSES / self.streams).max(1);
        let fitting = u32::try_from(self.bytes / pointers / u64::from(width)).unwrap_or(u32::MAX);
        let all = wanted.min(fitting);
        let steps = all.min(reached);
        let moves = all.checked_div(steps).ok_or_else(too_small)?;
        let advance = u64::from(steps * width);
        Ok(WalkShape { steps, moves, part: self.bytes / pointers / advance * advance })
    }

    /// The pointers of all directions, each with its part of the working set.
    fn walk(
        &self,
        directions: &[Direction<'_>],
        (shape, width): (WalkShape, u32),
        draft: &mut Draft<'_>,
    ) -> Result<BufferWalk, KernelError> {
        let pointers = directions.iter().flat_map(|direction| &direction.pointers).copied();
        let starts = (0..).map(|number| u64::from(self.offset) + number * shape.part);
        let catalogue = draft.catalogue;
        let Direction { form, base, .. } = directions[0];
        let mut spare = || draft.taken.take_one(catalogue, form, base);
        Ok(BufferWalk {
            pointers: pointers.zip(starts).collect(),
            advance: shape.steps * width,
            bytes: shape.part,
            end: spare()?,
            length: spare()?,
        })
    }
}

/// Whether a form finds in its base which register it loads or stores.
fn names_data(form: &InstructionForm, catalogue: &Catalogue) -> bool {
    let own = catalogue.isa.register_operand(&form.sample);
    own.is_some_and(|own| own.at_base.is_some())
}

impl<'a> Direction<'a> {
    fn choose(
        form: &'a InstructionForm,
        streams: u32,
        draft: &mut Draft<'_>,
    ) -> Result<Self, KernelError> {
        let catalogue = draft.catalogue;
        let no_walk = || KernelError::NoWalk(form.name.clone());
        let data = walked_operand(catalogue, form).ok_or_else(no_walk)?;
        let base = form.operand_of(AddressPart::Base).ok_or_else(no_walk)?;
        let pointers = (0..streams).map(|_| draft.taken.take_one(catalogue, form, base));
        let pointers = pointers.collect::<Result<_, _>>()?;
        let mut others = vec![None; form.operands.len()];
        for (index, operand) in form.operands.iter().enumerate() {
            let is_register = matches!(operand.kind, Placeholder::Register(_));
            if is_register && index != data && index != base {
                let register = draft.taken.take_one(catalogue, form, index)?;
                let value = ValueClass::default().required(catalogue, form, Site::Operand(index));
                draft.values.push((register, value.unwrap_or(Value::Ordinary)));
                others[index] = Some(register);
            }
        }
        Ok(Self { form, data, base, pointers, others })
    }

    /// An access so many bytes behind a pointer.
    fn instruction(
        &self,
        (stream, data): (usize, RegisterId),
        distance: i64,
    ) -> Result<Instruction, KernelError> {
        let form = self.form;
        let mut instruction = form.instantiate(|index, _| match self.others[index] {
            Some(register) => Ok(register),
            None if index == self.base => Ok(self.pointers[stream]),
            None if index == self.data => Ok(data),
            None => Err(no_register(form, index)),
        })?;
        cells::access(&mut instruction, form, distance)?;
        Ok(instruction)
    }
}

/// The registers that are loaded and stored in turn: those that all directions can name.
fn data_registers(
    directions: &[Direction<'_>],
    draft: &mut Draft<'_>,
) -> Result<Vec<RegisterId>, KernelError> {
    let catalogue = draft.catalogue;
    let free = |direction: &Direction<'_>| {
        let class = direction.form.class_of(direction.data);
        class.map(|class| draft.taken.free(catalogue, class)).unwrap_or_default()
    };
    let mut common = free(&directions[0]);
    for direction in &directions[1..] {
        let theirs = free(direction);
        common.retain(|register| theirs.contains(register));
    }
    if common.is_empty() {
        return Err(no_register(directions[0].form, directions[0].data));
    }
    draft.values.extend(common.iter().map(|&register| (register, Value::OrdinaryOf(register))));
    Ok(common)
}
