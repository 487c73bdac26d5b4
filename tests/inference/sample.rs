//! The reduction from ticks to cycles holds the truth.

use std::time::Duration;

use proptest::prelude::*;
use winic::device::{RawSample, Window};
use winic::sample::{Clock, SHARED, Sample, Unusable, reduce, reduce_chain, reduce_manual};
use winic::units::Hertz;

use crate::cases;
use crate::windows::{Machine, REFERENCE_CYCLES, SENTINEL_CYCLES};

const REFERENCE: Clock = Clock::Reference { tick_rate: None };

fn clean() -> Machine {
    Machine {
        body: 12.0,
        loop_overhead: 1.0,
        call_overhead: 40.0,
        ticks_per_cycle: 0.6,
        step: 26,
        window_steps: 500.0,
        windows: 8,
        interrupts: 0.0,
        drift: 0.0,
        jumps: 0.0,
        jitter: 0.0,
        neighbours: 0.0,
    }
}

fn reduced(machine: &Machine, seed: u64) -> Sample {
    reduce(&machine.measure(seed), &REFERENCE, REFERENCE_CYCLES).expect("windows are usable")
}

/// Error of a sample in units of its uncertainty.
fn error(machine: &Machine, sample: &Sample) -> f64 {
    (sample.body.0 - machine.body).abs() / sample.uncertainty.0
}

