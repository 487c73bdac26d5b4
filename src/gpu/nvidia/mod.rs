//! NVIDIA's matrix instructions: forms of PTX, kernels as text, and what the driver makes of them.

#[cfg(feature = "llvm")]
mod cubin;
mod forms;
mod group;
mod kernel;

#[cfg(feature = "llvm")]
pub use cubin::{CubinError, MachineCount, count};
pub use forms::{PtxElement, PtxForm, PtxKind, WARP, is_mma, of_intrinsic};
pub use group::{GROUP, Left, group_forms};
pub use kernel::{
    ARGUMENTS, INDEPENDENT, INSTANCES, Processor, PtxKernel, exact, growth, module, operands,
};
