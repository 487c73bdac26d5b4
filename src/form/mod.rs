//! Instruction forms: what can be measured, and the edges whose latencies are asked for.

mod address;
mod group;
mod named;
mod part;
mod register_file;
mod spent;
mod value;

pub use address::{AddressOrigin, AddressPart, Displacement};
pub use group::EncodingGroup;
pub use named::{NamedEdge, NamedSite};
pub use part::{Part, Role};
pub use register_file::RegisterFile;
pub use spent::{ImpliedBase, Spent};
pub use value::Value;

use serde::{Deserialize, Serialize};

use crate::metadata::{
    ClassId, Instruction, InstructionSet, OpcodeId, OperandKind, OperandValue, RegisterId,
};

/// One way of using an opcode: its operands with their roles, and what it touches unnamed.
#[derive(Debug, Clone)]
pub struct InstructionForm {
    /// The opcode.
    pub opcode: OpcodeId,
    /// LLVM's name of the opcode.
    pub name: String,
    /// The mnemonic that assemblers know.
    pub mnemonic: String,
    /// A complete instance of it that encodes and decodes; immediates are the headline's.
    pub sample: Instruction,
    /// Explicit operands, in LLVM's order.
    pub operands: Vec<Operand>,
    /// Registers read without being named, after the ISA's corrections.
    pub implicit_uses: Vec<RegisterId>,
    /// Registers written without being named, after the ISA's corrections.
    pub implicit_defs: Vec<RegisterId>,
    /// Uses and definitions that have nothing to do with each other (of the registers that `XCHG`
    /// swaps, neither depends on itself): there is no edge between them.
    pub unrelated: Vec<(Site, Site)>,
    /// What it does to memory.
    pub memory: MemoryAccess,
    /// Bits that it accesses there; 0 where that is not known, or not one number.
    pub access_bits: u32,
    /// Eighths of a vector that it accesses in one piece, where the machine says how many bits those are; 0
    /// of others, and of more than a vector, which need not fit into a line.
    pub access_eighths: u32,
    /// What its address adds to the base, if that is a number of its own.
    pub displacement: Option<Displacement>,
    /// What its address is counted from. Of those that are counted from where the instruction stands
    /// kernels count displacements from where the region begins.
    pub origin: AddressOrigin,
    /// Registers that it reads unnamed and that hold addresses.
    pub implied_bases: Vec<ImpliedBase>,
    /// What an instance leaves otherwise than the next one needs it.
    pub spent: Vec<Spent>,
    /// The group of vector encodings that it belongs to.
    pub group: EncodingGroup,
    /// Bytes of the sample's encoding.
    pub length: usize,
    /// For an alias, the opcode that its bytes decode to.
    pub twin: Option<OpcodeId>,
}

/// An explicit operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// What stands there.
    pub kind: Placeholder,
    /// The instruction reads it.
    pub read: bool,
    /// The instruction writes it.
    pub write: bool,
    /// The definition that must be the same register.
    pub tied_to: Option<usize>,
    /// Written before everything is read: it must not overlap a register that is only read.
    pub early_clobber: bool,
    /// What it is to the address of the memory that the form accesses, if it belongs to that.
    pub address: Option<AddressPart>,
}

/// What an operand of a form is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placeholder {
    /// Any register of a class.
    Register(ClassId),
    /// A number that the form fixes.
    Immediate(i64),
    /// No register: an absent segment or index.
    Absent(ClassId),
    /// The one register that can stand there, and that belongs to the system or the stack.
    Fixed(OperandValue),
    /// A part of a memory operand that no other register or number can stand for: the pointer of
    /// a string instruction.
    Memory,
}

/// What a form does to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MemoryAccess {
    /// Nothing: registers only.
    None,
    /// Reads it.
    Load,
    /// Writes it.
    Store,
    /// Reads and writes it.
    Both,
}

/// Where a form reads or writes a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Site {
    /// An explicit operand, by LLVM's index.
    Operand(usize),
    /// A register that the instruction touches unnamed.
    Implicit(RegisterId),
    /// The memory at its address.
    Memory,
}

/// A latency to be known: from a register read to a register written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Edge {
    /// Of which form.
    pub opcode: OpcodeId,
    /// What is read.
    pub source: Site,
    /// What is written.
    pub target: Site,
}

impl InstructionForm {
    /// What LLVM calls the registers of an explicit operand, of which [`InstructionForm::class_of`]
    /// has those that the encoding can name.
    #[must_use]
    pub fn named_class(&self, operand: usize, set: &InstructionSet) -> Option<ClassId> {
        let own = self.class_of(operand)?;
        match set.opcode(self.opcode).operands[operand].kind {
            OperandKind::Register(class) => Some(class),
            _ => Some(own),
        }
    }

    /// The registers of an explicit operand.
    #[must_use]
    pub fn class_of(&self, operand: usize) -> Option<ClassId> {
        match self.operands[operand].kind {
            Placeholder::Register(class) => Some(class),
            _ => None,
        }
    }

