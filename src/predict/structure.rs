//! The ports of one source beside those of another one, whose numbers are different ones.

use std::collections::BTreeMap;

use super::resources::usage;
use crate::database::{Database, PredictedMixture};
use crate::infer::ports::{MicroOps, Ports, Usage, Use, cycles};

/// Which ports there are, and which of them forms use.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PortStructure {
    /// Names of the ports, by their numbers.
    pub ports: Vec<String>,
    /// Slots of the front end in a cycle, if that is known.
    pub width: Option<f64>,
    /// What forms use, by LLVM's names.
    pub usages: BTreeMap<String, Usage>,
}

impl PortStructure {
    /// That of a database; none where it knows no form's ports.
    #[must_use]
    pub fn of_database(database: &Database) -> Option<Self> {
        let execution = database.execution().unwrap_or_default();
        let entries = database.entries();
        let usages =
            entries.filter_map(|entry| Some((entry.subject.llvm_name, usage(&entry.ports)?)));
        let usages: BTreeMap<String, Usage> = usages.collect();
        let named = usages.values().flat_map(|usage| usage.ports().numbers()).max();
        let count = named.map_or(0, |last| last + 1).max(execution.ports.unwrap_or(0));
        let ports = (0..count).map(|port| format!("p{port}")).collect();
        (!usages.is_empty()).then_some(Self { ports, width: execution.width, usages })
    }

    /// The same bounds with fewer ports. Models have units of several kinds for one thing, where mixtures
    /// show one port: on LLVM's Zen 4, loads and stores take one of three units to access memory and one of
    /// three to generate the address, and loads of vectors one of two as well that hand the value on.
    ///
    /// A set of ports limits nothing if whatever needs it needs another one at least as often that is no
    /// larger: it is left out. If that one is larger, the set might as well be a part of it.
    #[must_use]
    pub fn simplified(mut self) -> Self {
        while let Some((set, other)) = self.needs_another() {
            let part = match set.count() < other.count() {
                true => Some(Ports::of(other.numbers().take(set.count() as usize))),
                false => None,
            };
            for usage in self.usages.values_mut() {
                let count = count_of(usage, set);
                if count == 0 {
                    continue;
                }
                usage.micro_ops.retain(|&(_, ports)| ports != set);
                if let Some(part) = part {
                    let left = usage.micro_ops.iter().map(|&(all, ports)| match ports == other {
                        true => (all - count, ports),
                        false => (all, ports),
                    });
                    usage.micro_ops = Usage::of(left.chain([(count, part)]), 0.0).micro_ops;
                }
            }
        }
        self
    }

    /// A set of ports, and another one that is needed wherever it is needed; no third one shares a port with
    /// either of them. The larger first, as what limits nothing is to be left out before anything is a part.
    fn needs_another(&self) -> Option<(Ports, Ports)> {
        let mut sets: Vec<Ports> = self.micro_ops().map(|(_, ports)| ports).collect();
        sets.sort_unstable();
        sets.dedup();
        let others = |one: Ports| sets.iter().copied().filter(move |&set| set != one);
        let mut apart: Vec<Ports> = sets.clone();
        apart.retain(|&one| others(one).all(|other| !other.meets(one)));
        apart.sort_by_key(|set| std::cmp::Reverse((set.count(), *set)));
        let covers = |other: Ports, set: Ports| {
            let mut usages = self.usages.values();
            other != set && usages.all(|usage| count_of(usage, other) >= count_of(usage, set))
        };
        let no_larger = apart.iter().find_map(|&set| {
            let mut others = sets.iter().filter(|other| other.count() <= set.count());
            Some((set, *others.find(|&&other| covers(other, set))?))
        });
        no_larger.or_else(|| {
            apart.iter().find_map(|&set| {
                let mut larger = apart.iter().filter(|other| other.count() > set.count());
                Some((set, *larger.find(|&&other| covers(other, set))?))
            })
        })
    }

