//! Conclusions as entries of the database.

use crate::database::{
    Configuration, Independence, Latency, LatencyVariant, Operand, OperandLatency, Subject,
    Throughput, ThroughputVariant, Update,
};
use crate::form::{Catalogue, InstructionForm, Placeholder, Site};
use crate::infer::UnrollAnomaly;
use crate::kernel::Link;
use crate::metadata::{InstructionSet, OperandValue, VectorConfiguration};
use crate::study::Missing;
use crate::study::latency::{Dependence, EdgeConclusion, EdgeValue};
use crate::study::throughput::{ThroughputConclusion, ThroughputValue};
use crate::units::Cycles;

/// What identifies a form in the database. Operands are those that are written in assembly:
/// a use that is tied to a definition is the same operand.
pub fn subject(form: &InstructionForm, set: &InstructionSet) -> Subject {
    Subject {
        llvm_name: form.name.clone(),
        name: Some(form.mnemonic.clone()),
        alias: form.twin.map(|twin| set.opcode(twin).name.clone()),
        configuration: set.configuration(form.opcode).map(configuration),
        operands: written_operands(form)
            .into_iter()
            .map(|index| operand(form, index, set))
            .collect(),
    }
}

fn configuration(known: VectorConfiguration) -> Configuration {
    Configuration {
        sew: Some(known.element_bits),
        lmul: Some(f64::from(known.group).exp2()),
        masked: known.masked,
    }
}

/// LLVM's indices of the operands that stand in the database, in order.
fn written_operands(form: &InstructionForm) -> Vec<usize> {
    (0..form.operands.len())
        .filter(|&index| {
            let operand = &form.operands[index];
            operand.tied_to.is_none() && !matches!(operand.kind, Placeholder::Absent(_))
        })
        .collect()
}

fn operand(form: &InstructionForm, index: usize, set: &InstructionSet) -> Operand {
    let operand = &form.operands[index];
    let tied = form.operands.iter().any(|other| other.tied_to == Some(index));
    match operand.kind {
        Placeholder::Register(class) => Operand {
            class: "register".to_owned(),
            name: form.named_class(index, set).map(|class| set.class(class).name.clone()),
            width: Some(set.class(class).bits),
            read: operand.read || tied,
            write: operand.write,
        },
        Placeholder::Fixed(value) => Operand {
            class: "register".to_owned(),
            name: match value {
                OperandValue::Register(register) => Some(set.register(register).name.clone()),
                OperandValue::Immediate(_) => None,
            },
            read: true,
            ..Operand::default()
        },
        Placeholder::Memory => {
            Operand { class: "memory".to_owned(), read: true, ..Operand::default() }
        }
        Placeholder::Immediate(_) | Placeholder::Absent(_) => {
            Operand { class: "immediate".to_owned(), read: true, ..Operand::default() }
        }
    }
}

/// A site as the database names it: the place among the written operands, or the register.
pub fn site(site: Site, form: &InstructionForm, set: &InstructionSet) -> String {
    match site {
        Site::Implicit(register) => set.register(register).name.clone(),
        Site::Operand(index) => {
            let written = form.operands[index].tied_to.unwrap_or(index);
            let place = written_operands(form).iter().position(|&other| other == written);
            place.unwrap_or(index).to_string()
        }
    }
}

/// The entry of a throughput, if the run came to ask for it.
pub fn throughput(conclusion: &ThroughputConclusion, catalogue: &Catalogue) -> Option<Update> {
    let form = catalogue.form(conclusion.opcode)?;
    let record = match &conclusion.value {
        Err(Missing::NotAsked) => return None,
        Err(Missing::Because(reason)) => {
            Throughput { status: Some(format!("failed: {reason}")), ..Throughput::default() }
        }
        Ok(value) => Throughput { variants: variants(conclusion), ..measured(value, catalogue) },
    };
    Some(Update { subject: subject(form, &catalogue.set), throughput: Some(record), latency: None })
}

/// Why to doubt a throughput, if there is a reason.
pub fn doubt(value: &ThroughputValue) -> Option<String> {
    if !value.settled {
        return Some("unstable".to_owned());
    }
    value.anomaly.map(|UnrollAnomaly { single, difference }| {
        format!("unroll anomaly: {single} by T(n)/n, {difference} by T(2n) - T(n)")
    })
}

fn measured(value: &ThroughputValue, catalogue: &Catalogue) -> Throughput {
    let headline = value.headline_interval();
    let breakers =
        value.body.breaking.iter().filter_map(|breaking| catalogue.form(breaking.breaker));
    Throughput {
        value: Some(headline.upper().0),
        min: Some(headline.lower().0),
        max: Some(headline.upper().0),
        uncertainty: Some(value.uncertainty.0),
        raw: Some(value.interval.upper().0),
        status: doubt(value),
        broken_by: breakers.map(|form| form.name.clone()).collect(),
        variants: Vec::new(),
    }
}

