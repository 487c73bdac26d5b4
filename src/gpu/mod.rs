//! GPUs: their matrix instructions, kernels of them, and what follows from how long those take.
//!
//! A GPU is one more kind of machine, and differs from a core in what a kernel is: a program of its own
//! that many wavefronts run at once, that reads its own clock and leaves a record. So forms, kernels
//! and conclusions stand here; what runs them is in [`crate::device::gpu`], and figures go into
//! the same database as those of cores.
//!
//! | part | what it is |
//! |---|---|
//! | [`form`] | operands and shapes of matrix instructions, what stands in the factors |
//! | [`amd`] | AMD's targets: forms from LLVM's tables, kernels as code objects |
//! | [`nvidia`] | NVIDIA's: forms of PTX from LLVM's intrinsics and by rule, kernels as text, compiled code |
//! | [`record`] | what every wavefront leaves behind |
//! | [`reduce`] | records to cycles of an instruction |
//! | [`conclude()`] | cycles to what a database says of a form |
//! | [`model`] | throughput against wavefronts, power against throughput, occupancy |
//! | [`GpuMachine`] | GPUs that files describe |
//! | [`library_use`] | what of a matrix product libraries can do on matrix units |

pub mod amd;
mod conclude;
mod figure;
pub mod form;
pub mod library_use;
mod machine;
pub mod model;
pub mod nvidia;
pub mod record;

pub use conclude::{AskedOfGpu, GpuFinding, GpuFindings, NamedForm, NamedOperand, conclude};
pub use figure::{ClockBits, GpuFigure, NoFigure, reduce};
pub use machine::{GpuMachine, MachineForm, MachinePower};
