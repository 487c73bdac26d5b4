//! x86-64.

use std::arch::asm;

/// `AUDIT_ARCH_X86_64` of `linux/audit.h`: little-endian, 64 bits, machine 62.
pub(in super::super) const AUDIT_ARCH: u32 = 0xc000_003e;

/// The time-stamp counter, read after everything before it has ended and before anything
/// after it has begun.
#[inline(always)]
pub(in super::super) fn time_stamp() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: reads a counter; every register it writes is declared.
    unsafe {
        asm!(
            "lfence",
            "rdtscp",
            "lfence",
            out("rax") low,
            out("rdx") high,
            out("rcx") _,
            options(nostack, preserves_flags),
        );
    }
    high << 32 | low
}

/// A hardware performance counter, raw, if user mode can read it on this architecture.
///
/// # Safety
/// The system must have permitted user mode to read this counter.
#[inline(always)]
pub(in super::super) unsafe fn performance_counter(index: u32) -> Option<u64> {
    let (low, high): (u64, u64);
    // SAFETY: the caller says that this does not fault; every register is declared.
    unsafe {
        asm!(
            "lfence",
            "rdpmc",
            "lfence",
            in("ecx") index,
            out("rax") low,
            out("rdx") high,
            options(nostack, preserves_flags),
        );
    }
    Some(high << 32 | low)
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
    // register that the callee preserves; all that it does not preserve is declared. A kernel
    // may have set the direction flag, which compiled code relies on being clear.
    unsafe {
        asm!(
            "mov r12, rsp",
            "mov rsp, {stack}",
            "call {function}",
            "mov rsp, r12",
            "cld",
            stack = in(reg) stack,
            function = in(reg) function,
            in("rdi") argument,
            out("r12") _,
            clobber_abi("sysv64"),
        );
    }
}