    fn micro_ops(&self) -> impl Iterator<Item = MicroOps> + '_ {
        self.usages.values().flat_map(|usage| usage.micro_ops.iter().copied())
    }

    /// Cycles of a round of a mixture; nothing where the ports of one of its forms are not known.
    #[must_use]
    pub fn cycles(&self, mixture: &PredictedMixture) -> Option<f64> {
        let forms = mixture.forms.iter();
        let uses = forms.map(|(form, count)| Some((self.usages.get(form)?, f64::from(*count))));
        Some(cycles(&uses.collect::<Option<Vec<Use<'_>>>>()?, self.width))
    }
}

fn count_of(usage: &Usage, set: Ports) -> u32 {
    usage.micro_ops.iter().find(|(_, ports)| *ports == set).map_or(0, |(count, _)| *count)
}

/// Forms that one source says the same of, and the other one.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedUses {
    /// What they use of the ports that were measured.
    pub measured: Vec<MicroOps>,
    /// What they use of those of the reference.
    pub reference: Vec<MicroOps>,
    /// Whether that is the same, by [`ComparedPorts::names`].
    pub agrees: bool,
    /// The forms, by LLVM's names.
    pub forms: Vec<String>,
}

/// The ports of two sources side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedPorts {
    /// Which port of the reference each measured one is, so that as many forms as possible use the same;
    /// nothing for one that the reference does not have.
    pub names: Vec<Option<u32>>,
    /// What forms use that both know, the most frequent first.
    pub uses: Vec<ComparedUses>,
}

impl ComparedPorts {
    /// Finds out which port is which, and what forms use the same by that.
    ///
    /// Numbers mean nothing. Two ports change places as long as more forms use the same by that, or more of
    /// what forms use is the same where each micro-operation is spread over its ports. That is no proof that
    /// no other correspondence is better.
    #[must_use]
    pub fn of(measured: &PortStructure, reference: &PortStructure) -> Self {
        let mut groups: BTreeMap<BothUses<'_>, Vec<String>> = BTreeMap::new();
        for (form, own) in &measured.usages {
            if let Some(other) = reference.usages.get(form) {
                let key = (&*own.micro_ops, &*other.micro_ops);
                groups.entry(key).or_default().push(form.clone());
            }
        }
        let groups: Vec<_> = groups.into_iter().collect();
        let search = NameSearch {
            pairs: groups.iter().map(|(key, forms)| (*key, forms.len() as f64)).collect(),
            count: measured.ports.len().max(reference.ports.len()),
        };
        let found = search.run();
        let name = |own: usize| {
            let other = found[own];
            let is_there = own < measured.ports.len() && (other as usize) < reference.ports.len();
            let used = |structure: &PortStructure, port: u32| {
                structure.micro_ops().any(|(_, ports)| ports.meets(Ports::of([port])))
            };
            (is_there && used(measured, own as u32) && used(reference, other)).then_some(other)
        };
        let mut uses: Vec<ComparedUses> = groups
            .into_iter()
            .map(|((own, other), forms)| ComparedUses {
                measured: own.to_vec(),
                reference: other.to_vec(),
                agrees: is_same(own, other, &found),
                forms,
            })
            .collect();
        uses.sort_by_key(|it| std::cmp::Reverse(it.forms.len()));
        Self { names: (0..measured.ports.len()).map(name).collect(), uses }
    }

    /// How many forms use the same on both sides, of how many.
    #[must_use]
    pub fn agreeing(&self) -> (usize, usize) {
        let count = |agrees: bool| {
            let own = self.uses.iter().filter(|it| it.agrees == agrees);
            own.map(|it| it.forms.len()).sum::<usize>()
        };
        (count(true), count(true) + count(false))
    }
}

fn renamed(ports: Ports, names: &[u32]) -> Ports {
    Ports::of(ports.numbers().filter_map(|port| names.get(port as usize).copied()))
}

fn is_same(own: &[MicroOps], other: &[MicroOps], names: &[u32]) -> bool {
    let mut own: Vec<MicroOps> =
        own.iter().map(|&(count, ports)| (count, renamed(ports, names))).collect();
    own.sort_unstable_by_key(|&(_, ports)| ports);
    own == other
}

/// What a form uses by one source, and by the other one.
type BothUses<'a> = (&'a [MicroOps], &'a [MicroOps]);

/// For names under which two sources agree most.
struct NameSearch<'a> {
    /// What forms use by both sources, and how many forms that are.
    pairs: Vec<(BothUses<'a>, f64)>,
    /// Ports of the source that has more.
    count: usize,
}

