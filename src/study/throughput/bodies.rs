//! Bodies to measure for a form's throughput.
//!
//! The throughput is the best that the core can do, so several bodies are tried and the
//! smallest counts. Forms without a dependence of their own need none but differently long
//! bodies. The others are measured with each of their breakers, and with breakers at several
//! distances: a breaker every `k` instances costs at most its own throughput / `k`, which
//! narrows the interval, while too long a distance lets the dependence show.

use crate::answer::Circumstance;
use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::form::{AddressPart, InstructionForm, Role};
use crate::infer::{LOOP_CYCLES, Scatter, Timing};
use crate::kernel::{Breaking, Cells, Registers, ThroughputBody, ValueClass, refilling};
use crate::metadata::{OpcodeId, RegisterId};
use crate::study::Known;
use crate::units::Cycles;

/// Instances in bodies of ordinary forms. (This length and those below were chosen on Zen 4 and Zen 5:
/// the shortest lists of bodies with which repeated runs of all forms say the same.)
const LENGTH: u32 = 384;
/// More bodies of ordinary forms without breakers, as instances and fillers behind each.
const OTHERS: [(u32, u32); 2] = [(256, 0), (LENGTH, 1)];
/// ... and of those that are about as fast as the front end, which can hardly choose badly.
const OTHERS_IF_FAST: [(u32, u32); 1] = [(256, 0)];
/// Slots of the front end that an instance of those takes at most, in fillers of this machine.
const FAST: f64 = 3.5;
/// Slots of the front end that a filler takes beside other instructions: some cores pair fillers
/// with each other, but not with those.
const SLOTS_OF_FILLER: f64 = 2.0;
/// Instances and fillers when those show that the core can choose badly.
const MORE_BODIES: [(u32, u32); 10] = [
    (48, 0),
    (96, 0),
    (144, 0),
    (192, 0),
    (320, 0),
    (96, 1),
    (192, 1),
    (192, 2),
    (LENGTH, 2),
    (LENGTH, 4),
];
/// ... and when no share of ports explains what is more than a cycle.
const MOST_BODIES: [(u32, u32); 18] = [
    (32, 0),
    (40, 0),
    (56, 0),
    (64, 0),
    (80, 0),
    (112, 0),
    (128, 0),
    (160, 0),
    (176, 0),
    (208, 0),
    (224, 0),
    (240, 0),
    (272, 0),
    (288, 0),
    (304, 0),
    (336, 0),
    (352, 0),
    (368, 0),
];
/// Durations per instance of the same form that differ by more disagree.
const DISAGREEMENT: f64 = 0.015;
/// Instances in bodies with breakers.
const BROKEN_LENGTH: u32 = 96;
/// Instances from one breaker to the next.
const INTERVALS: [u32; 4] = [1, 2, 4, 8];
/// See [`MOST_BODIES`].
const ONE_CYCLE: Cycles = Cycles(1.0);
/// How the implicit dependences of a form can be broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Broken {
    /// It has none.
    Free,
    /// In each of these ways, the best first; each breaks all of them.
    By(Vec<Vec<Breaking>>),
    /// Nothing breaks the dependence through this register.
    Not(RegisterId),
}

/// Registers through which one instance of a form waits for the one before.
#[must_use]
pub fn dependences_of(catalogue: &Catalogue, form: &InstructionForm) -> Vec<RegisterId> {
    let parts =
        |register, role| catalogue.isa.parts(&catalogue.set, form, &form.sample, register, role);
    let written: Vec<_> =
        form.implicit_defs.iter().flat_map(|&register| parts(register, Role::Def)).collect();
    let waits = |register: &&RegisterId| {
        parts(**register, Role::Use).iter().any(|part| written.contains(part))
    };
    form.implicit_uses.iter().filter(waits).copied().collect()
}

fn broken(catalogue: &Catalogue, form: &InstructionForm) -> Broken {
    let registers = dependences_of(catalogue, form);
    if registers.is_empty() {
        return Broken::Free;
    }
    let mut ways: Vec<Vec<Breaking>> = Vec::new();
    for &register in &registers {
        let candidates: Vec<Breaking> = catalogue
            .isa
            .breakers(&catalogue.set, register)
            .iter()
            .filter_map(|name| catalogue.form_by_name(name))
            .map(|breaker| Breaking { register, breaker: breaker.opcode })
            .collect();
        let Some(&first) = candidates.first() else { return Broken::Not(register) };
        if ways.is_empty() {
            ways = candidates.iter().map(|&candidate| vec![candidate]).collect();
        } else {
            ways.iter_mut().for_each(|way| way.push(first));
        }
    }
    Broken::By(ways)
}

