//! A Mac's matrix unit in software, as a device: it executes the kernels that a Mac would, with the few
//! instructions of A64 that stand around the unit's own, and tells no time.
//!
//! So that kernels are what they should be is found out by what they do to registers and memory, on a unit of
//! any generation: probes of forms that a generation does not have trap.
//!
//! | file | what it is |
//! |---|---|
//! | `core` | a core of A64, as far as kernels need one |
//! | `memory` | a shared object in memory, with a stack and a buffer |

mod core;
mod memory;

use self::core::EmulatedCore;
use self::memory::EmulatedMemory;
use crate::artifact::{Artifact, KernelFunctions, KernelId, Purpose, Supply};
use crate::device::{
    Device, DeviceError, Fault, HostDescription, KernelReport, LogicalCpu, Resources, Source,
};
use crate::isa::AmxGeneration;

/// Bytes that a kernel's buffer may have.
const BUFFER: u64 = 64 << 20;

/// A unit of a generation, with a core.
pub struct EmulatorDevice {
    generation: AmxGeneration,
    host: HostDescription,
}

impl EmulatorDevice {
    /// A machine with such a unit.
    #[must_use]
    pub fn new(generation: AmxGeneration) -> Self {
        let host = HostDescription {
            architecture: "aarch64".to_owned(),
            cpu: format!("emulated AMX of {}", generation.name()),
            cpuinfo: String::new(),
            extensions: Vec::new(),
            system: format!("emulator of winic {}", env!("CARGO_PKG_VERSION")),
            source: Source::Emulated,
            core: None,
            ticks: None,
            tick_rate: None,
            tick_step: 1,
            advice: Vec::new(),
            resources: Resources {
                cpus: vec![LogicalCpu { cpu: 0, core: 0 }],
                caches: Vec::new(),
                memory: BUFFER,
                low: 0,
            },
        };
        Self { generation, host }
    }

    /// Calls a function of a shared object once, with a loop count of one.
    fn execute(
        &self,
        artifact: &Artifact,
        kernel: &KernelFunctions,
        symbol: &str,
    ) -> Result<Result<(), Fault>, DeviceError> {
        let buffer = kernel.needs.buffer.map_or(0, |buffer| buffer.bytes);
        let mut image = EmulatedMemory::load(&artifact.image, buffer)?;
        let entry = image.address_of(symbol)?;
        Ok(EmulatedCore::new(self.generation).call(entry, 1, &mut image))
    }
}

impl Device for EmulatorDevice {
    fn describe(&self) -> &HostDescription {
        &self.host
    }

    fn run(
        &mut self,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<(), DeviceError> {
        let supply = Supply { memory: u64::MAX, ..self.host.resources.supply() };
        for kernel in &artifact.kernels {
            kernel.needs.check(&supply).map_err(|lacking| {
                DeviceError::Refused(format!("kernel {} cannot run here: {lacking}", kernel.id.0))
            })?;
            let double = kernel.double.iter().filter(|_| kernel.purpose == Purpose::Time);
            let mut report = KernelReport::Executed { ticks: 0 };
            for symbol in [&kernel.single].into_iter().chain(double) {
                if let Err(fault) = self.execute(artifact, kernel, symbol)? {
                    report = KernelReport::Faulted(fault);
                    break;
                }
            }
            if !deliver(kernel.id, report) {
                break;
            }
        }
        Ok(())
    }
}
