//! Usages once every form has one: each is verified, what a form takes by itself is explained, and all are
//! refined together by pairs and by random mixtures.

use rayon::prelude::*;

use super::bench::{Mix, MixtureBench};
use super::class_pairs::class_pairs;
use super::forms::{Told, Trained};
use super::held::{PRIVATE, with_own_time, without_idle_own_time};
use super::inquiry::{Inquiry, distinct_usages};
use super::reach::Reach;
use super::streams::alone;
use super::subjects::PortSubject;
use super::training::{Drawing, Judged, Urn, draw, judge};
use super::usage_classes::{FarPorts, UsageClasses, hold_resources};
use super::verification::{Verifiers, verified};
use crate::catalogue::Catalogue;
use crate::infer::ports::{
    Demand, FormObservation, MicroOps, PassingOrder, Ports, SwapTrial, TOLERANCE, TrialPassing,
    Usage, cycles, refine, total_cost,
};
use crate::kernel::Order;
use crate::metadata::OpcodeId;

/// Random mixtures by which usages are refined.
const TRAINED: usize = 6000;
/// Which they are: of no seed that mixtures are judged by.
const TRAINING: Drawing = Drawing { seed: 0, first: 1 << 30 };
/// Passes of the refinement.
const PASSES: usize = 6;
/// A micro-operation that goes to ports which are no class's counts as so many kinds: classes are the ports that
/// units have, and what is common to two of them or only in one of them is a guess. (A Zen 4: of five runs any two
/// agree about 98.0 % of forms instead of 97.1, of three later ones about 97.9 instead of 98.0; much of what differed
/// was `1p6` in one of them and `1p5.6` in the other, as with `CVTTSD2SI64rr`. Of four runs mixtures of both sides are
/// off by 5.7 % instead of 6.0, with memory by 7.6 instead of 7.8.)
const OF_NO_CLASS: f64 = 9.0;
/// How much what a form takes by itself, which is known best, counts in mixtures.
const BY_ITSELF: f64 = 8.0;
/// ... and what a representative takes beside a stream.
const BESIDE_STREAMS: f64 = 1.0;
/// What a form takes by itself is that of a resource which it holds for this share of that.
const EXPLAINING: f64 = 0.9;

/// Fewer micro-operations are likelier if all mixtures together are off by no more than this share of what they are off
/// with more. (Of five runs on a Zen 4 four were off by 0.7 to 2.4 % more, and one by 10.7.)
const AS_GOOD: f64 = 0.15;

/// Classes after all refinement, with the resources that they hold.
struct RefinedClasses {
    classes: UsageClasses,
    resources: Vec<(OpcodeId, f64)>,
    /// How far mixtures are off, in all.
    cost: f64,
}

impl Inquiry {
    /// Puts every form in mixtures of its own, and gives those another usage that their own does not
    /// explain, if one of the usages of other forms does.
    pub(super) fn verify(
        &mut self,
        forms: &[&PortSubject],
        verifiers: &Verifiers<'_>,
        first: &[Usage],
    ) -> Option<()> {
        let open = forms.iter().filter_map(|&form| {
            let is_known = verifiers.blockers.contains_key(&form.opcode);
            Some((form, self.usages.get(&form.opcode).filter(|_| !is_known)?.clone()))
        });
        let open: Vec<(&PortSubject, Usage)> = open.collect();
        let (width, library) = (self.width, distinct_usages(first, &self.usages));
        let asked = open
            .par_iter()
            .flat_map_iter(|(form, usage)| verifiers.experiments(form, usage, width));
        self.ask(verifiers.bench.known.knowledge, asked.collect())?;

        let verify = |(form, usage): &(&PortSubject, Usage)| {
            let earlier = self.seen.get(&form.opcode).into_iter().flatten().cloned();
            let own = verifiers.observations(form);
            let seen: Vec<FormObservation> = earlier.chain(own).collect();
            let single = alone(form, &self.usages, self.whole());
            let explains = |other: &&Usage| {
                let single = single.as_ref();
                single.is_some_and(|it| it.off(other, width).abs() <= TOLERANCE + it.uncertainty)
            };
            let mut others = library.iter().filter(explains);
            let (better, residual) = verified(usage, &mut others, &seen, width);
            (form.opcode, better, residual)
        };
        let found: Vec<(OpcodeId, Option<Usage>, f64)> = open.par_iter().map(verify).collect();
        for (opcode, better, residual) in found {
            let Some(usage) = better else { continue };
            self.told.insert(
                opcode,
                Told::Inherited { usage: usage.clone(), residual, equally_good: 1 },
            );
            self.usages.insert(opcode, usage);
        }
        Some(())
    }

