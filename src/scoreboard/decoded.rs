//! Instructions of a loop as a scoreboard is told of them: names, what they read and write, and
//! nothing that belongs to one architecture.

use crate::form::{NamedSite, Part};

/// One instruction of a loop.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decoded {
    /// The opcode's name, with its configuration or addressing mode: `MOV64rm@index`.
    pub name: String,
    /// The same without.
    pub base: String,
    /// What it reads.
    pub inputs: Vec<DecodedSite>,
    /// What it writes.
    pub outputs: Vec<DecodedSite>,
    /// Inputs and outputs, by their positions, that have nothing to do with each other.
    pub unrelated: Vec<(usize, usize)>,
    /// Bytes that it reads from memory, if it does; 0 where it is not known how many.
    pub loaded: Option<u32>,
    /// Bytes that it writes to memory, likewise.
    pub stored: Option<u32>,
    /// The numbers of the registers that it names and writes.
    pub destinations: Vec<u32>,
    /// The numbers of the registers that it names and only reads, those of its address apart.
    pub sources: Vec<u32>,
    /// Whether all before it must have finished, and all behind it wait for it.
    pub serializes: bool,
    /// Whether it is a branch, which a machine's default says nothing about.
    pub branches: bool,
}

/// A place where an instruction reads or writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedSite {
    /// Which: an operand by LLVM's index and without its class, or a register that is implied.
    pub site: NamedSite,
    /// The pieces of machine state there.
    pub parts: Vec<Part>,
}
