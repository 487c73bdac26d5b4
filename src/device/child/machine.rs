//! What a runner must know of an architecture: nothing but how to read its time-stamp
//! register, how to call a function on another stack, and its number in system-call filters.
//!
//! A new architecture is one file with the same five items and one row here.

#[cfg_attr(target_arch = "x86_64", path = "machine/x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "machine/aarch64.rs")]
#[cfg_attr(target_arch = "riscv64", path = "machine/riscv64.rs")]
mod this;

pub(super) use this::{AUDIT_ARCH, call_on, performance_counter, time_stamp};
