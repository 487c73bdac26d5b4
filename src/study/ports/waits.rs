//! How long instances of a form wait for each other where all write to the same register.
//!
//! What reads its result's register waits for the instance before: operands that are tied, parts of
//! registers and masked lanes that are kept, and dependences that nobody wrote down. All of that shows in a
//! body whose results go to a single register, beside one whose results take turns. Mixtures give
//! registers to what waits, and what is left of waiting is known.

use super::subjects::PortSubject;
use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::infer::Knowledge;
use crate::kernel::{MixedBody, MixedPart, Order, is_unchained};
use crate::maps::{Map, Set};
use crate::metadata::{OpcodeId, OperandValue};

/// Instances in a body.
const INSTANCES: u32 = 60;
/// What takes longer in one register than in several by this share waits there.
const LONGER: f64 = 0.06;

/// What is known of forms, in quarters of a cycle.
#[derive(Debug, Clone, Default)]
pub(super) struct Waits(Map<OpcodeId, u32>);

/// The body whose instances all write to one register; nothing of a form that writes to none.
fn in_one_register(catalogue: &Catalogue, subject: &PortSubject) -> Option<Experiment> {
    let form = catalogue.form(subject.opcode)?;
    form.results().next().is_some().then(|| {
        let count = if subject.breaking.is_empty() { 1 } else { subject.interval.max(1) };
        Experiment::Mixed(MixedBody {
            parts: vec![MixedPart { opcode: subject.opcode, count, waits: 0 }],
            breaking: subject.breaking.iter().map(|&breaking| (breaking, 1)).collect(),
            order: Order::Spread,
            rounds: INSTANCES.div_ceil(count),
        })
    })
}

impl Waits {
    /// What is to be measured first.
    pub fn experiments(catalogue: &Catalogue, subjects: &[PortSubject]) -> Vec<Experiment> {
        subjects.iter().filter_map(|subject| in_one_register(catalogue, subject)).collect()
    }

    /// What is known of some forms.
    pub fn of_all(catalogue: &Catalogue, subjects: &[PortSubject], knowledge: &Knowledge) -> Self {
        let known = subjects.iter().filter_map(|subject| {
            let Some(asked) = in_one_register(catalogue, subject) else {
                return Some((subject.opcode, 0));
            };
            let each = knowledge.timing(&asked)?.each().0;
            let is_longer = each > subject.each * (1.0 + LONGER);
            Some((subject.opcode, if is_longer { (each * 4.0).round() as u32 } else { 0 }))
        });
        Self(known.collect())
    }

    /// How long an instance waits for the one before, if that is known.
    pub fn of(&self, opcode: OpcodeId) -> Option<u32> {
        self.0.get(&opcode).copied()
    }
}

/// Cycles that a round of a body takes at least because instances of a form wait for the one before that
/// wrote to the same register and no copy stands between. Nothing where none waits, or where the body cannot be built.
pub(super) fn bound(catalogue: &Catalogue, body: &MixedBody) -> f64 {
    let is_cut = |part: &MixedPart| {
        let form = catalogue.form(part.opcode);
        body.order == Order::Unchained && form.is_some_and(|form| is_unchained(catalogue, form))
    };
    let waiting: Vec<&MixedPart> =
        body.parts.iter().filter(|part| part.waits > 0 && !is_cut(part)).collect();
    if waiting.is_empty() {
        return 0.0;
    }
    let built = Experiment::Mixed(body.clone()).kernel(catalogue);
    let Ok(Some(kernel)) = built else { return 0.0 };
    let of_part = |part: &MixedPart| {
        let form = catalogue.form(part.opcode)?;
        let results: Vec<usize> = form.results().map(|(index, _)| index).collect();
        let own = kernel.instructions().filter(|instruction| instruction.opcode == part.opcode);
        let written = own.flat_map(|it| results.iter().map(|&index| it.operands[index]));
        let registers: Set<OperandValue> = written.collect();
        let turns = registers.len() as f64 / results.len() as f64;
        Some(f64::from(part.count * part.waits) / 4.0 / turns)
    };
    let bounds = waiting.into_iter().filter_map(of_part).filter(|bound| bound.is_finite());
    bounds.fold(0.0, f64::max)
}
