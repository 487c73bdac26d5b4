//! Kernels to launches, and launches to findings: the same for all vendors.

use std::sync::Arc;

use crate::answer::Cause;
use crate::app::Failure;
use crate::device::DeviceError;
use crate::device::gpu::{GpuDevice, GpuJob, GpuLaunch, GpuModule, GpuOutcome, GpuReply, GpuRun};
use crate::gpu::form::{GpuExperiment, MatrixElement};
use crate::gpu::record::{self, GpuRecord};
use crate::gpu::{ClockBits, GpuFigure, GpuFinding, GpuFindings, reduce};

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
    /// Instances in a loop.
    pub instances: u32,
    /// The elements of D.
    pub d: MatrixElement,
    /// Operations of an instance.
    pub operations: f64,
    /// Threads of a wavefront, or of the smallest group that runs an instance together.
    pub threads: u32,
    /// Threads of a record.
    pub lanes: u32,
}

/// A kernel of a module.
pub(super) struct BenchKernel {
    pub symbol: String,
    /// Iterations of the shorter launch; the other one has twice as many.
    pub iterations: u32,
    /// Its arguments behind the number of wavefronts of a block.
    pub arguments: Vec<u8>,
    /// What its first result must be in both launches, where that is known.
    pub sums: [Option<f64>; 2],
}

impl GpuBench {
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

/// Has each kernel of a bench launched once, alone, for the experiment that it is of: what that found. `judge`
/// says what stands beside a figure, or why what was launched is not what was asked for.
///
/// # Errors
/// When the device breaks.
pub(super) fn findings(
    device: &mut GpuDevice,
    bench: &GpuBench,
    experiments: impl Iterator<Item = GpuExperiment>,
    judge: impl Fn(&Answer, &BenchKernel) -> Result<Option<String>, String>,
) -> Result<GpuFindings, Failure> {
    let launches = bench.kernels.iter().map(|kernel| bench.launch(kernel, (1, 1))).collect();
    let answer = run(device, &bench.module, launches)?;
    let of_kernel = |(place, kernel): (usize, &BenchKernel)| match answer.launches.get(place) {
        Some(outcome) => match judge(&answer, kernel) {
            Ok(remark) => finding(bench, kernel, outcome, remark),
            Err(reason) => GpuFinding::Nothing(Cause::InWords(reason)),
        },
        None => {
            let reason = answer.module.as_ref().err().map_or("it was not launched", String::as_str);
            GpuFinding::Nothing(Cause::InWords(reason.to_owned()))
        }
    };
    Ok(experiments.zip(bench.kernels.iter().enumerate().map(of_kernel)).collect())
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

/// The cycles of an instance, with what the records prove.
fn finding(
    bench: &GpuBench,
    kernel: &BenchKernel,
    outcome: &GpuOutcome,
    remark: Option<String>,
) -> GpuFinding {
    figure(bench, kernel, outcome).map_or_else(GpuFinding::Nothing, |figure| GpuFinding::Cycles {
        value: figure.cycles,
        uncertainty: figure.spread * figure.cycles,
        remark,
    })
}

fn figure(
    bench: &GpuBench,
    kernel: &BenchKernel,
    outcome: &GpuOutcome,
) -> Result<GpuFigure, Cause> {
    let (_, launches) = records(outcome)?;
    for (number, launch) in launches.iter().enumerate() {
        check_sums(bench, kernel.sums[number % 2], launch)?;
    }
    reduce(&launches, kernel.iterations, bench.instances, bench.clock)
        .map_err(|error| Cause::InWords(error.to_string()))
}

/// A chain that was none has another result.
fn check_sums(bench: &GpuBench, expected: Option<f64>, records: &[GpuRecord]) -> Result<(), Cause> {
    let Some(expected) = expected else { return Ok(()) };
    for record in records {
        let Some((exact, sum)) = bench.d.sum(record.result) else { return Ok(()) };
        if expected <= exact && sum != expected {
            return Err(Cause::InWords(format!("wrong result: {sum} instead of {expected}")));
        }
    }
    Ok(())
}
