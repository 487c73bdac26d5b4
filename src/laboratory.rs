//! The laboratory answers experiments: it builds their kernels, many to a shared object, while
//! the device runs those before, and reduces what comes back.

mod timebase;

pub use timebase::Timebase;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use crate::artifact::{
    Artifact, KernelFunctions, KernelId, Lacking, Needs, Purpose, ReferenceFunction, Supply,
};
use crate::assemble::{AssembleError, Linker, assemble};
use crate::catalogue::Catalogue;
use crate::codec::{Assembler, Codec};
use crate::device::{Device, DeviceError, KernelReport, RawSample, Window};
use crate::experiment::{Experiment, Probe};
use crate::infer::{Finding, Knowledge, Trust};
use crate::journal::{Journal, JournalError};
use crate::kernel::{Audience, Kernel, render};
use crate::metadata::{OpcodeId, OperandValue, RegisterId};
use crate::repetition::{self, Patience};

/// Kernels in one shared object: enough that starting the linker does not count, few enough
/// that the device is never without work.
const BATCH: usize = 384;
/// Kernels in the first shared object of a round, so that the device starts at once.
const FIRST_BATCH: usize = 64;
/// Shared objects that may be ready before the device takes them.
const READY: usize = 2;

/// Everything that answers experiments.
pub struct Laboratory<'a> {
    /// Runs kernels.
    pub device: &'a mut dyn Device,
    /// Makes durations of what it reports.
    pub timebase: &'a Timebase,
    /// Encodes and assembles.
    pub assembler: &'a mut dyn Assembler,
    /// Links.
    pub linker: &'a Linker,
    /// Keeps findings, and has those of a run that this one continues.
    pub journal: &'a mut Journal,
    /// Set when the user wants to stop.
    pub interrupted: &'a AtomicBool,
    /// How long what took.
    pub times: Times,
    /// How long to wait for others to leave the core.
    pub patience: &'a mut Patience,
}

/// Where the time of a run went.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// Thinking about what to ask next.
    pub planning: Duration,
    /// Building kernels: registers, encoding, text.
    pub building: Duration,
    /// Assembling and linking.
    pub assembling: Duration,
    /// The device without work, because nothing is built yet.
    pub idling: Duration,
    /// The device at work.
    pub running: Duration,
    /// Waiting until others leave the core.
    pub waiting: Duration,
    /// Making latencies and throughputs of all findings.
    pub concluding: Duration,
    /// Writing the database and the report.
    pub writing: Duration,
    /// Ticks inside timed windows.
    pub window_ticks: u64,
    /// Kernels run.
    pub kernels: u64,
}

/// Does something and adds how long it took.
pub fn timed<T>(sum: &mut Duration, action: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let outcome = action();
    *sum += started.elapsed();
    outcome
}

