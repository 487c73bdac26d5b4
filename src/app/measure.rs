//! TP and LAT: from names to a database.

mod account;
mod again;
pub(super) mod command;
pub(super) mod document;
mod dump;
mod found;
mod kept;
mod output;
mod selection;
mod stages;
mod summary;

use std::process::ExitCode;
use std::time::Instant;

use super::failure::unwritable;
use super::gpu;
use super::machine::{Elsewhere, device, device_for, given_frequency, origin, target, warn_of_cpu};
use super::{
    Failure, INTERRUPTED_STATUS, interrupted, progress::View, start_planners, times::Shares,
    watch_for_interrupt,
};
use crate::assemble::Linker;
use crate::catalogue::Catalogue;
use crate::cli::{Global, Measure, MeasurePorts, Stage, SweepChoice, SweepOptions, SweepTables};
use crate::database::{Database, SweepKind};
use crate::device::HostDescription;
use crate::infer::Knowledge;
use crate::journal::Journal;
use crate::laboratory::timed;
use crate::metadata::{InstructionSet, OpcodeId};
use crate::pipeline::{Machine, PipelineError, Run, Target};
use crate::sample::Clock;
use crate::study::{self, Answers, Grid, Question, Study, sweep};
pub use again::run as conclude;
use found::Found;
use output::Output;
pub(super) use output::{ReportPlace, date_of};
use selection::AskedForms;

