//! Streams of known forms that other forms are put beside, to see what they cost there.

use super::bench::{Mix, MixtureBench};
use super::blockers::Structure;
use super::subjects::PortSubject;
use crate::infer::ports::{Demand, FormObservation, PassingOrder, PassingTimes, Ports, Usage};
use crate::kernel::{Breaking, Order};
use crate::maps::Map;
use crate::metadata::OpcodeId;

/// How long streams take by themselves, in durations of the form beside them: as long, so that what both go
/// to shows; and longer, so that what one of them must go to shows.
const LENGTHS: [f64; 2] = [1.0, 1.75];
/// ... beside a form of one or two slots that the front end alone may limit: that must not be what limits both.
const LONGER: [f64; 2] = [3.0, 4.0];
/// ... and beside one of more slots, of which what it adds is less beside longer streams. (`LDPQpost` of LLVM's
/// Neoverse V2 takes a cycle for six of six slots, and loads twice. Beside three loads of three a cycle it takes two
/// cycles for its slots alone; beside five 2.33, where slots take two; beside nine 3.67, where those loads take three.)
const OF_MANY_SLOTS: [f64; 2] = [1.75, 3.0];
/// Slots of forms that the front end alone may limit.
const FEW_SLOTS: f64 = 2.0;
/// ... if that is how long they take, within this share.
const AS_LONG: f64 = 0.025;
/// Instances of a form take a cycle at least, as many as that needs.
const LEAST: f64 = 1.0;
/// Ports that are more than the front end's width by this factor leave some free when that is full.
const ENOUGH: f64 = 1.15;

/// Known forms that stand together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stream {
    pub parts: Vec<(OpcodeId, f64)>,
    /// What these take.
    unit: f64,
}

/// All streams of a machine.
pub(super) struct Streams {
    pub all: Vec<Stream>,
    /// Which of them keeps the front end busy, if one does.
    pub dispatch: Option<usize>,
    /// Those that every form is put beside: of classes, wide ones first, each with those whose classes have
    /// its ports and more; and the one that fills the front end and nothing else, if there is one.
    pub fingerprinted: Vec<(usize, Vec<usize>)>,
    /// The sides of the core: ports of no class are of two of them.
    pub sides: Vec<Ports>,
}

impl Streams {
    /// A stream for each class, for each resource that several forms have between them, and one that fills
    /// the front end before it fills any ports.
    pub fn of(
        structure: &Structure,
        extra: &[(OpcodeId, f64)],
        front_end: Option<OpcodeId>,
    ) -> Self {
        let leaders: Vec<(OpcodeId, Ports)> = structure.leaders().collect();
        let of_class = leaders.iter().map(|&(opcode, ports)| Stream {
            parts: vec![(opcode, f64::from(ports.count()))],
            unit: 1.0,
        });
        let mut all: Vec<Stream> = of_class.collect();
        let mut fingerprinted = by_width(&leaders);
        all.extend(extra.iter().map(|&(opcode, unit)| Stream { parts: vec![(opcode, 1.0)], unit }));
        let of_front_end = structure.classes.width.and_then(|width| match front_end {
            Some(opcode) => Some(Stream { parts: vec![(opcode, width)], unit: 1.0 }),
            None => of_wide_classes(leaders, width),
        });
        let dispatch = of_front_end.as_ref().map(|_| all.len());
        if front_end.is_some() {
            fingerprinted.extend(dispatch.map(|at| (at, Vec::new())));
        }
        all.extend(of_front_end);
        Self { all, dispatch, fingerprinted, sides: sides_of(&structure.sets) }
    }

    /// Which of them fills the front end, if every form is put beside that.
    pub fn fingerprinted_dispatch(&self) -> Option<usize> {
        self.dispatch.filter(|&at| self.fingerprinted.iter().any(|(own, _)| *own == at))
    }
}

