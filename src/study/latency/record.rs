//! Latencies as entries of a database.

use super::{Dependence, EdgeConclusion, EdgeValue};
use crate::answer::{Circumstance, ValueStatus, WayBack};
use crate::catalogue::Catalogue;
use crate::database::{Independence, Latency, LatencyVariant, OperandLatency, Subject, Update};
use crate::form::{InstructionForm, Site};
use crate::study::Missing;
use crate::study::subject::{site, subject, way};
use crate::units::Cycles;

/// The entries of all edges, by form in their order.
pub(super) fn of(edges: &[EdgeConclusion], catalogue: &Catalogue) -> Vec<Update> {
    let by_form = edges.chunk_by(|one, next| one.edge.opcode == next.edge.opcode);
    let update = |edges: &[EdgeConclusion]| {
        let form = catalogue.form(edges.first()?.edge.opcode)?;
        Some(latency(edges, form, catalogue))
    };
    by_form.filter_map(update).collect()
}

/// The entry of a form's edges; one that the run did not come to ask for says nothing.
fn latency(edges: &[EdgeConclusion], form: &InstructionForm, catalogue: &Catalogue) -> Update {
    let subject = subject(form, &catalogue.set);
    let record = |edge: &EdgeConclusion| edge_record(edge, form, &subject, catalogue);
    let operands: Vec<OperandLatency> = edges.iter().map(record).collect();
    let value = Latency::largest(&operands);
    let latency = Some(Latency { value, operands, status: None });
    Update { subject, latency, ..Update::default() }
}

fn edge_record(
    conclusion: &EdgeConclusion,
    form: &InstructionForm,
    subject: &Subject,
    catalogue: &Catalogue,
) -> OperandLatency {
    let edge = conclusion.edge;
    let source = site(edge.source, form, &catalogue.set);
    let target = site(edge.target, form, &catalogue.set);
    let numbered = |site: Site, name: &str| {
        let known = site.named(form, &catalogue.set);
        (subject.site(name) != known).then_some(known)
    };
    let named = OperandLatency {
        llvm_source: numbered(edge.source, &source),
        llvm_target: numbered(edge.target, &target),
        source,
        target,
        ..OperandLatency::default()
    };
    match &conclusion.value {
        Err(Missing::NotAsked) => named,
        Err(Missing::Because(cause)) => {
            OperandLatency { status: Some(ValueStatus::Without(cause.clone())), ..named }
        }
        Ok(value) => OperandLatency {
            min: Some(value.headline_interval().lower().0),
            max: Some(value.headline_interval().upper().0),
            independence: independence(value),
            uncertainty: Some(value.headline_uncertainty().0),
            raw: Some(value.interval.upper().0),
            saturated_latency: value.saturated.map(rounded),
            helpers: ways_back(value, catalogue),
            pass: value.helpers.iter().any(|walk| !walk.is_empty()).then_some(value.pass.0),
            limits: value.limits.clone(),
            variants: latency_variants(value),
            status: edge_status(value),
            ..named
        },
    }
}

fn latency_variants(value: &EdgeValue) -> Vec<LatencyVariant> {
    let variant = |(circumstance, each): &(Circumstance, Cycles)| LatencyVariant {
        variant: circumstance.clone(),
        latency: Some(value.headline(*each).0),
    };
    value.variants.iter().map(variant).collect()
}

fn rounded(value: Cycles) -> f64 {
    (value.0 * 100.0).round() / 100.0
}

/// Why to doubt a latency, if there is a reason.
fn edge_status(value: &EdgeValue) -> Option<ValueStatus> {
    if !value.settled {
        return Some(ValueStatus::Unstable);
    }
    value.contested.then_some(ValueStatus::Contested)
}

/// Whether the result may not wait for the source.
fn independence(value: &EdgeValue) -> Option<Independence> {
    match value.dependence {
        Dependence::Absent => Some(Independence::Proven),
        Dependence::Unknown => Some(Independence::Possible),
        Dependence::Shown | Dependence::Faster(_) => None,
    }
}

fn ways_back(value: &EdgeValue, catalogue: &Catalogue) -> Vec<WayBack> {
    let walks = value.helpers.iter().filter(|walk| !walk.is_empty());
    walks.map(|walk| way(walk, catalogue)).collect()
}
