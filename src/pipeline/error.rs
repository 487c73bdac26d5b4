//! Why a run cannot start or go on.

use crate::assemble::AssembleError;
use crate::device::DeviceError;
use crate::isa::UnknownArchitecture;
use crate::laboratory::LaboratoryError;
use crate::llvm::TargetError;
use crate::study::core::{NoUnit, UncoveredChains};
use crate::units::Hertz;

/// Why a run cannot start or go on.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// LLVM does not have the target.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// winic does not know the architecture.
    #[error(transparent)]
    Architecture(#[from] UnknownArchitecture),
    /// No linker, or no shared object.
    #[error(transparent)]
    Assemble(#[from] AssembleError),
    /// The device broke or could not be started.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Experiments cannot be answered.
    #[error(transparent)]
    Laboratory(#[from] LaboratoryError),
    /// Nothing can serve as the unit of time.
    #[error(transparent)]
    Unit(#[from] NoUnit),
    /// A model lacks what a run begins with.
    #[error(transparent)]
    Model(#[from] UncoveredChains),
    /// The user wants to stop, and nothing can be said yet.
    #[error("interrupted before anything was measured")]
    Interrupted,
    /// A frequency was given, but the ticks' own rate is not known.
    #[error("the device's clock has no known rate, so -f cannot be used with it")]
    NoTickRate,
    /// The frequency that was given cannot be the core's.
    #[error(
        "-f says {given}, but the reference chain runs at {seen}: leave -f out, correct it, or insist with --forceFrequency"
    )]
    Frequency {
        /// What the user said.
        given: Hertz,
        /// What the reference shows.
        seen: Hertz,
    },
    /// The target is another machine than the one that runs the kernels.
    #[error(
        "kernels for {wanted} cannot run on this {here} machine; --device mca runs them through LLVM's model of the CPU, and `winic list` works for any target"
    )]
    OtherArchitecture {
        /// Architecture asked for.
        wanted: String,
        /// Architecture of the device.
        here: String,
    },
}
