//! Instructions that load one of their operands, beside their twins that have it in a register.
//!
//! **Givens.** The latencies of both from that operand to each result: from the address of what is
//! loaded, and from the register. **Asked.** Whether their difference is the same for all
//! instructions that load into one class of registers. It is the time of a load, which does not depend
//! on what is computed afterwards, as long as a core does both with the operations that it has for
//! them. So an instruction whose difference is another one is measured wrong, or is executed in
//! another way than its twin.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::database::{ADDRESS_BASE, Database, Entry, OperandEntry, OperandLatency};
use crate::units::{Cycles, Interval};

/// Latencies that are exact are rounded to whole cycles; closer than this nobody means a difference.
const TOLERANCE: Cycles = Cycles(0.05);

/// A result of an instruction that loads an operand, and what it waits longer for the address than its
/// twin waits for the register.
#[derive(Debug, Clone, PartialEq)]
pub struct Twin {
    /// LLVM's name of the instruction that loads.
    pub form: String,
    /// LLVM's name of the one with a register.
    pub twin: String,
    /// The result: the place of an operand or the name of a register.
    pub target: String,
    /// What the load takes, by these two.
    pub load: Interval,
    /// How much either end of it may be off.
    pub error: Cycles,
}

/// What loads into registers of one class take.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadTime {
    /// LLVM's name of the class.
    pub class: String,
    /// What all of those that agree leave for it.
    pub load: Interval,
    /// How many agree.
    pub agreeing: usize,
    /// Those that do not.
    pub others: Vec<Twin>,
}

impl Twin {
    fn allows(&self, load: Cycles) -> bool {
        self.load.contains(load, self.error.max(TOLERANCE))
    }
}

/// What loads take by all twins of a database, for each class of registers.
#[must_use]
pub fn load_times(database: &Database) -> Vec<LoadTime> {
    let entries: Vec<Entry> = database.entries().collect();
    let mut by_shape: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    for entry in &entries {
        by_shape.entry(shape(entry, None)).or_default().push(entry);
    }
    let mut by_class: BTreeMap<String, Vec<Twin>> = BTreeMap::new();
    for entry in &entries {
        let Some(place) = loaded_operand(entry) else { continue };
        let alike = by_shape.get(&shape(entry, Some(place))).into_iter().flatten().copied();
        let Some((twin, class)) = twin_of(alike, place) else { continue };
        by_class.entry(class).or_default().extend(twins(entry, twin, place));
    }
    by_class.into_iter().filter_map(|(class, twins)| LoadTime::of(class, twins)).collect()
}

impl LoadTime {
    /// The time that most twins allow; of equally good ones the smallest.
    fn of(class: String, twins: Vec<Twin>) -> Option<Self> {
        let allowing = |load: Cycles| twins.iter().filter(|twin| twin.allows(load)).count();
        let ends = twins.iter().flat_map(|twin| [twin.load.lower(), twin.load.upper()]);
        let mut ends: Vec<Cycles> = ends.collect();
        ends.sort_by(|a, b| b.0.total_cmp(&a.0));
        let load = ends.into_iter().max_by_key(|&end| allowing(end))?;
        let (agree, others): (Vec<Twin>, Vec<Twin>) =
            twins.into_iter().partition(|twin| twin.allows(load));
        let lower = agree.iter().map(|twin| twin.load.lower()).reduce(Cycles::max)?;
        let upper = agree.iter().map(|twin| twin.load.upper()).reduce(Cycles::min)?;
        Some(Self { class, load: Interval::new(lower, upper), agreeing: agree.len(), others })
    }
}

/// The one with the operand in a register, and the class of that. None where the mnemonic takes
/// registers of several classes there: the width of what is loaded would tell which is the twin
/// (`VCVTPD2DQ` turns 128 or 256 bits into an `xmm`), and databases do not say that.
fn twin_of<'a>(
    alike: impl Iterator<Item = &'a Entry>,
    place: usize,
) -> Option<(&'a Entry, String)> {
    let mut twins = alike.filter(|entry| is_in_register(&entry.subject.operands[place]));
    let class = |twin: &Entry| twin.subject.operands[place].name.clone();
    let twin = twins.next()?;
    twins.all(|other| class(other) == class(twin)).then_some((twin, class(twin)?))
}

/// The one operand that is loaded and not stored, if there is one.
fn loaded_operand(entry: &Entry) -> Option<usize> {
    let is_memory = |operand: &OperandEntry| operand.class == "memory";
    let mut places = (0..).zip(&entry.subject.operands).filter(|(_, operand)| is_memory(operand));
    match (places.next(), places.next()) {
        (Some((place, operand)), None) if operand.read && !operand.write => Some(place),
        _ => None,
    }
}

fn is_in_register(operand: &OperandEntry) -> bool {
    operand.class == "register" && operand.read && !operand.write
}

/// What two twins have in common: the mnemonic, the configuration, and all operands but the one that
/// is loaded, or that could be.
fn shape(entry: &Entry, loaded: Option<usize>) -> String {
    let subject = &entry.subject;
    let mut text =
        format!("{:?} {:?} {:?}", subject.name, subject.configuration, subject.addressing);
    let sources = subject.operands.iter().rposition(is_in_register);
    let open = loaded.or(sources);
    for (place, operand) in subject.operands.iter().enumerate() {
        let _ = match open == Some(place) {
            true => write!(text, ", any"),
            false => {
                let OperandEntry { class, name, read, write, .. } = operand;
                write!(text, ", {class} {name:?} {read} {write}")
            }
        };
    }
    text
}