/// Why the laboratory cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LaboratoryError {
    /// No shared object could be made.
    #[error(transparent)]
    Assemble(#[from] AssembleError),
    /// The device broke.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Findings cannot be kept.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// A shared object on its way to the device.
struct Batch {
    artifact: Artifact,
    experiments: HashMap<KernelId, (Experiment, u32)>,
    impossible: Vec<(Experiment, String)>,
    building: Duration,
    assembling: Duration,
}

impl Batch {
    /// The experiment of a kernel, with the number of its instances.
    fn asked(&self, id: KernelId) -> Option<&(Experiment, u32)> {
        self.experiments.get(&id)
    }

    /// Leaves only the kernels whose findings are doubtful; whether there are any.
    fn keep_doubtful(&mut self, knowledge: &Knowledge, trust: &Trust) -> bool {
        let Self { artifact, experiments, .. } = self;
        artifact.kernels.retain(|kernel| {
            let asked = experiments.get(&kernel.id);
            asked.is_some_and(|(asked, _)| knowledge.is_doubtful(asked, trust))
        });
        // A chain that is doubtful was delayed by whoever shares the core: now it waits, too.
        artifact.kernels.iter_mut().for_each(|kernel| kernel.alone = true);
        !self.artifact.kernels.is_empty()
    }

    /// Tells the device how fast the sentinel is on a quiet core, as far as that is known, and how
    /// long to wait for one.
    fn expect(&mut self, trust: &Trust, patience: Patience) {
        if let Some(sentinel) = &mut self.artifact.sentinel {
            sentinel.quiet = trust.quiet();
            sentinel.patience = patience.left();
        }
    }
}

impl Laboratory<'_> {
    /// Whether the user wants no more.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Answers experiments and adds the findings to what is known: from the journal of the run
    /// that this one continues, as long as that has answers, and then by making them. `progress`
    /// is called with the number of experiments done since the last call. Returns early, without
    /// error, when the user interrupts.
    ///
    /// # Errors
    /// When no shared object can be made, the device breaks or the journal cannot be written;
    /// what was found before is kept.
    pub fn answer(
        &mut self,
        experiments: &[Experiment],
        catalogue: &Catalogue,
        knowledge: &mut Knowledge,
        progress: &mut dyn FnMut(usize),
    ) -> Result<(), LaboratoryError> {
        let experiments = &self.recall(experiments, knowledge, progress);
        let interrupted = self.interrupted;
        let mut builder = Builder {
            catalogue,
            assembler: &mut *self.assembler,
            linker: self.linker,
            reference: self.timebase.reference.clone(),
            there: self.device.describe().resources.supply(),
        };
        let mut bench = Bench {
            device: &mut *self.device,
            journal: &mut *self.journal,
            interrupted,
            times: &mut self.times,
            timebase: self.timebase,
            patience: &mut *self.patience,
        };
        let (sender, receiver) = sync_channel(READY);
        std::thread::scope(|scope| {
            let build = move || {
                for batch in builder.batches(experiments, interrupted) {
                    let failed = batch.is_err();
                    if sender.send(batch).is_err() || failed {
                        return;
                    }
                }
            };
            std::thread::Builder::new().spawn_scoped(scope, build).map_err(DeviceError::Thread)?;
            bench.run_batches(receiver.into_iter(), knowledge, progress)
        })
    }

    /// Learns what an earlier run found, and returns the experiments that it did not make. It made
    /// doubtful ones several times, as the bench does; all of their findings are learned.
    fn recall(
        &mut self,
        experiments: &[Experiment],
        knowledge: &mut Knowledge,
        progress: &mut dyn FnMut(usize),
    ) -> Vec<Experiment> {
        let mut left = Vec::new();
        for experiment in experiments {
            match self.journal.recall(experiment) {
                Some(finding) => knowledge.learn(experiment.clone(), finding),
                None => left.push(experiment.clone()),
            }
        }
        loop {
            let trust = knowledge.trust();
            let doubtful = |asked: &&Experiment| knowledge.is_doubtful(asked, &trust);
            let again: Vec<_> = experiments
                .iter()
                .filter(doubtful)
                .filter_map(|asked| Some((asked.clone(), self.journal.recall(asked)?)))
                .collect();
            if again.is_empty() {
                break;
            }
            again.into_iter().for_each(|(asked, finding)| knowledge.learn(asked, finding));
        }
        progress(experiments.len() - left.len());
        left
    }
}

/// A shared object, and the experiments that its kernels answer.
pub type BuiltArtifact = (Artifact, HashMap<KernelId, Experiment>);

/// The shared objects that answer experiments, for no device.
pub fn build_artifacts<'a>(
    experiments: &'a [Experiment],
    catalogue: &'a Catalogue,
    assembler: &'a mut dyn Assembler,
    linker: &'a Linker,
    reference: &'a ReferenceFunction,
) -> impl Iterator<Item = Result<BuiltArtifact, AssembleError>> + 'a {
    let reference = reference.clone();
    let most = u64::MAX;
    let there = Supply { memory: most, low: most, cores: u32::MAX, buffers: most };
    let mut builder = Builder { catalogue, assembler, linker, reference, there };
    cut(experiments).map(move |chunk| {
        let batch = builder.batch(chunk)?;
        let asked = batch.experiments.into_iter().map(|(id, (asked, _))| (id, asked));
        Ok((batch.artifact, asked.collect()))
    })
}

/// Experiments in batches: a small one first, so that the device starts at once.
fn cut(experiments: &[Experiment]) -> impl Iterator<Item = &[Experiment]> {
    let (first, rest) = experiments.split_at(experiments.len().min(FIRST_BATCH));
    std::iter::once(first).chain(rest.chunks(BATCH)).filter(|batch| !batch.is_empty())
}

/// What builds shared objects.
struct Builder<'a> {
    catalogue: &'a Catalogue,
    assembler: &'a mut dyn Assembler,
    linker: &'a Linker,
    reference: ReferenceFunction,
    /// What the device has besides memory in shared objects.
    there: Supply,
}

