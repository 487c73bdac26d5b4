//! winic measures how long every instruction of a CPU takes.
//!
//! (The map of the house is completed as the rooms are built.)

#[cfg(feature = "llvm")]
pub mod app;
pub mod artifact;
#[cfg(feature = "llvm")]
pub mod assemble;
#[cfg(feature = "llvm")]
pub mod cli;
pub mod conclude;
pub mod database;
pub mod device;
pub mod experiment;
pub mod form;
pub mod infer;
pub mod isa;
pub mod kernel;
#[cfg(feature = "llvm")]
pub mod laboratory;
#[cfg(feature = "llvm")]
pub mod llvm;
pub mod metadata;
#[cfg(feature = "llvm")]
pub mod pipeline;
pub mod plan;
pub mod sample;
pub mod units;