impl NameSearch<'_> {
    /// The name of each port; all are different.
    fn run(&self) -> Vec<u32> {
        let mut names: Vec<u32> = (0..self.count as u32).collect();
        let mut best = self.worth(&names);
        loop {
            let mut better: Option<(f64, Vec<u32>)> = None;
            for one in 0..names.len() {
                for other in one + 1..names.len() {
                    let mut swapped = names.clone();
                    swapped.swap(one, other);
                    let worth = self.worth(&swapped);
                    if worth > better.as_ref().map_or(best + EQUAL, |it| it.0) {
                        better = Some((worth, swapped));
                    }
                }
            }
            let Some((worth, swapped)) = better else { return names };
            (best, names) = (worth, swapped);
        }
    }

    /// In forms: what is shared on average, and how many agree.
    fn worth(&self, names: &[u32]) -> f64 {
        let of_pair = |&((own, other), forms): &(_, f64)| {
            let agrees = f64::from(u8::from(is_same(own, other, names)));
            forms * (agrees + self.shared(own, other, names))
        };
        self.pairs.iter().map(of_pair).sum()
    }

    /// The share of micro-operations, spread over their ports, that is the same.
    fn shared(&self, own: &[MicroOps], other: &[MicroOps], names: &[u32]) -> f64 {
        let spread = |uses: &[MicroOps], rename: bool| {
            let mut out = vec![0.0; self.count];
            for &(count, ports) in uses {
                let ports = if rename { renamed(ports, names) } else { ports };
                let each = f64::from(count) / f64::from(ports.count().max(1));
                ports.numbers().for_each(|port| out[port as usize] += each);
            }
            out
        };
        let (own, other) = (spread(own, true), spread(other, false));
        let most = own.iter().sum::<f64>().max(other.iter().sum());
        let both: f64 = own.iter().zip(&other).map(|(one, two)| f64::min(*one, *two)).sum();
        if most > 0.0 { both / most } else { 0.0 }
    }
}

