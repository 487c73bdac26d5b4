//! Throughputs of forms, from the timings of their bodies.

use std::collections::HashMap;

use super::bodies::{Condition, bodies_of, companions_of, conditions};
use crate::answer::{Cause, Circumstance};
use crate::catalogue::{Catalogue, ResourceId};
use crate::experiment::Experiment;
use crate::form::{InstructionForm, Site};
use crate::infer::throughput::{BodyMeasurement, Breaker, combine, plain_error, share_of_ports};
use crate::infer::{Scatter, Timing, UnrollAnomaly, sway};
use crate::kernel::{Registers, ThroughputBody};
use crate::metadata::OpcodeId;
use crate::sample::SHARED;
use crate::study::{Known, Missing, fault_of};
use crate::units::{Cycles, Interval};

/// What is known of a form's throughput.
#[derive(Debug, Clone)]
pub struct ThroughputConclusion {
    /// The form.
    pub opcode: OpcodeId,
    /// Its throughput, or why it has none.
    pub value: Result<ThroughputValue, Missing>,
    /// The same for other values of its immediates, where they differ.
    pub variants: Vec<VariantConclusion>,
}

/// A throughput.
#[derive(Debug, Clone)]
pub struct ThroughputValue {
    /// Where it lies.
    pub interval: Interval,
    /// How much either end may be off.
    pub uncertainty: Cycles,
    /// How near the share of ports may be that it stands for, if it stands for one: the error of its
    /// timing, without how far apart bodies lie that should take the same.
    pub share_within: Option<Cycles>,
    /// The body that it was read from.
    pub body: ThroughputBody,
    /// What its two unrollings say, where they do not agree.
    pub anomaly: Option<UnrollAnomaly>,
    /// Whether the timing settled, another body confirms it, and no body that did not settle could
    /// be faster.
    pub settled: bool,
}

/// The throughput with another immediate.
#[derive(Debug, Clone)]
pub struct VariantConclusion {
    /// What is different.
    pub circumstance: Circumstance,
    /// Its throughput.
    pub value: ThroughputValue,
}

/// The floor itself is measured, perhaps while a neighbour used the core: only what is below it by
/// more than this share is impossible.
const FLOOR_TOLERANCE: f64 = 0.06;
/// Variants whose throughput differs by more are listed.
const DIFFERENT: f64 = 0.05;

/// Concludes about forms in the order given.
#[must_use]
pub(super) fn throughputs(
    catalogue: &Catalogue,
    subjects: &[OpcodeId],
    known: Known<'_>,
) -> Vec<ThroughputConclusion> {
    let mut conclusions = Conclusions { catalogue, known, of_helpers: HashMap::new() };
    let forms = subjects.iter().filter_map(|&opcode| catalogue.form(opcode));
    let mut out: Vec<_> = forms.map(|form| conclusions.conclude(form)).collect();
    let_sway(catalogue, &mut out);
    out
}

/// What instances of a form fill besides ports: the registers that they write, and, if they load, the
/// queue of loads.
#[derive(PartialEq, Eq, Hash)]
struct Filled {
    registers: Vec<ResourceId>,
    loads: bool,
}

impl Filled {
    fn by(form: &InstructionForm, catalogue: &Catalogue) -> Self {
        let written = form.results().map(|(operand, _)| Site::Operand(operand));
        let mut registers: Vec<ResourceId> =
            written.filter_map(|site| catalogue.resource_at(form, site)).collect();
        registers.sort_unstable();
        registers.dedup();
        Self { registers, loads: form.loads() }
    }
}

/// Raises the uncertainties of throughputs that differ from run to run, as others of their kind show.
fn let_sway(catalogue: &Catalogue, conclusions: &mut [ThroughputConclusion]) {
    let mut kinds: HashMap<Filled, Vec<&mut ThroughputValue>> = HashMap::new();
    for conclusion in conclusions {
        let form = catalogue.form(conclusion.opcode);
        if let Some((form, value)) = form.zip(conclusion.value.as_mut().ok())
            && value.interval.width() == Cycles(0.0)
        {
            kinds.entry(Filled::by(form, catalogue)).or_default().push(value);
        }
    }
    for kind in kinds.into_values() {
        let raw: Vec<Cycles> = kind.iter().map(|value| value.interval.upper()).collect();
        for (value, least) in kind.into_iter().zip(sway(&raw)) {
            value.uncertainty = value.uncertainty.max(least);
        }
    }
}

struct Conclusions<'a> {
    catalogue: &'a Catalogue,
    known: Known<'a>,
    /// Throughputs of breakers and companions.
    of_helpers: HashMap<OpcodeId, Interval>,
}

