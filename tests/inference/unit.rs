//! What a cycle is on cores that hide their loops and on cores that do not, and that chains and
//! instances have their true durations beside either.

use proptest::prelude::*;
use winic::experiment::Experiment;
use winic::infer::{Finding, Knowledge, LoopCost, Timing};
use winic::isa::ReferenceChain;
use winic::sample::{Clock, Sample, reduce};
use winic::study::core::{UnitOfTime, unit_of_time};

use crate::cases;
use crate::windows::{Machine, REFERENCE_CYCLES};

/// Chains of a template, with as many links as leave the loop its cycles in the reference.
fn chains(loop_cycles: u32) -> [ReferenceChain; 3] {
    [("add", true), ("logic", true), ("multiply", false)].map(|(symbol, single_cycle)| {
        ReferenceChain { symbol, instructions: REFERENCE_CYCLES - loop_cycles, single_cycle }
    })
}

/// A core whose loops take so many cycles of their own beside a body.
fn core(clock: &Clock, body: f64, loop_overhead: f64) -> Machine {
    let is_counter = *clock == Clock::Counter;
    Machine {
        body,
        loop_overhead,
        call_overhead: 40.0,
        ticks_per_cycle: if is_counter { 1.0 } else { 0.6 },
        step: if is_counter { 1 } else { 26 },
        window_steps: 1000.0,
        windows: 8,
        interrupts: 0.02,
        drift: 0.0,
        jumps: 0.0,
        jitter: 0.0,
        neighbours: 0.0,
    }
}

fn sample(machine: &Machine, clock: &Clock, reference: u32, seed: u64) -> Sample {
    reduce(&machine.measure(seed), clock, reference).expect("windows are usable")
}

/// What the reference chains say on a core that adds so many cycles to loops of single-cycle
/// links, while multiplications of three cycles hide them.
fn unit(clock: &Clock, loop_cycles: u32, seed: u64) -> UnitOfTime {
    let chains = chains(loop_cycles);
    let links = chains[0].instructions;
    let mut knowledge = Knowledge::default();
    for (candidate, chain) in chains.iter().enumerate() {
        let (cycles, added) = if chain.single_cycle { (1, loop_cycles) } else { (3, 0) };
        let machine = core(clock, f64::from(cycles * links), f64::from(added));
        let sample = sample(&machine, clock, links, seed.wrapping_add(candidate as u64));
        let timing = Timing::of_chain(sample, links, LoopCost::Hidden);
        knowledge.learn(Experiment::Reference { candidate }, Finding::Timed(timing));
    }
    unit_of_time(&chains, &knowledge).unwrap_or_else(|error| panic!("{error}"))
}

fn clocks() -> impl Strategy<Value = Clock> {
    prop_oneof![Just(Clock::Counter), Just(Clock::Reference { tick_rate: None })]
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn loops_that_take_their_turn_are_seen_and_do_not_count(
        clock in clocks(), loop_cycles in 0..4_u32, others in 0..3_u32, links in 1..48_u32,
        latency in 1..6_u32, seed: u64,
    ) {
        let unit = unit(&clock, loop_cycles, seed);
        let expected =
            if loop_cycles == 0 { LoopCost::Hidden } else { LoopCost::Added(loop_cycles) };
        prop_assert_eq!(unit, UnitOfTime { candidate: 0, loop_cost: expected });

        // Loops of kernels have other instructions than those of the reference chains.
        let beside = if loop_cycles == 0 { 0 } else { loop_cycles + others };
        let machine = core(&clock, f64::from(links * latency), f64::from(beside));
        let reference = chains(loop_cycles)[0].instructions + unit.loop_cost.cycles();
        let sample = sample(&machine, &clock, reference, seed);
        for timing in [Timing::of_chain, Timing::of_instances] {
            let each = timing(sample, links, unit.loop_cost).each().0;
            let error = (each - f64::from(latency)).abs() / f64::from(latency);
            prop_assert!(error < 0.01, "{each} instead of {latency}: {sample:?}");
        }
    }
}

/// `T(n)` and `T(2n)` per iteration of a chain of 12 links of one cycle.
fn delayed(single: f64, double: f64) -> Sample {
    let clock = Clock::Counter;
    let clean = sample(&core(&clock, 12.0, 0.0), &clock, REFERENCE_CYCLES, 1);
    let cycles = winic::units::Cycles;
    Sample { body: cycles(double - single), plain: Some(cycles(single)), ..clean }
}

#[test]
fn a_hidden_loop_that_delays_a_link_in_one_unrolling_does_not_count() {
    for (single, double) in [(12.0, 24.8), (13.0, 24.0), (12.0, 24.0)] {
        let sample = delayed(single, double);
        let timing = Timing::of_chain(sample, 12, LoopCost::Hidden);
        assert!((timing.each().0 - 1.0).abs() < 1e-9, "{single} {double}: {timing:?}");
    }
}

/// A chain that is delayed, and one that is not: a core that reorders.
#[test]
fn one_delayed_chain_makes_no_loop_that_takes_its_turn() {
    let chains = [(delayed(13.0, 24.0), 12), (delayed(12.0, 24.0), 12)];
    assert_eq!(LoopCost::beside(&chains), LoopCost::Hidden);
    assert_eq!(LoopCost::beside(&[]), LoopCost::Hidden);
}

/// Loops of 13 cycles around 12 links, which whoever shares the core can feign on one chain.
#[test]
fn what_is_not_beyond_doubt_makes_no_loop_that_takes_its_turn() {
    let clear = delayed(13.0, 25.0);
    assert_eq!(LoopCost::beside(&[(clear, 12); 3]), LoopCost::Added(1));
    let slowed = winic::units::Cycles(60.0);
    for doubtful in [
        Sample { settled: false, ..clear },
        Sample { windows_used: 10, windows_total: 42, ..clear },
        Sample { pulse: Some(slowed), ..clear },
        delayed(12.4, 24.4),
        delayed(14.0, 26.0),
    ] {
        let quiet = Sample { pulse: doubtful.pulse.map(|pulse| pulse / 1.1), ..clear };
        for chains in [[doubtful, quiet, quiet], [quiet, quiet, doubtful]] {
            let chains = chains.map(|sample| (sample, 12));
            assert_eq!(LoopCost::beside(&chains), LoopCost::Hidden, "{doubtful:?}");
        }
    }
}
