//! Mixtures as experiments, and what they took.

use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::infer::ports::PassingOrder;
use crate::kernel::{Breaking, MixedBody, MixedPart, Order};
use crate::metadata::OpcodeId;
use crate::study::{Known, unanswered};

use super::waits::{Waits, bound};

/// Instances in a body, about: several times what a scheduler holds.
const INSTANCES: u32 = 120;
/// ... where copies cut chains: what waits takes turns in many registers, and each has several instances.
const UNCHAINED_INSTANCES: u32 = 240;
/// How long forms of which nothing is known are taken to wait for themselves, in quarters of a cycle: as long
/// as what adds.
const USUAL_WAIT: u32 = 4;

/// Forms side by side, and how many of each in a round.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Mix {
    /// By their opcodes, ascending.
    pub parts: Vec<(OpcodeId, u32)>,
    /// What breaks dependences among them.
    pub breaking: Vec<(Breaking, u32)>,
}

impl Mix {
    /// Of these forms; of one that is named twice, the sum.
    pub fn of(parts: impl IntoIterator<Item = (OpcodeId, u32)>) -> Self {
        let mut out: Vec<(OpcodeId, u32)> = Vec::new();
        for (opcode, count) in parts.into_iter().filter(|&(_, count)| count > 0) {
            match out.iter_mut().find(|(own, _)| *own == opcode) {
                Some((_, own)) => *own += count,
                None => out.push((opcode, count)),
            }
        }
        out.sort_unstable();
        Self { parts: out, breaking: Vec::new() }
    }

    /// Everything that is executed in a round, breakers among it.
    pub fn executed(&self) -> Vec<(OpcodeId, u32)> {
        let breakers = self.breaking.iter().map(|&(it, count)| (it.breaker, count));
        Self::of(self.parts.iter().copied().chain(breakers)).parts
    }
}

/// What a round took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Duration {
    pub cycles: f64,
    /// How far off it may be, as a share.
    pub uncertainty: f64,
    /// The order it was measured in.
    pub order: Order,
    /// Whether others on the core may have slowed it.
    pub is_disturbed: bool,
}

/// All that is known, as far as mixtures are concerned.
#[derive(Clone, Copy)]
pub(super) struct MixtureBench<'a> {
    pub catalogue: &'a Catalogue,
    pub known: Known<'a>,
    /// How long instances wait for each other.
    pub waits: &'a Waits,
    /// Slots that the front end takes a cycle, where it is known to split no instruction.
    pub whole: Option<f64>,
}

impl MixtureBench<'_> {
    /// Those of some experiments of which nothing is known.
    pub fn unanswered(&self, asked: impl IntoIterator<Item = Experiment>) -> Vec<Experiment> {
        unanswered(self.known.knowledge, asked)
    }

    fn body(&self, mix: &Mix, order: Order) -> MixedBody {
        let parts = mix.parts.iter().map(|&(opcode, count)| MixedPart {
            opcode,
            count,
            waits: self.waits.of(opcode).unwrap_or(USUAL_WAIT),
        });
        let instances = if order == Order::Unchained { UNCHAINED_INSTANCES } else { INSTANCES };
        MixedBody::of_instances(parts.collect(), mix.breaking.clone(), order, instances)
    }

    /// The experiments that time a mixture in some orders. Breakers only stand behind what they are for
    /// where forms are spread, and where nothing waits there is no chain to cut.
    pub fn experiments(&self, mix: &Mix, orders: &[Order]) -> Vec<Experiment> {
        let orders = if mix.breaking.is_empty() { orders } else { &[Order::Spread] };
        let bodies = orders.iter().map(|&order| self.body(mix, order));
        let differs = |body: &MixedBody| {
            body.order != Order::Unchained || body.parts.iter().any(|part| part.waits > 0)
        };
        bodies.filter(differs).map(Experiment::Mixed).collect()
    }

    /// Cycles that a round of a mixture in an order takes at least because instances wait for each other.
    pub fn waiting(&self, mix: &Mix, order: Order) -> f64 {
        bound(self.catalogue, &self.body(mix, order))
    }

    /// What a mixture executes, as it stands in an order: forms by their places in [`Mix::executed`].
    pub fn sequence(&self, mix: &Mix, order: Order) -> PassingOrder {
        let executed = mix.executed();
        let (opcodes, rounds) = self.body(mix, order).sequence(self.catalogue);
        let place = |opcode: &OpcodeId| executed.iter().position(|(own, _)| own == opcode);
        let places = opcodes.iter().filter_map(place);
        PassingOrder { forms: places.collect(), rounds }
    }

    /// What a round of a mixture takes in the best of some orders that can be relied on; of none, in
    /// the best.
    pub fn time(&self, mix: &Mix, orders: &[Order]) -> Option<Duration> {
        let mut best: Option<(bool, Duration)> = None;
        for asked in self.experiments(mix, orders) {
            let Experiment::Mixed(body) = &asked else { continue };
            let Some(timing) = self.known.knowledge.timing(&asked) else { continue };
            let (each, rounds) = (timing.each().0, f64::from(body.rounds));
            let cycles = each * f64::from(timing.instances) / rounds;
            if !(cycles.is_finite() && cycles > 0.0) {
                continue;
            }
            let uncertainty = timing.uncertainty().0 / each;
            let is_reliable = self.known.trust.holds_for(timing);
            let better = best
                .is_none_or(|(reliable, known)| (is_reliable, -cycles) > (reliable, -known.cycles));
            if better {
                let (order, is_disturbed) = (body.order, !is_reliable);
                let duration = Duration { cycles, uncertainty, order, is_disturbed };
                best = Some((is_reliable, duration));
            }
        }
        best.map(|(_, duration)| duration)
    }
}
