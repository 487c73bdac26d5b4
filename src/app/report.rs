//! The report: what was measured how, for a person to check and repeat. Form: thesis, Listing 7.

use std::fmt::Write as _;

use super::records::{doubt, independence, walk_name};
use crate::database::Independence;
use crate::form::{Catalogue, InstructionForm};
use crate::study::Missing;
use crate::study::latency::{EdgeConclusion, EdgeValue};
use crate::study::throughput::ThroughputConclusion;

/// The line of an edge as in Listing 10.
pub fn edge_line(
    conclusion: &EdgeConclusion,
    form: &InstructionForm,
    catalogue: &Catalogue,
) -> String {
    let name = conclusion.edge.describe(form, &catalogue.set);
    match &conclusion.value {
        Ok(value) => {
            let interval = value.headline_interval();
            let note = edge_note(value);
            let by_values = value
                .variants
                .iter()
                .map(|&(class, each)| format!("\n    {class}: {}", value.headline(each)));
            format!("{name} {interval}{note}{}", by_values.collect::<String>())
        }
        Err(Missing::NotAsked) => format!("{name} [not measured]"),
        Err(Missing::Because(reason)) => format!("{name} [{reason}]"),
    }
}

fn edge_note(value: &EdgeValue) -> &'static str {
    match independence(value) {
        _ if !value.settled => "  unstable",
        Some(Independence::Proven) => {
            "  no dependence: the chain takes what independent instances do"
        }
        Some(Independence::Possible) => {
            "  perhaps no dependence: the chain takes what independent instances do"
        }
        None => "",
    }
}

/// The line of a throughput.
pub fn throughput_line(conclusion: &ThroughputConclusion, catalogue: &Catalogue) -> String {
    let name = catalogue.form(conclusion.opcode).map_or("", |form| form.name.as_str());
    match &conclusion.value {
        Ok(value) => {
            let interval = value.headline_interval();
            let note = doubt(value).map_or_else(String::new, |doubt| format!("  {doubt}"));
            let variants: String = conclusion
                .variants
                .iter()
                .map(|variant| {
                    let each = variant.value.headline_interval().upper();
                    format!("\n    {}: {each}", variant.name)
                })
                .collect();
            format!("{name} {interval}{note}{}{variants}", breaking(conclusion, catalogue))
        }
        Err(Missing::NotAsked) => format!("{name} [not measured]"),
        Err(Missing::Because(reason)) => format!("{name} [{reason}]"),
    }
}

/// Which dependences were broken, and with what.
fn breaking(conclusion: &ThroughputConclusion, catalogue: &Catalogue) -> String {
    let Ok(value) = &conclusion.value else { return String::new() };
    let body = &value.body;
    body.breaking.iter().fold(String::new(), |mut text, breaking| {
        let register = &catalogue.set.register(breaking.register).name;
        let breaker = catalogue.form(breaking.breaker).map_or("", |form| form.name.as_str());
        let every = if body.interval == 1 {
            "instance".to_owned()
        } else {
            format!("{} instances", body.interval)
        };
        let _ = write!(
            text,
            "\n    dependence through {register} broken by {breaker} after every {every}"
        );
        text
    })
}

/// A form's paragraph of a throughput report.
pub fn throughput_paragraph(conclusion: &ThroughputConclusion, catalogue: &Catalogue) -> String {
    let Some(form) = catalogue.form(conclusion.opcode) else { return String::new() };
    let mut text = format!(
        "---{}----\n    {}\n",
        form.name,
        throughput_line(conclusion, catalogue).replace('\n', "\n    ")
    );
    if let Ok(value) = &conclusion.value {
        let _ = writeln!(
            text,
            "        Successful, throughput: {} +- {:.4} ({} instances)",
            value.interval.upper(),
            value.uncertainty.0,
            value.body.instances
        );
    }
    text
}

/// A form's paragraph of a latency report.
pub fn latency_paragraph(
    edges: &[&EdgeConclusion],
    form: &InstructionForm,
    catalogue: &Catalogue,
) -> String {
    let mut text = format!("---{}----\n", form.name);
    for edge in edges {
        let line = edge_line(edge, form, catalogue).replace('\n', "\n    ");
        let _ = writeln!(text, "    {line}");
        let Ok(value) = &edge.value else { continue };
        if value.helpers.iter().all(Vec::is_empty) {
            let _ = writeln!(text, "        Successful, latency: {}", value.interval.upper());
        } else {
            let _ = writeln!(text, "        Dependencies:");
            for walk in value.helpers.iter().filter(|walk| !walk.is_empty()) {
                let _ = writeln!(text, "            {}", walk_name(walk, catalogue));
            }
            let _ = writeln!(text, "        Combined result: {} cycles", value.pass);
        }
        if let Some(saturated) = value.saturated {
            let _ = writeln!(text, "        Saturated: {saturated} cycles");
        }
        if let Some(limits) = &value.limits {
            let _ = writeln!(text, "        Limited {limits}");
        }
    }
    text
}
