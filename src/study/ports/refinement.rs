//! Usages once every form has one: each is verified, what a form takes by itself is explained, and all are
//! refined together by random mixtures.

use rayon::prelude::*;

use super::bench::{Mix, MixtureBench};
use super::forms::{Told, Trained};
use super::held::{PRIVATE, held_alone, with_own_time, without_own_time};
use super::inquiry::{Inquiry, distinct_usages};
use super::reach::Reach;
use super::streams::{Usages, alone};
use super::subjects::PortSubject;
use super::training::{Drawing, Judged, Urn, draw, judge};
use super::verification::{Verifiers, verified};
use crate::catalogue::Catalogue;
use crate::infer::ports::{
    ConjunctiveClass, ConjunctiveResource, ConjunctiveTrial, Demand, FormObservation, MicroOps,
    PassingOrder, Ports, SwapTrial, TOLERANCE, TrialPassing, Usage, UsageTie,
    conjunctive_resources, cycles, refine,
};
use crate::kernel::Order;
use crate::maps::Map;
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

    /// Refines all usages together by random mixtures, and then finds what forms hold besides ports. Forms
    /// of one usage change together.
    pub(super) fn train(
        &mut self,
        catalogue: &Catalogue,
        durations: &[(OpcodeId, f64)],
        bench: &MixtureBench<'_>,
        (sets, are_slots_known): (&[Ports], bool),
    ) -> Option<Trained> {
        let known = durations.iter().filter(|(opcode, _)| self.usages.contains_key(opcode));
        let urn = Urn::of(catalogue, known.copied());
        let mixes = draw(&urn, TRAINED, 3..=6, TRAINING);
        let in_orders = |mixes: &[&Mix], orders| {
            mixes.iter().flat_map(|mix| bench.experiments(mix, orders)).collect()
        };
        let all: Vec<&Mix> = mixes.iter().map(|(_, mix)| mix).collect();
        self.ask(bench.known.knowledge, in_orders(&all, &Order::FEW))?;
        // Other orders may show that only these two were slow.
        let is_slow = |mix: &&&Mix| {
            let judged = judge(mix, &self.usages, self.width, bench);
            judged.and_then(Judged::error).is_some_and(|error| error < -TOLERANCE)
        };
        let slow: Vec<&Mix> = all.iter().filter(is_slow).copied().collect();
        self.ask(bench.known.knowledge, in_orders(&slow, &Order::MANY))?;

        let mut classes = UsageClasses::of(&self.usages, &self.told, &|opcode| {
            catalogue.form(opcode).map(|form| Reach::of(catalogue, form)).unwrap_or_default()
        });
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
        for (_, mix) in &mixes {
            let Some(time) = bench.time(mix, &Order::MANY) else { continue };
            let Some(forms) = classes.of_mixture(&mix.executed()) else { continue };
            trials.push(SwapTrial {
                forms,
                beside: Demand::default(),
                cycles: time.cycles,
                floor: bench.waiting(mix),
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
        let mut resources = self.resources.clone();
        hold_resources(&mut classes, &trials[singles..], self.width, &mut resources);
        let late = self.explained_by_resources(&classes);
        let options =
            |form: usize, usage: &Usage| if late[form] { others.of(usage) } else { Vec::new() };
        refine(&mut classes.usages, &trials, self.width, tied, &options, &counted);
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

/// Adds the resources that mixtures show which take longer than ports explain: to usages, and to those that
/// are known.
fn hold_resources(
    classes: &mut UsageClasses,
    trials: &[SwapTrial],
    width: Option<f64>,
    resources: &mut Vec<(OpcodeId, f64)>,
) {
    let class = |usage: &Usage| ConjunctiveClass {
        limit: cycles(&[(usage, 1.0)], width),
        micro_ops: usage.micro_ops.clone(),
    };
    let of_usages: Vec<ConjunctiveClass> = classes.usages.iter().map(class).collect();
    let trial = |trial: &SwapTrial| ConjunctiveTrial {
        classes: classes.untied(&trial.forms),
        predicted: trial.predicted(&classes.usages, width),
        cycles: trial.cycles,
    };
    let trials: Vec<ConjunctiveTrial> = trials.iter().map(trial).collect();
    for ConjunctiveResource { around, mut cycles } in conjunctive_resources(&trials, &of_usages) {
        let Some(first) = classes.first_form(around) else { continue };
        classes.hold_together(&mut cycles, &of_usages);
        for (usage, &cycles) in classes.usages.iter_mut().zip(&cycles).filter(|it| *it.1 > 0.0) {
            usage.extra.push((resources.len(), cycles));
        }
        resources.push((first, cycles[around]));
    }
}

/// Forms of one usage that work on the same kinds of things ([`Reach`]).
struct UsageClasses {
    usages: Vec<Usage>,
    /// What the forms of each work on.
    reaches: Vec<Reach>,
    of_form: Map<OpcodeId, usize>,
    /// Classes whose usage is that of two others together.
    ties: Vec<UsageTie>,
}

impl UsageClasses {
    fn of(usages: &Usages, told: &Map<OpcodeId, Told>, reach: &dyn Fn(OpcodeId) -> Reach) -> Self {
        let mut keys: Vec<(&Usage, Option<&[Usage; 2]>, Reach)> = Vec::new();
        let mut of_form = Map::default();
        let mut opcodes: Vec<&OpcodeId> = usages.keys().collect();
        opcodes.sort_unstable();
        for &opcode in opcodes {
            let usage = &usages[&opcode];
            let parts = match told.get(&opcode) {
                Some(Told::Composed { parts, usage: told, .. })
                    if *told == without_own_time(usage) =>
                {
                    Some(&**parts)
                }
                _ => None,
            };
            let key = (usage, parts, reach(opcode));
            let class = keys.iter().position(|known| *known == key);
            let class = class.unwrap_or_else(|| {
                keys.push(key);
                keys.len() - 1
            });
            of_form.insert(opcode, class);
        }
        let free = |part: &Usage, wanted: Reach| {
            let there = (0..keys.len()).filter(|&at| keys[at].0 == part && keys[at].1.is_none());
            there.min_by_key(|&at| (keys[at].2.unlike(wanted), at))
        };
        let tie =
            |(form, (usage, parts, reach)): (usize, &(&Usage, Option<&[Usage; 2]>, Reach))| {
                let [one, other] = (*parts)?;
                Some(UsageTie {
                    form,
                    parts: [free(one, reach.in_registers())?, free(other, reach.of_access())?],
                    slots: usage.slots,
                    own: held_alone(usage),
                })
            };
        let ties = keys.iter().enumerate().filter_map(tie).collect();
        let usages = keys.iter().map(|(usage, ..)| (*usage).clone()).collect();
        let reaches = keys.iter().map(|(.., reach)| *reach).collect();
        Self { usages, reaches, of_form, ties }
    }

    /// The classes of a mixture; nothing if one of its forms has no usage.
    fn of_mixture(&self, forms: &[(OpcodeId, u32)]) -> Option<Vec<(usize, f64)>> {
        let class = |&(opcode, count): &(OpcodeId, u32)| {
            Some((*self.of_form.get(&opcode)?, f64::from(count)))
        };
        forms.iter().map(class).collect()
    }

    /// The classes of a mixture, where those that are tied to two others stand for these.
    fn untied(&self, forms: &[(usize, f64)]) -> Vec<(usize, f64)> {
        let mut out: Vec<(usize, f64)> = Vec::new();
        let mut add = |class: usize, times: f64| match out.iter_mut().find(|it| it.0 == class) {
            Some((_, own)) => *own += times,
            None => out.push((class, times)),
        };
        for &(class, times) in forms {
            match self.ties.iter().find(|tie| tie.form == class) {
                Some(tie) => tie.parts.iter().for_each(|&part| add(part, times)),
                None => add(class, times),
            }
        }
        out
    }

    /// Lets those that are tied to two others hold a resource as long as these together, though no longer than
    /// they take by themselves: an addition that loads holds what an addition holds.
    fn hold_together(&self, weights: &mut [f64], classes: &[ConjunctiveClass]) {
        for tie in &self.ties {
            let both: f64 = tie.parts.iter().map(|&part| weights[part]).sum();
            weights[tie.form] = both.min(classes[tie.form].limit);
        }
    }

    fn first_form(&self, class: usize) -> Option<OpcodeId> {
        self.of_form.iter().filter(|(_, own)| **own == class).map(|(opcode, _)| *opcode).min()
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

    #[test]
    fn forms_that_read_many_registers_are_classes_of_their_own() {
        let on = |ports: &[u32]| Usage::of([(1, Ports::of(ports.iter().copied()))], 1.0);
        let (add, load) = (on(&[0, 1]), on(&[2]));
        let both = add.and(&load, 1.0);
        let forms = [(0, &add), (1, &add), (2, &load), (3, &both), (4, &both)];
        let usages: Usages =
            forms.iter().map(|&(opcode, usage)| (OpcodeId(opcode), usage.clone())).collect();
        let composed = |opcode: u32| {
            let parts = Box::new([add.clone(), load.clone()]);
            (OpcodeId(opcode), Told::Composed { parts, usage: both.clone(), residual: 0.0 })
        };
        let told = Map::from_iter([composed(3), composed(4)]);
        let classes = UsageClasses::of(&usages, &told, &|opcode| {
            Reach::of_a_test(opcode == OpcodeId(1) || opcode == OpcodeId(4))
        });
        let class = |opcode: u32| classes.of_form[&OpcodeId(opcode)];
        assert_eq!(classes.usages.len(), 5);
        // What loads one of three registers changes with what reads three.
        let tie = |opcode: u32| classes.ties.iter().find(|tie| tie.form == class(opcode)).unwrap();
        assert_eq!(tie(3).parts, [class(0), class(2)]);
        assert_eq!(tie(4).parts, [class(1), class(2)]);
        // It stands for both in a mixture, and holds what both hold.
        let parts = tie(4).parts;
        let mixture = [(class(4), 2.0), (class(1), 1.0)];
        assert_eq!(classes.untied(&mixture), [(parts[0], 3.0), (parts[1], 2.0)]);
        let mut weights = [0.0; 5];
        (weights[parts[0]], weights[parts[1]]) = (0.25, 0.125);
        let with_limit = |limit: f64| {
            let mut weights = weights;
            // What it was given as one of its micro-operations says nothing: no mixture has it.
            weights[class(4)] = 1.0;
            let all = vec![ConjunctiveClass { limit, micro_ops: Vec::new() }; 5];
            classes.hold_together(&mut weights, &all);
            weights[class(4)]
        };
        assert_eq!((with_limit(1.0), with_limit(0.3)), (0.375, 0.3));
        // Where nothing reads as many, with what does not.
        let reach = |opcode| Reach::of_a_test(opcode == OpcodeId(4));
        let classes = UsageClasses::of(&usages, &told, &reach);
        let tie =
            classes.ties.iter().find(|tie| tie.form == classes.of_form[&OpcodeId(4)]).unwrap();
        assert_eq!(tie.parts, [classes.of_form[&OpcodeId(0)], classes.of_form[&OpcodeId(2)]]);
    }
}
