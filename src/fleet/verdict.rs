//! Whether members of a fleet agree on what they all measured.
//!
//! **Givens.** For each member what it reported of one kernel, several times if there was doubt.
//! **Asked.** A member whose value cannot be explained by the uncertainties. Disturbances only
//! lengthen, so of a member's own reports the smallest counts, and the others' value is their
//! median (the lower of the middle two).

use std::fmt;

use crate::artifact::KernelId;
use crate::device::KernelReport;
use crate::sample::{Clock, Sample, reduce};
use crate::units::Cycles;

/// Values that differ by a smaller share agree, whatever their uncertainties: caches, page
/// placement and the neighbours' load make as much.
const AGREEMENT: f64 = 0.02;

/// The value may be outside the uncertainties by this factor: some of many always are.
const TOLERANCE: f64 = 3.0;

/// What one member says of the common kernels.
#[derive(Debug, Default)]
pub(super) struct Juror {
    reports: Vec<(KernelId, KernelReport)>,
}

impl Juror {
    pub(super) fn hear(&mut self, id: KernelId, report: KernelReport) {
        self.reports.push((id, report));
    }

    fn reports(&self, id: KernelId) -> impl Iterator<Item = &KernelReport> {
        self.reports.iter().filter(move |(of, _)| *of == id).map(|(_, report)| report)
    }

    fn statement(&self, id: KernelId, clock: &Clock, cycles: u32) -> Option<Statement> {
        let samples = self.reports(id).filter_map(|report| match report {
            KernelReport::Timed(raw) => reduce(raw, clock, cycles).ok(),
            _ => None,
        });
        let settled = samples.filter(|sample| sample.settled);
        let least = settled.min_by(|a, b| a.body.0.total_cmp(&b.body.0));
        let spoken = || self.reports(id).last();
        least.map(Statement::Takes).or_else(|| match spoken()? {
            // What has not settled says nothing.
            KernelReport::Timed(_) | KernelReport::Parallel(_) => None,
            KernelReport::Executed { .. } => Some(Statement::Executes),
            KernelReport::Faulted(fault) => Some(Statement::Faults(fault.to_string())),
        })
    }
}

/// What a member says of one kernel.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Statement {
    /// It takes so long.
    Takes(Sample),
    /// It executes.
    Executes,
    /// It does not.
    Faults(String),
}

impl Statement {
    fn agrees_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Takes(this), Self::Takes(that)) => {
                let uncertainty = this.uncertainty.0 + that.uncertainty.0;
                let allowed = TOLERANCE * uncertainty + AGREEMENT * that.body.0;
                (this.body.0 - that.body.0).abs() <= allowed
            }
            // Which fault an instruction ends with may depend on what else goes on.
            (Self::Faults(_), Self::Faults(_)) => true,
            (this, that) => this == that,
        }
    }

    /// Faults first, then by duration.
    fn rank(&self) -> f64 {
        match self {
            Self::Faults(_) => -1.0,
            Self::Executes => 0.0,
            Self::Takes(sample) => sample.body.0,
        }
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Takes(sample) => {
                // Two decimals would hide small differences of short bodies, and are too many
                // for long ones.
                let Cycles(body) = sample.body;
                write!(f, "{body:.2}+-{:.2} cycles", sample.uncertainty.0)
            }
            Self::Executes => write!(f, "executed"),
            Self::Faults(fault) => write!(f, "{fault}"),
        }
    }
}

/// What a member says and the others do not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the body of a kernel reads {its} there and {others} elsewhere")]
pub struct Dissent {
    its: String,
    others: String,
}

/// The first member that disagrees with the others about a kernel.
pub(super) fn dissenter(
    jurors: &[Juror],
    id: KernelId,
    clock: &Clock,
    cycles: u32,
) -> Option<(usize, Dissent)> {
    let heard = jurors.iter().map(|juror| juror.statement(id, clock, cycles)).enumerate();
    let statements: Vec<(usize, Statement)> =
        heard.filter_map(|(number, statement)| Some((number, statement?))).collect();
    let mut sorted: Vec<&Statement> = statements.iter().map(|(_, statement)| statement).collect();
    sorted.sort_by(|a, b| a.rank().total_cmp(&b.rank()));
    let median = *sorted.get(sorted.len().checked_sub(1)? / 2)?;
    let (number, statement) =
        statements.iter().find(|(_, statement)| !statement.agrees_with(median))?;
    Some((*number, Dissent { its: statement.to_string(), others: median.to_string() }))
}

/// The report of a kernel to go by: one that settled, with the smallest uncertainty.
pub(super) fn best(
    jurors: &[Juror],
    id: KernelId,
    clock: &Clock,
    cycles: u32,
) -> Option<(KernelId, KernelReport)> {
    let doubt = |report: &KernelReport| match report {
        KernelReport::Timed(raw) => match reduce(raw, clock, cycles) {
            Ok(sample) if sample.settled => sample.uncertainty.0 / sample.body.0,
            Ok(_) | Err(_) => f64::INFINITY,
        },
        KernelReport::Executed { .. } | KernelReport::Parallel(_) | KernelReport::Faulted(_) => 0.0,
    };
    let reports = jurors.iter().flat_map(|juror| juror.reports(id));
    let best = reports.min_by(|a, b| doubt(a).total_cmp(&doubt(b)));
    best.map(|report| (id, report.clone()))
}
