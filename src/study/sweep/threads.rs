//! Threads: whether cores that run the same at the same time add up, or share something that is full.
//!
//! One core, two, and so on run a body of independent instances, or walk through a working set each.
//! Source: AMX thesis, chapter 4; the studies of SME over threads.

use super::point::Rate;
use super::team::TeamFinding;
use super::walk::{WalkKind, Walker};
use super::{Grid, name, without};
use crate::catalogue::Catalogue;
use crate::database::{FittedFigure, Sweep, SweepKind, Update};
use crate::experiment::Experiment;
use crate::form::InstructionForm;
use crate::infer::Knowledge;
use crate::infer::sweep::{Scaling, Team};
use crate::kernel::{TeamBody, ThroughputBody};
use crate::metadata::OpcodeId;
use crate::study::{Answers, Known, Question, Study};

/// What is asked.
pub static QUESTION: Question = Question {
    mode: "SWEEP-threads",
    key: SweepKind::Threads.name(),
    counted: "forms have a table of threads",
    is_of_forms: true,
    forms: |_| Vec::new(),
    ask: |catalogue, subjects, grid| Box::new(ThreadStudy { catalogue, subjects, grid }),
    failed: |subject, _| Update { subject, ..Update::default() },
};

/// Instances in a body.
const INSTANCES: u32 = 48;

struct ThreadStudy<'a> {
    catalogue: &'a Catalogue,
    subjects: &'a [OpcodeId],
    grid: &'a Grid,
}

impl ThreadStudy<'_> {
    fn forms(&self) -> impl Iterator<Item = &InstructionForm> {
        self.subjects.iter().filter_map(|&opcode| self.catalogue.form(opcode))
    }

    /// How a form walks, if it is to; or why it does not.
    fn walker(&self, form: &InstructionForm) -> Result<Option<Walker>, &'static str> {
        match self.grid.working_set {
            Some(_) => Walker::of(self.catalogue, form, self.grid, WalkKind::Single).map(Some),
            None => Ok(None),
        }
    }

    /// The experiments of a form, by the number of cores.
    fn points(
        &self,
        form: &InstructionForm,
        walker: Option<&Walker>,
        known: Known,
    ) -> Vec<(u32, Experiment)> {
        let instances = known.instances_if_slow(form.opcode).unwrap_or(INSTANCES);
        let experiment = |cores: u32| match walker {
            Some(walker) => walker.through(self.grid.working_set.unwrap_or(0), cores),
            None => {
                let body = ThroughputBody::plain(form.opcode, instances);
                Experiment::Team(TeamBody { cores, body })
            }
        };
        (1..=self.grid.threads.unwrap_or(1)).map(|cores| (cores, experiment(cores))).collect()
    }

    fn sweep(&self, form: &InstructionForm, known: Known) -> Option<Sweep> {
        let walker = match self.walker(form) {
            Ok(walker) => walker,
            Err(reason) => return Some(without(SweepKind::Threads, form, reason)),
        };
        let bytes = self.grid.working_set.unwrap_or(0);
        let found: Vec<(u32, TeamFinding)> = self
            .points(form, walker.as_ref(), known)
            .into_iter()
            .map(|(cores, asked)| {
                (cores, TeamFinding::of(known.knowledge, &known.trust, &asked, bytes))
            })
            .collect();
        let rate = match &walker {
            Some(walker) => walker.rate(self.catalogue, known.knowledge),
            None => {
                let operations = self.catalogue.isa.operations(&self.catalogue.set, form);
                Rate::of(operations, self.catalogue, known.knowledge)
            }
        };
        let points: Vec<_> = found
            .iter()
            .filter_map(|(cores, found)| found.at(vec![(*cores).into()], rate))
            .collect();
        if points.is_empty() {
            return None;
        }
        let teams: Vec<Team> = found.iter().filter_map(|(_, found)| found.reliable()).collect();
        let scaling = Scaling::fit(&teams);
        Some(Sweep {
            kind: SweepKind::Threads,
            forms: vec![name(self.catalogue, form.opcode)],
            setting: walker.map(|walker| walker.setting(Some(bytes), None)),
            axes: vec![SweepKind::Threads.to_string()],
            rate_unit: rate.as_ref().map(|rate| rate.unit().to_owned()),
            fit: scaling.as_ref().map(figures).unwrap_or_default(),
            residual: scaling.as_ref().map(|fit| fit.residual),
            finding: scaling.as_ref().map(finding),
            points,
            ..Sweep::default()
        })
    }
}

/// The parameters of a fit.
fn figures(fit: &Scaling) -> Vec<FittedFigure> {
    let figure = |name, value: Option<f64>| value.map(|value| FittedFigure::exact(name, value));
    let last = fit.speedups.last().map(|&(_, factor)| factor);
    let figures = [
        figure("single", Some(fit.single)),
        figure("speedup", last),
        figure("capacity", fit.capacity),
        figure("saturating", fit.saturating.map(f64::from)),
    ];
    figures.into_iter().flatten().collect()
}

/// What the fit says, in words.
fn finding(fit: &Scaling) -> String {
    let Some(&(cores, factor)) = fit.speedups.last() else { return String::new() };
    let does = format!("{cores} threads do {factor:.2} times as much as one");
    match fit.saturating {
        None => format!("{does}: they share nothing that is full"),
        Some(1) => format!("{does}: one fills what they share"),
        Some(count) => format!("{does}: {count} fill what they share"),
    }
}

impl Study for ThreadStudy<'_> {
    fn next(&self, knowledge: &Knowledge) -> Vec<Experiment> {
        self.kernels(knowledge).into_iter().map(|(_, asked)| asked).collect()
    }

    fn conclude(&self, knowledge: &Knowledge) -> Answers {
        let known = Known::of(self.catalogue, knowledge);
        let sweeps = self.forms().filter_map(|form| self.sweep(form, known));
        Answers { sweeps: sweeps.collect(), ..Answers::default() }
    }

    fn kernels(&self, knowledge: &Knowledge) -> Vec<(String, Experiment)> {
        let known = Known::of(self.catalogue, knowledge);
        let kernels = self.forms().filter_map(|form| {
            let walker = self.walker(form).ok()?;
            let points = self.points(form, walker.as_ref(), known).into_iter();
            Some(points.map(|(cores, asked)| (format!("{}_threads_{cores}", form.name), asked)))
        });
        kernels.flatten().collect()
    }
}