prop_compose! {
    fn machines()(
        body in 0.25..200.0_f64,
        loop_overhead in 0.0..1.5_f64,
        call_overhead in 0.0..60.0_f64,
        ticks_per_cycle in 0.05..2.0_f64,
        step in prop_oneof![Just(1_u64), Just(26), Just(100)],
        window_steps in 500.0..2000.0_f64,
        windows in 6..40_usize,
    ) -> Machine {
        Machine {
            body, loop_overhead, call_overhead, ticks_per_cycle, step, window_steps, windows, ..clean()
        }
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn clean_windows_are_known_to_half_a_per_cent(machine in machines(), seed: u64) {
        // Less of the reading is body where the loop dominates.
        let loop_overhead = machine.loop_overhead.min(machine.body / 10.0);
        let machine = Machine { loop_overhead, ..machine };
        let sample = reduced(&machine, seed);
        prop_assert!(sample.settled);
        prop_assert!(sample.uncertainty.0 < 0.005 * machine.body, "{sample:?}");
        prop_assert!(error(&machine, &sample) <= 1.0, "{sample:?}");
        let plain = sample.plain.expect("T(n) exceeds its overhead").0;
        let expected = machine.body + machine.loop_overhead;
        prop_assert!((plain - expected).abs() <= 0.01 * expected, "{sample:?}");
    }

    #[test]
    fn disturbed_windows_hold_the_truth(
        machine in machines(), interrupts in 0.0..0.1_f64, jitter in 0.0..0.0005_f64, seed: u64,
    ) {
        let machine = Machine { interrupts, jitter, ..machine };
        let sample = reduced(&machine, seed);
        prop_assert!(error(&machine, &sample) <= 1.0, "{sample:?}");
    }

    /// As long as a few windows are quiet.
    #[test]
    fn windows_of_a_shared_core_do_not_count(
        machine in machines(), neighbours in 0.1..0.5_f64, seed: u64,
    ) {
        let machine = Machine { neighbours, windows: 24, ..machine };
        let sample = reduced(&machine, seed);
        prop_assert!(error(&machine, &sample) <= 1.0, "{sample:?}");
        let pulse = sample.pulse.expect("there is a sentinel").0;
        prop_assert!((pulse / SENTINEL_CYCLES - 1.0).abs() < SHARED, "{sample:?}");
    }

    /// ... and where none is, the sentinel says so.
    #[test]
    fn a_core_that_is_always_shared_shows(machine in machines(), seed: u64) {
        let sample = reduced(&Machine { neighbours: 1.0, ..machine }, seed);
        let pulse = sample.pulse.expect("there is a sentinel").0;
        prop_assert!(pulse / SENTINEL_CYCLES > 1.0 + SHARED, "{sample:?}");
    }

    #[test]
    fn a_drifting_clock_cancels(
        machine in machines(), drift_per_window in -0.003..0.003_f64, seed: u64,
    ) {
        let drift = drift_per_window * machine.windows as f64;
        let machine = Machine { drift, ..machine };
        let sample = reduced(&machine, seed);
        prop_assert!(error(&machine, &sample) <= 1.0, "{sample:?}");
    }

    #[test]
    fn a_jumping_clock_cancels(machine in machines(), jumps in 0.0..0.05_f64, seed: u64) {
        let machine = Machine { jumps, windows: machine.windows.max(12), ..machine };
        let sample = reduced(&machine, seed);
        prop_assert!(error(&machine, &sample) <= 1.0, "{sample:?}");
    }

    #[test]
    fn a_fixed_frequency_needs_no_reference(machine in machines(), seed: u64) {
        let tick_rate = Hertz::new(1.0e9).unwrap();
        let frequency = Hertz::new(1.0e9 / machine.ticks_per_cycle).unwrap();
        let clock = Clock::Fixed { frequency, tick_rate };
        let sample = reduce(&machine.measure(seed), &clock, REFERENCE_CYCLES).unwrap();
        prop_assert!(error(&machine, &sample) <= 1.0, "{sample:?}");
        let measured = sample.frequency.expect("the tick rate is known");
        prop_assert_eq!(clock.disagreement(measured), None);
    }

    #[test]
    fn a_counter_needs_no_reference(machine in machines(), seed: u64) {
        let machine = Machine { ticks_per_cycle: 1.0, step: 1, ..machine };
        let sample = reduce(&machine.measure(seed), &Clock::Counter, REFERENCE_CYCLES).unwrap();
        prop_assert!(error(&machine, &sample) <= 1.0, "{sample:?}");
        prop_assert_eq!(sample.frequency, None);
    }

    #[test]
    fn manual_kernels_hold_the_truth(machine in machines(), interrupts in 0.0..0.05_f64, seed: u64) {
        let machine = Machine { interrupts, loop_overhead: 0.0, ..machine };
        let mut raw = machine.measure(seed);
        for window in &mut raw.windows {
            window.double = 0;
        }
        prop_assert_eq!(reduce(&raw, &REFERENCE, REFERENCE_CYCLES), Err(Unusable::NoDouble));
        let sample = reduce_manual(&raw, &REFERENCE, REFERENCE_CYCLES).unwrap();
        prop_assert!(error(&machine, &sample) <= 1.0, "{sample:?}");
        prop_assert_eq!(sample.plain, Some(sample.body));
    }
}

/// Windows of the CI machine's shape: ticks of 10 ns in steps of 26, a 4.1 GHz core, a reference
/// of 4096 x 16 cycles and a body of 12 cycles.
fn recorded(windows: &[[u64; 4]]) -> RawSample {
    let window = |&[reference_before, single, double, reference_after]: &[u64; 4]| Window {
        reference_before,
        single,
        double,
        reference_after,
        sentinel: 0,
    };
    RawSample {
        iterations: 4096,
        reference_iterations: 4096,
        sentinel_iterations: 0,
        waited: Duration::ZERO,
        overhead: 52.0,
        tick_step: 26,
        windows: windows.iter().map(window).collect(),
    }
}

const QUIET: [[u64; 4]; 4] = [
    [43_082, 34_996, 67_262, 43_056],
    [43_056, 34_996, 67_288, 43_082],
    [43_082, 35_022, 67_262, 43_082],
    [43_056, 34_996, 67_262, 43_056],
];

fn assert_quiet(sample: &Sample) {
    assert!(sample.settled, "{sample:?}");
    assert!((sample.body.0 - 12.0).abs() <= sample.uncertainty.0, "{sample:?}");
    assert!(sample.uncertainty.0 < 0.05, "{sample:?}");
}

fn with(extra: &[[u64; 4]]) -> Sample {
    let windows = [&QUIET[..], extra].concat();
    reduce(&recorded(&windows), &REFERENCE, REFERENCE_CYCLES).expect("windows are usable")
}

#[test]
fn quiet_windows_give_body_plain_and_frequency() {
    let clock = Clock::Reference { tick_rate: Some(Hertz::new(2.69e9).unwrap()) };
    let sample = reduce(&recorded(&QUIET), &clock, REFERENCE_CYCLES).unwrap();
    assert_quiet(&sample);
    assert_eq!((sample.windows_used, sample.windows_total), (4, 4));
    let plain = sample.plain.expect("T(n) exceeds its overhead").0;
    assert!((plain - 13.0).abs() < 0.02, "{plain}");
    let frequency = sample.frequency.expect("the tick rate is known").gigahertz();
    assert!((frequency - 4.098).abs() < 0.01, "{frequency}");
}

#[test]
fn interrupts_do_not_count() {
    assert_quiet(&with(&[
        [43_056, 51_896, 67_262, 43_082],
        [43_082, 34_996, 98_904, 43_056],
        [60_034, 34_996, 67_288, 43_056],
    ]));
}

#[test]
fn references_disturbed_alike_do_not_poison_the_minimum() {
    assert_quiet(&with(&[
        [44_746, 34_996, 67_262, 44_772],
        [44_746, 35_022, 67_262, 44_746],
        [44_772, 34_996, 67_288, 44_746],
        [44_772, 34_996, 67_288, 44_772],
    ]));
}

#[test]
fn a_slower_neighbour_on_the_core_does_not_raise_the_minimum() {
    assert_quiet(&with(&[[43_082, 66_976, 131_248, 43_056]; 6]));
}

#[test]
fn windows_of_a_chain_agree_beside_a_neighbour() {
    let disturbed = [
        [43_082, 40_014, 76_986, 43_056],
        [43_056, 37_024, 71_006, 43_082],
        [43_082, 38_506, 74_022, 43_082],
    ];
    let mut raw = recorded(&[&disturbed[..], &QUIET].concat());
    raw.sentinel_iterations = 1000;
    for (number, window) in raw.windows.iter_mut().enumerate() {
        window.sentinel = if number < disturbed.len() { 26_052 } else { 36_478 };
    }
    let [body, chain] = [reduce, reduce_chain]
        .map(|reduce| reduce(&raw, &REFERENCE, REFERENCE_CYCLES).expect("windows are usable"));
    assert!(!body.settled, "{body:?}");
    assert_quiet(&chain);
    // Where there are enough windows without it they alone count.
    raw.windows.extend(recorded(&QUIET).windows.into_iter().map(|window| Window {
        sentinel: 26_052,
        single: 2 * window.single,
        double: 2 * window.double,
        ..window
    }));
    let chain = reduce_chain(&raw, &REFERENCE, REFERENCE_CYCLES).expect("windows are usable");
    assert!(chain.settled && (chain.body.0 - 24.0).abs() < 0.1, "{chain:?}");
}

#[test]
fn windows_at_half_the_frequency_agree() {
    assert_quiet(&with(&[[86_086, 69_940, 134_498, 86_112]; 3]));
}

#[test]
fn two_windows_do_not_settle_and_span_what_was_seen() {
    let raw = recorded(&[[43_082, 34_996, 67_262, 43_056], [43_082, 36_920, 70_980, 43_056]]);
    let sample = reduce(&raw, &REFERENCE, REFERENCE_CYCLES).unwrap();
    assert!(!sample.settled);
    for body in [12.0, 12.65] {
        assert!((sample.body.0 - body).abs() <= sample.uncertainty.0, "{sample:?}");
    }
}

#[test]
fn one_window_vouches_for_nothing() {
    let raw = recorded(&QUIET[..1]);
    let sample = reduce(&raw, &REFERENCE, REFERENCE_CYCLES).unwrap();
    assert!(!sample.settled);
    assert!(sample.uncertainty.0 >= sample.body.0, "{sample:?}");
}

#[test]
fn every_reason_has_its_name() {
    let quiet = recorded(&QUIET);
    let reason = |raw: RawSample| reduce(&raw, &REFERENCE, REFERENCE_CYCLES).unwrap_err();
    assert_eq!(reason(recorded(&[])), Unusable::NoWindows);
    assert_eq!(reason(RawSample { iterations: 0, ..quiet.clone() }), Unusable::NoIterations);
    assert_eq!(
        reason(RawSample { reference_iterations: 0, ..quiet.clone() }),
        Unusable::NoReference
    );
    assert_eq!(
        reason(RawSample { overhead: f64::NAN, ..quiet.clone() }),
        Unusable::InvalidOverhead
    );
    assert_eq!(reason(RawSample { overhead: 1e6, ..quiet }), Unusable::ReferenceTooShort);
    let moving = recorded(&[[43_082, 34_996, 67_262, 47_000]]);
    assert_eq!(reason(moving), Unusable::NoStableWindow { windows: 1 });
}

/// Not a property but the figure behind `uncertainty`: how often the truth lies outside.
/// `cargo test --release -- --ignored --nocapture coverage`
#[test]
#[ignore = "prints figures"]
fn coverage() {
    let scenarios = [
        ("clean", clean()),
        ("3 windows", Machine { windows: 3, ..clean() }),
        ("interrupts 5 %", Machine { interrupts: 0.05, windows: 16, ..clean() }),
        ("interrupts 20 %", Machine { interrupts: 0.2, windows: 40, ..clean() }),
        (
            "fine ticks, jitter",
            Machine {
                step: 1,
                window_steps: 20_000.0,
                jitter: 0.001,
                interrupts: 0.05,
                windows: 16,
                ..clean()
            },
        ),
        ("drift 3 %", Machine { drift: 0.03, windows: 16, ..clean() }),
        ("jumps 5 %", Machine { jumps: 0.05, windows: 24, ..clean() }),
        (
            "everything",
            Machine {
                drift: 0.02,
                interrupts: 0.05,
                jumps: 0.02,
                jitter: 0.0005,
                windows: 24,
                ..clean()
            },
        ),
    ];
    for (name, machine) in scenarios {
        let (mut outside, mut unsettled, mut largest, mut widest) = (0, 0, 0.0_f64, 0.0_f64);
        let trials = 20_000;
        for seed in 0..trials {
            let Ok(sample) = reduce(&machine.measure(seed), &REFERENCE, REFERENCE_CYCLES) else {
                unsettled += 1;
                continue;
            };
            unsettled += u32::from(!sample.settled);
            let error = error(&machine, &sample);
            outside += u32::from(error > 1.0);
            largest = largest.max(error);
            if sample.settled {
                widest = widest.max(sample.uncertainty.0 / machine.body);
            }
        }
        println!(
            "{name}: outside {outside} of {trials}, unsettled {unsettled}, largest error {largest:.2} uncertainties, widest {:.3} %",
            widest * 100.0
        );
    }
}