/// What is gained by less is rounding.
const EQUAL: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn structure(count: usize, usages: &[(String, Usage)]) -> PortStructure {
        PortStructure {
            ports: (0..count).map(|port| format!("p{port}")).collect(),
            width: None,
            usages: usages.iter().cloned().collect(),
        }
    }

    fn uses(all: &[(u32, &[u32])]) -> Usage {
        Usage::of(all.iter().map(|(count, ports)| (*count, Ports::of(ports.iter().copied()))), 1.0)
    }

    /// Forms of a core: its usages under other names of the ports.
    fn named(core: &[Usage], names: &[u32]) -> Vec<(String, Usage)> {
        let own = core.iter().enumerate().map(|(number, usage)| {
            let micro_ops = usage.micro_ops.iter();
            let micro_ops = micro_ops.map(|&(count, ports)| (count, renamed(ports, names)));
            (format!("F{number}"), Usage::of(micro_ops, 1.0))
        });
        own.collect()
    }

    #[test]
    fn structures_that_differ_in_names_agree() {
        let core = [
            uses(&[(1, &[0, 1, 2, 3])]),
            uses(&[(1, &[0, 1])]),
            uses(&[(1, &[1])]),
            uses(&[(1, &[2, 3]), (1, &[4, 5])]),
            uses(&[(1, &[4, 5])]),
            uses(&[(2, &[5])]),
            uses(&[(1, &[3])]),
        ];
        let mut random = Random::new(7);
        for _ in 0..50 {
            let mut names: Vec<u32> = (0..6).collect();
            for last in (1..names.len()).rev() {
                names.swap(last, random.below(last + 1));
            }
            let compared = ComparedPorts::of(
                &structure(6, &named(&core, &[0, 1, 2, 3, 4, 5])),
                &structure(6, &named(&core, &names)),
            );
            assert_eq!(compared.agreeing(), (7, 7), "{names:?}: {compared:?}");
            let found: Vec<Option<u32>> = names.iter().copied().map(Some).collect();
            assert_eq!(compared.names, found);
        }
    }

    #[test]
    fn what_differs_is_told_with_its_forms() {
        let own = [("A", uses(&[(1, &[0])])), ("B", uses(&[(1, &[0, 1])])), ("C", uses(&[]))];
        let other = [("A", uses(&[(1, &[2])])), ("B", uses(&[(1, &[0, 1, 2])])), ("D", uses(&[]))];
        let owned = |all: &[(&str, Usage)]| -> Vec<(String, Usage)> {
            all.iter().map(|(name, usage)| ((*name).to_owned(), usage.clone())).collect()
        };
        let compared =
            ComparedPorts::of(&structure(2, &owned(&own)), &structure(3, &owned(&other)));
        assert_eq!(compared.agreeing(), (1, 2));
        assert_eq!(compared.names[0], Some(2));
        let differs: Vec<_> = compared.uses.iter().filter(|it| !it.agrees).collect();
        assert_eq!(differs.len(), 1);
        assert_eq!(differs[0].forms, ["B"]);
    }

    #[test]
    fn a_port_that_the_reference_lacks_has_no_name() {
        let own = [("A".to_owned(), uses(&[(1, &[0])])), ("B".to_owned(), uses(&[(1, &[1])]))];
        let other = [("A".to_owned(), uses(&[(1, &[0])]))];
        let compared = ComparedPorts::of(&structure(2, &own), &structure(1, &other));
        assert_eq!(compared.names, [Some(0), None]);
    }

    #[test]
    fn ports_that_limit_nothing_are_left_out() {
        let load = uses(&[(1, &[0, 1]), (1, &[2, 3]), (1, &[6, 7, 8])]);
        let store = uses(&[(1, &[0, 1]), (2, &[2, 3]), (1, &[0, 4])]);
        let all = [("L".to_owned(), load), ("S".to_owned(), store)];
        let left = structure(9, &all).simplified();
        assert_eq!(left.usages["L"], uses(&[(1, &[0, 1]), (1, &[2, 3])]), "6 to 8 add nothing");
        assert_eq!(left.usages["S"], all[1].1, "0 and 1 are shared with others");
        // Each says the same of all: one of them stays.
        let twice = [("A".to_owned(), uses(&[(1, &[0]), (1, &[1])]))];
        assert_eq!(structure(2, &twice).simplified().usages["A"].count(), 1);
    }

    #[test]
    fn a_set_that_needs_a_larger_one_is_a_part_of_it() {
        let all = [
            ("scalar".to_owned(), uses(&[(1, &[0, 1, 2])])),
            ("vector".to_owned(), uses(&[(1, &[0, 1, 2]), (1, &[3, 4])])),
        ];
        let left = structure(5, &all).simplified();
        assert_eq!(left.usages["scalar"], uses(&[(1, &[0, 1, 2])]));
        assert_eq!(left.usages["vector"], uses(&[(1, &[0, 1])]));
    }

    #[test]
    fn what_is_simpler_takes_as_long() {
        let mut random = Random::new(11);
        for _ in 0..300 {
            // Two sets, of which each form needs some, and others that follow them.
            let forms = 2 + random.below(3);
            let all: Vec<(String, Usage)> = (0..forms)
                .map(|form| {
                    let (one, two) = (random.below(3) as u32, random.below(3) as u32);
                    let of_one = [(one, Ports::range(0, 3)), (two, Ports::range(3, 2))];
                    let behind = [
                        (one.min(random.below(3) as u32), Ports::range(5, 1 + form as u32 % 2)),
                        (two, Ports::range(8, 3)),
                    ];
                    (format!("F{form}"), Usage::of(of_one.into_iter().chain(behind), 1.0))
                })
                .collect();
            let before = structure(11, &all);
            let after = before.clone().simplified();
            for _ in 0..20 {
                let counts: Vec<f64> = all.iter().map(|_| random.below(4) as f64).collect();
                let time = |core: &PortStructure| {
                    let uses = all
                        .iter()
                        .zip(&counts)
                        .map(|((name, _), &count)| (&core.usages[name], count));
                    cycles(&uses.collect::<Vec<_>>(), None)
                };
                let (long, short) = (time(&before), time(&after));
                assert!((long - short).abs() < 1e-9, "{long} {short}: {all:?}");
            }
        }
    }

    #[test]
    fn mixtures_take_what_their_ports_take() {
        let all = [("A".to_owned(), uses(&[(1, &[0, 1])])), ("B".to_owned(), uses(&[(1, &[0])]))];
        let mixture = |forms: &[(&str, u32)]| PredictedMixture {
            forms: forms.iter().map(|(form, count)| ((*form).to_owned(), *count)).collect(),
            ..PredictedMixture::default()
        };
        let core = structure(2, &all);
        assert_eq!(core.cycles(&mixture(&[("A", 1), ("B", 2)])), Some(2.0));
        assert_eq!(core.cycles(&mixture(&[("A", 1), ("C", 2)])), None);
    }
}
