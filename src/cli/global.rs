//! Options of every mode.

use std::path::PathBuf;

use clap::Args;

use super::device::{DeviceChoice, device};
use super::measure::Stage;
use super::runner::{RunnerChoice, runner};
use crate::gpu::amd::AmdTarget;
use crate::isa::AmxGeneration;
use crate::units::Hertz;

/// Options that may stand before or after the mode.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Machine")]
pub struct Global {
    /// The core's fixed clock frequency; without it cycles are measured against a known chain
    #[arg(short, long, global = true, value_name = "GHz", value_parser = frequency)]
    pub frequency: Option<Hertz>,
    /// Believe -f even where the reference chain runs at another frequency: all cycles are off by
    /// the difference
    #[arg(long = "forceFrequency", global = true)]
    pub force_frequency: bool,
    /// The CPU, by LLVM's name, where LLVM cannot detect it
    #[arg(short, long, global = true)]
    pub cpu: Option<String>,
    /// The architecture, where it is not this machine's (x86_64) and does not follow from the CPU;
    /// `amx` is Apple's coprocessor
    #[arg(short, long, global = true, value_name = "ARCH")]
    pub march: Option<String>,
    /// The generation of Apple's AMX, which `-m amx` measures: m1, m2, m3 or m4 (m4 unless told
    /// otherwise)
    #[arg(long, global = true, value_name = "CHIP")]
    pub generation: Option<AmxGeneration>,
    /// Run kernels on this instead of the machine: `mca` is LLVM's scheduling model of the CPU,
    /// `mca:CPU` that of another one, `scoreboard:FILE` the machine that a file describes, `cuda[:N]`
    /// and `hip[:N]` a GPU of NVIDIA's or AMD's, here or elsewhere
    #[arg(long, global = true, value_name = "DEVICE", value_parser = device)]
    pub device: Option<DeviceChoice>,

    /// Keep what is asked of the machine in a file, for a runner on another one that cannot be reached:
    /// `winic-runner < JOB > ANSWERS` there, then `--device answers:JOB,ANSWERS` here
    #[arg(long, global = true, value_name = "JOB")]
    pub record: Option<std::path::PathBuf>,
    /// Run kernels where this command leads to: it is split as a shell splits words, and a
    /// winic-runner must answer, as in 'ssh node winic-runner'. Several times, or with a count in
    /// front as in 4:'srun -N1 winic-runner', spreads the work over machines of one kind
    #[arg(long = "runner", global = true, value_name = "[N:]COMMAND", value_parser = runner)]
    pub runners: Vec<RunnerChoice>,
    /// Give up on a runner that is silent for so long, beside what it was told to wait (120 unless
    /// told otherwise)
    #[arg(long = "runner-timeout", global = true, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub runner_timeout: Option<u32>,
    /// Run kernels on this many physical cores of this machine at once
    #[arg(long, global = true, value_name = "N", conflicts_with_all = ["runners", "device"], value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,
    /// Execute kernels without timing them, as happens by itself in an emulator
    #[arg(long = "noTiming", global = true)]
    pub no_timing: bool,
    /// Stop early and write down what there is: the forms, the first round's experiments, their
    /// kernels (asm/) or shared objects (artifacts/)
    #[arg(long = "stop-after", global = true, value_name = "STAGE", value_enum)]
    pub stop_after: Option<Stage>,
    /// Write where the time went to a file, as JSON
    #[arg(long, global = true, value_name = "FILE", hide = true)]
    pub times: Option<PathBuf>,
}

impl Global {
    /// Whether Apple's AMX is what is measured.
    #[must_use]
    pub fn is_of_amx(&self) -> bool {
        self.march.as_ref().is_some_and(|march| march.eq_ignore_ascii_case(AMX))
    }

    /// Whether a GPU is what is measured, in a machine or a model.
    #[must_use]
    pub fn is_of_gpu(&self) -> bool {
        let march = self.march.as_deref().map(str::to_lowercase);
        let is_named = march.is_some_and(|march| GPUS.contains(&&*march));
        is_named || matches!(self.device, Some(DeviceChoice::Gpu(_))) || self.gpu_model().is_some()
    }

    /// The GPU that `-c` or the model of `--device mca` names, if it is one that LLVM models.
    #[must_use]
    pub fn gpu_model(&self) -> Option<&str> {
        let model = self.device.as_ref().and_then(DeviceChoice::model);
        model.into_iter().chain(self.cpu.as_deref()).find(|name| AmdTarget::by_name(name).is_some())
    }

    /// Whether they say which machine is meant, so that it may not be this one.
    #[must_use]
    pub fn names_a_machine(&self) -> bool {
        let named = self.march.is_some() || self.cpu.is_some() || self.device.is_some();
        named || !self.runners.is_empty()
    }
}

/// Architectures of GPUs, as LLVM's triples name them.
const GPUS: [&str; 2] = ["amdgcn", "nvptx64"];

/// In place of an architecture: the coprocessor in Apple's chips.
const AMX: &str = "amx";

/// No core is as fast, in GHz: who says more means another unit.
const FASTEST: f64 = 100.0;

fn frequency(text: &str) -> Result<Hertz, String> {
    let gigahertz: f64 = text.parse().map_err(|_| format!("'{text}' is not a number of GHz"))?;
    if gigahertz > FASTEST && gigahertz.is_finite() {
        return Err(format!(
            "no core runs at {text} GHz: the unit is GHz, so that 3200 MHz are 3.2"
        ));
    }
    Hertz::new(gigahertz * 1e9).map_err(|_| "the frequency must be above 0 GHz".to_owned())
}
