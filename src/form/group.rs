//! Which instructions may stand in one kernel.

use crate::metadata::VectorConfiguration;

/// A group of instructions that should not be mixed with others in one kernel. Only the ISA knows
/// what its groups are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct EncodingGroup(GroupKind);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
enum GroupKind {
    /// What goes with everything.
    #[default]
    Common,
    /// By the ISA's own number.
    Numbered(u8),
    /// Instructions under a vector configuration, which the setup of a kernel establishes.
    Configured(VectorConfiguration),
}

impl EncodingGroup {
    /// Instructions that go with all others.
    pub const COMMON: Self = Self(GroupKind::Common);

    /// A group by the number that an ISA gives it.
    #[must_use]
    pub const fn numbered(number: u8) -> Self {
        Self(GroupKind::Numbered(number))
    }

    /// Instructions under a vector configuration, masked or not.
    #[must_use]
    pub fn under(configuration: VectorConfiguration) -> Self {
        Self(GroupKind::Configured(configuration.unmasked()))
    }

    /// The vector configuration that its instructions are under.
    #[must_use]
    pub fn configuration(self) -> Option<VectorConfiguration> {
        match self.0 {
            GroupKind::Configured(configuration) => Some(configuration),
            GroupKind::Common | GroupKind::Numbered(_) => None,
        }
    }

    /// The group of a kernel that has instructions of both, if they may stand in one.
    #[must_use]
    pub fn with(self, other: Self) -> Option<Self> {
        match (self.0, other.0) {
            (GroupKind::Common, _) => Some(other),
            (_, GroupKind::Common) => Some(self),
            _ => (self == other).then_some(self),
        }
    }
}
