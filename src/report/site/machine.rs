//! A page for each machine: what measured it, the core itself, and what has no value or is doubtful.

use std::collections::BTreeMap;

use askama::Template;

use super::figure::number;
use super::material::{Material, SiteMachine};
use super::{Frame, SiteError, SiteFile, filled};
use crate::database::{Database, Entry, ForwardingTime, Measurement};
use crate::report::findings::core_lines;
use crate::report::ports;

/// Where the pages lie.
pub(super) const FOLDER: &str = "machines";

#[derive(Template)]
#[template(path = "machine.html")]
struct MachinePage<'a> {
    frame: Frame,
    name: &'a str,
    facts: Vec<(&'static str, String)>,
    runs: Vec<RunFacts>,
    core: Vec<String>,
    forwarding: Vec<ForwardingRow>,
    /// By reason, the most frequent first.
    without_value: Vec<ReasonGroup>,
    doubtful: Vec<ReasonGroup>,
    conflicts: Vec<String>,
}

/// A run, as the file describes it.
struct RunFacts {
    /// What was asked, of all questions that one command answered.
    questions: String,
    facts: Vec<(&'static str, String)>,
}

/// A line of the table of store forwarding.
struct ForwardingRow {
    registers: &'static str,
    widths: [u32; 2],
    offset: i32,
    /// Cycles; where the address is named alike.
    figures: [String; 2],
}

/// Forms that have the same reason, and how many values that are.
struct ReasonGroup {
    reason: String,
    count: usize,
    /// Names with addresses.
    forms: Vec<(String, String)>,
}

/// The pages of all machines.
pub(super) fn files(material: &Material<'_>) -> Result<Vec<SiteFile>, SiteError> {
    let page = |machine: &SiteMachine<'_>| {
        let page = page(machine, material);
        filled(format!("{FOLDER}/{}.html", machine.page), &page)
    };
    material.machines.iter().map(page).collect()
}

fn page<'a>(machine: &'a SiteMachine<'_>, material: &Material<'_>) -> MachinePage<'a> {
    let runs = machine.database.measurements();
    let conflicts = runs.latency.iter().flat_map(|run| &run.conflicts).map(ToString::to_string);
    let groups = |is_of: fn(&ReasonKind) -> bool| grouped(machine, material, is_of);
    let questions = [
        ("throughput", &runs.throughput),
        ("latency", &runs.latency),
        ("core", &runs.core),
        ("store forwarding", &runs.forwarding),
        ("accumulators", &runs.accumulators),
        ("threads", &runs.threads),
        ("bandwidth", &runs.bandwidth),
        ("registers", &runs.registers),
        ("transitions", &runs.transition),
        ("sequences", &runs.sequences),
        ("ports", &runs.ports),
        ("wavefronts", &runs.wavefronts),
        ("power", &runs.power),
        ("products", &runs.products),
    ];
    MachinePage {
        frame: Frame::in_folder(machine.name),
        name: machine.name,
        facts: facts(machine),
        conflicts: conflicts.collect(),
        core: core(machine.database),
        forwarding: machine.database.forwarding().iter().flatten().map(forwarding_row).collect(),
        without_value: groups(|kind| *kind == ReasonKind::WithoutValue),
        doubtful: groups(|kind| *kind == ReasonKind::Doubtful),
        runs: run_facts(&questions),
    }
}

/// Its figures, and what executes instructions.
fn core(database: &Database) -> Vec<String> {
    let figures = database.core().as_ref().map(core_lines).unwrap_or_default();
    let units = database.execution().as_ref().map(ports::core_lines).unwrap_or_default();
    figures.into_iter().chain(units).collect()
}

