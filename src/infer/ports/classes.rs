//! Classes of forms of one micro-operation, and the ports of each.
//!
//! **Givens.** Forms that take `1/w` cycles for a whole `w`, and what pairs of them take, balanced: `w`
//! instances of one and `v` of the other, so that each alone would take a cycle. **Unknowns.** The
//! places of the front end; which forms go to the same ports; the ports.
//!
//! **Constraints.** A balanced pair takes `(w + v) / u` cycles, where `u` ports are in the union of both
//! sets. If the front end takes no more than that, `u` is only known to be at least so many; forms of several
//! micro-operations, which take fewer places for as many ports, may show more. A form that fills the front end
//! by itself has ports only where those for anything but memory are no more than it takes: of more any would
//! do. A form that goes to the same ports as another takes as long beside any third. What contradicts the
//! classes that have more members, or that ports explain better, is none: it has two micro-operations, or is
//! slowed by something else.

use std::cmp::Reverse;

use super::Ports;
use super::pairs::{Blocker, PairTimes, Pairs, SAME};
use super::structure::{Sizes, Structures, numbered, smallest};

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

/// No number of ports explains a pair that takes longer than any of them by more. (Cores choose ports
/// before they know what becomes of it: on a Zen 4 two shifts, which have two ports, and a multiplication,
/// which has one of these, take 1.84 cycles instead of 1.5, so that their rate is 18 % too low.)
const UNEXPLAINED: f64 = 0.2;
/// A pair that takes longer than any number of ports explains by more casts doubt on both forms.
const DOUBTFUL: f64 = 0.1;
/// Of what other forms take beside two of a class, so much must agree.
const AGREEMENT: f64 = 0.9;
/// Others beside which a form is seen to be a multiple, at least.
const SEEN_BESIDE: usize = 3;

/// A class while its ports are looked for.
struct BlockerClass {
    /// Forms of one micro-operation; the first leads.
    members: Vec<usize>,
    /// Forms of several of the members' micro-operations.
    multiples: Vec<usize>,
}

impl BlockerClass {
    fn leader(&self) -> usize {
        self.members[0]
    }

    fn stores(&self, pairs: Pairs<'_>) -> bool {
        pairs.blockers[self.leader()].stores()
    }
}

