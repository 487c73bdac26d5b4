//! Signed sums of loop totals.

use super::network::Network;
use super::{LoopId, ROUNDING};

/// A figure as the loops it is made of: each with a factor, ascending, none zero.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Form {
    terms: Vec<(usize, f64)>,
}

impl Form {
    pub fn total_of(walk: usize) -> Self {
        Self { terms: vec![(walk, 1.0)] }
    }

    /// The sum of several forms, each times a factor.
    pub fn sum<'a>(parts: impl IntoIterator<Item = (&'a Self, f64)>) -> Self {
        let parts = parts.into_iter();
        let scaled = parts.flat_map(|(form, factor)| {
            form.terms.iter().map(move |(walk, share)| (*walk, factor * share))
        });
        let mut terms: Vec<(usize, f64)> = scaled.collect();
        terms.sort_by_key(|(walk, _)| *walk);
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        terms.retain(|(_, factor)| factor.abs() > ROUNDING);
        Self { terms }
    }

    /// `self + factor * other`.
    #[must_use]
    pub fn plus(&self, other: &Self, factor: f64) -> Self {
        Self::sum([(self, 1.0), (other, factor)])
    }

    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self::sum([(self, factor)])
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The loops and their factors.
    pub fn terms(&self) -> &[(usize, f64)] {
        &self.terms
    }

    pub fn loops(&self) -> impl Iterator<Item = LoopId> {
        self.terms.iter().map(|(walk, _)| LoopId(*walk))
    }

    pub fn value(&self, network: &Network) -> f64 {
        self.terms.iter().map(|(walk, factor)| factor * network.loops[*walk].total).sum()
    }

    /// The most that the errors of the loops can add up to.
    pub fn uncertainty(&self, network: &Network) -> f64 {
        let error = |(walk, factor): &(usize, f64)| factor.abs() * network.loops[*walk].uncertainty;
        self.terms.iter().map(error).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cancels_is_gone() {
        let sum = Form::total_of(3).plus(&Form::total_of(1), 2.0);
        assert_eq!(sum.terms(), [(1, 2.0), (3, 1.0)]);
        assert_eq!(sum.plus(&Form::total_of(3), -1.0).terms(), [(1, 2.0)]);
        assert!(sum.plus(&sum, -1.0).is_zero());
    }
}
