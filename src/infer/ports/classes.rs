//! Classes of forms of one micro-operation, and the ports of each.
//!
//! **Givens.** Forms that take `1/w` cycles for a whole `w`, and what pairs of them take, balanced: `w`
//! instances of one and `v` of the other, so that each alone would take a cycle. **Unknowns.** The
//! places of the front end; which forms go to the same ports; the ports.
//!
//! **Constraints.** A balanced pair takes `(w + v) / u` cycles, where `u` ports are in the union of both
//! sets. If the front end takes no more than that, `u` is only known to be at least so many. A form
//! that fills the front end by itself has ports only where those for anything but memory are no more than it
//! takes: of more any would do. A form that goes to the same ports as another takes as long beside any third. What contradicts the classes
//! that have more members is none: it has two micro-operations, or is slowed by something else.

use super::Ports;
use super::structure::{Sizes, Structures, smallest};

/// A form that may be of one micro-operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocker {
    /// How many of it the core does in a cycle.
    pub width: u32,
    /// Whether it accesses memory.
    pub accesses_memory: bool,
}

/// What balanced pairs take, by the positions of both.
#[derive(Debug, Clone, Default)]
pub struct PairTimes {
    count: usize,
    cycles: Vec<Option<f64>>,
}

impl PairTimes {
    /// Of so many forms, of which no pair is known.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { count, cycles: vec![None; count * count] }
    }

    /// Takes in what a balanced pair takes.
    pub fn insert(&mut self, one: usize, other: usize, cycles: f64) {
        self.cycles[one * self.count + other] = Some(cycles);
        self.cycles[other * self.count + one] = Some(cycles);
    }

    /// What a balanced pair takes, if that is known.
    #[must_use]
    pub fn of(&self, one: usize, other: usize) -> Option<f64> {
        self.cycles[one * self.count + other]
    }
}

/// Classes of blockers and their ports.
#[derive(Debug, Clone, PartialEq)]
pub struct PortClasses {
    /// The members of each, by their positions; the first leads.
    pub members: Vec<Vec<usize>>,
    /// Forms that contradict the classes.
    pub rejected: Vec<usize>,
    /// The ports of each class, in all ways that are equally small.
    pub structures: Structures,
    /// Instructions that the front end takes in a cycle, if mixtures show it.
    pub width: Option<f64>,
}

/// Durations that differ by less are the same.
const SAME: f64 = 0.03;
/// No number of ports explains a pair that takes longer than any of them by more. (Cores choose ports
/// before they know what becomes of it: on a Zen 4 two shifts, which have two ports, and a multiplication,
/// which has one of these, take 1.84 cycles instead of 1.5, so that their rate is 18 % too low.)
const UNEXPLAINED: f64 = 0.2;
/// Pairs that must reach the front end's width before it is one.
const WITNESSES: usize = 3;
/// Rates this near to the width are limited by it.
const AT_WIDTH: f64 = 0.025;
/// Of what other forms take beside two of a class, so much must agree.
const AGREEMENT: f64 = 0.9;

/// Finds classes and their ports.
#[must_use]
pub fn classes(blockers: &[Blocker], pairs: &PairTimes) -> PortClasses {
    let width = width(blockers, pairs);
    let (single, mut rejected) = without_contradictions(blockers, pairs, width);
    let fills = |form: &usize| is_limited(f64::from(blockers[*form].width), width);
    let (wide, narrow): (Vec<usize>, Vec<usize>) = single.iter().copied().partition(fills);
    let mut found = placed(&narrow, blockers, pairs, width);
    let has_all = |width: f64| f64::from(computing(&found, blockers).count()) <= width;
    if !wide.is_empty() && width.is_some_and(has_all) {
        found = placed(&single, blockers, pairs, width);
    } else {
        rejected.extend(wide);
    }
    found.rejected.extend(rejected);
    found
}

/// The ports of all classes that do not access memory, by the first structure.
fn computing(found: &PortClasses, blockers: &[Blocker]) -> Ports {
    let sets = found.structures.all.first().into_iter().flatten().copied();
    let both = sets.zip(&found.members);
    let computing = both.filter(|(_, members)| !blockers[members[0]].accesses_memory);
    all_ports(&computing.map(|(set, _)| set).collect::<Vec<_>>())
}

/// Classes of some forms and their ports.
fn placed(
    forms: &[usize],
    blockers: &[Blocker],
    pairs: &PairTimes,
    width: Option<f64>,
) -> PortClasses {
    let mut rejected = Vec::new();
    let mut members = group(forms, blockers, pairs);
    // Those with many members first, wide ones first among equals: what they say is most certain.
    members.sort_by_key(|own| (std::cmp::Reverse(own.len().min(3)), own[0]));
    let mut kept: Vec<Vec<usize>> = Vec::new();
    for own in members {
        kept.push(own);
        if smallest(&sizes(&kept, blockers, pairs, width)).all.is_empty() {
            rejected.extend(kept.pop().into_iter().flatten());
        }
    }
    let structures = smallest(&sizes(&kept, blockers, pairs, width));
    PortClasses { members: kept, rejected, structures, width }
}

