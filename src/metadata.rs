//! What LLVM knows about an instruction set, as plain data: nothing here calls LLVM.

mod array;
mod repeated;

pub use array::ArraySelection;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::{Deserialize, Serialize};

/// Index of an opcode in LLVM's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OpcodeId(pub u32);

/// A physical register in LLVM's numbering; 0 is "no register".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RegisterId(pub u32);

impl RegisterId {
    /// LLVM's "no register": an absent index, segment or mask.
    pub const NONE: Self = Self(0);
}

/// A register class in LLVM's numbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClassId(pub u32);

/// The smallest piece of register file that registers can have in common: two
/// registers overlap exactly when they share a unit (`AL` and `RAX` do, `AL` and `AH` do not).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UnitId(pub u32);

/// Everything LLVM says about one instruction set.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InstructionSet {
    /// Architecture as in LLVM triples: `x86_64`, `aarch64`, `riscv64`.
    pub architecture: String,
    /// LLVM's name of the CPU that was asked for.
    pub cpu: String,
    /// Release of LLVM that said all this.
    pub llvm_version: String,
    /// Opcodes, indexed by [`OpcodeId`].
    pub opcodes: Vec<Opcode>,
    /// Registers, indexed by [`RegisterId`]; number 0 is a placeholder.
    pub registers: Vec<Register>,
    /// Register classes, indexed by [`ClassId`].
    pub classes: Vec<RegisterClass>,
    /// Opcodes by their LLVM names.
    #[serde(skip)]
    names: HashMap<String, OpcodeId>,
    /// Opcodes that stand for LLVM's under a circumstance.
    #[serde(default)]
    configured: BTreeMap<OpcodeId, Configured>,
}

/// What the vector unit is set to while an instruction executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct VectorConfiguration {
    /// Width of an element (RISC-V: SEW).
    pub element_bits: u32,
    /// Registers in a group, as a power of two: -1 is half a register (RISC-V: LMUL).
    pub group: i8,
    /// Whether a mask says which elements are computed.
    pub masked: bool,
}

impl VectorConfiguration {
    /// The same for instructions without a mask.
    #[must_use]
    pub fn unmasked(self) -> Self {
        Self { masked: false, ..self }
    }
}

/// As assemblers write it, in one word: `e32m2`, `e8mf4`, `e32m1m` under a mask.
impl fmt::Display for VectorConfiguration {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fraction = if self.group < 0 { "f" } else { "" };
        let mask = if self.masked { "m" } else { "" };
        write!(out, "e{}m{fraction}{}{mask}", self.element_bits, 1 << self.group.unsigned_abs())
    }
}

/// Of which parts an instance makes an address, where that is more than a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Addressing {
    /// `[rax - 8]`.
    Displacement,
    /// `[rax + rcx]`.
    Index,
    /// `[rax + rcx * 8]`.
    ScaledIndex,
    /// `[rax + rcx * 8 - 8]`.
    ScaledIndexDisplacement,
    /// `[rip + 8]`.
    InstructionPointer,
    /// `[0x60000000]`.
    Absolute,
}

impl Addressing {
    /// All modes.
    pub const ALL: [Self; 6] = [
        Self::Displacement,
        Self::Index,
        Self::ScaledIndex,
        Self::ScaledIndexDisplacement,
        Self::InstructionPointer,
        Self::Absolute,
    ];

    /// The address as a sum.
    #[must_use]
    pub fn sum(self) -> &'static str {
        match self {
            Self::Displacement => "base + displacement",
            Self::Index => "base + index",
            Self::ScaledIndex => "base + index * 8",
            Self::ScaledIndexDisplacement => "base + index * 8 + displacement",
            Self::InstructionPointer => "instruction pointer + displacement",
            Self::Absolute => "displacement",
        }
    }

    /// Whether an index is added.
    #[must_use]
    pub fn has_index(self) -> bool {
        matches!(self, Self::Index | Self::ScaledIndex | Self::ScaledIndexDisplacement)
    }

    /// What the index is multiplied by.
    #[must_use]
    pub fn scale(self) -> i64 {
        if matches!(self, Self::ScaledIndex | Self::ScaledIndexDisplacement) { 8 } else { 1 }
    }

    /// Whether a number is added to a base.
    #[must_use]
    pub fn has_displacement(self) -> bool {
        matches!(self, Self::Displacement | Self::ScaledIndexDisplacement)
    }
}

