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
