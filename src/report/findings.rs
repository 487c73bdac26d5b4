//! What was measured how, for a person to check and repeat. Form: thesis, Listing 7.

use std::fmt::Write as _;

use super::addressing::of_addressing;
use super::published::of_published;
use super::sweep::of_sweeps;
use crate::database::{
    ChainTime, Core, Database, Entry, ForwardingTime, Independence, Latency, LoadLatencies,
    LoopConflict, OperandLatency, PairPlaces, ReorderWindow, Subject, Throughput, ValueStatus,
};
use crate::units::{Cycles, Interval};

/// A line for each figure of the core.
pub fn core_lines(core: &Core) -> Vec<String> {
    // Shares of a cycle that two digits do not tell apart: a tenth and a twelfth.
    let cycles = |cycles: Option<f64>| cycles.map(|it| format!("{it:.3}"));
    let frequency = core.frequency.map(|gigahertz| format!("{gigahertz:.3} GHz"));
    let named = [
        ("frequency", frequency),
        ("simplest instruction", cycles(core.front_end.simplest)),
        ("filler", cycles(core.front_end.filler)),
        ("loop", core.loop_cycles.map(|cycles| format!("{cycles} cycles beside a chain"))),
    ];
    let named = named.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}", value?)));
    let chains =
        core.reference_chains.iter().filter_map(|ChainTime { chain, cycles: it, .. }| {
            Some(format!("link of {chain}: {}", cycles(*it)?))
        });
    let fillers = core.front_end.fillers.iter().filter_map(|filler| {
        Some(format!("filler of {} bytes: {}", filler.bytes, cycles(filler.cycles)?))
    });
    let guess = core.wrong_guess.as_ref().and_then(|guess| {
        let (penalty, off) = (cycles(guess.penalty)?, cycles(guess.uncertainty)?);
        Some(format!("wrong guess of a branch: {penalty} cycles +- {off}"))
    });
    let pairs = core.pairs.iter().filter_map(pair_line);
    let window = core.window.as_ref().and_then(window_line);
    let loads = core.load_latency.iter().flat_map(load_lines);
    named
        .chain(chains)
        .chain(fillers)
        .chain(guess)
        .chain(pairs)
        .chain(window)
        .chain(loads)
        .collect()
}

/// What a load takes from each level of memory, or why nobody knows.
fn load_lines(loads: &LoadLatencies) -> Vec<String> {
    let LoadLatencies { levels, status, .. } = loads;
    let of_level = levels.iter().filter_map(|level| {
        let (cycles, off) = (level.cycles?, level.uncertainty?);
        let place = level
            .bytes
            .map_or_else(|| "beyond".to_owned(), |bytes| format!("up to {} KiB", bytes >> 10));
        Some(format!("load from a working set {place}: {cycles:.1} cycles +- {off:.1}"))
    });
    let unknown = status.as_ref().map(|reason| format!("levels of memory: not known: {reason}"));
    of_level.chain(unknown).collect()
}

/// How many micro-operations are in flight, or why nobody knows.
fn window_line(window: &ReorderWindow) -> Option<String> {
    let ReorderWindow { size, uncertainty, filler, status, .. } = window;
    let known = size.zip(*uncertainty).map(|(size, off)| {
        let of = filler.as_ref().map_or_else(String::new, |it| format!(", told by {it}"));
        format!("window: {size:.0} micro-operations +- {off:.0}{of}")
    });
    known.or_else(|| Some(format!("window: not known: {}", status.as_ref()?)))
}

/// Whether two neighbours are taken as one, and the places in the front end that show it.
fn pair_line(pair: &PairPlaces) -> Option<String> {
    let PairPlaces { pair, first, second, both, fused } = pair;
    let (first, second, both) = ((*first)?, (*second)?, (*both)?);
    let verdict = if *fused { "one" } else { "two" };
    Some(format!("{pair}: taken as {verdict} ({both:.1} places, apart {first:.1} + {second:.1})"))
}

/// A paragraph for the core.
#[must_use]
pub fn of_core(core: &Core) -> String {
    let lines = core_lines(core).into_iter().map(|line| format!("    {line}\n"));
    std::iter::once("---core----\n".to_owned()).chain(lines).collect()
}

