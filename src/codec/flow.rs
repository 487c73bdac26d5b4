//! Where control goes from an instruction.

use super::CodeError;

/// An instruction as the flow of control sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowStep {
    /// Its bytes.
    pub length: usize,
    /// What it does.
    pub control: Control,
}

/// Where the flow of control goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// To the next instruction.
    Next,
    /// Perhaps to an address, which the instruction may not tell.
    Branch(Option<u64>),
    /// To a function, and back.
    Call(Option<u64>),
    /// Back from a function.
    Return,
}

/// Says where control goes, so that loops can be found in machine code.
pub trait FlowReader {
    /// The first instruction of some code that stands at an address.
    ///
    /// # Errors
    /// When the bytes are no instruction.
    fn step(&self, code: &[u8], address: u64) -> Result<FlowStep, CodeError>;
}
