//! RISC-V, 64 bits.

use std::arch::{asm, naked_asm};
use std::mem::offset_of;

use super::super::breach;
use super::{KEPT, Kept};

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

#[unsafe(naked)]
unsafe extern "C" fn call_kept(stack: *mut u8, function: unsafe extern "C" fn(u64), argument: u64) {
    naked_asm!(
        ".option push",
        // Naked functions forget the target's features.
        ".option arch, +d",
        // Addresses relative to GP would be lost with it.
        ".option norelax",
        "addi sp, sp, -224",
        "sd ra, 0(sp)",
        "sd s0, 8(sp)",
        "sd s1, 16(sp)",
        "sd s2, 24(sp)",
        "sd s3, 32(sp)",
        "sd s4, 40(sp)",
        "sd s5, 48(sp)",
        "sd s6, 56(sp)",
        "sd s7, 64(sp)",
        "sd s8, 72(sp)",
        "sd s9, 80(sp)",
        "sd s10, 88(sp)",
        "sd s11, 96(sp)",
        "sd gp, 104(sp)",
        "sd tp, 112(sp)",
        "fsd fs0, 120(sp)",
        "fsd fs1, 128(sp)",
        "fsd fs2, 136(sp)",
        "fsd fs3, 144(sp)",
        "fsd fs4, 152(sp)",
        "fsd fs5, 160(sp)",
        "fsd fs6, 168(sp)",
        "fsd fs7, 176(sp)",
        "fsd fs8, 184(sp)",
        "fsd fs9, 192(sp)",
        "fsd fs10, 200(sp)",
        "fsd fs11, 208(sp)",
        "lla t0, {kept}",
        "sd sp, {stack}(t0)",
        "sd a0, {start}(t0)",
        "mv sp, a0",
        "mv a0, a2",
        "jalr a1",
        "lla t0, {kept}",
        "ld t1, {start}(t0)",
        "li t2, 0",
        "beq sp, t1, 2f",
        "li t2, {STACK}",
        "2:",
        "ld sp, {stack}(t0)",
        // What differs from its saved value, of all registers together.
        "li t3, 0",
        "ld t1, 8(sp)",
        "xor t1, t1, s0",
        "or t3, t3, t1",
        "ld t1, 16(sp)",
        "xor t1, t1, s1",
        "or t3, t3, t1",
        "ld t1, 24(sp)",
        "xor t1, t1, s2",
        "or t3, t3, t1",
        "ld t1, 32(sp)",
        "xor t1, t1, s3",
        "or t3, t3, t1",
        "ld t1, 40(sp)",
        "xor t1, t1, s4",
        "or t3, t3, t1",
        "ld t1, 48(sp)",
        "xor t1, t1, s5",
        "or t3, t3, t1",
        "ld t1, 56(sp)",
        "xor t1, t1, s6",
        "or t3, t3, t1",
        "ld t1, 64(sp)",
        "xor t1, t1, s7",
        "or t3, t3, t1",
        "ld t1, 72(sp)",
        "xor t1, t1, s8",
        "or t3, t3, t1",
        "ld t1, 80(sp)",
        "xor t1, t1, s9",
        "or t3, t3, t1",
        "ld t1, 88(sp)",
        "xor t1, t1, s10",
        "or t3, t3, t1",
        "ld t1, 96(sp)",
        "xor t1, t1, s11",
        "or t3, t3, t1",
        "ld t1, 120(sp)",
        "fmv.x.d t4, fs0",
        "xor t1, t1, t4",
        "or t3, t3, t1",
        "ld t1, 128(sp)",
        "fmv.x.d t4, fs1",
        "xor t1, t1, t4",
        "or t3, t3, t1",
        "ld t1, 136(sp)",
        "fmv.x.d t4, fs2",
        "xor t1, t1, t4",
        "or t3, t3, t1",
        "ld t1, 144(sp)",
        "fmv.x.d t4, fs3",
        "xor t1, t1, t4",
        "or t3, t3, t1",
        "ld t1, 152(sp)",
        "fmv.x.d t4, fs4",
        "xor t1, t1, t4",
        "or t3, t3, t1",
        "ld t1, 160(sp)",
        "fmv.x.d t4, fs5",
        "xor t1, t1, t4",
        "or t3, t3, t1",
        "ld t1, 168(sp)",
        "fmv.x.d t4, fs6",
        "xor t1, t1, t4",
        "or t3, t3, t1",
        "ld t1, 176(sp)",
        "fmv.x.d t4, fs7",
        "xor t1, t1, t4",
        "or t3, t3, t1",
        "ld t1, 184(sp)",
        "fmv.x.d t4, fs8",
        "xor t1, t1, t4",
        "or t3, t3, t1",
        "ld t1, 192(sp)",
        "fmv.x.d t4, fs9",
        "xor t1, t1, t4",
        "or t3, t3, t1",
        "ld t1, 200(sp)",
        "fmv.x.d t4, fs10",
        "xor t1, t1, t4",
        "or t3, t3, t1",
        "ld t1, 208(sp)",
        "fmv.x.d t4, fs11",
        "xor t1, t1, t4",
        "or t3, t3, t1",
        "beqz t3, 3f",
        "ori t2, t2, {REGISTERS}",
        "3:",
        "ld t1, 104(sp)",
        "xor t1, t1, gp",
        "ld t3, 112(sp)",
        "xor t3, t3, tp",
        "or t1, t1, t3",
        "beqz t1, 4f",
        "ori t2, t2, {THREAD}",
        "4:",
        "lw t1, {breaches}(t0)",
        "or t1, t1, t2",
        "sw t1, {breaches}(t0)",
        "ld ra, 0(sp)",
        "ld s0, 8(sp)",
        "ld s1, 16(sp)",
        "ld s2, 24(sp)",
        "ld s3, 32(sp)",
        "ld s4, 40(sp)",
        "ld s5, 48(sp)",
        "ld s6, 56(sp)",
        "ld s7, 64(sp)",
        "ld s8, 72(sp)",
        "ld s9, 80(sp)",
        "ld s10, 88(sp)",
        "ld s11, 96(sp)",
        "ld gp, 104(sp)",
        "ld tp, 112(sp)",
        "fld fs0, 120(sp)",
        "fld fs1, 128(sp)",
        "fld fs2, 136(sp)",
        "fld fs3, 144(sp)",
        "fld fs4, 152(sp)",
        "fld fs5, 160(sp)",
        "fld fs6, 168(sp)",
        "fld fs7, 176(sp)",
        "fld fs8, 184(sp)",
        "fld fs9, 192(sp)",
        "fld fs10, 200(sp)",
        "fld fs11, 208(sp)",
        "addi sp, sp, 224",
        "ret",
        ".option pop",
        kept = sym KEPT,
        stack = const offset_of!(Kept, stack),
        start = const offset_of!(Kept, start),
        breaches = const offset_of!(Kept, breaches),
        STACK = const breach::STACK,
        REGISTERS = const breach::REGISTERS,
        THREAD = const breach::THREAD,
    );
}

/// Asks the system for what only those may use who ask: nothing here.
pub(in super::super) fn ask_for_states() {}

/// State beyond registers that calls must leave as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Context {
    /// The rounding mode; the flags are anybody's, and exceptions never trap.
    rounding: u64,
}

impl Context {
    /// As it is now.
    pub(in super::super) fn read() -> Self {
        let rounding;
        // SAFETY: reads a register.
        unsafe { asm!("frrm {}", out(reg) rounding, options(nomem, nostack)) };
        Self { rounding }
    }

    /// What was broken from one context to another, see [`breach`]. The thread pointer is a
    /// register that every call looks after.
    pub(in super::super) fn breaches_to(self, later: Self) -> u32 {
        if self == later { 0 } else { breach::FLOATING_POINT }
    }
}
