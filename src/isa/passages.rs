//! Passages of code that show what a core does between instructions, as bytes: no form stands for what
//! branches.

/// Two neighbours that a core may take as one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdjacentPair {
    /// As people write it, the first in front.
    pub name: &'static str,
    /// What comes first.
    pub first: &'static [u8],
    /// What comes next. A branch is never taken, behind the first and behind none.
    pub second: &'static [u8],
}

impl AdjacentPair {
    /// A pair by its name, with the bytes of both.
    #[must_use]
    pub const fn new(name: &'static str, first: &'static [u8], second: &'static [u8]) -> Self {
        Self { name, first, second }
    }
}

/// A step of numbers that nobody can predict, with a branch on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomBranch {
    /// The step, up to what the branch asks about.
    pub step: &'static [u8],
    /// A branch to behind itself that is taken for half of all numbers.
    pub on_number: &'static [u8],
    /// The same where it is never taken.
    pub never: &'static [u8],
}

/// Passages of an ISA that has such.
pub trait Passages {
    /// Neighbours that some core takes as one.
    fn adjacent_pairs(&self) -> &'static [AdjacentPair] {
        &[]
    }

    /// What shows how long a wrong guess takes.
    fn random_branch(&self) -> Option<RandomBranch> {
        None
    }
}
