//! What turns ticks into cycles.

use crate::units::Hertz;

/// Beyond this relative difference a frequency that the user gave and the one that the reference
/// saw cannot both be right: steadier machines stay below a tenth of it.
const FREQUENCY_TOLERANCE: f64 = 0.01;

/// Beyond this one of them is a mistake: no core drifts so far from where it was fixed.
const FREQUENCY_CONTRADICTION: f64 = 0.02;

/// What turns ticks into cycles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Clock {
    /// The reference chain timed beside the kernel.
    Reference {
        /// Ticks per second, where known: then the core's frequency follows as well.
        tick_rate: Option<Hertz>,
    },
    /// A frequency that the user vouches for.
    Fixed {
        /// The core's frequency.
        frequency: Hertz,
        /// Ticks per second.
        tick_rate: Hertz,
    },
    /// Ticks are cycles already.
    Counter,
    /// Nothing tells time here: kernels are executed, not timed.
    Absent,
}

impl Clock {
    /// How far the frequency that the user gave is from the one that the reference saw, relative
    /// to the latter, when that is more than 1 %: worth a warning that names both.
    #[must_use]
    pub fn disagreement(&self, measured: Hertz) -> Option<f64> {
        let Self::Fixed { frequency, .. } = self else { return None };
        let relative = frequency.get() / measured.get() - 1.0;
        (relative.abs() > FREQUENCY_TOLERANCE).then_some(relative)
    }

    /// Whether the frequency that the user gave is so far from the one that the reference saw that
    /// values in cycles would be wrong: more than 2 %.
    #[must_use]
    pub fn is_contradicted(&self, measured: Hertz) -> bool {
        self.disagreement(measured).is_some_and(|off| off.abs() > FREQUENCY_CONTRADICTION)
    }

    /// Ticks per second, where known and different from cycles.
    pub(super) fn tick_rate(&self) -> Option<Hertz> {
        match self {
            Self::Reference { tick_rate } => *tick_rate,
            Self::Fixed { tick_rate, .. } => Some(*tick_rate),
            Self::Counter | Self::Absent => None,
        }
    }

    /// Ticks per cycle, unless each window has to say it.
    pub(super) fn ticks_per_cycle(&self) -> Option<f64> {
        match self {
            Self::Reference { .. } | Self::Absent => None,
            Self::Fixed { frequency, tick_rate } => Some(tick_rate.get() / frequency.get()),
            Self::Counter => Some(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_fixed_frequency_can_disagree_and_only_beyond_one_per_cent() {
        let hertz = |value| Hertz::new(value).unwrap();
        let fixed = Clock::Fixed { frequency: hertz(3.0e9), tick_rate: hertz(1.0e9) };
        assert_eq!(fixed.disagreement(hertz(3.02e9)), None);
        let relative = fixed.disagreement(hertz(4.0e9)).unwrap();
        assert!((relative + 0.25).abs() < 1e-12, "{relative}");
        assert!(fixed.is_contradicted(hertz(4.0e9)) && fixed.is_contradicted(hertz(2.93e9)));
        assert!(!fixed.is_contradicted(hertz(3.05e9)) && !fixed.is_contradicted(hertz(3.0e9)));
        assert_eq!(Clock::Counter.disagreement(hertz(1.0e9)), None);
        assert_eq!(Clock::Reference { tick_rate: None }.disagreement(hertz(1.0e9)), None);
    }
}
