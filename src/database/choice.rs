//! One figure where a file has an interval.
//!
//! **What loops leave open.** Loops leave latencies between two register files open: adding p(v) - p(u) to
//! every edge u -> v changes no loop (`infer::latency`). The intervals of all edges from u to v are
//! equally wide, and those back are as wide. The middle of each is a choice of potentials that holds for
//! both directions at once: there and back sum to what was measured, which two upper ends exceed.
//!
//! **Values.** Where the interval comes from operand values (division), each value has its latency.

use super::{Circumstance, Entry, Latency, OperandLatency};

impl Latency {
    /// What latencies between operands are together: the largest of them, of operand values that which takes
    /// longest. What shows no dependence is none.
    #[must_use]
    pub fn largest<'a>(operands: impl IntoIterator<Item = &'a OperandLatency>) -> Option<f64> {
        let largest = |edge: &OperandLatency| edge.choices().last().copied();
        operands.into_iter().filter_map(largest).reduce(f64::max)
    }
}

/// What an edge takes, by what computed its source: the core forwards it from some instructions to a later
/// stage than from others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ByProducer {
    /// Cycles behind an instruction that forwards: the latency.
    pub forwarded: f64,
    /// Cycles behind any other.
    pub other: f64,
}

impl Entry {
    /// To which edges a result is forwarded: to those that take the same by their producers as the form's own
    /// edges to that result. (In LLVM's model of the Neoverse V2 multiply-adds forward to those of their kind:
    /// `MADDXrrr` takes 1 or 2 cycles from its addend, `FMLAv2f64` 2 or 4, `SDOTv16i8` 1 or 3.)
    pub fn forwards(&self, result: &str) -> impl Iterator<Item = ByProducer> {
        let edges = self.latency.operands.iter().filter(move |edge| edge.target == result);
        edges.filter_map(OperandLatency::by_producer)
    }

    /// The latencies from a source by what computed it, where that matters.
    pub fn by_producer(&self, source: &str) -> impl Iterator<Item = ByProducer> {
        let edges = self.latency.operands.iter().filter(move |edge| edge.source == source);
        edges.filter_map(OperandLatency::by_producer)
    }
}

impl OperandLatency {
    /// The latency by what computed the source, where that matters.
    #[must_use]
    pub fn by_producer(&self) -> Option<ByProducer> {
        let mut variants = self.variants.iter();
        let other = variants.find(|it| it.variant == Circumstance::OtherProducer)?.latency?;
        Some(ByProducer { forwarded: self.chosen()?, other })
    }

    /// The latency under the choice of potentials, of operand values that in the middle; none where nothing is
    /// known, or no dependence was seen.
    #[must_use]
    pub fn chosen(&self) -> Option<f64> {
        let choices = self.choices();
        choices.get(choices.len() / 2).copied()
    }

    /// The latencies of all operand values from the smallest on, where the interval comes from those;
    /// otherwise the one under the choice of potentials.
    fn choices(&self) -> Vec<f64> {
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        // A lower end alone says nothing of how long it takes.
        let Some(max) = finite(self.max) else { return Vec::new() };
        let min = finite(self.min).unwrap_or(max);
        if self.independence.is_some() {
            return Vec::new();
        }
        let mut values: Vec<f64> =
            self.variants.iter().filter_map(|variant| finite(variant.latency)).collect();
        values.sort_by(f64::total_cmp);
        let spans = values.first().is_some_and(|&first| first <= min)
            && values.last().is_some_and(|&last| last >= max);
        if max > min && spans { values } else { vec![f64::midpoint(min, max)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::{Independence, LatencyVariant};

    fn edge(min: f64, max: f64) -> OperandLatency {
        OperandLatency { min: Some(min), max: Some(max), ..OperandLatency::default() }
    }

    #[test]
    fn there_and_back_sum_to_what_was_measured() {
        // A loop of 5 cycles over two edges, each of at least one: [1;4] and [1;4].
        let (there, back) = (edge(1.0, 4.0), edge(1.0, 4.0));
        let headline = |edge| Latency::largest([edge]).unwrap();
        assert!((headline(&there) + headline(&back) - 5.0).abs() < 1e-9);
        assert_eq!(there.chosen(), Some(headline(&there)));
    }

    #[test]
    fn of_values_the_middle_one_or_the_largest_counts_and_of_no_dependence_nothing() {
        let variant =
            |cycles| LatencyVariant { variant: Circumstance::OneRegister, latency: Some(cycles) };
        let division =
            OperandLatency { variants: [17.0, 9.0, 15.0].map(variant).into(), ..edge(9.0, 17.0) };
        assert_eq!(division.chosen(), Some(15.0));
        assert_eq!(Latency::largest([&division, &edge(1.0, 3.0)]), Some(17.0));
        let independent =
            OperandLatency { independence: Some(Independence::Proven), ..edge(0.0, 1.0) };
        assert_eq!(independent.chosen(), None);
        assert_eq!(OperandLatency { max: None, ..edge(1.0, 3.0) }.chosen(), None);
        assert_eq!(OperandLatency { min: None, ..edge(1.0, 3.0) }.chosen(), Some(3.0));
        assert_eq!(Latency::largest([&independent, &edge(f64::NAN, 3.0)]), Some(3.0));
    }

    #[test]
    fn a_result_is_forwarded_to_edges_of_its_kind() {
        let edge = |target: &str, forwarded, other| OperandLatency {
            target: target.to_owned(),
            variants: vec![LatencyVariant { variant: Circumstance::OtherProducer, latency: other }],
            ..edge(forwarded, forwarded)
        };
        let operands =
            vec![edge("0", 2.0, Some(4.0)), edge("1", 1.0, Some(3.0)), edge("0", 4.0, None)];
        let entry =
            Entry { latency: Latency { operands, ..Latency::default() }, ..Entry::default() };
        let forwards: Vec<ByProducer> = entry.forwards("0").collect();
        assert_eq!(forwards, [ByProducer { forwarded: 2.0, other: 4.0 }]);
    }
}
