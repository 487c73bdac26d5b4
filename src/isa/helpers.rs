//! Forms that stand beside others: what leads back, what breaks dependences, what keeps the machine sane.

use crate::form::InstructionForm;
use crate::metadata::{InstructionSet, RegisterId};

/// Instructions that must stand beside every instance to keep the machine state sane
/// (an x87 push without a pop overflows the register stack).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Companions {
    /// LLVM names of what precedes each instance.
    pub before: Vec<&'static str>,
    /// LLVM names of what follows each instance.
    pub after: Vec<&'static str>,
}

/// Two forms that together write a register which no form writes without reading it: the top of a
/// stack. The first pushes a register that nothing changes; the second puts that where the old top
/// is now, and pops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakingPair {
    /// LLVM name of the form that pushes.
    pub push: &'static str,
    /// LLVM name of the form that pops; its operand is what it writes.
    pub pop: &'static str,
    /// What the old top is called once something has been pushed.
    pub below: &'static str,
}

/// Forms that stand beside others: what leads back, what breaks dependences, what keeps the machine sane.
pub trait HelperForms {
    /// Whether a form may lead other forms' results back; not so where it does more than move
    /// a value (an access to a system register may drain the pipeline).
    fn may_help(&self, _form: &InstructionForm) -> bool {
        true
    }

    /// LLVM names of forms that write a register without reading anything that changes, best first.
    fn breakers(&self, set: &InstructionSet, register: RegisterId) -> &'static [&'static str];

    /// What breaks the dependence through a register that has no [`HelperForms::breakers`], if two
    /// instructions do. Chains have room for them; in a body for throughput there would be more of
    /// them than of what is measured.
    fn breaking_pair(&self, set: &InstructionSet, register: RegisterId) -> Option<BreakingPair> {
        let _ = (set, register);
        None
    }

    /// What must accompany a form.
    fn companions(&self, form: &InstructionForm) -> Companions;
}