    /// The written operands that are registers, each with the registers that it may be.
    pub fn results(&self) -> impl Iterator<Item = (usize, ClassId)> {
        let written = self.operands.iter().enumerate().filter(|(_, operand)| operand.write);
        written.filter_map(|(index, _)| Some((index, self.class_of(index)?)))
    }

    /// The registers of a site that is an explicit operand.
    #[must_use]
    pub fn class_at(&self, site: Site) -> Option<ClassId> {
        match site {
            Site::Operand(index) => self.class_of(index),
            Site::Implicit(_) | Site::Memory => None,
        }
    }

    /// What a site is to the address of the memory that the form accesses, if it is a part.
    #[must_use]
    pub fn address_part(&self, site: Site) -> Option<AddressPart> {
        match site {
            Site::Operand(index) => self.operands[index].address,
            Site::Implicit(register) => self.implied_base(register).map(|_| AddressPart::Base),
            Site::Memory => None,
        }
    }

    /// What a register that it reads unnamed is to the memory that it accesses, if it holds an address.
    #[must_use]
    pub fn implied_base(&self, register: RegisterId) -> Option<&ImpliedBase> {
        self.implied_bases.iter().find(|base| base.register == register)
    }

    /// How many instances may follow each other until a use must be filled again, if it is spent.
    #[must_use]
    pub fn lasts(&self, site: Site) -> Option<u32> {
        self.spent.iter().find(|spent| spent.site == site).map(|spent| spent.lasts)
    }

