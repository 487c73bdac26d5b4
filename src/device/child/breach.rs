//! What a function's caller may rely on by the calling convention, and a kernel broke: found when
//! the kernel has returned. What it computed since then is not to be trusted, so each is a fault.

use crate::device::Fault;

/// A callee-saved register has another value.
pub(super) const REGISTERS: u32 = 1;
/// The stack pointer is elsewhere.
pub(super) const STACK: u32 = 2;
/// A flag is set that compiled code relies on being clear.
pub(super) const FLAGS: u32 = 4;
/// Rounding, exceptions or the register stack of floating-point units.
pub(super) const FLOATING_POINT: u32 = 8;
/// The thread pointer, or a register that says where memory is.
pub(super) const THREAD: u32 = 16;

/// Names of breaches, the one that explains most first.
const FAULTS: [(u32, Fault); 5] = [
    (STACK, Fault::ClobberedStackPointer),
    (REGISTERS, Fault::ClobberedRegister),
    (FLAGS, Fault::DirtyFlags),
    (FLOATING_POINT, Fault::DirtyFloatingPoint),
    (THREAD, Fault::ClobberedThreadPointer),
];

/// The fault of a kernel with these breaches, a bit each.
pub(super) fn fault(breaches: u32) -> Option<Fault> {
    FAULTS.into_iter().find(|(breach, _)| breaches & breach != 0).map(|(_, fault)| fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_breach_is_named_and_of_several_the_gravest() {
        assert_eq!(fault(0), None);
        for (breach, named) in FAULTS {
            assert_eq!(fault(breach), Some(named));
        }
        assert_eq!(fault(u32::MAX), Some(Fault::ClobberedStackPointer));
        assert_eq!(fault(FLAGS | REGISTERS), Some(Fault::ClobberedRegister));
    }
}
