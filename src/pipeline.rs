//! The whole story on one screen: LLVM's forms, what of them this CPU has, what a cycle is,
//! and then rounds of experiments until nothing more is worth asking.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::artifact::ReferenceFunction;
use crate::assemble::{AssembleError, Linker};
use crate::catalogue::{Canonical, Catalogue, Listing, list};
use crate::device::{Device, DeviceError, HostDescription, TickSource};
use crate::experiment::Experiment;
use crate::form::{InstructionForm, MemoryAccess};
use crate::infer::{Finding, Knowledge, LoopCost};
use crate::isa::{Isa, UnknownArchitecture, extensions, for_architecture};
use crate::journal::Journal;
use crate::laboratory::{Laboratory, LaboratoryError, Patience, Timebase, Times, timed};
use crate::llvm::{Llvm, TargetChoice, TargetError};
use crate::metadata::{InstructionSet, OpcodeId};
use crate::sample::Clock;
use crate::study::core::{
    NoUnit, UncoveredChains, UnitOfTime, floor_experiments, frequency, reference_experiments,
    unit_of_model, unit_of_time,
};
use crate::study::{Study, executable, next_round, probes, register_probes};
use crate::units::Hertz;

/// Why a run cannot start or go on.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// LLVM does not have the target.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// winic does not know the architecture.
    #[error(transparent)]
    Architecture(#[from] UnknownArchitecture),
    /// No linker, or no shared object.
    #[error(transparent)]
    Assemble(#[from] AssembleError),
    /// The device broke or could not be started.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Experiments cannot be answered.
    #[error(transparent)]
    Laboratory(#[from] LaboratoryError),
    /// Nothing can serve as the unit of time.
    #[error(transparent)]
    Unit(#[from] NoUnit),
    /// A model lacks what a run begins with.
    #[error(transparent)]
    Model(#[from] UncoveredChains),
    /// The user wants to stop, and nothing can be said yet.
    #[error("interrupted before anything was measured")]
    Interrupted,
    /// A frequency was given, but the ticks' own rate is not known.
    #[error("the device's clock has no known rate, so -f cannot be used with it")]
    NoTickRate,
    /// The frequency that was given cannot be the core's.
    #[error(
        "-f says {given}, but the reference chain runs at {seen}: leave -f out, correct it, or insist with --forceFrequency"
    )]
    Frequency {
        /// What the user said.
        given: Hertz,
        /// What the reference shows.
        seen: Hertz,
    },
    /// The target is another machine than the one that runs the kernels.
    #[error(
        "kernels for {wanted} cannot run on this {here} machine; --device mca runs them through LLVM's model of the CPU, and `winic list` works for any target"
    )]
    OtherArchitecture {
        /// Architecture asked for.
        wanted: String,
        /// Architecture of the device.
        here: String,
    },
}

/// The forms of a target, without any machine.
pub struct Target {
    /// What LLVM was asked about.
    pub choice: TargetChoice,
    /// LLVM, set up for it.
    pub llvm: Llvm,
    /// LLVM's tables.
    pub set: Arc<InstructionSet>,
    /// The ISA's knowledge.
    pub isa: Arc<dyn Isa>,
    /// What became of each opcode.
    pub listings: Vec<Listing>,
}

impl Target {
    /// Asks LLVM for everything.
    ///
    /// # Errors
    /// When LLVM or winic does not know the target.
    pub fn open(choice: TargetChoice) -> Result<Self, PipelineError> {
        let architecture = choice.triple.split('-').next().unwrap_or_default();
        let mut llvm = Llvm::with_extensions(choice.clone(), extensions(architecture))?;
        let mut set = llvm.instruction_set();
        let isa: Arc<dyn Isa> =
            Arc::from(for_architecture(&set, |feature| llvm.has_feature(feature))?);
        isa.complete(&mut set);
        let listings = list(&set, &*isa, &mut llvm);
        Ok(Self { choice, llvm, set: Arc::new(set), isa, listings })
    }

    /// All forms that are canonical, and aliases that were asked for by name.
    pub fn forms<'a>(
        &'a self,
        aliases: &'a HashSet<OpcodeId>,
    ) -> impl Iterator<Item = &'a InstructionForm> {
        self.listings.iter().filter_map(move |listing| match &listing.canonical {
            Canonical::Form(form) => Some(&**form),
            Canonical::Alias(form) if aliases.contains(&form.opcode) => Some(&**form),
            _ => None,
        })
    }
}

/// A frequency of the core that the user vouches for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GivenFrequency {
    /// The frequency.
    pub frequency: Hertz,
    /// Whether to believe it where the reference chain shows another one.
    pub is_forced: bool,
}

