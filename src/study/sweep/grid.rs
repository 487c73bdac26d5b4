//! The points that sweeps visit, where the user says so.

use serde::{Deserialize, Serialize};

/// What was asked for of a sweep's grid; what is left open has its usual extent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Grid {
    /// The most accumulators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accumulators: Option<u32>,
    /// The operand whose registers take turns, as databases count operands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operand: Option<usize>,
    /// The state that is entered and left, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The most instructions between entering and leaving it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<u32>,
}

impl Grid {
    /// With everything left open.
    pub const USUAL: &'static Self =
        &Self { accumulators: None, operand: None, state: None, instructions: None };

    /// Whether it leaves everything open.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}