    /// Gives forms that take longer by themselves than their usages explain a resource of their own,
    /// which they hold for so long.
    pub(super) fn explain_alone(&mut self, forms: &[&PortSubject]) {
        for form in forms {
            let Some(single) = alone(form, &self.usages, self.whole()) else { continue };
            let Some(usage) = self.usages.get_mut(&form.opcode) else { continue };
            if let Some(explaining) = with_own_time(usage, form, &single, self.width) {
                *usage = explaining;
            }
        }
    }

    /// Takes resources of their own from forms that all else explains by now.
    pub(super) fn shed_idle_resources(&mut self) {
        for usage in self.usages.values_mut() {
            *usage = without_idle_own_time(usage, self.width);
        }
    }

    /// Refines all usages together by pairs of forms that stand for many and by random mixtures, and then finds what
    /// forms hold besides ports. Forms of one usage change together.
    pub(super) fn train(
        &mut self,
        catalogue: &Catalogue,
        durations: &[(OpcodeId, f64)],
        bench: &MixtureBench<'_>,
        (sets, are_slots_known): (&[Ports], bool),
    ) -> Option<Trained> {
        let known = durations.iter().filter(|(opcode, _)| self.usages.contains_key(opcode));
        let urn = Urn::of(catalogue, known.copied());
        let mut classes = UsageClasses::of(&self.usages, &self.told, &|opcode| {
            catalogue.form(opcode).map(|form| Reach::of(catalogue, form)).unwrap_or_default()
        });
        let mut mixes = class_pairs(&classes, &urn, durations);
        mixes.extend(draw(&urn, TRAINED, 3..=6, TRAINING).into_iter().map(|(_, mix)| mix));
        let in_orders = |mixes: &mut dyn Iterator<Item = &Mix>, orders| {
            mixes.flat_map(|mix| bench.experiments(mix, orders)).collect()
        };
        self.ask(bench.known.knowledge, in_orders(&mut mixes.iter(), &Order::FEW))?;
        // Other orders may show that only these two were slow.
        let is_slow = |mix: &&Mix| {
            let judged = judge(mix, &self.usages, self.width, bench);
            judged.and_then(Judged::error).is_some_and(|error| error < -TOLERANCE)
        };
        let slow = in_orders(&mut mixes.iter().filter(is_slow), &Order::MANY);
        self.ask(bench.known.knowledge, slow)?;

        let mut trials: Vec<SwapTrial> = Vec::new();
        for &(opcode, each) in durations {
            if let Some(&class) = classes.of_form.get(&opcode) {
                trials.push(SwapTrial {
                    forms: vec![(class, 1.0)],
                    beside: Demand::default(),
                    cycles: each,
                    floor: 0.0,
                    passing: self.in_order(PassingOrder::of_one),
                    weight: BY_ITSELF,
                });
            }
        }
        trials.extend(self.beside_streams(&classes));
        let singles = trials.len();
        for mix in &mixes {
            let Some(time) = bench.time(mix, &Order::MANY) else { continue };
            let Some(forms) = classes.of_mixture(&mix.executed()) else { continue };
            trials.push(SwapTrial {
                forms,
                beside: Demand::default(),
                cycles: time.cycles,
                floor: bench.waiting(mix, time.order),
                passing: self.in_order(|| bench.sequence(mix, time.order)),
                weight: 1.0,
            });
        }
        let others = OtherUsages {
            sets,
            are_slots_known,
            resources: self.resources.len(),
            width: self.width,
        };
        // What accesses memory keeps what streams and twins told: they show the ports for addresses and the resource of
        // stores exactly, which mixtures with many reasons to be slow do not. (Of two runs on a Zen 1, 91.8 % of forms
        // have the same ports instead of 89.3, and no mixtures are predicted worse.)
        let options = |class: usize, usage: &Usage| match classes.reaches[class].accesses_memory() {
            true => Vec::new(),
            false => others.of(usage),
        };
        let counted = |usage: &Usage| kinds_of(usage, &self.sets);
        let ties = classes.ties.clone();
        let tied = (&ties[..], PASSES);
        let refined = refine(&mut classes.usages, &trials, self.width, tied, &options, &counted);
        let alone = classes.alone(self.width);
        // What these classes hold besides ports, and then what else they use.
        let with_resources = |(mut classes, without): (UsageClasses, Option<FarPorts>)| {
            let mut resources = self.resources.clone();
            let (of_mixtures, width) = (&trials[singles..], self.width);
            hold_resources(&mut classes, &alone, of_mixtures, width, &mut resources);
            let late = self.explained_by_resources(&classes);
            let reaches = &classes.reaches;
            let options = |class: usize, usage: &Usage| {
                let far = without.filter(|_| FarPorts::are_doubtful(reaches[class]));
                let all = if late[class] || far.is_some() { others.of(usage) } else { Vec::new() };
                let uses_far =
                    |it: &Usage| far.is_some_and(|far| it.micro_ops.iter().any(|it| far.has(it)));
                all.into_iter().filter(|it| !uses_far(it)).collect()
            };
            refine(&mut classes.usages, &trials, width, tied, &options, &counted);
            RefinedClasses { cost: total_cost(&classes.usages, &trials, width), classes, resources }
        };
        let without = classes.without_far_ports().map(|(classes, far)| (classes, Some(far)));
        let all = [Some((classes, None)), without].into_iter().flatten().map(with_resources);
        let simpler = |kept: RefinedClasses, without: RefinedClasses| {
            let is_as_good = without.cost <= kept.cost * (1.0 + AS_GOOD);
            if is_as_good { without } else { kept }
        };
        let RefinedClasses { classes, resources, .. } = all.reduce(simpler)?;
        let mut usages = self.usages.clone();
        for (&opcode, &class) in &classes.of_form {
            usages.insert(opcode, classes.usages[class].clone());
        }
        Some(Trained { usages, resources, refined })
    }