fn facts(machine: &SiteMachine<'_>) -> Vec<(&'static str, String)> {
    let header = machine.database.header();
    let count = |has: fn(&Entry) -> bool| machine.entries.iter().filter(|it| has(it)).count();
    let edges = machine.entries.iter().flat_map(|entry| &entry.latency.operands);
    let latencies = edges.filter(|edge| edge.has_value()).count();
    [
        ("Instruction set", header.isa),
        ("Microarchitecture", header.micro_architecture),
        ("Values are", header.source.map(|source| source.to_string())),
        ("Values of", header.source_cpu),
        ("Written by", header.winic_version.map(|version| format!("winic {version}"))),
        ("Forms", Some(machine.entries.len().to_string())),
        ("Throughputs", Some(count(|entry| entry.throughput.has_value()).to_string())),
        ("Latencies from operand to operand", Some(latencies.to_string())),
        (
            "Forms with ports",
            Some(count(|entry| entry.ports.has_value()))
                .filter(|it| *it > 0)
                .map(|it| it.to_string()),
        ),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, value?)))
    .collect()
}

fn run_facts(questions: &[(&str, &Option<Measurement>)]) -> Vec<RunFacts> {
    let mut out: Vec<RunFacts> = Vec::new();
    for (question, run) in questions {
        let Some(run) = run else { continue };
        let facts = facts_of_run(run.clone());
        match out.iter_mut().find(|known| known.facts == facts) {
            Some(known) => known.questions += &format!(", {question}"),
            None => out.push(RunFacts { questions: (*question).to_owned(), facts }),
        }
    }
    out
}

fn facts_of_run(run: Measurement) -> Vec<(&'static str, String)> {
    let llvm = run.llvm_version.map(|version| format!("LLVM {version}"));
    let winic = run.winic_version.map(|version| format!("winic {version}"));
    [
        ("CPU", run.cpu),
        ("System", run.system),
        ("Clock", run.clock),
        ("Frequency", run.frequency.map(|gigahertz| format!("{} GHz", number(gigahertz)))),
        ("Date", run.date),
        ("Measured by", winic),
        ("Built with", llvm),
        ("Command", run.command),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, value?)))
    .collect()
}

fn forwarding_row(time: &ForwardingTime) -> ForwardingRow {
    let cycles = |cycles: Option<f64>| cycles.map_or_else(|| "–".to_owned(), number);
    ForwardingRow {
        registers: time.registers.name(),
        widths: [time.stored, time.loaded],
        offset: time.offset,
        figures: [cycles(time.cycles), cycles(time.same_address)],
    }
}

/// What a reason is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReasonKind {
    WithoutValue,
    Doubtful,
}

/// Why values of an entry are missing or doubtful, each with which.
fn reasons(entry: &Entry) -> impl Iterator<Item = (ReasonKind, String)> {
    let kind = |has_value| match has_value {
        true => ReasonKind::Doubtful,
        false => ReasonKind::WithoutValue,
    };
    let throughput = entry.throughput.status.iter();
    let throughput = throughput.map(move |status| {
        (kind(entry.throughput.has_value()), format!("throughput: {}", status.kind()))
    });
    let whole = entry.latency.status.iter();
    let whole =
        whole.map(move |it| (kind(entry.latency.has_value()), format!("latency: {}", it.kind())));
    let edges = entry.latency.operands.iter().filter_map(move |edge| {
        let status = edge.status.as_ref()?;
        Some((kind(edge.has_value()), format!("latency of an operand: {}", status.kind())))
    });
    throughput.chain(whole).chain(edges)
}

fn grouped(
    machine: &SiteMachine<'_>,
    material: &Material<'_>,
    is_of: impl Fn(&ReasonKind) -> bool,
) -> Vec<ReasonGroup> {
    let mut groups: BTreeMap<String, (usize, Vec<&str>)> = BTreeMap::new();
    for entry in &machine.entries {
        for (_, reason) in reasons(entry).filter(|(kind, _)| is_of(kind)) {
            let (count, forms) = groups.entry(reason).or_default();
            *count += 1;
            if forms.last() != Some(&entry.subject.llvm_name.as_str()) {
                forms.push(&entry.subject.llvm_name);
            }
        }
    }
    let linked =
        |form: &str| (form.to_owned(), material.link(&machine.isa, form).unwrap_or_default());
    let mut groups: Vec<ReasonGroup> = groups
        .into_iter()
        .map(|(reason, (count, forms))| ReasonGroup {
            reason,
            count,
            forms: forms.into_iter().map(linked).collect(),
        })
        .collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    groups
}