    /// The operands that instances spend.
    pub fn spent_operands(&self) -> impl Iterator<Item = usize> + '_ {
        self.spent.iter().filter_map(|spent| match spent.site {
            Site::Operand(operand) => Some(operand),
            Site::Implicit(_) | Site::Memory => None,
        })
    }

    /// How many instances may follow each other until registers that they touch unnamed must be filled
    /// again; nothing if they spend none.
    #[must_use]
    pub fn unnamed_lasts(&self) -> Option<u32> {
        let unnamed = self.spent.iter().filter(|spent| matches!(spent.site, Site::Implicit(_)));
        unnamed.map(|spent| spent.lasts).min()
    }

    /// The operand that is that part of the address.
    #[must_use]
    pub fn operand_of(&self, part: AddressPart) -> Option<usize> {
        self.operands.iter().position(|operand| operand.address == Some(part))
    }

    /// The part of an address that a register holds before the form is executed: what it writes back
    /// (`ldr x0, [x1, #0]!`) is the part that it read.
    #[must_use]
    pub fn part_held(&self, operand: usize) -> Option<AddressPart> {
        let reader = self.operands.iter().find(|other| other.tied_to == Some(operand));
        self.operands[operand].address.or_else(|| reader?.address)
    }

    /// Whether it writes to memory.
    #[must_use]
    pub fn stores(&self) -> bool {
        matches!(self.memory, MemoryAccess::Store | MemoryAccess::Both)
    }

    /// Whether it reads memory.
    #[must_use]
    pub fn loads(&self) -> bool {
        matches!(self.memory, MemoryAccess::Load | MemoryAccess::Both)
    }

    /// Whether it accesses a cell that kernels can put where they want: its base says where, or a number.
    #[must_use]
    pub fn has_cell(&self) -> bool {
        let is_somewhere =
            self.operand_of(AddressPart::Base).is_some() || self.origin == AddressOrigin::Zero;
        (self.access_bits > 0 || self.access_eighths > 0) && is_somewhere
    }

    /// Whether the latency from its cell is asked for: where it also writes it, and where it does
    /// nothing but load. (What computes with a loaded operand waits for it as its twin with a
    /// register does, once it is loaded.)
    fn reads_cell(&self) -> bool {
        let has_other = || {
            let mut operands = self.operands.iter().filter(|operand| operand.address.is_none());
            operands.any(|operand| operand.read && matches!(operand.kind, Placeholder::Register(_)))
                || !self.implicit_uses.is_empty()
        };
        match self.memory {
            MemoryAccess::Both => self.has_cell(),
            MemoryAccess::Load => self.has_cell() && !has_other(),
            MemoryAccess::Store | MemoryAccess::None => false,
        }
    }

    fn writes_cell(&self) -> bool {
        self.stores() && self.has_cell()
    }

    /// Everything that it reads, explicit operands first, its cell last.
    pub fn uses(&self) -> impl Iterator<Item = Site> + '_ {
        let memory = self.reads_cell().then_some(Site::Memory);
        self.register_operands(|operand| operand.read)
            .chain(self.implicit_uses.iter().map(|&register| Site::Implicit(register)))
            .chain(memory)
    }

    /// Everything that it writes, explicit operands first, its cell last.
    pub fn defs(&self) -> impl Iterator<Item = Site> + '_ {
        let memory = self.writes_cell().then_some(Site::Memory);
        self.register_operands(|operand| operand.write)
            .chain(self.implicit_defs.iter().map(|&register| Site::Implicit(register)))
            .chain(memory)
    }

    fn register_operands(&self, role: fn(&Operand) -> bool) -> impl Iterator<Item = Site> + '_ {
        self.operands
            .iter()
            .enumerate()
            .filter(move |(_, operand)| {
                matches!(operand.kind, Placeholder::Register(_)) && role(operand)
            })
            .map(|(index, _)| Site::Operand(index))
    }

    /// All edges: every use to every definition that can depend on it.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        // What is written waits for its address, but who reads it waits for that just as long.
        let is_where =
            move |source, target| target == Site::Memory && self.address_part(source).is_some();
        self.uses().flat_map(move |source| {
            self.defs()
                .filter(move |&target| !self.unrelated.contains(&(source, target)))
                .filter(move |&target| !is_where(source, target))
                .map(move |target| Edge { opcode: self.opcode, source, target })
        })
    }

    /// The definition that a use is tied to.
    #[must_use]
    pub fn tied(&self, site: Site) -> Option<usize> {
        match site {
            Site::Operand(index) => {
                let operand = &self.operands[index];
                operand.tied_to.or_else(|| (operand.read && operand.write).then_some(index))
            }
            Site::Implicit(_) | Site::Memory => None,
        }
    }

    /// Whether a use is tied to that definition: both are one register.
    #[must_use]
    pub fn ties(&self, source: Site, target: Site) -> bool {
        self.tied(source).map(Site::Operand) == Some(target)
    }

    /// The instruction with other registers: `assign` gives one for each register operand.
    ///
    /// # Errors
    /// Whatever `assign` gives.
    pub fn instantiate<E>(
        &self,
        mut assign: impl FnMut(usize, ClassId) -> Result<RegisterId, E>,
    ) -> Result<Instruction, E> {
        let operands = self
            .operands
            .iter()
            .enumerate()
            .map(|(index, operand)| match operand.kind {
                Placeholder::Register(class) => assign(index, class).map(OperandValue::Register),
                Placeholder::Immediate(value) => Ok(OperandValue::Immediate(value)),
                Placeholder::Absent(_) => Ok(OperandValue::Register(RegisterId::NONE)),
                Placeholder::Fixed(value) => Ok(value),
                Placeholder::Memory => Ok(self.sample.operands[index]),
            })
            .collect::<Result<_, E>>()?;
        Ok(Instruction { opcode: self.opcode, operands })
    }

    /// Whether an instance writes over a register before it has read it.
    #[must_use]
    pub fn clobbers_itself(&self, instance: &Instruction, set: &InstructionSet) -> bool {
        let register = |index: usize| self.register_at(Site::Operand(index), instance);
        let early = (0..self.operands.len()).filter(|&index| self.operands[index].early_clobber);
        early.filter_map(|index| Some((index, register(index)?))).any(|(index, result)| {
            (0..self.operands.len())
                .filter(|&other| other != index && self.operands[other].tied_to != Some(index))
                .filter_map(register)
                .any(|other| set.overlap(other, result))
        })
    }

    /// Whether an instance reads a register at two of its operands, or parts of one.
    #[must_use]
    pub fn reads_twice(&self, instance: &Instruction, set: &InstructionSet) -> bool {
        let read = (0..self.operands.len()).filter(|&index| self.operands[index].read);
        let read = read.filter_map(|index| self.register_at(Site::Operand(index), instance));
        let read: Vec<RegisterId> = read.filter(|&register| register != RegisterId::NONE).collect();
        let meets = |(at, &register)| read[..at].iter().any(|&other| set.overlap(other, register));
        read.iter().enumerate().any(meets)
    }

    /// The registers that an instance names or implies.
    #[must_use]
    pub fn touched(&self, instance: &Instruction) -> Vec<RegisterId> {
        let sites = self.uses().chain(self.defs());
        sites.filter_map(|site| self.register_at(site, instance)).collect()
    }

    /// The register at a site of an instance.
    #[must_use]
    pub fn register_at(&self, site: Site, instance: &Instruction) -> Option<RegisterId> {
        match site {
            Site::Memory => None,
            Site::Implicit(register) => Some(register),
            Site::Operand(index) => match instance.operands[index] {
                OperandValue::Register(register) => Some(register),
                OperandValue::Immediate(_) => None,
            },
        }
    }
}

impl Site {
    /// The site in LLVM's names.
    #[must_use]
    pub fn named(self, form: &InstructionForm, set: &InstructionSet) -> NamedSite {
        match self {
            Self::Implicit(register) => NamedSite::Implicit(set.register(register).name.clone()),
            Self::Memory => NamedSite::Memory,
            Self::Operand(index) => {
                let class = form.named_class(index, set);
                let class = class.map(|class| set.class(class).name.clone());
                NamedSite::Operand { index, class }
            }
        }
    }
}

impl Edge {
    /// The edge in LLVM's names.
    #[must_use]
    pub fn named(self, form: &InstructionForm, set: &InstructionSet) -> NamedEdge {
        NamedEdge {
            form: form.name.clone(),
            source: self.source.named(form, set),
            target: self.target.named(form, set),
        }
    }
}
