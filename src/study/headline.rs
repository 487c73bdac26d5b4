//! Headline values: a measured value becomes the number that it stands for, but only inside
//! its uncertainty; the raw value is published beside it.

use super::latency::EdgeValue;
use super::throughput::ThroughputValue;
use crate::infer::throughput::share_of_ports;
use crate::infer::whole;
use crate::units::{Cycles, Interval};

/// An end of an interval that is wider than this is no latency, but a bound of one, which is whole;
/// and of what is less certain than this fractions say nothing.
const WIDE: f64 = 1.0;
/// A throughput that is no share of ports is rounded to the largest decimal place within this share of
/// it: what holds the core up, nobody knows, holds it up by about a hundredth more or less each time.
const REPEATS: f64 = 0.05;
/// ... or its uncertainty, but so that two digits are left.
const TWO_DIGITS: f64 = 0.1;

impl EdgeValue {
    /// What a raw latency of this edge stands for: if it did not settle, for nothing but itself.
    #[must_use]
    pub fn headline(&self, raw: Cycles) -> Cycles {
        let is_coarse = self.interval.width().0 > WIDE || self.uncertainty.0 > WIDE;
        let allowed =
            if is_coarse { self.uncertainty } else { self.uncertainty.min(whole::PUBLISHED) };
        if self.settled { headline_latency(raw, allowed) } else { in_digits(raw) }
    }

    /// The interval in such numbers.
    #[must_use]
    pub fn headline_interval(&self) -> Interval {
        self.interval.map(|raw| self.headline(raw))
    }

    /// How far the true latency may be from those numbers: 1.41 cycles, which may be off by 0.58 and are
    /// published as 1, may be 2.
    #[must_use]
    pub fn headline_uncertainty(&self) -> Cycles {
        self.uncertainty + apart(self.interval, self.headline_interval())
    }
}

impl ThroughputValue {
    /// What a raw throughput of this form stands for: if it did not settle, for nothing but itself.
    #[must_use]
    pub fn headline(&self, raw: Cycles) -> Cycles {
        let share_within = self.share_within.filter(|_| self.settled);
        headline_throughput(raw, share_within, self.uncertainty)
    }

    /// The interval in such numbers. One of which the ends cannot be told apart is a single value.
    #[must_use]
    pub fn headline_interval(&self) -> Interval {
        if self.interval.width() <= self.uncertainty * 2.0 {
            Interval::exact(self.headline(self.interval.upper()))
        } else {
            self.interval.map(|raw| self.headline(raw))
        }
    }

    /// How far the true throughput may be from those numbers.
    #[must_use]
    pub fn headline_uncertainty(&self) -> Cycles {
        let single = Interval::exact(self.interval.upper());
        let is_single = self.headline_interval().width() == Cycles(0.0);
        let raw = if is_single { single } else { self.interval };
        self.uncertainty + apart(raw, self.headline_interval())
    }
}

/// How far an end of an interval is from that of another one, at most.
fn apart(one: Interval, other: Interval) -> Cycles {
    let lower = (one.lower() - other.lower()).0.abs();
    Cycles(lower.max((one.upper() - other.upper()).0.abs()))
}

/// The whole number that a latency stands for, if it is no further off than allowed, else tenths.
fn headline_latency(raw: Cycles, allowed: Cycles) -> Cycles {
    rounded(raw, 0, allowed).or_else(|| rounded(raw, 1, allowed)).unwrap_or_else(|| in_digits(raw))
}

/// The share of ports that a throughput stands for, if it may stand for one, else no more digits
/// than repeat.
fn headline_throughput(raw: Cycles, share_within: Option<Cycles>, uncertainty: Cycles) -> Cycles {
    let digits = digits_of((raw * REPEATS).max(uncertainty.min(raw * TWO_DIGITS)));
    share_within
        .and_then(|error| share_of_ports(raw, error))
        .or_else(|| rounded(raw, digits, uncertainty))
        .unwrap_or_else(|| in_digits(raw))
}

/// Digits behind the point whose last place is no more than this.
fn digits_of(place: Cycles) -> i32 {
    -place.0.log10().floor() as i32
}

/// The value with so many digits behind the point.
fn nearest(raw: Cycles, digits: i32) -> Cycles {
    let scale = 10_f64.powi(digits);
    Cycles((raw.0 * scale).round() / scale)
}

/// The same, if that is no further off than allowed.
fn rounded(raw: Cycles, digits: i32, allowed: Cycles) -> Option<Cycles> {
    let near = nearest(raw, digits);
    ((raw - near).0.abs() <= allowed.0).then_some(near)
}

