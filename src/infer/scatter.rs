//! How far apart bodies of one form lie that should all take the same time per instance.
//!
//! The throughput is the best that the core can do, so the fastest body counts, unless what it
//! shows is luck. A core has so many ports for a form, and a duration that is a share of them is
//! explained: when two bodies reach it, the slower ones were served badly. A duration that is no
//! such share means that the core does not reach what its ports allow, and what else holds it up
//! may hold it up more or less another time (`CVTSI2SDrr_Int` takes 1.08, 1.26 or 1.36 cycles by
//! the length of the body, and one length another in the next process). Then only bodies that all say the
//! same say something.

use super::Timing;
use super::throughput::share_of_ports;
use crate::units::Cycles;

/// A duration that is off a share of ports by more than this share of it is none.
const EXPLAINED: f64 = 0.015;
/// How far a share of ports may be from the next body, and durations that are none from each other.
const LUCK: f64 = 0.02;
const ALIKE: f64 = 0.05;

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
        self.fastest().is_none_or(|fastest| share_of_ports(fastest, fastest * EXPLAINED).is_some())
    }

    /// How far the least may be off because it, or a body that it is held against, was lucky or
    /// unlucky: what only one of several bodies shows is not believed, be it fast or slow.
    #[must_use]
    pub fn spread(&self) -> Cycles {
        let other = if self.is_explained() { self.0.get(1) } else { self.0.iter().rev().nth(1) };
        self.fastest().zip(other).map_or(Cycles(0.0), |(fastest, &other)| {
            Cycles((other - fastest).0.max(0.0))
        })
    }

    /// Whether the bodies leave no doubt.
    #[must_use]
    pub fn is_confirmed(&self) -> bool {
        let allowed = if self.is_explained() { LUCK } else { ALIKE };
        self.fastest().is_none_or(|fastest| self.spread() <= fastest * allowed)
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
        assert!((lucky.spread().0 - 0.16).abs() < 1e-9);
        assert!(scatter(&[0.667, 1.0, 0.667, 1.0, 1.0]).is_confirmed());
    }

    #[test]
    fn what_is_no_share_of_ports_needs_almost_all_bodies() {
        let modes = scatter(&[1.08, 1.08, 1.08, 1.26, 1.26, 1.36]);
        assert!(!modes.is_explained() && !modes.is_confirmed());
        assert!((modes.spread().0 - 0.18).abs() < 1e-9);
        assert!(scatter(&[0.28, 0.281, 0.282, 0.284, 0.33]).is_confirmed());
    }

    #[test]
    fn a_single_body_is_not_doubted() {
        assert!(scatter(&[1.0]).is_confirmed() && scatter(&[]).is_confirmed());
        assert_eq!(scatter(&[0.39]).spread(), Cycles(0.0));
    }
}
