//! A machine that a file describes, once everything in the file has been found to make sense.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::file::{
    ClockEntry, ConflictEntry, ConflictRule, ConflictingOperands, LevelEntry, MachineFile,
    NoiseEntry, OverlapEntry, PairEntry, SiteEntry, TimingEntry, TransitionEntry,
};
use super::frequency::{Frequencies, FrequencyEntry};
use super::operation::{Ticks, UnitShape};
use super::run::Front;
use super::standstill::{ConflictCost, Conflicting, StandstillRules, SwitchCosts};
use crate::database::{Malformed, Step, position_of, read_yaml};
use crate::files::shown;
use crate::form::NamedSite;
use crate::units::Hertz;

/// A machine that a file describes.
#[derive(Debug, Clone)]
pub struct ScoreboardMachine {
    /// The CPU's name.
    pub name: String,
    /// Its architecture, as LLVM's triples name it, if it is for one.
    pub architecture: Option<String>,
    /// How it tells time.
    pub clock: MachineClock,
    /// How far measurements are off.
    pub noise: Option<NoiseEntry>,
    /// Cores for kernels that need several at once.
    pub cores: u32,
    /// What runs the threads that those have no room for: machines with cores of another kind.
    pub others: Vec<Self>,
    pub(super) front: Front,
    pub(super) units: Vec<SharedUnit>,
    pub(super) forms: Vec<(NamePatterns, FormTiming)>,
    pub(super) default: Option<FormTiming>,
    pub(super) rules: StandstillRules,
    pub(super) conflicts: Vec<(NamePatterns, ConflictingOperands)>,
    pub(super) states: Vec<MachineState>,
    pub(super) levels: Vec<DescribedLevel>,
}

/// How a machine tells time.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineClock {
    /// The core's frequencies, if they are said.
    pub frequencies: Option<Frequencies>,
    /// The rate of the clock that programs read and the ticks by which it advances at once; none if
    /// they read cycles.
    pub ticks: Option<(Hertz, u64)>,
}

impl MachineClock {
    /// The core's frequency while so many cores are at work.
    #[must_use]
    pub fn frequency(&self, cores: u32) -> Option<Hertz> {
        self.frequencies.as_ref().map(|own| own.with(cores))
    }

    /// Ticks that pass in a cycle while so many cores are at work.
    #[must_use]
    pub fn ticks_per_cycle(&self, cores: u32) -> f64 {
        match (self.ticks, self.frequency(cores)) {
            (Some((rate, _)), Some(frequency)) => rate.get() / frequency.get(),
            _ => 1.0,
        }
    }
}

/// Units of one kind, and how many threads have them in common.
#[derive(Debug, Clone)]
pub(super) struct SharedUnit {
    pub shape: UnitShape,
    /// Of a clock of their own.
    pub frequencies: Option<Frequencies>,
    pub shared_by: u32,
    /// Registers of a bank, where each bank has units of its own.
    pub bank: Option<u32>,
}

/// What a form takes.
#[derive(Debug, Clone)]
pub(super) struct FormTiming {
    latency: Ticks,
    /// From and to where another latency holds; the last one that fits.
    pairs: Vec<(Option<NamedSite>, Option<NamedSite>, Ticks)>,
    /// By number, with for how long.
    pub units: Vec<(usize, Ticks)>,
    /// How long a unit of the form's own is occupied.
    pub interval: Option<Ticks>,
    pub key: Option<usize>,
}

impl FormTiming {
    /// From an input, if there is one, to a result.
    pub fn latency(&self, from: Option<&NamedSite>, to: &NamedSite) -> Ticks {
        let fits = |wanted: &Option<NamedSite>, site: Option<&NamedSite>| {
            wanted.as_ref().is_none_or(|wanted| site == Some(wanted))
        };
        let pair = self.pairs.iter().rev().find(|(of, at, _)| fits(of, from) && fits(at, Some(to)));
        pair.map_or(self.latency, |&(_, _, cycles)| cycles)
    }
}

/// A state that forms enter and leave.
#[derive(Debug, Clone)]
pub(super) struct MachineState {
    pub enter: NamePatterns,
    pub leave: NamePatterns,
    /// What passes from entering to where work goes on after leaving, and what of it leaving takes.
    pub overlap: Option<OverlapEntry>,
}

