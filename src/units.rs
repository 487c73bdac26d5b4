//! Quantities with their units, so that ticks are never mistaken for cycles.

use std::fmt;
use std::ops::{Add, Div, Mul, Sub};

use serde::{Deserialize, Serialize};

/// Core clock cycles, a real number: a throughput of 0.25 is four a cycle.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cycles(pub f64);

impl Cycles {
    /// The smaller of two.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    /// The larger of two.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

impl Add for Cycles {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Cycles {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<f64> for Cycles {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self(self.0 * factor)
    }
}

impl Div<f64> for Cycles {
    type Output = Self;
    fn div(self, divisor: f64) -> Self {
        Self(self.0 / divisor)
    }
}

impl fmt::Display for Cycles {
    /// Two decimals, as in the thesis's listings: `3.00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `{:.2}` would print a tiny negative difference as "-0.00".
        let rounded = (self.0 * 100.0).round() / 100.0;
        write!(f, "{:.2}", if rounded == 0.0 { 0.0 } else { rounded })
    }
}

/// A frequency; always positive and finite.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Hertz(f64);

/// A frequency that is zero, negative or not a number.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("a frequency must be a positive number, not {0}")]
pub struct InvalidFrequency(pub f64);

impl Hertz {
    /// A frequency in Hz.
    ///
    /// # Errors
    /// When it is not a positive finite number.
    pub fn new(hertz: f64) -> Result<Self, InvalidFrequency> {
        if hertz.is_finite() && hertz > 0.0 {
            Ok(Self(hertz))
        } else {
            Err(InvalidFrequency(hertz))
        }
    }

    /// The value in Hz.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// The value in GHz.
    #[must_use]
    pub fn gigahertz(self) -> f64 {
        self.0 / 1e9
    }
}

impl TryFrom<f64> for Hertz {
    type Error = InvalidFrequency;
    fn try_from(hertz: f64) -> Result<Self, Self::Error> {
        Self::new(hertz)
    }
}

impl From<Hertz> for f64 {
    fn from(frequency: Hertz) -> Self {
        frequency.0
    }
}

impl fmt::Display for Hertz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} GHz", self.gigahertz())
    }
}

/// Where a value in cycles must lie; lower is never above upper.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    lower: Cycles,
    upper: Cycles,
}

impl Interval {
    /// The interval between two values, in whichever order they come.
    #[must_use]
    pub fn new(a: Cycles, b: Cycles) -> Self {
        Self { lower: a.min(b), upper: a.max(b) }
    }

    /// A value that is known exactly.
    #[must_use]
    pub fn exact(value: Cycles) -> Self {
        Self { lower: value, upper: value }
    }

    /// The smallest value possible.
    #[must_use]
    pub fn lower(self) -> Cycles {
        self.lower
    }

    /// The largest value possible.
    #[must_use]
    pub fn upper(self) -> Cycles {
        self.upper
    }

    /// The interval between what becomes of its two ends.
    #[must_use]
    pub fn map(self, of_end: impl Fn(Cycles) -> Cycles) -> Self {
        Self::new(of_end(self.lower()), of_end(self.upper()))
    }

    /// The smallest interval that holds both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    /// What of it is not below a value; ends that are below by no more than a measurement error stay. Nothing
    /// if all of it is.
    #[must_use]
    pub fn not_below(self, least: Cycles, tolerance: Cycles) -> Option<Self> {
        let is_possible = |end: Cycles| end >= least - tolerance;
        is_possible(self.upper).then(|| self.map(|end| if is_possible(end) { end } else { least }))
    }

    /// How much is not known.
    #[must_use]
    pub fn width(self) -> Cycles {
        self.upper - self.lower
    }

    /// Whether a value lies inside, allowing for a measurement error on both sides.
    #[must_use]
    pub fn contains(self, value: Cycles, tolerance: Cycles) -> bool {
        value.0 >= self.lower.0 - tolerance.0 && value.0 <= self.upper.0 + tolerance.0
    }
}

impl fmt::Display for Interval {
    /// As in the thesis's Listing 10: `[3.00;3.00]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{};{}]", self.lower, self.upper)
    }
}

pub(crate) mod microseconds {
    //! Durations on the wire: whole numbers of microseconds.
    use std::time::Duration;

    use serde::{Deserialize as _, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_micros)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_is_ordered_and_prints_as_in_the_thesis() {
        let interval = Interval::new(Cycles(4.0), Cycles(3.0));
        assert_eq!(interval.to_string(), "[3.00;4.00]");
        assert_eq!(interval.width(), Cycles(1.0));
        assert!(interval.contains(Cycles(4.05), Cycles(0.1)));
        assert!(!interval.contains(Cycles(4.2), Cycles(0.1)));
    }

    #[test]
    fn what_is_impossible_is_cut_off() {
        let of = |lower: f64, upper: f64| Interval::new(Cycles(lower), Cycles(upper));
        let possible = |it: Interval| it.not_below(Cycles(0.0), Cycles(0.1));
        assert_eq!(possible(of(-3.0, 1.0)), Some(of(0.0, 1.0)));
        assert_eq!(possible(of(-0.05, -0.05)), Some(of(-0.05, -0.05)));
        assert_eq!(possible(of(2.0, 3.0)), Some(of(2.0, 3.0)));
        assert_eq!(possible(of(-2.0, -2.0)), None);
    }

    #[test]
    fn no_negative_zero_is_printed() {
        assert_eq!(Cycles(-0.001).to_string(), "0.00");
    }

    #[test]
    fn frequencies_are_positive() {
        for wrong in [0.0, -3.2e9, f64::NAN, f64::INFINITY] {
            assert!(Hertz::new(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Hertz::new(3.2e9).unwrap().to_string(), "3.200 GHz");
    }
}
