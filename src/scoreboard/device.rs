//! A machine that a file describes, as a device: it takes the same shared objects as a core.

use std::collections::HashMap;

use super::clock::{Clockwork, ITERATIONS, SampledLoops};
use super::decoder::Decoder;
use super::machine::ScoreboardMachine;
use super::noise::Noise;
use super::program::{Circumstances, Undescribed};
use super::run::Period;
use crate::artifact::{
    Artifact, KernelFunctions, KernelId, Needs, Purpose, ReferenceFunction, Supply,
};
use crate::codec::{CodeError, FlowReader};
use crate::device::{
    DataCache, Device, DeviceError, Fault, HostDescription, KernelReport, LogicalCpu, LoopCode,
    LoopFailure, RawSample, Resources, SharedObject, Source, ThreadSample, TickSource,
    lowest_common_multiple,
};

/// Bytes that the buffers of a kernel may have, all together: no address is looked at, and a sweep goes on
/// to twice the last cache.
const BUFFERS: u64 = 1 << 42;

/// A scoreboard as a device.
pub struct ScoreboardDevice {
    machine: ScoreboardMachine,
    decoder: Decoder,
    flow: Box<dyn FlowReader>,
    clock: Clockwork,
    noise: Option<Noise>,
    host: HostDescription,
    /// How reference loops run, which stand in every shared object: by their code, for each machine.
    references: HashMap<(usize, Vec<u8>), Period>,
}

impl ScoreboardDevice {
    /// A machine that executes the code of an architecture, which `flow` and `decoder` read.
    #[must_use]
    pub fn new(
        machine: ScoreboardMachine,
        decoder: Decoder,
        flow: Box<dyn FlowReader>,
        architecture: &str,
    ) -> Self {
        let clock = Clockwork::new(&machine.clock, 1);
        let host = HostDescription {
            architecture: architecture.to_owned(),
            cpu: machine.name.clone(),
            cpuinfo: String::new(),
            extensions: Vec::new(),
            system: format!("scoreboard of winic {}", env!("CARGO_PKG_VERSION")),
            source: Source::Simulated,
            core: None,
            ticks: Some(match machine.clock.ticks {
                Some(_) => TickSource::TimeStamp,
                None => TickSource::CycleCounter,
            }),
            tick_rate: machine.clock.ticks.map(|(rate, _)| rate),
            tick_step: clock.step(),
            advice: Vec::new(),
            resources: resources(&machine),
        };
        let noise = machine.noise.map(Noise::new);
        Self { machine, decoder, flow, clock, noise, host, references: HashMap::new() }
    }

    fn report(
        &mut self,
        image: &SharedObject<'_>,
        kernel: &KernelFunctions,
        reference: &ReferenceFunction,
    ) -> Result<KernelReport, DeviceError> {
        let timed = match kernel.purpose {
            Purpose::Probe => self.probe(image, kernel),
            Purpose::Time => self.time(image, kernel, reference),
        };
        match timed {
            Ok(report) => Ok(report),
            Err(RunFailure::Fault(fault)) => Ok(KernelReport::Faulted(fault)),
            Err(RunFailure::Image(reason)) => Err(DeviceError::Refused(reason)),
        }
    }

    fn probe(
        &mut self,
        image: &SharedObject<'_>,
        kernel: &KernelFunctions,
    ) -> Result<KernelReport, RunFailure> {
        let (period, _) = self.period(0, image, &kernel.single, circumstances(&kernel.needs))?;
        let once = Period { ticks: period.ticks / period.iterations, iterations: 1, ..period };
        Ok(KernelReport::Executed { ticks: self.clock.reading(once, 1, 1.0, 0.0).max(1) })
    }

    fn time(
        &mut self,
        image: &SharedObject<'_>,
        kernel: &KernelFunctions,
        reference: &ReferenceFunction,
    ) -> Result<KernelReport, RunFailure> {
        let mut threads = Vec::new();
        let mut cpus = self.host.resources.cpus.clone().into_iter();
        let mut rest = kernel.needs.cores.max(1);
        for machine in 0..=self.machine.others.len() {
            let own = rest.min(self.machine_of(machine).cores);
            rest -= own;
            if own == 0 {
                continue;
            }
            let circumstances = Circumstances { threads: own, ..circumstances(&kernel.needs) };
            let mut sample = self.sampler(machine, (image, kernel, reference), circumstances)?;
            if !kernel.needs.is_parallel() {
                return Ok(KernelReport::Timed(sample(self.noise.as_mut())));
            }
            threads.extend(cpus.by_ref().take(own as usize).map(|cpu| ThreadSample {
                cpu: Some(cpu.cpu),
                huge: None,
                sample: sample(self.noise.as_mut()),
            }));
        }
        Ok(KernelReport::Parallel(threads))
    }

