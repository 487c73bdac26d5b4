//! What mixtures take by the ports that they use.

use smallvec::SmallVec;

use super::Ports;

/// Micro-operations of one kind: how many, and where they can go.
pub type MicroOps = (u32, Ports);

/// What an instance of a form uses.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Usage {
    /// Its micro-operations by ports, each set once.
    pub micro_ops: Vec<MicroOps>,
    /// Places in the front end, in units of what the simplest instruction takes.
    pub slots: f64,
    /// Cycles of resources that only one instruction has at a time (a divider), by their numbers.
    pub extra: Vec<(usize, f64)>,
}

impl Usage {
    /// Of micro-operations in any order, and nothing besides.
    #[must_use]
    pub fn of(micro_ops: impl IntoIterator<Item = MicroOps>, slots: f64) -> Self {
        let mut sorted: Vec<MicroOps> = Vec::new();
        for (count, ports) in micro_ops {
            match sorted.iter_mut().find(|(_, own)| *own == ports) {
                Some((own, _)) => *own += count,
                None => sorted.push((count, ports)),
            }
        }
        sorted.retain(|&(count, ports)| count > 0 && !ports.is_empty());
        sorted.sort_unstable_by_key(|&(_, ports)| ports);
        Self { micro_ops: sorted, slots, extra: Vec::new() }
    }

    /// This and another one, of an instruction of so many slots.
    #[must_use]
    pub fn and(&self, other: &Self, slots: f64) -> Self {
        let micro_ops = self.micro_ops.iter().chain(&other.micro_ops).copied();
        let mut out = Self { extra: self.extra.clone(), ..Self::of(micro_ops, slots) };
        for &(resource, cycles) in &other.extra {
            match out.extra.iter_mut().find(|(own, _)| *own == resource) {
                Some((_, sum)) => *sum += cycles,
                None => out.extra.push((resource, cycles)),
            }
        }
        out
    }

    /// How many micro-operations there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.micro_ops.iter().map(|(count, _)| count).sum()
    }

    /// For how many cycles it holds a resource.
    #[must_use]
    pub fn held(&self, resource: usize) -> f64 {
        self.extra.iter().filter(|it| it.0 == resource).map(|it| it.1).sum()
    }

    /// All ports that it may use.
    #[must_use]
    pub fn ports(&self) -> Ports {
        self.micro_ops.iter().fold(Ports::NONE, |all, &(_, ports)| all | ports)
    }
}

/// So many instances of a usage.
pub type Use<'a> = (&'a Usage, f64);

/// What a mixture asks of a core in all.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Demand {
    /// Micro-operations that can go to the same ports, each set once.
    loads: SmallVec<[(Ports, f64); 12]>,
    /// Cycles of each resource.
    extras: SmallVec<[(usize, f64); 4]>,
    slots: f64,
}

impl Demand {
    /// Of a mixture.
    #[must_use]
    pub fn of<'a>(mixture: impl IntoIterator<Item = Use<'a>>) -> Self {
        let mut out = Self::default();
        mixture.into_iter().for_each(|(usage, times)| out.add(usage, times));
        out
    }

    /// With so many further instances of a usage.
    pub fn add(&mut self, usage: &Usage, times: f64) {
        self.slots += usage.slots * times;
        for &(count, ports) in &usage.micro_ops {
            let load = f64::from(count) * times;
            match self.loads.iter_mut().find(|(own, _)| *own == ports) {
                Some((_, sum)) => *sum += load,
                None => self.loads.push((ports, load)),
            }
        }
        for &(resource, cycles) in &usage.extra {
            match self.extras.iter_mut().find(|(own, _)| *own == resource) {
                Some((_, sum)) => *sum += cycles * times,
                None => self.extras.push((resource, cycles * times)),
            }
        }
    }

    /// Micro-operations that can go to the same ports, each set once.
    pub fn loads(&self) -> impl Iterator<Item = (Ports, f64)> {
        self.loads.iter().copied()
    }

    /// For how many cycles it holds a resource.
    #[must_use]
    pub fn held(&self, resource: usize) -> f64 {
        self.extras.iter().filter(|it| it.0 == resource).map(|it| it.1).sum()
    }

    /// Places in the front end, in all.
    #[must_use]
    pub fn slots(&self) -> f64 {
        self.slots
    }

    /// Cycles on a core whose front end takes so many slots a cycle, if that is known.
    #[must_use]
    pub fn cycles(&self, width: Option<f64>) -> f64 {
        let dispatch = width.map_or(0.0, |width| self.slots / width);
        match self.fullest() {
            Fullest::Ports(_, cycles) | Fullest::Resource(_, cycles) => dispatch.max(cycles),
        }
    }

    /// What of a core is filled most.
    #[must_use]
    pub fn fullest(&self) -> Fullest {
        let (ports, cycles) = self.fullest_ports();
        let longest =
            self.extras.iter().reduce(|one, other| if other.1 > one.1 { other } else { one });
        match longest {
            Some(&(resource, held)) if held > cycles => Fullest::Resource(resource, held),
            _ => Fullest::Ports(ports, cycles),
        }
    }

    /// The largest, over all sets of ports, of what can go nowhere else, divided by the size of the set.
    /// Only unions of the sets that occur can be the largest.
    fn fullest_ports(&self) -> (Ports, f64) {
        let mut loads = self.loads.clone();
        let each = |&(ports, load): &(Ports, f64)| load / f64::from(ports.count());
        loads.sort_unstable_by(|a, b| each(b).total_cmp(&each(a)).then_with(|| a.0.cmp(&b.0)));
        let mut search = FullestSearch { loads: &loads, best: (Ports::NONE, 0.0) };
        search.widen(0, Ports::NONE, 0.0, loads.iter().map(|(_, load)| load).sum());
        search.best
    }
}

