//! AMD's matrix instructions: forms from LLVM's tables, kernels as code objects.

mod forms;
mod kernel;
mod plan;
mod registers;
pub mod target;
mod waits;

pub use forms::{AmdForm, File, GpuOperand, Product, RegisterNames, matrix_forms};
pub use kernel::{ARGUMENTS, AmdKernel, module};
pub use plan::{INSTANCES, expected_sum, kernel, kernels};
pub use registers::{Body, BodyPlanner, RESULTS, Span};
pub use target::{AmdTarget, TARGETS, TRIPLE};
pub use waits::{Wait, between};
