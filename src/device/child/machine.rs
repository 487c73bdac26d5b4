//! What a runner must know of an architecture: nothing but how to read its time-stamp
//! register, how to call a function on another stack and survive it, which state a function must
//! leave alone, and its number in system-call filters.
//!
//! A new architecture is one file with the same items and one row here.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

#[cfg_attr(target_arch = "x86_64", path = "machine/x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "machine/aarch64.rs")]
#[cfg_attr(target_arch = "riscv64", path = "machine/riscv64.rs")]
mod this;

#[cfg(target_os = "linux")]
pub(super) use this::{AUDIT_ARCH, performance_counter};
pub(super) use this::{Context, ask_for_states, call_on, time_stamp};

/// Where a call keeps what it must find again: no register survives a kernel that breaks the
/// calling convention, and neither does the stack pointer.
#[repr(C)]
struct Kept {
    /// The caller's stack pointer, below its callee-saved registers.
    stack: AtomicU64,
    /// The stack pointer that the function was called with.
    start: AtomicU64,
    /// What all calls so far broke, see [`super::breach`].
    breaches: AtomicU32,
}

static KEPT: Kept =
    Kept { stack: AtomicU64::new(0), start: AtomicU64::new(0), breaches: AtomicU32::new(0) };

/// What the calls of this process broke so far, see [`super::breach`].
pub(super) fn breaches() -> u32 {
    KEPT.breaches.load(Relaxed)
}