/// Under what a throughput is measured; the default is the headline's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Condition {
    /// A value for one of the immediates.
    pub immediate: Option<(usize, i64)>,
    /// What the operands hold.
    pub values: ValueClass,
    /// How instances share registers.
    pub registers: Registers,
    /// Which memory instances access.
    pub cells: Cells,
}

/// The chain that shows whether a form with one register at all operands waits for it.
#[must_use]
pub fn one_register_chain(form: &InstructionForm) -> ThroughputBody {
    ThroughputBody {
        registers: Registers::One,
        ..ThroughputBody::plain(form.opcode, BROKEN_LENGTH)
    }
}

/// Conditions other than the headline's under which a form may be faster or slower, with names.
#[must_use]
pub fn conditions(catalogue: &Catalogue, form: &InstructionForm) -> Vec<(Condition, Circumstance)> {
    let immediates =
        catalogue.isa.variants(&catalogue.set, form).into_iter().map(|(operand, value, name)| {
            let immediate = Some((operand, value));
            (Condition { immediate, ..Condition::default() }, Circumstance::Values(name))
        });
    let classes = catalogue.isa.value_classes(&catalogue.set, form).iter().enumerate().skip(1);
    let values = classes.map(|(class, values)| {
        let cells = if values.one_cell { Cells::One } else { Cells::Apart };
        let condition = Condition { values: ValueClass(class), cells, ..Condition::default() };
        (condition, Circumstance::Values(values.name.to_owned()))
    });
    let same = Condition { registers: Registers::Same, ..Condition::default() };
    let idiom = catalogue.isa.may_be_idiom(form).then_some((same, Circumstance::OneRegister));
    let one_cell = Condition { cells: Cells::One, ..Condition::default() };
    let is_apart = form.stores() && form.operand_of(AddressPart::Base).is_some();
    let one_cell = is_apart.then_some((one_cell, Circumstance::OneCell));
    immediates.chain(values).chain(idiom).chain(one_cell).collect()
}

impl<'a> Known<'a> {
    /// The timing of a body, if there is one that can be relied on.
    fn reliable(&self, body: &ThroughputBody) -> Option<&'a Timing> {
        let timing = self.knowledge.timing(&Experiment::Throughput(body.clone()))?;
        self.trust.holds_for(timing).then_some(timing)
    }

    /// Whether two bodies are known to take the same.
    fn are_alike(&self, one: &ThroughputBody, other: &ThroughputBody) -> bool {
        let both = self.reliable(one).zip(self.reliable(other));
        both.is_some_and(|(one, other)| (one.each().0 / other.each().0 - 1.0).abs() <= DISAGREEMENT)
    }

    /// How many fillers go through the front end while one instance of a body does, if it was
    /// measured.
    fn slots_of(&self, body: &ThroughputBody) -> Option<f64> {
        let timing = self.knowledge.timing(&Experiment::Throughput(body.clone()))?;
        Some(timing.each().0 / self.front_end.filler.0)
    }

    /// Whether the front end has room for the fillers of a body whose instances take so long.
    #[must_use]
    pub fn has_room(&self, body: &ThroughputBody, each: Cycles) -> bool {
        has_room(body.fillers, each.0 / self.front_end.filler.0)
    }
}

fn has_room(fillers: u32, slots: f64) -> bool {
    f64::from(fillers + 1) * SLOTS_OF_FILLER <= slots || fillers == 0
}

/// The bodies that a form's throughput is computed from, as far as they are worth measuring now.
#[must_use]
pub fn bodies_of(
    catalogue: &Catalogue,
    form: &InstructionForm,
    condition: Condition,
    known: Known,
) -> Vec<ThroughputBody> {
    let slow = known.instances_if_slow(form.opcode);
    let Condition { immediate, values, registers, cells } = condition;
    let plain = |instances| ThroughputBody {
        immediate,
        values,
        registers,
        cells,
        ..ThroughputBody::plain(form.opcode, instances)
    };
    let spaced = |(instances, fillers)| ThroughputBody { fillers, ..plain(instances) };
    match broken(catalogue, form) {
        Broken::Free | Broken::Not(_) => {
            let dense = plain(LENGTH);
            let headline = ThroughputBody { values: ValueClass::default(), ..dense.clone() };
            match slow {
                Some(length) => vec![plain(length)],
                None if values == ValueClass::default() => free_bodies(spaced, known),
                None if known.are_alike(&headline, &dense) => vec![dense],
                None => first_bodies(spaced, known),
            }
        }
        Broken::By(ways) => {
            let length = slow.unwrap_or(BROKEN_LENGTH);
            let lasts = form.unnamed_lasts();
            let mut bodies = Vec::from_iter(lasts.is_none().then(|| plain(length)));
            for way in ways {
                let longest = lasts.map_or(length, |lasts| lasts.min(length));
                let intervals = INTERVALS.iter().filter(|&&interval| interval <= longest);
                bodies.extend(intervals.map(|&interval| ThroughputBody {
                    breaking: way.clone(),
                    interval,
                    ..plain(length)
                }));
            }
            bodies
        }
    }
}

