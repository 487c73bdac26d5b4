//! The runner's side of the pipe: it finds out about its machine, greets, and runs artifacts
//! until the pipe is closed. See [`wire`] for what is said.

use std::env;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use super::child::clock::{Monotonic, TickClock, TimeStamp};
use super::child::counter::{Counter, Event};
use super::child::{self, Filter, Function, Functions, Image, ImageError, Nursery, Settings};
use super::host::{self, Facts};
use super::place::Place;
use super::resources::Resources;
use super::tick::Tick;
use super::wire::{self, Greeting, Reply, Request, WireError};
use super::{CoreKind, HostDescription, Source, TickSource, affinity};
use crate::artifact::{
    Artifact, KernelFunctions, KernelId, Lacking, ReferenceFunction, Selection, Supply,
};
use crate::units::Hertz;

/// What a runner may be told on its command line; see [`USAGE`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The logical CPU to run kernels on; else the last one that the process may use and that is
    /// neither busy nor another winic's.
    pub core: Option<u32>,
    /// The kind of cores to run kernels on, where the system pins none.
    pub cores: Option<CoreKind>,
    /// Where ticks shall come from.
    pub ticks: TickChoice,
    /// CPU time after which a kernel is taken for one that never ends.
    pub watchdog: Duration,
}

/// Where a runner's ticks shall come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TickChoice {
    /// The best source that works; none in an emulator.
    Best,
    /// This one, even in an emulator.
    Only(TickSource),
    /// None: kernels are executed, not timed.
    None,
}

impl TickChoice {
    /// [`TickChoice::None`] on the command line.
    const NONE: &str = "none";

    fn of(name: &str) -> Option<Self> {
        let source = TickSource::ALL.into_iter().find(|source| source.name() == name);
        source.map(Self::Only).or_else(|| (name == Self::NONE).then_some(Self::None))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { core: None, cores: None, ticks: TickChoice::Best, watchdog: child::WATCHDOG }
    }
}

/// The options of a runner, for people.
pub const USAGE: &str = "\
usage: winic-runner [--version] [--core N] [--cores performance|efficiency] [--ticks cycle-counter|time-stamp|monotonic|none] [--watchdog MILLISECONDS]

       winic-runner --gpu cuda[:N]|hip[:N]

Runs kernels for a winic at the other end of its standard input and output. With `none` for ticks,
as by itself in an emulator, kernels are executed, not timed.
With --gpu it runs kernels on that GPU instead, by its driver's library (libcuda.so.1, libamdhip64.so).
`--cores` is for macOS, which pins nothing: kernels run on the fast cores or on the small ones.
The options can also be given in WINIC_CORE, WINIC_CORES, WINIC_TICKS and WINIC_WATCHDOG.";

/// An option that a runner does not understand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}; try `winic-runner --help`")]
pub struct OptionError(String);

/// The options by name, with the environment variable that has the same meaning.
const NAMES: [(&str, &str); 4] = [
    ("--core", "WINIC_CORE"),
    ("--cores", "WINIC_CORES"),
    ("--ticks", "WINIC_TICKS"),
    ("--watchdog", "WINIC_WATCHDOG"),
];

impl Options {
    /// Reads the environment and the command line (without the program's name); the command
    /// line wins.
    ///
    /// # Errors
    /// When an option is unknown or its value makes no sense.
    pub fn read(arguments: impl Iterator<Item = String>) -> Result<Self, OptionError> {
        let mut options = Self::default();
        for (name, variable) in NAMES {
            if let Ok(value) = env::var(variable) {
                options.set(name, variable, &value)?;
            }
        }
        let mut arguments = arguments;
        while let Some(name) = arguments.next() {
            let value =
                arguments.next().ok_or_else(|| OptionError(format!("`{name}` needs a value")))?;
            options.set(&name, &name, &value)?;
        }
        Ok(options)
    }

