//! Transitions: what entering and leaving a state costs beside what is done in it.
//!
//! A body enters a state, does some instructions in it and leaves it. Its duration by the number of those
//! is additive, `a + b n`, where the core waits at the transitions, or overlapping, `max(a, b n + c)`, where
//! they run beside the instructions. Source: the study of SME's `smstart` on M4, and of AMX's `set`.

use super::point::{GridFinding, Rate};
use super::{Grid, name};
use crate::catalogue::Catalogue;
use crate::database::{FittedFigure, Sweep, SweepKind, SweepPoint, Update};
use crate::experiment::Experiment;
use crate::form::InstructionForm;
use crate::infer::Knowledge;
use crate::infer::sweep::{Measured, TransitionCost};
use crate::isa::{Step, Transition};
use crate::kernel::{TransitionBody, TransitionStep};
use crate::metadata::OpcodeId;
use crate::study::{Answers, Known, Question, Study};

/// What is asked.
pub static QUESTION: Question = Question {
    mode: "SWEEP-transition",
    key: SweepKind::Transition.name(),
    counted: "forms have a table of transitions",
    is_of_forms: true,
    forms: |isa| {
        let steps = isa.transitions().iter().flat_map(|it| it.enter.iter().chain(it.leave));
        steps.map(|&(form, _)| form).collect()
    },
    ask: |catalogue, subjects, grid| Box::new(TransitionStudy { catalogue, subjects, grid }),
    failed: |subject, _| Update { subject, ..Update::default() },
};

/// Instructions between entering and leaving a state.
const COUNTS: [u32; 15] = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];
/// Instances in a body, at most, unless one round has more.
const INSTANCES: u32 = 256;
/// Rounds in a body, at most.
const ROUNDS: u32 = 32;

struct TransitionStudy<'a> {
    catalogue: &'a Catalogue,
    subjects: &'a [OpcodeId],
    grid: &'a Grid,
}

/// A state that can be entered here, with what enters and leaves it.
struct KnownState {
    name: &'static str,
    enter: Vec<TransitionStep>,
    leave: Vec<TransitionStep>,
}

impl TransitionStudy<'_> {
    fn forms(&self) -> impl Iterator<Item = &InstructionForm> {
        self.subjects.iter().filter_map(|&opcode| self.catalogue.form(opcode))
    }

    /// The states that were asked for, as far as their instructions execute.
    fn states(&self) -> impl Iterator<Item = KnownState> {
        let is_asked = |transition: &&Transition| {
            self.grid.state.as_ref().is_none_or(|state| state == transition.name)
        };
        let known = |steps: &[Step]| -> Option<Vec<TransitionStep>> {
            let step = |&(form, immediates): &Step| {
                let opcode = self.catalogue.form_by_name(form)?.opcode;
                Some(TransitionStep { opcode, immediates: immediates.to_vec() })
            };
            steps.iter().map(step).collect()
        };
        let asked = self.catalogue.isa.transitions().iter().filter(is_asked);
        asked.filter_map(move |it| {
            Some(KnownState { name: it.name, enter: known(it.enter)?, leave: known(it.leave)? })
        })
    }

    /// The experiments of a form in a state, by the number of instances.
    fn points(&self, form: &InstructionForm, state: &KnownState) -> Vec<(u32, Experiment)> {
        let most = self.grid.instructions.unwrap_or(COUNTS[COUNTS.len() - 1]);
        let counts = COUNTS.iter().copied().filter(|&count| count < most).chain([most]);
        let point = |count: u32| {
            let body = TransitionBody {
                enter: state.enter.clone(),
                subject: form.opcode,
                count,
                leave: state.leave.clone(),
                rounds: (INSTANCES / (count + 1)).clamp(1, ROUNDS),
            };
            (count, Experiment::Transition(body))
        };
        counts.map(point).collect()
    }

    fn sweep(&self, form: &InstructionForm, state: &KnownState, known: Known) -> Option<Sweep> {
        let found: Vec<(u32, GridFinding)> = self
            .points(form, state)
            .into_iter()
            .map(|(count, asked)| {
                (count, GridFinding::fastest(known.knowledge, &known.trust, &[asked]))
            })
            .collect();
        let operations = self.catalogue.isa.operations(&self.catalogue.set, form);
        let rate = Rate::of(operations, self.catalogue, known.knowledge);
        let of_round = |count: u32, point: SweepPoint| {
            let rated = Rate::rated(rate, point);
            SweepPoint { rate: rated.rate.map(|rate| rate * f64::from(count)), ..rated }
        };
        let points = found
            .iter()
            .filter_map(|(count, found)| Some(of_round(*count, found.at(vec![(*count).into()])?)));
        let points: Vec<SweepPoint> = points.collect();
        if points.is_empty() {
            return None;
        }
        // (A state in which nothing is done may be one that no core enters.)
        let entered = found.iter().filter(|(count, _)| *count > 0);
        let measured = entered.filter_map(|(count, found)| {
            let (cycles, uncertainty) = found.reliable()?;
            Some((*count, Measured { cycles, uncertainty }))
        });
        let cost = TransitionCost::fit(&measured.collect::<Vec<_>>());
        Some(Sweep {
            kind: SweepKind::Transition,
            forms: vec![name(self.catalogue, form.opcode)],
            setting: Some(state.name.to_owned()),
            axes: vec!["instructions".to_owned()],
            rate_unit: rate.as_ref().map(|rate| rate.unit().to_owned()),
            points,
            fit: cost.as_ref().map(figures).unwrap_or_default(),
            residual: cost.as_ref().map(|cost| cost.residual),
            finding: cost.as_ref().map(ToString::to_string),
            ..Sweep::default()
        })
    }
}

/// The parameters of a fit.
fn figures(cost: &TransitionCost) -> Vec<FittedFigure> {
    let parameters = cost.parameters().into_iter();
    parameters.map(|(name, value)| FittedFigure::exact(name, value)).collect()
}

impl Study for TransitionStudy<'_> {
    fn next(&self, _: &Knowledge) -> Vec<Experiment> {
        let states: Vec<KnownState> = self.states().collect();
        let asked =
            self.forms().flat_map(|form| states.iter().flat_map(move |it| self.points(form, it)));
        asked.map(|(_, asked)| asked).collect()
    }

    fn conclude(&self, knowledge: &Knowledge) -> Answers {
        let known = Known::of(self.catalogue, knowledge);
        let states: Vec<KnownState> = self.states().collect();
        let sweeps = self
            .forms()
            .flat_map(|form| states.iter().filter_map(move |it| self.sweep(form, it, known)));
        Answers { sweeps: sweeps.collect(), ..Answers::default() }
    }

    fn kernels(&self, _: &Knowledge) -> Vec<(String, Experiment)> {
        let states: Vec<KnownState> = self.states().collect();
        let kernels = self.forms().flat_map(|form| {
            states.iter().flat_map(move |state| {
                let name =
                    move |(count, asked)| (format!("{}_{}_{count}", form.name, state.name), asked);
                self.points(form, state).into_iter().map(name)
            })
        });
        kernels.collect()
    }
}
