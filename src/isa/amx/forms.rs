//! Instruction forms of named instructions: their registers, and the operand of an instance.
//!
//! LLVM has neither opcodes nor registers for the unit, so both are added to its tables: X and Y by
//! register or by neighbours that are read together (`AMXX6x2` is X6 and X7), Z by the sets of rows
//! that one instruction writes (`AMXZ1x16` are 16 rows, the first of them row 1). Registers overlap where
//! they have rows in common, as LLVM's own do.

use std::collections::{BTreeMap, BTreeSet};

use super::{AmxGeneration, AmxOperation, AmxVariant, AmxWord, Effects, OperandFields, variants};
use crate::form::{
    AddressOrigin, AddressPart, EncodingGroup, InstructionForm, MemoryAccess, Operand, Placeholder,
};
use crate::metadata::{
    ClassId, Instruction, InstructionSet, Opcode, OpcodeFlags, OpcodeId, OperandInfo, OperandKind,
    OperandValue, Register, RegisterClass, RegisterId, UnitId,
};

/// Instances that a kernel tells apart by rows of Z: as many as have room for their operands in general
/// registers, and no fewer than any instruction needs to be at its fastest.
pub const MOST_ROWS: usize = 16;
/// Rows of a block. (Cores differ in how many blocks they work on at once: thesis, table 4.7.)
const BLOCK: u32 = 8;
/// Registers of X, and of Y.
const REGISTERS: usize = 8;
/// Bytes of a register.
const BYTES: u64 = 64;
/// Where operands have bytes into X, and into Y; extractions from Z have their target's where Y's are,
const X_OFFSET: u32 = 10;
const Y_OFFSET: u32 = 0;
/// where loads and stores have the number of what they move, above an address,
const MOVED: u32 = 56;
/// and copies between X and Y have the number of their source above the byte within it.
const SOURCE: u32 = 14;

/// The forms of a generation of the unit.
pub struct AmxForms {
    generation: AmxGeneration,
    forms: BTreeMap<OpcodeId, AmxForm>,
    /// Of each register the numbers of the single ones in it.
    numbers: BTreeMap<RegisterId, Vec<u32>>,
    /// Registers that are rows of Z.
    rows: BTreeSet<RegisterId>,
}

/// What stands at the operands of a form.
struct AmxForm {
    variant: &'static AmxVariant,
    places: Vec<OperandPlace>,
}

/// What a register at an operand is in the unit's operand.
#[derive(Debug, Clone, PartialEq, Eq)]
enum OperandPlace {
    /// A field with bytes into the ring, as registers with their numbers.
    Offset { low: u32, registers: Vec<(RegisterId, usize)> },
    /// The field for the row.
    Row(Vec<(RegisterId, u8)>),
    /// The field for what is loaded or stored.
    Moved(Vec<(RegisterId, u8)>),
    /// The general register that holds the operand, with an address in it: by number.
    Base(Vec<RegisterId>),
}

/// An instance of a form, as a word that names the register with its operand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmxInstance {
    /// What is done.
    pub operation: AmxOperation,
    /// What the register must hold, beside an address.
    pub operand: u64,
    /// The number of the register that holds an address, too, if the instruction accesses memory.
    pub base: Option<u8>,
}

impl AmxInstance {
    /// The word, with the operand in a register.
    #[must_use]
    pub fn word(&self, register: u8) -> u32 {
        AmxWord { operation: self.operation, register }.encode()
    }

    /// For people: the mnemonic, and the fields of the operand that are not zero.
    #[must_use]
    pub fn text(&self) -> String {
        let fields = OperandFields::of(self.operation, self.operand);
        format!("{}\t{fields}", self.operation.mnemonic()).trim_end().to_owned()
    }
}

