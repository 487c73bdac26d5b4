//! The files that registers belong to.

use serde::{Deserialize, Serialize};

/// A file of registers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum RegisterFile {
    /// That of addresses and integers.
    #[default]
    General,
    /// That of vectors and floating-point numbers.
    Vector,
}

impl RegisterFile {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::General, Self::Vector];

    /// As databases call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Vector => "vector",
        }
    }
}
