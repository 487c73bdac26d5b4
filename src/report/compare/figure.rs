//! Figures, and whether two of them say the same.

use crate::units::{Cycles, Interval};

/// What the values of a figure's interval are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntervalMeaning {
    /// One of them is right, and it is not known which.
    OneOf,
    /// Each is right, for one program or another: a model's answers.
    AnyOf,
}

/// A figure and its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// Where it lies; without an upper end where none is known.
    pub interval: Interval,
    /// How much either end may be off.
    pub error: Cycles,
    /// What its values are.
    pub reading: IntervalMeaning,
}

impl Figure {
    /// A value that lies somewhere in an interval, the ends of which may be off.
    #[must_use]
    pub fn one_of(interval: Interval, error: Cycles) -> Self {
        Self { interval, error, reading: IntervalMeaning::OneOf }
    }

    /// Values that are all right, exactly.
    #[must_use]
    pub fn any_of(interval: Interval) -> Self {
        Self { interval, error: Cycles::default(), reading: IntervalMeaning::AnyOf }
    }

    /// The upper end, or the lower one of what has no upper.
    #[must_use]
    pub fn largest_finite(&self) -> Cycles {
        let upper = self.interval.upper();
        if upper.0.is_finite() { upper } else { self.interval.lower() }
    }

    /// How far apart two figures are; nothing if that is within a tolerance.
    #[must_use]
    pub fn gap(&self, other: &Self, tolerance: Cycles) -> Cycles {
        let (a, b) = (self.interval, other.interval);
        let apart = (b.lower() - a.upper()).max(a.lower() - b.upper()).max(Cycles::default());
        if apart.0 <= tolerance.0 { Cycles::default() } else { apart }
    }
}

/// Whether two figures say the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// They do: their ends are the same within the tolerance, or what was measured lies within what
    /// the reference holds for right.
    Agrees,
    /// Whatever the true values are, they are further apart than the tolerance.
    Differs,
    /// It cannot be told: one holds the other, and more besides.
    Undecided,
}

impl Agreement {
    /// What a measured figure and a reference amount to.
    #[must_use]
    pub fn of(measured: &Figure, reference: &Figure, tolerance: Cycles) -> Self {
        if measured.gap(reference, tolerance) > Cycles::default() {
            return Self::Differs;
        }
        let (a, b) = (measured.interval, reference.interval);
        let says_the_same = match reference.reading {
            // (Of two ends without a limit the difference is no number, and so not within.)
            IntervalMeaning::OneOf => [a.lower() - b.lower(), a.upper() - b.upper()]
                .iter()
                .all(|difference| difference.0.abs() <= tolerance.0),
            IntervalMeaning::AnyOf => {
                b.lower() - a.lower() <= tolerance && a.upper() - b.upper() <= tolerance
            }
        };
        if says_the_same { Self::Agrees } else { Self::Undecided }
    }

    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::Undecided => "undecided",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(lower: f64, upper: f64) -> Interval {
        Interval::new(Cycles(lower), Cycles(upper))
    }

    #[test]
    fn what_lies_within_all_right_answers_agrees() {
        let model = Figure::any_of(interval(4.0, 13.0));
        let verdict = |lower, upper| {
            let measured = Figure::one_of(interval(lower, upper), Cycles(0.0));
            Agreement::of(&measured, &model, Cycles(0.05))
        };
        assert_eq!(verdict(4.0, 4.0), Agreement::Agrees);
        assert_eq!(verdict(5.0, 13.0), Agreement::Agrees);
        assert_eq!(verdict(3.0, 5.0), Agreement::Undecided);
        assert_eq!(verdict(0.0, f64::INFINITY), Agreement::Undecided);
        assert_eq!(verdict(14.0, 14.0), Agreement::Differs);
    }

    #[test]
    fn two_that_know_equally_little_say_the_same_if_their_ends_are() {
        let figure = |lower, upper| Figure::one_of(interval(lower, upper), Cycles(0.0));
        let verdict = |a: Figure, b: Figure| Agreement::of(&a, &b, Cycles(0.05));
        assert_eq!(verdict(figure(7.0, 12.0), figure(7.0, 12.0)), Agreement::Agrees);
        assert_eq!(verdict(figure(7.0, 12.0), figure(7.0, 11.0)), Agreement::Undecided);
        let open = figure(7.0, f64::INFINITY);
        assert_eq!(verdict(open, open), Agreement::Undecided);
    }
}