    /// Classes of what needs ways that few forms need ([`Reach::needs_ways`]) and takes as long as a resource that
    /// mixtures showed: the ports that explained it before may be too few. (On a Zen 1 `vmovq xmm0, rax` takes a cycle,
    /// and port 5 explains it, until the way between the sides is known. That one is not in the way of shifts.) All
    /// others keep theirs: what holds additions for a quarter of a cycle explains them too.
    fn explained_by_resources(&self, classes: &UsageClasses) -> Vec<bool> {
        let is_explained = |usage: &Usage| {
            let alone = cycles(&[(usage, 1.0)], self.width);
            usage.extra.iter().any(|&(resource, held)| {
                (self.resources.len()..PRIVATE).contains(&resource) && held >= EXPLAINING * alone
            })
        };
        let both = classes.usages.iter().zip(&classes.reaches);
        both.map(|(usage, reach)| reach.needs_ways() && is_explained(usage)).collect()
    }

    /// How some forms pass the front end.
    fn in_order(&self, sequence: impl Fn() -> PassingOrder) -> TrialPassing {
        match self.whole() {
            Some(_) => TrialPassing::InOrder(sequence()),
            None => TrialPassing::Split,
        }
    }

    /// What representatives took beside streams: that told what they use, and must stay explained.
    fn beside_streams(&self, classes: &UsageClasses) -> Vec<SwapTrial> {
        let mut own: Vec<(&OpcodeId, &Told)> = self.told.iter().collect();
        own.retain(|(_, told)| matches!(told, Told::Own(_)));
        own.sort_unstable_by_key(|(opcode, _)| **opcode);
        let of_form = |(opcode, _): (&OpcodeId, &Told)| {
            let class = *classes.of_form.get(opcode)?;
            let seen = self.seen.get(opcode)?.iter();
            let trial = move |seen: &FormObservation| SwapTrial {
                forms: vec![(class, seen.own)],
                beside: seen.others.clone(),
                cycles: seen.cycles,
                floor: 0.0,
                passing: seen.passing.clone().map_or(TrialPassing::Split, TrialPassing::OfOne),
                weight: BESIDE_STREAMS,
            };
            Some(seen.map(trial).collect::<Vec<_>>())
        };
        own.into_iter().filter_map(of_form).flatten().collect()
    }
}

