//! A scheduling model of LLVM's as a device: the same artifacts, their loops run by LLVM MCA
//! instead of a core. Ticks are the model's cycles. A loop is simulated until it repeats itself, so
//! there is nothing to settle: all windows are the same.

use std::time::Duration;

use super::loops::{LoopCode, LoopFailure, SharedObject, lowest_common_multiple};
use super::{
    Device, DeviceError, Fault, HostDescription, KernelReport, RawSample, Resources, Source,
    TickSource,
};
use super::{Window, raw::TICK_OF_CYCLES};
use crate::artifact::{Artifact, KernelFunctions, KernelId, Purpose, ReferenceFunction, Supply};
use crate::llvm::{Loads, ModelError, Simulator, SteadyState};

/// Windows of a sample: as many as make a level.
const WINDOWS: usize = 3;
/// Loops are taken to run at least so often, so that a tick more or less would not count.
const ITERATIONS: u64 = 1000;
/// What keeps units for so many cycles is as slow to a simulation as what takes microseconds is to a core:
/// few instances of it do. (A load of segments by indices keeps a unit of SiFive's P670 for 140 cycles, so
/// that one body of hundreds of them is simulated for a second.)
const SLOW: f64 = 6.0;
/// As many instances as are measured of it at least: what is as often as slow as it keeps units needs more,
/// so that no instance waits for the one before it.
const FEW: f64 = 8.0;
/// Ticks that a probe of it reports: by them a form is slow, but not so slow that too few instances are
/// left to take turns at units.
const TICKS_IF_SLOW: u64 = 99_000;
/// Bytes that a kernel may use: a model looks at no address.
const MEMORY: u64 = u64::MAX;

/// LLVM MCA as a device.
pub struct SimulatorDevice {
    simulator: Simulator,
    host: HostDescription,
}

impl SimulatorDevice {
    /// The model of a CPU of an architecture.
    #[must_use]
    pub fn new(simulator: Simulator, architecture: &str) -> Self {
        let host = HostDescription {
            architecture: architecture.to_owned(),
            cpu: format!("scheduling model of {}", simulator.cpu()),
            cpuinfo: String::new(),
            extensions: Vec::new(),
            system: format!("LLVM {} MCA", crate::llvm::version()),
            source: Source::Simulated,
            core: None,
            ticks: Some(TickSource::CycleCounter),
            tick_rate: None,
            tick_step: TICK_OF_CYCLES,
            advice: Vec::new(),
            resources: Resources { low: MEMORY, ..Resources::default() },
        };
        Self { simulator, host }
    }

    fn report(
        &mut self,
        image: &SharedObject<'_>,
        kernel: &KernelFunctions,
        reference: &ReferenceFunction,
    ) -> Result<KernelReport, DeviceError> {
        let timed = match kernel.purpose {
            Purpose::Probe => self.probe(image, &kernel.single),
            Purpose::Time => self.time(image, kernel, reference),
        };
        match timed {
            Ok(report) => Ok(report),
            Err(FunctionFailure::Code(error)) => Ok(KernelReport::Faulted(fault(error))),
            Err(FunctionFailure::Image(reason)) => Err(DeviceError::Refused(reason)),
        }
    }

    fn probe(
        &mut self,
        image: &SharedObject<'_>,
        symbol: &str,
    ) -> Result<KernelReport, FunctionFailure> {
        let code = LoopCode::find(image, symbol, &self.simulator)?;
        let occupied = self.simulator.covers(&code.before, &code.body)?;
        let steady = self.simulator.run_loop(&code.before, &code.body, Loads::GoAhead)?;
        let cycles = steady.cycles.div_ceil(steady.iterations);
        let is_slow = occupied >= SLOW && FEW * occupied >= cycles as f64;
        let ticks = if is_slow { TICKS_IF_SLOW } else { cycles };
        Ok(KernelReport::Executed { ticks })
    }

    fn time(
        &mut self,
        image: &SharedObject<'_>,
        kernel: &KernelFunctions,
        reference: &ReferenceFunction,
    ) -> Result<KernelReport, FunctionFailure> {
        // Where a kernel passes something on through memory, each of its loads is for what the store
        // before has stored; and stores before that one have ended when it begins.
        let loads = if kernel.needs.passes_memory { Loads::WaitForStores } else { Loads::GoAhead };
        let single = self.steady(image, &kernel.single, loads)?;
        let double = match &kernel.double {
            Some(symbol) => Some(self.steady(image, symbol, loads)?),
            None => None,
        };
        let common = double.map_or(single.iterations, |double| {
            lowest_common_multiple(single.iterations, double.iterations)
        });
        let iterations = common * ITERATIONS.div_ceil(common);
        let ticks =
            |steady: SteadyState, iterations| steady.cycles * iterations / steady.iterations;
        // Ticks are cycles here: there is nothing that the reference has to tell.
        let of_reference = ITERATIONS * u64::from(reference.cycles_per_iteration);
        let window = Window {
            reference_before: of_reference,
            single: ticks(single, iterations),
            double: double.map_or(0, |double| ticks(double, iterations)),
            reference_after: of_reference,
            // Nobody shares a model.
            sentinel: 0,
        };
        Ok(KernelReport::Timed(RawSample {
            sentinel_iterations: 0,
            waited: Duration::ZERO,
            iterations,
            reference_iterations: ITERATIONS,
            overhead: 0.0,
            tick_step: TICK_OF_CYCLES,
            windows: vec![window; WINDOWS],
        }))
    }

    fn steady(
        &mut self,
        image: &SharedObject<'_>,
        symbol: &str,
        loads: Loads,
    ) -> Result<SteadyState, FunctionFailure> {
        let code = LoopCode::find(image, symbol, &self.simulator)?;
        let steady = self.simulator.run_loop(&code.before, &code.body, loads)?;
        if !steady.periodic {
            log::debug!("{symbol} does not repeat itself: averaged over {steady:?}");
        }
        Ok(steady)
    }
}

impl Device for SimulatorDevice {
    fn describe(&self) -> &HostDescription {
        &self.host
    }

    fn is_model(&self) -> bool {
        true
    }

    fn run(
        &mut self,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<(), DeviceError> {
        let image = SharedObject::read(&artifact.image)?;
        for kernel in &artifact.kernels {
            kernel.needs.check(&Supply { low: MEMORY, ..Supply::of_one_core(MEMORY) }).map_err(
                |lacking| {
                    DeviceError::Refused(format!(
                        "kernel {} cannot run here: {lacking}",
                        kernel.id.0
                    ))
                },
            )?;
            let report = self.report(&image, kernel, &artifact.reference)?;
            if !deliver(kernel.id, report) {
                break;
            }
        }
        Ok(())
    }
}

/// Why a function gave no figures.
enum FunctionFailure {
    /// The model says no to an instruction: a finding.
    Code(ModelError),
    /// The shared object is not what it should be: an error.
    Image(String),
}

impl From<ModelError> for FunctionFailure {
    fn from(error: ModelError) -> Self {
        Self::Code(error)
    }
}

impl From<LoopFailure> for FunctionFailure {
    fn from(failure: LoopFailure) -> Self {
        match failure {
            LoopFailure::Code(error) => Self::Code(error.into()),
            LoopFailure::Image(reason) => Self::Image(reason),
        }
    }
}

/// What a core would do.
fn fault(error: ModelError) -> Fault {
    match error {
        ModelError::NotModelled => Fault::NotModelled,
        ModelError::Code(_) => Fault::IllegalInstruction,
    }
}
