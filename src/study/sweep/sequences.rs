//! Sequences: what short loops of several instructions take, and a model that predicts it.
//!
//! All loops of one, two and three of some forms are measured, each once (rotations are one loop). A model of
//! what each form costs beside each other is fitted to those of one and two, and tried on loops that it
//! has not seen: all of three, and, fitted without them, a tenth of those of two. Source: AMX thesis, chapter 6.

use std::collections::HashMap;

use super::point::GridFinding;
use super::{Grid, name};
use crate::catalogue::Catalogue;
use crate::database::{Coordinate, FittedFigure, Sweep, SweepKind, SweepPoint, Update};
use crate::experiment::Experiment;
use crate::form::{InstructionForm, MemoryAccess, Part};
use crate::infer::Knowledge;
use crate::infer::sweep::{
    CanonicalLoop, LoopInstruction, Measured, MeasuredSequence, PredictionErrors, RegisterAccess,
    SequenceModel, SequenceTerms, TABLE_6_2, hold_out,
};
use crate::kernel::{SharedLoop, SharedParts};
use crate::metadata::OpcodeId;
use crate::study::{Answers, Known, Question, Study};

/// What is asked.
pub static QUESTION: Question = Question {
    mode: "SWEEP-sequences",
    key: SweepKind::Sequences.name(),
    counted: "forms have a table of sequences",
    is_of_forms: true,
    forms: |_| Vec::new(),
    ask: |catalogue, subjects, grid| Box::new(SequenceStudy { catalogue, subjects, grid }),
    failed: |subject, _| Update { subject, ..Update::default() },
};

/// Loops that a sweep can have: more than the 32,130 of one and two of AMX's 252 variants in the thesis.
pub const MOST_LOOPS: u64 = 40_000;
/// Instructions in a loop, at most.
const LENGTH: u32 = 3;
/// Instances in a body, at least.
const INSTANCES: u32 = 48;
/// Why there is none of loops whose results stand apart.
const NO_MODEL: &str =
    "no model: each result has its place, so that latencies hide behind other work";
/// Which loops are held out.
const SEED: u64 = 1;
/// Loops of more instructions are predicted and never learned from.
const LEARNED: usize = 2;

/// The models, from what costs least to say to what costs most.
const TERMS: [(&str, SequenceTerms); 3] = [
    ("base", SequenceTerms::Base),
    ("switch", SequenceTerms::Switch),
    ("full", SequenceTerms::Full),
];

/// Setting of a sweep in which results stand apart.
const APART: &str = "results apart";

/// How many loops up to a length there are of so many forms, each counted once.
#[must_use]
pub fn loop_count(forms: usize, grid: &Grid) -> u64 {
    let n = forms as u64;
    let fourth = n.saturating_pow(4).saturating_add(n * n + 2 * n) / 4;
    let counts = [n, n * (n + 1) / 2, (n * n * n + 2 * n) / 3, fourth];
    counts.iter().take(grid.length.unwrap_or(LENGTH) as usize).sum()
}

struct SequenceStudy<'a> {
    catalogue: &'a Catalogue,
    subjects: &'a [OpcodeId],
    grid: &'a Grid,
}

