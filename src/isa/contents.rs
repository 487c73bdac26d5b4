//! What operands hold, where forms are particular about it.

use crate::form::{InstructionForm, Site, Value};
use crate::metadata::{InstructionSet, RegisterId};

/// A class of values of a form's operands, on which its duration may depend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperandValues {
    /// What people call it.
    pub name: &'static str,
    /// Whether programs meet such values all the time, so that the form takes all that lies between
    /// these classes. Others are named beside it.
    pub usual: bool,
    /// Whether all instances of a throughput access one cell of memory: only there it lies as the
    /// class wants it.
    pub one_cell: bool,
}

impl OperandValues {
    /// Values that programs meet all the time.
    #[must_use]
    pub const fn usual(name: &'static str) -> Self {
        Self { name, usual: true, one_cell: false }
    }

    /// Values that are an exception.
    #[must_use]
    pub const fn unusual(name: &'static str) -> Self {
        Self { name, usual: false, one_cell: false }
    }

    /// The same where all instances access one cell.
    #[must_use]
    pub const fn in_one_cell(self) -> Self {
        Self { one_cell: true, ..self }
    }
}

/// A step that brings a value back to what a form needs without cutting a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restorer {
    /// LLVM name of a form with one result and two sources.
    pub form: &'static str,
    /// Which of its sources carries the chain, counted from the first.
    pub source: usize,
    /// What stands at the other one.
    pub other: Restored,
}

/// The other source of a [`Restorer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restored {
    /// Zero: the result is zero, too, but still waits for the chain (`and`).
    Zero,
    /// The value that the form needs, which becomes the result (`or` with zero, a sign put to
    /// a magnitude).
    Value,
}

/// What operands hold, where forms are particular about it.
pub trait OperandContents {
    /// A value that a site must hold lest the form fault or do something else than measured.
    fn required_value(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        site: Site,
    ) -> Option<Value>;

    /// For a form whose duration may depend on the values of its operands: classes of values, of
    /// which the first is what [`OperandContents::required_value`] gives. None where they cannot matter.
    fn value_classes(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
    ) -> &'static [OperandValues] {
        let _ = (set, form);
        &[]
    }

    /// What a site holds in a class of values, by its position in [`OperandContents::value_classes`], where that
    /// differs from what the first class wants there.
    fn value_of_class(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        site: Site,
        class: usize,
    ) -> Option<Value> {
        let _ = (set, form, site, class);
        None
    }

    /// Whether a core may treat a form specially that has one register at all operands: what
    /// subtracts a register from itself gives zero, and what moves it to itself does nothing.
    fn may_be_idiom(&self, form: &InstructionForm) -> bool {
        let _ = form;
        false
    }

    /// For a form whose duration depends on the value of a register that it reads: the steps
    /// (`and` with zero, `or` with the value) that bring the register back to a fixed value
    /// without cutting a chain. None where the duration does not depend on it.
    fn restorers(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        register: RegisterId,
    ) -> &'static [Restorer];
}
