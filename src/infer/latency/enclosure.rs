//! Intervals from single loops, for edges that the system as a whole does not determine.
//!
//! **Givens.** Ends of intervals where shortest paths gave them. **Wanted.** Ends for all other edges
//! that a loop passes. In each loop an edge takes at most the total less the least that the other
//! edges take, and at least the total less the most that they take; and never less than its minimum.
//! These intervals are true, but they may be wider than needed: each uses one loop at a time.

use super::consistency::Suspicions;
use super::form::Form;
use super::limits::{IntervalEnd, IntervalEnds};
use super::network::{Network, Walk};
use super::{Bounds, EdgeLatency, Limit, LoopId, ROUNDING};
use crate::units::{Cycles, Interval};

/// Passes over all loops. Each pass uses what the one before found, and finds less.
const MAX_SWEEPS: usize = 8;

/// Completes the ends of all edges and words them as findings.
pub(super) fn enclose(
    network: &Network,
    mut ends: Vec<IntervalEnds>,
    evidence: &mut Suspicions,
) -> Vec<EdgeLatency> {
    let open: Vec<bool> =
        ends.iter().map(|ends| ends.lower.is_none() || ends.upper.is_none()).collect();
    fill_lower_ends(network, &mut ends);
    let walks: Vec<usize> = (0..network.loops.len())
        .filter(|walk| network.loops[*walk].passes.iter().any(|(edge, _)| open[*edge]))
        .collect();
    for _ in 0..MAX_SWEEPS {
        let mut changed = false;
        for walk in &walks {
            changed |= tighten(network, *walk, &open, &mut ends);
        }
        if !changed {
            break;
        }
    }
    spread_doubt(network, &open, &walks, evidence);
    let finding = |(edge, ends)| finding(network, edge, ends, evidence);
    ends.into_iter().enumerate().map(finding).collect()
}

fn fill_lower_ends(network: &Network, ends: &mut [IntervalEnds]) {
    for (edge, ends) in ends.iter_mut().enumerate() {
        if ends.lower.is_none() && !network.passing[edge].is_empty() {
            let value = network.minimum(edge);
            let limit = Limit::Own;
            ends.lower = Some(IntervalEnd { value, uncertainty: 0.0, limit, tightest: false });
        }
    }
}

/// Narrows the open edges of one loop; whether anything changed.
fn tighten(network: &Network, walk: usize, open: &[bool], ends: &mut [IntervalEnds]) -> bool {
    let mut changed = false;
    let measured = &network.loops[walk];
    // A lower end above its upper end is a contradiction. Used further, it would drive the ends of all
    // edges of these loops apart without bound. So such ends serve only edges that have none yet.
    let crossed = measured.passes.iter().any(|(edge, _)| has_crossed(&ends[*edge]));
    for &(edge, count) in measured.passes.iter().filter(|(edge, _)| open[*edge]) {
        let upper = left_for(measured, edge, count, |other| ends[other].lower.as_ref());
        let lower = left_for(measured, edge, count, |other| ends[other].upper.as_ref());
        let end = |(value, uncertainty)| IntervalEnd {
            value,
            uncertainty,
            limit: Limit::Loop(LoopId(walk)),
            tightest: false,
        };
        if !crossed || ends[edge].upper.is_none() {
            changed |= improve(&mut ends[edge].upper, upper.map(end), 1.0);
        }
        if !crossed || ends[edge].lower.is_none() {
            changed |= improve(&mut ends[edge].lower, lower.map(end), -1.0);
        }
    }
    changed
}

fn has_crossed(ends: &IntervalEnds) -> bool {
    let (Some(lower), Some(upper)) = (&ends.lower, &ends.upper) else { return false };
    lower.value - lower.uncertainty > upper.value + upper.uncertainty + ROUNDING
}

/// The total less what the others take, for one pass of an edge; with its error.
fn left_for<'a>(
    measured: &Walk,
    edge: usize,
    count: f64,
    end: impl Fn(usize) -> Option<&'a IntervalEnd>,
) -> Option<(f64, f64)> {
    let (mut value, mut error) = (measured.total, measured.uncertainty);
    for (other, times) in measured.passes.iter().filter(|(other, _)| *other != edge) {
        let end = end(*other)?;
        value -= times * end.value;
        error += times * end.uncertainty;
    }
    Some((value / count, error / count))
}

/// Takes an end if it is tighter with its error counted; `sign` is 1 for an upper end.
fn improve(end: &mut Option<IntervalEnd>, candidate: Option<IntervalEnd>, sign: f64) -> bool {
    let Some(candidate) = candidate else { return false };
    let reach = |end: &IntervalEnd| sign * end.value + end.uncertainty;
    let better = end.as_ref().is_none_or(|end| reach(&candidate) < reach(end) - ROUNDING);
    if better {
        *end = Some(candidate);
    }
    better
}

/// An end is contested if a suspect loop or a contested edge gave it.
fn spread_doubt(network: &Network, open: &[bool], walks: &[usize], evidence: &mut Suspicions) {
    for walk in walks {
        let edges = || network.loops[*walk].passes.iter().map(|(edge, _)| *edge);
        if evidence.is_suspect(*walk) || edges().any(|edge| evidence.is_contested(edge)) {
            edges().filter(|edge| open[*edge]).for_each(|edge| evidence.contest(edge));
        }
    }
}