/// Finds classes and their ports.
#[must_use]
pub fn classes(blockers: &[Blocker], times: &PairTimes) -> PortClasses {
    let pairs = Pairs::of(blockers, times);
    let (single, mut rejected) = without_contradictions(pairs);
    let fills = |form: &usize| pairs.is_limited(f64::from(blockers[*form].width));
    let (wide, narrow): (Vec<usize>, Vec<usize>) = single.iter().copied().partition(fills);
    let mut found = placed(&narrow, &rejected, pairs);
    let has_all = |width: f64| f64::from(computing(&found, blockers).count()) <= width;
    if !wide.is_empty() && pairs.width.is_some_and(has_all) {
        found = placed(&single, &rejected, pairs);
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
    let computing = both.filter(|(_, members)| !blockers[members[0]].accesses_memory());
    all_ports(&computing.map(|(set, _)| set).collect::<Vec<_>>())
}

/// Classes of some forms and their ports; of others, those that are multiples of members show more of them.
fn placed(forms: &[usize], others: &[usize], pairs: Pairs<'_>) -> PortClasses {
    let mut groups = group(forms, pairs);
    add_multiples(&mut groups, others, forms, pairs);
    // Those with many members first, and among equals those that ports explain best: what they say is most
    // certain. (On a Zen 1 `vmovd eax, xmm0` takes a vector port like a shift, and one for general registers
    // besides. It takes as long beside vectors as a shift does, and 24 % longer beside additions than if its port
    // were one of theirs.) Those that store are the last: there, `vmovaps [rsi], xmm0` has one of the ports of loads
    // and a vector port, so that beside others it looks like either.
    groups.sort_by_key(|own| {
        let leader = own.leader();
        let is_doubtful = |&&other: &&usize| pairs.is_unexplained(leader, other, DOUBTFUL);
        let doubts = forms.iter().filter(is_doubtful).count();
        (own.stores(pairs), Reverse(own.members.len().min(3)), doubts, leader)
    });
    let (kept, rejected) = consistent(groups, pairs);
    let mut structures = structures(&kept, pairs);
    // What classes are placed by is other in the next run, and the numbers of ports must not be: those for memory are
    // the last.
    let mut order: Vec<usize> = (0..kept.len()).collect();
    order.sort_by_key(|&at| {
        let leader = kept[at].leader();
        (pairs.blockers[leader].accesses_memory(), leader)
    });
    for sets in &mut structures.all {
        *sets = numbered(&order.iter().map(|&at| sets[at]).collect::<Vec<_>>());
    }
    let members = order.iter().map(|&at| kept[at].members.clone()).collect();
    let rejected = rejected.into_iter().flat_map(|own| own.members).collect();
    PortClasses { members, rejected, structures, width: pairs.width }
}

/// Classes that there are ports for together, and those that contradict them. One that contradicts only what is
/// rejected after it is taken in again. (On a Zen 1 additions of vectors contradict loads of vectors, and
/// only when loads to general registers are known is it seen that those are the slow ones.)
fn consistent(
    groups: Vec<BlockerClass>,
    pairs: Pairs<'_>,
) -> (Vec<BlockerClass>, Vec<BlockerClass>) {
    let (mut kept, mut waiting) = (Vec::new(), groups);
    loop {
        let mut rejected = Vec::new();
        let asked = waiting.len();
        for own in waiting {
            kept.push(own);
            if structures(&kept, pairs).all.is_empty() {
                let contradicting = slowed(&kept, pairs).unwrap_or(kept.len() - 1);
                rejected.push(kept.remove(contradicting));
            }
        }
        if rejected.is_empty() || rejected.len() == asked {
            return (kept, rejected);
        }
        waiting = rejected;
    }
}

/// The class that is to blame for what the last one contradicts, where it is not that one: another of the same
/// ports is faster beside a third, and without the slow one there are ports for all. (On a Zen 1 no
/// more than four instructions a cycle work on vectors. Two loads of vectors and three `vpaddd` take as long as
/// on four ports; two loads to general registers, which have the same ports, show five.) What stores is to blame
/// itself, and shows of no other that it is slow.
fn slowed(kept: &[BlockerClass], pairs: Pairs<'_>) -> Option<usize> {
    if kept.last().is_some_and(|last| last.stores(pairs)) {
        return None;
    }
    let is_slower = |own: &BlockerClass, alike: &BlockerClass, third: &BlockerClass| {
        let both = union(own, third, pairs).zip(union(alike, third, pairs));
        both.is_some_and(|((_, most), (least, _))| least > most)
    };
    let is_slowed = |&at: &usize| {
        let own = &kept[at];
        let mut alike = kept.iter().filter(|other| are_alike(own, other, pairs));
        let thirds = || kept.iter().filter(|third| !third.stores(pairs));
        alike.any(|alike| thirds().any(|third| is_slower(own, alike, third)))
    };
    let explains = |&at: &usize| {
        let others = kept[..at].iter().chain(&kept[at + 1..]);
        !structures(others, pairs).all.is_empty()
    };
    (0..kept.len()).filter(is_slowed).find(explains)
}

/// Whether two classes have the same ports.
fn are_alike(one: &BlockerClass, other: &BlockerClass, pairs: Pairs<'_>) -> bool {
    let width = |group: &BlockerClass| pairs.blockers[group.leader()].width;
    let own = width(one);
    one.leader() != other.leader()
        && own == width(other)
        && union(one, other, pairs) == Some((own, own))
}

/// Forms that may be of one micro-operation, and those that cannot: beside forms of one, a pair of them
/// takes what no number of ports explains. Those with the most such pairs go first, and take the blame
/// from the others.
fn without_contradictions(pairs: Pairs<'_>) -> (Vec<usize>, Vec<usize>) {
    let count = pairs.blockers.len();
    let is_contradiction =
        |one: usize, other: usize| one != other && pairs.is_unexplained(one, other, UNEXPLAINED);
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
fn group(single: &[usize], pairs: Pairs<'_>) -> Vec<BlockerClass> {
    let mut groups: Vec<BlockerClass> = Vec::new();
    for &form in single {
        let joins = |own: &&mut BlockerClass| {
            pairs.blockers[own.leader()] == pairs.blockers[form]
                && are_same(own.leader(), form, single, pairs)
        };
        match groups.iter_mut().find(joins) {
            Some(own) => own.members.push(form),
            None => groups.push(BlockerClass { members: vec![form], multiples: Vec::new() }),
        }
    }
    groups
}

fn are_same(one: usize, other: usize, single: &[usize], pairs: Pairs<'_>) -> bool {
    if !pairs.cycles(one, other).is_some_and(|cycles| (cycles / 2.0 - 1.0).abs() <= SAME) {
        return false;
    }
    let thirds = single.iter().copied().filter(|&third| third != one && third != other);
    let both = thirds.filter_map(|third| pairs.cycles(one, third).zip(pairs.cycles(other, third)));
    agree(both).is_some()
}

/// How many of some durations are the same, if nearly all are.
fn agree(durations: impl Iterator<Item = (f64, f64)>) -> Option<usize> {
    let agree: Vec<bool> = durations.map(|(a, b)| (a / b - 1.0).abs() <= 2.0 * SAME).collect();
    let count = agree.iter().filter(|agrees| **agrees).count();
    (count as f64 >= AGREEMENT * agree.len() as f64).then_some(count)
}

/// Adds to classes the forms of which each does the work of several members: a balanced pair takes as long
/// with it as with those, where the front end does not limit it. It takes fewer slots, so its pairs show
/// ports that those of members leave hidden. (On a Zen 1, whose front end takes five instructions a cycle,
/// four additions and a `vpshufb ymm`, of two micro-operations, take one cycle: six ports.)
fn add_multiples(
    groups: &mut [BlockerClass],
    others: &[usize],
    single: &[usize],
    pairs: Pairs<'_>,
) {
    let Pairs { blockers, .. } = pairs;
    for &form in others {
        let agrees = |group: &&mut BlockerClass| {
            let leader = group.leader();
            let (own, of_class) = (blockers[form], blockers[leader]);
            let is_several = of_class.width > own.width && of_class.width % own.width == 0;
            if !is_several || own.accesses_memory() != of_class.accesses_memory() {
                return None;
            }
            let beside = single.iter().filter(|&&third| third != leader);
            let both = beside.filter_map(|&third| {
                let cycles = pairs.cycles(leader, third)?;
                let shows = !pairs.is_limited(pairs.rate((leader, third), cycles));
                pairs.cycles(form, third).filter(|_| shows).zip(Some(cycles))
            });
            agree(both).filter(|&count| count >= SEEN_BESIDE)
        };
        let fitting = groups.iter_mut().filter_map(|group| Some((agrees(&group)?, group)));
        if let Some((_, group)) = fitting.max_by_key(|(count, _)| *count) {
            group.multiples.push(form);
        }
    }
}

/// The smallest structures that explain the pairs of some classes.
fn structures<'g>(
    classes: impl IntoIterator<Item = &'g BlockerClass>,
    pairs: Pairs<'_>,
) -> Structures {
    smallest(&sizes(&classes.into_iter().collect::<Vec<_>>(), pairs))
}

/// What pairs say of the sizes of classes and of their unions.
fn sizes(classes: &[&BlockerClass], pairs: Pairs<'_>) -> Sizes {
    let widths = classes.iter().map(|own| pairs.blockers[own.leader()].width).collect();
    let mut unions = Vec::new();
    for (at, one) in classes.iter().enumerate() {
        for (before, other) in classes[..at].iter().enumerate() {
            let bounds = union(one, other, pairs);
            unions.extend(bounds.map(|(least, most)| (before, at, least, most)));
        }
    }
    Sizes { widths, unions }
}

/// Between what the size of the union of two classes lies: what the middle of the pairs of their members says.
fn union(one: &BlockerClass, other: &BlockerClass, pairs: Pairs<'_>) -> Option<(u32, u32)> {
    let cycles = middle(&one.members, &other.members, pairs)?;
    let (least, most) = pairs.union((one.leader(), other.leader()), cycles);
    let hidden = if least < most { hidden(one, other, pairs) } else { None };
    Some((hidden.unwrap_or(least).max(least), most))
}

/// The middle of what pairs of some forms and some others take.
fn middle(some: &[usize], others: &[usize], pairs: Pairs<'_>) -> Option<f64> {
    let both = some.iter().flat_map(|&a| others.iter().map(move |&b| (a, b)));
    let mut cycles: Vec<f64> = both.filter_map(|(a, b)| pairs.cycles(a, b)).collect();
    cycles.sort_by(f64::total_cmp);
    cycles.get(cycles.len() / 2).copied()
}

/// The least ports of two classes together that multiples of their members show.
fn hidden(one: &BlockerClass, other: &BlockerClass, pairs: Pairs<'_>) -> Option<u32> {
    let shown = [
        middle(&one.multiples, &other.members, pairs),
        middle(&one.members, &other.multiples, pairs),
        middle(&one.multiples, &other.multiples, pairs),
    ];
    let both = (one.leader(), other.leader());
    let least = |cycles| pairs.least_union(both, pairs.rate(both, cycles));
    shown.into_iter().flatten().map(least).max()
}

/// The ports of all classes together.
#[must_use]
pub fn all_ports(sets: &[Ports]) -> Ports {
    sets.iter().fold(Ports::NONE, |all, &set| all | set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::MemoryAccess;
    use crate::infer::ports::{Usage, WorkedOn, cycles};

    /// Sets of ports, and how often each occurs as a form.
    fn world(sets: &[&[u32]], width: f64) -> (Vec<Blocker>, PairTimes) {
        world_of(&sets.iter().map(|&set| (1, set)).collect::<Vec<_>>(), width)
    }

    /// Forms of some micro-operations on a set of ports, each of one slot.
    fn world_of(forms: &[(u32, &[u32])], width: f64) -> (Vec<Blocker>, PairTimes) {
        let usage = |&(count, set): &(u32, &[u32])| {
            Usage::of([(count, Ports::of(set.iter().copied()))], 1.0)
        };
        let usages: Vec<Usage> = forms.iter().map(usage).collect();
        let blocker = |&(count, set): &(u32, &[u32])| Blocker {
            width: set.len() as u32 / count,
            memory: MemoryAccess::None,
            registers: WorkedOn::Any,
        };
        let blockers: Vec<Blocker> = forms.iter().map(blocker).collect();
        let mut pairs = PairTimes::new(forms.len());
        for one in 0..forms.len() {
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
    fn a_class_that_ports_explain_badly_gives_way_to_one_that_they_explain() {
        // What needs one port of vectors and one of additions, the latter, and what needs the former alone.
        let alu = [0, 1, 2, 3];
        let sets: [&[u32]; 8] = [&[4], &[4], &alu, &alu, &[4, 5], &[4, 5], &[4], &[4]];
        let (blockers, mut pairs) = world(&sets, 6.0);
        for both in 0..2 {
            (2..4).for_each(|addition| pairs.insert(both, addition, 5.0 / 3.22));
        }
        let found = classes(&blockers, &pairs);
        assert_eq!(found.rejected, [0, 1], "{found:?}");
        assert_eq!(all_ports(&found.structures.all[0]).count(), 6);
    }

    #[test]
    fn forms_of_several_micro_operations_show_ports_that_the_front_end_hides() {
        // In a front end of five slots a form of two ports that leaves one for four additions may share the other.
        let alu: &[u32] = &[0, 1, 2, 3];
        let single: [(u32, &[u32]); 9] = [
            (1, alu),
            (1, alu),
            (1, &[0]),
            (1, &[4, 5]),
            (1, &[4, 5]),
            (1, &[4]),
            (1, &[4]),
            (1, &[6]),
            (1, &[5, 6]),
        ];
        let ports = |forms: &[(u32, &[u32])]| {
            let (blockers, pairs) = world_of(forms, 5.0);
            let found = classes(&blockers, &pairs);
            (all_ports(&found.structures.all[0]).count(), found.rejected)
        };
        assert_eq!(
            ports(&single),
            (6, vec![]),
            "one of the additions' ports is taken for a vector's"
        );
        let twice: &[(u32, &[u32])] = &[(2, &[4, 5])];
        assert_eq!(ports(&[&single, twice].concat()), (7, vec![9]));
    }

    #[test]
    fn files_of_registers_that_are_not_seen_to_share_ports_share_none() {
        let alu: &[u32] = &[0, 1, 2, 3];
        let multiplication: &[u32] = &[0];
        let ports = |vectors: [&[u32]; 4]| {
            let (mut blockers, pairs) =
                world(&[&[alu, alu, multiplication][..], &vectors].concat(), 5.0);
            blockers[..3].iter_mut().for_each(|it| it.registers = WorkedOn::General);
            blockers[3..].iter_mut().for_each(|it| it.registers = WorkedOn::Others);
            let found = classes(&blockers, &pairs);
            assert!(found.rejected.is_empty(), "{found:?}");
            all_ports(&found.structures.all[0]).count()
        };
        // Beside additions the front end hides the port of vectors that no form has to itself.
        assert_eq!(ports([&[4, 5], &[4], &[6], &[5, 6]]), 7);
        // Multiplications and additions are seen to have a port of vectors.
        assert_eq!(ports([&[0, 1], &[0], &[4], &[1, 4]]), 5);
    }

    #[test]
    fn what_something_else_slows_gives_way_to_what_it_contradicts() {
        // Loads of vectors pass a part of the front end of four slots, beside what computes with vectors.
        let vectors: &[u32] = &[4, 5, 6, 7];
        let loads: &[u32] = &[8, 9];
        let alu: &[u32] = &[0, 1, 2, 3];
        let computing = [alu, alu, alu, &[4], &[5], &[6], &[7], vectors, vectors];
        let (mut blockers, mut pairs) = world(&[&computing[..], &[loads; 5]].concat(), 5.0);
        blockers[9..].iter_mut().for_each(|it| it.memory = MemoryAccess::Load);
        for of_vectors in 11..14 {
            (7..9).for_each(|other| pairs.insert(of_vectors, other, 6.0 / 4.0));
        }
        let found = classes(&blockers, &pairs);
        assert_eq!(found.rejected, [11, 12, 13], "{found:?}");
        assert_eq!(all_ports(&found.structures.all[0]).count(), 10);
    }

    #[test]
    fn what_contradicts_only_what_is_rejected_later_is_taken_in_again() {
        // Additions on three of the ports of vectors are placed after the loads of vectors that they contradict
        // and before the faster ones that show why.
        let loads: &[u32] = &[8, 9];
        let additions: &[u32] = &[4, 5, 6];
        let alu: &[u32] = &[0, 1, 2, 3];
        let computing = [alu, &[4], &[5], &[6], &[7], additions].map(|set| [set; 3]).concat();
        let (mut blockers, mut pairs) =
            world(&[&[loads; 3][..], &computing, &[loads; 2]].concat(), 5.0);
        let count = blockers.len();
        let of_memory = |at: &usize| (0..3).contains(at) || *at >= count - 2;
        (0..count).filter(of_memory).for_each(|at| blockers[at].memory = MemoryAccess::Load);
        for of_vectors in 0..3 {
            (count - 5..count - 2).for_each(|other| pairs.insert(of_vectors, other, 5.0 / 4.0));
        }
        let found = classes(&blockers, &pairs);
        assert_eq!(found.rejected, [0, 1, 2], "{found:?}");
        assert_eq!(all_ports(&found.structures.all[0]).count(), 10);
    }

    #[test]
    fn what_stores_gives_way_to_what_loads() {
        // Stores look like a micro-operation of a vector port beside vectors, and like one of loads beside those.
        let alu: &[u32] = &[0, 1, 2, 3];
        let (vectors, loads): (&[u32], &[u32]) = (&[4], &[5, 6]);
        let all = [[alu; 3], [vectors; 3]].concat();
        let (mut blockers, mut pairs) =
            world(&[&all[..], &[vectors; 3], &[loads; 2]].concat(), 8.0);
        blockers[6..9].iter_mut().for_each(|it| it.memory = MemoryAccess::Store);
        blockers[9..].iter_mut().for_each(|it| it.memory = MemoryAccess::Load);
        for store in 6..9 {
            (9..11).for_each(|load| pairs.insert(load, store, 1.5));
        }
        let found = classes(&blockers, &pairs);
        assert_eq!(found.rejected, [6, 7, 8], "{found:?}");
        assert_eq!(found.members, [vec![0, 1, 2], vec![3, 4, 5], vec![9, 10]]);
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
