//! The argument of `--device`.

use std::path::PathBuf;

use crate::device::gpu::GpuChoice;

/// What kernels run on, where that is not this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceChoice {
    /// LLVM MCA with the model of a CPU, by LLVM's name, or else of the target's.
    Simulator(Option<String>),
    /// The machine that a file describes.
    Scoreboard(PathBuf),
    /// A GPU, by its driver's library.
    Gpu(GpuChoice),
}

pub(super) fn device(text: &str) -> Result<DeviceChoice, String> {
    match text.split_once(':') {
        None if text == SIMULATOR => Ok(DeviceChoice::Simulator(None)),
        Some((SIMULATOR, cpu)) if !cpu.is_empty() => {
            Ok(DeviceChoice::Simulator(Some(cpu.to_owned())))
        }
        Some((SCOREBOARD, file)) if !file.is_empty() => Ok(DeviceChoice::Scoreboard(file.into())),
        _ => GpuChoice::read(text).map(DeviceChoice::Gpu).ok_or_else(|| {
            format!(
                "there is no device '{text}'; there is {SIMULATOR}, {SIMULATOR}:CPU, \
                 {SCOREBOARD}:FILE, cuda[:N] and hip[:N]"
            )
        }),
    }
}

/// LLVM MCA.
const SIMULATOR: &str = "mca";
/// A machine that a file describes.
const SCOREBOARD: &str = "scoreboard";
