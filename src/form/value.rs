//! What registers hold.

use crate::metadata::RegisterId;

/// What a register holds when a kernel starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// Bits that are ordinary in every interpretation: no zero, one, denormal or NaN.
    Ordinary,
    /// The ordinary bits of another register: what a breaker copies from.
    OrdinaryOf(RegisterId),
    /// Nothing but zeros.
    Zero,
    /// This number; where a register holds more than 64 bits, all over it.
    Number(u64),
    /// The address so many bytes into the writable region of every kernel, which is aligned to a page.
    DataAddress(u32),
    /// In the lanes of a vector, each of so many bits: as many multiples of 64, from zero on.
    Lines {
        /// Bits of a lane.
        lane_bits: u32,
    },
    /// The thread pointer of the process, which must survive.
    ThreadPointer,
}
