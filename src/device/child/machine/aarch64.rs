//! AArch64.

use std::arch::asm;

/// `AUDIT_ARCH_AARCH64` of `linux/audit.h`: little-endian, 64 bits, machine 183.
pub(in super::super) const AUDIT_ARCH: u32 = 0xc000_00b7;

/// The virtual counter of the generic timer, read in order with its surroundings.
#[inline(always)]
pub(in super::super) fn time_stamp() -> u64 {
    let ticks: u64;
    // SAFETY: reads a counter; the register it writes is declared.
    unsafe {
        asm!("isb", "mrs {}, cntvct_el0", "isb", out(reg) ticks, options(nostack, preserves_flags));
    }
    ticks
}

/// A hardware performance counter, raw, if user mode can read it on this architecture: here
/// a system setting must open it first, so the system call is used instead.
///
/// # Safety
/// None is needed: nothing is read.
#[inline(always)]
pub(in super::super) unsafe fn performance_counter(_index: u32) -> Option<u64> {
    None
}

/// Calls `function(argument)` with the stack pointer at `stack`.
///
/// # Safety
/// `function` must be code with the C calling convention that may be called with this argument,
/// and `stack` a 16-byte aligned place with stack enough below it.
#[inline(always)]
pub(in super::super) unsafe fn call_on(
    stack: *mut u8,
    function: unsafe extern "C" fn(u64),
    argument: u64,
) {
    // SAFETY: the caller answers for the function and the stack. The stack pointer waits in a
    // register that the callee preserves; all that it does not preserve is declared.
    unsafe {
        asm!(
            "mov x20, sp",
            "mov sp, {stack}",
            "blr {function}",
            "mov sp, x20",
            stack = in(reg) stack,
            function = in(reg) function,
            in("x0") argument,
            out("x20") _,
            clobber_abi("C"),
        );
    }
}