/// For the union of sets that is fullest.
struct FullestSearch<'a> {
    /// The sets with their micro-operations, the fullest first.
    loads: &'a [(Ports, f64)],
    best: (Ports, f64),
}

impl FullestSearch<'_> {
    /// Tries all unions of some ports, which have so many micro-operations, with sets from a place on, which
    /// have so many together.
    fn widen(&mut self, from: usize, ports: Ports, load: f64, mut others: f64) {
        for (at, &(own, micro_ops)) in self.loads.iter().enumerate().skip(from) {
            let wider = ports | own;
            let (size, sum) = (f64::from(wider.count()), load + micro_ops);
            if sum / size > self.best.1 {
                self.best = (wider, sum / size);
            }
            others -= micro_ops;
            // With all others it would not be fuller, even if they added no port.
            if (sum + others) / size > self.best.1 {
                self.widen(at + 1, wider, sum, others);
            }
        }
    }
}

/// Cycles that a mixture takes on a core whose front end takes so many slots a cycle, if that is known.
#[must_use]
pub fn cycles(mixture: &[Use<'_>], width: Option<f64>) -> f64 {
    Demand::of(mixture.iter().copied()).cycles(width)
}

/// What of a core a mixture fills most, and for how many cycles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fullest {
    /// These ports.
    Ports(Ports, f64),
    /// A resource that only one instruction has at a time, by its number.
    Resource(usize, f64),
}

/// What of a core a mixture fills most.
#[must_use]
pub fn fullest(mixture: &[Use<'_>]) -> Fullest {
    Demand::of(mixture.iter().copied()).fullest()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(micro_ops: &[(u32, &[u32])]) -> Usage {
        let own = micro_ops.iter().map(|&(count, ports)| (count, Ports::of(ports.iter().copied())));
        Usage::of(own, 1.0)
    }

    #[test]
    fn the_fullest_set_of_ports_counts() {
        let (any, left, right) =
            (usage(&[(1, &[0, 1, 2, 3])]), usage(&[(1, &[0, 1])]), usage(&[(1, &[1, 2])]));
        assert_eq!(cycles(&[(&any, 4.0)], None), 1.0);
        assert_eq!(cycles(&[(&any, 4.0), (&left, 1.0)], None), 1.25);
        assert_eq!(cycles(&[(&left, 2.0), (&right, 1.0)], None), 1.0);
        assert_eq!(cycles(&[(&left, 2.0), (&right, 2.0)], None), 4.0 / 3.0);
        assert_eq!(cycles(&[(&any, 4.0)], Some(2.0)), 2.0);
    }

    #[test]
    fn no_union_is_fuller_than_the_fullest() {
        let mut random = crate::random::Random::new(3);
        for _ in 0..500 {
            let mut demand = Demand::default();
            for _ in 0..1 + random.below(7) {
                let ports = (0..8).filter(|_| random.below(3) == 0).collect::<Vec<_>>();
                demand.add(&usage(&[(1 + random.below(4) as u32, &ports)]), 1.0);
            }
            let sets: Vec<Ports> = demand.loads.iter().map(|(ports, _)| *ports).collect();
            let unions = (0..1_u32 << sets.len()).map(|chosen| {
                let own = (0..sets.len()).filter(|at| chosen >> at & 1 == 1);
                own.fold(Ports::NONE, |all, at| all | sets[at])
            });
            let fill = |union: Ports| {
                let within = demand.loads.iter().filter(|(ports, _)| ports.is_within(union));
                within.map(|(_, load)| load).sum::<f64>() / f64::from(union.count().max(1))
            };
            let most = unions.map(fill).fold(0.0, f64::max);
            let (ports, cycles) = demand.fullest_ports();
            assert!((cycles - most).abs() < 1e-9 && fill(ports) >= cycles - 1e-9, "{demand:?}");
        }
    }

    #[test]
    fn sets_that_a_third_one_joins_are_one() {
        let (left, right) = (usage(&[(3, &[0])]), usage(&[(3, &[2])]));
        let bridge = usage(&[(3, &[0, 1, 2])]);
        assert_eq!(cycles(&[(&left, 1.0), (&right, 1.0), (&bridge, 1.0)], None), 3.0);
        assert_eq!(cycles(&[(&left, 1.0), (&right, 1.0), (&bridge, 2.0)], None), 4.0);
    }

    #[test]
    fn two_usages_are_one() {
        let load = Usage { extra: vec![(1, 0.5)], ..usage(&[(1, &[2, 3])]) };
        let add =
            Usage { extra: vec![(1, 0.25), (0, 1.0)], ..usage(&[(1, &[0, 1]), (1, &[2, 3])]) };
        let both = Usage {
            slots: 2.0,
            extra: vec![(1, 0.75), (0, 1.0)],
            ..usage(&[(1, &[0, 1]), (2, &[2, 3])])
        };
        assert_eq!(add.and(&load, 2.0), both);
    }

    #[test]
    fn what_only_one_has_at_a_time_adds_up() {
        let divide = Usage { extra: vec![(0, 5.0)], ..usage(&[(1, &[0])]) };
        assert_eq!(cycles(&[(&divide, 2.0), (&divide, 1.0)], Some(4.0)), 15.0);
    }
}