/// In one word, as in names of opcodes: `MOV64rm@scaled-index`.
impl fmt::Display for Addressing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Displacement => "displacement",
            Self::Index => "index",
            Self::ScaledIndex => "scaled-index",
            Self::ScaledIndexDisplacement => "scaled-index-displacement",
            Self::InstructionPointer => "instruction-pointer",
            Self::Absolute => "absolute",
        })
    }
}

/// What is special about an opcode that stands for LLVM's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Special {
    /// What the vector unit is set to.
    Vector(VectorConfiguration),
    /// Of which parts its address is made.
    Address(Addressing),
    /// Which vectors of an array it names.
    Selection(ArraySelection),
    /// At which operand the register stands that is always zero.
    Zero(usize),
    /// At which operand the register stands that LLVM's opcode names at the next one, too.
    Repeated(usize),
}

/// An opcode that stands for one of LLVM's under a circumstance.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Configured {
    special: Special,
    /// LLVM's opcode.
    base: OpcodeId,
    /// LLVM's operands, which know nothing of groups.
    operands: Vec<OperandInfo>,
}

/// One opcode.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Opcode {
    /// LLVM's name: `VADDPDrr`.
    pub name: String,
    /// Properties.
    pub flags: OpcodeFlags,
    /// Explicit operands; the definitions come first.
    pub operands: Vec<OperandInfo>,
    /// How many of the leading operands are definitions.
    pub definitions: usize,
    /// Registers read without being named.
    pub implicit_uses: Vec<RegisterId>,
    /// Registers written without being named.
    pub implicit_defs: Vec<RegisterId>,
}

/// Properties of an opcode that LLVM states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OpcodeFlags {
    /// Has no encoding: expands into others.
    pub pseudo: bool,
    /// May read memory.
    pub may_load: bool,
    /// May write memory.
    pub may_store: bool,
    /// Branch, call, return, barrier or other end of a basic block.
    pub control_flow: bool,
    /// Takes a variable number of operands.
    pub variadic: bool,
}

/// One explicit operand as LLVM's tables describe it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperandInfo {
    /// What stands there.
    pub kind: OperandKind,
    /// The definition that this use must equal, if it is tied.
    pub tied_to: Option<usize>,
    /// Written before the last operand is read, so it must differ from all uses.
    pub early_clobber: bool,
}

/// What may stand at an operand's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum OperandKind {
    /// A register of a class.
    Register(ClassId),
    /// A part of a memory operand: a register of a class, where it is one, else a displacement or scale.
    Memory(Option<ClassId>),
    /// A number, not further described.
    Immediate,
    /// The distance to a branch target.
    BranchTarget,
    /// A target-specific kind (condition, rounding control, ...), counted from LLVM's first.
    Target(u32),
}

/// One physical register.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Register {
    /// LLVM's name: `RAX`.
    pub name: String,
    /// Its units.
    pub units: Vec<UnitId>,
    /// Registers inside it, itself not included.
    pub sub_registers: Vec<RegisterId>,
}

/// A set of interchangeable registers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RegisterClass {
    /// LLVM's name: `GR64`.
    pub name: String,
    /// Width of its registers in bits; 0 where LLVM leaves it open.
    pub bits: u32,
    /// Its registers, in LLVM's order.
    pub registers: Vec<RegisterId>,
}

/// A machine instruction: an opcode with values for all its operands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Instruction {
    /// Which.
    pub opcode: OpcodeId,
    /// One value for each operand that LLVM lists, in its order.
    pub operands: Vec<OperandValue>,
}

/// The value of one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OperandValue {
    /// A register.
    Register(RegisterId),
    /// A number.
    Immediate(i64),
}

impl InstructionSet {
    /// Puts the tables together.
    #[must_use]
    pub fn new(
        architecture: String,
        cpu: String,
        llvm_version: String,
        opcodes: Vec<Opcode>,
        registers: Vec<Register>,
        classes: Vec<RegisterClass>,
    ) -> Self {
        let names = opcodes
            .iter()
            .enumerate()
            .map(|(index, opcode)| (opcode.name.clone(), OpcodeId(index as u32)))
            .collect();
        let configured = BTreeMap::new();
        Self { architecture, cpu, llvm_version, opcodes, registers, classes, names, configured }
    }