impl Builder<'_> {
    /// The shared objects of some experiments, each built when it is asked for.
    fn batches<'a>(
        &'a mut self,
        experiments: &'a [Experiment],
        interrupted: &'a AtomicBool,
    ) -> impl Iterator<Item = Result<Batch, AssembleError>> + 'a {
        cut(experiments)
            .take_while(|_| !interrupted.load(Ordering::Relaxed))
            .map(|chunk| self.batch(chunk))
    }

    fn batch(&mut self, experiments: &[Experiment]) -> Result<Batch, AssembleError> {
        build_batch(
            experiments,
            self.catalogue,
            self.assembler,
            self.linker,
            &self.reference,
            &self.there,
        )
    }
}

fn build_batch(
    experiments: &[Experiment],
    catalogue: &Catalogue,
    assembler: &mut dyn Assembler,
    linker: &Linker,
    reference: &ReferenceFunction,
    there: &Supply,
) -> Result<Batch, AssembleError> {
    let started = Instant::now();
    let mut texts = Vec::new();
    let mut kernels = Vec::new();
    let mut by_id = HashMap::new();
    let mut impossible = Vec::new();
    for (number, experiment) in (0_u32..).zip(experiments) {
        let built = functions(experiment, KernelId(number), catalogue, assembler);
        match built.and_then(|built| reachable(built, there)) {
            Ok((text, functions, instances)) => {
                texts.push(text);
                kernels.push(functions);
                by_id.insert(KernelId(number), (experiment.clone(), instances));
            }
            Err(reason) => impossible.push((experiment.clone(), reason)),
        }
    }
    let building = started.elapsed();
    let artifact =
        assemble(&texts, kernels, reference.clone(), &*catalogue.isa, assembler, linker)?;
    Ok(Batch {
        artifact,
        experiments: by_id,
        impossible,
        building,
        assembling: started.elapsed() - building,
    })
}

/// Text, symbols and number of instances of a kernel.
type Built = (String, KernelFunctions, u32);

/// A kernel, where the device has memory that its instructions reach, and room for its buffers.
fn reachable(built: Built, there: &Supply) -> Result<Built, String> {
    let needs = &built.1.needs;
    let buffer = needs.buffer.map_or(0, |buffer| buffer.bytes);
    if needs.low && needs.memory > there.low {
        return Err(Lacking::LowMemory { needed: needs.memory, there: there.low }.to_string());
    }
    if buffer.saturating_mul(needs.cores.into()) > there.buffers {
        let (needed, cores, there) = (buffer, needs.cores, there.buffers);
        return Err(Lacking::Buffers { needed, cores, there }.to_string());
    }
    Ok(built)
}

/// The kernel of an experiment.
fn functions(
    experiment: &Experiment,
    id: KernelId,
    catalogue: &Catalogue,
    codec: &mut dyn Codec,
) -> Result<Built, String> {
    let purpose = experiment.purpose();
    let kernel = experiment.kernel(catalogue).map_err(|error| error.to_string())?;
    let Some(kernel) = kernel else { return template_functions(experiment, id, catalogue) };
    if let Experiment::Probe(Probe { opcode, register: Some((_, register)) }) = *experiment {
        check_register(&kernel, opcode, register, catalogue, codec)?;
    }
    let rendered =
        render(&kernel, &format!("k{}", id.0), catalogue, codec, purpose, Audience::Assembler)
            .map_err(|error| error.to_string())?;
    let functions = KernelFunctions {
        id,
        purpose,
        init: rendered.init,
        single: rendered.single,
        double: rendered.double,
        alone: !experiment.is_chain(),
        needs: kernel.needs(),
    };
    Ok((rendered.text, functions, kernel.instances))
}

/// LLVM's encoder drops what an encoding has no bit for: `ANDN64rr`, of VEX, names `RAX` when it is
/// told `R16`, and executes where `R16` does not exist.
fn check_register(
    kernel: &Kernel,
    opcode: OpcodeId,
    register: RegisterId,
    catalogue: &Catalogue,
    codec: &mut dyn Codec,
) -> Result<(), String> {
    let wanted = OperandValue::Register(register);
    for instruction in kernel.instructions().filter(|instruction| instruction.opcode == opcode) {
        let encodable = catalogue.set.encodable(instruction);
        let bytes = codec.encode(&encodable).map_err(|error| error.to_string())?;
        let (decoded, _) = codec.decode(&bytes).map_err(|error| error.to_string())?;
        if !catalogue.set.listed(opcode, &decoded.operands).contains(&wanted) {
            let name = &catalogue.set.register(register).name;
            return Err(format!("its encoding has no place for {name}"));
        }
    }
    Ok(())
}

