//! Which instructions may stand in one kernel.

use crate::metadata::VectorConfiguration;

/// Groups of instructions that should not be mixed in one kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum EncodingGroup {
    /// No vector state is involved, or there is only one group.
    #[default]
    Common,
    /// Encodings that leave the upper parts of vector registers as they are.
    Legacy,
    /// Encodings that write whole vector registers.
    Extended,
    /// Instructions under a vector configuration, which the setup of a kernel establishes.
    Configured(VectorConfiguration),
}

impl EncodingGroup {
    /// The group of a kernel that has instructions of both, if they may stand in one.
    #[must_use]
    pub fn with(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Common, group) | (group, Self::Common) => Some(group),
            (group, other) => (group == other).then_some(group),
        }
    }
}
