//! Which registers kernels may use, and what passes from one instruction to another through them.

use crate::form::{InstructionForm, Part, Role, Site};
use crate::metadata::{Instruction, InstructionSet, RegisterId};

/// Whether kernels may use a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// It belongs to the system, the loop or the stack.
    Never,
    /// Every CPU of the architecture has it, or what goes with it.
    Always,
    /// Only CPUs with an extension have it (x86: R16 to R31, XMM16 to XMM31): it must have executed once.
    IfExecuted,
}

/// Which registers kernels may use, and what passes from one instruction to another through them.
pub trait Dependences {
    /// Whether kernels may use a register.
    fn availability(&self, register: &str) -> Availability;

    /// What a register that an instance of a form touches stands for in dependences; its
    /// units, where the ISA knows nothing finer.
    fn parts(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        instance: &Instruction,
        register: RegisterId,
        role: Role,
    ) -> Vec<Part>;

    /// The register whose rest stays when only `written`, a part of it, is written: the core
    /// merges the two, so that it waits for the old contents.
    fn merged(&self, set: &InstructionSet, written: RegisterId) -> Option<RegisterId>;

    /// Why no chain can go through what a form writes at a site (flags that the manual leaves
    /// undefined), if none can.
    fn unchainable(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        target: Site,
    ) -> Option<&'static str>;

    /// Whether a register at an operand needs an encoding of its own, which some cores execute
    /// more slowly, so that others are to be preferred.
    fn awkward(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        operand: usize,
        register: RegisterId,
    ) -> bool;

    /// The smallest latency that an edge can have: 0 where cores eliminate the form, else 1.
    fn least_latency(&self, form: &InstructionForm) -> f64;

    /// Whether there are cores that take longer for a form that writes a register which it reads,
    /// so that its chains are measured through one register and through several: in-order ones
    /// wait before they write a register again (CVA6 takes two cycles for `add a0, a0, a1` and one
    /// for `add a2, a0, a1`).
    fn may_stall_on_rewrite(&self, _set: &InstructionSet, _form: &InstructionForm) -> bool {
        false
    }
}
