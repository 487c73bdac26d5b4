//! Reports that people read. They are functions of databases alone, so that a file says as much
//! as the run that made it.

pub mod addressing;
pub mod compare;
pub mod findings;
// (What draws is left out of what needs no LLVM.)
#[cfg(feature = "llvm")]
pub mod difference;
#[cfg(feature = "llvm")]
pub mod picture;
pub mod ports;
pub mod published;
#[cfg(feature = "llvm")]
pub mod site;
pub mod sweep;
#[cfg(feature = "llvm")]
mod terminal;
pub mod twins;

#[cfg(feature = "llvm")]
pub use terminal::{fitted, table as drawn};
