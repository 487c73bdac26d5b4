//! What counts as whole cycles.
//!
//! A core is synchronous: a chain that nobody holds up takes whole cycles a pass, and so does a chain
//! between two barriers. A measured duration is a little off. How far off it may be depends on what is
//! concluded from it. These are all the tolerances; they were chosen on Zen 4 and Zen 5.

use crate::units::Cycles;

/// A chain whose pass is this near to whole cycles was not delayed. (One that is delayed in some of its
/// passes comes so near by accident only once in 25 times ...
pub const UNDISTURBED: Cycles = Cycles(0.02);
/// ... if its uncertainty is less than this.)
pub const SURE: Cycles = Cycles(0.1);

/// A pass further than this from whole cycles was held up by something.
pub const HELD_UP: Cycles = Cycles(0.05);

/// The ratio of two links may be off a whole number by this share of itself.
pub const MULTIPLE: f64 = 0.01;

/// The cost of a loop may be measured too small by this much. (In short windows it is too large: their
/// ends cost something, too.)
pub const LOOP: Cycles = Cycles(0.25);

/// Between two barriers a figure may be off by this much, besides the spread of those that agree.
pub const BETWEEN_BARRIERS: Cycles = Cycles(0.1);

/// A published latency this near to whole cycles is rounded to them, if its uncertainty allows it: the
/// chain was held up now and then (Zen 4's `HADDPDrr` holds itself up and takes 4.2 or 4.4 cycles). One
/// that is further off really lies between whole cycles (x87's additions: 6.5).
pub const PUBLISHED: Cycles = Cycles(0.45);

/// How far a duration is from whole cycles.
#[must_use]
pub fn distance(duration: Cycles) -> Cycles {
    Cycles((duration.0 - duration.0.round()).abs())
}

/// Whether a duration is that of whole cycles, and not of none.
#[must_use]
pub fn is_whole(duration: Cycles, tolerance: Cycles) -> bool {
    distance(duration) <= tolerance && duration.0.round() > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_cycles_are_one_or_more() {
        assert!(is_whole(Cycles(3.99), UNDISTURBED) && is_whole(Cycles(4.01), UNDISTURBED));
        assert!(!is_whole(Cycles(4.06), HELD_UP) && !is_whole(Cycles(0.01), UNDISTURBED));
        assert!((distance(Cycles(6.46)).0 - 0.46).abs() < 1e-9);
    }
}
