//! Instruction forms of named instructions: their registers, and the operand of an instance.
//!
//! LLVM has neither opcodes nor registers for the unit, so both are added to its tables: X and Y by
//! register or by neighbours that are read together (`AMXX6x2` is X6 and X7), Z by the sets of rows
//! that one instruction writes (`AMXZ1x16` are 16 rows, the first of them row 1). Registers overlap where
//! they have rows in common, as LLVM's own do.

use std::collections::BTreeMap;

use super::{AmxGeneration, AmxOperation, AmxVariant, AmxWord, Effects, OperandFields, variants};
use crate::form::{EncodingGroup, InstructionForm, MemoryAccess, Operand, Placeholder};
use crate::metadata::{
    ClassId, Instruction, InstructionSet, Opcode, OpcodeFlags, OpcodeId, OperandInfo, OperandKind,
    OperandValue, Register, RegisterClass, RegisterId, UnitId,
};

/// Instances that kernels tell apart by rows of Z: as many as have room for their operands in general
/// registers, and no fewer than any instruction needs to be at its fastest.
const MOST_ROWS: usize = 16;
/// Registers of X, and of Y.
const REGISTERS: usize = 8;
/// Bytes of a register.
const BYTES: u64 = 64;
/// Where operands have bytes into X, and into Y; extractions from Z have their target's where Y's are,
const X_OFFSET: u32 = 10;
const Y_OFFSET: u32 = 0;
/// and copies between X and Y have the number of their source above the byte within it.
const SOURCE: u32 = 14;

/// The forms of a generation of the unit.
pub struct AmxForms {
    generation: AmxGeneration,
    forms: BTreeMap<OpcodeId, AmxForm>,
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
}

/// An instance of a form, as a word that names the register with its operand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmxInstance {
    /// What is done.
    pub operation: AmxOperation,
    /// What the register must hold.
    pub operand: u64,
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
        let mut out = Self { generation, forms: BTreeMap::new() };
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
        (out, forms)
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
        let mut operand = form.variant.operand;
        for (place, value) in form.places.iter().zip(&instruction.operands) {
            let OperandValue::Register(register) = *value else { return None };
            operand |= place.bits(register)?;
        }
        Some(AmxInstance { operation: form.variant.operation, operand })
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
    let effects = variant.effects(0, generation);
    let accesses_memory = effects.loaded + effects.stored > 0;
    accesses_memory.then_some("its operand holds an address")
}

impl OperandPlace {
    /// The register for which nothing stands in the operand.
    fn zero(&self) -> RegisterId {
        let found = match self {
            Self::Offset { registers, .. } => registers.last().map(|(register, _)| register),
            Self::Row(rows) => rows.first().map(|(register, _)| register),
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
            if rows.len() < MOST_ROWS && rows.iter().all(|(known, _)| *known != register) {
                rows.push((register, row));
            }
        }
        let registers = rows.iter().map(|(register, _)| *register).collect();
        (self.class(&format!("AMXZ{count}"), registers), OperandPlace::Row(rows))
    }

    fn form(
        &mut self,
        variant: &'static AmxVariant,
        generation: AmxGeneration,
    ) -> (InstructionForm, Vec<OperandPlace>) {
        let effects = variant.effects(0, generation);
        let operands = self.operands(variant, &effects, generation);
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
            memory: MemoryAccess::None,
            access_bits: 0,
            displacement: None,
            is_region_relative: false,
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
                out.push(PlacedOperand { class, place, is_written: false, tied_to: None });
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
            address: None,
        }
    }
}
