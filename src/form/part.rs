//! What instructions pass to each other.

use crate::metadata::UnitId;

/// A piece of machine state that one instruction can pass to another: a register unit, or
/// something finer that an ISA tells apart (single flags).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A unit of a register.
    Unit(UnitId),
    /// A flag, by the ISA's number for it.
    Flag(u8),
    /// A cell of the region, by where it begins.
    Cell(u32),
}

/// Whether a site is looked at as something read or something written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The instruction reads it.
    Use,
    /// The instruction writes it.
    Def,
    /// The instruction leaves something there that no manual defines (x86: `AF` after `AND`):
    /// no chain may go through it, but it may be waited for like anything written.
    Undefined,
}
