//! All forms of a machine: which opcodes are instructions of their own, and with which registers.

mod canonical;
mod machine;

pub use canonical::{Canonical, Exclusion, Listing, list};
pub use machine::{Catalogue, ResourceId};