/// A cache, or memory, which holds everything.
#[derive(Debug, Clone, Copy)]
pub(super) struct DescribedLevel {
    pub size: Option<u64>,
    /// Bytes in a cycle.
    pub load: f64,
    pub store: f64,
    pub shared_by: u32,
}

/// Names of forms.
#[derive(Debug, Clone)]
pub(super) struct NamePatterns {
    /// Without configurations and addressing modes.
    bases: GlobSet,
    /// With.
    names: GlobSet,
}

impl NamePatterns {
    pub fn match_name(&self, name: &str, base: &str) -> bool {
        self.names.is_match(name) || self.bases.is_match(base)
    }

    /// Whether a name is meant that has more than its opcode's.
    pub fn match_own_name(&self, name: &str) -> bool {
        self.names.is_match(name)
    }
}

/// Why there is no such machine.
#[derive(Debug, thiserror::Error)]
pub enum MachineError {
    /// The file cannot be read.
    #[error("cannot read {path}: {reason}; name the file of a machine, as scoreboard:FILE")]
    Unreadable {
        /// The file.
        path: String,
        /// The system's reason.
        reason: io::Error,
    },
    /// It describes no machine.
    #[error("{path}:{fault}")]
    Malformed {
        /// The file.
        path: String,
        /// What is wrong with it, and where.
        fault: Malformed,
    },
}

impl ScoreboardMachine {
    /// Reads the file of a machine.
    ///
    /// # Errors
    /// When it cannot be read, or describes none.
    pub fn open(path: &Path) -> Result<Self, MachineError> {
        let text = std::fs::read_to_string(path)
            .map_err(|reason| MachineError::Unreadable { path: shown(path), reason })?;
        let malformed = |fault| MachineError::Malformed { path: shown(path), fault };
        let file: MachineFile = read_yaml(&text).map_err(malformed)?;
        let mut own = Self::parse(&text).map_err(malformed)?;
        let place = path.parent().unwrap_or(Path::new(""));
        for (at, other) in file.others.iter().enumerate() {
            let other = Self::open(&place.join(other))?;
            if other.clock.ticks != own.clock.ticks {
                let way = ["others".into(), at.into()];
                let problem = "all cores read one clock: give both files one tickRate and step";
                return Err(malformed(Malformed::new(position_of(&text, &way), problem)));
            }
            own.others.push(other);
        }
        Ok(own)
    }

    /// Reads the text of such a file, and none of those that it names.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let file: MachineFile = read_yaml(text)?;
        machine(&file)
            .map_err(|Wrong { way, problem }| Malformed::new(position_of(text, &way), &problem))
    }
}

/// What makes no sense, and the way to it.
struct Wrong {
    way: Vec<Step>,
    problem: String,
}

type Checked<T> = Result<T, Wrong>;

fn wrong<T>(way: &[Step], problem: impl Into<String>) -> Checked<T> {
    Err(Wrong { way: way.to_vec(), problem: problem.into() })
}

/// A way with more steps.
fn on(way: &[Step], steps: &[Step]) -> Vec<Step> {
    [way, steps].concat()
}

fn machine(file: &MachineFile) -> Checked<ScoreboardMachine> {
    if file.name.trim().is_empty() {
        return wrong(&["name".into()], "the machine has no name: databases have it as the CPU");
    }
    for (key, value) in [
        ("issueWidth", file.issue_width as usize),
        ("window", file.window),
        ("cores", file.cores as usize),
    ] {
        if value == 0 {
            return wrong(
                &[key.into()],
                format!("a machine with {key} 0 runs nothing: write more"),
            );
        }
    }
    let names = Names { units: file.units.keys().collect(), keys: keys(file) };
    let default = match &file.default {
        Some(entry) if !entry.names.is_empty() => {
            return wrong(
                &["default".into(), "names".into()],
                "the default is for all forms that `forms` does not name: leave the names out",
            );
        }
        entry => entry.as_ref(),
    };
    let default = default.map(|entry| timing(entry, &names, &["default".into()])).transpose()?;
    let conflict = |entry: &ConflictEntry, way: &[Step]| conflict(entry, &names, way);
    let (conflicts, rules) = each(&file.conflicts, "conflicts", conflict)?.into_iter().unzip();
    let states = each(&file.transitions, "transitions", state)?;
    let entering = file.transitions.iter().map(|it| it.additive.unwrap_or_default().0).collect();
    Ok(ScoreboardMachine {
        name: file.name.trim().to_owned(),
        architecture: file.architecture.clone(),
        clock: clock(&file.clock)?,
        cores: file.cores,
        others: Vec::new(),
        noise: file.noise.map(noise).transpose()?,
        front: Front { width: file.issue_width, window: file.window },
        units: units(file)?,
        forms: each(&file.forms, "forms", |entry, way| {
            let named = patterns(&entry.names, &on(way, &["names".into()]))?;
            Ok((named, timing(entry, &names, way)?))
        })?,
        default,
        rules: StandstillRules { switches: switches(file, &names)?, conflicts: rules, entering },
        conflicts,
        states,
        levels: levels(&file.memory)?,
    })
}