impl SequenceStudy<'_> {
    /// The forms that loops are made of: those that leave memory alone.
    fn forms(&self) -> Vec<&InstructionForm> {
        let forms = self.subjects.iter().filter_map(|&opcode| self.catalogue.form(opcode));
        forms.filter(|form| form.memory == MemoryAccess::None).collect()
    }

    fn loops(&self) -> Vec<CanonicalLoop> {
        let count = self.forms().len();
        let most = self.grid.length.unwrap_or(LENGTH);
        (1..=most as usize).flat_map(|length| CanonicalLoop::all(count, length)).collect()
    }

    fn experiment(
        &self,
        forms: &[&InstructionForm],
        known: Known,
        of: &CanonicalLoop,
    ) -> Experiment {
        let opcodes: Vec<OpcodeId> =
            of.instructions().iter().map(|&place| forms[place].opcode).collect();
        let slow = opcodes.iter().filter_map(|&opcode| known.instances_if_slow(opcode)).min();
        let instances = slow.unwrap_or(INSTANCES);
        let rounds = instances.div_ceil(opcodes.len() as u32);
        Experiment::Round(SharedLoop { forms: opcodes, rounds, apart: self.grid.apart })
    }

    /// The table over all loops, and the models.
    fn sweep(&self, known: Known) -> Option<Sweep> {
        let forms = self.forms();
        let loops = self.loops();
        let found: Vec<(CanonicalLoop, GridFinding)> = loops
            .into_iter()
            .map(|of| {
                let asked = self.experiment(&forms, known, &of);
                (of, GridFinding::fastest(known.knowledge, &known.trust, &[asked]))
            })
            .collect();
        let points: Vec<SweepPoint> = found
            .iter()
            .filter_map(|(of, found)| {
                let names: Vec<&str> =
                    of.instructions().iter().map(|&place| forms[place].name.as_str()).collect();
                found.at(vec![Coordinate::Word(names.join(" "))])
            })
            .collect();
        if points.is_empty() {
            return None;
        }
        let measured = found.iter().filter_map(|(of, found)| {
            let (cycles, uncertainty) = found.reliable().filter(|(cycles, _)| *cycles > 0.0)?;
            let measured = Measured { cycles, uncertainty };
            Some(MeasuredSequence { instructions: of.clone(), measured })
        });
        let outcome = match self.grid.apart {
            true => Err(NO_MODEL.to_owned()),
            false => self.models(&forms, &measured.collect::<Vec<_>>()),
        };
        let names = forms.iter().map(|form| name(self.catalogue, form.opcode)).collect();
        let (fit, residual, finding) = match outcome {
            Ok(models) => (models.figures, models.residual, Some(models.finding)),
            Err(reason) => (Vec::new(), None, Some(reason)),
        };
        Some(Sweep {
            kind: SweepKind::Sequences,
            forms: names,
            setting: self.grid.apart.then(|| APART.to_owned()),
            axes: vec!["loop".to_owned()],
            points,
            fit,
            residual,
            finding,
            ..Sweep::default()
        })
    }

    /// Fits all models and tries them on what they have not seen; or why they cannot be fitted.
    fn models(
        &self,
        forms: &[&InstructionForm],
        loops: &[MeasuredSequence],
    ) -> Result<FittedModels, String> {
        let opcodes = forms.iter().map(|form| form.opcode).collect();
        let all = SharedLoop { forms: opcodes, rounds: 1, apart: false };
        let parts = all.parts(self.catalogue).map_err(|error| error.to_string())?;
        let instructions = instructions(forms, &parts);
        let is_learned = |it: &&MeasuredSequence| it.instructions.instructions().len() <= LEARNED;
        let (short, long): (Vec<_>, Vec<_>) = loops.iter().cloned().partition(|it| is_learned(&it));
        let (learned, held) = hold_out(&short, SEED);
        let mut models =
            FittedModels { figures: Vec::new(), residual: None, finding: String::new() };
        for (name, terms) in TERMS {
            let fit = |loops: &[MeasuredSequence]| {
                SequenceModel::fit(&instructions, loops, terms).map_err(|error| error.to_string())
            };
            // Without a loop of two nobody knows what switching between its forms costs, which loops of three
            // need: those are predicted from all that are shorter.
            let model = fit(&short)?;
            let mut errors = PredictionErrors::by_length(&fit(&learned)?, &held);
            errors.extend(PredictionErrors::by_length(&model, &long));
            errors.retain(|&length, _| length > 1);
            for (&length, errors) in &errors {
                models.figures.extend(figures(name, length, errors));
            }
            models.residual = Some(model.residual());
            let unseen: Vec<String> = errors
                .iter()
                .map(|(length, errors)| format!("unseen loops of {length}, {errors}"))
                .collect();
            models.finding = format!("{model}; {}", unseen.join("; "));
        }
        models.figures.extend(thesis());
        Ok(models)
    }
}

/// What models say of loops.
struct FittedModels {
    figures: Vec<FittedFigure>,
    residual: Option<f64>,
    finding: String,
}

/// The figures of the thesis's Table 6.2 of a model, as `full.2.MAE (%)`.
fn figures(model: &str, length: usize, errors: &PredictionErrors) -> Vec<FittedFigure> {
    let named = TABLE_6_2.iter().zip(errors.figures());
    named.map(|((figure, _), value)| named_figure(model, length, figure, value)).collect()
}

/// Those of the thesis, as `amx.2.MAE (%)`.
fn thesis() -> impl Iterator<Item = FittedFigure> {
    TABLE_6_2.iter().flat_map(|(figure, values)| {
        let lengths = [2, 3].into_iter().zip(values);
        lengths.map(|(length, value)| named_figure("amx", length, figure, *value))
    })
}

fn named_figure(model: &str, length: usize, figure: &str, value: f64) -> FittedFigure {
    FittedFigure::exact(&format!("{model}.{length}.{figure}"), value)
}

/// The forms as the model sees them: what they read and write, by numbers.
fn instructions(forms: &[&InstructionForm], parts: &[SharedParts]) -> Vec<LoopInstruction> {
    let mut numbers: HashMap<Part, u32> = HashMap::new();
    let mut number = |part: &Part| {
        let next = numbers.len() as u32;
        RegisterAccess::whole(*numbers.entry(*part).or_insert(next))
    };
    let both = forms.iter().zip(parts);
    both.map(|(form, parts)| LoopInstruction {
        kinds: vec![form.name.clone()],
        reads: parts.reads.iter().map(&mut number).collect(),
        writes: parts.writes.iter().map(&mut number).collect(),
    })
    .collect()
}

impl Study for SequenceStudy<'_> {
    fn next(&self, knowledge: &Knowledge) -> Vec<Experiment> {
        let known = Known::of(self.catalogue, knowledge);
        let forms = self.forms();
        self.loops().iter().map(|of| self.experiment(&forms, known, of)).collect()
    }

    fn conclude(&self, knowledge: &Knowledge) -> Answers {
        let known = Known::of(self.catalogue, knowledge);
        Answers { sweeps: self.sweep(known).into_iter().collect(), ..Answers::default() }
    }

    fn kernels(&self, knowledge: &Knowledge) -> Vec<(String, Experiment)> {
        let known = Known::of(self.catalogue, knowledge);
        let forms = self.forms();
        let named = |of: &CanonicalLoop| {
            let names: Vec<&str> =
                of.instructions().iter().map(|&place| forms[place].name.as_str()).collect();
            let apart = if self.grid.apart { "_apart" } else { "" };
            (format!("{}_sequence{apart}", names.join("_")), self.experiment(&forms, known, of))
        };
        self.loops().iter().map(named).collect()
    }
}