/// How many a cycle go through the front end: the rate that several pairs reach and none exceeds by
/// more than noise, though they have ports for more. A whole number, if it is near one.
fn width(blockers: &[Blocker], pairs: &PairTimes) -> Option<f64> {
    // The rate of each pair, and how many both do in a cycle by themselves.
    let mut rates: Vec<(f64, f64)> = Vec::new();
    for one in 0..blockers.len() {
        for other in 0..one {
            let alone = f64::from(blockers[one].width + blockers[other].width);
            rates.extend(pairs.of(one, other).map(|cycles| (alone / cycles, alone)));
        }
    }
    rates.sort_by(|a, b| b.0.total_cmp(&a.0));
    let highest = rates.get(WITNESSES - 1)?.0;
    let is_hit = |&&(rate, alone): &&(f64, f64)| {
        rate >= highest * (1.0 - 2.0 * AT_WIDTH) && alone > highest * (1.0 + 2.0 * AT_WIDTH)
    };
    let hits: Vec<f64> = rates.iter().filter(is_hit).map(|&(rate, _)| rate).collect();
    let middle = *hits.get(hits.len() / 2).filter(|_| hits.len() >= WITNESSES)?;
    let whole = middle.round();
    Some(if (middle / whole - 1.0).abs() <= AT_WIDTH { whole } else { middle })
}

/// Forms that may be of one micro-operation, and those that cannot: beside forms of one, a pair of them
/// takes what no number of ports explains. Those with the most such pairs go first, and take the blame
/// from the others.
fn without_contradictions(
    blockers: &[Blocker],
    pairs: &PairTimes,
    width: Option<f64>,
) -> (Vec<usize>, Vec<usize>) {
    let count = blockers.len();
    let is_contradiction = |one: usize, other: usize| {
        one != other
            && pairs
                .of(one, other)
                .is_some_and(|cycles| !is_explained(blockers[one], blockers[other], cycles, width))
    };
    let mut blamed: Vec<usize> = (0..count)
        .map(|one| (0..count).filter(|&other| is_contradiction(one, other)).count())
        .collect();
    let mut single: Vec<usize> = (0..count).collect();
    let mut rejected = Vec::new();
    while let Some(&worst) = single.iter().rev().max_by_key(|&&form| blamed[form]) {
        if blamed[worst] == 0 {
            break;
        }
        single.retain(|&form| form != worst);
        rejected.push(worst);
        for &form in single.iter().filter(|&&form| is_contradiction(form, worst)) {
            blamed[form] -= 1;
        }
    }
    (single, rejected)
}

/// Forms that go to the same ports, as far as pairs show.
fn group(single: &[usize], blockers: &[Blocker], pairs: &PairTimes) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &form in single {
        let joins = |own: &&mut Vec<usize>| {
            blockers[own[0]] == blockers[form] && are_same(own[0], form, single, pairs)
        };
        match groups.iter_mut().find(joins) {
            Some(own) => own.push(form),
            None => groups.push(vec![form]),
        }
    }
    groups
}

fn are_same(one: usize, other: usize, single: &[usize], pairs: &PairTimes) -> bool {
    if !pairs.of(one, other).is_some_and(|cycles| (cycles / 2.0 - 1.0).abs() <= SAME) {
        return false;
    }
    let thirds = single.iter().copied().filter(|&third| third != one && third != other);
    let both = thirds.filter_map(|third| pairs.of(one, third).zip(pairs.of(other, third)));
    let agree: Vec<bool> = both.map(|(a, b)| (a / b - 1.0).abs() <= 2.0 * SAME).collect();
    let count = agree.iter().filter(|agrees| **agrees).count() as f64;
    count >= AGREEMENT * agree.len() as f64
}

/// What pairs say of the unions of two classes: the middle of what pairs of their members do.
fn sizes(
    classes: &[Vec<usize>],
    blockers: &[Blocker],
    pairs: &PairTimes,
    width: Option<f64>,
) -> Sizes {
    let widths = classes.iter().map(|members| blockers[members[0]].width).collect();
    let mut unions = Vec::new();
    for (at, one) in classes.iter().enumerate() {
        for (before, other) in classes[..at].iter().enumerate() {
            let both = one.iter().flat_map(|&a| other.iter().map(move |&b| (a, b)));
            let mut cycles: Vec<f64> = both.filter_map(|(a, b)| pairs.of(a, b)).collect();
            cycles.sort_by(f64::total_cmp);
            let Some(&middle) = cycles.get(cycles.len() / 2) else { continue };
            let (one, other) = (blockers[one[0]], blockers[other[0]]);
            let (least, most) = union(one, other, middle, width);
            unions.push((before, at, least, most));
        }
    }
    Sizes { widths, unions }
}

/// Whether a pair is limited by the front end, so that it does not show all ports.
fn is_limited(rate: f64, width: Option<f64>) -> bool {
    width.is_some_and(|width| rate >= width * (1.0 - AT_WIDTH))
}

