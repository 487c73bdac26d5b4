//! AArch64.

use std::arch::{asm, naked_asm};
use std::mem::offset_of;

use super::super::breach;
use super::{KEPT, Kept};

/// `AUDIT_ARCH_AARCH64` of `linux/audit.h`: little-endian, 64 bits, machine 183.
#[cfg(target_os = "linux")]
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
#[cfg(target_os = "linux")]
#[inline(always)]
pub(in super::super) unsafe fn performance_counter(_index: u32) -> Option<u64> {
    None
}

/// Calls `function(argument)` with the stack pointer at `stack`, and returns whatever the function
/// did to registers. What it broke is in [`KEPT`].
///
/// # Safety
/// `function` must be code that may be called with this argument, and `stack` a 16-byte aligned
/// place with stack enough below it. The process must have one thread.
#[inline(always)]
pub(in super::super) unsafe fn call_on(
    stack: *mut u8,
    function: unsafe extern "C" fn(u64),
    argument: u64,
) {
    // SAFETY: the caller answers for the function and the stack.
    unsafe { call_kept(stack, function, argument) };
}

/// The page of a symbol, and the place within it, as assemblers for ELF write them.
#[cfg(not(target_os = "macos"))]
macro_rules! place {
    (page) => {
        "adrp x9, {kept}"
    };
    (rest) => {
        "add x9, x9, :lo12:{kept}"
    };
}

/// The same for Mach-O.
#[cfg(target_os = "macos")]
macro_rules! place {
    (page) => {
        "adrp x9, {kept}@PAGE"
    };
    (rest) => {
        "add x9, x9, {kept}@PAGEOFF"
    };
}

#[unsafe(naked)]
unsafe extern "C" fn call_kept(stack: *mut u8, function: unsafe extern "C" fn(u64), argument: u64) {
    naked_asm!(
        "stp x29, x30, [sp, #-160]!",
        "stp x19, x20, [sp, #16]",
        "stp x21, x22, [sp, #32]",
        "stp x23, x24, [sp, #48]",
        "stp x25, x26, [sp, #64]",
        "stp x27, x28, [sp, #80]",
        "stp d8, d9, [sp, #96]",
        "stp d10, d11, [sp, #112]",
        "stp d12, d13, [sp, #128]",
        "stp d14, d15, [sp, #144]",
        place!(page),
        place!(rest),
        "mov x10, sp",
        "str x10, [x9, {stack}]",
        "str x0, [x9, {start}]",
        "mov sp, x0",
        "mov x0, x2",
        "blr x1",
        place!(page),
        place!(rest),
        "ldr x10, [x9, {stack}]",
        "ldr x11, [x9, {start}]",
        "mov x12, sp",
        "mov sp, x10",
        "cmp x12, x11",
        "mov w13, {STACK}",
        "csel w13, w13, wzr, ne",
        // What differs from its saved value, of all registers together.
        "ldr x10, [sp]",
        "eor x14, x29, x10",
        "ldp x10, x11, [sp, #16]",
        "eor x10, x10, x19",
        "eor x11, x11, x20",
        "orr x14, x14, x10",
        "orr x14, x14, x11",
        "ldp x10, x11, [sp, #32]",
        "eor x10, x10, x21",
        "eor x11, x11, x22",
        "orr x14, x14, x10",
        "orr x14, x14, x11",
        "ldp x10, x11, [sp, #48]",
        "eor x10, x10, x23",
        "eor x11, x11, x24",
        "orr x14, x14, x10",
        "orr x14, x14, x11",
        "ldp x10, x11, [sp, #64]",
        "eor x10, x10, x25",
        "eor x11, x11, x26",
        "orr x14, x14, x10",
        "orr x14, x14, x11",
        "ldp x10, x11, [sp, #80]",
        "eor x10, x10, x27",
        "eor x11, x11, x28",
        "orr x14, x14, x10",
        "orr x14, x14, x11",
        "ldp x10, x11, [sp, #96]",
        "fmov x15, d8",
        "fmov x16, d9",
        "eor x10, x10, x15",
        "eor x11, x11, x16",
        "orr x14, x14, x10",
        "orr x14, x14, x11",
        "ldp x10, x11, [sp, #112]",
        "fmov x15, d10",
        "fmov x16, d11",
        "eor x10, x10, x15",
        "eor x11, x11, x16",
        "orr x14, x14, x10",
        "orr x14, x14, x11",
        "ldp x10, x11, [sp, #128]",
        "fmov x15, d12",
        "fmov x16, d13",
        "eor x10, x10, x15",
        "eor x11, x11, x16",
        "orr x14, x14, x10",
        "orr x14, x14, x11",
        "ldp x10, x11, [sp, #144]",
        "fmov x15, d14",
        "fmov x16, d15",
        "eor x10, x10, x15",
        "eor x11, x11, x16",
        "orr x14, x14, x10",
        "orr x14, x14, x11",
        "cbz x14, 2f",
        "orr w13, w13, {REGISTERS}",
        "2:",
        "ldr w10, [x9, {breaches}]",
        "orr w10, w10, w13",
        "str w10, [x9, {breaches}]",
        "ldp d8, d9, [sp, #96]",
        "ldp d10, d11, [sp, #112]",
        "ldp d12, d13, [sp, #128]",
        "ldp d14, d15, [sp, #144]",
        "ldp x19, x20, [sp, #16]",
        "ldp x21, x22, [sp, #32]",
        "ldp x23, x24, [sp, #48]",
        "ldp x25, x26, [sp, #64]",
        "ldp x27, x28, [sp, #80]",
        "ldp x29, x30, [sp], #160",
        "ret",
        kept = sym KEPT,
        stack = const offset_of!(Kept, stack),
        start = const offset_of!(Kept, start),
        breaches = const offset_of!(Kept, breaches),
        STACK = const breach::STACK,
        REGISTERS = const breach::REGISTERS,
    );
}

/// Asks the system for what only those may use who ask: nothing here.
pub(in super::super) fn ask_for_states() {}

/// State beyond registers that calls must leave as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Context {
    /// FPCR: rounding, flushing, and which exceptions trap.
    floating_point: u64,
    /// TPIDR_EL0.
    thread: u64,
}

impl Context {
    /// As it is now.
    pub(in super::super) fn read() -> Self {
        let (floating_point, thread);
        // SAFETY: reads registers.
        unsafe {
            asm!(
                "mrs {}, fpcr", "mrs {}, tpidr_el0",
                out(reg) floating_point, out(reg) thread,
                options(nomem, nostack, preserves_flags),
            );
        }
        Self { floating_point, thread }
    }

    /// What was broken from one context to another, see [`breach`].
    pub(in super::super) fn breaches_to(self, later: Self) -> u32 {
        let changed = |has_changed: bool, breach| if has_changed { breach } else { 0 };
        changed(self.floating_point != later.floating_point, breach::FLOATING_POINT)
            | changed(self.thread != later.thread, breach::THREAD)
    }
}