/// Classes by their places, wide ones first, each with those that have its ports and more.
fn by_width(leaders: &[(OpcodeId, Ports)]) -> Vec<(usize, Vec<usize>)> {
    let mut places: Vec<usize> = (0..leaders.len()).collect();
    places.sort_by_key(|&at| (std::cmp::Reverse(leaders[at].1.count()), at));
    let above = |at: usize| {
        let own = leaders[at].1;
        let wider = |&it: &usize| own.is_within(leaders[it].1) && own != leaders[it].1;
        (0..leaders.len()).filter(wider).collect()
    };
    places.into_iter().map(|at| (at, above(at))).collect()
}

/// The ports of each side of a core, which no class has in common with another side.
fn sides_of(classes: &[Ports]) -> Vec<Ports> {
    let mut sides: Vec<Ports> = Vec::new();
    for &class in classes {
        let (meeting, mut apart): (Vec<Ports>, Vec<Ports>) =
            sides.iter().partition(|side| side.meets(class));
        apart.push(meeting.into_iter().fold(class, |all, side| all | side));
        sides = apart;
    }
    sides
}

/// The widest classes that have nothing in common, if they are more than the front end's width.
fn of_wide_classes(mut leaders: Vec<(OpcodeId, Ports)>, width: f64) -> Option<Stream> {
    leaders.sort_by_key(|&(opcode, ports)| (std::cmp::Reverse(ports.count()), opcode));
    let mut chosen: Vec<(OpcodeId, Ports)> = Vec::new();
    for (opcode, ports) in leaders {
        if chosen.iter().all(|(_, other)| !other.meets(ports)) {
            chosen.push((opcode, ports));
        }
    }
    let sum: u32 = chosen.iter().map(|(_, ports)| ports.count()).sum();
    let share = width / f64::from(sum);
    let parts = chosen.iter().map(|&(opcode, ports)| (opcode, f64::from(ports.count()) * share));
    (f64::from(sum) >= width * ENOUGH).then(|| Stream { parts: parts.collect(), unit: 1.0 })
}

/// How many instances of a form stand in a round.
pub(super) fn instances(subject: &PortSubject) -> u32 {
    (LEAST / subject.each).ceil().clamp(1.0, 12.0) as u32
}

/// How long streams take by themselves that a form is put beside, in durations of the form. The front end
/// alone may limit forms that take what it needs for their slots: beside a stream as long as they take,
/// it would hide that they go to the same ports. (A Zen 4 has six slots and four ALUs: three `XADD32rr` and a
/// cycle of `ADD32rr` are ten slots, 1.67 cycles, and seven micro-operations, 1.75; beside three cycles of
/// those 3 and 3.75, where `XCHG32rr` needs no port and takes 3.)
pub(super) fn lengths(limit: SlotLimit) -> [f64; 2] {
    match limit {
        SlotLimit::None => LENGTHS,
        SlotLimit::Few => LONGER,
        SlotLimit::Many => OF_MANY_SLOTS,
    }
}

/// Of what numbers of slots a form may take as long as it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotLimit {
    /// Its slots do not explain it.
    None,
    /// One or two.
    Few,
    /// More.
    Many,
}

impl SlotLimit {
    /// What a duration says before the front end shows any slots.
    pub fn of_duration(each: f64, width: Option<f64>) -> Self {
        let slots = each * width.unwrap_or(f64::INFINITY);
        let is_few = is_as_long(slots, slots.round()) && slots.round() <= FEW_SLOTS;
        if is_few { Self::Few } else { Self::None }
    }
}

/// Whether one duration is another, as far as the front end is concerned.
pub(super) fn is_as_long(one: f64, other: f64) -> bool {
    (one / other - 1.0).abs() <= AS_LONG
}

/// What breaks the dependences of so many instances.
fn breaking(subject: &PortSubject, instances: u32) -> Vec<(Breaking, u32)> {
    let count = instances.div_ceil(subject.interval.max(1));
    subject.breaking.iter().map(|&breaking| (breaking, count)).collect()
}

impl Stream {
    /// A form beside this stream, which takes so many times as long.
    pub fn beside(&self, subject: &PortSubject, length: f64) -> Mix {
        let own = instances(subject);
        let units = length * f64::from(own) * subject.each / self.unit;
        let part =
            |&(opcode, count): &(OpcodeId, f64)| (opcode, (count * units).round().max(1.0) as u32);
        let parts = self.parts.iter().map(part).filter(|&(opcode, _)| opcode != subject.opcode);
        let parts = parts.chain([(subject.opcode, own)]);
        Mix { breaking: breaking(subject, own), ..Mix::of(parts) }
    }
}

