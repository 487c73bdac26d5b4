//! Which kernels are kept as golden ones, ISA by ISA.

pub mod aarch64;
pub mod riscv64;
pub mod x86_64;

use winic::kernel::{Order, Style};

/// A form of a mixture: how many instances stand in a round, and how long they wait for each other in one
/// register, in quarters of a cycle.
pub type MixedForm = (&'static str, u32, u32);

/// The kernels of one ISA.
pub struct Suite {
    /// Where they lie, in `tests/kernels`.
    pub folder: &'static str,
    /// Throughput bodies: file, form, breakers as `register=form`, instances from one to the next.
    pub throughput: &'static [(&'static str, &'static str, &'static [&'static str], u32)],
    /// Latency chains: file, links as `form:source>target`, registers, fillers. A source or
    /// target is an operand's number or a register's name.
    /// File, then the links before, over and behind.
    pub relays: &'static [(&'static str, [&'static str; 3])],
    pub latency: &'static [(&'static str, &'static [&'static str], Style, u32)],
    /// Walks through a buffer: file, what loads, what stores, pointers of each, bytes of the working set.
    pub walks: &'static [(&'static str, &'static str, &'static str, u32, u64)],
    /// Mixtures: file, forms, their order.
    pub mixtures: &'static [(&'static str, &'static [MixedForm], Order)],
    /// A form and the register at its first operand that is asked for.
    pub probe: (&'static str, &'static str),
}