/// Each item of a sequence, with the way to it.
fn each<T, U>(
    items: &[T],
    key: &str,
    check: impl Fn(&T, &[Step]) -> Checked<U>,
) -> Checked<Vec<U>> {
    items.iter().enumerate().map(|(at, item)| check(item, &[key.into(), at.into()])).collect()
}

/// What a file has names for.
struct Names<'a> {
    units: Vec<&'a String>,
    keys: Vec<&'a String>,
}

fn keys(file: &MachineFile) -> Vec<&String> {
    let mut keys: Vec<&String> =
        file.forms.iter().chain(&file.default).filter_map(|entry| entry.key.as_ref()).collect();
    keys.sort();
    keys.dedup();
    keys
}

fn clock(entry: &ClockEntry) -> Checked<MachineClock> {
    let frequencies = frequencies(entry.frequency.as_ref(), &["clock".into(), "frequency".into()])?;
    let rate = entry.tick_rate.map(FrequencyEntry::Constant);
    let rate = self::frequencies(rate.as_ref(), &["clock".into(), "tickRate".into()])?;
    let rate = rate.map(|rate| rate.with(1));
    let ticks = match (rate, entry.step.unwrap_or(1)) {
        (_, 0) => {
            return wrong(&["clock".into(), "step".into()], "the clock must advance: write 1");
        }
        (None, step) if step > 1 => {
            return wrong(
                &["clock".into(), "step".into()],
                "cycles advance one by one: give the tickRate of another clock, or no step",
            );
        }
        (rate, step) => rate.map(|rate| (rate, step)),
    };
    if ticks.is_some() && frequencies.is_none() {
        return wrong(
            &["clock".into(), "tickRate".into()],
            "ticks are no cycles without the core's frequency: add `frequency`, in GHz",
        );
    }
    Ok(MachineClock { frequencies, ticks })
}

fn frequencies(entry: Option<&FrequencyEntry>, way: &[Step]) -> Checked<Option<Frequencies>> {
    let checked = entry.map(|entry| Frequencies::new(entry).or_else(|problem| wrong(way, problem)));
    checked.transpose()
}

/// Measurements that are off by more say nothing.
const MOST_NOISE: f64 = 0.5;

fn noise(entry: NoiseEntry) -> Checked<NoiseEntry> {
    if (0.0..=MOST_NOISE).contains(&entry.relative) {
        return Ok(entry);
    }
    let problem = format!("noise of {} is too much or none: write 0.01 for 1 %", entry.relative);
    wrong(&["noise".into(), "relative".into()], problem)
}

fn units(file: &MachineFile) -> Checked<Vec<SharedUnit>> {
    let unit = |(name, entry): (&String, &super::file::UnitEntry)| {
        let way = |key: &str| ["units".into(), Step::from(name.as_str()), key.into()];
        if entry.count == 0 {
            return wrong(
                &way("count"),
                format!("no unit {name} never gets free: write 1 or more"),
            );
        }
        if entry.shared_by == 0 {
            return wrong(&way("sharedBy"), "at the least one thread uses a unit: write 1 or more");
        }
        if entry.registers == Some(0) {
            return wrong(
                &way("registers"),
                "a unit is for one register at the least: write 1 or more",
            );
        }
        let frequencies = frequencies(entry.frequency.as_ref(), &way("frequency"))?;
        if frequencies.is_some() && file.clock.frequency.is_none() {
            return wrong(
                &way("frequency"),
                "a clock of its own has no relation to the core's: add `frequency` to `clock`, in GHz",
            );
        }
        let shape = UnitShape { count: entry.count, in_order: entry.in_order };
        let bank = entry.registers;
        Ok(SharedUnit { shape, frequencies, shared_by: entry.shared_by, bank })
    };
    file.units.iter().map(unit).collect()
}

