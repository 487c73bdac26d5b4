//! Forms by which others are timed, of an ISA that has such.

/// Forms by which others are timed, of an ISA that has such.
pub trait TimingForms {
    /// LLVM name of a form without operands that all before it must have completed for, and behind
    /// which nothing is dispatched until it has completed itself, if the architecture has one.
    fn dispatch_barrier(&self) -> Option<&'static str> {
        None
    }

    /// LLVM names of forms that take one cycle from their first source and have their results from
    /// and for everything that the resource has, without delay, for each resource in which chains can
    /// be timed from barrier to barrier. (Only those are used that turn out to take one cycle.)
    fn single_cycle_forms(&self) -> &'static [&'static str] {
        &[]
    }

    /// LLVM names of forms that need nothing but a place in the front end and at most a unit that
    /// all have many of, of an ISA with cores on which fillers need more than that.
    fn simplest_forms(&self) -> &'static [&'static str] {
        &[]
    }

    /// LLVM names of forms without memory whose results come long after they began, and of which most cores
    /// begin several meanwhile, the slowest first.
    fn slow_forms(&self) -> &'static [&'static str] {
        &[]
    }
}