/// What a load takes by each result of an instruction and its twin that both have a latency.
fn twins<'a>(
    entry: &'a Entry,
    twin: &'a Entry,
    place: usize,
) -> impl Iterator<Item = Twin> + use<'a> {
    let (address, register) = (format!("{place}{ADDRESS_BASE}"), place.to_string());
    let of_twin = move |target: &str| {
        let edges = &twin.latency.operands;
        edges.iter().find(|edge| edge.source == register && edge.target == target)
    };
    let edges = entry.latency.operands.iter().filter(move |edge| edge.source == address);
    edges.filter_map(move |edge| {
        let (whole, whole_error) = known(edge)?;
        let (part, part_error) = known(of_twin(&edge.target)?)?;
        Some(Twin {
            form: entry.subject.llvm_name.clone(),
            twin: twin.subject.llvm_name.clone(),
            target: edge.target.clone(),
            load: Interval::new(whole.lower() - part.upper(), whole.upper() - part.lower()),
            error: whole_error + part_error,
        })
    })
}

/// A latency that settled and is a dependence.
fn known(edge: &OperandLatency) -> Option<(Interval, Cycles)> {
    let (min, max) = edge.min.zip(edge.max).filter(|(_, max)| max.is_finite())?;
    let counts = edge.status.is_none() && edge.independence.is_none();
    let error = Cycles(edge.uncertainty.unwrap_or_default());
    counts.then(|| (Interval::new(Cycles(min), Cycles(max)), error))
}

/// A line for each class of registers, and one for each twin that does not agree.
#[must_use]
pub fn text(times: &[LoadTime]) -> String {
    let mut text = String::new();
    for LoadTime { class, load, agreeing, others } in times {
        let all = agreeing + others.len();
        let _ = writeln!(text, "load into {class}: {load} by {agreeing} of {all} twins");
        for Twin { form, twin, target, load, .. } in others {
            let _ = writeln!(text, "  {load} by {form} and {twin}, result {target}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A database of a load-op form of each name, `m`, and its twin, `r`, with these latencies.
    fn database(forms: &[(&str, f64, (f64, f64))]) -> Database {
        let mut text = "instructions:\n".to_owned();
        for (name, register, (least, most)) in forms {
            for (suffix, class, source, min, max) in
                [("r", "register", "1", register, register), ("m", "memory", "1.addr", least, most)]
            {
                let _ = write!(
                    text,
                    "- llvmName: {name}{suffix}\n  name: {name}\n  operands:\n  \
                     - {{class: register, name: GR64, read: true, write: true}}\n  \
                     - {{class: {class}, name: {}, read: true, write: false}}\n  \
                     operandLatencies:\n  \
                     - {{sourceOperand: '{source}', targetOperand: '0', latencyMin: {min}, \
                     latencyMax: {max}}}\n",
                    if class == "register" { "GR64" } else { "null" }
                );
            }
        }
        Database::parse(&text).expect("a database")
    }

    #[test]
    fn what_takes_another_load_than_most_is_named() {
        let forms = [
            ("add", 1.0, (5.0, 5.0)),
            ("imul", 3.0, (7.0, 7.0)),
            ("odd", 1.0, (7.0, 7.0)),
            ("vague", 2.0, (5.0, 8.0)),
        ];
        let times = load_times(&database(&forms));
        let [time] = &times[..] else { panic!("{times:?}") };
        assert_eq!((&*time.class, time.agreeing), ("GR64", 3));
        assert_eq!(time.load, Interval::exact(Cycles(4.0)));
        let expected = "load into GR64: [4.00;4.00] by 3 of 4 twins\n  \
                        [6.00;6.00] by oddm and oddr, result 0\n";
        assert_eq!(text(&times), expected);
    }

    #[test]
    fn twins_that_only_bound_the_load_bound_it_together() {
        let times = load_times(&database(&[("a", 1.0, (4.0, 6.0)), ("b", 1.0, (5.0, 8.0))]));
        assert_eq!(times[0].load, Interval::new(Cycles(4.0), Cycles(5.0)));
        assert!(times[0].others.is_empty());
    }

    #[test]
    fn of_several_classes_none_is_the_twin() {
        let wide = "instructions:\n- llvmName: w\n  name: add\n  operands:\n  \
                    - {class: register, name: GR64, read: true, write: true}\n  \
                    - {class: register, name: GR32, read: true, write: false}\n";
        let mut both = database(&[("add", 1.0, (5.0, 5.0))]);
        let wide = Database::parse(wide).expect("a database").entry("w").expect("an entry");
        both.merge(&crate::database::Update { subject: wide.subject, ..Default::default() });
        assert!(load_times(&both).is_empty());
    }

    #[test]
    fn what_has_no_twin_says_nothing() {
        assert!(load_times(&database(&[])).is_empty());
        let mut lone = database(&[("add", 1.0, (5.0, 5.0))]);
        let other = Database::parse("instructions:\n- llvmName: movm\n  name: mov\n").expect("one");
        assert!(load_times(&other).is_empty());
        // Neither does what is no dependence, nor what did not settle.
        let mut update = crate::database::Update {
            subject: lone.entry("addm").expect("an entry").subject,
            latency: Some(lone.entry("addm").expect("an entry").latency),
            ..Default::default()
        };
        let edge = &mut update.latency.as_mut().expect("latencies").operands[0];
        edge.independence = Some(crate::database::Independence::Proven);
        lone.merge(&update);
        assert!(load_times(&lone).is_empty());
    }
}
