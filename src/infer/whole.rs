//! What counts as whole cycles.
//!
//! A core is synchronous: a chain that nobody holds up takes whole cycles a pass, and so does what a
//! barrier separates. Measured durations are beside them, and by how much they may be depends on
//! what is concluded. These are all the tolerances; those with figures were found on Zen 4 and Zen 5.

use crate::units::Cycles;

/// A pass this near to whole cycles takes them, and was not delayed in some of its passes: a delayed
/// one comes so near by accident only once in 25 times ...
pub const UNDISTURBED: Cycles = Cycles(0.02);
/// ... if its uncertainty is less than this.
pub const SURE: Cycles = Cycles(0.1);

/// A pass further than this from whole cycles was held up by something.
pub const HELD_UP: Cycles = Cycles(0.05);

/// A link of k cycles takes so many times what one of a single cycle takes, but for this part of it.
pub const MULTIPLE: f64 = 0.01;

/// What the loop adds to every iteration shows some part of a cycle more in short windows, and this
/// much less.
pub const LOOP: Cycles = Cycles(0.25);

/// Between two barriers: how far a figure may be from whole cycles beyond what those that agree
/// differ by.
pub const BETWEEN_BARRIERS: Cycles = Cycles(0.1);

/// A published latency that is further from whole cycles was not held up now and then, but is between
/// them: Zen 4's `HADDPDrr` is held up by itself and takes 4.2 or 4.4 cycles, x87's additions 6.5.
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
