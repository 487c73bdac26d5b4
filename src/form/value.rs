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
    /// The address so many bytes into the writable region of every kernel, which is aligned to a page; in
    /// a vector, in each lane of 64 bits.
    DataAddress(u32),
    /// The same where the region lies in low memory, in 32 bits; in a vector, in each lane of so many.
    HalfAddress(u32),
    /// In the lanes of a vector, each of so many bits: as many multiples of 64, from zero on.
    Lines {
        /// Bits of a lane.
        lane_bits: u32,
    },
    /// The thread pointer of the process, which must survive.
    ThreadPointer,
}

impl Value {
    /// How far into the region it leads, if it is an address.
    #[must_use]
    pub fn place(self) -> Option<u32> {
        match self {
            Self::DataAddress(place) | Self::HalfAddress(place) => Some(place),
            _ => None,
        }
    }

    /// The address so many bytes farther; what is none stays as it is.
    #[must_use]
    pub fn farther(self, bytes: u32) -> Self {
        match self {
            Self::DataAddress(place) => Self::DataAddress(place + bytes),
            Self::HalfAddress(place) => Self::HalfAddress(place + bytes),
            other => other,
        }
    }
}
