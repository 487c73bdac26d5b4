//! x86-64.

use std::arch::{asm, naked_asm};
use std::mem::offset_of;

use super::super::breach;
use super::{KEPT, Kept};

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

/// The direction flag and the alignment-check flag, which compiled code relies on being clear.
const RELIED_ON_FLAGS: u32 = 1 << 10 | 1 << 18;

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
unsafe extern "sysv64" fn call_kept(
    stack: *mut u8,
    function: unsafe extern "C" fn(u64),
    argument: u64,
) {
    naked_asm!(
        "push rbx",
        "push rbp",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov qword ptr [rip + {kept} + {stack}], rsp",
        "mov qword ptr [rip + {kept} + {start}], rdi",
        "mov rsp, rdi",
        "mov rdi, rdx",
        "call rsi",
        // Moves leave the comparison's result alone.
        "mov eax, 0",
        "cmp rsp, qword ptr [rip + {kept} + {start}]",
        "mov rsp, qword ptr [rip + {kept} + {stack}]",
        "mov ecx, {STACK}",
        "cmovne eax, ecx",
        "pushfq",
        "pop rcx",
        "test ecx, {flags}",
        "jz 2f",
        "or eax, {FLAGS}",
        "and rcx, {other_flags}",
        "push rcx",
        "popfq",
        "2:",
        "xor rbx, qword ptr [rsp + 40]",
        "xor rbp, qword ptr [rsp + 32]",
        "xor r12, qword ptr [rsp + 24]",
        "xor r13, qword ptr [rsp + 16]",
        "xor r14, qword ptr [rsp + 8]",
        "xor r15, qword ptr [rsp]",
        "or rbx, rbp",
        "or r12, r13",
        "or r14, r15",
        "or rbx, r12",
        "or rbx, r14",
        "jz 3f",
        "or eax, {REGISTERS}",
        "3:",
        "or dword ptr [rip + {kept} + {breaches}], eax",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbp",
        "pop rbx",
        "ret",
        kept = sym KEPT,
        stack = const offset_of!(Kept, stack),
        start = const offset_of!(Kept, start),
        breaches = const offset_of!(Kept, breaches),
        flags = const RELIED_ON_FLAGS,
        other_flags = const !RELIED_ON_FLAGS.cast_signed(),
        STACK = const breach::STACK,
        FLAGS = const breach::FLAGS,
        REGISTERS = const breach::REGISTERS,
    );
}

/// `ARCH_REQ_XCOMP_PERM` of `asm/prctl.h`: permission to use a part of the state, for this process and those
/// that it forks.
#[cfg(target_os = "linux")]
const REQUEST_PERMISSION: libc::c_long = 0x1023;
/// The data of AMX's tiles, by its number in XCR0 (Intel SDM volume 1, 13.1).
#[cfg(target_os = "linux")]
const TILE_DATA: libc::c_long = 18;

/// Asks the system for what only those may use who ask: tiles. A CPU or a system without them refuses,
/// and instructions that use them are illegal then.
pub(in super::super) fn ask_for_states() {
    #[cfg(target_os = "linux")]
    // SAFETY: two numbers; whatever the system answers, nothing of this process changes but the permission.
    unsafe {
        libc::syscall(libc::SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA);
    }
}

/// State beyond registers that calls must leave as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Context {
    floating_point: FloatingPoint,
    thread: Thread,
}

/// How numbers are computed with. The status flags, which are anybody's, are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FloatingPoint {
    mxcsr: u32,
    x87_control: u16,
    /// Two bits for each x87 register: all ones when the stack is empty.
    x87_tags: u16,
}

/// Through what memory is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Thread {
    /// CS, SS, DS, ES, FS. (GS is nobody's in user mode.)
    selectors: [u16; 5],
    /// The base of FS, which is the thread pointer; zero where user mode cannot read it.
    base: u64,
}

impl Context {
    /// As it is now.
    pub(in super::super) fn read() -> Self {
        Self { floating_point: FloatingPoint::read(), thread: Thread::read() }
    }

    /// The [`breach`]es that changed one context to another.
    pub(in super::super) fn breaches_to(self, later: Self) -> u32 {
        let changed = |has_changed: bool, breach| if has_changed { breach } else { 0 };
        changed(self.floating_point != later.floating_point, breach::FLOATING_POINT)
            | changed(self.thread != later.thread, breach::THREAD)
    }
}

/// The status flags of MXCSR.
const MXCSR_STATUS: u32 = 0x3f;

impl FloatingPoint {
    fn read() -> Self {
        let mut mxcsr = 0_u32;
        // `fnstenv`'s seven words: control, status, tags, and where the last exception was.
        let mut environment = [0_u32; 7];
        // SAFETY: writes to the two variables. Storing the environment masks all exceptions, so
        // the control word is put back; a pending exception would strike there, so it is cleared.
        unsafe {
            asm!(
                "stmxcsr dword ptr [{mxcsr}]",
                "fnstenv [{environment}]",
                "fnclex",
                "fldcw word ptr [{environment}]",
                mxcsr = in(reg) &raw mut mxcsr,
                environment = in(reg) &raw mut environment,
                options(nostack),
            );
        }
        let [control, _, tags, ..] = environment;
        Self { mxcsr: mxcsr & !MXCSR_STATUS, x87_control: control as u16, x87_tags: tags as u16 }
    }
}

/// `HWCAP2_FSGSBASE`: user mode may read and write the bases of segments.
const BASE_IS_READABLE: libc::c_ulong = 1 << 1;

impl Thread {
    fn read() -> Self {
        let (cs, ss, ds, es, fs): (u16, u16, u16, u16, u16);
        // SAFETY: reads registers.
        unsafe {
            asm!(
                "mov {:x}, cs", "mov {:x}, ss", "mov {:x}, ds", "mov {:x}, es", "mov {:x}, fs",
                out(reg) cs, out(reg) ss, out(reg) ds, out(reg) es, out(reg) fs,
                options(nomem, nostack, preserves_flags),
            );
        }
        let mut base = 0;
        // SAFETY: looks a number up that the system left at the process's start.
        if unsafe { libc::getauxval(libc::AT_HWCAP2) } & BASE_IS_READABLE != 0 {
            // SAFETY: reads a register, which the system says is permitted.
            unsafe {
                asm!("rdfsbase {}", out(reg) base, options(nomem, nostack, preserves_flags));
            }
        }
        Self { selectors: [cs, ss, ds, es, fs], base }
    }
}