/// Reference chains stand in the template, once and twice as long.
fn template_functions(
    experiment: &Experiment,
    id: KernelId,
    catalogue: &Catalogue,
) -> Result<Built, String> {
    let Experiment::Reference { candidate } = *experiment else {
        return Err("no kernel".into());
    };
    let chain = catalogue.isa.references().get(candidate).ok_or("no such reference chain")?;
    let functions = KernelFunctions {
        id,
        purpose: Purpose::Time,
        init: None,
        single: chain.symbol.to_owned(),
        double: Some(format!("{}_twice", chain.symbol)),
        // All else is measured in it.
        alone: true,
        needs: Needs::default(),
    };
    Ok((String::new(), functions, chain.instructions))
}

/// The device's side.
struct Bench<'a> {
    device: &'a mut dyn Device,
    journal: &'a mut Journal,
    timebase: &'a Timebase,
    patience: &'a mut Patience,
    interrupted: &'a AtomicBool,
    times: &'a mut Times,
}

impl Bench<'_> {
    fn run_batches(
        &mut self,
        mut batches: impl Iterator<Item = Result<Batch, AssembleError>>,
        knowledge: &mut Knowledge,
        progress: &mut dyn FnMut(usize),
    ) -> Result<(), LaboratoryError> {
        let mut trust = knowledge.trust();
        while let Some(batch) = timed(&mut self.times.idling, || batches.next()) {
            let mut batch = batch?;
            self.times.building += batch.building;
            self.times.assembling += batch.assembling;
            progress(batch.impossible.len());
            for (experiment, reason) in &batch.impossible {
                let finding = Finding::Impossible(reason.clone());
                learn(knowledge, self.journal, experiment, finding)?;
            }
            batch.expect(&trust, *self.patience);
            self.run(&batch, knowledge, progress)?;
            for _ in 0..repetition::KERNEL {
                trust = knowledge.trust();
                let is_over = self.patience.is_over() || self.is_stopped();
                if is_over || !batch.keep_doubtful(knowledge, &trust) {
                    break;
                }
                batch.expect(&trust, *self.patience);
                self.run(&batch, knowledge, &mut |_| ())?;
            }
            if self.is_stopped() {
                break;
            }
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn run(
        &mut self,
        batch: &Batch,
        knowledge: &mut Knowledge,
        progress: &mut dyn FnMut(usize),
    ) -> Result<(), LaboratoryError> {
        let (timebase, times) = (self.timebase, &mut *self.times);
        let interrupted = self.interrupted;
        let journal = &mut *self.journal;
        let device = &mut *self.device;
        let mut kept = Ok(());
        let mut waited = Duration::ZERO;
        let mut running = Duration::ZERO;
        let ran = timed(&mut running, || {
            device.run(&batch.artifact, &mut |id, report| {
                if let Some((experiment, instances)) = batch.asked(id) {
                    times.kernels += 1;
                    times.window_ticks = times.window_ticks.saturating_add(window_ticks(&report));
                    waited = waited.saturating_add(waiting(&report));
                    let finding = timebase.finding(experiment, &report, *instances);
                    log::debug!("{experiment:?}: {finding:?}");
                    kept = learn(knowledge, journal, experiment, finding);
                    progress(1);
                }
                kept.is_ok() && !interrupted.load(Ordering::Relaxed)
            })
        });
        self.times.running += running.saturating_sub(waited);
        self.times.waiting += waited.min(running);
        self.patience.spend(waited);
        kept?;
        Ok(ran?)
    }
}

/// Takes a finding in and puts it on record.
fn learn(
    knowledge: &mut Knowledge,
    journal: &mut Journal,
    experiment: &Experiment,
    finding: Finding,
) -> Result<(), JournalError> {
    let kept = journal.append(experiment, &finding);
    knowledge.learn(experiment.clone(), finding);
    kept
}

fn waiting(report: &KernelReport) -> Duration {
    let KernelReport::Timed(raw) = report else { return Duration::ZERO };
    raw.waited
}

fn window_ticks(report: &KernelReport) -> u64 {
    let ticks = |window: &Window| {
        let Window { reference_before, single, sentinel, double, reference_after } = *window;
        [reference_before, single, sentinel, double, reference_after]
    };
    let of_sample = |raw: &RawSample| {
        // A runner may report anything.
        raw.windows.iter().flat_map(ticks).fold(0, u64::saturating_add)
    };
    match report {
        KernelReport::Timed(raw) => of_sample(raw),
        // At the same time.
        KernelReport::Parallel(threads) => {
            threads.iter().map(|thread| of_sample(&thread.sample)).max().unwrap_or(0)
        }
        KernelReport::Executed { .. } | KernelReport::Faulted(_) => 0,
    }
}
