//! The process that a job is done in: it alone opens the driver's library.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::library::{Gpu, GpuError, Module, ProductLibrary};
use super::power::Sampler;
use super::product::LibraryProduct;
use super::{
    GpuChoice, GpuJob, GpuLaunch, GpuModule, GpuOutcome, GpuReply, GpuRun, GpuTime, GpuVendor,
};

/// What a child is told: which GPU, the job, and how many of its launches others have had before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Task {
    pub choice: GpuChoice,
    pub job: GpuJob,
    pub done: usize,
}

impl Task {
    /// Whether only the GPU is asked for.
    fn is_of_facts(&self) -> bool {
        self.job.module.is_empty() && self.job.launches.is_empty()
    }

    /// Whether a child that has said its facts, or that its module is ready, and what became of so many
    /// launches, has no more to say.
    pub fn is_done(&self, reply: &GpuReply, launched: usize) -> bool {
        match reply {
            GpuReply::Facts(_) => self.is_of_facts(),
            _ => self.done + launched >= self.job.launches.len(),
        }
    }
}

/// Reads tasks from the input, does them, and writes a line for each part of them.
///
/// # Errors
/// When the pipe fails, or a line is no task.
pub fn serve(input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let mut opened: Option<Gpu> = None;
    for line in input.lines() {
        let task: Task = serde_json::from_str(&line?)?;
        let mut say = |reply: &GpuReply| {
            let mut line = serde_json::to_vec(reply)?;
            line.push(b'\n');
            output.write_all(&line)?;
            output.flush()
        };
        let known = opened.take().map_or_else(|| Gpu::open(task.choice), Ok);
        let gpu = match known.and_then(|gpu| Ok((gpu.facts()?, gpu))) {
            Ok((facts, gpu)) => {
                say(&GpuReply::Facts(facts))?;
                gpu
            }
            Err(error) => return say(&GpuReply::Refused(error.to_string())),
        };
        if !work(&gpu, &task, &mut say)? {
            return Ok(());
        }
        opened = Some(gpu);
    }
    Ok(())
}

/// Does a task; whether the GPU's context is as good as before.
fn work(
    gpu: &Gpu,
    task: &Task,
    say: &mut impl FnMut(&GpuReply) -> io::Result<()>,
) -> io::Result<bool> {
    if task.is_of_facts() {
        return Ok(true);
    }
    let module = match prepare(gpu, task.choice, &task.job) {
        Ok((module, ready)) => {
            say(&GpuReply::Ready(ready))?;
            module
        }
        Err(error) => {
            say(&GpuReply::Refused(error.to_string()))?;
            return Ok(false);
        }
    };
    for launch in task.job.launches.iter().skip(task.done) {
        let outcome = match (launch.product, &module) {
            (Some(product), _) => multiplied(gpu, task.choice, product, launch),
            (None, Some(module)) => launched(gpu, task.choice, module, launch),
            (None, None) => Ok(GpuOutcome::Failed("there is no module".to_owned())),
        };
        let outcome = outcome.unwrap_or_else(|error| GpuOutcome::Failed(error.to_string()));
        // A kernel that faulted has broken the context: the next launches go to another process.
        let is_broken = matches!(outcome, GpuOutcome::Failed(_));
        say(&GpuReply::Launched(outcome))?;
        if is_broken {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Compiles the module, where it is text, and loads it; there is none where libraries alone are asked.
fn prepare(
    gpu: &Gpu,
    choice: GpuChoice,
    job: &GpuJob,
) -> Result<(Option<Module>, GpuModule), GpuError> {
    let ready = GpuModule { compiled: [].into(), log: String::new() };
    if job.module.is_empty() {
        return Ok((None, ready));
    }
    if choice.vendor == GpuVendor::Hip {
        return Ok((Some(gpu.load(&job.module)?), ready));
    }
    let compilation = gpu.compile(&job.module)?;
    let module = gpu.load(&compilation.code)?;
    Ok((Some(module), GpuModule { compiled: compilation.code.into(), log: compilation.log }))
}

/// Has the vendor's library multiply.
fn multiplied(
    gpu: &Gpu,
    choice: GpuChoice,
    product: LibraryProduct,
    launch: &GpuLaunch,
) -> Result<GpuOutcome, GpuError> {
    let library = ProductLibrary::open(choice.vendor)?;
    let [factor, result, _] = product.routine.types();
    let filled = |bytes: &[u8]| {
        let memory = gpu.memory(bytes.len())?;
        gpu.write(&memory, bytes)?;
        Ok::<_, GpuError>(memory)
    };
    let (a, b) = (filled(&product.ones(factor))?, filled(&product.identity(factor))?);
    let ones = product.ones(result);
    let c = filled(&ones)?;
    let one = |iterations: &u32| {
        // The result stands where C did.
        gpu.write(&c, &ones)?;
        let all = || (0..*iterations).try_for_each(|_| library.multiply(product, [&a, &b, &c]));
        let elapsed = gpu.timed(all)?;
        let memory = gpu.read(&c, launch.bytes as usize)?.into();
        Ok::<_, GpuError>(GpuTime { elapsed, memory })
    };
    let mut times = Vec::new();
    for round in 0..=launch.repetitions {
        for iterations in &launch.iterations {
            let time = one(iterations)?;
            // Once for nothing.
            if round > 0 {
                times.push(time);
            }
        }
    }
    Ok(GpuOutcome::Ran(GpuRun { registers: 0, times, power: Vec::new() }))
}

fn launched(
    gpu: &Gpu,
    choice: GpuChoice,
    module: &Module,
    launch: &GpuLaunch,
) -> Result<GpuOutcome, GpuError> {
    let kernel = gpu.kernel(module, &launch.symbol)?;
    let memory = gpu.memory(launch.bytes as usize)?;
    let round = || -> Result<Vec<GpuTime>, GpuError> {
        let one = |iterations: &u32| {
            let arguments = [&iterations.to_le_bytes()[..], &launch.arguments].concat();
            let size = (launch.blocks, launch.threads);
            let (elapsed, memory) = gpu.run(&kernel, &memory, size, &arguments)?;
            Ok(GpuTime { elapsed, memory: memory.into() })
        };
        launch.iterations.iter().map(one).collect()
    };
    round()?;
    let mut times = Vec::new();
    let begin = Instant::now();
    let hold = Duration::from_millis(launch.hold.into());
    let period = launch.sample.map(|period| Duration::from_millis(period.max(1).into()));
    let sampler = match period {
        Some(period) => Sampler::start(choice, &gpu.bus()?, period),
        None => None,
    };
    // What is timed is what runs once power has settled: a GPU may lower its clock until then.
    while begin.elapsed() < hold {
        round()?;
    }
    for _ in 0..launch.repetitions {
        times.extend(round()?);
    }
    let power = sampler.map(Sampler::stop).unwrap_or_default();
    Ok(GpuOutcome::Ran(GpuRun { registers: kernel.registers, times, power }))
}
