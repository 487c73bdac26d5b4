//! What tests of SME share: which forms are of it, and what kernels leave in ZA.

mod forms;
pub mod memory_image;
pub mod outer_product;

pub use forms::{decodes, first_version, is_of_sme, may_leave_zeros, number, vector_of};
