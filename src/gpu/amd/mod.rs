//! AMD's matrix instructions, and the vector instructions beside them: forms from LLVM's tables, kernels as code objects.

mod forms;
mod kernel;
mod plan;
mod registers;
pub mod target;
mod vector;
mod waits;

pub use forms::{AmdForm, File, FormOperation, GpuOperand, Product, RegisterNames, matrix_forms};
pub use kernel::{ARGUMENTS, AmdKernel, module};
pub use plan::{INSTANCES, growth, kernel, kernels};
pub use registers::{Body, BodyPlanner, RESULTS, Span};
pub use target::{AmdTarget, TARGETS, TRIPLE};
pub use vector::vector_forms;
pub use waits::{Wait, between};
