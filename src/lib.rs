//! winic measures how long every instruction of a CPU takes.
//!
//! (The map of the house is completed as the rooms are built.)

pub mod artifact;
#[cfg(feature = "llvm")]
pub mod assemble;
pub mod database;
pub mod device;
pub mod experiment;
pub mod form;
pub mod infer;
pub mod isa;
pub mod kernel;
#[cfg(feature = "llvm")]
pub mod llvm;
pub mod metadata;
pub mod sample;
pub mod units;
