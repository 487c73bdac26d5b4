//! Throughput of a form from the durations of several bodies.
//!
//! Givens: bodies of `n` instances of the form, each with breakers beside them whose own
//! throughput `b` is known as an interval. Unknown: the form's throughput `T`, the best that
//! the core can do. A body takes at least `n T`, whatever stands beside the instances, so every
//! body gives an upper end, `body / n`, and the smallest counts (of several that agree, the
//! longest body's). At worst the breakers use
//! nothing but what the instances use; then the body takes `n T` plus their own durations, and
//! `(body - sum of b) / n` is a lower end. That holds only for a body that nothing else slows: a
//! dependence that shows again lengthens it. The body with the smallest upper end is the one
//! least slowed, so the lower end is taken from it alone. Without breakers both ends are one.

use crate::units::{Cycles, Interval};

/// A body that was timed.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyMeasurement {
    /// Instances of the form in it.
    pub instances: u32,
    /// What else is in it.
    pub breakers: Vec<BrokenBy>,
    /// Its duration.
    pub body: Cycles,
    /// How much that may be off.
    pub uncertainty: Cycles,
}

/// A kind of breaker in a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BrokenBy {
    /// How many there are.
    pub count: u32,
    /// What each takes by itself.
    pub throughput: Interval,
}

/// Bodies whose shares per instance differ by less say the same.
const AGREEMENT: f64 = 0.03;

/// What the bodies say together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Combined {
    /// Where the throughput lies.
    pub interval: Interval,
    /// How much either end may be off.
    pub uncertainty: Cycles,
    /// The body that it comes from: its place in the list given.
    pub body: usize,
}

impl BodyMeasurement {
    fn upper(&self) -> f64 {
        self.body.0 / f64::from(self.instances)
    }

    fn lower(&self) -> f64 {
        let breakers: f64 =
            self.breakers.iter().map(|breaker| f64::from(breaker.count) * breaker.throughput.upper().0).sum();
        (self.body.0 - breakers) / f64::from(self.instances)
    }
}

/// Combines bodies of one form. Nothing is faster than `floor`, the front end's share for one
/// slot. `None` when there are no bodies.
#[must_use]
pub fn combine(bodies: &[BodyMeasurement], floor: Cycles) -> Option<Combined> {
    let smallest = bodies.iter().map(BodyMeasurement::upper).fold(f64::INFINITY, f64::min);
    // Bodies end at whole cycles and boundaries of the front end: of those that agree the
    // longest is least affected.
    let agrees = |body: &BodyMeasurement| body.upper() <= smallest * (1.0 + AGREEMENT);
    let (place, best) = bodies.iter().enumerate().filter(|(_, body)| agrees(body)).min_by(|(_, a), (_, b)| {
        b.instances.cmp(&a.instances).then(a.upper().total_cmp(&b.upper()))
    })?;
    let upper = best.upper();
    let lower = if best.breakers.is_empty() { upper } else { best.lower().max(floor.0).min(upper) };
    Some(Combined {
        interval: Interval::new(Cycles(lower), Cycles(upper)),
        uncertainty: best.uncertainty / f64::from(best.instances),
        body: place,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn body(instances: u32, cycles: f64, breakers: &[(u32, f64)]) -> BodyMeasurement {
        BodyMeasurement {
            instances,
            breakers: breakers
                .iter()
                .map(|&(count, each)| BrokenBy { count, throughput: Interval::exact(Cycles(each)) })
                .collect(),
            body: Cycles(cycles),
            uncertainty: Cycles(0.1),
        }
    }

    #[test]
    fn without_breakers_the_best_body_counts() {
        let found = combine(&[body(48, 13.0, &[]), body(96, 24.0, &[])], Cycles(0.125)).unwrap();
        assert_eq!(found.interval, Interval::exact(Cycles(0.25)));
        assert_eq!(found.body, 1);
    }

    #[test]
    fn a_breaker_leaves_an_interval() {
        // An addition with carry beside a test on four equal ports: five of them every 1.25 cycles.
        let bodies = [body(48, 24.0, &[(48, 0.25)]), body(48, 15.0, &[(12, 0.25)])];
        let found = combine(&bodies, Cycles(0.125)).unwrap();
        assert_eq!(found.interval, Interval::new(Cycles(0.25), Cycles(0.3125)));
    }

    #[test]
    fn nothing_is_below_the_floor() {
        let found = combine(&[body(10, 2.0, &[(10, 0.2)])], Cycles(0.125)).unwrap();
        assert_eq!(found.interval.lower(), Cycles(0.125));
    }

    #[test]
    fn no_bodies_say_nothing() {
        assert_eq!(combine(&[], Cycles(0.1)), None);
    }

    proptest! {
        /// However much of the breakers' work goes to ports that the form does not use, the
        /// truth is inside, as long as nothing else slows the best body.
        #[test]
        fn the_truth_is_inside(
            truth in 0.2_f64..5.0,
            instances in 8_u32..100,
            breakers in prop::collection::vec((1_u32..100, 0.2_f64..2.0), 0..3),
            shared in 0.0_f64..=1.0,
        ) {
            let beside: f64 = breakers.iter().map(|&(count, each)| f64::from(count) * each).sum();
            let cycles = (f64::from(instances) * truth + shared * beside).max(beside);
            prop_assume!(cycles <= f64::from(instances) * truth + beside);
            let found = combine(&[body(instances, cycles, &breakers)], Cycles(0.2)).unwrap();
            prop_assert!(found.interval.contains(Cycles(truth), Cycles(1e-9)), "{:?}", found);
        }
    }
}
