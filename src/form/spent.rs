//! What instances need that no operand says, and what they leave otherwise than they found it.

use super::Site;
use crate::metadata::RegisterId;

/// A register that a form reads unnamed and that holds an address: `RSI` of `LODSB`, `RSP` of `POP64r`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImpliedBase {
    /// The register.
    pub register: RegisterId,
    /// Where in the region it points to, in bytes.
    pub place: u32,
}

/// A use that an instance leaves otherwise than the next one needs it: the mask that `VGATHERDPSYrm`
/// clears, the count that `REP_MOVSB_64` brings to zero, the stack pointer that `PUSH64r` moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// The use.
    pub site: Site,
    /// How many instances may follow each other before it must be filled again.
    pub lasts: u32,
}
