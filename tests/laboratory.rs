//! The laboratory beside a made-up device whose core somebody else uses now and then.

#![cfg(feature = "llvm")]

#[allow(dead_code)]
mod support;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use support::Machine;
use winic::artifact::{Artifact, KernelId, ReferenceFunction};
use winic::assemble::Linker;
use winic::device::{
    Device, DeviceError, HostDescription, KernelReport, RawSample, Source, TickSource, Window,
};
use winic::experiment::Experiment;
use winic::form::{InstructionForm, Site};
use winic::infer::{Finding, Knowledge, LoopCost, Timing};
use winic::journal::{Journal, JournalHeader, Start};
use winic::kernel::{Chain, Link, Style, ValueClass};
use winic::laboratory::{Laboratory, Timebase, Times};
use winic::llvm::TargetChoice;
use winic::pipeline::{self, Progress, Run, Target, is_measurable};
use winic::repetition::Patience;
use winic::sample::{Clock, Sample};
use winic::study::Grid;
use winic::study::core::{FrontEnd, floor_experiments};
use winic::study::throughput;
use winic::units::{Cycles, Hertz};

/// Ticks of a call of the reference, which are cycles of a clock of 1 GHz.
const REFERENCE: u64 = 6400;
/// Ticks of an iteration of the sentinel, alone on the core and beside somebody else.
const ALONE: u64 = 40;
const SHARED: u64 = 70;

/// A device on which every third kernel runs beside somebody else for so many times, after it
/// waited for so long.
struct Busy {
    host: HostDescription,
    times: usize,
    waits: Duration,
    runs: HashMap<KernelId, usize>,
    /// Of each artifact the number of its kernels and how long they may wait, in seconds.
    images: Vec<(usize, f64)>,
    /// Of each kernel that was run whether windows beside others count.
    counts: Vec<(KernelId, bool)>,
}

impl Busy {
    fn new(times: usize, waits: Duration) -> Self {
        let host = HostDescription {
            architecture: "x86_64".to_owned(),
            cpu: "made up".to_owned(),
            cpuinfo: String::new(),
            extensions: Vec::new(),
            system: "none".to_owned(),
            source: Source::Measured,
            core: None,
            ticks: Some(TickSource::TimeStamp),
            tick_rate: Hertz::new(1e9).ok(),
            tick_step: 1,
            advice: Vec::new(),
            resources: winic::device::Resources::default(),
        };
        Self { host, times, waits, runs: HashMap::new(), images: Vec::new(), counts: Vec::new() }
    }

    fn sample(&mut self, id: KernelId) -> RawSample {
        let runs = self.runs.entry(id).or_default();
        *runs += 1;
        let is_shared = id.0 % 3 == 1 && *runs <= self.times;
        let (sentinel, factor) = if is_shared { (SHARED, 2) } else { (ALONE, 1) };
        let window = Window {
            reference_before: REFERENCE,
            single: 3200 * factor,
            double: 6400 * factor,
            reference_after: REFERENCE,
            sentinel: 10 * sentinel,
        };
        RawSample {
            iterations: 32,
            reference_iterations: REFERENCE / 64,
            sentinel_iterations: 10,
            waited: if is_shared { self.waits } else { Duration::ZERO },
            overhead: 0.0,
            tick_step: 1,
            windows: vec![window; 6],
        }
    }
}

impl Device for Busy {
    fn describe(&self) -> &HostDescription {
        &self.host
    }