fn timing(entry: &TimingEntry, names: &Names<'_>, way: &[Step]) -> Checked<FormTiming> {
    if entry.interval.is_some() && !entry.units.is_empty() {
        return wrong(
            &on(way, &["interval".into()]),
            "an interval is that of a unit of the form's own: name units or give an interval",
        );
    }
    let unit = |(name, busy): (&String, &super::file::MachineCycles)| {
        let at = names.units.iter().position(|known| *known == name);
        match at {
            Some(at) => Ok((at, busy.0)),
            None => wrong(
                &on(way, &["units".into(), name.as_str().into()]),
                format!("there is no unit {name}: describe it under `units`"),
            ),
        }
    };
    let pair = |pair: &PairEntry| (site(&pair.from), site(&pair.to), pair.cycles.0);
    let key = |key: &String| names.keys.iter().position(|known| *known == key);
    Ok(FormTiming {
        latency: entry.latency.0,
        pairs: entry.latencies.iter().map(pair).collect(),
        units: entry.units.iter().map(unit).collect::<Checked<_>>()?,
        interval: entry.interval.map(|interval| interval.0),
        key: entry.key.as_ref().and_then(key),
    })
}

/// A site without the class of its registers.
fn site(entry: &Option<SiteEntry>) -> Option<NamedSite> {
    Some(match entry.as_ref()? {
        SiteEntry::Operand(index) | SiteEntry::Named(NamedSite::Operand { index, .. }) => {
            NamedSite::Operand { index: *index, class: None }
        }
        SiteEntry::Named(other) => other.clone(),
    })
}

fn switches(file: &MachineFile, names: &Names<'_>) -> Checked<SwitchCosts> {
    let mut pairs: BTreeMap<(usize, usize), Ticks> = BTreeMap::new();
    for (at, cost) in file.switches.costs.iter().enumerate() {
        let way = |step: &[Step]| on(&["switches".into(), "costs".into(), at.into()], step);
        let mut between = [0; 2];
        for (side, key) in cost.between.iter().enumerate() {
            let known = names.keys.iter().position(|known| *known == key);
            let Some(known) = known else {
                return wrong(
                    &way(&["between".into(), side.into()]),
                    format!("no form has the key {key}: give it to an entry of `forms`"),
                );
            };
            between[side] = known;
        }
        between.sort_unstable();
        if between[0] == between[1] {
            return wrong(&way(&["between".into()]), "nothing is switched: name two unlike keys");
        }
        if pairs.insert(between.into(), cost.cycles.0).is_some() {
            return wrong(&way(&["between".into()]), "the two have a cost already: leave one out");
        }
    }
    let occupies = occupied(&file.switches.occupies, names, &["switches".into()])?;
    Ok(SwitchCosts { pairs: pairs.into_iter().collect(), other: file.switches.other.0, occupies })
}

/// The unit that something occupies, if it names one.
fn occupied(name: &Option<String>, names: &Names<'_>, way: &[Step]) -> Checked<Option<usize>> {
    let Some(name) = name else { return Ok(None) };
    match names.units.iter().position(|known| *known == name) {
        None => {
            let problem = format!("there is no unit {name}: describe it under `units`");
            wrong(&on(way, &["occupies".into()]), problem)
        }
        at => Ok(at),
    }
}

type CheckedConflict = ((NamePatterns, ConflictingOperands), ConflictCost);

