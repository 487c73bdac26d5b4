//! Headline values: a measured value becomes the number that it stands for, but only inside
//! its uncertainty; the raw value is published beside it.

use super::{EdgeValue, ThroughputValue};
use crate::infer::throughput::share_of_ports;
use crate::units::{Cycles, Interval};

/// A latency that is further from whole cycles was not held up now and then, but is between them:
/// Zen 4's `HADDPDrr` is held up by itself and takes 4.2 or 4.4 cycles, x87's additions 6.5.
const HELD_UP: f64 = 0.45;
/// An end of an interval that is wider than this is no latency, but a bound of one, which is whole;
/// and of what is less certain than this fractions say nothing.
const WIDE: f64 = 1.0;

impl EdgeValue {
    /// What a raw latency of this edge stands for: if it did not settle, for nothing but itself.
    #[must_use]
    pub fn headline(&self, raw: Cycles) -> Cycles {
        let is_coarse = self.interval.width().0 > WIDE || self.uncertainty.0 > WIDE;
        let allowed =
            if is_coarse { self.uncertainty } else { self.uncertainty.min(Cycles(HELD_UP)) };
        if self.settled { headline_latency(raw, allowed) } else { in_digits(raw) }
    }

    /// The interval in such numbers.
    #[must_use]
    pub fn headline_interval(&self) -> Interval {
        self.interval.map(|raw| self.headline(raw))
    }
}

impl ThroughputValue {
    /// What a raw throughput of this form stands for: if it did not settle, for nothing but itself.
    #[must_use]
    pub fn headline(&self, raw: Cycles) -> Cycles {
        if self.settled { headline_throughput(raw, self.uncertainty) } else { in_digits(raw) }
    }

    /// The interval in such numbers.
    #[must_use]
    pub fn headline_interval(&self) -> Interval {
        self.interval.map(|raw| self.headline(raw))
    }
}

/// The whole number that a latency stands for, if it is no further off than allowed.
fn headline_latency(raw: Cycles, allowed: Cycles) -> Cycles {
    let whole = raw.0.round();
    if (raw.0 - whole).abs() <= allowed.0 { Cycles(whole) } else { in_digits(raw) }
}

/// The share of ports that a throughput stands for, if one is within the uncertainty.
fn headline_throughput(raw: Cycles, uncertainty: Cycles) -> Cycles {
    share_of_ports(raw, uncertainty).unwrap_or_else(|| in_digits(raw))
}

/// As many digits as are needed lest rounding is coarser than measuring.
fn in_digits(value: Cycles) -> Cycles {
    let digits = if value.0 < 1.0 { 1000.0 } else { 100.0 };
    Cycles((value.0 * digits).round() / digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_rounded_only_inside_their_uncertainty() {
        assert_eq!(headline_latency(Cycles(2.992), Cycles(0.02)), Cycles(3.0));
        assert_eq!(headline_latency(Cycles(2.9), Cycles(0.02)), Cycles(2.9));
        assert_eq!(headline_throughput(Cycles(0.2503), Cycles(0.0016)), Cycles(0.25));
        assert_eq!(headline_throughput(Cycles(0.3338), Cycles(0.002)), Cycles(1.0 / 3.0));
        assert_eq!(headline_throughput(Cycles(0.28), Cycles(0.002)), Cycles(0.28));
        assert_eq!(headline_throughput(Cycles(8.98), Cycles(0.05)), Cycles(9.0));
    }

    /// The ends of an interval, so uncertain.
    fn ends(lower: f64, upper: f64, uncertainty: f64) -> Interval {
        let value = EdgeValue {
            interval: Interval::new(Cycles(lower), Cycles(upper)),
            uncertainty: Cycles(uncertainty),
            pass: Cycles(upper),
            saturated: None,
            helpers: Vec::new(),
            contested: false,
            settled: true,
            variants: Vec::new(),
            limits: None,
        };
        value.headline_interval()
    }

    #[test]
    fn what_lies_between_cycles_stays_there_but_for_the_ends_of_what_is_not_known() {
        assert_eq!(ends(6.46, 6.46, 0.5), Interval::exact(Cycles(6.46)));
        assert_eq!(ends(6.2, 6.2, 0.5), Interval::exact(Cycles(6.0)));
        assert_eq!(ends(14.0, 28.46, 0.5), Interval::new(Cycles(14.0), Cycles(28.0)));
        assert_eq!(ends(98.42, 98.42, 2.5), Interval::exact(Cycles(98.0)));
    }

    #[test]
    fn the_simplest_fraction_wins() {
        assert_eq!(headline_throughput(Cycles(0.51), Cycles(0.1)), Cycles(0.5));
        assert_eq!(headline_throughput(Cycles(1.004), Cycles(0.01)), Cycles(1.0));
    }

    #[test]
    fn nothing_becomes_zero() {
        assert_eq!(headline_throughput(Cycles(0.04), Cycles(0.05)), Cycles(0.04));
    }
}
