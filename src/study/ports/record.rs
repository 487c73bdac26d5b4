//! Port usage as entries of a database.

use super::forms::Told;
use super::inquiry::Inquiry;
use super::reason;
use super::training::{Judged, MixtureKind};
use crate::catalogue::Catalogue;
use crate::database::{
    ExecutionUnits, MixtureErrors, PortUsage, PredictedMixture, ResourceUse, Throughput,
};
use crate::infer::ports::{NamedUse, OtherPorts, Usage, all_ports, cycles, names};
use crate::metadata::OpcodeId;

/// Beyond this what a form takes is not what its ports explain.
const ANOMALOUS: f64 = 0.05;

/// What is said of a form; nothing of one that the run did not come to ask for.
pub(super) fn of(inquiry: &Inquiry, opcode: OpcodeId) -> Option<PortUsage> {
    if let Some(unfit) = inquiry.unfit.get(&opcode) {
        return Some(without(unfit.text()));
    }
    let told = inquiry.told.get(&opcode)?;
    let equally_good = match told {
        Told::Open => return None,
        Told::Contradictory => {
            return Some(without("mixtures are faster than any use of these ports allows"));
        }
        Told::Microcode { slots } => {
            let slots = inquiry.width.and(*slots);
            return Some(PortUsage {
                slots,
                ..without("microcode, which no use of ports explains")
            });
        }
        Told::Inherited { equally_good, .. } => *equally_good,
        Told::Composed { .. } => 1,
        Told::Own(fit) => fit.equally_good,
    };
    let residual = told.residual()?;
    let usage = inquiry.usages.get(&opcode)?;
    let mut flags = Vec::new();
    if residual > ANOMALOUS {
        flags.push("slower than its ports explain".to_owned());
    }
    if inquiry.unlike_twins.contains(&opcode) {
        flags.push("not its twin in registers and a plain access".to_owned());
    }
    if usage.count() == 0 && usage.extra.is_empty() {
        flags.push("uses the front end alone".to_owned());
    }
    Some(PortUsage {
        pressure: Some(pressure(usage)),
        slots: inquiry.width.map(|_| usage.slots),
        resources: usage
            .extra
            .iter()
            .map(|&(resource, cycles)| ResourceUse { resource: resource as u32, cycles })
            .collect(),
        residual: Some(residual),
        solutions: Some(equally_good as u32),
        flags,
        status: None,
    })
}

/// A throughput that breakers left open, where the ports of the form lead to one value in its interval.
pub(super) fn closed(
    throughput: Throughput,
    usage: &Usage,
    width: Option<f64>,
) -> Option<Throughput> {
    let (min, max) = (throughput.min?, throughput.max?);
    let by_ports = cycles(&[(usage, 1.0)], width);
    let allowed = throughput.uncertainty.unwrap_or(0.0);
    let is_within = by_ports >= min - allowed && by_ports <= max + allowed;
    let value = by_ports.clamp(min, max);
    (min < max && is_within && by_ports > 0.0).then_some(Throughput {
        value: Some(value),
        min: Some(value),
        max: Some(value),
        ..throughput
    })
}

fn without(text: &str) -> PortUsage {
    PortUsage { status: Some(reason(text)), ..PortUsage::default() }
}

fn pressure(usage: &Usage) -> Vec<(u32, Vec<u32>)> {
    usage.micro_ops.iter().map(|&(count, ports)| (count, ports.numbers().collect())).collect()
}

/// What is said of the core.
pub(super) fn of_core(inquiry: &Inquiry, catalogue: &Catalogue) -> ExecutionUnits {
    let errors = MixtureKind::ALL.iter().filter_map(|&kind| {
        let of_kind = inquiry.judged.iter().filter(|(own, ..)| *own == kind);
        errors(kind.name(), of_kind.map(|(_, _, judged)| *judged))
    });
    let mixture = |kind: &str, mix: &super::bench::Mix, judged: Judged| PredictedMixture {
        kind: kind.to_owned(),
        forms: mix
            .parts
            .iter()
            .map(|&(opcode, count)| (catalogue.set.opcode(opcode).name.clone(), count))
            .collect(),
        predicted: judged.predicted,
        cycles: judged.measured,
        disturbed: judged.is_disturbed,
    };
    let judged = inquiry.judged.iter().map(|(kind, mix, it)| mixture(kind.name(), mix, *it));
    let named = inquiry.named.iter().filter_map(|(mix, it)| Some(mixture("asked", mix, (*it)?)));
    let resources = (0..inquiry.resources.len()).map(|it| inquiry.resource_name(it, catalogue));
    let count = all_ports(&inquiry.sets).count();
    let (names, names_refused) = match port_names(inquiry, catalogue, count) {
        Ok(names) => (names, None),
        Err(refused) => (Vec::new(), Some(refused.to_string())),
    };
    ExecutionUnits {
        ports: Some(count),
        names,
        names_refused,
        sets: inquiry.sets.iter().map(|set| set.numbers().collect()).collect(),
        solutions: Some(inquiry.equally_good as u32),
        width: inquiry.width,
        splits_instructions: inquiry.splits,
        resources: resources.collect(),
        training_error: inquiry.refined.as_ref().map(|refined| refined.after),
        errors: errors.collect(),
        mixtures: named.chain(judged).collect(),
    }
}

/// What the vendor calls the ports; nothing where its names are not known.
fn port_names(
    inquiry: &Inquiry,
    catalogue: &Catalogue,
    count: u32,
) -> Result<Vec<String>, OtherPorts> {
    let set = &catalogue.set;
    let Some(table) = catalogue.isa.port_names(&set.cpu) else { return Ok(Vec::new()) };
    let used = |form: &str| {
        let usage = inquiry.usages.get(&set.by_name(form)?)?;
        Some(usage.micro_ops.as_slice())
    };
    let names = names(count, &NamedUse::table(table), used)?;
    // Where no form is known there is nothing to say.
    let is_any = names.iter().any(Option::is_some);
    Ok(if is_any { names.into_iter().map(Option::unwrap_or_default).collect() } else { Vec::new() })
}

fn errors(kind: &str, judged: impl Iterator<Item = Judged>) -> Option<MixtureErrors> {
    let (disturbed, quiet): (Vec<Judged>, Vec<Judged>) = judged.partition(|it| it.is_disturbed);
    let mut errors: Vec<f64> = quiet.into_iter().filter_map(Judged::error).map(f64::abs).collect();
    errors.sort_by(f64::total_cmp);
    let count = errors.len();
    (count > 0).then(|| MixtureErrors {
        kind: kind.to_owned(),
        mixtures: count as u32,
        disturbed: disturbed.len() as u32,
        mean: errors.iter().sum::<f64>() / count as f64,
        median: errors[count / 2],
        largest: errors[count - 1],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixtures_that_were_disturbed_count_in_no_error() {
        let judged =
            |measured, is_disturbed| Judged { predicted: Some(1.0), measured, is_disturbed };
        let all = [judged(0.8, false), judged(1.0, false), judged(2.0, true)];
        let found = errors("vector", all.into_iter()).unwrap();
        assert_eq!((found.mixtures, found.disturbed), (2, 1));
        assert!((found.largest - 0.25).abs() < 1e-9 && (found.mean - 0.125).abs() < 1e-9);
        assert_eq!(errors("vector", [judged(2.0, true)].into_iter()), None);
    }
}