fn variants(conclusion: &ThroughputConclusion) -> Vec<ThroughputVariant> {
    let variants = conclusion.variants.iter();
    variants
        .map(|variant| ThroughputVariant {
            variant: variant.name.clone(),
            throughput: Some(variant.value.headline_interval().upper().0),
            uncertainty: Some(variant.value.uncertainty.0),
        })
        .collect()
}

/// The entry of a form's edges, as far as the run came to ask for them.
pub fn latency(
    edges: &[&EdgeConclusion],
    form: &InstructionForm,
    catalogue: &Catalogue,
) -> Option<Update> {
    let records: Vec<OperandLatency> =
        edges.iter().filter_map(|edge| edge_record(edge, form, catalogue)).collect();
    if records.is_empty() {
        return None;
    }
    let latency =
        Latency { value: slowest(edges).map(|cycles| cycles.0), operands: records, status: None };
    Some(Update {
        subject: subject(form, &catalogue.set),
        throughput: None,
        latency: Some(latency),
    })
}

/// The largest latency. What shows no dependence is none.
fn slowest(edges: &[&EdgeConclusion]) -> Option<Cycles> {
    let values = edges.iter().filter_map(|edge| edge.value.as_ref().ok());
    let latencies = values.filter(|value| !value.dependence.is_doubtful());
    latencies.map(|value| value.headline_interval().upper()).reduce(Cycles::max)
}

fn edge_record(
    conclusion: &EdgeConclusion,
    form: &InstructionForm,
    catalogue: &Catalogue,
) -> Option<OperandLatency> {
    let named = OperandLatency {
        source: site(conclusion.edge.source, form, &catalogue.set),
        target: site(conclusion.edge.target, form, &catalogue.set),
        ..OperandLatency::default()
    };
    match &conclusion.value {
        Err(Missing::NotAsked) => None,
        Err(Missing::Because(reason)) => {
            Some(OperandLatency { status: Some(reason.clone()), ..named })
        }
        Ok(value) => Some(OperandLatency {
            min: Some(value.headline_interval().lower().0),
            max: Some(value.headline_interval().upper().0),
            independence: independence(value),
            uncertainty: Some(value.uncertainty.0),
            raw: Some(value.interval.upper().0),
            saturated_latency: value.saturated.map(rounded),
            helpers: helper_names(value, catalogue),
            variants: latency_variants(value),
            status: edge_status(value),
            ..named
        }),
    }
}

fn latency_variants(value: &EdgeValue) -> Vec<LatencyVariant> {
    let variant = |&(name, each): &(&str, Cycles)| LatencyVariant {
        variant: name.to_owned(),
        latency: Some(value.headline(each).0),
    };
    value.variants.iter().map(variant).collect()
}

fn rounded(value: Cycles) -> f64 {
    (value.0 * 100.0).round() / 100.0
}

/// Why to doubt a latency, if there is a reason.
fn edge_status(value: &EdgeValue) -> Option<String> {
    if !value.settled {
        return Some("unstable".to_owned());
    }
    value.contested.then(|| "contested: its loops disagree".to_owned())
}

/// Whether the result may not wait for the source.
pub fn independence(value: &EdgeValue) -> Option<Independence> {
    match value.dependence {
        Dependence::Absent => Some(Independence::Proven),
        Dependence::Unknown => Some(Independence::Possible),
        Dependence::Shown | Dependence::Faster(_) => None,
    }
}

fn helper_names(value: &EdgeValue, catalogue: &Catalogue) -> Vec<String> {
    value
        .helpers
        .iter()
        .filter(|walk| !walk.is_empty())
        .map(|walk| walk_name(walk, catalogue))
        .collect()
}

/// The steps of a walk by name, with what is special about each.
pub fn walk_name(walk: &[Link], catalogue: &Catalogue) -> String {
    walk.iter().map(|link| link_name(link, catalogue)).collect::<Vec<_>>().join(", ")
}

fn link_name(link: &Link, catalogue: &Catalogue) -> String {
    let Some(form) = catalogue.form(link.opcode) else { return String::new() };
    let variant = link.immediate.and_then(|(operand, value)| {
        let variants = catalogue.isa.variants(&catalogue.set, form);
        variants
            .into_iter()
            .find(|&(at, number, _)| (at, number) == (operand, value))
            .map(|(.., name)| name)
    });
    variant.map_or_else(|| form.name.clone(), |variant| format!("{} ({variant})", form.name))
}
