//! A comparison as a table for machines.

use super::{Agreement, ComparedRow, Comparison, Figure, Measurand, OneSided, Side};
use crate::units::Cycles;

const HEADER: [&str; 13] = [
    "llvmName",
    "question",
    "source",
    "target",
    "measuredMin",
    "measuredMax",
    "referenceMin",
    "referenceMax",
    "shift",
    "gap",
    "class",
    "note",
    "verdict",
];

impl Comparison {
    /// Everything on either side: tab-separated, with a header; first what differs, then what is
    /// undecided, what agrees, and what only one side answers, with the reason for a note.
    #[must_use]
    pub fn tsv(&self) -> String {
        let rows = self.differences().into_iter();
        let rows = rows.chain(self.with_verdict(Agreement::Undecided));
        let rows = rows.chain(self.with_verdict(Agreement::Agrees)).map(of_both);
        let lines = rows.chain(self.one_sided.iter().map(of_one));
        std::iter::once(HEADER.map(str::to_owned))
            .chain(lines)
            .map(|fields| fields.join("\t") + "\n")
            .collect()
    }
}

type Fields = [String; HEADER.len()];

fn of_both(row: &ComparedRow) -> Fields {
    let [form, measurand, source, target] = what(&row.form, &row.measurand);
    let [measured_min, measured_max] = ends(&row.measured);
    let [reference_min, reference_max] = ends(&row.reference);
    [
        form,
        measurand,
        source,
        target,
        measured_min,
        measured_max,
        reference_min,
        reference_max,
        number(row.shift),
        number(row.gap()),
        row.class.map_or_else(String::new, |class| class.to_string()),
        row.note.clone(),
        row.verdict().name().to_owned(),
    ]
}

fn of_one(one: &OneSided) -> Fields {
    let [form, measurand, source, target] = what(&one.form, &one.measurand);
    let [min, max] = ends(&one.figure);
    let none = String::new;
    let (measured, reference, verdict) = match one.side {
        Side::Measured => ([min, max], [none(), none()], "only measured"),
        Side::Reference => ([none(), none()], [min, max], "only in the reference"),
    };
    let [measured_min, measured_max] = measured;
    let [reference_min, reference_max] = reference;
    [
        form,
        measurand,
        source,
        target,
        measured_min,
        measured_max,
        reference_min,
        reference_max,
        none(),
        none(),
        none(),
        one.reason.clone(),
        verdict.to_owned(),
    ]
}

fn what(form: &str, measurand: &Measurand) -> [String; 4] {
    let (source, target) = measurand.ends();
    [form, measurand.kind(), source, target].map(str::to_owned)
}

fn ends(figure: &Figure) -> [String; 2] {
    [figure.interval.lower(), figure.interval.upper()].map(number)
}

fn number(cycles: Cycles) -> String {
    format!("{:.4}", cycles.0)
}