    /// What makes samples of a kernel on one of the machines.
    fn sampler(
        &mut self,
        machine: usize,
        (image, kernel, reference): (&SharedObject<'_>, &KernelFunctions, &ReferenceFunction),
        circumstances: Circumstances,
    ) -> Result<impl FnMut(Option<&mut Noise>) -> RawSample + use<>, RunFailure> {
        let (single, code) = self.period(machine, image, &kernel.single, circumstances)?;
        let double = match &kernel.double {
            Some(symbol) => Some(self.period(machine, image, symbol, circumstances)?.0),
            None => None,
        };
        let chain = self.reference(machine, image, reference)?;
        let common = double.map_or(single.iterations, |double| {
            lowest_common_multiple(single.iterations, double.iterations)
        });
        let iterations = common * ITERATIONS.div_ceil(common);
        let loops = SampledLoops { single, double, reference: chain, iterations };
        let clockwork = Clockwork::new(&self.machine_of(machine).clock, circumstances.cores);
        Ok(move |noise: Option<&mut Noise>| {
            let factor = noise.map_or(1.0, |noise| noise.factor(&code));
            clockwork.sample(loops, factor)
        })
    }

    /// The machine itself, and behind it those whose cores it has besides.
    fn machine_of(&self, number: usize) -> &ScoreboardMachine {
        number.checked_sub(1).map_or(&self.machine, |other| &self.machine.others[other])
    }

    /// What the reference takes. Where ticks are cycles it has nothing to tell, so that a machine
    /// need not describe it.
    fn reference(
        &mut self,
        machine: usize,
        image: &SharedObject<'_>,
        reference: &ReferenceFunction,
    ) -> Result<Period, RunFailure> {
        if self.machine.clock.ticks.is_none() {
            return Ok(Period::of_cycles(reference.cycles_per_iteration));
        }
        let code = LoopCode::find(image, &reference.symbol, &*self.flow)?.body;
        let key = (machine, code);
        if let Some(known) = self.references.get(&key) {
            return Ok(*known);
        }
        let (period, _) =
            self.period(machine, image, &reference.symbol, circumstances(&Needs::default()))?;
        self.references.insert(key, period);
        Ok(period)
    }

    /// How the loop of a function runs, and its code.
    fn period(
        &mut self,
        machine: usize,
        image: &SharedObject<'_>,
        symbol: &str,
        circumstances: Circumstances,
    ) -> Result<(Period, Vec<u8>), RunFailure> {
        let code = LoopCode::find(image, symbol, &*self.flow)?;
        let body = self.decoder.decode(&code.before, &code.body)?;
        let period = self.machine_of(machine).run(&body, circumstances)?;
        if period.off > 0.0 {
            log::debug!("{symbol} does not repeat itself exactly: averaged over {period:?}");
        }
        Ok((period, code.body))
    }
}

/// What a machine has for kernels on several cores, and in buffers.
fn resources(machine: &ScoreboardMachine) -> Resources {
    let cores = machine.cores + machine.others.iter().map(|other| other.cores).sum::<u32>();
    let sized = (1..).zip(&machine.levels).filter_map(|(level, it)| Some((level, it, it.size?)));
    let caches = sized.map(|(level, it, bytes)| DataCache { level, bytes, shared: it.shared_by });
    Resources {
        cpus: (0..cores).map(|cpu| LogicalCpu { cpu, core: cpu }).collect(),
        caches: caches.collect(),
        memory: BUFFERS,
        low: 0,
    }
}

/// Without a buffer a kernel goes through the region of its shared object.
fn circumstances(needs: &Needs) -> Circumstances {
    Circumstances {
        threads: needs.cores,
        cores: needs.cores,
        working_set: needs.buffer.map_or(needs.memory, |buffer| buffer.bytes),
        loads_wait: needs.passes_memory,
    }
}

impl Device for ScoreboardDevice {
    fn describe(&self) -> &HostDescription {
        &self.host
    }

    /// Where it makes noise, or its ticks are none of the core's, it is to be treated as a core.
    fn is_model(&self) -> bool {
        self.noise.is_none() && self.machine.clock.ticks.is_none()
    }

    fn run(
        &mut self,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<(), DeviceError> {
        let image = SharedObject::read(&artifact.image)?;
        // No address is looked at in it.
        let supply = Supply { memory: u64::MAX, ..self.host.resources.supply() };
        for kernel in &artifact.kernels {
            kernel.needs.check(&supply).map_err(|lacking| {
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
enum RunFailure {
    /// What a core would do, or the machine's description lacks: a finding.
    Fault(Fault),
    /// The shared object is not what it should be: an error.
    Image(String),
}

impl From<LoopFailure> for RunFailure {
    fn from(failure: LoopFailure) -> Self {
        match failure {
            LoopFailure::Code(error) => error.into(),
            LoopFailure::Image(reason) => Self::Image(reason),
        }
    }
}

impl From<CodeError> for RunFailure {
    fn from(_: CodeError) -> Self {
        Self::Fault(Fault::IllegalInstruction)
    }
}

impl From<Undescribed> for RunFailure {
    fn from(undescribed: Undescribed) -> Self {
        log::debug!("{undescribed}");
        Self::Fault(Fault::NotModelled)
    }
}
