//! Throughputs as entries of a database.

use super::{ThroughputConclusion, ThroughputValue};
use crate::answer::ValueStatus;
use crate::catalogue::Catalogue;
use crate::database::{BrokenDependence, MeasuredBody, Throughput, ThroughputVariant, Update};
use crate::infer::UnrollAnomaly;
use crate::study::{Missing, subject};

/// The entry of a throughput; one that the run did not come to ask for says nothing.
pub(super) fn of(conclusion: &ThroughputConclusion, catalogue: &Catalogue) -> Option<Update> {
    let form = catalogue.form(conclusion.opcode)?;
    let record = match &conclusion.value {
        Err(Missing::NotAsked) => Throughput::default(),
        Err(Missing::Because(cause)) => {
            let status = Some(ValueStatus::Failed(cause.clone()));
            Throughput { status, ..Throughput::default() }
        }
        Ok(value) => Throughput { variants: variants(conclusion), ..measured(value, catalogue) },
    };
    let subject = subject(form, &catalogue.set);
    Some(Update { subject, throughput: Some(record), ..Update::default() })
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
        uncertainty: Some(value.headline_uncertainty().0),
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
            uncertainty: Some(variant.value.headline_uncertainty().0),
        })
        .collect()
}