impl AmxForms {
    /// Adds an opcode for each named instruction to an instruction set, behind those that are there, with
    /// registers and classes; and says in the same order which forms they make, or why they make none.
    pub fn add_to(
        set: &mut InstructionSet,
        generation: AmxGeneration,
    ) -> (Self, Vec<Result<InstructionForm, &'static str>>) {
        let mut registers = UnitRegisters::new(set);
        let mut out = Self {
            generation,
            forms: BTreeMap::new(),
            numbers: BTreeMap::new(),
            rows: BTreeSet::new(),
        };
        let mut forms = Vec::new();
        for variant in variants() {
            forms.push(match why_not(variant, generation) {
                Some(reason) => {
                    registers.opcode(variant, &[]);
                    Err(reason)
                }
                None => {
                    let (form, places) = registers.form(variant, generation);
                    out.forms.insert(form.opcode, AmxForm { variant, places });
                    Ok(form)
                }
            });
        }
        out.numbers = registers.numbers();
        out.rows = registers.all_rows();
        (out, forms)
    }

    /// The numbers of the registers or rows in a register.
    #[must_use]
    pub fn numbers(&self, register: RegisterId) -> Vec<u32> {
        self.numbers.get(&register).cloned().unwrap_or_default()
    }

    /// The block of rows that a register begins in; none of X and Y.
    #[must_use]
    pub fn block(&self, register: RegisterId) -> Option<u32> {
        let number = self.numbers.get(&register)?.first()?;
        self.rows.contains(&register).then_some(number / BLOCK)
    }

    /// The instance that a word is whose register holds an operand, if it is one of a form.
    #[must_use]
    pub fn instruction(&self, word: AmxWord, operand: u64) -> Option<Instruction> {
        let own = self.forms.iter().filter(|(_, form)| form.variant.operation == word.operation);
        own.into_iter().find_map(|(&opcode, form)| {
            let operands = form.operands(word.register, operand)?;
            Some(Instruction { opcode, operands })
        })
    }

    /// The named instruction of an opcode.
    #[must_use]
    pub fn variant(&self, opcode: OpcodeId) -> Option<&'static AmxVariant> {
        self.forms.get(&opcode).map(|form| form.variant)
    }

    /// What an instance does, if its opcode is one of these.
    #[must_use]
    pub fn instance(&self, instruction: &Instruction) -> Option<AmxInstance> {
        let form = self.forms.get(&instruction.opcode)?;
        let (mut operand, mut base) = (form.variant.operand, None);
        for (place, value) in form.places.iter().zip(&instruction.operands) {
            let OperandValue::Register(register) = *value else { return None };
            operand |= place.bits(register)?;
            base = place.base_number(register).or(base);
        }
        Some(AmxInstance { operation: form.variant.operation, operand, base })
    }

    /// What an instance reads and writes.
    #[must_use]
    pub fn effects(&self, instruction: &Instruction) -> Option<Effects> {
        let instance = self.instance(instruction)?;
        Some(Effects::of(instance.operation, instance.operand, self.generation))
    }
}

/// Why a named instruction makes no form.
fn why_not(variant: &AmxVariant, generation: AmxGeneration) -> Option<&'static str> {
    if !variant.is_in(generation) {
        return Some(match variant.generation {
            AmxGeneration::M1 => "AMX has it from M1 on",
            AmxGeneration::M2 => "AMX has it from M2 on",
            AmxGeneration::M3 => "AMX has it from M3 on",
            AmxGeneration::M4 => "AMX has it from M4 on",
        });
    }
    let is_of_halves = matches!(variant.operation, AmxOperation::Ldzi | AmxOperation::Stzi);
    is_of_halves.then_some("it loads or stores halves of rows, and only whole ones have names")
}

impl AmxForm {
    /// The registers that an operand names, if it is one of this form.
    fn operands(&self, base: u8, operand: u64) -> Option<Vec<OperandValue>> {
        let fields = self.places.iter().fold(0, |mask, place| mask | place.mask(self.variant));
        if (operand ^ self.variant.operand) & !fields != 0 {
            return None;
        }
        let named = self.places.iter().map(|place| place.register(base, operand));
        named.map(|register| register.map(OperandValue::Register)).collect()
    }
}

