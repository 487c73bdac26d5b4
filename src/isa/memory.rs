//! What accesses memory, and at which address.

use super::Restorer;
use crate::form::{
    AddressOrigin, AddressPart, InstructionForm, MemoryAccess, RegisterFile, Site, Value,
};
use crate::metadata::{InstructionSet, Opcode, RegisterId};

/// Bytes of a page of the region that every template has for kernels.
pub(super) const REGION_PAGE: u32 = 4096;

/// Bytes of that region: a page, and one more for accesses that cross the end of the first.
pub const REGION: u32 = 2 * REGION_PAGE;

/// Words of 64 bits that it is filled with: the first page and the widest access behind its end.
pub const FILLED_WORDS: u32 = (REGION_PAGE + 64) / 8;

/// A store and a load of so many bits that do nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainMove {
    /// Where the register comes from, and goes to.
    pub registers: RegisterFile,
    /// How many bits.
    pub bits: u32,
    /// LLVM's name of the store.
    pub store: &'static str,
    /// LLVM's name of the load.
    pub load: &'static str,
}

impl PlainMove {
    pub(super) const fn general(bits: u32, store: &'static str, load: &'static str) -> Self {
        Self { registers: RegisterFile::General, bits, store, load }
    }

    pub(super) const fn vector(bits: u32, store: &'static str, load: &'static str) -> Self {
        Self { registers: RegisterFile::Vector, bits, store, load }
    }

    /// Whether a form is the store or the load.
    #[must_use]
    pub fn is(&self, form: &InstructionForm) -> bool {
        [self.store, self.load].contains(&form.name.as_str())
    }
}

/// What accesses memory, and at which address.
pub trait MemoryOperands {
    /// Whether a register beside an access only says which of its elements take part.
    fn governs_accesses(&self, _set: &InstructionSet, _register: RegisterId) -> bool {
        false
    }

    /// What an opcode does to memory where LLVM's operand list does not say it: through
    /// registers it implies, or through an address that is listed like any register.
    /// `Some(None)` contradicts LLVM's operand list.
    fn implied_memory(&self, opcode: &Opcode) -> Option<MemoryAccess>;

    /// What an operand is to the address of the memory that an opcode accesses, if it is a part of
    /// one. An address that is only computed (`LEA`) has no parts.
    fn address_part(
        &self,
        set: &InstructionSet,
        opcode: &Opcode,
        operand: usize,
    ) -> Option<AddressPart> {
        let _ = (set, opcode, operand);
        None
    }

    /// The register that an opcode implies and that its operand list names nevertheless: `RSI` of `LODSB`,
    /// the zero register of `MADDXrrr@zero`.
    fn implied_register(
        &self,
        set: &InstructionSet,
        opcode: &Opcode,
        operand: usize,
    ) -> Option<RegisterId> {
        let _ = (set, opcode, operand);
        None
    }

    /// Bits of memory that an opcode accesses at its address, by how an instance is printed; 0 where
    /// that is not known.
    fn access_bits(&self, opcode: &Opcode, text: &str) -> u32 {
        let _ = (opcode, text);
        0
    }

    /// Eighths of a vector that an opcode accesses in one piece, at most a whole one, where the machine says
    /// how many bits those are; 0 of others.
    fn access_eighths(&self, set: &InstructionSet, opcode: &Opcode, text: &str) -> u32 {
        let _ = (set, opcode, text);
        0
    }

    /// Bytes that one in the operand of a displacement stands for, by how an instance is printed that
    /// has a one there; none where that depends on the machine (vectors of SVE).
    fn displacement_unit(&self, text: &str) -> Option<u32> {
        let _ = text;
        Some(1)
    }

    /// Assembly that fills the region which kernels may access, or low memory in its place, before registers
    /// get their values. It may use the registers that a function may change, but not the one in which the
    /// template's `winic_init` keeps its argument meanwhile.
    fn fill_region(&self, contents: Value, low: bool) -> Vec<String> {
        let _ = (contents, low);
        Vec::new()
    }

    /// What the address of an opcode is counted from, by how an instance is printed.
    fn address_origin(&self, set: &InstructionSet, opcode: &Opcode, text: &str) -> AddressOrigin {
        let _ = (set, opcode, text);
        AddressOrigin::Register
    }

    /// The steps that bring a register which is part of an address back to what it held, like
    /// [`OperandContents::restorers`](super::OperandContents::restorers).
    fn address_restorers(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        site: Site,
    ) -> &'static [Restorer] {
        let _ = (set, form, site);
        &[]
    }

    /// LLVM's name of the load that reserves the address which a form stores to only then, with the
    /// same base: `LDXRX` of `STXRX`.
    fn reserving(&self, form: &InstructionForm) -> Option<&'static str> {
        let _ = form;
        None
    }

    /// LLVM's names of the instructions that stand in front of each instance of a form, with its operands:
    /// `CPYP` of `CPYM`.
    fn leading(&self, form: &InstructionForm) -> &'static [&'static str] {
        let _ = form;
        &[]
    }

    /// Stores and loads of all widths, the narrowest first: those that reach bytes at any place.
    fn plain_moves(&self) -> &'static [PlainMove];

    /// Stores of all that loads load, besides those of [`MemoryOperands::plain_moves`]: LLVM's names, each
    /// behind its load's.
    fn copies(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// LLVM's name of what stores all that a load loads.
    fn store_of(&self, load: &str) -> Option<&'static str> {
        let plain = self.plain_moves().iter().find(|it| it.load == load).map(|it| it.store);
        plain.or_else(|| self.copies().iter().find(|(it, _)| *it == load).map(|(_, store)| *store))
    }
}