/// What a run asks.
type Questions = [&'static Question];

/// Measures what the options name and writes it down.
pub fn run(global: &Global, options: &Measure, questions: &Questions) -> Result<ExitCode, Failure> {
    measure(global, options, questions, (Grid::USUAL, &SweepTables::default()))
}

/// Finds out which ports forms use.
pub fn ports(global: &Global, options: &MeasurePorts) -> Result<ExitCode, Failure> {
    let given = match &options.mixtures_of {
        Some(path) => Database::read(path)?.execution().unwrap_or_default().mixtures,
        None => Vec::new(),
    };
    let given = given.into_iter().map(|mixture| mixture.forms).collect();
    let (mixtures, seed) = (options.mixtures, options.seed);
    let grid = Grid { mixtures, seed, given, ..Grid::default() };
    let tables = SweepTables::default();
    measure(global, &options.measure, &[&study::ports::QUESTION], (&grid, &tables))
}

/// Sweeps over a grid.
pub fn sweep(global: &Global, choice: &SweepChoice) -> Result<ExitCode, Failure> {
    let question = match choice {
        SweepChoice::Accumulators(_) => &sweep::ACCUMULATORS,
        SweepChoice::Registers(_) => &sweep::REGISTERS,
        SweepChoice::Transition(_) => &sweep::TRANSITION,
        SweepChoice::Threads(_) => &sweep::THREADS,
        SweepChoice::Bandwidth(_) => &sweep::BANDWIDTH,
        SweepChoice::Sequences(_) => &sweep::SEQUENCES,
        // On a machine that a file describes, or on nothing that was named.
        SweepChoice::Wavefronts(asked) => {
            return gpu::sweep(global, SweepKind::Wavefronts, asked);
        }
        SweepChoice::Power(asked) => return gpu::sweep(global, SweepKind::Power, asked),
        SweepChoice::Products(asked) => return gpu::products(global, asked),
    };
    let (SweepOptions { measure: options, tables }, grid) = choice.parts();
    measure(global, options, &[question], (&grid, tables))
}

fn measure(
    global: &Global,
    options: &Measure,
    questions: &Questions,
    (grid, tables): (&Grid, &SweepTables),
) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    if let Some(stage) = global.stop_after {
        return stop_after(stage, global, options, (questions, grid));
    }
    // Whatever can be wrong with the files is said before anything is measured.
    let output = Output::of_run(global, options, questions, tables)?;
    start_planners()?;
    let stop = watch_for_interrupt()?;
    let elsewhere = Elsewhere::start(global)?;
    let mut target = target(global, &elsewhere)?;
    check_grid(grid, &target)?;
    let selection = AskedForms::of(options, questions, &target)?;
    let listing = started.elapsed();
    let linker = Linker::find()?;
    let mut device = device(global, elsewhere, &target)?;
    let host = device.describe().clone();
    let grid = &on_machine(grid, questions, &host)?;
    let origin = origin(global, &target, &host);
    output.admit(&origin)?;
    warn_of_cpu(global, &origin);
    let mut account = account::of(&target, &selection, (questions, grid), origin);
    output.admit_evidence(&account)?;
    let mut journal = kept::open(global, options, (questions, grid), &output, &target, &host)?;
    host.advice.iter().for_each(|advice| eprintln!("note: {advice}"));

    let mut view = View::new();
    let mut run = Run::new(&mut target, &mut *device, &linker, &mut journal, stop, &mut view);
    let mut machine = match run.survey(selection.surveyed.clone(), given_frequency(global)) {
        Err(error @ PipelineError::Interrupted) => {
            eprintln!("{error}");
            kept::close(journal, &output, true)?;
            return Ok(ExitCode::from(INTERRUPTED_STATUS));
        }
        surveyed => surveyed?,
    };
    let subjects = selection.subjects(&machine);
    let catalogue = machine.catalogue.clone();
    check_sequences(questions, &subjects, grid)?;
    check_rates(tables, grid, &catalogue, &subjects)?;
    let studies = studies(questions, &catalogue, &subjects, grid);
    let measured = run.measure(&mut machine, &studies);
    let mut times = run.times;
    summary::warn_of_frequency(&machine);

    let is_cut_short = measured.is_err() || interrupted();
    let mut answers = timed(&mut times.concluding, || answers(&studies, &machine.knowledge));
    if is_cut_short {
        answers.iter_mut().for_each(Answers::cut_short);
    }
    account.measurement = found::measurement(&machine, &host, &output.date);
    let found = timed(&mut times.writing, || {
        let known = (&catalogue, &machine.knowledge);
        Found::new(&account, questions, answers, &selection.surveyed, known)
    });
    if output.fills_standard_output() {
        // It is for that alone.
        without_form(&selection, &machine).for_each(|line| eprintln!("{line}"));
    } else if selection.by_name || questions.iter().all(|question| !question.is_of_forms) {
        print(&selection, &found, &machine);
    }
    let written = timed(&mut times.writing, || {
        let mut written = output.write(&found)?;
        if !is_cut_short && machine.timebase.clock != Clock::Absent {
            written.extend(output.keep(&account, &machine.knowledge)?);
        }
        Ok::<_, Failure>(written)
    });
    let files = written.as_deref().unwrap_or_default();
    summary::print(&found, machine.frequency, started.elapsed(), files);
    kept::close(journal, &output, is_cut_short || written.is_err() || interrupted())?;
    if let Some((path, sink)) = output.times() {
        let shares = Shares::new(started.elapsed(), listing, &times, host.tick_rate);
        shares.write(sink).map_err(|error| unwritable(path, &error))?;
    }
    // What was found before the device broke is written by now.
    measured?;
    written?;
    if let Some(directory) = output.kernels() {
        dump::write(directory, &machine, &studies, &mut target)?;
    }
    Ok(status(&selection, &found, &catalogue.set))
}

/// What only the target can tell of a grid: whether it has the state that is to be entered.
fn check_grid(grid: &Grid, target: &Target) -> Result<(), Failure> {
    let known = target.isa.transitions();
    match &grid.state {
        Some(state) if known.iter().all(|it| it.name != state) => {
            let names: Vec<&str> = known.iter().map(|it| it.name).collect();
            let architecture = target.isa.architecture();
            let names = names.join(", ");
            Err(Failure::new(format!("{architecture} has no state '{state}'; there are {names}")))
        }
        _ => Ok(()),
    }
}

/// Loops of many forms are too many to be measured.
fn check_sequences(
    questions: &Questions,
    subjects: &[OpcodeId],
    grid: &Grid,
) -> Result<(), Failure> {
    let loops = |forms: usize| sweep::loop_count(forms, grid);
    let is_asked = questions.iter().any(|question| question.key == SweepKind::Sequences.name());
    if is_asked && loops(subjects.len()) > sweep::MOST_LOOPS {
        let count = subjects.len();
        let most = (0..count).rfind(|&forms| loops(forms) <= sweep::MOST_LOOPS).unwrap_or(0);
        return Err(Failure::new(format!(
            "{} loops of {count} forms are too many: name {most} at most with -i, or fewer instructions \
             with --length",
            loops(count)
        )));
    }
    Ok(())
}

