//! Throughput of a form from the durations of several bodies.
//!
//! **Givens.** Bodies of n instances of the form and some instructions that break dependences
//! (breakers: how many, and the throughput of each by itself), with their durations B; the dispatch
//! floor, which no form beats. **Unknown.** T, the least time per instance that the core can do.
//! **Source.** Method of winic, section 3.
//!
//! **Constraints.**
//! * n * T <= B. Whatever else is in a body only adds to it. So every body bounds T from above,
//!   without assumptions, and the smallest of these bounds is the best.
//! * B <= n * T + sum(count * breaker), provided that nothing but instances and breakers slowed the
//!   body: at worst they take turns, as when they share one port. A dependence that is still there,
//!   or a front end that is full, voids this. Without breakers it says B = n * T, give or take what
//!   the ends of a body cost ([`plain_error`]).
//!
//! The body with the smallest upper bound was slowed least, so its second constraint holds. Other
//! bodies may sharpen it: an unlike breaker shares fewer resources, a sparser one takes less room.
//! The largest of their lower bounds counts, of bodies that nothing else slowed:
//! * A body that claims more than the smallest upper bound was slowed by something else: it is left
//!   out.
//! * So are all bodies with as many instances between two breakers, because the dependence itself
//!   may have slowed them (8 instances of `ADC64rr` wait for each other on Zen 4, and behind
//!   `UCOMISDrr`, which takes long itself, that looks like a throughput of 0.31).

use crate::units::{Cycles, Interval};

/// No core is known with more equal ports than this, or more places in the front end (Zen 4 takes two
/// no-operations in each of six places). So no finer fraction means anything ...
const MOST_PORTS: u32 = 12;
/// ... nor any finer than this for what takes several operations ...
const MOST_PORTS_OF_SEVERAL: u32 = 6;
/// ... nor any finer than this above one cycle: no instruction has nine operations on five ports.
const MOST_PORTS_ABOVE_ONE: u32 = 3;
/// From here on a throughput is a duration in cycles, not a share of ports.
const SHARES_BELOW: f64 = 4.0;

/// From here on some whole number is always within an uncertainty.
const UNCERTAIN: Cycles = Cycles(0.5);

/// The share of ports, `k/p`, or whole number that a throughput stands for, if one is within the
/// uncertainty; of several the simplest.
#[must_use]
pub fn share_of_ports(raw: Cycles, uncertainty: Cycles) -> Option<Cycles> {
    let most = match raw.0 {
        _ if uncertainty >= UNCERTAIN => 0,
        raw if raw - uncertainty.0 <= 1.0 => MOST_PORTS,
        raw if raw < SHARES_BELOW => MOST_PORTS_ABOVE_ONE,
        _ => 1,
    };
    (1..=most).find_map(|ports| {
        let operations = (raw.0 * f64::from(ports)).round();
        let share = operations / f64::from(ports);
        let is_meant = operations > 0.5 && (operations < 1.5 || ports <= MOST_PORTS_OF_SEVERAL);
        (is_meant && (raw.0 - share).abs() <= uncertainty.0).then_some(Cycles(share))
    })
}

/// The greatest share of ports that one instance takes below one cycle and is no more than this; nothing
/// if it is less than all of them.
#[must_use]
pub fn share_below(raw: Cycles) -> Cycles {
    let share_of = |ports: u32| {
        let operations = (raw.0.min(1.0) * f64::from(ports)).floor();
        let most = if ports <= MOST_PORTS_OF_SEVERAL { operations } else { operations.min(1.0) };
        most / f64::from(ports)
    };
    Cycles((1..=MOST_PORTS).map(share_of).fold(0.0, f64::max))
}

/// What a body may take besides its instances: its ends lie at whole cycles and at boundaries of the
/// front end, a branch is taken there, and the units of the core are not all as busy as the others. Of
/// 80,619 timings of bodies of 48 to 384 instances that take a sixth to half a cycle each, on Zen 4,
/// 16 took more than this beyond the error of their windows, and 91 % nothing.
const ENDS: Cycles = Cycles(1.5);