impl GivenFrequency {
    /// The reference chain must not run at another frequency.
    fn check(self, clock: Clock, seen: Hertz) -> Result<(), PipelineError> {
        if !self.is_forced && clock.is_contradicted(seen) {
            return Err(PipelineError::Frequency { given: self.frequency, seen });
        }
        Ok(())
    }
}

/// What tells the user how far things are.
pub trait Progress {
    /// A stage begins, with so many experiments.
    fn begin(&mut self, stage: &str, experiments: usize);
    /// So many experiments are done.
    fn advance(&mut self, experiments: usize);
    /// The stage has ended.
    fn end(&mut self);
}

/// A machine that was surveyed: its clock and its forms.
pub struct Machine {
    /// Executable forms with the registers that exist.
    pub catalogue: Catalogue,
    /// The unit of time, and what makes cycles of ticks.
    pub timebase: Timebase,
    /// The core's frequency as the reference shows it.
    pub frequency: Option<Hertz>,
    /// Everything found out so far.
    pub knowledge: Knowledge,
}

impl Machine {
    /// A machine that nobody has asked yet: it executes everything and has the registers that
    /// every CPU has.
    #[must_use]
    pub fn assumed(target: &Target, forms: Vec<InstructionForm>) -> Self {
        let mut knowledge = Knowledge::default();
        for probe in probes(forms.iter()) {
            knowledge.learn(probe, Finding::Executed { ticks: 0 });
        }
        let (set, isa) = (Arc::clone(&target.set), Arc::clone(&target.isa));
        Self {
            timebase: provisional(&*isa, Clock::Counter),
            catalogue: Catalogue::new(set, isa, forms, &HashSet::new()),
            frequency: None,
            knowledge,
        }
    }
}

/// A run at work: a target, a device, and what they need.
pub struct Run<'a> {
    /// The forms.
    target: &'a mut Target,
    /// The machine.
    device: &'a mut dyn Device,
    /// Links kernels.
    linker: &'a Linker,
    /// Keeps findings, and has those of a run that this one continues.
    journal: &'a mut Journal,
    /// The user's wish to stop.
    interrupted: &'a AtomicBool,
    /// The user's view.
    progress: &'a mut dyn Progress,
    /// Where the time went.
    pub times: Times,
    /// How long to wait for others to leave the core.
    patience: Patience,
}

impl<'a> Run<'a> {
    /// A run that has not begun.
    pub fn new(
        target: &'a mut Target,
        device: &'a mut dyn Device,
        linker: &'a Linker,
        journal: &'a mut Journal,
        interrupted: &'a AtomicBool,
        progress: &'a mut dyn Progress,
    ) -> Self {
        let (times, patience) = (Times::default(), Patience::default());
        Self { target, device, linker, journal, interrupted, progress, times, patience }
    }

    fn answer(
        &mut self,
        stage: &str,
        experiments: &[Experiment],
        catalogue: &Catalogue,
        timebase: &Timebase,
        knowledge: &mut Knowledge,
    ) -> Result<(), LaboratoryError> {
        let progress = &mut *self.progress;
        progress.begin(stage, experiments.len());
        self.patience.earn(experiments.len());
        let mut laboratory = Laboratory {
            device: &mut *self.device,
            timebase,
            assembler: &mut self.target.llvm,
            linker: self.linker,
            journal: &mut *self.journal,
            interrupted: self.interrupted,
            times: self.times,
            patience: &mut self.patience,
        };
        let mut advance = |count| progress.advance(count);
        let mut answered = laboratory.answer(experiments, catalogue, knowledge, &mut advance);
        for repetition in 1..=REPETITIONS_IF_DECISIVE {
            let trust = knowledge.trust();
            let is_over = repetition > REPETITIONS;
            let doubtful: Vec<Experiment> = experiments
                .iter()
                .filter(|experiment| knowledge.is_doubtful(experiment, &trust))
                .filter(|experiment| !is_over || experiment.is_decisive())
                .cloned()
                .collect();
            if is_over {
                laboratory.patience.earn(WORTH_IF_DECISIVE * doubtful.len());
            }
            if answered.is_err() || doubtful.is_empty() || laboratory.is_stopped() {
                break;
            }
            log::debug!("{} experiments are doubtful, repetition {repetition}", doubtful.len());
            answered = laboratory.answer(&doubtful, catalogue, knowledge, &mut |_| ());
        }
        self.times = laboratory.times;
        progress.end();
        answered
    }

