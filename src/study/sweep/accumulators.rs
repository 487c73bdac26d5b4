//! Accumulators: how many independent chains of a form keep its units busy.
//!
//! So many registers take turns as the result of a form that reads them as well. With one of them every
//! instance waits for the one before and takes the latency; with enough of them the units are always
//! busy and an instance takes the issue interval; between the two an instance takes the latency over the
//! number of accumulators. Source: `amx-thesis`, section 6; the studies of SME on M4.

use super::point::{GridFinding, Rate};
use super::{name, without};
use crate::catalogue::Catalogue;
use crate::database::{FittedFigure, Sweep, SweepKind, SweepPoint, Update};
use crate::experiment::Experiment;
use crate::form::InstructionForm;
use crate::infer::Knowledge;
use crate::infer::sweep::{Measured, Saturation};
use crate::kernel::{Accumulators, Registers, ThroughputBody};
use crate::metadata::OpcodeId;
use crate::study::throughput::dependences_of;
use crate::study::{Answers, Known, Question, Study};
use crate::units::Cycles;

/// What is asked.
pub static QUESTION: Question = Question {
    mode: "SWEEP-accumulators",
    key: SweepKind::Accumulators.name(),
    counted: "forms have a table of accumulators",
    is_of_forms: true,
    forms: |_| Vec::new(),
    ask: |catalogue, subjects, grid| {
        let most = grid.accumulators.unwrap_or(MOST);
        Box::new(AccumulatorStudy { catalogue, subjects, most })
    },
    failed: |subject, _| Update { subject, ..Update::default() },
};

/// Accumulators, unless the user says otherwise: a latency of four cycles at four a cycle.
const MOST: u32 = 16;
/// Instances in a body, at least.
const INSTANCES: u32 = 96;
/// Fillers behind each instance, one of which leaves room in the scheduler (a chain of single-cycle
/// vector instructions takes two cycles a link on Zen 5 without them).
const FILLERS: [u32; 2] = [0, 4];

/// Up to so many accumulators bodies have fillers in any case: without them a chain may seem to be of twice
/// its latency, and then one of half as many accumulators looks as it should.
const ALWAYS_PADDED: u32 = 2;
/// A point is above the model from this share on.
const ABOVE: f64 = 0.02;

struct AccumulatorStudy<'a> {
    catalogue: &'a Catalogue,
    subjects: &'a [OpcodeId],
    most: u32,
}

/// The operand that reads accumulators, and the one whose results they are.
type Pair = (usize, usize);

/// Why a form has no accumulators.
const NO_PAIR: &str = "no operand reads a register that the form can write to";
const UNNAMED: &str =
    "each instance waits for the one before through a register that it reads unnamed";