/// Usages by opcode.
pub(super) type Usages = Map<OpcodeId, Usage>;

/// The form by itself, as an observation.
pub(super) fn alone(
    subject: &PortSubject,
    usages: &Usages,
    whole: Option<f64>,
) -> Option<FormObservation> {
    let own = 96.0;
    let breakers: f64 = if subject.breaking.is_empty() {
        0.0
    } else {
        (own / f64::from(subject.interval.max(1))).ceil()
    };
    let mut others = Demand::default();
    for breaking in &subject.breaking {
        others.add(usages.get(&breaking.breaker)?, breakers / own);
    }
    let uncertainty = subject.uncertainty.clamp(0.0, 0.05);
    let passing = whole
        .filter(|_| subject.breaking.is_empty())
        .map(|width| PassingTimes::of(PassingOrder::of_one(), 0, &|_| 1.0, width));
    Some(FormObservation { own: 1.0, others, cycles: subject.each, uncertainty, passing })
}

/// A mixture as an observation of one of its forms, the others of which are known.
pub(super) fn observation(
    mix: &Mix,
    opcode: OpcodeId,
    usages: &Usages,
    bench: &MixtureBench<'_>,
) -> Option<FormObservation> {
    let time = bench.time(mix, &Order::FEW)?;
    let (own, others) = beside(mix, opcode, usages)?;
    let uncertainty = time.uncertainty.clamp(0.0, 0.02);
    let passing = passing(mix, opcode, usages, time.order, bench);
    Some(FormObservation { own, others, cycles: time.cycles, uncertainty, passing })
}

/// What a mixture takes to pass the front end, by the slots of a form, where that splits no instruction.
fn passing(
    mix: &Mix,
    opcode: OpcodeId,
    usages: &Usages,
    order: Order,
    bench: &MixtureBench<'_>,
) -> Option<PassingTimes> {
    let width = bench.whole?;
    let executed = mix.executed();
    let form = executed.iter().position(|&(own, _)| own == opcode)?;
    let slots = |at: usize| usages.get(&executed[at].0).map_or(1.0, |usage| usage.slots);
    Some(PassingTimes::of(bench.sequence(mix, order), form, &slots, width))
}

/// What a mixture asks for besides a form, and how many instances of the form it has; nothing where the
/// usage of another one is not known.
pub(super) fn beside(mix: &Mix, opcode: OpcodeId, usages: &Usages) -> Option<(f64, Demand)> {
    let (mut own, mut others) = (0.0, Demand::default());
    for (form, count) in mix.executed() {
        match form == opcode {
            true => own = f64::from(count),
            false => others.add(usages.get(&form)?, f64::from(count)),
        }
    }
    Some((own, others))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_longer_beside_what_the_front_end_may_limit() {
        let of = |each: f64, width: Option<f64>| lengths(SlotLimit::of_duration(each, width));
        assert_eq!(of(1.0 / 6.0, Some(6.0)), LONGER);
        assert_eq!(of(0.334, Some(6.0)), LONGER);
        // Four a cycle are fewer than six; a cycle is six slots, which are not few.
        assert_eq!(of(0.25, Some(6.0)), LENGTHS);
        assert_eq!(of(1.0, Some(6.0)), LENGTHS);
        assert_eq!(of(0.05, Some(6.0)), LENGTHS);
        assert_eq!(of(0.25, None), LENGTHS);
    }

    #[test]
    fn sides_have_no_class_in_common() {
        let ports = |numbers: &[u32]| Ports::of(numbers.iter().copied());
        let classes = [ports(&[0, 1]), ports(&[4, 5]), ports(&[1, 2]), ports(&[6])];
        let mut sides = sides_of(&classes);
        sides.sort();
        assert_eq!(sides, [ports(&[0, 1, 2]), ports(&[4, 5]), ports(&[6])]);
        assert!(sides_of(&[]).is_empty());
    }
}