/// The error of the time per instance in a body without breakers: the error of the windows, divided
/// among the instances, and each instance's share of what the ends of the body take.
#[must_use]
pub fn plain_error(of_windows: Cycles, instances: u32) -> Cycles {
    of_windows + ENDS / f64::from(instances)
}

/// A body with breakers may be longer by this share for other reasons ...
const LENGTHENED: f64 = 0.01;
/// ... and shows nothing new if it is faster than one without breakers by no more than this share.
const NO_FASTER: f64 = 0.02;

/// Instructions in a body that only break dependences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Breaker {
    /// How many there are per body.
    pub count: u32,
    /// Time per instance of it alone.
    pub throughput: Interval,
}

/// One body and how long it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyMeasurement {
    /// Instances of the form per body.
    pub instances: u32,
    /// What breaks dependences between them.
    pub breakers: Vec<Breaker>,
    /// Its duration.
    pub body: Cycles,
    /// The true duration lies within `body` plus or minus this.
    pub uncertainty: Cycles,
}

/// Time per instance at best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BestThroughput {
    /// Between these; a single value if the best body has no breakers.
    pub interval: Interval,
    /// By how much either end may be off.
    pub uncertainty: Cycles,
    /// Which body is the best: the upper end stems from it.
    pub best: usize,
    /// Where the lower end stems from.
    pub lower_end: LowerEnd,
    /// Whether even the upper end is below the dispatch floor: something was not executed.
    pub below_floor: bool,
}

/// Where a lower end stems from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LowerEnd {
    /// This body.
    Body(usize),
    /// The dispatch floor: the breakers could hide all of the instances.
    Floor,
}

/// Why bodies say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnusableBodies {
    /// There are none.
    #[error("no body was measured")]
    NoBodies,
    /// A body without the form.
    #[error("body {0} has no instance of the form")]
    NoInstances(usize),
    /// A duration or its uncertainty is not a number, or the uncertainty is negative.
    #[error("the duration of body {0} is not a number with an uncertainty")]
    InvalidDuration(usize),
}

/// Time per instance of a form from all its bodies.
///
/// # Errors
/// When there is no body, or one that says nothing.
pub fn combine(
    bodies: &[BodyMeasurement],
    floor: Cycles,
) -> Result<BestThroughput, UnusableBodies> {
    let claims: Vec<BodyBounds> =
        bodies.iter().enumerate().map(BodyBounds::of).collect::<Result<_, UnusableBodies>>()?;
    let best = best(&claims).ok_or(UnusableBodies::NoBodies)?;
    let lower = if best.has_breakers { highest_lower(&claims, best) } else { best };
    let (lower_value, lower_end) = if lower.lower < floor {
        (floor, LowerEnd::Floor)
    } else {
        (lower.lower, LowerEnd::Body(lower.body))
    };
    Ok(BestThroughput {
        interval: Interval::new(lower_value.min(best.upper), best.upper),
        uncertainty: best.uncertainty.max(lower.lower_uncertainty()),
        best: best.body,
        lower_end,
        below_floor: best.upper + best.uncertainty < floor,
    })
}

/// What one body says of the time per instance.
#[derive(Debug, Clone, Copy)]
struct BodyBounds {
    body: usize,
    has_breakers: bool,
    /// Instances from one breaker to the next.
    interval: u32,
    lower: Cycles,
    upper: Cycles,
    uncertainty: Cycles,
    instances: u32,
}

