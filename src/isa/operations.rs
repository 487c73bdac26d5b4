//! How much an instruction computes.

use crate::form::InstructionForm;
use crate::metadata::InstructionSet;

/// What an instruction computes, as peak rates count it: a fused multiplication and addition is two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operations {
    /// How many.
    pub count: u32,
    /// Whether they are of floating-point numbers.
    pub floating: bool,
}

impl Operations {
    pub(super) const fn floating(count: u32) -> Self {
        Self { count, floating: true }
    }

    pub(super) const fn integer(count: u32) -> Self {
        Self { count, floating: false }
    }

    /// The unit of rates of a thousand million a second.
    #[must_use]
    pub fn unit(self) -> &'static str {
        if self.floating { "GFLOPS" } else { "GOPS" }
    }
}

/// How much an instruction computes.
pub trait Computations {
    /// The operations of a form; none where that is not known, or where it moves, compares or converts.
    fn operations(&self, set: &InstructionSet, form: &InstructionForm) -> Option<Operations> {
        let _ = (set, form);
        None
    }
}