impl OperandPlace {
    /// The bits of its field.
    fn mask(&self, variant: &AmxVariant) -> u64 {
        match self {
            Self::Offset { low, .. } => (BYTES * (REGISTERS as u64 - 1)) << low,
            Self::Row(_) => u64::from(variant.row_bits.unwrap_or(0)) << AmxVariant::ROW,
            Self::Moved(all) => (all.len() as u64 - 1) << MOVED,
            Self::Base(_) => (1 << MOVED) - 1,
        }
    }

    /// The number of a register with an address.
    fn base_number(&self, register: RegisterId) -> Option<u8> {
        let Self::Base(all) = self else { return None };
        all.iter().position(|own| *own == register).map(|number| number as u8)
    }

    /// The register that an operand names here.
    fn register(&self, base: u8, operand: u64) -> Option<RegisterId> {
        let found = match self {
            Self::Moved(all) => {
                let number = (operand >> MOVED) as usize % all.len();
                all.iter()
                    .find(|(_, own)| usize::from(*own) == number)
                    .map(|(register, _)| register)
            }
            Self::Base(all) => all.get(usize::from(base)),
            Self::Offset { low, registers } => {
                let number = (operand >> low) as usize / BYTES as usize % REGISTERS;
                registers.iter().find(|(_, own)| *own == number).map(|(register, _)| register)
            }
            Self::Row(rows) => {
                let row = (operand >> AmxVariant::ROW) as u8 & 63;
                let named = |(_, own): &&(RegisterId, u8)| *own == row;
                rows.iter().find(named).map(|(register, _)| register)
            }
        };
        found.copied()
    }

    /// The register for which nothing stands in the operand.
    fn zero(&self) -> RegisterId {
        let found = match self {
            Self::Offset { registers, .. } => registers.last().map(|(register, _)| register),
            Self::Row(rows) => rows.first().map(|(register, _)| register),
            Self::Moved(all) => all.last().map(|(register, _)| register),
            Self::Base(all) => all.first(),
        };
        found.copied().unwrap_or(RegisterId::NONE)
    }

    fn bits(&self, register: RegisterId) -> Option<u64> {
        match self {
            Self::Offset { low, registers } => {
                let (_, number) = registers.iter().find(|(own, _)| *own == register)?;
                Some((*number as u64 * BYTES) << low)
            }
            Self::Row(rows) => {
                let (_, row) = rows.iter().find(|(own, _)| *own == register)?;
                Some(u64::from(*row) << AmxVariant::ROW)
            }
            Self::Moved(all) => {
                let (_, number) = all.iter().find(|(own, _)| *own == register)?;
                Some(u64::from(*number) << MOVED)
            }
            Self::Base(all) => all.contains(&register).then_some(0),
        }
    }
}

/// A ring of registers.
#[derive(Debug, Clone, Copy)]
enum Ring {
    X,
    Y,
}

/// The unit's registers in an instruction set.
struct UnitRegisters<'s> {
    set: &'s mut InstructionSet,
    /// The unit of X0; those of X1 to X7, Y0 to Y7 and Z0 to Z63 follow.
    first: u32,
    /// By their units.
    known: BTreeMap<Vec<UnitId>, RegisterId>,
    /// By their registers.
    classes: BTreeMap<Vec<RegisterId>, ClassId>,
}

/// An operand before its opcode is there.
struct PlacedOperand {
    class: ClassId,
    place: OperandPlace,
    is_written: bool,
    tied_to: Option<usize>,
}

impl PlacedOperand {
    /// What is read and is no result's old contents.
    fn read(class: ClassId, place: OperandPlace) -> Self {
        Self { class, place, is_written: false, tied_to: None }
    }
}