impl BodyBounds {
    fn of((body, measured): (usize, &BodyMeasurement)) -> Result<Self, UnusableBodies> {
        let (duration, uncertainty) = (measured.body, measured.uncertainty);
        if measured.instances == 0 {
            return Err(UnusableBodies::NoInstances(body));
        }
        if !duration.0.is_finite() || !uncertainty.0.is_finite() || uncertainty < Cycles(0.0) {
            return Err(UnusableBodies::InvalidDuration(body));
        }
        let instances = f64::from(measured.instances);
        let count = measured.breakers.iter().map(|breaker| breaker.count).max().unwrap_or(0);
        let breaker = |breaker: &Breaker| breaker.throughput.upper().0 * f64::from(breaker.count);
        let breakers = Cycles(measured.breakers.iter().map(breaker).sum());
        Ok(Self {
            body,
            has_breakers: count > 0,
            interval: measured.instances / count.max(1),
            lower: (duration - breakers) / instances,
            upper: duration / instances,
            uncertainty: uncertainty / instances,
            instances: measured.instances,
        })
    }

    /// How far the lower bound may be off: everything that lengthens the body raises it.
    fn lower_uncertainty(&self) -> Cycles {
        if self.has_breakers {
            self.uncertainty.max(self.upper * LENGTHENED)
        } else {
            plain_error(self.uncertainty, self.instances)
        }
    }

    /// Whether two upper bounds are the same as far as was measured.
    fn ties(&self, other: &Self) -> bool {
        let measured = self.uncertainty + other.uncertainty;
        (self.upper - other.upper).0.abs() <= measured.0.max(NO_FASTER * other.upper.0)
    }
}

/// The body with the smallest upper bound. Of equal ones it is one without breakers, if there is one:
/// its value is exact. The smallest bound is still the value, since another body may be more certain.
fn best(claims: &[BodyBounds]) -> Option<BodyBounds> {
    let smaller = |a: &&BodyBounds, b: &&BodyBounds| a.upper.0.total_cmp(&b.upper.0);
    let smallest = claims.iter().min_by(smaller)?;
    let plain = claims.iter().filter(|claim| !claim.has_breakers && claim.ties(smallest));
    Some(plain.min_by(smaller).map_or(*smallest, |plain| {
        let least = smallest.upper;
        let uncertainty = plain.uncertainty + (plain.upper - least);
        BodyBounds { lower: least, upper: least, uncertainty, ..*plain }
    }))
}

