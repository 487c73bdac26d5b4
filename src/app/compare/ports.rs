//! The ports of a comparison: of two databases, or of one and LLVM's model.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::database::{Database, PredictedMixture};
use crate::infer::ports::{MicroOps, Ports};
use crate::predict::{ComparedPorts, PortStructure};
use crate::report::ports::added;

/// Ways in which forms differ that are listed, and forms of each.
const LISTED: usize = 20;
const EXAMPLES: usize = 4;

/// What is said of ports; nothing where one of the two knows none.
pub(super) fn text(measured: &Database, reference: Option<PortStructure>) -> String {
    let (Some(own), Some(reference)) = (PortStructure::of_database(measured), reference) else {
        return String::new();
    };
    let (own, reference) = (own.simplified(), reference.simplified());
    let compared = ComparedPorts::of(&own, &reference);
    let (same, all) = compared.agreeing();
    if all == 0 {
        return String::new();
    }
    let mut out = String::new();
    let share = 100.0 * same as f64 / all as f64;
    let _ = writeln!(out, "ports: {same} of {all} forms use the same ({share:.2} %)");
    let _ = writeln!(out, "{}", names(&compared, &reference));
    differences(&mut out, &compared, &reference);
    let mixtures = measured.execution().unwrap_or_default().mixtures;
    predictions(&mut out, &mixtures, &reference);
    out
}

/// Which port is which.
fn names(compared: &ComparedPorts, reference: &PortStructure) -> String {
    let of_one = |(port, other): (usize, &Option<u32>)| {
        let name = other.and_then(|other| reference.ports.get(other as usize));
        format!("p{port} is {}", name.map_or("no port there", String::as_str))
    };
    let all: Vec<String> = compared.names.iter().enumerate().map(of_one).collect();
    all.join(", ")
}

fn differences(out: &mut String, compared: &ComparedPorts, reference: &PortStructure) {
    let mut differing = compared.uses.iter().filter(|it| !it.agrees);
    for it in differing.by_ref().take(LISTED) {
        let forms = it.forms.len();
        let _ = writeln!(
            out,
            "  measured {}, reference {}: {forms} form{}: {}{}",
            sum(&it.measured, |ports| ports.to_string()),
            sum(&it.reference, |ports| in_own_names(ports, compared, reference)),
            if forms == 1 { "" } else { "s" },
            it.forms[..forms.min(EXAMPLES)].join(" "),
            if forms > EXAMPLES { " ..." } else { "" },
        );
    }
    let (ways, forms) = differing.fold((0, 0), |(ways, sum), it| (ways + 1, sum + it.forms.len()));
    if ways > 0 {
        let _ = writeln!(out, "  and {forms} forms in {ways} other ways");
    }
}

fn sum(uses: &[MicroOps], name: impl Fn(Ports) -> String) -> String {
    added(uses.iter().map(|&(count, ports)| (count, name(ports))))
}

/// Ports of the reference by the numbers of those that were measured, as far as there are any.
fn in_own_names(ports: Ports, compared: &ComparedPorts, reference: &PortStructure) -> String {
    let own = |port: u32| compared.names.iter().position(|name| *name == Some(port));
    let numbers: Option<Vec<u32>> = ports.numbers().map(|it| Some(own(it)? as u32)).collect();
    if let Some(numbers) = numbers {
        return Ports::of(numbers).to_string();
    }
    let name = |port: u32| match own(port) {
        Some(number) => format!("p{number}"),
        None => reference.ports.get(port as usize).cloned().unwrap_or_default(),
    };
    ports.numbers().map(name).collect::<Vec<_>>().join("|")
}

/// How far off mixtures are that the database has measured, by its own ports and by the reference's.
fn predictions(out: &mut String, mixtures: &[PredictedMixture], reference: &PortStructure) {
    let mut by_kind: BTreeMap<&str, (usize, f64, f64)> = BTreeMap::new();
    for mixture in mixtures.iter().filter(|it| it.cycles > 0.0 && !it.disturbed) {
        let Some((own, other)) = mixture.predicted.zip(reference.cycles(mixture)) else { continue };
        let off = |cycles: f64| (cycles / mixture.cycles - 1.0).abs();
        let sums = by_kind.entry(&mixture.kind).or_default();
        *sums = (sums.0 + 1, sums.1 + off(own), sums.2 + off(other));
    }
    for (kind, (count, own, other)) in by_kind {
        let mean = |sum: f64| 100.0 * sum / count as f64;
        let _ = writeln!(
            out,
            "{count} measured mixtures, {kind}: off by {:.1} % on average by these ports, {:.1} % by the \
             reference's",
            mean(own),
            mean(other)
        );
    }
}
