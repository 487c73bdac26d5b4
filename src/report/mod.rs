//! Reports that people read. They are functions of databases alone, so that a file says as much
//! as the run that made it.

pub mod addressing;
pub mod compare;
pub mod findings;
pub mod twins;