/// The body with breakers that has the largest lower bound. Bodies that contradict the best one are left
/// out, and so are all others whose breakers are as far apart as those of such a body.
fn highest_lower(claims: &[BodyBounds], best: BodyBounds) -> BodyBounds {
    let (consistent, slowed): (Vec<&BodyBounds>, Vec<&BodyBounds>) = claims
        .iter()
        .filter(|claim| claim.has_breakers)
        .partition(|claim| claim.lower - claim.uncertainty <= best.upper + best.uncertainty);
    let counts =
        |claim: &&&BodyBounds| !slowed.iter().any(|slowed| slowed.interval == claim.interval);
    let highest = consistent.iter().filter(counts).max_by(|a, b| a.lower.0.total_cmp(&b.lower.0));
    highest.map_or(best, |highest| **highest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: Cycles = Cycles(0.125);

    fn body(instances: u32, duration: f64) -> BodyMeasurement {
        let (body, uncertainty) = (Cycles(duration), Cycles(0.01));
        BodyMeasurement { instances, breakers: Vec::new(), body, uncertainty }
    }

    fn broken(instances: u32, count: u32, throughput: f64, duration: f64) -> BodyMeasurement {
        let throughput = Interval::exact(Cycles(throughput));
        BodyMeasurement {
            breakers: vec![Breaker { count, throughput }],
            ..body(instances, duration)
        }
    }

    #[test]
    fn the_share_below_is_one_that_ports_can_give() {
        let below = |raw| share_below(Cycles(raw)).0;
        assert_eq!([below(0.585), below(0.61), below(0.13)], [0.5, 0.6, 0.125]);
        assert_eq!([below(0.5), below(1.7), below(0.01)], [0.5, 1.0, 0.0]);
    }

    #[test]
    fn without_breakers_the_smallest_is_exact() {
        let throughput = combine(&[body(4, 4.0), body(8, 2.0), body(12, 6.0)], FLOOR).unwrap();
        assert_eq!(throughput.interval, Interval::exact(Cycles(0.25)));
        assert_eq!((throughput.best, throughput.lower_end), (1, LowerEnd::Body(1)));
        assert_eq!(throughput.uncertainty, (Cycles(0.01) + ENDS) / 8.0);
        assert!(!throughput.below_floor);
    }

    #[test]
    fn shares_of_ports_are_those_that_cores_may_have() {
        let share = |raw, uncertainty| share_of_ports(Cycles(raw), Cycles(uncertainty));
        assert_eq!(share(0.2518, 0.004), Some(Cycles(0.25)));
        assert_eq!(share(0.1421, 0.004), Some(Cycles(1.0 / 7.0)));
        assert_eq!(share(0.2849, 0.004), None, "two operations on seven ports");
        assert_eq!(share(1.331, 0.01), Some(Cycles(4.0 / 3.0)));
        assert_eq!(share(12.98, 0.1), Some(Cycles(13.0)));
        assert_eq!(share(976.2, 5.0), None, "whole numbers are everywhere");
    }

    #[test]
    fn a_breaker_leaves_an_interval_and_a_second_one_narrows_it() {
        let first = broken(8, 8, 0.25, 8.0);
        let throughput = combine(&[body(8, 16.0), first.clone()], FLOOR).unwrap();
        assert_eq!(throughput.interval.to_string(), "[0.75;1.00]");
        let sparser = broken(8, 4, 0.25, 8.0);
        let throughput = combine(&[first, sparser], FLOOR).unwrap();
        assert_eq!(throughput.interval.to_string(), "[0.88;1.00]");
        assert_eq!(throughput.lower_end, LowerEnd::Body(1));
    }

    #[test]
    fn a_body_slowed_by_something_else_claims_nothing() {
        let throughput = combine(&[broken(8, 8, 0.25, 8.0), broken(8, 2, 0.25, 24.0)], FLOOR);
        assert_eq!(throughput.unwrap().interval.to_string(), "[0.75;1.00]");
    }

    #[test]
    fn what_shows_between_breakers_shows_between_all_that_are_as_far_apart() {
        let chained = broken(96, 12, 0.25, 44.0);
        let behind_slow = broken(96, 12, 1.0, 42.0);
        let best = broken(96, 24, 0.25, 30.0);
        let throughput = combine(&[best, chained, behind_slow], FLOOR).unwrap();
        assert_eq!(throughput.interval.to_string(), "[0.25;0.31]");
    }

    #[test]
    fn a_tie_goes_to_the_body_without_breakers() {
        let throughput = combine(&[broken(8, 8, 0.25, 7.995), body(8, 8.0)], FLOOR).unwrap();
        // What it takes at most is known from the other.
        assert_eq!(throughput.interval, Interval::exact(Cycles(7.995 / 8.0)));
        assert_eq!(throughput.best, 1);
    }

    #[test]
    fn breakers_that_hide_everything_leave_the_floor() {
        let throughput = combine(&[broken(8, 8, 1.0, 8.0)], FLOOR).unwrap();
        assert_eq!(throughput.interval, Interval::new(FLOOR, Cycles(1.0)));
        assert_eq!(throughput.lower_end, LowerEnd::Floor);
    }

    #[test]
    fn a_value_below_the_floor_is_marked() {
        let throughput = combine(&[body(8, 0.3)], FLOOR).unwrap();
        assert!(throughput.below_floor);
        assert_eq!(throughput.interval, Interval::exact(Cycles(0.3 / 8.0)));
    }

    #[test]
    fn every_reason_has_its_name() {
        assert_eq!(combine(&[], FLOOR), Err(UnusableBodies::NoBodies));
        assert_eq!(combine(&[body(0, 1.0)], FLOOR), Err(UnusableBodies::NoInstances(0)));
        let endless = [body(1, 1.0), body(1, f64::INFINITY)];
        assert_eq!(combine(&endless, FLOOR), Err(UnusableBodies::InvalidDuration(1)));
    }
}
