//! Random cores: what mixtures of their forms tell is found, and what they do not tell is said.

use proptest::prelude::*;

use winic::form::MemoryAccess;
use winic::infer::ports::structure::{Sizes, smallest};
use winic::infer::ports::{
    Blocker, Candidates, Demand, FormObservation, PairTimes, Ports, Usage, WorkedOn, all_ports,
    classes, cycles, fit, sets_of,
};

use crate::cases;
use crate::random::Random;

/// A core: two clusters of ports, classes of forms within them, and a front end.
struct Core {
    sets: Vec<Ports>,
    width: f64,
}

impl Core {
    fn new(random: &mut Random) -> Self {
        let clusters = [(0, 3 + random.below(2) as u32), (8, 3 + random.below(2) as u32)];
        let mut sets: Vec<Ports> =
            clusters.iter().map(|&(first, count)| Ports::range(first, count)).collect();
        for _ in 0..4 + random.below(4) {
            let (first, count) = clusters[random.below(2)];
            let chosen = (0..count).filter(|_| random.below(2) == 0).map(|port| first + port);
            let set = Ports::of(chosen);
            if !set.is_empty() && !sets.contains(&set) {
                sets.push(set);
            }
        }
        Self { sets, width: 8.0 }
    }

    fn usages(&self) -> Vec<Usage> {
        self.sets.iter().map(|&set| Usage::of([(1, set)], 1.0)).collect()
    }

    /// Two forms of each class, and what balanced pairs of all take.
    fn pairs(&self) -> (Vec<Blocker>, PairTimes) {
        let forms: Vec<Usage> = self.usages().into_iter().flat_map(|it| [it.clone(), it]).collect();
        let width = |form: &Usage| form.ports().count();
        let blockers = forms.iter().map(|form| Blocker {
            width: width(form),
            memory: MemoryAccess::None,
            registers: WorkedOn::Any,
        });
        let mut pairs = PairTimes::new(forms.len());
        for one in 0..forms.len() {
            for other in 0..one {
                let part = |at: usize| (&forms[at], f64::from(width(&forms[at])));
                pairs.insert(one, other, cycles(&[part(one), part(other)], Some(self.width)));
            }
        }
        (blockers.collect(), pairs)
    }
}

proptest! {
    #![proptest_config(cases(200))]

    /// No structure has more ports than the true one, all explain every pair, and where there is only
    /// one, it predicts mixtures of three as the truth does if it has as many ports.
    #[test]
    fn structures_explain_all_pairs_with_the_fewest_ports(seed: u64) {
        let random = &mut Random::new(seed);
        let core = Core::new(random);
        let (blockers, pairs) = core.pairs();
        let found = classes(&blockers, &pairs);
        prop_assert!(found.rejected.is_empty(), "{found:?}");
        prop_assert!(!found.structures.all.is_empty());
        let truth = all_ports(&core.sets).count();
        let class_of = |form: usize| {
            found.members.iter().position(|own| own.contains(&form)).expect("a class")
        };
        for sets in &found.structures.all {
            prop_assert!(all_ports(sets).count() <= truth);
            let usages: Vec<Usage> = sets.iter().map(|&set| Usage::of([(1, set)], 1.0)).collect();
            for one in 0..blockers.len() {
                for other in 0..one {
                    let part = |form: usize| {
                        (&usages[class_of(form)], f64::from(blockers[form].width))
                    };
                    let predicted = cycles(&[part(one), part(other)], Some(core.width));
                    let taken = pairs.of(one, other).expect("a time");
                    prop_assert!((predicted / taken - 1.0).abs() < 1e-9);
                }
            }
        }
        // The truth is one of them wherever no smaller one explains as much.
        let size = all_ports(&found.structures.all[0]).count();
        if size == truth && found.structures.is_complete {
            let signature = |sets: &dyn Fn(usize) -> Ports| -> Vec<u32> {
                let mut out = Vec::new();
                for a in 0..core.sets.len() {
                    for b in 0..a {
                        for c in 0..b {
                            out.push((sets(a) | sets(b) | sets(c)).count());
                        }
                    }
                }
                out
            };
            let true_one = signature(&|class| core.sets[class]);
            let mut others = found.structures.all.iter();
            let is_there =
                others.any(|sets| signature(&|class| sets[class_of(2 * class)]) == true_one);
            prop_assert!(is_there, "{:?} in {found:?}", core.sets);
        }
    }

    /// What a form takes beside streams of all classes is explained, by its own usage or one of as few
    /// micro-operations.
    #[test]
    fn usages_explain_what_forms_take_beside_streams(seed: u64) {
        let random = &mut Random::new(seed);
        let core = Core::new(random);
        let sets = sets_of(&core.sets);
        let count = 1 + random.below(3);
        let micro_ops = (0..count).map(|_| (1, core.sets[random.below(core.sets.len())]));
        let truth = Usage::of(micro_ops.collect::<Vec<_>>(), count as f64);
        let each = cycles(&[(&truth, 1.0)], Some(core.width));
        let observation = |others: Vec<(Usage, f64)>| {
            let mut mixture = vec![(&truth, 1.0)];
            mixture.extend(others.iter().map(|(usage, times)| (usage, *times)));
            let cycles = cycles(&mixture, Some(core.width));
            let others = Demand::of(others.iter().map(|(usage, times)| (usage, *times)));
            FormObservation { own: 1.0, others, cycles, uncertainty: 0.0, passing: None }
        };
        let mut seen = vec![observation(Vec::new())];
        for usage in core.usages() {
            for share in [1.0, 1.75] {
                let times = each * share * f64::from(usage.ports().count());
                seen.push(observation(vec![(usage.clone(), times)]));
            }
        }
        let candidates =
            Candidates { sets: &sets, width: Some(core.width), slots: truth.slots, extra: &[] };
        let found = fit(&seen, &candidates).expect("the truth explains everything");
        prop_assert!(found.usage.count() <= truth.count(), "{truth:?}: {found:?}");
        prop_assert!(found.worst.abs() <= 0.03, "{truth:?}: {found:?}");
        let is_truth = found.usage == truth || found.alternatives.contains(&truth);
        let is_said = found.equally_good > 1 || found.usage.count() < truth.count();
        prop_assert!(is_truth || is_said, "{truth:?}: {found:?}");
    }

    /// A search over sizes that no sets have ends, and says so.
    #[test]
    fn sizes_of_nothing_have_no_structure(seed: u64) {
        let random = &mut Random::new(seed);
        let width = 1 + random.below(3) as u32;
        // Two that are one, and a third that is apart from the first and one with the second.
        let unions = vec![
            (0, 1, width, width),
            (1, 2, width, width),
            (0, 2, 2 * width, 2 * width),
        ];
        let sizes = Sizes { widths: vec![width; 3], unions };
        prop_assert!(smallest(&sizes).all.is_empty());
    }
}