    /// Finds out what a cycle is, which of the given forms execute, and which registers exist.
    ///
    /// # Errors
    /// When no clock can be had, a frequency that was given is not the core's, or the device
    /// breaks.
    pub fn survey(
        &mut self,
        forms: Vec<InstructionForm>,
        given: Option<GivenFrequency>,
    ) -> Result<Machine, PipelineError> {
        let host = self.device.describe().clone();
        let clock = clock(&host, given.map(|given| given.frequency))?;
        let (set, isa) = (Arc::clone(&self.target.set), Arc::clone(&self.target.isa));
        let all = Catalogue::new(set, Arc::clone(&isa), forms, &HashSet::new());

        let (timebase, mut knowledge) = self.unit_of_time(&all, clock)?;
        let mut questions = reference_experiments(isa.references());
        questions.extend(floor_experiments(&all));
        self.answer("clock", &questions, &all, &timebase, &mut knowledge)?;
        let frequency = frequency(&all, &knowledge);
        if let (Some(given), Some(seen)) = (given, frequency) {
            given.check(clock, seen)?;
        }

        let probes = probes(all.forms());
        self.answer("forms", &probes, &all, &timebase, &mut knowledge)?;
        let registers = register_probes(&all, &knowledge);
        let questions: Vec<Experiment> = registers.into_iter().map(|(_, probe)| probe).collect();
        self.answer("registers", &questions, &all, &timebase, &mut knowledge)?;
        // What was not asked yet would look as if it were not there.
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(PipelineError::Interrupted);
        }
        let catalogue = executable(&all, &knowledge);
        Ok(Machine { catalogue, timebase, frequency, knowledge })
    }

    /// Chooses the unit of time, with the first candidate as a provisional one: only ratios count.
    /// Where the candidates do not agree the machine may have been disturbed for a moment, so they
    /// are asked some more times.
    fn unit_of_time(
        &mut self,
        all: &Catalogue,
        clock: Clock,
    ) -> Result<(Timebase, Knowledge), PipelineError> {
        let isa = Arc::clone(&self.target.isa);
        let questions = reference_experiments(isa.references());
        let provisional = provisional(&*isa, clock);
        let mut attempt = 1;
        loop {
            let mut knowledge = Knowledge::default();
            self.answer("clock", &questions, all, &provisional, &mut knowledge)?;
            if self.interrupted.load(Ordering::Relaxed) {
                return Err(PipelineError::Interrupted);
            }
            if clock == Clock::Absent {
                // Whatever chain stands beside the kernels is not looked at.
                return Ok((provisional, knowledge));
            }
            if self.device.is_model() {
                let unit = unit_of_model(isa.references(), &knowledge)?;
                return Ok((timebase(&*isa, clock, unit), knowledge));
            }
            match unit_of_time(isa.references(), &knowledge) {
                Ok(unit) => return Ok((timebase(&*isa, clock, unit), knowledge)),
                Err(disagreement) if attempt == ATTEMPTS => return Err(disagreement.into()),
                Err(disagreement) => log::debug!("attempt {attempt}: {disagreement}"),
            }
            attempt += 1;
            std::thread::sleep(PAUSE);
        }
    }

    /// Measures until all questions can be answered, or the user interrupts. What a short run
    /// or one that goes on from another's findings has taken in good faith is doubted once.
    ///
    /// # Errors
    /// When the device breaks; what was found before stays in the machine's knowledge.
    pub fn measure(
        &mut self,
        machine: &mut Machine,
        studies: &[Box<dyn Study + '_>],
    ) -> Result<(), PipelineError> {
        self.ask(machine, studies)?;
        let is_short = (1..FEW_WITNESSES).contains(&machine.knowledge.witnesses());
        if self.device.is_model() || !(is_short || self.journal.is_resumed()) {
            return Ok(());
        }
        if is_short {
            self.call_witnesses(machine)?;
        }
        let doubtful = machine.knowledge.doubtful();
        if doubtful.is_empty() || self.interrupted.load(Ordering::Relaxed) {
            return Ok(());
        }
        let Machine { timebase, knowledge, catalogue, .. } = &mut *machine;
        self.answer("doubts", &doubtful, catalogue, timebase, knowledge)?;
        self.look_at_front_end_again(machine)?;
        self.ask(machine, studies)
    }

    /// Looks at the core at other moments. Somebody who shares it for as long as a short run lasts
    /// is with all its kernels alike, so that none of them tells; a run of thousands of kernels sees
    /// the core alone now and then.
    fn call_witnesses(&mut self, machine: &mut Machine) -> Result<(), PipelineError> {
        let floors = floor_experiments(&machine.catalogue);
        for _ in 0..MOMENTS {
            if self.interrupted.load(Ordering::Relaxed) {
                break;
            }
            std::thread::sleep(BETWEEN_MOMENTS);
            let Machine { timebase, knowledge, catalogue, .. } = &mut *machine;
            self.answer("front end", &floors, catalogue, timebase, knowledge)?;
        }
        Ok(())
    }

    /// Rounds of questions until there are no more.
    fn ask(
        &mut self,
        machine: &mut Machine,
        studies: &[Box<dyn Study + '_>],
    ) -> Result<(), PipelineError> {
        for round in 1.. {
            let knowledge = &machine.knowledge;
            let questions = timed(&mut self.times.planning, || next_round(studies, knowledge));
            if questions.is_empty() || self.interrupted.load(Ordering::Relaxed) {
                break;
            }
            let stage = format!("round {round}");
            let Machine { timebase, knowledge, catalogue, .. } = &mut *machine;
            self.answer(&stage, &questions, catalogue, timebase, knowledge)?;
            self.look_at_front_end_again(machine)?;
        }
        Ok(())
    }

    /// Times once more what showed how fast the front end is, where that was done while somebody
    /// shared the core: in the survey nobody knows yet how fast a quiet core is. (On a core that was
    /// shared all through it, Zen 4 would have been said to take 8 instructions a cycle, and that
    /// `NOOP`, at 12, cannot be.)
    fn look_at_front_end_again(&mut self, machine: &mut Machine) -> Result<(), PipelineError> {
        let floors = floor_experiments(&machine.catalogue);
        let trust = machine.knowledge.trust();
        let is_doubtful = |floor: &&Experiment| machine.knowledge.is_doubtful(floor, &trust);
        let doubtful: Vec<Experiment> = floors.iter().filter(is_doubtful).cloned().collect();
        if !doubtful.is_empty() {
            let Machine { timebase, knowledge, catalogue, .. } = machine;
            self.answer("front end", &doubtful, catalogue, timebase, knowledge)?;
        }
        Ok(())
    }
}

/// How often the unit of time is looked for, and how long is waited in between.
const ATTEMPTS: usize = 10;
const PAUSE: std::time::Duration = std::time::Duration::from_millis(200);

/// A run of fewer timings than these lasts for less than a few seconds.
const FEW_WITNESSES: usize = 1000;

/// How often such a run looks at the core again, and how long it waits before each.
const MOMENTS: usize = 5;
const BETWEEN_MOMENTS: std::time::Duration = std::time::Duration::from_millis(100);

/// How often experiments that did not settle, or that others disturbed, are made again after all
/// others of their round; the laboratory itself has repeated them at once before.
const REPETITIONS: usize = 3;

/// The same for the few on which thousands of values depend.
const REPETITIONS_IF_DECISIVE: usize = 15;

/// And so many others each of them is worth waiting for.
const WORTH_IF_DECISIVE: usize = 20;

/// What makes cycles of a device's ticks.
///
/// # Errors
/// When a frequency is given but the ticks have no known rate.
pub fn clock(host: &HostDescription, frequency: Option<Hertz>) -> Result<Clock, PipelineError> {
    match (host.ticks, frequency) {
        (None, _) => Ok(Clock::Absent),
        // Nothing has to be converted into cycles.
        (Some(TickSource::CycleCounter), _) => Ok(Clock::Counter),
        (_, Some(frequency)) => {
            let tick_rate = host.tick_rate.ok_or(PipelineError::NoTickRate)?;
            Ok(Clock::Fixed { frequency, tick_rate })
        }
        (_, None) => Ok(Clock::Reference { tick_rate: host.tick_rate }),
    }
}

/// The first candidate, until one is known to be the unit.
fn provisional(isa: &dyn Isa, clock: Clock) -> Timebase {
    timebase(isa, clock, UnitOfTime { candidate: 0, loop_cost: LoopCost::Hidden })
}

fn timebase(isa: &dyn Isa, clock: Clock, unit: UnitOfTime) -> Timebase {
    let chain = isa.references()[unit.candidate];
    let reference = ReferenceFunction {
        symbol: chain.symbol.to_owned(),
        cycles_per_iteration: chain.instructions + unit.loop_cost.cycles(),
    };
    Timebase { clock, reference, loop_cost: unit.loop_cost }
}

/// Whether a form touches registers only.
#[must_use]
pub fn is_register_only(form: &InstructionForm) -> bool {
    form.memory == MemoryAccess::None
}
