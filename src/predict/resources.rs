//! What ports, resources and the front end take.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ThroughputBound;
use super::body::{KnownSteps, slots, throughput};
use crate::database::{Database, PortUsage};
use crate::infer::ports::{Fullest, PassingOrder, Ports, Usage, Use, fullest};

/// What the fullest ports take.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PortBound {
    /// Cycles of an iteration.
    pub cycles: f64,
    /// The ports by their numbers; none where it is a resource.
    pub ports: Vec<u32>,
    /// The resource, by a form that fills it, if it is one that only one instruction has at a time.
    pub resource: Option<String>,
}

/// What a form uses by an entry; nothing where its ports are not known.
pub(super) fn usage(ports: &PortUsage) -> Option<Usage> {
    let pressure = ports.pressure.as_ref()?.iter();
    let micro_ops = pressure.map(|(count, ports)| (*count, Ports::of(ports.iter().copied())));
    let extra = ports.resources.iter().map(|it| (it.resource as usize, it.cycles)).collect();
    Some(Usage { extra, ..Usage::of(micro_ops, ports.slots.unwrap_or(0.0)) })
}

/// The bound by ports, where any are known.
pub(super) fn of_ports(known: &KnownSteps<'_>) -> Option<PortBound> {
    let mut used: BTreeMap<&str, (Usage, f64)> = BTreeMap::new();
    for entry in known.known() {
        let Some(usage) = usage(&entry.ports) else { continue };
        let name = entry.subject.llvm_name.as_str();
        used.entry(name).or_insert((usage, 0.0)).1 += 1.0;
    }
    let mixture: Vec<Use<'_>> = used.values().map(|(usage, times)| (usage, *times)).collect();
    let user = |resource: usize| {
        let mut users = used.iter();
        let user = users.find(|(_, (usage, ..))| usage.extra.iter().any(|it| it.0 == resource));
        user.map(|(name, _)| (*name).to_owned())
    };
    (!mixture.is_empty()).then(|| match fullest(&mixture) {
        Fullest::Ports(ports, cycles) => {
            PortBound { cycles, ports: ports.numbers().collect(), resource: None }
        }
        Fullest::Resource(resource, cycles) => {
            PortBound { cycles, ports: Vec::new(), resource: user(resource) }
        }
    })
}

/// The bound by throughputs, of forms whose ports are not known.
pub(super) fn of_throughputs(known: &KnownSteps<'_>) -> Option<ThroughputBound> {
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    for entry in known.known().filter(|entry| !entry.ports.has_value()) {
        if let Some(cycles) = throughput(entry) {
            *sums.entry(&entry.subject.llvm_name).or_default() += cycles;
        }
    }
    let largest = sums.into_iter().reduce(|one, other| if other.1 > one.1 { other } else { one });
    largest.map(|(form, cycles)| ThroughputBound { cycles, form: form.to_owned() })
}

/// The bound by the front end: by the width that mixtures show, else by the simplest instruction.
pub(super) fn of_front_end(known: &KnownSteps<'_>, database: &Database) -> Option<f64> {
    let by_mixtures = database.execution().and_then(|execution| execution.width);
    let simplest = || database.core().and_then(|core| core.front_end.simplest);
    let each = by_mixtures.map(f64::recip).or_else(simplest);
    let each = each.filter(|each| each.is_finite() && *each > 0.0)?;
    let places: Vec<f64> = known.entries.iter().map(|entry| slots(entry.as_ref())).collect();
    let splits = database.execution().and_then(|execution| execution.splits_instructions);
    match by_mixtures.filter(|_| splits == Some(false)) {
        Some(width) => {
            let forms = (0..places.len()).collect();
            Some(PassingOrder { forms, rounds: 1 }.cycles(&|place| places[place], width))
        }
        None => Some(places.iter().sum::<f64>() * each),
    }
}
