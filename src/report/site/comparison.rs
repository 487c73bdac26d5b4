//! A page for each two machines of an instruction set: how their differences are distributed, and which are
//! largest.

use askama::Template;

use super::figure::{number, range_of};
use super::form::site;
use super::material::{Material, SiteMachine};
use super::names::AddressParts;
use super::{Frame, SiteError, SiteFile, filled};
use crate::report::compare::{Agreement, ComparedRow, Comparison, Measurand, of_databases};
use crate::report::picture::{PictureError, distribution, scatter};
use crate::units::Interval;

/// Where the pages lie.
pub(super) const FOLDER: &str = "comparisons";

/// Differences in a page's table; beyond that `winic compare --tsv` has them.
const MOST: usize = 1000;

/// The page of two machines, with its pictures.
pub(super) struct ComparisonFiles {
    pub names: [String; 2],
    pub page: String,
    pub files: Vec<SiteFile>,
}

#[derive(Template)]
#[template(path = "comparison.html")]
struct ComparisonPage<'a> {
    frame: Frame,
    machines: [&'a SiteMachine<'a>; 2],
    kinds: Vec<ComparedKind>,
    /// The largest differences.
    rows: Vec<DifferenceRow>,
    /// How many there are, of which `rows` are the first.
    differences: usize,
    one_sided: usize,
}

/// Latencies or throughputs.
struct ComparedKind {
    name: &'static str,
    agree: usize,
    differ: usize,
    undecided: usize,
    /// The file of the picture that has the figures against each other.
    scatter: Option<String>,
    /// The file of the picture of how differences are distributed.
    distribution: Option<String>,
}

/// Two figures that differ.
struct DifferenceRow {
    form: String,
    link: String,
    what: String,
    figures: [String; 2],
    gap: String,
}

/// Comparisons of all machines that have anything in common.
pub(super) fn files(material: &Material<'_>) -> Result<Vec<ComparisonFiles>, SiteError> {
    let machines = &material.machines;
    let mut parts = AddressParts::default();
    let mut out = Vec::new();
    for (number, one) in machines.iter().enumerate() {
        for other in machines[number + 1..].iter().filter(|other| other.isa == one.isa) {
            let comparison = of_databases(one.database, other.database);
            if !comparison.rows.is_empty() {
                let page = parts.file(&format!("{}-{}", one.page, other.page));
                out.push(compared([one, other], &comparison, page, material)?);
            }
        }
    }
    Ok(out)
}

type IsOf = fn(&Measurand) -> bool;

/// What figures are of, with the cycles that make a bar of their distribution.
const KINDS: [(&str, f64, IsOf); 2] = [
    ("latencies", 1.0, |measurand| matches!(measurand, Measurand::Latency { .. })),
    ("throughputs", 0.25, |measurand| matches!(measurand, Measurand::Throughput)),
];

fn compared(
    machines: [&SiteMachine<'_>; 2],
    comparison: &Comparison,
    page: String,
    material: &Material<'_>,
) -> Result<ComparisonFiles, SiteError> {
    let names = machines.map(|machine| machine.name.to_owned());
    let (mut kinds, mut files) = (Vec::new(), Vec::new());
    for (name, step, is_of) in KINDS {
        let rows: Vec<_> = comparison.rows.iter().filter(|it| is_of(&it.measurand)).collect();
        let pairs: Vec<[f64; 2]> = rows.iter().map(|row| middles(row)).collect();
        let mut keep = |drawn: Option<String>, what: &str| {
            let picture = format!("{page}-{name}{what}.svg");
            let path = format!("{FOLDER}/{picture}");
            drawn.map(|text| {
                files.push(SiteFile { path, text });
                picture
            })
        };
        let axes = names.each_ref().map(|name| format!("cycles of {name}"));
        let dots = scatter(&format!("All {name}"), axes.each_ref().map(String::as_str), &pairs);
        let scatter = keep(unless_empty(dots)?, "-scatter");
        let distribution = keep(unless_empty(bars((name, step), &names, &pairs))?, "");
        let count = |verdict| rows.iter().filter(|row| row.verdict() == verdict).count();
        kinds.push(ComparedKind {
            name,
            agree: count(Agreement::Agrees),
            differ: count(Agreement::Differs),
            undecided: count(Agreement::Undecided),
            scatter,
            distribution,
        });
    }
    let differences = comparison.differences();
    let row = |row: &&ComparedRow| difference_row(row, machines[0], material);
    let template = ComparisonPage {
        frame: Frame::in_folder(&format!("{} and {}", names[0], names[1])),
        machines,
        kinds,
        rows: differences.iter().take(MOST).map(row).collect(),
        differences: differences.len(),
        one_sided: comparison.one_sided.len(),
    };
    files.push(filled(format!("{FOLDER}/{page}.html"), &template)?);
    Ok(ComparisonFiles { names, page, files })
}

/// The middles of two figures; not finite where one has no upper end.
fn middles(row: &ComparedRow) -> [f64; 2] {
    let of = |interval: Interval| (interval.lower().0 + interval.upper().0) / 2.0;
    [row.measured.interval, row.reference.interval].map(of)
}

/// How differences between figures that are known on both sides are distributed.
fn bars(
    (name, step): (&str, f64),
    names: &[String; 2],
    pairs: &[[f64; 2]],
) -> Result<String, PictureError> {
    let differences: Vec<f64> =
        pairs.iter().map(|[one, other]| other - one).filter(|it| it.is_finite()).collect();
    let across = format!("cycles that {} takes more than {}", names[1], names[0]);
    distribution(&format!("Differences of {name}"), &across, step, &differences)
}

/// A picture; none where there is nothing to draw.
fn unless_empty(drawn: Result<String, PictureError>) -> Result<Option<String>, PictureError> {
    match drawn {
        Err(PictureError::Empty) => Ok(None),
        drawn => drawn.map(Some),
    }
}

fn difference_row(
    row: &ComparedRow,
    machine: &SiteMachine<'_>,
    material: &Material<'_>,
) -> DifferenceRow {
    let of = |name: &str| {
        machine.entry(&row.form).map_or_else(|| name.to_owned(), |it| site(name, &it.subject))
    };
    let what = match &row.measurand {
        Measurand::Latency { source, target } => format!("{} → {}", of(source), of(target)),
        Measurand::Throughput => "throughput".to_owned(),
    };
    DifferenceRow {
        link: material.link(&machine.isa, &row.form).unwrap_or_default(),
        form: row.form.clone(),
        what,
        figures: [range_of(&row.measured), range_of(&row.reference)],
        gap: number(row.gap().0),
    }
}
