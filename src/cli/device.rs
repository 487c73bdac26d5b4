//! The argument of `--device`.

/// What kernels run on, where that is not this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceChoice {
    /// LLVM MCA with the model of a CPU, by LLVM's name, or else of the target's.
    Simulator(Option<String>),
}

pub(super) fn device(text: &str) -> Result<DeviceChoice, String> {
    match text.split_once(':') {
        None if text == SIMULATOR => Ok(DeviceChoice::Simulator(None)),
        Some((SIMULATOR, cpu)) if !cpu.is_empty() => {
            Ok(DeviceChoice::Simulator(Some(cpu.to_owned())))
        }
        _ => Err(format!("there is no device '{text}'; there is {SIMULATOR} and {SIMULATOR}:CPU")),
    }
}

/// LLVM MCA.
const SIMULATOR: &str = "mca";