impl<'s> UnitRegisters<'s> {
    fn new(set: &'s mut InstructionSet) -> Self {
        let units = set.registers.iter().flat_map(|register| &register.units);
        let first = units.map(|unit| unit.0 + 1).max().unwrap_or_default();
        let mut out = Self { set, first, known: BTreeMap::new(), classes: BTreeMap::new() };
        // Single ones first: names and sub-registers of the others are made of them.
        for number in 0..REGISTERS {
            out.register(format!("AMXX{number}"), out.units_of(Ring::X, number, 1));
        }
        for number in 0..REGISTERS {
            out.register(format!("AMXY{number}"), out.units_of(Ring::Y, number, 1));
        }
        for row in 0..BYTES {
            out.register(format!("AMXZ{row}"), out.units_of_rows(1 << row));
        }
        out
    }

    fn units_of(&self, ring: Ring, first: usize, count: usize) -> Vec<UnitId> {
        let base = self.first + if matches!(ring, Ring::X) { 0 } else { REGISTERS as u32 };
        let mut units: Vec<UnitId> =
            (0..count).map(|nth| UnitId(base + ((first + nth) % REGISTERS) as u32)).collect();
        units.sort_unstable();
        units
    }

    fn units_of_rows(&self, rows: u64) -> Vec<UnitId> {
        let base = self.first + 2 * REGISTERS as u32;
        let all = (0..64u32).filter(|row| rows >> row & 1 == 1);
        all.map(|row| UnitId(base + row)).collect()
    }

    /// Of each register the numbers of the single ones that it is made of.
    fn numbers(&self) -> BTreeMap<RegisterId, Vec<u32>> {
        let rings = 2 * REGISTERS as u32;
        let number = |unit: &UnitId| match unit.0 - self.first {
            of_ring if of_ring < rings => of_ring % REGISTERS as u32,
            row => row - rings,
        };
        let all = self.known.iter();
        all.map(|(units, &register)| (register, units.iter().map(number).collect())).collect()
    }

    /// The registers that are rows.
    fn all_rows(&self) -> BTreeSet<RegisterId> {
        let first = UnitId(self.first + 2 * REGISTERS as u32);
        let of_rows = self.known.iter().filter(|(units, _)| units.iter().all(|it| *it >= first));
        of_rows.map(|(_, &register)| register).collect()
    }

    fn register(&mut self, name: String, units: Vec<UnitId>) -> RegisterId {
        if let Some(&known) = self.known.get(&units) {
            return known;
        }
        let id = RegisterId(self.set.registers.len() as u32);
        let inside = |(other, _): &(&Vec<UnitId>, &RegisterId)| {
            other.iter().all(|unit| units.contains(unit))
        };
        let sub_registers = self.known.iter().filter(inside).map(|(_, &id)| id).collect();
        self.set.registers.push(Register { name, units: units.clone(), sub_registers });
        self.known.insert(units, id);
        id
    }

    fn class(&mut self, name: &str, registers: Vec<RegisterId>) -> ClassId {
        if let Some(&known) = self.classes.get(&registers) {
            return known;
        }
        let id = ClassId(self.set.classes.len() as u32);
        let units = registers.first().map_or(0, |&first| self.set.register(first).units.len());
        let class = RegisterClass {
            name: name.to_owned(),
            bits: 512 * units as u32,
            registers: registers.clone(),
        };
        self.set.classes.push(class);
        self.classes.insert(registers, id);
        id
    }

    /// So many neighbours of a ring.
    fn neighbours(&mut self, ring: Ring, count: u32, low: u32) -> (ClassId, OperandPlace) {
        let letter = if matches!(ring, Ring::X) { "X" } else { "Y" };
        let name = |first: usize| match count {
            1 => format!("AMX{letter}{first}"),
            _ => format!("AMX{letter}{first}x{count}"),
        };
        // The last one is what kernels take first: operands of 0 are easily read.
        let registers: Vec<(RegisterId, usize)> = (0..REGISTERS)
            .rev()
            .map(|first| {
                let units = self.units_of(ring, first, count as usize);
                (self.register(name(first), units), first)
            })
            .collect();
        let members = registers.iter().map(|(register, _)| *register).collect();
        let class = self.class(&format!("AMX{letter}{count}"), members);
        (class, OperandPlace::Offset { low, registers })
    }

