//! Predictions on the terminal.

use std::fmt::Write as _;

use crate::predict::{ChainBound, PortBound, Prediction};
use crate::report::{drawn, fitted, ports};
use crate::sample::Sample;

/// The text; without a width the terminal says how wide the table may be.
pub(super) fn text(
    predicted: Option<&Prediction>,
    measured: Option<&Sample>,
    width: Option<u16>,
) -> String {
    let mut out = String::new();
    if let Some(predicted) = predicted {
        let rows = predicted.instructions.iter().enumerate().map(|(number, it)| {
            let ports = it.ports.as_deref().map(ports::numbered);
            let figure = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), short);
            [
                number.to_string(),
                it.text.clone(),
                it.form.clone().unwrap_or_else(|| "-".to_owned()),
                ports.unwrap_or_else(|| "-".to_owned()),
                figure(it.throughput),
                short(it.slots),
            ]
        });
        let heading = ["", "instruction", "form", "ports", "throughput", "slots"];
        if let Some(table) = drawn(heading, rows) {
            let _ = writeln!(out, "{}", fitted(table, width));
        }
        bounds(&mut out, predicted);
    }
    if let Some(sample) = measured {
        let (cycles, error) = (short(sample.body.0), short(sample.uncertainty.0));
        let doubt = if sample.settled { "" } else { "; it did not settle" };
        let _ = writeln!(out, "measured {cycles} (+-{error}) cycles per iteration{doubt}");
    }
    out
}

fn bounds(out: &mut String, predicted: &Prediction) {
    match &predicted.ports {
        Some(bound) => {
            let _ = writeln!(out, "ports {}: {}", short(bound.cycles), place(bound));
        }
        None => out.push_str("ports -: the database knows none of these forms\n"),
    }
    if let Some(bound) = &predicted.by_throughput {
        let (cycles, form) = (short(bound.cycles), &bound.form);
        let _ = writeln!(out, "throughput {cycles}: of {form}, whose ports are not known");
    }
    match &predicted.chain {
        Some(chain) => {
            let _ = writeln!(out, "chain {}: {}", short(chain.cycles), links(chain, predicted));
        }
        None => out.push_str("chain -: no iteration waits for another\n"),
    }
    match predicted.front_end {
        Some(cycles) => {
            let slots: f64 = predicted.instructions.iter().map(|it| it.slots).sum();
            let _ = writeln!(out, "front end {}: {} places", short(cycles), short(slots));
        }
        None => out.push_str("front end -: the database does not say how wide it is\n"),
    }
    for lack in &predicted.lacks {
        let _ = writeln!(out, "the database lacks {lack}");
    }
    let least = if predicted.lacks.is_empty() { "" } else { "at least " };
    match predicted.bound_by {
        Some(bound) => {
            let (cycles, by) = (short(predicted.cycles), bound.name());
            let _ = writeln!(out, "predicted {least}{cycles} cycles per iteration, by {by}");
        }
        None => out.push_str("predicted nothing: the database knows none of it\n"),
    }
}

/// The fullest ports, or the resource.
fn place(bound: &PortBound) -> String {
    match &bound.resource {
        Some(form) => format!("what {form} has for itself"),
        None if bound.ports.is_empty() => "none is used".to_owned(),
        None => {
            let ports: Vec<String> = bound.ports.iter().map(u32::to_string).collect();
            let word = if ports.len() == 1 { "port" } else { "ports" };
            format!("on {word} {}", ports.join(", "))
        }
    }
}

/// `0 rax -> rax (1), 2 rax -> rcx (3)`, by the numbers of instructions.
fn links(chain: &ChainBound, predicted: &Prediction) -> String {
    let link = |link: &crate::predict::PredictedLink| {
        let cycles = link.cycles.map_or_else(|| "?".to_owned(), short);
        let text = &predicted.instructions[link.instruction].text;
        let mnemonic = text.split(' ').next().unwrap_or_default();
        format!("{} {mnemonic} {} -> {} ({cycles})", link.instruction, link.from, link.to)
    };
    let links: Vec<String> = chain.links.iter().map(link).collect();
    let round = match chain.iterations {
        0 | 1 => String::new(),
        iterations => format!(", round {iterations} iterations"),
    };
    links.join(", ") + &round
}

/// At most two decimals.
fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_as_short_as_they_can_be() {
        for (value, expected) in [(3.0, "3"), (0.25, "0.25"), (1.0 / 3.0, "0.33"), (0.0, "0")] {
            assert_eq!(short(value), expected);
        }
    }

    #[test]
    fn operations_name_their_ports() {
        assert_eq!(ports::numbered(&[(1, vec![0, 1]), (2, vec![5])]), "1*p01 + 2*p5");
        assert_eq!(ports::numbered(&[(1, vec![9, 10])]), "1*p9,10");
        assert_eq!(ports::numbered(&[]), "none");
    }
}
