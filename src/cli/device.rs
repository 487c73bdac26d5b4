//! The argument of `--device`.

use std::path::PathBuf;

use crate::device::gpu::GpuChoice;
use crate::isa::AmxGeneration;

/// What kernels run on, where that is not this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceChoice {
    /// LLVM MCA with the model of a CPU, by LLVM's name, or else of the target's.
    Simulator(Option<String>),
    /// The machine that a file describes.
    Scoreboard(PathBuf),
    /// A GPU, by its driver's library.
    Gpu(GpuChoice),
    /// What a runner elsewhere said to a job: the job, and the answers.
    Answers(PathBuf, PathBuf),
    /// Apple's AMX in software, of a generation, or of the one that forms are of.
    Emulator(Option<AmxGeneration>),
}

impl DeviceChoice {
    /// The CPU whose scheduling model it is, where it is one and names it.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        match self {
            Self::Simulator(cpu) => cpu.as_deref(),
            Self::Scoreboard(_) | Self::Gpu(_) | Self::Answers(..) | Self::Emulator(_) => None,
        }
    }
}

pub(super) fn device(text: &str) -> Result<DeviceChoice, String> {
    match text.split_once(':') {
        None if text == SIMULATOR => Ok(DeviceChoice::Simulator(None)),
        Some((SIMULATOR, cpu)) if !cpu.is_empty() => {
            Ok(DeviceChoice::Simulator(Some(cpu.to_owned())))
        }
        Some((SCOREBOARD, file)) if !file.is_empty() => Ok(DeviceChoice::Scoreboard(file.into())),
        Some((ANSWERS, files)) => match files.split_once(',') {
            Some((job, answers)) if !job.is_empty() && !answers.is_empty() => {
                Ok(DeviceChoice::Answers(job.into(), answers.into()))
            }
            _ => Err(format!("say {ANSWERS}:JOB,ANSWERS")),
        },
        None if text == EMULATOR => Ok(DeviceChoice::Emulator(None)),
        Some((EMULATOR, generation)) => match generation.parse() {
            Ok(generation) => Ok(DeviceChoice::Emulator(Some(generation))),
            Err(error) => Err(format!("{error}")),
        },
        _ => GpuChoice::read(text).map(DeviceChoice::Gpu).ok_or_else(|| {
            format!(
                "there is no device '{text}'; there is {SIMULATOR}, {SIMULATOR}:CPU, {SCOREBOARD}:FILE, \
                 {ANSWERS}:JOB,ANSWERS, cuda[:N], hip[:N] and, for -m amx, {EMULATOR}"
            )
        }),
    }
}

/// LLVM MCA.
const SIMULATOR: &str = "mca";
/// A machine that a file describes.
const SCOREBOARD: &str = "scoreboard";
/// What a runner elsewhere said.
const ANSWERS: &str = "answers";
/// Apple's AMX in software.
const EMULATOR: &str = "emulator";
