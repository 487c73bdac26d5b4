//! States that programs enter and leave by instructions.

/// A state of the machine, with what enters and leaves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    /// What people call it, or what enters it.
    pub name: &'static str,
    /// What enters the state, in order; at least one instruction.
    pub enter: &'static [Step],
    /// What leaves it, in order; nothing where what stands in it leaves it by itself.
    pub leave: &'static [Step],
}

/// An instruction: LLVM's name of its form, and immediates other than the headline's.
pub type Step = (&'static str, &'static [(usize, i64)]);

/// States that programs enter and leave by instructions.
pub trait Transitions {
    /// Those of the architecture; one whose forms do not execute is not there.
    fn transitions(&self) -> &'static [Transition];
}