/// What only the forms can tell: whether their operations are known where rates are to be drawn.
fn check_rates(
    tables: &SweepTables,
    grid: &Grid,
    catalogue: &Catalogue,
    subjects: &[OpcodeId],
) -> Result<(), Failure> {
    // (Bytes are known of everything that walks through a working set.)
    if !tables.rates || grid.working_set.is_some() {
        return Ok(());
    }
    let mut forms = subjects.iter().filter_map(|&opcode| catalogue.form(opcode));
    let isa = &catalogue.isa;
    match forms.find(|form| isa.operations(&catalogue.set, form).is_none()) {
        Some(form) => {
            let form = &form.name;
            let text = format!("nobody counts the operations of {form}: leave --rates out");
            Err(Failure::new(text))
        }
        None => Ok(()),
    }
}

/// A grid as the machine has room for it.
fn on_machine(grid: &Grid, questions: &Questions, host: &HostDescription) -> Result<Grid, Failure> {
    let there = &host.resources;
    let caches = there.caches.iter().map(|cache| cache.bytes).collect();
    let room = sweep::Room { cores: there.cpus.len() as u32, memory: there.memory, caches };
    let sweeps = SweepKind::ALL.into_iter();
    let mut asked = sweeps.filter(|kind| questions.iter().any(|it| it.key == kind.name()));
    match asked.next() {
        Some(kind) => grid.on(kind, &room).map_err(|error| Failure::new(error.to_string())),
        None => Ok(grid.clone()),
    }
}

/// Goes as far as a stage. Without a device that could say what executes, everything does.
fn stop_after(
    stage: Stage,
    global: &Global,
    options: &Measure,
    (questions, grid): (&Questions, &Grid),
) -> Result<ExitCode, Failure> {
    start_planners()?;
    let stop = watch_for_interrupt()?;
    let elsewhere = Elsewhere::start(global)?;
    let mut target = target(global, &elsewhere)?;
    check_grid(grid, &target)?;
    let selection = AskedForms::of(options, questions, &target)?;
    let machine = match device_for(global, elsewhere, &target)? {
        Some(mut device) => {
            let linker = Linker::find()?;
            let (journal, view) = (&mut Journal::nowhere(), &mut View::new());
            let mut run = Run::new(&mut target, &mut *device, &linker, journal, stop, view);
            run.survey(selection.surveyed.clone(), given_frequency(global))?
        }
        None => Machine::assumed(&target, selection.surveyed.clone()),
    };
    stages::stop(stage, (questions, grid), &selection, &machine, &mut target, &options.asm)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn studies<'a>(
    questions: &Questions,
    catalogue: &'a Catalogue,
    subjects: &'a [OpcodeId],
    grid: &'a Grid,
) -> Vec<Box<dyn Study + 'a>> {
    questions.iter().map(|question| (question.ask)(catalogue, subjects, grid)).collect()
}

fn answers(studies: &[Box<dyn Study + '_>], knowledge: &Knowledge) -> Vec<Answers> {
    studies.iter().map(|study| study.conclude(knowledge)).collect()
}

/// The lines of forms that were asked for by name, on stdout.
fn print(selection: &AskedForms, found: &Found, machine: &Machine) {
    without_form(selection, machine).for_each(|line| println!("{line}"));
    found.lines().iter().for_each(|line| println!("{line}"));
}

/// A line for each form that was asked for by name and is none here.
fn without_form(selection: &AskedForms, machine: &Machine) -> impl Iterator<Item = String> {
    let of_name = if selection.by_name { selection.without_form(machine) } else { Vec::new() };
    of_name.into_iter().map(|(name, reason)| format!("{name} [{reason}]"))
}

/// 1 when a name, or every form of a pattern, was asked for and got no value.
fn status(selection: &AskedForms, found: &Found, set: &InstructionSet) -> ExitCode {
    if interrupted() {
        return ExitCode::from(INTERRUPTED_STATUS);
    }
    let all = found.with_value(set).iter().all(|with_value| selection.is_met_by(with_value));
    if selection.by_name && !all { ExitCode::from(1) } else { ExitCode::SUCCESS }
}
