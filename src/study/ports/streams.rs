//! Streams of known forms that other forms are put beside, to see what they cost there.

use super::bench::{Mix, MixtureBench};
use super::blockers::Structure;
use super::subjects::PortSubject;
use crate::infer::ports::{Demand, FormObservation, Usage};
use crate::kernel::{Breaking, Order};
use crate::maps::Map;
use crate::metadata::OpcodeId;

/// How long a stream takes by itself, in durations of the form beside it: as long, so that what both go
/// to shows; and longer, so that what one of them must go to shows.
pub(super) const LENGTHS: [f64; 2] = [1.0, 1.75];
/// Instances of a form take a cycle at least, as many as that needs.
const LEAST: f64 = 1.0;

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
    /// Which of them keeps the front end busy, and no ports, if one does.
    pub dispatch: Option<usize>,
    /// The first ones fill the ports of a class each.
    classes: usize,
}

impl Streams {
    /// A stream for each class, and one that fills the front end before it fills any ports.
    pub fn of(structure: &Structure, extra: &[(OpcodeId, f64)]) -> Self {
        let leaders: Vec<_> = structure.leaders().collect();
        let of_class = leaders.iter().map(|&(opcode, ports)| Stream {
            parts: vec![(opcode, f64::from(ports.count()))],
            unit: 1.0,
        });
        let mut all: Vec<Stream> = of_class.collect();
        let classes = all.len();
        all.extend(extra.iter().map(|&(opcode, unit)| Stream { parts: vec![(opcode, 1.0)], unit }));
        let mut dispatch = None;
        if let Some(width) = structure.classes.width {
            // The widest classes that have nothing in common, until they are more than the front end's.
            let mut wide = leaders;
            wide.sort_by_key(|&(opcode, ports)| (std::cmp::Reverse(ports.count()), opcode));
            let mut chosen: Vec<(OpcodeId, crate::infer::ports::Ports)> = Vec::new();
            for (opcode, ports) in wide {
                if chosen.iter().all(|(_, other)| !other.meets(ports)) {
                    chosen.push((opcode, ports));
                }
            }
            let sum: u32 = chosen.iter().map(|(_, ports)| ports.count()).sum();
            if f64::from(sum) >= width * 1.15 {
                let share = width / f64::from(sum);
                let part = |&(opcode, ports): &(_, crate::infer::ports::Ports)| {
                    (opcode, f64::from(ports.count()) * share)
                };
                dispatch = Some(all.len());
                all.push(Stream { parts: chosen.iter().map(part).collect(), unit: 1.0 });
            }
        }
        Self { all, dispatch, classes }
    }

    /// Whether a stream fills the ports of a class, and nothing besides.
    pub fn fills_ports(&self, stream: usize) -> bool {
        stream < self.classes
    }
}

/// How many instances of a form stand in a round.
pub(super) fn instances(subject: &PortSubject) -> u32 {
    (LEAST / subject.each).ceil().clamp(1.0, 12.0) as u32
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
pub(super) fn alone(subject: &PortSubject, usages: &Usages) -> Option<FormObservation> {
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
    Some(FormObservation { own: 1.0, others, cycles: subject.each, uncertainty })
}

/// A mixture as an observation of one of its forms, the others of which are known.
pub(super) fn observation(
    mix: &Mix,
    opcode: OpcodeId,
    usages: &Usages,
    bench: &MixtureBench<'_>,
) -> Option<FormObservation> {
    let time = bench.time(mix, &Order::ALL)?;
    let (own, others) = beside(mix, opcode, usages)?;
    let uncertainty = time.uncertainty.clamp(0.0, 0.02);
    Some(FormObservation { own, others, cycles: time.cycles, uncertainty })
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