/// The least ports that explain how fast a pair is: so many at least, but no more than both have.
fn least_union(one: Blocker, other: Blocker, rate: f64) -> u32 {
    let proven = (rate / (1.0 + SAME)).ceil() as u32;
    proven.max(one.width).max(other.width).min(one.width + other.width)
}

/// Whether a pair takes what some number of ports explains.
fn is_explained(one: Blocker, other: Blocker, cycles: f64, width: Option<f64>) -> bool {
    let rate = f64::from(one.width + other.width) / cycles;
    let least = f64::from(least_union(one, other, rate));
    is_limited(rate, width) || rate >= least * (1.0 - UNEXPLAINED)
}

/// Between what the size of the union of two sets lies.
fn union(one: Blocker, other: Blocker, cycles: f64, width: Option<f64>) -> (u32, u32) {
    let sum = one.width + other.width;
    let rate = f64::from(sum) / cycles;
    let least = least_union(one, other, rate);
    if !is_limited(rate, width) {
        return (least, least);
    }
    // Nobody can see whether such share ports; units for memory are taken to be their own.
    let are_unlike = one.accesses_memory != other.accesses_memory;
    (if are_unlike { sum } else { least }, sum)
}

/// The ports of all classes together.
#[must_use]
pub fn all_ports(sets: &[Ports]) -> Ports {
    sets.iter().fold(Ports::NONE, |all, &set| all | set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::ports::{Usage, cycles};

    /// Sets of ports, and how often each occurs as a form.
    fn world(sets: &[&[u32]], width: f64) -> (Vec<Blocker>, PairTimes) {
        let usages: Vec<Usage> =
            sets.iter().map(|set| Usage::of([(1, Ports::of(set.iter().copied()))], 1.0)).collect();
        let blockers: Vec<Blocker> = usages
            .iter()
            .map(|usage| Blocker { width: usage.ports().count(), accesses_memory: false })
            .collect();
        let mut pairs = PairTimes::new(sets.len());
        for one in 0..sets.len() {
            for other in 0..one {
                let times = |form: usize| f64::from(blockers[form].width);
                let mixture = [(&usages[one], times(one)), (&usages[other], times(other))];
                pairs.insert(one, other, cycles(&mixture, Some(width)));
            }
        }
        (blockers, pairs)
    }

    #[test]
    fn classes_and_width_come_back() {
        let sets: [&[u32]; 10] = [
            &[0, 1, 2, 3],
            &[0, 1, 2, 3],
            &[1, 2],
            &[1],
            &[4, 5, 6, 7],
            &[4, 5],
            &[4, 5],
            &[6, 7],
            &[5, 6],
            &[0, 1, 2, 3],
        ];
        let (blockers, pairs) = world(&sets, 6.0);
        let found = classes(&blockers, &pairs);
        assert_eq!(found.width, Some(6.0));
        assert_eq!(found.members[0], [0, 1, 9]);
        assert!(found.rejected.is_empty(), "{found:?}");
        let structure = &found.structures.all[0];
        assert_eq!(all_ports(structure).count(), 8, "{found:?}");
        let of = |form: usize| {
            let class = found.members.iter().position(|own| own.contains(&form)).unwrap();
            structure[class]
        };
        for one in 0..sets.len() {
            for other in 0..sets.len() {
                let truth = Ports::of(sets[one].iter().chain(sets[other]).copied()).count();
                assert_eq!((of(one) | of(other)).count(), truth, "{one} {other}");
            }
        }
    }

    #[test]
    fn what_fills_the_front_end_has_ports_only_if_it_has_all() {
        // Of eight ports the last form has six, but any six are as likely.
        let sets: [&[u32]; 6] =
            [&[0, 1, 2, 3], &[0, 1, 2, 3], &[4, 5, 6, 7], &[4, 5], &[5, 6], &[0, 1, 2, 3, 4, 5]];
        let (blockers, pairs) = world(&sets, 6.0);
        let found = classes(&blockers, &pairs);
        assert_eq!(found.rejected, [5]);
        assert_eq!(found.members.len(), 4, "{found:?}");
        // Two ways of a core that does two instructions a cycle.
        let (blockers, pairs) = world(&[&[0, 1], &[0, 1], &[1], &[0], &[0, 1]], 2.0);
        let found = classes(&blockers, &pairs);
        assert_eq!((found.width, found.rejected.len()), (Some(2.0), 0), "{found:?}");
        assert!(found.members.contains(&vec![0, 1, 4]));
    }

    #[test]
    fn two_micro_operations_contradict_classes_and_are_left_out() {
        let (mut blockers, narrow) = world(&[&[0], &[0], &[1], &[1], &[0]], 8.0);
        // The last one goes to both ports at once.
        let mut pairs = narrow;
        pairs.insert(4, 2, 2.0);
        pairs.insert(4, 3, 2.0);
        blockers[4].width = 1;
        let found = classes(&blockers, &pairs);
        assert_eq!(found.rejected, [4]);
        assert_eq!(found.members, [vec![0, 1], vec![2, 3]]);
    }
}
