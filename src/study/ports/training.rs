//! Random mixtures: by some all usages are refined together, by others the result is judged.

use super::bench::{Mix, MixtureBench};
use super::streams::Usages;
use crate::catalogue::Catalogue;
use crate::form::{EncodingGroup, InstructionForm, MemoryAccess};
use crate::infer::ports::{Use, cycles};
use crate::isa::RegisterPool;
use crate::kernel::Order;
use crate::maps::Set;
use crate::metadata::OpcodeId;
use crate::random::Random;
use crate::study::throughput::dependences_of;

/// What a mixture's forms work on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MixtureKind {
    /// Vector registers and masks alone.
    Vector,
    /// General registers alone.
    Integer,
    /// Both.
    Mixed,
    /// Memory, too.
    Memory,
    /// Whatever somebody asked for.
    Given,
}

impl MixtureKind {
    /// Those that are drawn.
    pub const ALL: [Self; 4] = [Self::Vector, Self::Integer, Self::Mixed, Self::Memory];

    pub fn name(self) -> &'static str {
        match self {
            Self::Vector => "vector",
            Self::Integer => "integer",
            Self::Mixed => "mixed",
            Self::Memory => "memory",
            Self::Given => "given",
        }
    }
}

/// Forms that mixtures are drawn from: those whose instances wait for no unnamed register that they write,
/// like the flags behind `adc`. Mixtures of those tell of latencies.
///
/// What is drawn depends on the forms of the catalogue, and what is left out of it on what is known of
/// them, so that a form more or less changes few of the mixtures.
pub(super) struct Urn {
    vector: Vec<Drawn>,
    integer: Vec<Drawn>,
    crossing: Vec<Drawn>,
    memory: Vec<Drawn>,
    /// Those that may be drawn.
    usable: Set<OpcodeId>,
}

/// A form and the group of encodings that it belongs to: what stands in one mixture is of one.
pub(super) type Drawn = (OpcodeId, EncodingGroup);

/// Tries to draw a form that may be drawn, of the mixture's group.
const TRIES: usize = 64;

/// Forms that take longer have nothing to say in a mixture: all others hide beside them.
const LONGEST: f64 = 8.0;

impl Urn {
    /// Of forms with their durations.
    pub fn of(catalogue: &Catalogue, forms: impl IntoIterator<Item = (OpcodeId, f64)>) -> Self {
        let short = forms.into_iter().filter(|&(_, each)| each <= LONGEST);
        let mut out = Self {
            vector: Vec::new(),
            integer: Vec::new(),
            crossing: Vec::new(),
            memory: Vec::new(),
            usable: short.map(|(opcode, _)| opcode).collect(),
        };
        for form in catalogue.forms() {
            if !dependences_of(catalogue, form).is_empty() {
                continue;
            }
            let (general, other) = files(catalogue, form);
            let place = match (form.memory, general, other) {
                (MemoryAccess::None, _, false) => &mut out.integer,
                (MemoryAccess::None, false, true) => &mut out.vector,
                (MemoryAccess::None, true, true) => &mut out.crossing,
                _ => &mut out.memory,
            };
            place.push((form.opcode, form.group));
        }
        out
    }

    /// All that may be drawn.
    pub fn all(&self) -> impl Iterator<Item = Drawn> {
        let all = [&self.vector, &self.integer, &self.crossing, &self.memory].into_iter().flatten();
        all.filter(|(opcode, _)| self.usable.contains(opcode)).copied()
    }

    /// A mixture of so many forms of a kind; none if the urn has too few.
    pub fn draw(&self, kind: MixtureKind, count: usize, random: &mut Random) -> Option<Mix> {
        let mut parts = Vec::with_capacity(count);
        let mut group = EncodingGroup::COMMON;
        for place in 0..count {
            let all = [&self.vector, &self.integer, &self.crossing, &self.memory];
            let registers = &all[..3];
            let from = match (kind, place) {
                (MixtureKind::Vector, _) => &self.vector,
                (MixtureKind::Integer, _) => &self.integer,
                (MixtureKind::Memory, 0) => &self.memory,
                // One of each, and then any.
                (MixtureKind::Mixed, 0) => &self.vector,
                (MixtureKind::Mixed, 1) => &self.integer,
                (MixtureKind::Mixed, _) => registers[random.below(registers.len())],
                (MixtureKind::Memory | MixtureKind::Given, _) => all[random.below(all.len())],
            };
            let from = if from.is_empty() { &self.vector } else { from };
            let from = if from.is_empty() { &self.integer } else { from };
            if from.is_empty() {
                return None;
            }
            let (opcode, both) = (0..TRIES).find_map(|_| {
                let (opcode, own) = from[random.below(from.len())];
                let both = group.with(own).filter(|_| self.usable.contains(&opcode))?;
                Some((opcode, both))
            })?;
            group = both;
            parts.push((opcode, 1 + random.below(2) as u32));
        }
        let mix = Mix::of(parts);
        (mix.parts.len() == count).then_some(mix)
    }
}

