//! Addresses of memory, as operands name them.

/// What an operand is to the address `base + index * scale + displacement`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AddressPart {
    /// A register that holds an address.
    Base,
    /// A register, or a vector of them, that is added to the base.
    Index,
    /// What the index is multiplied by.
    Scale,
    /// A number that is added.
    Displacement,
    /// x86: a register whose own base is added.
    Segment,
}

/// What addresses are counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AddressOrigin {
    /// A register that holds a whole address, or one in each of its lanes of 64 bits.
    #[default]
    Register,
    /// A register, or lanes of one, with 32 bits of an address: it reaches low memory alone.
    HalfRegister,
    /// Where the instruction stands: no register is waited for.
    Instruction,
    /// Nothing: the instruction says the whole address.
    Zero,
}

impl AddressOrigin {
    /// Whether a register holds the base.
    #[must_use]
    pub fn is_register(self) -> bool {
        matches!(self, Self::Register | Self::HalfRegister)
    }

    /// Whether addresses have too few bits to reach wherever a program's memory is, or must be known
    /// before the program is loaded.
    #[must_use]
    pub fn is_low(self) -> bool {
        matches!(self, Self::HalfRegister | Self::Zero)
    }
}

/// The number that an address adds to its base, as an encoding has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Displacement {
    /// LLVM's index of the operand.
    pub operand: usize,
    /// Bytes that one in the operand stands for: AArch64 counts most displacements in accesses.
    pub unit: u32,
    /// Up to here every multiple of [`Displacement::GRAIN`] bytes can be added.
    pub reach: u32,
    /// Bytes that are added at distance zero: where the addressing mode has a displacement in any case,
    /// or nothing but that.
    pub least: i64,
}

impl Displacement {
    /// Bytes between the places that kernels tell apart by displacements: the widest unit that an
    /// encoding counts in.
    pub const GRAIN: u32 = 16;

    /// What stands in the operand where so many bytes are added to distance zero, if they can be.
    #[must_use]
    pub fn of_bytes(self, bytes: u32) -> Option<i64> {
        let fits = bytes <= self.reach && bytes.is_multiple_of(self.unit);
        fits.then(|| (i64::from(bytes) + self.least) / i64::from(self.unit))
    }
}