    /// `given` is what the user called it.
    fn set(&mut self, name: &str, given: &str, value: &str) -> Result<(), OptionError> {
        let wrong = || OptionError(format!("`{value}` is no value for {given}"));
        match name {
            "--core" => self.core = Some(value.parse().map_err(|_| wrong())?),
            "--cores" => self.cores = Some(CoreKind::named(value).ok_or_else(wrong)?),
            "--ticks" => self.ticks = TickChoice::of(value).ok_or_else(wrong)?,
            "--watchdog" => {
                self.watchdog = match value.parse() {
                    Ok(milliseconds) if milliseconds > 0 => Duration::from_millis(milliseconds),
                    _ => return Err(wrong()),
                }
            }
            _ => return Err(OptionError(format!("unknown option `{given}`"))),
        }
        Ok(())
    }
}

/// Why a runner ends otherwise than by the end of its input.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// The input is not of the protocol, or a pipe failed.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The output failed.
    #[error("the pipe failed: {0}")]
    Pipe(#[from] io::Error),
    /// The system denied what no runner can do without.
    #[error("the system denies the runner its work: {0}")]
    Denied(io::Error),
    /// Kinds of cores are none that can be asked for here.
    #[error("cores are chosen by number here: give --core (WINIC_CORE) and no --cores ({0})")]
    NoKinds(io::Error),
    /// The tick source that was asked for does not work here.
    #[error("the tick source {} does not work here; leave out --ticks and WINIC_TICKS", .0.name())]
    NoTicks(TickSource),
}

/// How long a runner with this watchdog may be silent while it is asked for something: the child that
/// calibrates, one with several kernels and one with the first of them alone may all hang.
pub(super) fn slowest_answer(watchdog: Duration) -> Duration {
    const CHILDREN: u32 = 3;
    watchdog.saturating_mul(CHILDREN * child::WALL_FACTOR)
}

