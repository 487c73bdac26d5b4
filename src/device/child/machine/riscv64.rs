//! RISC-V, 64 bits.

use std::arch::asm;

/// `AUDIT_ARCH_RISCV64` of `linux/audit.h`: little-endian, 64 bits, machine 243.
pub(in super::super) const AUDIT_ARCH: u32 = 0xc000_00f3;

/// The `time` register, read after all memory accesses before it.
#[inline(always)]
pub(in super::super) fn time_stamp() -> u64 {
    let ticks: u64;
    // SAFETY: reads a counter; the register it writes is declared.
    unsafe {
        asm!("fence", "rdtime {}", "fence", out(reg) ticks, options(nostack, preserves_flags));
    }
    ticks
}

/// A hardware performance counter, raw, if user mode can read it on this architecture: here
/// the number of the register is part of the instruction, so the system call is used instead.
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
            "mv s2, sp",
            "mv sp, {stack}",
            "jalr {function}",
            "mv sp, s2",
            stack = in(reg) stack,
            function = in(reg) function,
            in("a0") argument,
            out("s2") _,
            clobber_abi("C"),
        );
    }
}
