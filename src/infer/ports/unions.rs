//! What some mixtures take with many usages of one form, where nothing but its micro-operations differs.
//!
//! Only unions of sets that occur can be the fullest, and of sets that have no port in common the union is
//! never fuller than the fuller one. There are few other unions on a core, so how much of each mixture lies
//! within each of them is counted once, and a usage adds its own.

use super::fit::FormObservation;
use super::model::Usage;
use super::set::Ports;

/// Unions at most: with more it would take longer to look at all of them.
const MOST: usize = 512;

/// Mixtures of a form, by the unions of sets that can be the fullest.
pub(super) struct UnionLoads {
    /// Ports of each union.
    sizes: Vec<f64>,
    /// For each set that a micro-operation may go to, the unions that contain it.
    containing: Vec<Vec<usize>>,
    mixtures: Vec<MixtureLoads>,
}

struct MixtureLoads {
    /// Instances of the form.
    own: f64,
    /// Micro-operations of the others within each union.
    within: Vec<f64>,
    /// Cycles that it takes at least for other reasons than ports.
    least: f64,
}

impl UnionLoads {
    /// Of a form whose usages differ from this one by micro-operations on some sets; nothing where there are
    /// too many unions.
    pub fn of(
        seen: &[FormObservation],
        usage: &Usage,
        sets: &[Ports],
        width: Option<f64>,
    ) -> Option<Self> {
        let others = seen.iter().flat_map(|it| it.others.loads().map(|(ports, _)| ports));
        let unions = unions(sets.iter().copied().chain(others))?;
        let containing = |set: &Ports| {
            (0..unions.len()).filter(|&at| set.is_within(unions[at])).collect::<Vec<_>>()
        };
        let mixture = |seen: &FormObservation| {
            let load = |union: &Ports| {
                let within = seen.others.loads().filter(|(ports, _)| ports.is_within(*union));
                within.map(|(_, load)| load).sum()
            };
            MixtureLoads {
                own: seen.own,
                within: unions.iter().map(load).collect(),
                least: seen.cycles_with(usage, width),
            }
        };
        Some(Self {
            sizes: unions.iter().map(|union| f64::from(union.count())).collect(),
            containing: sets.iter().map(containing).collect(),
            mixtures: seen.iter().map(mixture).collect(),
        })
    }

    /// What each mixture takes if the form has these micro-operations besides, by the places of their sets.
    pub fn cycles(&self, chosen: &[usize]) -> impl Iterator<Item = f64> {
        let mut counts = vec![0.0; self.sizes.len()];
        for &set in chosen {
            self.containing[set].iter().for_each(|&union| counts[union] += 1.0);
        }
        self.mixtures.iter().map(move |mixture| {
            let fill = |at: usize| (mixture.within[at] + mixture.own * counts[at]) / self.sizes[at];
            (0..counts.len()).map(fill).fold(mixture.least, f64::max)
        })
    }
}

/// All sets, and what sets make together of which each has a port in common with another one.
fn unions(sets: impl Iterator<Item = Ports>) -> Option<Vec<Ports>> {
    let mut single: Vec<Ports> = sets.filter(|set| !set.is_empty()).collect();
    single.sort_unstable();
    single.dedup();
    let mut out = single.clone();
    let mut next = 0;
    while next < out.len() {
        for &set in &single {
            let union = out[next] | set;
            if out[next].meets(set) && !out.contains(&union) {
                out.push(union);
            }
        }
        next += 1;
        if out.len() > MOST {
            return None;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::ports::Demand;
    use crate::random::Random;

    #[test]
    fn what_is_counted_once_is_what_demands_say() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            let mut set = || Ports::of((0..7).filter(|_| random.below(3) == 0));
            let sets: Vec<Ports> = (0..5).map(|_| set()).filter(|it| !it.is_empty()).collect();
            let other = Usage::of([(1, set()), (2, set())], 1.0);
            let seen = FormObservation {
                own: 1.0 + random.below(3) as f64,
                others: Demand::of([(&other, 1.0 + random.below(4) as f64)]),
                cycles: 1.0,
                uncertainty: 0.0,
                passing: None,
            };
            let chosen: Vec<usize> = (0..random.below(4))
                .filter(|_| !sets.is_empty())
                .map(|_| random.below(sets.len()))
                .collect();
            let seen = [seen];
            let with = |chosen: &[usize]| Usage {
                extra: vec![(3, 0.5)],
                ..Usage::of(chosen.iter().map(|&at| (1, sets[at])), 2.0)
            };
            let loads = UnionLoads::of(&seen, &with(&[]), &sets, Some(4.0)).unwrap();
            let cycles: Vec<f64> = loads.cycles(&chosen).collect();
            let known = seen[0].cycles_with(&with(&chosen), Some(4.0));
            assert!((cycles[0] - known).abs() < 1e-9, "{seen:?} {sets:?} {chosen:?}");
        }
    }

    #[test]
    fn too_many_unions_are_none() {
        let pairs = (0..12).map(|port| Ports::of([port, port + 1]));
        assert!(unions(pairs).is_some_and(|it| it.len() == 12 * 13 / 2));
        let star = (0..10).map(|port| Ports::of([port, 63]));
        assert!(unions(star).is_none());
    }
}