fn finding(
    network: &Network,
    edge: usize,
    ends: IntervalEnds,
    evidence: &mut Suspicions,
) -> EdgeLatency {
    let bounds = match ends {
        IntervalEnds { lower: Some(lower), upper: Some(upper) } => {
            report_gap(network, edge, &lower, &upper, evidence);
            Some(bounds(lower, upper, network.minimum(edge)))
        }
        _ => None,
    };
    EdgeLatency { edge: network.id(edge), bounds, contested: evidence.is_contested(edge) }
}

/// Loops contradict each other if they leave an edge less than no time.
fn report_gap(
    network: &Network,
    edge: usize,
    lower: &IntervalEnd,
    upper: &IntervalEnd,
    evidence: &mut Suspicions,
) {
    let gap = lower.value - upper.value;
    if gap <= lower.uncertainty + upper.uncertainty + ROUNDING || evidence.is_contested(edge) {
        return;
    }
    evidence.contest(edge);
    let loops = [&lower.limit, &upper.limit].into_iter().filter_map(|limit| match limit {
        Limit::Loop(named) => Some(named.0),
        _ => None,
    });
    let form = loops.fold(Form::default(), |sum, walk| sum.plus(&Form::total_of(walk), 1.0));
    evidence.too_fast(network, &[edge], &form, gap);
}

/// A latency is no single value if it may be off by more than a cycle and than this share of it: what
/// helpers are off by adds up in long chains.
const BLURRED: f64 = 0.25;

fn bounds(lower: IntervalEnd, upper: IntervalEnd, minimum: f64) -> Bounds {
    let error = lower.uncertainty.max(upper.uncertainty);
    let tightest = lower.tightest && upper.tightest;
    let width = upper.value - lower.value;
    // A lower end above the upper end, by more than their errors, is a conflict: both are shown.
    let coincide =
        width <= error + ROUNDING && width >= -(lower.uncertainty + upper.uncertainty + ROUNDING);
    let middle = f64::midpoint(lower.value, upper.value);
    let (least, most) = (lower.value - lower.uncertainty, upper.value + upper.uncertainty);
    let reach = (most - middle).max(middle - least).max(0.0);
    let (interval, uncertainty) = if !coincide {
        (Interval::new(Cycles(lower.value), Cycles(upper.value)), error)
    } else if reach > (middle * BLURRED).max(1.0) {
        (Interval::new(Cycles(least.max(minimum)), Cycles(most.max(minimum))), 0.0)
    } else {
        (Interval::exact(Cycles(middle)), reach)
    };
    Bounds {
        interval,
        uncertainty: Cycles(uncertainty),
        lower_limit: lower.limit,
        upper_limit: upper.limit,
        tightest,
    }
}

#[cfg(test)]
mod tests {
    use super::{IntervalEnd, Limit, bounds};
    use crate::infer::latency::{EdgeId, LatencyEdge, MeasuredLoop, NodeId, infer};
    use crate::units::Cycles;

    /// Zen 4, BTC16mr into its cell behind helpers on segment registers: -2.8, or 4.4 more.
    #[test]
    fn what_may_be_off_by_cycles_is_a_range() {
        let end = |value: f64, uncertainty: f64| IntervalEnd {
            value,
            uncertainty,
            limit: Limit::Measured,
            tightest: true,
        };
        let found = |value: f64, uncertainty: f64| {
            let both = bounds(end(value, uncertainty), end(value, uncertainty), 0.0);
            [both.interval.lower().0, both.interval.upper().0, both.uncertainty.0]
        };
        assert_eq!(found(-2.5, 4.5), [0.0, 2.0, 0.0]);
        assert_eq!(found(6.0, 4.5), [1.5, 10.5, 0.0]);
        assert_eq!(found(6.0, 0.5), [6.0, 6.0, 0.5]);
        // Rocket's MUL by one product after the other, in a simulation's short windows.
        assert_eq!(found(9.75, 1.5), [9.75, 9.75, 1.5]);
        // Twelve thousand cycles (CPUID) may be off by more than one.
        assert_eq!(found(12_000.0, 300.0), [12_000.0, 12_000.0, 300.0]);
    }

    /// Loops that contradict each other over and over must not drive bounds apart: values stay of
    /// the size of what was measured.
    #[test]
    fn contradictions_do_not_explode() {
        let edge = |id: u32, from: u32| LatencyEdge {
            id: EdgeId(id),
            from: NodeId(from),
            to: NodeId(1 - from),
            minimum: Cycles(1.0),
            maximum: None,
        };
        let edges: Vec<LatencyEdge> = (0..200).map(|id| edge(id, id % 2)).collect();
        let loops: Vec<MeasuredLoop> = (0..100_u32)
            .flat_map(|there| {
                (0..6_u32).map(move |back| (2 * there, 2 * ((there + back) % 100) + 1))
            })
            .enumerate()
            .map(|(number, (there, back))| MeasuredLoop {
                edges: vec![EdgeId(there), EdgeId(back)],
                // Some are a little too fast, as on a noisy machine.
                total: Cycles(2.0 - 0.07 * f64::from(u32::try_from(number % 5).unwrap())),
                uncertainty: Cycles(0.02),
            })
            .collect();
        let found = infer(&edges, &loops).unwrap();
        assert!(!found.conflicts.is_empty());
        for bounds in found.edges.iter().filter_map(|edge| edge.bounds.as_ref()) {
            let (lower, upper) = (bounds.interval.lower().0, bounds.interval.upper().0);
            assert!(lower > -5.0 && upper < 5.0, "{bounds:?}");
        }
    }
}