    fn run(
        &mut self,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<(), DeviceError> {
        let patience = artifact.sentinel.as_ref().map_or(0.0, |it| it.patience.as_secs_f64());
        self.images.push((artifact.kernels.len(), patience));
        for kernel in &artifact.kernels {
            self.counts.push((kernel.id, !kernel.alone));
            deliver(kernel.id, KernelReport::Timed(self.sample(kernel.id)));
        }
        Ok(())
    }
}

/// Resident memory is that of the process, so that its tests take turns.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Bodies that are no chains.
fn bodies() -> Vec<Experiment> {
    (1..=30).map(|number| Experiment::DispatchFloor { fillers: 8 * number }).collect()
}

/// Answers some bodies on a device; what it knows then, and which of them are doubtful.
fn answer(machine: &mut Machine, device: &mut Busy) -> (Knowledge, Vec<Experiment>) {
    answer_all(machine, device, &mut Journal::nowhere(), bodies())
}

/// The same of any experiments, with a journal.
fn answer_all(
    machine: &mut Machine,
    device: &mut Busy,
    journal: &mut Journal,
    experiments: Vec<Experiment>,
) -> (Knowledge, Vec<Experiment>) {
    let Machine { llvm, catalogue } = machine;
    let chain = catalogue.isa.references()[0];
    let reference = ReferenceFunction {
        symbol: chain.symbol.to_owned(),
        cycles_per_iteration: chain.instructions,
    };
    let clock = Clock::Reference { tick_rate: Hertz::new(1e9).ok() };
    let mut knowledge = Knowledge::default();
    Laboratory {
        device,
        timebase: &Timebase { clock, reference, loop_cost: LoopCost::Hidden },
        assembler: llvm,
        linker: &Linker::find().unwrap(),
        journal,
        interrupted: &AtomicBool::new(false),
        times: Times::default(),
        patience: &mut Patience::default(),
    }
    .answer(&experiments, catalogue, &mut knowledge, &mut |_| ())
    .unwrap();
    let trust = knowledge.trust();
    let doubtful = |asked: &Experiment| knowledge.is_doubtful(asked, &trust);
    let doubtful = experiments.into_iter().filter(doubtful).collect();
    (knowledge, doubtful)
}

#[test]
fn what_ran_beside_somebody_else_is_run_again_without_the_rest() {
    let _turn = turn();
    let mut device = Busy::new(2, Duration::from_millis(100));
    let (knowledge, doubtful) = answer(&mut Machine::x86_64(), &mut device);
    assert_eq!(doubtful, []);
    // Ten of them waited for a second in all, twice.
    assert_eq!(device.images, [(30, 5.0), (10, 4.0), (10, 3.0)]);
    for (asked, finding) in knowledge.findings() {
        assert!(
            knowledge.timing(asked).is_some_and(|timing| timing.sample.body.0 == 100.0),
            "{finding:?}"
        );
    }
}

#[test]
fn who_stays_on_the_core_is_not_waited_for_without_end() {
    let _turn = turn();
    let mut device = Busy::new(usize::MAX, Duration::from_millis(300));
    let (_, doubtful) = answer(&mut Machine::x86_64(), &mut device);
    assert_eq!(doubtful.len(), 10);
    assert_eq!(device.images, [(30, 5.0), (10, 2.0)]);
}

#[test]
fn what_was_run_again_is_recalled_with_what_came_of_it() {
    let _turn = turn();
    let mut machine = Machine::x86_64();
    let place = tempfile::tempdir().unwrap();
    let open = |start| {
        Journal::open(&place.path().join("journal"), &JournalHeader::default(), start).unwrap()
    };
    let mut device = Busy::new(2, Duration::ZERO);
    let (known, _) = answer_all(&mut machine, &mut device, &mut open(Start::Anew), bodies());
    let mut idle = Busy::new(0, Duration::ZERO);
    let mut journal = open(Start::Resume);
    let (recalled, doubtful) = answer_all(&mut machine, &mut idle, &mut journal, bodies());
    assert_eq!((doubtful.len(), idle.images.len(), journal.remembered()), (0, 0, 0));
    for body in bodies() {
        assert_eq!(recalled.of(&body), known.of(&body));
    }
}

#[test]
fn a_chain_is_timed_beside_others_first() {
    let _turn = turn();
    let mut machine = Machine::x86_64();
    let add = machine.catalogue.form_by_name("ADD64rr").unwrap().opcode;
    let [target, source] = [0, 1].map(Site::Operand);
    let links = vec![Link { opcode: add, source, target, immediate: None, restoring: None }];
    let values = ValueClass::default();
    let chain = Chain { links, style: Style::Same, fillers: 0, least_links: 48, values };
    let mut device = Busy::new(1, Duration::ZERO);
    let experiments = [&bodies()[..10], &[Experiment::Latency(chain)]].concat();
    let (_, doubtful) = answer_all(&mut machine, &mut device, &mut Journal::nowhere(), experiments);
    assert_eq!(doubtful, []);
    // 100 cycles are no whole cycles for a pass of 48 links, so that it feels who shares the core.
    let of = |id| device.counts.iter().filter(move |(of, _)| of.0 == id).map(|&(_, counts)| counts);
    assert_eq!(of(10).collect::<Vec<_>>(), [true, false]);
    assert_eq!(of(1).collect::<Vec<_>>(), [false, false]);
}

/// Nobody looks.
struct Unseen;

impl Progress for Unseen {
    fn begin(&mut self, _: &str, _: usize) {}
    fn advance(&mut self, _: usize) {}
    fn end(&mut self) {}
}

/// A sample of a kernel that ran beside somebody else, who slowed the front end down.
fn slowed(cycles: f64) -> Sample {
    Sample {
        body: Cycles(cycles),
        uncertainty: Cycles(0.1),
        plain: None,
        frequency: Hertz::new(1e9).ok(),
        pulse: Some(Cycles(SHARED as f64)),
        windows_used: 6,
        windows_total: 6,
        settled: true,
    }
}

#[test]
fn a_front_end_that_was_timed_beside_somebody_is_timed_again() {
    let _turn = turn();
    let choice = TargetChoice {
        triple: "x86_64-unknown-linux-gnu".into(),
        cpu: "x86-64".into(),
        features: String::new(),
    };
    let mut target = Target::open(choice).unwrap();
    let forms: Vec<InstructionForm> =
        target.forms(&HashSet::new()).filter(|form| is_measurable(form)).cloned().collect();
    let mut machine = pipeline::Machine::assumed(&target, forms);
    let clock = Clock::Reference { tick_rate: Hertz::new(1e9).ok() };
    machine.timebase = Timebase { clock, ..machine.timebase };
    let floors = floor_experiments(&machine.catalogue);
    for floor in &floors {
        let timing = Timing::of_instances(slowed(500.0), 768, LoopCost::Hidden);
        machine.knowledge.learn(floor.clone(), Finding::Timed(timing));
    }
    let [wrong, right] = [500.0, 100.0].map(|cycles| Cycles(cycles / 768.0));
    let seen = FrontEnd::of(&machine.catalogue, &machine.knowledge);
    assert_eq!(seen, FrontEnd { floor: wrong, filler: wrong });

    let names = ["ADD64rr", "IMUL64rr", "PADDDrr"];
    let opcode = |name: &&str| machine.catalogue.form_by_name(name).unwrap().opcode;
    let subjects: Vec<_> = names.iter().map(opcode).collect();
    let catalogue = machine.catalogue.clone();
    let studies = [(throughput::QUESTION.ask)(&catalogue, &subjects, Grid::USUAL)];
    let (mut device, linker) = (Busy::new(0, Duration::ZERO), Linker::find().unwrap());
    let (mut journal, interrupted) = (Journal::nowhere(), AtomicBool::new(false));
    let mut view = Unseen;
    Run::new(&mut target, &mut device, &linker, &mut journal, &interrupted, &mut view)
        .measure(&mut machine, &studies)
        .unwrap();
    // The device says that every body takes a hundred cycles, of which the longest shows most.
    let near = |seen: Cycles| (seen.0 - right.0).abs() < 0.001;
    let FrontEnd { floor, filler } = FrontEnd::of(&catalogue, &machine.knowledge);
    assert!(near(floor) && near(filler), "{floors:?}");
}

/// What building needs is given back: a run builds thousands of times.
#[cfg(target_os = "linux")]
#[test]
fn memory_stays_flat_however_many_kernels_are_built() {
    let _turn = turn();
    let mut machine = Machine::x86_64();
    let mut resident_after = |rounds: usize| {
        for _ in 0..rounds {
            answer(&mut machine, &mut Busy::new(0, Duration::ZERO));
        }
        resident_kilobytes()
    };
    let warm = resident_after(20);
    let later = resident_after(100);
    println!("{warm} KiB after 20 rounds, {later} KiB after 120");
    // A single image that is not given back would be 50 KiB each time.
    assert!(later < warm + 1000, "{warm} KiB grew to {later} KiB");
}

#[cfg(target_os = "linux")]
fn resident_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
