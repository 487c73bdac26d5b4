//! Generations of the unit: what a later one does, an earlier one ignores.

use std::str::FromStr;

/// The chip that a unit came with first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AmxGeneration {
    /// 2020.
    M1,
    /// Adds bf16, several vectors at once and loads of four registers.
    M2,
    /// Adds loads of registers that are not neighbours, and 8-bit with 16-bit outer products.
    M3,
    /// Aligns the offsets of instructions on several vectors.
    M4,
}

/// There is no generation of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no generation of AMX: choose m1, m2, m3 or m4")]
pub struct UnknownGeneration(pub String);

impl AmxGeneration {
    /// As the command line names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::M1 => "m1",
            Self::M2 => "m2",
            Self::M3 => "m3",
            Self::M4 => "m4",
        }
    }
}

impl FromStr for AmxGeneration {
    type Err = UnknownGeneration;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_lowercase().as_str() {
            "m1" => Ok(Self::M1),
            "m2" => Ok(Self::M2),
            "m3" => Ok(Self::M3),
            "m4" => Ok(Self::M4),
            _ => Err(UnknownGeneration(text.to_owned())),
        }
    }
}