impl AccumulatorStudy<'_> {
    /// The operands of a form's chains, or why it has none.
    fn pair(&self, form: &InstructionForm) -> Result<Pair, &'static str> {
        if !dependences_of(self.catalogue, form).is_empty() || form.unnamed_lasts().is_some() {
            return Err(UNNAMED);
        }
        Accumulators::operands(self.catalogue, form).ok_or(NO_PAIR)
    }

    /// The experiments at each point of a form's grid.
    fn points(
        &self,
        form: &InstructionForm,
        (source, target): Pair,
        known: Known,
    ) -> Vec<(u32, [Experiment; 2])> {
        let least = known.instances_if_slow(form.opcode).unwrap_or(INSTANCES);
        let point = |count: u32| {
            let registers = Registers::Accumulators(Accumulators { source, target, count });
            let body = |fillers| {
                let instances = count * least.div_ceil(count);
                let plain = ThroughputBody::plain(form.opcode, instances);
                Experiment::Throughput(ThroughputBody { registers, fillers, ..plain })
            };
            (count, FILLERS.map(body))
        };
        (1..=self.most).map(point).collect()
    }

    /// What is worth asking now: all bodies without fillers, and of those with fillers the first, from
    /// which the latency follows; then, with fillers, the points that are above the model.
    fn asked(&self, form: &InstructionForm, pair: Pair, known: Known) -> Vec<Experiment> {
        let points = self.points(form, pair, known);
        let found: Vec<Option<(f64, f64)>> = points
            .iter()
            .map(|(_, asked)| GridFinding::fastest(known.knowledge, &known.trust, asked).reliable())
            .collect();
        let measured = points.iter().zip(&found).filter_map(|((count, _), found)| {
            let (cycles, uncertainty) = (*found)?;
            Some((*count, Measured { cycles, uncertainty }))
        });
        let fit = Saturation::fit(&measured.collect::<Vec<_>>());
        let is_slow = |count: u32, found: Option<(f64, f64)>| {
            fit.zip(found).is_some_and(|(fit, (cycles, uncertainty))| {
                cycles > fit.cycles(count) * (1.0 + ABOVE) + uncertainty
            })
        };
        let asked = points.into_iter().zip(found).flat_map(|((count, [bare, padded]), found)| {
            let wanted = count <= ALWAYS_PADDED || is_slow(count, found);
            [Some(bare), wanted.then_some(padded)].into_iter().flatten()
        });
        asked.collect()
    }

    fn forms(&self) -> impl Iterator<Item = &InstructionForm> {
        self.subjects.iter().filter_map(|&opcode| self.catalogue.form(opcode))
    }

    fn sweep(&self, form: &InstructionForm, known: Known) -> Option<Sweep> {
        let pair = match self.pair(form) {
            Ok(pair) => pair,
            Err(reason) => return Some(without(SweepKind::Accumulators, form, reason)),
        };
        let found: Vec<(u32, GridFinding)> = self
            .points(form, pair, known)
            .into_iter()
            .map(|(count, asked)| {
                (count, GridFinding::fastest(known.knowledge, &known.trust, &asked))
            })
            // Beyond as many registers as there are.
            .filter(|(count, found)| *count == 1 || !matches!(found, GridFinding::Without(_)))
            .collect();
        let operations = self.catalogue.isa.operations(&self.catalogue.set, form);
        let rate = Rate::of(operations, self.catalogue, known.knowledge);
        let points = found.iter().filter_map(|(count, found)| found.at(vec![(*count).into()]));
        let points: Vec<SweepPoint> = points.map(|point| Rate::rated(rate, point)).collect();
        if points.is_empty() {
            return None;
        }
        let measured = found.iter().filter_map(|(count, found)| {
            let (cycles, uncertainty) = found.reliable()?;
            Some((*count, Measured { cycles, uncertainty }))
        });
        let saturation = Saturation::fit(&measured.collect::<Vec<_>>());
        Some(Sweep {
            kind: SweepKind::Accumulators,
            forms: vec![name(self.catalogue, form.opcode)],
            axes: vec![SweepKind::Accumulators.to_string()],
            rate_unit: rate.map(|rate| rate.unit().to_owned()),
            fit: saturation.as_ref().map(figures).unwrap_or_default(),
            residual: saturation.as_ref().map(|fit| fit.residual),
            finding: saturation.as_ref().map(finding),
            points,
            ..Sweep::default()
        })
    }
}

/// The parameters of a fit.
fn figures(fit: &Saturation) -> Vec<FittedFigure> {
    let figure = |name, value: Option<f64>| value.map(|value| FittedFigure::exact(name, value));
    let count = fit.saturating_count.map(f64::from);
    let figures = [
        figure("latency", fit.latency),
        figure("interval", fit.interval),
        figure("saturating", count),
    ];
    figures.into_iter().flatten().collect()
}

/// What the fit says, in words.
fn finding(fit: &Saturation) -> String {
    let cycles = |value: f64| Cycles(value).to_string();
    match (fit.latency, fit.interval, fit.saturating_count) {
        (None, Some(interval), _) => {
            format!("interval {} with any number of accumulators: no chain", cycles(interval))
        }
        (Some(latency), Some(interval), Some(count)) => {
            let (latency, interval) = (cycles(latency), cycles(interval));
            format!("latency {latency}, interval {interval}, {count} accumulators saturate")
        }
        (Some(latency), _, _) => {
            format!("latency {}, not saturated by as many as there are", cycles(latency))
        }
        (None, None, _) => "nothing fits".to_owned(),
    }
}

impl Study for AccumulatorStudy<'_> {
    fn next(&self, knowledge: &Knowledge) -> Vec<Experiment> {
        let known = Known::of(self.catalogue, knowledge);
        let asked =
            self.forms().filter_map(|form| Some(self.asked(form, self.pair(form).ok()?, known)));
        asked.flatten().collect()
    }

    fn conclude(&self, knowledge: &Knowledge) -> Answers {
        let known = Known::of(self.catalogue, knowledge);
        let sweeps = self.forms().filter_map(|form| self.sweep(form, known));
        Answers { sweeps: sweeps.collect(), ..Answers::default() }
    }

    fn kernels(&self, knowledge: &Knowledge) -> Vec<(String, Experiment)> {
        let known = Known::of(self.catalogue, knowledge);
        let kernels =
            self.forms().filter_map(|form| {
                let pair = self.pair(form).ok()?;
                let points = self.points(form, pair, known).into_iter();
                Some(points.map(|(count, [bare, _])| {
                    (format!("{}_accumulators_{count}", form.name), bare)
                }))
            });
        kernels.flatten().collect()
    }
}
