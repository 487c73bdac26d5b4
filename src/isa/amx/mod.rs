//! Apple's matrix coprocessor AMX, of which LLVM knows nothing: 23 operations in A64's reserved space,
//! each with a general register that holds what is to be done.
//!
//! What an instruction reads and writes does not stand in its word but in that register's value, the
//! *operand*. So everything here is about pairs of operation and operand:
//!
//! ```text
//! Word (4 bytes)  -> Operation + register number
//! Operation + operand (64 bits)  -> fields -> Meaning  -> Effects  (which registers and rows)
//!                                                     `-> State    (what they hold afterwards)
//! ```
//!
//! The state is 8 registers X, 8 registers Y and 64 rows Z, of 64 bytes each. X and Y are rings of 512
//! bytes: most instructions take 64 bytes from any offset.
//!
//! Source: the public description corsix/amx (commit 483714b), whose file names stand at the tables:
//! aarch64.md, setclr.md, RegisterFile.md, ldst.md, fma.md, fms.md, mac16.md, matfp.md, matint.md,
//! vecfp.md, vecint.md, extr_*.md, genlut.md. None of its code is here.

mod compute;
mod effects;
mod extract;
mod fields;
mod float;
mod forms;
mod generation;
mod lanes;
mod lookup;
mod meaning;
mod number;
mod state;
mod transfer;
mod variants;
mod word;

pub use effects::Effects;
pub use fields::{Field, OperandFields};
pub use forms::{AmxForms, AmxInstance, MOST_ROWS};
pub use generation::{AmxGeneration, UnknownGeneration};
pub use meaning::Meaning;
pub use state::{AmxFault, AmxMemory, AmxState};
pub use variants::{AmxVariant, ROW_BREAKERS, variants};
pub use word::{AmxOperation, AmxWord};
