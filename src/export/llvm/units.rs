//! Resources that are held for fractions of a cycle, which LLVM counts in whole ones.

use std::collections::BTreeMap;

use crate::export::ports::MachinePorts;

/// llvm-mca has a bit of 64 for each unit of a resource, and one more for the resource itself.
const MOST: u32 = 60;
/// As a share of what a form holds: what is nearer on average is near enough.
const NEAR: f64 = 0.05;

/// How many units each resource besides ports is made of. LLVM says of a resource of n units that an instruction which
/// keeps one of them for k cycles can begin every k / n cycles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResourceUnits(BTreeMap<String, u32>);

impl ResourceUnits {
    /// The fewest for each resource by which what its forms hold is whole cycles, or nearly; else those by which it is
    /// nearest.
    pub fn of(ports: &MachinePorts) -> Self {
        let mut all: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (resource, cycles) in ports.forms.values().flat_map(|form| &form.held) {
            all.entry(resource.clone()).or_default().push(*cycles);
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

fn units(held: &[f64]) -> u32 {
    let error = |units: u32| {
        let of_one = |&cycles: &f64| {
            (f64::from(whole(cycles, units)) / f64::from(units) / cycles - 1.0).abs()
        };
        held.iter().map(of_one).sum::<f64>() / held.len() as f64
    };
    let errors: Vec<(u32, f64)> = (1..=MOST).map(|units| (units, error(units))).collect();
    let near = errors.iter().find(|(_, error)| *error <= NEAR);
    let nearest = errors.iter().min_by(|one, other| one.1.total_cmp(&other.1));
    near.or(nearest).map_or(1, |(units, _)| *units)
}

fn whole(cycles: f64, units: u32) -> u32 {
    (cycles * f64::from(units)).round().max(1.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_divider_is_one_unit_and_what_is_held_for_less_than_a_cycle_has_several() {
        assert_eq!(units(&[5.0, 3.0, 7.9, 15.8, 3.5]), 1);
        assert_eq!(units(&[2.5, 5.0]), 2);
        assert_eq!(units(&[0.25, 0.5, 1.0]), 4);
        assert_eq!(units(&[0.1, 0.2, 0.7]), 10);
        // A sixtieth is the least that there is.
        let brief = units(&[0.001]);
        assert_eq!((brief, whole(0.001, brief)), (MOST, 1));
    }

    #[test]
    fn what_is_kept_is_what_is_held_nearly() {
        let held: Vec<f64> = (1..200).map(|it| f64::from(it) * 0.0437).collect();
        let units = units(&held);
        let error =
            |&cycles: &f64| (f64::from(whole(cycles, units)) / f64::from(units) - cycles) / cycles;
        assert!(held.iter().map(|it| error(it).abs()).sum::<f64>() / (held.len() as f64) <= NEAR);
        assert!(units < MOST);
    }
}