fn conflict(entry: &ConflictEntry, names: &Names<'_>, way: &[Step]) -> Checked<CheckedConflict> {
    let number = |value: Option<u32>, key: &str, least: u32| match value {
        Some(value) if value >= least => Ok(value),
        _ => wrong(
            &on(way, &[if value.is_some() { key } else { "rule" }.into()]),
            format!("this rule needs `{key}`, a number from {least} on"),
        ),
    };
    let needed: &[&str] = match entry.rule {
        ConflictRule::Constant | ConflictRule::Diagonal => &[],
        ConflictRule::SameBank => &["banks"],
        ConflictRule::Periodic => &["period", "offset"],
    };
    for (key, value) in [("banks", entry.banks), ("period", entry.period), ("offset", entry.offset)]
    {
        if value.is_some() && !needed.contains(&key) {
            return wrong(
                &on(way, &[key.into()]),
                format!("this rule has no `{key}`: leave it out"),
            );
        }
    }
    let rule = match entry.rule {
        ConflictRule::Constant => Conflicting::Constant,
        ConflictRule::Diagonal => Conflicting::Diagonal,
        ConflictRule::SameBank => Conflicting::SameBank(number(entry.banks, "banks", 2)?),
        ConflictRule::Periodic => Conflicting::Periodic {
            period: number(entry.period, "period", 2)?,
            offset: number(entry.offset, "offset", 0)?,
        },
    };
    let named = patterns(&entry.names, &on(way, &["names".into()]))?;
    let occupies = occupied(&entry.occupies, names, way)?;
    let cost = ConflictCost { when: rule, cost: entry.cycles.0, occupies };
    Ok(((named, entry.registers), cost))
}

fn state(entry: &TransitionEntry, way: &[Step]) -> Checked<MachineState> {
    let overlap = match (entry.additive, entry.overlapping) {
        (Some(_), None) => None,
        (None, Some(overlap)) => Some(overlap),
        _ => return wrong(way, "a transition is `additive` or `overlapping`: give one of them"),
    };
    let enter = patterns(&entry.enter, &on(way, &["enter".into()]))?;
    let leave = patterns(&entry.leave, &on(way, &["leave".into()]))?;
    Ok(MachineState { enter, leave, overlap })
}

fn levels(entries: &[LevelEntry]) -> Checked<Vec<DescribedLevel>> {
    let mut last: Option<u64> = Some(0);
    let level = |(at, entry): (usize, &LevelEntry)| {
        let way = |key: &str| ["memory".into(), at.into(), Step::from(key)];
        let size = entry.size.map(|size| size.as_u64());
        match (last, size) {
            (None, _) => {
                return wrong(
                    &way("level"),
                    "the level before has no size, so that nothing gets here: give it one",
                );
            }
            (Some(last), Some(size)) if size <= last => {
                return wrong(&way("size"), "a level holds more than the one before it");
            }
            _ => last = size,
        }
        for (key, bytes) in [("load", entry.load), ("store", entry.store)] {
            if !(bytes.is_finite() && bytes > 0.0) {
                return wrong(&way(key), "write the bytes that pass in a cycle, more than 0");
            }
        }
        if entry.shared_by == 0 {
            return wrong(&way("sharedBy"), "at the least one thread uses it: write 1 or more");
        }
        let &LevelEntry { load, store, shared_by, .. } = entry;
        Ok(DescribedLevel { size, load, store, shared_by })
    };
    let levels: Vec<DescribedLevel> =
        entries.iter().enumerate().map(level).collect::<Checked<_>>()?;
    match levels.last() {
        Some(DescribedLevel { size: Some(_), .. }) => wrong(
            &["memory".into(), (levels.len() - 1).into(), "size".into()],
            "the last level is memory, which holds everything: leave its size out",
        ),
        _ => Ok(levels),
    }
}

fn patterns(names: &[String], way: &[Step]) -> Checked<NamePatterns> {
    if names.is_empty() {
        return wrong(
            &way[..way.len() - 1],
            "no form is named: list LLVM names under `names`, \
            `enter` or `leave`, with * for any letters",
        );
    }
    let mut sets = [GlobSetBuilder::new(), GlobSetBuilder::new()];
    for (at, name) in names.iter().enumerate() {
        let glob = GlobBuilder::new(name).literal_separator(false).build();
        match glob {
            Ok(glob) => drop(sets[usize::from(name.contains('@'))].add(glob)),
            Err(error) => {
                let problem = format!("'{name}' is no pattern: {}", error.kind());
                return wrong(&on(way, &[at.into()]), problem);
            }
        }
    }
    match sets.map(|set| set.build()) {
        [Ok(bases), Ok(names)] => Ok(NamePatterns { bases, names }),
        [Err(error), _] | [_, Err(error)] => wrong(way, format!("these patterns: {error}")),
    }
}
