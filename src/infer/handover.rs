//! What chains that begin and end with a barrier say about an edge between two resources.
//!
//! **Givens.** Durations, from one barrier to the next, of a chain that starts in the resource u and
//! is handed over to v by the edge, and of chains of the same length that stay in u and in v.
//! **Unknown.** x, the cycles of the edge; s(r), those from the dispatch of an instruction to its
//! issue in the pipeline of r, its operands being ready; e(r), those from the issue of a chain's
//! last link in r to the dispatch behind the barrier.
//! **Equations.** The chain that is handed over takes s(u) + x + e(v) beside its links, one that
//! stays takes s(r) + e(r). So the one less the one in v is `x + s(u) - s(v)`, as the starts have it,
//! and less the one in u it is `x + e(v) - e(u)`, as the ends have it.
//! **Assumptions.** A pipeline that is reached later than another does not end sooner:
//! s(v) - s(u) and e(v) - e(u) are not of unlike sign. Then x lies between the two figures, and where
//! chains in u and in v take the same, as in resources of one pipeline (vectors and masks), both are
//! x. A core is synchronous, so that x is whole.

use std::ops::RangeInclusive;

use super::whole::BETWEEN_BARRIERS;

/// What one length of chains says about an edge, in cycles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handover {
    /// As the starts have it.
    pub by_start: f64,
    /// As the ends have it.
    pub by_end: f64,
}

/// As many lengths must say something ...
const WITNESSES: usize = 4;
/// ... and this share of them the same, within so many cycles, else they were disturbed, or the
/// barrier is none.
const AGREEING: f64 = 2.0 / 3.0;
const SAME: f64 = 0.3;

/// The whole cycles that an edge may take, by what several lengths of chains say; `None` where they
/// do not agree.
#[must_use]
pub fn whole_cycles(lengths: &[Handover]) -> Option<RangeInclusive<u32>> {
    if lengths.len() < WITNESSES {
        return None;
    }
    let (start, by_start) = middle(lengths.iter().map(|length| length.by_start))?;
    let (end, by_end) = middle(lengths.iter().map(|length| length.by_end))?;
    let spread = by_start.max(by_end);
    if spread > SAME {
        return None;
    }
    let least = (start.min(end) - spread - BETWEEN_BARRIERS.0).ceil().max(0.0) as u32;
    let most = (start.max(end) + spread + BETWEEN_BARRIERS.0).floor().max(0.0) as u32;
    (least <= most).then_some(least..=most)
}

/// The median, and how far those that agree are from it at the most.
fn middle(figures: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    let median = *figures.get(figures.len() / 2)?;
    figures.sort_by(|a, b| (a - median).abs().total_cmp(&(b - median).abs()));
    let agreeing = (figures.len() as f64 * AGREEING).ceil() as usize;
    Some((median, (figures.get(agreeing.checked_sub(1)?)? - median).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(figures: [(f64, f64); 3]) -> Vec<Handover> {
        [figures, figures]
            .concat()
            .into_iter()
            .map(|(by_start, by_end)| Handover { by_start, by_end })
            .collect()
    }

    #[test]
    fn resources_of_one_pipeline_leave_one_value() {
        let masks = lengths([(0.99, 0.98), (0.9, 0.97), (1.01, 1.0)]);
        assert_eq!(whole_cycles(&masks), Some(1..=1));
        let vectors = lengths([(2.97, 2.97), (2.83, 2.9), (2.97, 3.0)]);
        assert_eq!(whole_cycles(&vectors), Some(3..=3));
    }

    #[test]
    fn of_unlike_pipelines_the_edge_lies_between_the_figures() {
        let into_a_deeper_one = lengths([(0.99, 2.97), (0.9, 2.9), (1.0, 3.0)]);
        assert_eq!(whole_cycles(&into_a_deeper_one), Some(1..=3));
        let out_of_it = lengths([(4.95, 2.97), (4.9, 2.9), (5.0, 3.0)]);
        assert_eq!(whole_cycles(&out_of_it), Some(3..=5));
    }

    #[test]
    fn what_does_not_agree_or_is_not_whole_says_nothing() {
        assert_eq!(whole_cycles(&lengths([(1.0, 1.0), (2.5, 1.0), (0.2, 1.0)])), None);
        assert_eq!(whole_cycles(&lengths([(1.5, 1.5), (1.5, 1.5), (1.5, 1.5)])), None);
        assert_eq!(whole_cycles(&lengths([(1.0, 1.0); 3])[..3]), None);
        assert_eq!(whole_cycles(&[]), None);
    }

    #[test]
    fn one_length_in_three_may_be_odd() {
        assert_eq!(whole_cycles(&lengths([(1.0, 1.0), (2.5, 1.0), (1.0, 1.0)])), Some(1..=1));
    }
}
