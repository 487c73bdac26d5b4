//! Conclusions as entries of the database.

use crate::database::{
    BrokenDependence, Circumstance, Configuration, Helper, Independence, Latency, LatencyVariant,
    MeasuredBody, Operand, OperandLatency, Subject, Throughput, ThroughputVariant, Update,
    ValueStatus, WayBack,
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

/// The entry of a throughput; one that the run did not come to ask for says nothing.
pub fn throughput(conclusion: &ThroughputConclusion, catalogue: &Catalogue) -> Option<Update> {
    let form = catalogue.form(conclusion.opcode)?;
    let record = match &conclusion.value {
        Err(Missing::NotAsked) => Throughput::default(),
        Err(Missing::Because(cause)) => {
            let status = Some(ValueStatus::Failed(cause.clone()));
            Throughput { status, ..Throughput::default() }
        }
        Ok(value) => Throughput { variants: variants(conclusion), ..measured(value, catalogue) },
    };
    Some(Update { subject: subject(form, &catalogue.set), throughput: Some(record), latency: None })
}

/// Why to doubt a throughput, if there is a reason.
fn doubt(value: &ThroughputValue) -> Option<ValueStatus> {
    if !value.settled {
        return Some(ValueStatus::Unstable);
    }
    let anomaly = value.anomaly?;
    let UnrollAnomaly { single, difference } = anomaly;
    Some(ValueStatus::UnrollAnomaly { single, difference })
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
        body: Some(body(value, catalogue)),
        variants: Vec::new(),
    }
}

fn body(value: &ThroughputValue, catalogue: &Catalogue) -> MeasuredBody {
    let body = &value.body;
    let broken = body.breaking.iter().filter_map(|breaking| {
        Some(BrokenDependence {
            register: catalogue.set.register(breaking.register).name.clone(),
            breaker: catalogue.form(breaking.breaker)?.name.clone(),
        })
    });
    MeasuredBody {
        instances: body.instances,
        interval: (!body.breaking.is_empty()).then_some(body.interval),
        broken: broken.collect(),
    }
}

fn variants(conclusion: &ThroughputConclusion) -> Vec<ThroughputVariant> {
    let variants = conclusion.variants.iter();
    variants
        .map(|variant| ThroughputVariant {
            variant: variant.circumstance.clone(),
            throughput: Some(variant.value.headline_interval().upper().0),
            uncertainty: Some(variant.value.uncertainty.0),
        })
        .collect()
}

/// The entry of a form's edges; one that the run did not come to ask for says nothing.
pub fn latency(edges: &[&EdgeConclusion], form: &InstructionForm, catalogue: &Catalogue) -> Update {
    let subject = subject(form, &catalogue.set);
    let record = |edge: &&EdgeConclusion| edge_record(edge, form, &subject, catalogue);
    let operands: Vec<OperandLatency> = edges.iter().map(record).collect();
    let value = Latency::largest(&operands);
    Update { subject, throughput: None, latency: Some(Latency { value, operands, status: None }) }
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
            uncertainty: Some(value.uncertainty.0),
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

/// The steps of a walk by name, with what is special about each.
pub fn way(walk: &[Link], catalogue: &Catalogue) -> WayBack {
    WayBack(walk.iter().filter_map(|link| helper(link, catalogue)).collect())
}

fn helper(link: &Link, catalogue: &Catalogue) -> Option<Helper> {
    let form = catalogue.form(link.opcode)?;
    let circumstance = link.immediate.and_then(|(operand, value)| {
        let variants = catalogue.isa.variants(&catalogue.set, form);
        let is_it = |&(at, number, _): &(usize, i64, String)| (at, number) == (operand, value);
        variants.into_iter().find(is_it).map(|(.., name)| Circumstance::Values(name))
    });
    Some(Helper { form: form.name.clone(), circumstance })
}
