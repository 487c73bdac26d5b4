//! Ports for people.

use std::fmt::Write as _;

use crate::database::{ExecutionUnits, PortUsage, PredictedMixture, Subject};
use crate::units::Cycles;

/// A line for a form: its micro-operations by ports, the front end, and what else it occupies.
#[must_use]
pub fn line(subject: &Subject, ports: &PortUsage) -> Option<String> {
    let name = &subject.llvm_name;
    let Some(sum) = sum(ports) else {
        return ports.status.as_ref().map(|status| format!("{name} ports [{status}]"));
    };
    let mut line = format!("{name} ports: {sum}");
    if let Some(slots) = ports.slots {
        let _ = write!(line, ", {slots} {}", if slots == 1.0 { "slot" } else { "slots" });
    }
    for resource in &ports.resources {
        let _ = write!(line, ", a resource of its own for {}", Cycles(resource.cycles));
    }
    if let Some(others) = ports.solutions.filter(|&solutions| solutions > 1) {
        let _ = write!(line, " ({} others explain it as well)", others - 1);
    }
    ports.flags.iter().for_each(|flag| line.push_str(&format!(" [{flag}]")));
    Some(line)
}

/// Micro-operations as papers write them: `1*p0123 + 2*p01`.
#[must_use]
pub fn sum(ports: &PortUsage) -> Option<String> {
    ports.pressure.as_deref().map(numbered)
}

/// Micro-operations on ports that are numbers: `1*p01 + 2*p5`.
#[must_use]
pub fn numbered(micro_ops: &[(u32, Vec<u32>)]) -> String {
    added(micro_ops.iter().map(|(count, ports)| (*count, set(ports))))
}

/// Micro-operations: how many go to which ports, in words.
pub fn added(micro_ops: impl IntoIterator<Item = (u32, String)>) -> String {
    let parts: Vec<String> =
        micro_ops.into_iter().map(|(count, ports)| format!("{count}*{ports}")).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(" + ") }
}

/// A set of ports in one word: `p015`, with commas where a number has two digits.
fn set(ports: &[u32]) -> String {
    let separator = if ports.iter().all(|&port| port < 10) { "" } else { "," };
    let numbers: Vec<String> = ports.iter().map(u32::to_string).collect();
    format!("p{}", numbers.join(separator))
}

/// Lines for what executes instructions.
pub fn core_lines(units: &ExecutionUnits) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(ports) = units.ports {
        let mut sets: Vec<String> = units.sets.iter().map(|ports| set(ports)).collect();
        sets.sort_unstable();
        sets.dedup();
        lines.push(format!("ports: {ports} ({})", sets.join(", ")));
    }
    let names = units.names.iter().enumerate().filter(|(_, name)| !name.is_empty());
    let names: Vec<String> = names.map(|(port, name)| format!("p{port} is {name}")).collect();
    if !names.is_empty() {
        lines.push(format!("the vendor's names: {}", names.join(", ")));
    }
    if let Some(refused) = &units.names_refused {
        lines.push(format!("ports have none of the vendor's names: {refused}"));
    }
    if let Some(others) = units.solutions.filter(|&solutions| solutions > 1) {
        lines.push(format!("other structures that explain as much: {}", others - 1));
    }
    let splitting = match units.splits_instructions {
        Some(true) => ", which splits instructions between two",
        Some(false) => ", which splits no instruction between two",
        None => "",
    };
    lines.extend(units.width.map(|width| format!("front end: {width:.2} a cycle{splitting}")));
    if !units.resources.is_empty() {
        lines.push(format!("resources besides, by who fills them: {}", units.resources.join(", ")));
    }
    let percent = |share: f64| share * 100.0;
    for errors in &units.errors {
        let disturbed = match errors.disturbed {
            0 => String::new(),
            count => format!("; {count} more were disturbed"),
        };
        lines.push(format!(
            "unseen mixtures, {}: {} off by {:.1} % on average, half of them by less than {:.1} %{disturbed}",
            errors.kind,
            errors.mixtures,
            percent(errors.mean),
            percent(errors.median)
        ));
    }
    lines.extend(units.mixtures.iter().filter(|it| it.kind == "asked").map(mixture_line));
    lines
}

/// A mixture beside its prediction.
fn mixture_line(mixture: &PredictedMixture) -> String {
    let part = |(name, count): &(String, u32)| match count {
        1 => name.clone(),
        _ => format!("{count} {name}"),
    };
    let forms: Vec<String> = mixture.forms.iter().map(part).collect();
    let (forms, cycles) = (forms.join(" + "), mixture.cycles);
    let Some(predicted) = mixture.predicted else { return format!("{forms}: {cycles:.2}") };
    let off = (predicted / cycles - 1.0) * 100.0;
    let disturbed = if mixture.disturbed { ", disturbed" } else { "" };
    format!("{forms}: predicted {predicted:.2}, measured {cycles:.2} ({off:+.1} %){disturbed}")
}

/// A paragraph for the core, with a line for each form.
#[must_use]
pub fn paragraph<'a>(
    units: Option<&ExecutionUnits>,
    forms: impl Iterator<Item = (&'a Subject, &'a PortUsage)>,
) -> String {
    let Some(units) = units else { return String::new() };
    let lines = core_lines(units).into_iter();
    let lines = lines.chain(forms.filter_map(|(subject, ports)| line(subject, ports)));
    let lines = lines.map(|line| format!("    {line}\n"));
    std::iter::once("---ports---\n".to_owned()).chain(lines).collect()
}