    /// Puts an opcode under vector configurations, each with the operands that it has there.
    /// The first becomes the opcode's own; each other is an opcode of its own, named
    /// `VADD_VV@e32m2`. Without any the opcode stays as it is.
    ///
    /// # Panics
    /// When the id is of another instruction set.
    pub fn configure(
        &mut self,
        base: OpcodeId,
        configurations: impl IntoIterator<Item = (VectorConfiguration, Vec<OperandInfo>)>,
    ) {
        let own = self.opcode(base).clone();
        for (number, (configuration, operands)) in configurations.into_iter().enumerate() {
            let id = if number == 0 { base } else { OpcodeId(self.opcodes.len() as u32) };
            let special = Special::Vector(configuration);
            let operands_of_llvm = own.operands.clone();
            self.configured.insert(id, Configured { special, base, operands: operands_of_llvm });
            if number == 0 {
                self.opcodes[base.0 as usize].operands = operands;
                continue;
            }
            let name = format!("{}@{configuration}", own.name);
            self.add(Opcode { name, operands, ..own.clone() });
        }
    }

    /// Adds an opcode for an addressing mode of another one, named `MOV64rm@index`.
    ///
    /// # Panics
    /// When the id is of another instruction set.
    pub fn address(&mut self, base: OpcodeId, addressing: Addressing) {
        self.add_special(base, Special::Address(addressing), &addressing.to_string());
    }

    /// Adds an opcode for another one with the zero register at an operand, named `MADDXrrr@zero`.
    ///
    /// # Panics
    /// When the id is of another instruction set.
    pub fn zero(&mut self, base: OpcodeId, operand: usize) {
        self.add_special(base, Special::Zero(operand), "zero");
    }

    fn add_special(&mut self, base: OpcodeId, special: Special, name: &str) -> OpcodeId {
        let own = self.opcode(base).clone();
        let id = OpcodeId(self.opcodes.len() as u32);
        self.configured.insert(id, Configured { special, base, operands: own.operands.clone() });
        self.add(Opcode { name: format!("{}@{name}", own.name), ..own });
        id
    }

    /// Adds an opcode behind those that are there.
    pub fn add(&mut self, opcode: Opcode) {
        self.names.insert(opcode.name.clone(), OpcodeId(self.opcodes.len() as u32));
        self.opcodes.push(opcode);
    }

    /// The configuration of an opcode, if it is under one.
    #[must_use]
    pub fn configuration(&self, id: OpcodeId) -> Option<VectorConfiguration> {
        match self.configured.get(&id)?.special {
            Special::Vector(configuration) => Some(configuration),
            _ => None,
        }
    }

    /// Of which parts the address of an opcode is made, if that is more than a base.
    #[must_use]
    pub fn addressing(&self, id: OpcodeId) -> Option<Addressing> {
        match self.configured.get(&id)?.special {
            Special::Address(addressing) => Some(addressing),
            _ => None,
        }
    }

    /// The operand of an opcode at which the zero register stands, if that makes it an opcode of its own.
    #[must_use]
    pub fn zero_operand(&self, id: OpcodeId) -> Option<usize> {
        match self.configured.get(&id)?.special {
            Special::Zero(operand) => Some(operand),
            _ => None,
        }
    }

    /// The opcode of LLVM's that an opcode is, whatever its configuration.
    #[must_use]
    pub fn base(&self, id: OpcodeId) -> OpcodeId {
        self.configured.get(&id).map_or(id, |configured| configured.base)
    }

    /// The opcode of that LLVM name under a configuration, or without one.
    #[must_use]
    pub fn by_name_under(
        &self,
        name: &str,
        configuration: Option<VectorConfiguration>,
    ) -> Option<OpcodeId> {
        let base = self.by_name(name)?;
        let Some(wanted) = configuration else { return Some(base) };
        if self.configuration(base).is_none_or(|own| own == wanted) {
            return Some(base);
        }
        self.by_name(&format!("{name}@{wanted}"))
    }

