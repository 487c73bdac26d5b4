use std::fmt;

/// Under what a variant of a value holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Circumstance {
    /// All operands are one register.
    OneRegister,
    /// The operand that is tied to a result, of which an edge is faster if that operand is new, is
    /// old.
    OldDestination,
    /// What was written to memory is read at the same address, named by the same registers and
    /// displacement: cores that rename memory find it without accessing that.
    SameAddress,
    /// All instances access one place in memory.
    OneCell,
    /// Another instruction computed the source of an edge that is faster chained into itself. (Cores of Arm
    /// read an addend late if a multiply-add computed it: the notes on late forwarding to the tables of their
    /// Software Optimization Guides.)
    OtherProducer,
    /// Operands have these values: a class of values or an immediate, as the instruction set
    /// calls it.
    Values(String),
}

/// Circumstances that have nothing to tell them apart.
const PLAIN: [Circumstance; 5] = [
    Circumstance::OneRegister,
    Circumstance::OldDestination,
    Circumstance::SameAddress,
    Circumstance::OneCell,
    Circumstance::OtherProducer,
];

impl fmt::Display for Circumstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OneRegister => "one register at all operands",
            Self::OldDestination => "the operand that is written over is older",
            Self::SameAddress => "memory is read at the address that it was written at",
            Self::OneCell => "all instances access one memory cell",
            Self::OtherProducer => "another instruction computed the operand",
            Self::Values(name) => name,
        })
    }
}

impl From<String> for Circumstance {
    fn from(text: String) -> Self {
        let plain = PLAIN.into_iter().find(|plain| plain.to_string() == text);
        plain.unwrap_or(Self::Values(text))
    }
}
