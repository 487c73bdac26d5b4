//! The throughput's interval holds the truth.

use proptest::prelude::*;
use winic::infer::throughput::{BodyMeasurement, Breaker, combine};
use winic::units::{Cycles, Interval};

use crate::cases;

/// What arithmetic may cost.
const ROUNDING: f64 = 1e-9;

/// A body as the core runs it: instances and breakers overlap by some share.
#[derive(Debug, Clone)]
struct Body {
    instances: u32,
    /// Count, true throughput, half the width of what is known of it.
    breakers: Vec<(u32, f64, f64)>,
    /// From 0 (in turns) to 1 (side by side).
    overlap: f64,
    uncertainty: f64,
    /// Error in units of the uncertainty.
    error: f64,
}

prop_compose! {
    fn bodies()(
        instances in 1..32_u32,
        breakers in prop::collection::vec((0..32_u32, 0.1..2.0_f64, 0.0..0.2_f64), 0..3),
        overlap in 0.0..=1.0_f64,
        uncertainty in 0.0..0.05_f64,
        error in -1.0..=1.0_f64,
    ) -> Body {
        Body { instances, breakers, overlap, uncertainty, error }
    }
}

impl Body {
    /// Instances from one breaker to the next, if there are any.
    fn distance(&self) -> Option<u32> {
        let most = self.breakers.iter().map(|(count, ..)| *count).max().filter(|most| *most > 0);
        most.map(|most| self.instances / most)
    }

    fn measured(&self, truth: f64, slowed: f64) -> BodyMeasurement {
        let own = truth * f64::from(self.instances);
        let breakers: f64 =
            self.breakers.iter().map(|(count, time, _)| f64::from(*count) * time).sum();
        let together = own.max(breakers);
        let duration = together + (own + breakers - together) * (1.0 - self.overlap) + slowed;
        let known = |time: f64, half: f64| Interval::new(Cycles(time - half), Cycles(time + half));
        let breaker = |&(count, time, half): &(u32, f64, f64)| Breaker {
            count,
            throughput: known(time, half),
        };
        BodyMeasurement {
            instances: self.instances,
            breakers: self.breakers.iter().map(breaker).collect(),
            body: Cycles(duration + self.error * self.uncertainty),
            uncertainty: Cycles(self.uncertainty),
        }
    }
}

proptest! {
    #![proptest_config(cases(5000))]

    #[test]
    fn the_truth_is_inside(
        truth in 0.125..20.0_f64, bodies in prop::collection::vec(bodies(), 1..6),
    ) {
        let measured: Vec<BodyMeasurement> = bodies.iter().map(|body| body.measured(truth, 0.0)).collect();
        let floor = Cycles(0.125);
        let throughput = combine(&measured, floor).unwrap();
        let tolerance = Cycles(throughput.uncertainty.0 + ROUNDING);
        prop_assert!(throughput.interval.contains(Cycles(truth), tolerance), "{throughput:?}");
        prop_assert!(!throughput.below_floor || truth <= floor.0 + ROUNDING);
    }

    #[test]
    fn bodies_slowed_beyond_doubt_cast_doubt_on_those_with_breakers_as_far_apart_only(
        truth in 0.125..20.0_f64,
        good in prop::collection::vec(bodies(), 1..4),
        bad in prop::collection::vec(bodies(), 1..4),
    ) {
        let mut measured: Vec<BodyMeasurement> = good.iter().map(|body| body.measured(truth, 0.0)).collect();
        let before = combine(&measured, Cycles(0.125)).unwrap();
        // More than anything in the good ones, whatever of it is put down to breakers.
        let slowed = |body: &Body| body.measured(truth, 1e4 * f64::from(body.instances));
        measured.extend(bad.iter().map(slowed));
        let after = combine(&measured, Cycles(0.125)).unwrap();
        prop_assert_eq!((after.best, after.interval.upper()), (before.best, before.interval.upper()));
        prop_assert!(after.interval.lower() <= before.interval.lower());
        let slowed: Vec<Option<u32>> = bad.iter().map(Body::distance).collect();
        if good.iter().filter_map(Body::distance).all(|distance| !slowed.contains(&Some(distance))) {
            prop_assert_eq!(after, before);
        }
    }

    #[test]
    fn another_body_never_raises_the_upper_end(
        bodies in prop::collection::vec((bodies(), 0.0..50.0_f64), 2..6), truth in 0.125..20.0_f64,
    ) {
        let measured: Vec<BodyMeasurement> =
            bodies.iter().map(|(body, slowed)| body.measured(truth, *slowed)).collect();
        let all = combine(&measured, Cycles(0.125)).unwrap();
        let some = combine(&measured[1..], Cycles(0.125)).unwrap();
        let tolerance = all.uncertainty + some.uncertainty;
        let rounding = Cycles(2.0 * tolerance.0 + ROUNDING);
        prop_assert!(all.interval.upper() <= some.interval.upper() + rounding);
        prop_assert!(all.interval.lower() <= all.interval.upper());
    }
}