/// A table of store forwarding, tab-separated: a line for each width of store and load and each offset.
pub fn forwarding_lines(times: &[ForwardingTime]) -> Vec<String> {
    let number = |it: Option<f64>| it.map_or_else(String::new, |it| format!("{it:.2}"));
    let line = |time: &ForwardingTime| {
        let ForwardingTime { registers, stored, loaded, offset, .. } = time;
        let figures = [time.cycles, time.uncertainty, time.same_address].map(number).join("\t");
        format!("{}\t{stored}\t{loaded}\t{offset}\t{figures}", registers.name())
    };
    let head = "registers\tstored\tloaded\toffset\tcycles\tuncertainty\tsameAddress".to_owned();
    std::iter::once(head).chain(times.iter().map(line)).collect()
}

/// A paragraph for store forwarding: a line for each pair of widths, cycles from data to data by where
/// the load begins.
#[must_use]
pub fn of_forwarding(times: &[ForwardingTime]) -> String {
    let widths = |time: &ForwardingTime| (time.registers, time.stored, time.loaded);
    let rows = times.chunk_by(|one, other| widths(one) == widths(other));
    let cycles =
        |cycles: Option<f64>| cycles.map_or_else(|| "-".into(), |it| Cycles(it).to_string());
    let line = |row: &[ForwardingTime]| {
        let cell = |time: &ForwardingTime| format!("{:+}: {}", time.offset, cycles(time.cycles));
        let cells: Vec<String> = row.iter().map(cell).collect();
        let ForwardingTime { registers, stored, loaded, .. } = row[0];
        let same = row.iter().find(|time| time.offset == 0).and_then(|time| time.same_address);
        let same = same.map_or_else(String::new, |it| format!("  (named alike {})", Cycles(it)));
        let registers = registers.name();
        format!("    {registers} {stored} -> {loaded} bits: {}{same}\n", cells.join(", "))
    };
    let head =
        "---store forwarding----\n    cycles from data to data, by bytes from store to load\n";
    std::iter::once(head.to_owned()).chain(rows.map(line)).collect()
}

/// The whole report of a database: the core, throughputs, latencies, and which loops contradict each other.
#[must_use]
pub fn of(database: &Database) -> String {
    let core = database.core().as_ref().map(of_core).unwrap_or_default();
    let conflicts = database.measurements().latency.map(|run| run.conflicts);
    let forwarding = database.forwarding().as_deref().map(of_forwarding).unwrap_or_default();
    core + &forwarding
        + &of_sweeps(&database.sweeps())
        + &of_published(&database.sweeps(), &cpu(database))
        + &of_entries(&database.entries().collect::<Vec<_>>(), &conflicts.unwrap_or_default())
}

/// What the report says of the forms whose names are asked for.
#[must_use]
pub fn of_forms(database: &Database, is_asked: impl Fn(&str) -> bool) -> String {
    let asked = database.entries().filter(|entry| is_asked(&entry.subject.llvm_name));
    let mut sweeps = database.sweeps();
    sweeps.retain(|sweep| sweep.forms.iter().any(|form| is_asked(form)));
    of_sweeps(&sweeps)
        + &of_published(&sweeps, &cpu(database))
        + &of_entries(&asked.collect::<Vec<_>>(), &[])
}

/// The CPU that figures are of; empty where the file does not say.
fn cpu(database: &Database) -> String {
    database.origin().and_then(|origin| origin.source_cpu).unwrap_or_default()
}

fn of_entries(entries: &[Entry], conflicts: &[LoopConflict]) -> String {
    let throughputs = entries
        .iter()
        .filter(|entry| entry.throughput.says_something())
        .map(|entry| (&entry.subject, &entry.throughput));
    let latencies = entries
        .iter()
        .filter(|entry| !entry.latency.operands.is_empty())
        .map(|entry| (&entry.subject, &entry.latency));
    of_addressing(throughputs.clone(), latencies.clone())
        + &of_throughputs(throughputs)
        + &of_latencies(latencies, conflicts)
}

/// A paragraph for each throughput.
pub fn of_throughputs<'a>(forms: impl Iterator<Item = (&'a Subject, &'a Throughput)>) -> String {
    forms.map(|(subject, throughput)| throughput_paragraph(subject, throughput)).collect()
}

/// A paragraph for the latencies of each form, and a line for each contradiction.
pub fn of_latencies<'a>(
    forms: impl Iterator<Item = (&'a Subject, &'a Latency)>,
    conflicts: &[LoopConflict],
) -> String {
    let paragraphs = forms.map(|(subject, latency)| latency_paragraph(subject, latency));
    let conflicts = conflicts.iter().map(|conflict| format!("conflict: {conflict}\n"));
    paragraphs.chain(conflicts).collect()
}