    /// An instruction as LLVM takes it: without configuration, with the register that a group begins
    /// with in its place, and with all registers that it names more than once.
    #[must_use]
    pub fn encodable<'a>(&self, instruction: &'a Instruction) -> Cow<'a, Instruction> {
        let Some(configured) = self.configured.get(&instruction.opcode) else {
            return Cow::Borrowed(instruction);
        };
        let operands = match &configured.special {
            Special::Selection(selection) => selection.encodable(instruction),
            Special::Repeated(operand) => repeated::encodable(instruction, *operand),
            Special::Vector(_) | Special::Address(_) | Special::Zero(_) => {
                self.with_first_members(&configured.operands, &instruction.operands)
            }
        };
        Cow::Owned(Instruction { opcode: configured.base, operands })
    }

    /// Operands with the register that a group begins with in its place.
    fn with_first_members(
        &self,
        infos: &[OperandInfo],
        operands: &[OperandValue],
    ) -> Vec<OperandValue> {
        let first = |(info, &value): (&OperandInfo, &OperandValue)| match (info.kind, value) {
            (OperandKind::Register(class), OperandValue::Register(register)) => {
                OperandValue::Register(self.first_in(class, register))
            }
            _ => value,
        };
        infos.iter().zip(operands).map(first).collect()
    }

    /// Operands as an opcode has them here, of those that LLVM decodes.
    #[must_use]
    pub fn listed(&self, id: OpcodeId, operands: &[OperandValue]) -> Vec<OperandValue> {
        match self.configured.get(&id).map(|configured| &configured.special) {
            Some(Special::Selection(selection)) => selection.named(operands),
            Some(Special::Repeated(operand)) => repeated::listed(operands, *operand),
            _ => operands.to_vec(),
        }
    }

    /// The member of a class that begins where a register does.
    fn first_in(&self, class: ClassId, register: RegisterId) -> RegisterId {
        let members = &self.class(class).registers;
        let units = &self.register(register).units;
        if units.is_empty() || members.contains(&register) {
            return register;
        }
        let begins_there =
            |member: &&RegisterId| self.register(**member).units.first() == units.first();
        members.iter().find(begins_there).copied().unwrap_or(register)
    }

    /// The opcode of an id.
    ///
    /// # Panics
    /// When the id is of another instruction set.
    #[must_use]
    pub fn opcode(&self, id: OpcodeId) -> &Opcode {
        &self.opcodes[id.0 as usize]
    }

    /// The register of an id.
    ///
    /// # Panics
    /// When the id is of another instruction set.
    #[must_use]
    pub fn register(&self, id: RegisterId) -> &Register {
        &self.registers[id.0 as usize]
    }

    /// The class of an id.
    ///
    /// # Panics
    /// When the id is of another instruction set.
    #[must_use]
    pub fn class(&self, id: ClassId) -> &RegisterClass {
        &self.classes[id.0 as usize]
    }

    /// The opcode of that LLVM name.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<OpcodeId> {
        self.names.get(name).copied()
    }

    /// Changes when opcodes or registers get other numbers, whatever LLVM's release says.
    #[must_use]
    pub fn fingerprint(&self) -> u32 {
        let opcodes = self.opcodes.iter().map(|opcode| &opcode.name);
        let registers = self.registers.iter().map(|register| &register.name);
        let mut hasher = crc32fast::Hasher::new();
        for name in opcodes.chain(registers) {
            hasher.update(name.as_bytes());
            hasher.update(b"\n");
        }
        hasher.finalize()
    }

    /// The register of that LLVM name.
    #[must_use]
    pub fn register_by_name(&self, name: &str) -> Option<RegisterId> {
        self.registers
            .iter()
            .position(|register| register.name == name)
            .map(|at| RegisterId(at as u32))
    }

    /// The register class of that LLVM name.
    #[must_use]
    pub fn class_by_name(&self, name: &str) -> Option<(ClassId, &RegisterClass)> {
        (0..).map(ClassId).zip(&self.classes).find(|(_, class)| class.name == name)
    }

    /// Whether two registers have a unit in common.
    #[must_use]
    pub fn overlap(&self, a: RegisterId, b: RegisterId) -> bool {
        self.register(a).units.iter().any(|unit| self.register(b).units.contains(unit))
    }
}