    /// The sets of rows that a named instruction takes.
    fn rows(&mut self, variant: &AmxVariant, generation: AmxGeneration) -> (ClassId, OperandPlace) {
        let mut rows: Vec<(RegisterId, u8)> = Vec::new();
        let mut count = 0;
        for row in variant.rows() {
            let effects = variant.effects(row, generation);
            let taken = effects.z_read | effects.z_written;
            count = taken.count_ones();
            let register = self.register(format!("AMXZ{row}x{count}"), self.units_of_rows(taken));
            if rows.iter().all(|(known, _)| *known != register) {
                rows.push((register, row));
            }
        }
        // Farthest first: neighbours share a block, and kernels have no room for all.
        rows.sort_by_key(|(_, row)| row.reverse_bits());
        let registers = rows.iter().map(|(register, _)| *register).collect();
        (self.class(&format!("AMXZ{count}"), registers), OperandPlace::Row(rows))
    }

    fn form(
        &mut self,
        variant: &'static AmxVariant,
        generation: AmxGeneration,
    ) -> (InstructionForm, Vec<OperandPlace>) {
        let effects = variant.effects(0, generation);
        let bytes = effects.loaded + effects.stored;
        let (memory, operands) = match (bytes, effects.loaded) {
            (0, _) => (MemoryAccess::None, self.operands(variant, &effects, generation)),
            (_, 0) => (MemoryAccess::Store, self.of_transfer(variant, &effects, generation)),
            _ => (MemoryAccess::Load, self.of_transfer(variant, &effects, generation)),
        };
        let opcode = self.opcode(variant, &operands);
        let sample = operands.iter().map(|operand| OperandValue::Register(operand.place.zero()));
        let sample = Instruction { opcode, operands: sample.collect() };
        let form = InstructionForm {
            opcode,
            name: variant.name.to_owned(),
            mnemonic: variant.operation.mnemonic().to_owned(),
            sample,
            operands: operands.iter().map(PlacedOperand::of_form).collect(),
            implicit_uses: Vec::new(),
            implicit_defs: Vec::new(),
            unrelated: Vec::new(),
            memory,
            access_bits: u8::BITS * bytes as u32,
            access_eighths: 0,
            displacement: None,
            origin: AddressOrigin::Register,
            implied_bases: Vec::new(),
            spent: Vec::new(),
            group: EncodingGroup::COMMON,
            length: size_of::<u32>(),
            twin: None,
        };
        (form, operands.into_iter().map(|operand| operand.place).collect())
    }

    fn opcode(&mut self, variant: &AmxVariant, operands: &[PlacedOperand]) -> OpcodeId {
        let infos = operands.iter().map(|operand| OperandInfo {
            kind: OperandKind::Register(operand.class),
            tied_to: operand.tied_to,
            early_clobber: false,
        });
        let id = OpcodeId(self.set.opcodes.len() as u32);
        self.set.add(Opcode {
            name: variant.name.to_owned(),
            flags: OpcodeFlags::default(),
            operands: infos.collect(),
            definitions: operands.iter().filter(|operand| operand.is_written).count(),
            implicit_uses: Vec::new(),
            implicit_defs: Vec::new(),
        });
        id
    }

