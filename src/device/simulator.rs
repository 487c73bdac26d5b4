//! A scheduling model of LLVM's as a device: the same artifacts, their loops run by LLVM MCA
//! instead of a core. Ticks are the model's cycles.
//!
//! A kernel's function runs from its symbol to the first branch back; what lies between that
//! branch and its target is the loop. A loop is simulated until it repeats itself, so there is
//! nothing to settle: all windows are the same.

use std::time::Duration;

use object::{Object as _, ObjectSegment as _, ObjectSymbol as _};

use super::{
    Device, DeviceError, Fault, HostDescription, KernelReport, RawSample, Resources, Source,
    TickSource,
};
use super::{Window, raw::TICK_OF_CYCLES};
use crate::artifact::{Artifact, KernelFunctions, KernelId, Purpose, ReferenceFunction, Supply};
use crate::llvm::{Control, Loads, ModelError, Simulator, SteadyState};

/// Windows of a sample: as many as make a level.
const WINDOWS: usize = 3;
/// Loops are taken to run at least so often, so that a tick more or less would not count.
const ITERATIONS: u64 = 1000;
/// Bytes that a kernel may use: a model looks at no address.
const MEMORY: u64 = u64::MAX;
/// Functions that call functions end here: templates do not go deeper.
const DEEPEST_CALL: usize = 4;

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
            resources: Resources::default(),
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
        let code = LoopCode::find(image, symbol, &mut self.simulator)?;
        self.simulator.covers(&code.before, &code.body)?;
        let steady = self.simulator.run_loop(&code.before, &code.body, Loads::GoAhead)?;
        Ok(KernelReport::Executed { ticks: steady.cycles.div_ceil(steady.iterations) })
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
        let code = LoopCode::find(image, symbol, &mut self.simulator)?;
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
            kernel.needs.check(&Supply::of_one_core(MEMORY)).map_err(|lacking| {
                DeviceError::Refused(format!("kernel {} cannot run here: {lacking}", kernel.id.0))
            })?;
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
    /// LLVM says no to an instruction: a finding.
    Code(ModelError),
    /// The shared object is not what it should be: an error.
    Image(String),
}

impl From<ModelError> for FunctionFailure {
    fn from(error: ModelError) -> Self {
        Self::Code(error)
    }
}

/// What a core would do.
fn fault(error: ModelError) -> Fault {
    match error {
        ModelError::NotModelled => Fault::NotModelled,
        ModelError::Code(_) => Fault::IllegalInstruction,
    }
}

fn lowest_common_multiple(a: u64, b: u64) -> u64 {
    let (mut low, mut high) = (a, b);
    while low != 0 {
        (low, high) = (high % low, low);
    }
    a / high * b
}

/// A shared object, ready to be looked into.
struct SharedObject<'a> {
    file: object::File<'a>,
}

impl<'a> SharedObject<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, DeviceError> {
        object::File::parse(bytes)
            .map(|file| Self { file })
            .map_err(|error| DeviceError::Refused(format!("the shared object is broken: {error}")))
    }

    fn address_of(&self, symbol: &str) -> Result<u64, FunctionFailure> {
        self.file
            .dynamic_symbols()
            .find(|known| known.name() == Ok(symbol))
            .map(|known| known.address())
            .ok_or_else(|| {
                FunctionFailure::Image(format!("the shared object has no function {symbol}"))
            })
    }

    /// What is mapped from an address on.
    fn code_at(&self, address: u64) -> Option<&'a [u8]> {
        self.file.segments().find_map(|segment| {
            let offset = usize::try_from(address.checked_sub(segment.address())?).ok()?;
            segment.data().ok()?.get(offset..).filter(|code| !code.is_empty())
        })
    }
}

/// The code of a function up to the end of its loop.
#[derive(Default)]
struct LoopCode {
    /// What runs before the loop, in that order.
    before: Vec<u8>,
    /// The loop.
    body: Vec<u8>,
}

impl LoopCode {
    fn find(
        image: &SharedObject<'_>,
        symbol: &str,
        simulator: &mut Simulator,
    ) -> Result<Self, FunctionFailure> {
        let mut found = Self::default();
        let start = image.address_of(symbol)?;
        // Where in `before` the code at each address of this function stands.
        let mut places: Vec<(u64, usize)> = Vec::new();
        let mut address = start;
        loop {
            let (step, code) = step(image, address, simulator)?;
            places.push((address, found.before.len()));
            found.before.extend(code);
            match step {
                Control::Branch(Some(target)) if (start..=address).contains(&target) => {
                    let at = places.iter().find(|(known, _)| *known == target);
                    let &(_, at) = at.ok_or_else(|| no_loop(symbol))?;
                    found.body = found.before.split_off(at);
                    return Ok(found);
                }
                Control::Call(Some(target)) => found.call(image, target, simulator, 0)?,
                Control::Return => return Err(no_loop(symbol)),
                Control::Call(None) | Control::Branch(_) | Control::Next => {}
            }
            address += code.len() as u64;
        }
    }

    /// Appends what a function does before its first return.
    fn call(
        &mut self,
        image: &SharedObject<'_>,
        start: u64,
        simulator: &mut Simulator,
        depth: usize,
    ) -> Result<(), FunctionFailure> {
        let mut address = start;
        loop {
            let (control, code) = step(image, address, simulator)?;
            self.before.extend(code);
            match control {
                // A branch to what a register holds: the way back, where that is not the usual one.
                Control::Return | Control::Branch(None) => return Ok(()),
                Control::Call(Some(target)) if depth < DEEPEST_CALL => {
                    self.call(image, target, simulator, depth + 1)?;
                }
                _ => {}
            }
            address += code.len() as u64;
        }
    }
}

fn step<'a>(
    image: &SharedObject<'a>,
    address: u64,
    simulator: &mut Simulator,
) -> Result<(Control, &'a [u8]), FunctionFailure> {
    let code = image
        .code_at(address)
        .ok_or_else(|| FunctionFailure::Image(format!("there is no code at {address:#x}")))?;
    let step = simulator.step(code, address)?;
    Ok((step.control, &code[..step.length]))
}

fn no_loop(symbol: &str) -> FunctionFailure {
    FunctionFailure::Image(format!("{symbol} has no loop"))
}
