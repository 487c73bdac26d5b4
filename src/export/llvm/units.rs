//! Resources that are held for fractions of a cycle, which LLVM counts in whole ones.

use std::collections::BTreeMap;

use crate::export::ports::MachinePorts;

/// llvm-mca has a bit of 64 for each unit of a resource, and shifts by the number of units (LLVM 22, `ResourceState`): 63
/// is the most that it takes.
const MOST: u32 = 60;
/// As a share of what a form holds: what is nearer on average is near enough.
const NEAR: f64 = 0.05;
/// As a share of what a form takes by itself: it takes no longer by its ports if rounding adds less.
const LONGER: f64 = 0.05;

/// How many units each resource besides ports is made of. LLVM says of a resource of n units that an instruction which
/// keeps one of them for k cycles can begin every k / n cycles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResourceUnits(BTreeMap<String, u32>);

/// How long a form holds a resource.
struct Held {
    cycles: f64,
    /// What it takes by itself, by all that it uses.
    alone: f64,
}

impl ResourceUnits {
    /// The fewest for each resource by which what its forms hold is whole cycles, or nearly, and no form takes longer by
    /// itself than it does; else those by which the fewest do. (On a Zen 4 a thousand forms that load hold a resource for a
    /// cycle, and `mov eax, [m]` holds it for a third of one and takes no longer: it has three units.)
    pub fn of(ports: &MachinePorts) -> Self {
        let mut all: BTreeMap<String, Vec<Held>> = BTreeMap::new();
        for form in ports.forms.values() {
            let alone = form.busiest();
            for (resource, cycles) in &form.held {
                let held = Held { cycles: *cycles, alone };
                all.entry(resource.clone()).or_default().push(held);
            }
        }
        Self(all.into_iter().map(|(resource, held)| (resource, units(&held))).collect())
    }

    /// Of a resource; one of what is none.
    pub fn count(&self, resource: &str) -> u32 {
        self.0.get(resource).copied().unwrap_or(1)
    }

    /// For how many whole cycles a unit is kept by what holds the resource for so many cycles.
    pub fn whole(&self, resource: &str, cycles: f64) -> u32 {
        whole(cycles, self.count(resource))
    }
}

fn units(held: &[Held]) -> u32 {
    let made = |held: &Held, units: u32| f64::from(whole(held.cycles, units)) / f64::from(units);
    let rated = |units: u32| {
        let is_longer = |held: &&Held| made(held, units) > held.alone * (1.0 + LONGER);
        let error = |held: &Held| (made(held, units) / held.cycles - 1.0).abs();
        let longer = held.iter().filter(is_longer).count();
        (units, longer, held.iter().map(error).sum::<f64>() / held.len() as f64)
    };
    let all: Vec<(u32, usize, f64)> = (1..=MOST).map(rated).collect();
    let near = all.iter().find(|&&(_, longer, error)| longer == 0 && error <= NEAR);
    let nearest = all.iter().min_by(|a, b| a.1.cmp(&b.1).then_with(|| a.2.total_cmp(&b.2)));
    near.or(nearest).map_or(1, |(units, ..)| *units)
}

fn whole(cycles: f64, units: u32) -> u32 {
    (cycles * f64::from(units)).round().max(1.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of forms that all else explains in as many cycles as they hold the resource for, or more.
    fn units_of(held: &[f64], alone: f64) -> u32 {
        let held = held.iter().map(|&cycles| Held { cycles, alone: alone.max(cycles) });
        units(&held.collect::<Vec<_>>())
    }

    #[test]
    fn a_divider_is_one_unit_and_what_is_held_for_less_than_a_cycle_has_several() {
        assert_eq!(units_of(&[5.0, 3.0, 7.9, 15.8, 3.5], 4.0), 1);
        assert_eq!(units_of(&[2.5, 5.0], 0.0), 2);
        assert_eq!(units_of(&[0.25, 0.5, 1.0], 0.0), 4);
        assert_eq!(units_of(&[0.1, 0.2, 0.7], 0.0), 10);
        // A sixtieth is the least that there is.
        let brief = units_of(&[0.001], 1.0);
        assert_eq!((brief, whole(0.001, brief)), (MOST, 1));
    }

    #[test]
    fn no_form_takes_longer_for_what_most_others_hold() {
        let mut held = vec![1.0; 1000];
        held.push(1.0 / 3.0);
        assert_eq!(units_of(&held, 1.0), 1, "it takes a cycle for something else");
        assert_eq!(units_of(&held, 0.0), 3);
    }

    #[test]
    fn what_is_kept_is_what_is_held_nearly() {
        let held: Vec<f64> = (1..200).map(|it| f64::from(it) * 0.0437).collect();
        let units = units_of(&held, 1.0);
        let error =
            |&cycles: &f64| (f64::from(whole(cycles, units)) / f64::from(units) - cycles) / cycles;
        assert!(held.iter().map(|it| error(it).abs()).sum::<f64>() / (held.len() as f64) <= NEAR);
        assert!(units < MOST);
    }
}