/// Whether a form names general registers, and whether others: as data, which those of an address are not.
pub(super) fn files(catalogue: &Catalogue, form: &InstructionForm) -> (bool, bool) {
    let is_data = |index: &usize| form.operands[*index].address.is_none();
    let data = (0..form.operands.len()).filter(is_data);
    let classes = data.filter_map(|index| form.class_of(index));
    classes.fold((false, false), |(general, other), class| {
        let is_general = catalogue.isa.pool_of(class, &catalogue.set) == RegisterPool::General;
        (general || is_general, other || !is_general)
    })
}

/// Which mixtures are drawn: those of a seed, from one of its numbers on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawing {
    pub seed: u64,
    pub first: usize,
}

/// Mixtures of all kinds in turn, with the kind of each. Every one has random numbers of its own.
pub(super) fn draw(
    urn: &Urn,
    count: usize,
    sizes: std::ops::RangeInclusive<usize>,
    drawing: Drawing,
) -> Vec<(MixtureKind, Mix)> {
    let mut out = Vec::with_capacity(count);
    for number in 0..count * 2 {
        let mut random = Random::new((drawing.seed << u32::BITS) + (drawing.first + number) as u64);
        let kind = MixtureKind::ALL[number % MixtureKind::ALL.len()];
        let size = sizes.start() + random.below(sizes.end() - sizes.start() + 1);
        out.extend(urn.draw(kind, size, &mut random).map(|mix| (kind, mix)));
        if out.len() == count {
            break;
        }
    }
    out
}

/// What a mixture is predicted to take and what it took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judged {
    /// Nothing where the ports of a form are not known.
    pub predicted: Option<f64>,
    pub measured: f64,
    /// Whether others on the core may have slowed it.
    pub is_disturbed: bool,
}

impl Judged {
    /// How far the prediction is off, as a share.
    pub fn error(self) -> Option<f64> {
        Some(self.predicted? / self.measured - 1.0)
    }
}

/// Holds the prediction of a mixture, by its ports and by how long instances wait for each other, against
/// what it took.
pub(super) fn judge(
    mix: &Mix,
    usages: &Usages,
    width: Option<f64>,
    bench: &MixtureBench<'_>,
) -> Option<Judged> {
    let time = bench.time(mix, &Order::MANY)?;
    let executed = mix.executed();
    let uses = executed.iter().map(|(form, count)| Some((usages.get(form)?, f64::from(*count))));
    let uses: Option<Vec<Use<'_>>> = uses.collect();
    let predicted = uses.map(|uses| {
        let passing = bench.whole.map_or(0.0, |width| {
            bench.sequence(mix, time.order).cycles(&|at| uses[at].0.slots, width)
        });
        cycles(&uses, width).max(passing).max(bench.waiting(mix, time.order))
    });
    Some(Judged { predicted, measured: time.cycles, is_disturbed: time.is_disturbed })
}

#[cfg(feature = "llvm")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixtures_with_memory_have_one_form_that_accesses_it_or_more() {
        let catalogue =
            crate::study::ports::of_a_test::catalogue("x86_64-unknown-linux-gnu", "znver4");
        let urn = Urn::of(&catalogue, catalogue.forms().map(|form| (form.opcode, 1.0)));
        let accessing = |mix: &Mix| {
            let forms = mix.parts.iter().filter_map(|&(opcode, _)| catalogue.form(opcode));
            forms.filter(|form| form.memory != MemoryAccess::None).count()
        };
        let drawn = draw(&urn, 400, 3..=6, Drawing { seed: 1, first: 0 });
        assert_eq!(drawn.len(), 400);
        let of_kind = |kind: MixtureKind| {
            let own = drawn.iter().filter(|(own, _)| *own == kind);
            own.map(|(_, mix)| accessing(mix)).collect::<Vec<usize>>()
        };
        let memory = of_kind(MixtureKind::Memory);
        assert!(memory.iter().all(|&forms| forms > 0), "{memory:?}");
        assert!(memory.iter().filter(|&&forms| forms > 1).count() > memory.len() / 2, "{memory:?}");
        for kind in [MixtureKind::Vector, MixtureKind::Integer, MixtureKind::Mixed] {
            assert!(of_kind(kind).iter().all(|&forms| forms == 0), "{}", kind.name());
        }
    }
}