impl Conclusions<'_> {
    fn conclude(&mut self, form: &InstructionForm) -> ThroughputConclusion {
        let mut value = self.value(form, Condition::default());
        let differs = |other: &ThroughputValue| match &value {
            Ok(value) => {
                (other.interval.upper().0 / value.interval.upper().0 - 1.0).abs() > DIFFERENT
            }
            Err(_) => true,
        };
        let mut variants: Vec<VariantConclusion> = conditions(self.catalogue, form)
            .into_iter()
            .filter_map(|(condition, circumstance)| {
                let value = self.value(form, condition).ok()?;
                let is_one_register = condition.registers != Registers::default();
                (differs(&value) || is_one_register)
                    .then_some(VariantConclusion { circumstance, value })
            })
            .collect();
        // Where usual values matter none of them is the plain case: all ends are named.
        let classes = self.catalogue.isa.value_classes(&self.catalogue.set, form);
        let usual = |variant: &&VariantConclusion| {
            let class = variant.value.body.values.0;
            class > 0 && classes.get(class).is_some_and(|class| class.usual)
        };
        if let (Ok(headline), Some(plain)) = (&mut value, classes.first())
            && variants.iter().any(|variant| usual(&variant))
        {
            let circumstance = Circumstance::Values(plain.name.to_owned());
            let own = VariantConclusion { circumstance, value: headline.clone() };
            for other in variants.iter().filter(usual) {
                headline.interval = headline.interval.hull(other.value.interval);
            }
            variants.insert(0, own);
        }
        ThroughputConclusion { opcode: form.opcode, value, variants }
    }

    fn value(
        &mut self,
        form: &InstructionForm,
        condition: Condition,
    ) -> Result<ThroughputValue, Missing> {
        let bodies = bodies_of(self.catalogue, form, condition, self.known);
        let timed: Vec<(&ThroughputBody, &Timing)> = bodies
            .iter()
            .filter_map(|body| {
                Some((body, self.known.knowledge.timing(&Experiment::Throughput(body.clone()))?))
            })
            .collect();
        if timed.is_empty() {
            return Err(self.why_untimed(form, &bodies));
        }
        let (reliable, doubtful): (Vec<_>, Vec<_>) =
            timed.into_iter().partition(|(_, timing)| self.known.trust.holds_for(timing));
        let counted = if reliable.is_empty() { doubtful.clone() } else { reliable };
        let possible: Vec<_> =
            counted.into_iter().filter(|(_, timing)| self.is_possible(timing)).collect();
        let scatter = self.scatter_of(&possible);
        let (possible, is_share) = with_one_free(possible);
        if possible.is_empty() {
            return Err(Missing::Because(Cause::BelowFloor));
        }
        let measurements: Vec<BodyMeasurement> =
            possible.iter().map(|(body, timing)| self.measurement(form, body, timing)).collect();
        let combined = combine(&measurements, self.known.front_end.floor)
            .map_err(|error| Missing::Because(Cause::InWords(error.to_string())))?;
        let (body, timing) = possible[combined.best];
        let confirmed = scatter.is_confirmed();
        Ok(ThroughputValue {
            interval: combined.interval,
            uncertainty: combined.uncertainty.max(scatter.doubt()),
            share_within: is_share.then_some(combined.uncertainty),
            body: body.clone(),
            anomaly: timing.unroll_anomaly(),
            settled: confirmed
                && self.known.trust.holds_for(timing)
                && !doubtful.iter().any(|(_, other)| self.may_undercut(other, timing)),
        })
    }

    /// How far apart those bodies lie that should all take the same: they have no breakers, and
    /// room for their fillers.
    fn scatter_of(&self, bodies: &[(&ThroughputBody, &Timing)]) -> Scatter {
        let free = || bodies.iter().filter(|(body, _)| body.breaking.is_empty());
        let all = Scatter::of(free().map(|(_, timing)| *timing));
        let Some(fastest) = all.fastest() else { return all };
        let alike = free().filter(|(body, _)| self.known.has_room(body, fastest));
        Scatter::of(alike.map(|(_, timing)| *timing))
    }

    /// Whether a body of which nothing reliable is known could be clearly faster than the best of
    /// those that are.
    fn may_undercut(&self, doubtful: &Timing, best: &Timing) -> bool {
        self.is_possible(doubtful)
            && self.known.trust.least_of(doubtful).0 < best.each().0 * (1.0 - SHARED)
    }

    fn why_untimed(&self, form: &InstructionForm, bodies: &[ThroughputBody]) -> Missing {
        let failed = bodies.iter().find_map(|body| {
            self.known.knowledge.of(&Experiment::Throughput(body.clone()))?.why_untimed()
        });
        failed
            .or_else(|| fault_of(self.known.knowledge, form.opcode, &*self.catalogue.isa))
            .map_or(Missing::NotAsked, Missing::Because)
    }

    /// No form beats the front end.
    fn is_possible(&self, timing: &Timing) -> bool {
        timing.each().0 + timing.uncertainty().0
            >= self.known.front_end.floor.0 * (1.0 - FLOOR_TOLERANCE)
    }

    fn measurement(
        &mut self,
        form: &InstructionForm,
        body: &ThroughputBody,
        timing: &Timing,
    ) -> BodyMeasurement {
        let mut breakers: Vec<Breaker> = Vec::new();
        for breaking in &body.breaking {
            let throughput = self.of_helper(breaking.breaker);
            breakers.push(Breaker { count: body.breaker_count(), throughput });
        }
        for companion in companions_of(self.catalogue, form) {
            let throughput = self.of_helper(companion);
            breakers.push(Breaker { count: body.instances, throughput });
        }
        BodyMeasurement {
            instances: body.instances,
            breakers,
            body: timing.each() * f64::from(body.instances),
            uncertainty: timing.sample.uncertainty,
        }
    }

    /// The throughput of a breaker or companion: anything, while it is not known.
    fn of_helper(&mut self, opcode: OpcodeId) -> Interval {
        if let Some(&known) = self.of_helpers.get(&opcode) {
            return known;
        }
        let anything = Interval::new(Cycles(0.0), Cycles(f64::INFINITY));
        // Of two that are each other's companions (FLD and FSTP) either may take all of the time.
        self.of_helpers.insert(opcode, anything);
        let value = self
            .catalogue
            .form(opcode)
            .and_then(|form| self.value(form, Condition::default()).ok());
        let interval = value.map_or(anything, |value| value.interval);
        self.of_helpers.insert(opcode, interval);
        interval
    }
}