/// As many digits as are needed lest rounding is coarser than measuring.
fn in_digits(value: Cycles) -> Cycles {
    nearest(value, if value.0 < 1.0 { 3 } else { 2 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::latency::Dependence;

    /// What a throughput stands for of which only the timing makes it uncertain.
    fn throughput(raw: f64, error: f64) -> Cycles {
        headline_throughput(Cycles(raw), Some(Cycles(error)), Cycles(error))
    }

    #[test]
    fn values_are_rounded_only_inside_their_uncertainty() {
        assert_eq!(headline_latency(Cycles(2.992), Cycles(0.02)), Cycles(3.0));
        assert_eq!(headline_latency(Cycles(2.9), Cycles(0.02)), Cycles(2.9));
        assert_eq!(throughput(0.2503, 0.0016), Cycles(0.25));
        assert_eq!(throughput(0.3338, 0.002), Cycles(1.0 / 3.0));
        assert_eq!(throughput(0.28, 0.002), Cycles(0.28));
        assert_eq!(throughput(8.98, 0.05), Cycles(9.0));
    }

    #[test]
    fn what_stands_for_no_number_keeps_the_digits_that_repeat() {
        assert_eq!(throughput(0.2782, 0.005), Cycles(0.28));
        assert_eq!(throughput(1.2663, 0.05), Cycles(1.27));
        assert_eq!(throughput(8.4218, 0.05), Cycles(8.4));
        assert_eq!(throughput(12_893.0, 143.0), Cycles(12_900.0));
        assert_eq!(throughput(0.2741, 0.002), Cycles(0.274));
        assert_eq!(headline_latency(Cycles(3.487), Cycles(0.02)), Cycles(3.5));
    }

    #[test]
    fn what_is_no_share_of_ports_has_the_digits_that_its_uncertainty_leaves() {
        let no_share =
            |raw, uncertainty| headline_throughput(Cycles(raw), None, Cycles(uncertainty));
        assert_eq!(no_share(0.252, 0.04), Cycles(0.25));
        assert_eq!(no_share(0.335, 0.002), Cycles(0.335));
        assert_eq!(no_share(1.1758, 0.17), Cycles(1.2));
    }

    /// A latency between these, so uncertain.
    fn latency(lower: f64, upper: f64, uncertainty: f64) -> EdgeValue {
        EdgeValue {
            interval: Interval::new(Cycles(lower), Cycles(upper)),
            uncertainty: Cycles(uncertainty),
            pass: Cycles(upper),
            saturated: None,
            helpers: Vec::new(),
            contested: false,
            settled: true,
            variants: Vec::new(),
            limits: None,
            dependence: Dependence::Shown,
        }
    }

    /// The ends of an interval, so uncertain.
    fn ends(lower: f64, upper: f64, uncertainty: f64) -> Interval {
        latency(lower, upper, uncertainty).headline_interval()
    }

    /// `SHRD32rrCL` on Zen 4, from CL to the flags: 2.00 beside a few others, 1.41 beside all of them.
    #[test]
    fn rounding_makes_no_value_look_more_certain() {
        let rounded = latency(1.41, 1.41, 0.58);
        assert_eq!(rounded.headline_interval(), Interval::exact(Cycles(1.0)));
        assert!((rounded.headline_uncertainty().0 - 0.99).abs() < 1e-9);
        let whole = latency(2.0, 2.0, 0.02);
        assert!((whole.headline_uncertainty().0 - 0.02).abs() < 1e-9);
    }

    #[test]
    fn what_lies_between_cycles_stays_there_but_for_the_ends_of_what_is_not_known() {
        assert_eq!(ends(6.46, 6.46, 0.5), Interval::exact(Cycles(6.5)));
        assert_eq!(ends(6.2, 6.2, 0.5), Interval::exact(Cycles(6.0)));
        assert_eq!(ends(14.0, 28.46, 0.5), Interval::new(Cycles(14.0), Cycles(28.0)));
        assert_eq!(ends(98.42, 98.42, 2.5), Interval::exact(Cycles(98.0)));
    }

    #[test]
    fn the_simplest_fraction_wins() {
        assert_eq!(throughput(0.51, 0.1), Cycles(0.5));
        assert_eq!(throughput(1.004, 0.01), Cycles(1.0));
    }

    #[test]
    fn zero_stays_zero() {
        assert_eq!(throughput(0.0, 0.01), Cycles(0.0));
    }

    #[test]
    fn nothing_becomes_zero() {
        assert_eq!(throughput(0.04, 0.05), Cycles(0.04));
    }
}
