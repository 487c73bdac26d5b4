//! Kernels to launches, and launches to findings: the same for all vendors.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::answer::Cause;
use crate::app::Failure;
use crate::device::DeviceError;
use crate::device::gpu::{GpuDevice, GpuJob, GpuLaunch, GpuModule, GpuOutcome, GpuReply, GpuRun};
use crate::gpu::form::{GpuExperiment, MatrixElement};
use crate::gpu::record::{self, GpuRecord};
use crate::gpu::{ClockBits, GpuFinding, GpuFindings, reduce};

/// Milliseconds for a module to be ready, and for a launch with its repetitions.
const LIMIT: u32 = 20_000;
/// How often the two launches of a figure are repeated.
const REPETITIONS: u32 = 7;

/// A module with kernels to be launched.
pub(super) struct GpuBench {
    /// The code object, or the PTX text.
    pub module: Arc<[u8]>,
    /// The kernels.
    pub kernels: Vec<BenchKernel>,
    /// What tells the time in their records.
    pub clock: ClockBits,
    /// The elements of D.
    pub d: MatrixElement,
    /// Up to where sums are exact, besides what the elements of D allow.
    pub exact: f64,
    /// Operations of an instance.
    pub operations: f64,
    /// Threads of a wavefront, or of the smallest group that runs an instance together.
    pub threads: u32,
    /// Threads of a record.
    pub lanes: u32,
}

/// A kernel of a module.
pub(super) struct BenchKernel {
    /// What it finds out. Where two kernels after each other find out the same, it is the difference that tells.
    pub experiment: GpuExperiment,
    pub symbol: String,
    /// Instances in its loop.
    pub instances: u32,
    /// Iterations of the shorter launch; the other one has twice as many.
    pub iterations: u32,
    /// Its arguments behind the number of wavefronts of a block.
    pub arguments: Vec<u8>,
    /// What its first result grows by in an iteration, where that is known.
    pub growth: Option<f64>,
}

/// A launch of its own whose result is known.
struct KnownSum {
    iterations: u32,
    sum: f64,
}

impl GpuBench {
    /// The longest launch of a kernel whose sum is exact.
    fn known_sum(&self, kernel: &BenchKernel) -> Option<KnownSum> {
        let growth = kernel.growth?;
        let (exact, _) = self.d.sum(0)?;
        let most = exact.min(self.exact) / growth;
        let iterations = f64::from(kernel.iterations).min(most.floor()) as u32;
        (iterations > 0).then(|| KnownSum { iterations, sum: f64::from(iterations) * growth })
    }

    /// One launch of a kernel: so many blocks of so many groups of threads each.
    pub fn launch(&self, kernel: &BenchKernel, (blocks, groups): (u32, u32)) -> GpuLaunch {
        let threads = groups * self.threads;
        let records = threads / self.lanes;
        let arguments = [&records.to_le_bytes()[..], &kernel.arguments].concat();
        GpuLaunch {
            symbol: kernel.symbol.clone(),
            blocks,
            threads,
            bytes: blocks * records * record::BYTES,
            iterations: vec![kernel.iterations, 2 * kernel.iterations],
            arguments: arguments.into(),
            repetitions: REPETITIONS,
            hold: 0,
            sample: None,
            product: None,
        }
    }
}

/// What a job came to.
pub(super) struct Answer {
    /// The compiled module, or why there is none.
    pub module: Result<GpuModule, String>,
    /// What became of each launch.
    pub launches: Vec<GpuOutcome>,
}

/// Has launches of a module done.
///
/// # Errors
/// When the device breaks.
pub(super) fn run(
    device: &mut GpuDevice,
    module: &Arc<[u8]>,
    launches: Vec<GpuLaunch>,
) -> Result<Answer, Failure> {
    let job = GpuJob { module: Arc::clone(module), launches, limit: LIMIT };
    let mut answer =
        Answer { module: Err("the driver said nothing of it".to_owned()), launches: Vec::new() };
    let done = device.run(&job, &mut |reply| match reply {
        GpuReply::Facts(_) => {}
        GpuReply::Ready(module) => answer.module = Ok(module),
        GpuReply::Refused(reason) => answer.module = Err(reason),
        GpuReply::Launched(outcome) => answer.launches.push(outcome),
    });
    match done {
        Ok(()) => Ok(answer),
        // The driver died of this module, or hangs on it: that says nothing of others.
        Err(DeviceError::Refused(reason)) => {
            answer.module = Err(reason);
            Ok(answer)
        }
        Err(error) => Err(error.into()),
    }
}