/// Of so many bodies one is lucky, where no share of ports explains what they take.
const LUCKY: usize = 5;

/// The bodies, but of those without breakers only the one that stands for all of them; and whether
/// their throughput may be a share of ports.
fn with_one_free<'a>(
    bodies: Vec<(&'a ThroughputBody, &'a Timing)>,
) -> (Vec<(&'a ThroughputBody, &'a Timing)>, bool) {
    let (free, mut out): (Vec<_>, Vec<_>) =
        bodies.into_iter().partition(|(body, _)| body.breaking.is_empty());
    let Some((free, is_share)) = representative(free) else { return (out, true) };
    out.push(free);
    (out, is_share)
}

/// Of bodies without breakers that may be as fast as the fastest, the longest: its ends count least.
/// Where no share of ports explains what it takes, how well the core does differs from body to body
/// and from run to run (`VPADDDZrrk` takes 0.625 to 0.645 cycles on Zen 4), and the
/// fastest body that is not lucky says what it does on most days. Whether there is such a share, too.
fn representative<'a>(
    mut free: Vec<(&'a ThroughputBody, &'a Timing)>,
) -> Option<((&'a ThroughputBody, &'a Timing), bool)> {
    let error = |timing: &Timing| plain_error(timing.uncertainty(), timing.instances);
    free.sort_by(|(_, a), (_, b)| a.each().0.total_cmp(&b.each().0));
    let (_, fastest) = free.first()?;
    let limit = fastest.each() + error(fastest);
    let equal = free.iter().rev().filter(|(_, timing)| timing.each() <= limit);
    let longest = equal.max_by_key(|(body, _)| body.instances).copied()?;
    let is_share = share_of_ports(longest.1.each(), error(longest.1)).is_some();
    let chosen = if is_share { longest } else { free[free.len() / LUCKY] };
    Some((chosen, is_share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::LoopCost;
    use crate::sample::Sample;

    /// The body that stands for bodies of so many instances, which take so long each: how many
    /// instances it has, and how long they take.
    fn representative_of(bodies: &[(u32, f64)]) -> (u32, f64) {
        let timed = bodies.iter().map(|&(instances, each)| {
            let sample = Sample {
                body: Cycles(each) * f64::from(instances),
                uncertainty: Cycles(0.1),
                plain: None,
                frequency: None,
                pulse: None,
                windows_used: 6,
                windows_total: 6,
                settled: true,
            };
            let timing = Timing::of_instances(sample, instances, LoopCost::Hidden);
            (ThroughputBody::plain(OpcodeId(0), instances), timing)
        });
        let timed: Vec<_> = timed.collect();
        let free = timed.iter().map(|(body, timing)| (body, timing)).collect();
        let ((body, timing), _) = representative(free).unwrap();
        (body.instances, timing.each().0)
    }

    #[test]
    fn the_longest_of_bodies_that_may_be_equal_stands_for_all() {
        // 48 instances may end a cycle and a half earlier or later.
        assert_eq!(representative_of(&[(48, 0.24), (256, 0.249), (384, 0.25)]), (384, 0.25));
        assert_eq!(representative_of(&[(48, 0.25), (256, 0.25), (384, 0.3)]), (256, 0.25));
    }

    #[test]
    fn of_what_no_share_of_ports_explains_the_fastest_is_luck() {
        let luck = [(384, 0.626), (96, 0.66), (320, 0.634), (192, 0.637), (144, 0.64)];
        assert_eq!(representative_of(&luck), (320, 0.634));
        let share = [(384, 0.251), (96, 0.26), (320, 0.254), (192, 0.257), (144, 0.26)];
        assert_eq!(representative_of(&share), (384, 0.251));
    }
}
