//! Whether cores add up, or share something that is full.
//!
//! **Givens.** Cycles of an instruction on each core of teams of 1 to n that run one kernel at the same
//! time, each by its own clock reference. **Model.** A team of t cores does `min(t r, capacity)`: each its own
//! work at the rate r of one core, until a unit that they share is busy all the time. That is the
//! model of [`Saturation`] with cores for chains and the cycles of a team for each of its instructions.
//! **Source.** AMX thesis, chapter 4; sweeps of SME over threads.

use super::{Measured, Saturation};

/// Cores that run one kernel at the same time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Team {
    /// How many.
    pub cores: u32,
    /// Cycles for each instruction that one of them finishes.
    pub each: Measured,
    /// The cycles of the fastest core over those of the slowest.
    pub balance: f64,
}

impl Team {
    /// From the cycles of an instruction on each of its cores; none of no cores.
    #[must_use]
    pub fn of(cores: &[Measured]) -> Option<Self> {
        let rate: f64 = cores.iter().map(|it| 1.0 / it.cycles).sum();
        let relative = cores.iter().map(|it| it.uncertainty / it.cycles).fold(0.0, f64::max);
        let cycles = || cores.iter().map(|it| it.cycles);
        let slowest = cycles().fold(0.0, f64::max);
        let fastest = cycles().fold(f64::INFINITY, f64::min);
        (rate.is_finite() && rate > 0.0).then(|| Self {
            cores: cores.len() as u32,
            each: Measured { cycles: 1.0 / rate, uncertainty: relative / rate },
            balance: fastest / slowest,
        })
    }
}

/// What becomes of more cores.
#[derive(Debug, Clone, PartialEq)]
pub struct Scaling {
    /// Each team's number of cores, with its rate over that of one core.
    pub speedups: Vec<(u32, f64)>,
    /// The fewest cores that do as much as all of them; none where each adds as much as the first.
    pub saturating: Option<u32>,
    /// Instructions a cycle of one core.
    pub single: f64,
    /// Instructions a cycle that all cores together do not exceed; none where they add up.
    pub capacity: Option<f64>,
    /// The root of the mean square of relative differences from the model.
    pub residual: f64,
}

/// A team adds up if it does this share of what its cores do alone.
const ADDS_UP: f64 = 0.95;

impl Scaling {
    /// Fits `min(t r, capacity)` to teams. None without a team of one core and another.
    #[must_use]
    pub fn fit(teams: &[Team]) -> Option<Self> {
        let alone = teams.iter().find(|team| team.cores == 1)?.each.cycles;
        let points: Vec<(u32, Measured)> =
            teams.iter().map(|team| (team.cores, team.each)).collect();
        let fit = Saturation::fit(&points)?;
        let speedups: Vec<(u32, f64)> =
            teams.iter().map(|team| (team.cores, alone / team.each.cycles)).collect();
        let all_add_up =
            speedups.iter().all(|&(cores, factor)| factor >= ADDS_UP * f64::from(cores));
        let saturation = fit.saturating_count.zip(fit.interval).filter(|_| !all_add_up);
        let largest = teams.iter().max_by_key(|team| team.cores)?;
        // Of a grid that ends at the place where the cores stop adding up, the last team is full.
        let of_last = || (largest.cores, largest.each.cycles);
        let full = (!all_add_up).then(|| saturation.unwrap_or_else(of_last));
        Some(Self {
            speedups,
            saturating: full.map(|(cores, _)| cores),
            single: 1.0 / alone,
            capacity: full.map(|(_, cycles)| 1.0 / cycles),
            residual: fit.residual,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Teams by what they do together.
    fn teams(rates: &[f64]) -> Vec<Team> {
        let team = |(cores, rate): (usize, &f64)| {
            let cycles = cores as f64 / rate;
            Team::of(&vec![Measured { cycles, uncertainty: 0.001 * cycles }; cores]).unwrap()
        };
        (1..).zip(rates).map(team).collect()
    }

    #[test]
    fn two_cores_add_up_and_memory_does_not() {
        let cores = Scaling::fit(&teams(&[2.0, 3.99])).unwrap();
        assert_eq!((cores.saturating, cores.capacity), (None, None));
        assert!((cores.speedups[1].1 - 1.995).abs() < 1e-9);
        let memory = Scaling::fit(&teams(&[10.0, 13.0])).unwrap();
        assert_eq!(memory.saturating, Some(2));
        assert!((memory.capacity.unwrap() - 13.0).abs() < 0.5, "{memory:?}");
    }

    /// The study of SME on M4: outer products on one accumulator, of one to five threads (GOPS).
    #[test]
    fn threads_of_one_accumulator_fill_the_shared_unit_with_four() {
        let scaling = Scaling::fit(&teams(&[500.0, 985.0, 1476.0, 1556.0, 1556.0])).unwrap();
        assert_eq!(scaling.saturating, Some(4));
        assert!((scaling.capacity.unwrap() - 1556.0).abs() < 8.0, "{scaling:?}");
    }

    #[test]
    fn a_unit_that_one_core_fills_serves_no_second() {
        let scaling = Scaling::fit(&teams(&[2000.0, 2005.0, 1999.0])).unwrap();
        assert_eq!(scaling.saturating, Some(1));
    }

    #[test]
    fn cores_of_a_team_may_differ() {
        let each = [0.5, 1.0].map(|cycles| Measured { cycles, uncertainty: 0.01 });
        let team = Team::of(&each).unwrap();
        assert_eq!((team.cores, team.each.cycles, team.balance), (2, 1.0 / 3.0, 0.5));
        assert_eq!(Team::of(&[]), None);
        assert_eq!(Scaling::fit(&teams(&[1.0, 2.0])[1..]), None);
    }
}