/// The line of a throughput.
#[must_use]
pub fn throughput_line(subject: &Subject, throughput: &Throughput) -> String {
    let name = &subject.llvm_name;
    let Throughput { value, min, max, status, .. } = throughput;
    let Some(interval) = interval(min.or(*value), max.or(*value)) else {
        return without_value(name, status.as_ref());
    };
    let note = status.as_ref().map_or_else(String::new, |doubt| format!("  {doubt}"));
    let variants = throughput.variants.iter().filter_map(|variant| {
        Some(format!("\n    {}: {}", variant.variant, Cycles(variant.throughput?)))
    });
    format!("{name} {interval}{note}{}{}", breaking(throughput), variants.collect::<String>())
}

/// A line for each edge, as in Listing 10.
pub fn latency_lines(subject: &Subject, latency: &Latency) -> impl Iterator<Item = String> {
    latency.operands.iter().map(|edge| edge_line(subject, edge))
}

fn edge_line(subject: &Subject, edge: &OperandLatency) -> String {
    let name = edge.edge(subject).to_string();
    let Some(interval) = interval(edge.min, edge.max) else {
        return without_value(&name, edge.status.as_ref());
    };
    let variants = edge.variants.iter().filter_map(|variant| {
        Some(format!("\n    {}: {}", variant.variant, Cycles(variant.latency?)))
    });
    format!("{name} {interval}{}{}", edge_note(edge), variants.collect::<String>())
}

fn interval(min: Option<f64>, max: Option<f64>) -> Option<Interval> {
    let (min, max) = min.zip(max)?;
    Some(Interval::new(Cycles(min), Cycles(max)))
}

fn without_value(name: &str, status: Option<&ValueStatus>) -> String {
    match status {
        None => format!("{name} [not measured]"),
        Some(status) => match status.cause() {
            Some(cause) => format!("{name} [{cause}]"),
            None => format!("{name} [{status}]"),
        },
    }
}

fn edge_note(edge: &OperandLatency) -> &'static str {
    match edge.independence {
        _ if edge.status == Some(ValueStatus::Unstable) => "  unstable",
        Some(Independence::Proven) => {
            "  no dependence: the chain takes what independent instances do"
        }
        Some(Independence::Possible) => {
            "  perhaps no dependence: the chain takes what independent instances do"
        }
        None => "",
    }
}

/// Which dependences were broken, and with what.
fn breaking(throughput: &Throughput) -> String {
    let Some(body) = &throughput.body else { return String::new() };
    let every = match body.interval {
        None | Some(1) => "instance".to_owned(),
        Some(interval) => format!("{interval} instances"),
    };
    body.broken.iter().fold(String::new(), |mut text, broken| {
        let _ = write!(
            text,
            "\n    dependence through {} broken by {} after every {every}",
            broken.register, broken.breaker
        );
        text
    })
}

fn throughput_paragraph(subject: &Subject, throughput: &Throughput) -> String {
    let mut text = format!(
        "---{}----\n    {}\n",
        subject.llvm_name,
        throughput_line(subject, throughput).replace('\n', "\n    ")
    );
    let Throughput { raw, uncertainty, body, .. } = throughput;
    if let (Some(raw), Some(uncertainty), Some(body)) = (*raw, *uncertainty, body) {
        let _ = writeln!(
            text,
            "        Successful, throughput: {} +- {uncertainty:.4} ({} instances)",
            Cycles(raw),
            body.instances
        );
    }
    text
}

fn latency_paragraph(subject: &Subject, latency: &Latency) -> String {
    let mut text = format!("---{}----\n", subject.llvm_name);
    for edge in &latency.operands {
        let line = edge_line(subject, edge).replace('\n', "\n    ");
        let _ = writeln!(text, "    {line}");
        text.push_str(&timing(edge));
    }
    text
}

/// How an edge was timed.
fn timing(edge: &OperandLatency) -> String {
    let mut text = String::new();
    if edge.helpers.is_empty() {
        if let Some(raw) = edge.raw {
            let _ = writeln!(text, "        Successful, latency: {}", Cycles(raw));
        }
    } else {
        text.push_str("        Dependencies:\n");
        for way in &edge.helpers {
            let _ = writeln!(text, "            {way}");
        }
        if let Some(pass) = edge.pass {
            let _ = writeln!(text, "        Combined result: {} cycles", Cycles(pass));
        }
    }
    if let Some(saturated) = edge.saturated_latency {
        let _ = writeln!(text, "        Saturated: {} cycles", Cycles(saturated));
    }
    if let Some(limits) = &edge.limits {
        let _ = writeln!(text, "        Limited {limits}");
    }
    text
}