/// Has each kernel of a bench launched, alone: what the experiments found. `judge` says what stands beside a
/// figure, or why what was launched is not what was asked for.
///
/// # Errors
/// When the device breaks.
pub(super) fn findings(
    device: &mut GpuDevice,
    bench: &GpuBench,
    judge: impl Fn(&Answer, &BenchKernel) -> Result<Option<String>, String>,
) -> Result<GpuFindings, Failure> {
    let proven = |kernel: &BenchKernel| {
        let mut launch = bench.launch(kernel, (1, 1));
        if let Some(known) = bench.known_sum(kernel) {
            launch.iterations.insert(0, known.iterations);
        }
        launch
    };
    let launches = bench.kernels.iter().map(proven).collect();
    let answer = run(device, &bench.module, launches)?;
    let of_kernel = |place: usize| {
        let kernel = &bench.kernels[place];
        let Some(outcome) = answer.launches.get(place) else {
            let reason = answer.module.as_ref().err().map_or("it was not launched", String::as_str);
            return Err(Cause::InWords(reason.to_owned()));
        };
        let remark = judge(&answer, kernel).map_err(Cause::InWords)?;
        Ok((KernelFigure::of(bench, kernel, outcome)?, remark))
    };
    let finding = |places: Vec<usize>| {
        let all: Result<Vec<_>, Cause> = places.into_iter().map(of_kernel).collect();
        let figure = all.and_then(|all| {
            let remark = all.iter().find_map(|(_, remark)| remark.clone());
            match all.as_slice() {
                [(short, _), (long, _)] => Ok((long.beyond(short)?, remark)),
                [(one, _), ..] => Ok((one.each(), remark)),
                [] => Err(Cause::InWords("there is no kernel".to_owned())),
            }
        });
        match figure {
            Ok(((value, uncertainty), remark)) => GpuFinding::Cycles { value, uncertainty, remark },
            Err(cause) => GpuFinding::Nothing(cause),
        }
    };
    let mut places: BTreeMap<GpuExperiment, Vec<usize>> = BTreeMap::new();
    for (place, kernel) in bench.kernels.iter().enumerate() {
        places.entry(kernel.experiment).or_default().push(place);
    }
    Ok(places.into_iter().map(|(experiment, places)| (experiment, finding(places))).collect())
}

/// The records of each launch, or why there are none.
pub(super) fn records(outcome: &GpuOutcome) -> Result<(&GpuRun, Vec<Vec<GpuRecord>>), Cause> {
    let run = ran(outcome)?;
    let all = run.times.iter().map(|time| record::read(&time.memory));
    let all: Result<Vec<_>, _> = all.collect();
    Ok((run, all.map_err(|error| Cause::InWords(error.to_string()))?))
}

/// What ran, or why nothing did.
pub(super) fn ran(outcome: &GpuOutcome) -> Result<&GpuRun, Cause> {
    match outcome {
        GpuOutcome::Ran(run) => Ok(run),
        GpuOutcome::Failed(words) => Err(Cause::InWords(words.clone())),
        GpuOutcome::TimedOut(seconds) => {
            Err(Cause::InWords(format!("the kernel did not end within {seconds} s")))
        }
        GpuOutcome::Crashed(signal) => {
            Err(Cause::InWords(format!("the driver died of signal {signal}")))
        }
    }
}

/// What the loop of a kernel takes, with what the records prove.
struct KernelFigure {
    instances: f64,
    /// Cycles of the loop, and how far they may be off.
    cycles: f64,
    uncertainty: f64,
}

impl KernelFigure {
    fn of(bench: &GpuBench, kernel: &BenchKernel, outcome: &GpuOutcome) -> Result<Self, Cause> {
        let (_, launches) = records(outcome)?;
        let known = bench.known_sum(kernel);
        let mut pairs = Vec::new();
        for round in launches.chunks(2 + usize::from(known.is_some())) {
            if let Some(known) = &known {
                check_sum(bench, known, &round[0])?;
            }
            pairs.extend_from_slice(&round[usize::from(known.is_some())..]);
        }
        let figure = reduce(&pairs, kernel.iterations, kernel.instances, bench.clock)
            .map_err(|error| Cause::InWords(error.to_string()))?;
        let instances = f64::from(kernel.instances);
        let cycles = instances * figure.cycles;
        Ok(Self { instances, cycles, uncertainty: cycles * figure.spread })
    }

    /// Cycles of an instance, and how far they may be off.
    fn each(&self) -> (f64, f64) {
        (self.cycles / self.instances, self.uncertainty / self.instances)
    }

    /// The same of the instances that a shorter loop has not, without what both loops take besides.
    fn beyond(&self, short: &Self) -> Result<(f64, f64), Cause> {
        let (instances, cycles) = (self.instances - short.instances, self.cycles - short.cycles);
        if instances <= 0.0 || cycles <= 0.0 {
            return Err(Cause::InWords("more instances take no longer".to_owned()));
        }
        Ok((cycles / instances, (self.uncertainty + short.uncertainty) / instances))
    }
}

/// A chain that was none has another result.
fn check_sum(bench: &GpuBench, known: &KnownSum, records: &[GpuRecord]) -> Result<(), Cause> {
    let expected = known.sum;
    let sums = records.iter().filter_map(|record| Some(bench.d.sum(record.result)?.1));
    match sums.into_iter().find(|sum| *sum != expected) {
        Some(sum) => Err(Cause::InWords(format!("wrong result: {sum} instead of {expected}"))),
        None => Ok(()),
    }
}
