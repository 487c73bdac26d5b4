//! Which addressing modes a core tells apart.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::compare::{Agreement, Figure};
use crate::database::{ADDRESS_BASE, ADDRESS_INDEX, Latency, OperandLatency, Subject, Throughput};
use crate::units::{Cycles, Interval};

/// What was found of a form in one addressing mode: cycles by what they are.
type Facts = BTreeMap<String, Figure>;

/// The ends of a figure and its error, in cycles.
type Ends = (Option<f64>, Option<f64>, Option<f64>);

/// A paragraph for the addressing modes of the forms that were measured in several: what differs from
/// the same form with a base alone, and which modes do not. Nothing if there are no such forms.
pub fn of_addressing<'a>(
    throughputs: impl Iterator<Item = (&'a Subject, &'a Throughput)>,
    latencies: impl Iterator<Item = (&'a Subject, &'a Latency)>,
) -> String {
    let mut all: BTreeMap<&str, (&Subject, Facts)> = BTreeMap::new();
    let mut learn = |subject: &'a Subject, what: String, ends: Ends| {
        if let (Some(min), Some(max), error) = ends {
            let facts = all.entry(&subject.llvm_name).or_insert_with(|| (subject, Facts::new()));
            let interval = Interval::new(Cycles(min), Cycles(max));
            facts.1.insert(what, Figure::one_of(interval, Cycles(error.unwrap_or_default())));
        }
    };
    for (subject, throughput) in throughputs {
        let Throughput { min, max, uncertainty, .. } = throughput;
        learn(subject, "throughput".to_owned(), (*min, *max, *uncertainty));
    }
    for (subject, latency) in latencies {
        for edge in &latency.operands {
            if let Some(part) = part(edge) {
                let what = format!("{part} -> {}", edge.target);
                learn(subject, what, (edge.min, edge.max, edge.uncertainty));
            }
        }
    }
    paragraph(&all)
}

/// Which part of an address an edge begins at.
fn part(edge: &OperandLatency) -> Option<&'static str> {
    let parts = [(ADDRESS_INDEX, "index"), (ADDRESS_BASE, "base")];
    parts.into_iter().find(|(suffix, _)| edge.source.ends_with(suffix)).map(|(_, part)| part)
}

fn paragraph(all: &BTreeMap<&str, (&Subject, Facts)>) -> String {
    let (mut apart, mut alike) = (String::new(), Vec::new());
    for (name, (subject, facts)) in all {
        let base = name.split_once('@').and_then(|(base, _)| all.get(base));
        let (Some(mode), Some((_, plain))) = (&subject.addressing, base) else { continue };
        let differing = differing(facts, plain);
        if differing.is_empty() {
            alike.push(*name);
        } else {
            let _ = writeln!(apart, "    {name} ({mode}): {}", differing.join(", "));
        }
    }
    if apart.is_empty() && alike.is_empty() {
        return String::new();
    }
    let mut out = "---addressing modes----\n".to_owned() + &apart;
    if !alike.is_empty() {
        let _ = writeln!(out, "    as with the base alone: {}", alike.join(", "));
    }
    out
}

/// What takes another time than with the base alone, by more than either may be off. What an index leads
/// to is held against what the base does.
fn differing(facts: &Facts, plain: &Facts) -> Vec<String> {
    let own = facts.iter().filter_map(|(what, time)| {
        let plain = plain.get(&what.replace("index ->", "base ->"))?;
        let says_the_same = Agreement::of(time, plain, time.error + plain.error);
        let differs = says_the_same != Agreement::Agrees;
        differs.then(|| format!("{what} {} ({})", time.interval, plain.interval))
    });
    own.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(name: &str, addressing: Option<&str>) -> Subject {
        let addressing = addressing.map(str::to_owned);
        Subject { llvm_name: name.to_owned(), addressing, ..Subject::default() }
    }

    fn latency(edges: &[(&str, f64)]) -> Latency {
        let operand = |&(source, cycles): &(&str, f64)| OperandLatency {
            source: source.to_owned(),
            target: "0".to_owned(),
            uncertainty: Some(0.1),
            min: Some(cycles),
            max: Some(cycles),
            ..OperandLatency::default()
        };
        Latency { operands: edges.iter().map(operand).collect(), ..Latency::default() }
    }

    #[test]
    fn modes_that_take_another_time_are_told_from_those_that_do_not() {
        let forms = [
            (subject("LOAD", None), latency(&[("1.addr", 4.0), ("1", 6.0)])),
            (
                subject("LOAD@index", Some("base + index")),
                latency(&[("1.addr", 4.1), ("1.addr.index", 4.0), ("1", 7.0)]),
            ),
            (
                subject("LOAD@scaled-index", Some("base + index * 8")),
                latency(&[("1.addr", 4.0), ("1.addr.index", 5.0)]),
            ),
        ];
        let said = of_addressing(std::iter::empty(), forms.iter().map(|(one, it)| (one, it)));
        let expected = "---addressing modes----\n    \
             LOAD@scaled-index (base + index * 8): index -> 0 [5.00;5.00] ([4.00;4.00])\n    \
             as with the base alone: LOAD@index\n";
        assert_eq!(said, expected);
    }

    #[test]
    fn without_modes_there_is_no_paragraph() {
        let plain = (subject("LOAD", None), latency(&[("1.addr", 4.0)]));
        let said = of_addressing(std::iter::empty(), std::iter::once((&plain.0, &plain.1)));
        assert_eq!(said, "");
    }
}