    /// What is loaded or stored, and the register with the address.
    fn of_transfer(
        &mut self,
        variant: &'static AmxVariant,
        effects: &Effects,
        generation: AmxGeneration,
    ) -> Vec<PlacedOperand> {
        let (letter, count) = match effects {
            Effects { x_read, x_written, .. } if x_read | x_written != 0 => ("X", REGISTERS),
            Effects { y_read, y_written, .. } if y_read | y_written != 0 => ("Y", REGISTERS),
            _ => ("Z", BYTES as usize),
        };
        let is_load = effects.loaded > 0;
        let mut moved: Vec<(RegisterId, u8)> = Vec::new();
        for number in (0..count as u8).rev() {
            let operand = variant.operand | u64::from(number) << MOVED;
            let own = Effects::of(variant.operation, operand, generation);
            let (x, y, rows) = (
                own.x_read | own.x_written,
                own.y_read | own.y_written,
                own.z_read | own.z_written,
            );
            let units = self.units_of_all(x, y, rows);
            let name = format!("AMX{letter}{number}of{}", variant.name);
            moved.push((self.register(name, units), number));
        }
        let registers = moved.iter().map(|(register, _)| *register).collect();
        let class = self.class(&format!("AMX{letter}of{}", variant.name), registers);
        let data = PlacedOperand {
            class,
            place: OperandPlace::Moved(moved),
            is_written: is_load,
            tied_to: None,
        };
        let (class, base) = self.bases();
        vec![data, PlacedOperand::read(class, base)]
    }

    /// Registers for addresses.
    fn bases(&self) -> (ClassId, OperandPlace) {
        let named = |number: usize| {
            let other = match number {
                29 => "FP",
                30 => "LR",
                _ => "",
            };
            let plain = self.set.register_by_name(&format!("X{number}"));
            plain.or_else(|| self.set.register_by_name(other)).unwrap_or(RegisterId::NONE)
        };
        let class = self.set.class_by_name("GPR64common").map(|(class, _)| class);
        (class.unwrap_or(ClassId(0)), OperandPlace::Base((0..=30).map(named).collect()))
    }

    /// The units of registers and rows, a bit each.
    fn units_of_all(&self, x: u8, y: u8, rows: u64) -> Vec<UnitId> {
        let ring = |ring: Ring, mask: u8| {
            let all = (0..REGISTERS).filter(move |number| mask >> number & 1 == 1);
            all.flat_map(move |number| self.units_of(ring, number, 1))
        };
        let rings = ring(Ring::X, x).chain(ring(Ring::Y, y));
        rings.chain(self.units_of_rows(rows)).collect()
    }

    /// What is written first, then what is read, as LLVM has it.
    fn operands(
        &mut self,
        variant: &'static AmxVariant,
        effects: &Effects,
        generation: AmxGeneration,
    ) -> Vec<PlacedOperand> {
        let is_copy = effects.z_read | effects.z_written == 0;
        let x_target = if is_copy { X_OFFSET } else { Y_OFFSET };
        let [x_source, y_source] = if is_copy { [SOURCE; 2] } else { [X_OFFSET, Y_OFFSET] };
        let written = [
            (effects.x_written != 0)
                .then(|| self.neighbours(Ring::X, effects.x_written.count_ones(), x_target)),
            (effects.y_written != 0)
                .then(|| self.neighbours(Ring::Y, effects.y_written.count_ones(), Y_OFFSET)),
            (effects.z_written != 0).then(|| self.rows(variant, generation)),
        ];
        let mut out: Vec<PlacedOperand> = written
            .into_iter()
            .flatten()
            .map(|(class, place)| PlacedOperand { class, place, is_written: true, tied_to: None })
            .collect();
        if effects.z_read != 0 {
            let (class, place) = self.rows(variant, generation);
            let tied_to = (effects.z_written != 0).then_some(0);
            out.push(PlacedOperand { class, place, is_written: false, tied_to });
        }
        for (ring, read, low) in [
            (Ring::X, effects.x_read & !effects.x_written, x_source),
            (Ring::Y, effects.y_read & !effects.y_written, y_source),
        ] {
            if read != 0 {
                let (class, place) = self.neighbours(ring, read.count_ones(), low);
                out.push(PlacedOperand::read(class, place));
            }
        }
        out
    }
}

impl PlacedOperand {
    fn of_form(&self) -> Operand {
        Operand {
            kind: Placeholder::Register(self.class),
            read: !self.is_written,
            write: self.is_written,
            tied_to: self.tied_to,
            early_clobber: false,
            address: matches!(self.place, OperandPlace::Base(_)).then_some(AddressPart::Base),
        }
    }
}
