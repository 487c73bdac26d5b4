//! How much the time per instance differs between bodies of one form, which should all take the same.
//!
//! Throughput is the best that the core can do, so the fastest body counts, unless it was lucky.
//!
//! A duration that is a share of ports (1/4, 2/3) needs no other explanation. Two bodies that reach it
//! confirm it, and slower bodies were scheduled badly. Any other duration means that something else
//! holds the core up, which may differ the next time: `CVTSI2SDrr_Int` takes 1.08, 1.26 or 1.36 cycles,
//! depending on the length of the body and on the process. Such a duration counts only if almost all
//! bodies agree on it.
//!
//! The tolerances were chosen on Zen 4: with them ten runs in a row say the same.

use super::Timing;
use super::throughput::share_of_ports;
use crate::units::Cycles;

/// A duration is a share of ports if it is off it by no more than this part of itself ...
const EXPLAINED: f64 = 0.015;
/// ... as long as that part is less than so many cycles: beyond it some share is always near enough.
const TOLD_APART: f64 = 0.25;
/// How far the fastest body may be from the next.
const LUCK: f64 = 0.02;
/// How far durations that are no share of ports may be from each other.
const ALIKE: f64 = 0.05;

/// Whether a duration is a share of ports, as far as can be told.
pub(super) fn is_explained(each: Cycles) -> bool {
    let allowed = each * EXPLAINED;
    allowed.0 <= TOLD_APART && share_of_ports(each, allowed).is_some()
}

/// What instances take in bodies of one form without breakers, ascending.
#[derive(Debug, Clone, PartialEq)]
pub struct Scatter(Vec<Cycles>);

impl Scatter {
    /// Of these timings.
    pub fn of<'a>(timings: impl IntoIterator<Item = &'a Timing>) -> Self {
        Self::new(timings.into_iter().map(Timing::each))
    }

    fn new(each: impl IntoIterator<Item = Cycles>) -> Self {
        let mut each: Vec<Cycles> = each.into_iter().collect();
        each.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self(each)
    }

    /// The least, if there is any.
    #[must_use]
    pub fn fastest(&self) -> Option<Cycles> {
        self.0.first().copied()
    }

    /// Whether the least is a share of ports, as far as can be told.
    #[must_use]
    pub fn is_explained(&self) -> bool {
        self.fastest().is_none_or(is_explained)
    }

    /// How much slower than the fastest another one is.
    fn behind(&self, other: Option<&Cycles>) -> Cycles {
        let both = self.fastest().zip(other);
        both.map_or(Cycles(0.0), |(fastest, &other)| Cycles((other - fastest).0.max(0.0)))
    }

    fn gap(&self) -> Cycles {
        self.behind(self.0.get(1))
    }

    /// Up to the slowest but one: a value that only one of several bodies shows is not believed.
    fn breadth(&self) -> Cycles {
        self.behind(self.0.iter().rev().nth(1))
    }

    /// How far the least may be off because it, or a body that it is held against, was lucky or
    /// unlucky.
    #[must_use]
    pub fn doubt(&self) -> Cycles {
        match (self.is_explained(), self.is_confirmed()) {
            (true, true) => Cycles(0.0),
            (true, false) => self.gap(),
            (false, _) => self.gap().max(self.breadth()),
        }
    }

    /// Whether another body shows the least, too, and where no share of ports explains it almost all
    /// others.
    #[must_use]
    pub fn is_confirmed(&self) -> bool {
        self.fastest().is_none_or(|fastest| {
            self.gap() <= fastest * LUCK
                && (self.is_explained() || self.breadth() <= fastest * ALIKE)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scatter(each: &[f64]) -> Scatter {
        Scatter::new(each.iter().copied().map(Cycles))
    }

    #[test]
    fn a_share_of_ports_needs_a_second_body() {
        let lucky = scatter(&[0.5, 0.667, 0.66]);
        assert!(lucky.is_explained() && !lucky.is_confirmed());
        assert!((lucky.doubt().0 - 0.16).abs() < 1e-9);
        assert!(scatter(&[0.667, 1.0, 0.667, 1.0, 1.0]).is_confirmed());
    }

    #[test]
    fn what_is_no_share_of_ports_needs_almost_all_bodies() {
        let modes = scatter(&[1.08, 1.08, 1.08, 1.26, 1.26, 1.36]);
        assert!(!modes.is_explained() && !modes.is_confirmed());
        assert!((modes.doubt().0 - 0.18).abs() < 1e-9);
        let alike = scatter(&[0.28, 0.281, 0.282, 0.284, 0.33]);
        assert!(alike.is_confirmed() && (alike.doubt().0 - 0.004).abs() < 1e-9);
        // A lone body below a share of ports was disturbed.
        assert!(!scatter(&[0.48, 0.5, 0.5, 0.5, 0.5]).is_confirmed());
    }

    #[test]
    fn a_single_body_is_not_doubted() {
        assert!(scatter(&[1.0]).is_confirmed() && scatter(&[]).is_confirmed());
        assert_eq!(scatter(&[0.39]).doubt(), Cycles(0.0));
    }

    #[test]
    fn whole_cycles_explain_no_long_durations() {
        assert!(scatter(&[13.05]).is_explained());
        assert!(!scatter(&[1733.0]).is_explained());
        assert!(!scatter(&[1733.0, 1740.0, 1900.0, 1950.0]).is_confirmed());
    }
}