/// The first bodies of a form that needs no breakers.
fn first_bodies(
    spaced: impl Fn((u32, u32)) -> ThroughputBody,
    known: Known,
) -> Vec<ThroughputBody> {
    let dense = spaced((LENGTH, 0));
    let Some(slots) = known.slots_of(&dense) else { return vec![dense] };
    let others = if slots < FAST { &OTHERS_IF_FAST[..] } else { &OTHERS[..] };
    let others = others.iter().filter(|(_, fillers)| has_room(*fillers, slots));
    std::iter::once(dense).chain(others.copied().map(spaced)).collect()
}

/// All of them: the more, the more often the core chooses badly.
fn free_bodies(spaced: impl Fn((u32, u32)) -> ThroughputBody, known: Known) -> Vec<ThroughputBody> {
    let mut bodies = first_bodies(&spaced, known);
    if !is_fickle(&bodies, known) {
        return bodies;
    }
    bodies.extend(MORE_BODIES.map(&spaced));
    let scatter = Scatter::of(bodies.iter().filter_map(|body| known.reliable(body)));
    if !scatter.is_explained() && scatter.fastest().is_some_and(|fastest| fastest > ONE_CYCLE) {
        bodies.extend(MOST_BODIES.map(&spaced));
    }
    bodies
}

/// Whether bodies of one form show that the core does not always run it equally well: its two
/// unrollings differ, another body is faster than the dense one, though fillers take slots of the
/// front end, only one body is as fast as that, or no share of ports explains how long it takes.
fn is_fickle(bodies: &[ThroughputBody], known: Known) -> bool {
    let known: Vec<&Timing> = bodies.iter().filter_map(|body| known.reliable(body)).collect();
    let Some(dense) = known.first().filter(|_| known.len() == bodies.len()) else { return false };
    let unlike = |timing: &&Timing| {
        timing.sample.plain.is_some_and(|plain| {
            let (single, double) = (plain.0, (plain.0 + timing.sample.body.0) / 2.0);
            (single - double).abs() > LOOP_CYCLES + DISAGREEMENT * double
        })
    };
    let mut each: Vec<f64> = known.iter().map(|timing| timing.each().0).collect();
    each.sort_by(f64::total_cmp);
    let faster = |fast: f64, slow: f64| fast < slow * (1.0 - DISAGREEMENT);
    known.iter().any(unlike)
        || faster(each[0], dense.each().0)
        || each.get(1).is_some_and(|&second| faster(each[0], second))
        || !Scatter::of(known).is_explained()
}

/// All bodies of some forms, of what stands in them, and under all conditions, as far as they are
/// worth measuring now.
pub(super) fn all_bodies(
    catalogue: &Catalogue,
    subjects: &[OpcodeId],
    known: Known,
) -> Vec<ThroughputBody> {
    let mut out = Vec::new();
    for form in subjects.iter().filter_map(|&opcode| catalogue.form(opcode)) {
        let bodies_of = |form, condition| bodies_of(catalogue, form, condition, known);
        let mut bodies = bodies_of(form, Condition::default());
        let beside = breakers_in(&bodies).into_iter().chain(companions_of(catalogue, form));
        for form in beside.filter_map(|opcode| catalogue.form(opcode)) {
            bodies.extend(bodies_of(form, Condition::default()));
        }
        for (condition, _) in conditions(catalogue, form) {
            bodies.extend(bodies_of(form, condition));
        }
        out.extend(bodies);
    }
    out
}

/// What stands beside each instance of a form, in its order.
pub fn companions_of<'a>(
    catalogue: &'a Catalogue,
    form: &'a InstructionForm,
) -> impl Iterator<Item = OpcodeId> + 'a {
    let companions = catalogue.isa.companions(form);
    let names = companions.before.into_iter().chain(companions.after);
    let refills = refilling(catalogue, form).map(|refill| refill.opcode);
    names.filter_map(|name| catalogue.set.by_name(name)).chain(refills)
}

fn breakers_in(bodies: &[ThroughputBody]) -> Vec<OpcodeId> {
    let mut out: Vec<OpcodeId> = bodies
        .iter()
        .flat_map(|body| body.breaking.iter().map(|breaking| breaking.breaker))
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}
