//! Reports that people read.

pub mod compare;