/// Greets and runs artifacts until the input ends.
///
/// It changes the calling process (affinity, limits, signals) for good, and the process must have
/// one thread only, because it forks.
///
/// # Errors
/// When the system denies it its work or the other side does not keep to the protocol.
pub fn serve(
    options: &Options,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<(), RunnerError> {
    child::prepare_process().map_err(RunnerError::Denied)?;
    // Its core belongs to this runner as long as it serves.
    let allowed = affinity::allowed();
    if let Some(kind) = options.cores {
        kind.prefer().map_err(RunnerError::NoKinds)?;
    }
    let place = Place::settle(options.core).of(options.cores.or(CoreKind::usual()));
    let (settings, mut host) = look_around(options, &place, &allowed)?;
    let cpus = host.resources.cpus.iter().map(|cpu| cpu.cpu).collect();
    let mut nursery = Nursery::new(settings, cpus).map_err(RunnerError::Denied)?;
    host.resources.low = nursery.low_memory();
    let supply = host.resources.supply();
    let runner = env!("CARGO_PKG_VERSION").to_owned();
    let greeting = Greeting { protocol: wire::PROTOCOL, runner, keeps: true, host };
    wire::write_reply(output, &Reply::Greeting(greeting))?;
    let mut loaded = None;
    while let Some(request) = wire::read_request(input)? {
        let end = match answer(&mut nursery, (&mut loaded, supply), request, output)? {
            Ok(kernels) => Reply::Done(kernels),
            Err(error) => Reply::Error(error.to_string()),
        };
        wire::write_reply(output, &end)?;
    }
    Ok(())
}

/// Finds out what is here.
fn look_around(
    options: &Options,
    place: &Place,
    allowed: &[u32],
) -> Result<(Settings, HostDescription), RunnerError> {
    let core = place.core;
    let (source, tick) = find_ticks(options.ticks)?;
    let facts = Facts::read(place, source);
    let is_timed = match options.ticks {
        TickChoice::Best => !facts.is_emulated(),
        TickChoice::Only(_) => true,
        TickChoice::None => false,
    };
    let filter = child::find_filter().map_err(RunnerError::Denied)?;
    let mut advice = facts.advice();
    advice.extend(place.advice());
    advice.extend((filter == Filter::Absent).then(|| UNFILTERED.to_owned()));
    let host = HostDescription {
        architecture: env::consts::ARCH.to_owned(),
        cpu: facts.cpu(),
        cpuinfo: facts.cpuinfo().to_owned(),
        extensions: facts.extensions(),
        system: host::system(),
        source: if facts.is_emulated() { Source::Emulated } else { Source::Measured },
        core,
        ticks: is_timed.then_some(source),
        tick_rate: match source {
            TickSource::CycleCounter => None,
            TickSource::TimeStamp => Some(tick.rate),
            TickSource::Monotonic => Hertz::new(1e9).ok(),
        },
        tick_step: tick.step,
        advice,
        resources: Resources::read(core, place.kind, allowed),
    };
    let watchdog = options.watchdog;
    let cores = place.kind;
    Ok((Settings { source, tick, event: Event::CYCLES, watchdog, filter, cores }, host))
}

const UNFILTERED: &str = "This system has no system-call filter (seccomp), so an instruction that \
    calls the system does so: run winic as a user with nothing to lose.";

/// The wanted source, or the first that works.
fn find_ticks(choice: TickChoice) -> Result<(TickSource, Tick), RunnerError> {
    let wanted = match choice {
        TickChoice::Only(source) => Some(source),
        TickChoice::Best | TickChoice::None => None,
    };
    let is_wanted = |source: &TickSource| wanted.is_none_or(|wanted| wanted == *source);
    let candidates = TickSource::ALL.into_iter().filter(is_wanted);
    let mut found = candidates.filter_map(|source| Some((source, measure(source)?)));
    found.next().ok_or_else(|| RunnerError::NoTicks(wanted.unwrap_or(TickSource::Monotonic)))
}

fn measure(source: TickSource) -> Option<Tick> {
    let clock: Box<dyn TickClock> = match source {
        TickSource::CycleCounter => Box::new(Counter::open(Event::CYCLES).ok()?),
        TickSource::TimeStamp => Box::new(TimeStamp),
        TickSource::Monotonic => Box::new(Monotonic),
    };
    Tick::measure(clock.as_ref(), &Monotonic)
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
enum RunError {
    #[error(transparent)]
    Image(#[from] ImageError),
    #[error("kernel {}: {error}", id.0)]
    Symbol { id: KernelId, error: ImageError },
    #[error("kernel {} cannot run here: {lacking}", id.0)]
    Needs { id: KernelId, lacking: Lacking },
    #[error("this runner has no GPU: start it with --gpu cuda or --gpu hip")]
    NoGpu,
    #[error("there is no artifact to run again")]
    NothingKept,
    #[error("kernel {}: no child process could be made for it: {error}", id.0)]
    Child { id: KernelId, error: io::Error },
}

/// The shared object that came last.
struct Loaded {
    image: Image,
    reference: ReferenceFunction,
}

impl Loaded {
    /// Loads an artifact, whose bytes end here: what stays in memory makes every fork dearer.
    fn load(artifact: Artifact) -> Result<(Self, Selection), ImageError> {
        let Artifact { image, reference, sentinel, kernels } = artifact;
        let image = Image::load(&image)?;
        Ok((Self { image, reference }, Selection { sentinel, kernels }))
    }

    /// The functions of what is selected.
    fn functions(&self, selection: &Selection, supply: Supply) -> Result<Vec<Functions>, RunError> {
        let memory = self.image.region().map_or(0, |region| region.length() as u64);
        let supply = Supply { memory, ..supply };
        let reference = self.image.function(&self.reference.symbol)?;
        let sentinel = selection.sentinel.as_ref();
        let sentinel =
            sentinel.map(|sentinel| self.image.function(&sentinel.symbol)).transpose()?;
        let kernels = selection.kernels.iter();
        kernels.map(|kernel| find(&self.image, (reference, sentinel), kernel, &supply)).collect()
    }
}

/// Does what is asked for; the number of kernels run. The outer error is the pipe's.
fn answer(
    nursery: &mut Nursery,
    (loaded, supply): (&mut Option<Loaded>, Supply),
    request: Request,
    output: &mut impl Write,
) -> io::Result<Result<usize, RunError>> {
    let selection = match request {
        Request::Gpu(_) => return Ok(Err(RunError::NoGpu)),
        Request::Again(selection) => selection,
        Request::Run(artifact) => {
            // One at a time.
            *loaded = None;
            match Loaded::load(artifact) {
                Ok((image, selection)) => {
                    *loaded = Some(image);
                    selection
                }
                Err(error) => return Ok(Err(error.into())),
            }
        }
    };
    match loaded {
        Some(loaded) => run(nursery, (loaded, supply), &selection, output),
        None => Ok(Err(RunError::NothingKept)),
    }
}

/// Runs what is selected of a shared object; the number of kernels run. The outer error is the
/// pipe's.
fn run(
    nursery: &mut Nursery,
    (loaded, supply): (&Loaded, Supply),
    selection: &Selection,
    output: &mut impl Write,
) -> io::Result<Result<usize, RunError>> {
    let functions = match loaded.functions(selection, supply) {
        Ok(functions) => functions,
        Err(error) => return Ok(Err(error)),
    };
    let Selection { sentinel, kernels } = selection;
    nursery.expect(&loaded.reference, sentinel.as_ref(), &loaded.image);
    let mut rest = kernels.as_slice();
    let mut functions = functions.as_slice();
    while let [first, ..] = rest {
        let reports = match nursery.run(functions) {
            Ok(reports) => reports,
            Err(error) => return Ok(Err(RunError::Child { id: first.id, error })),
        };
        let (ran, others) = rest.split_at(reports.len());
        (rest, functions) = (others, &functions[reports.len()..]);
        // At once: every write wakes the driver up.
        let mut lines = Vec::new();
        for (kernel, report) in ran.iter().zip(reports) {
            wire::write_reply(&mut lines, &Reply::Report(kernel.id, report))?;
        }
        output.write_all(&lines)?;
        output.flush()?;
    }
    Ok(Ok(kernels.len()))
}

/// Finds the functions of a kernel, and checks what else it needs, before any kernel runs: a hole in the
/// image is a mistake of the driver's, and better known at once.
fn find(
    image: &Image,
    (reference, sentinel): (Function, Option<Function>),
    kernel: &KernelFunctions,
    supply: &Supply,
) -> Result<Functions, RunError> {
    let id = kernel.id;
    kernel.needs.check(supply).map_err(|lacking| RunError::Needs { id, lacking })?;
    let no_symbol = |error| RunError::Symbol { id, error };
    let function = |symbol: &String| image.function(symbol).map_err(no_symbol);
    let buffer = kernel.needs.buffer.map(|need| Ok((need, image.buffer_cell()?)));
    Ok(Functions {
        purpose: kernel.purpose,
        reference,
        sentinel,
        init: kernel.init.as_ref().map(function).transpose()?,
        single: function(&kernel.single)?,
        double: kernel.double.as_ref().map(function).transpose()?,
        alone: kernel.alone,
        low: kernel.needs.low,
        cores: kernel.needs.cores,
        buffer: buffer.transpose().map_err(no_symbol)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> Result<Options, OptionError> {
        let mut options = Options::default();
        options.set(name, name, value).map(|()| options)
    }

    #[test]
    fn options_are_typed() {
        assert_eq!(set("--core", "3").unwrap().core, Some(3));
        for source in TickSource::ALL {
            let ticks = set("--ticks", source.name()).unwrap().ticks;
            assert_eq!(ticks, TickChoice::Only(source));
            assert_eq!(serde_json::to_value(source).unwrap(), source.name());
        }
        assert_eq!(set("--ticks", "none").unwrap().ticks, TickChoice::None);
        assert_eq!(set("--watchdog", "50").unwrap().watchdog, Duration::from_millis(50));
    }

    #[test]
    fn a_mistake_is_named() {
        for (name, value, expected) in [
            ("--core", "first", "`first` is no value for --core; try `winic-runner --help`"),
            ("--ticks", "sundial", "`sundial` is no value for --ticks; try `winic-runner --help`"),
            ("--watchdog", "0", "`0` is no value for --watchdog; try `winic-runner --help`"),
            ("--dog", "1", "unknown option `--dog`; try `winic-runner --help`"),
        ] {
            assert_eq!(set(name, value).unwrap_err().to_string(), expected);
        }
    }
}