/// Usages that a form may have which mixtures show to have another one.
struct OtherUsages<'a> {
    sets: &'a [Ports],
    /// Whether a stream showed slots and nothing else.
    are_slots_known: bool,
    /// Resources that several forms hold.
    resources: usize,
    width: Option<f64>,
}

impl OtherUsages<'_> {
    /// Those that differ by one micro-operation, by one resource, or by a slot where slots are not known.
    fn of(&self, usage: &Usage) -> Vec<Usage> {
        let mut out: Vec<Usage> =
            self.micro_ops(usage).map(|all| with(usage, all, usage.slots)).collect();
        if !self.are_slots_known {
            let slots = [usage.slots - 1.0, usage.slots + 1.0].into_iter().filter(|it| *it >= 1.0);
            out.extend(slots.map(|slots| with(usage, usage.micro_ops.clone(), slots)));
        }
        let held = (0..usage.extra.len()).map(|at| {
            let mut other = usage.clone();
            other.extra.remove(at);
            other
        });
        out.extend(held);
        let alone = cycles(&[(usage, 1.0)], self.width);
        let free = (0..self.resources).filter(|&resource| usage.held(resource) == 0.0);
        out.extend(free.map(|resource| {
            let mut other = usage.clone();
            other.extra.push((resource, alone));
            other
        }));
        out
    }

    /// One micro-operation elsewhere, one less, or one or two more.
    fn micro_ops(&self, usage: &Usage) -> impl Iterator<Item = Vec<MicroOps>> {
        let own = &usage.micro_ops;
        let mut out = Vec::new();
        for (at, &(count, ports)) in own.iter().enumerate() {
            for &set in self.sets.iter().filter(|&&set| set != ports && set.meets(ports)) {
                let mut elsewhere = own.clone();
                elsewhere[at] = (count, set);
                out.push(elsewhere);
            }
            let mut fewer = own.clone();
            fewer[at].0 -= 1;
            out.push(fewer);
        }
        // (Where a form has two of a kind that it lacks here, one alone may not be worth the kind: `CVTTSD2SI64rr`
        // of a Zen 4 has `2p0.1`.)
        for more in [1, 2] {
            out.extend(self.sets.iter().map(|&set| [&own[..], &[(more, set)]].concat()));
        }
        out.into_iter()
    }
}

/// How many kinds of micro-operations a usage counts as, where classes have some sets of ports.
fn kinds_of(usage: &Usage, of_classes: &[Ports]) -> f64 {
    let of_one = |(_, set): &MicroOps| if of_classes.contains(set) { 1.0 } else { OF_NO_CLASS };
    usage.micro_ops.iter().map(of_one).sum()
}

/// A usage with other micro-operations and slots.
pub(super) fn with(usage: &Usage, micro_ops: Vec<MicroOps>, slots: f64) -> Usage {
    Usage { extra: usage.extra.clone(), ..Usage::of(micro_ops, slots) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_of_no_class_count_as_many_kinds() {
        let ports = |numbers: &[u32]| Ports::of(numbers.iter().copied());
        let classes = [ports(&[0, 1]), ports(&[1, 2])];
        let of = |sets: &[&[u32]]| {
            kinds_of(&Usage::of(sets.iter().map(|set| (1, ports(set))), 1.0), &classes)
        };
        assert_eq!(of(&[]), 0.0);
        assert_eq!(of(&[&[0, 1], &[0, 1]]), 1.0);
        assert_eq!(of(&[&[0, 1], &[1, 2]]), 2.0);
        assert!(of(&[&[1]]) > of(&[&[0, 1], &[1, 2]]));
    }

    #[test]
    fn other_usages_have_one_micro_operation_less_or_up_to_two_more() {
        let [one, other] = [&[0, 1][..], &[2]].map(|set| Ports::of(set.iter().copied()));
        let others =
            OtherUsages { sets: &[one, other], are_slots_known: true, resources: 0, width: None };
        let of = |micro_ops: &[MicroOps]| Usage::of(micro_ops.iter().copied(), 1.0);
        let found = others.of(&of(&[(1, one)]));
        for expected in
            [&[][..], &[(2, one)], &[(3, one)], &[(1, one), (1, other)], &[(1, one), (2, other)]]
        {
            assert!(found.contains(&of(expected)), "{expected:?} is not among {found:?}");
        }
        assert_eq!(found.len(), 5);
    }
}
