//! winic measures how long every instruction of a CPU takes.
//!
//! (The map of the house is completed as the rooms are built.)

pub mod artifact;
pub mod database;
pub mod device;
pub mod infer;
pub mod sample;
pub mod units;
