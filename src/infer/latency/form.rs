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

    /// `self + factor * other`.
    #[must_use]
    pub fn plus(&self, other: &Self, factor: f64) -> Self {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (walk, sum) = match (left.peek(), right.peek()) {
                (Some(&&(a, x)), Some(&&(b, y))) if a == b => {
                    left.next();
                    right.next();
                    (a, x + factor * y)
                }
                (Some(&&(a, x)), other) if other.is_none_or(|&&(b, _)| a < b) => {
                    left.next();
                    (a, x)
                }
                (_, Some(&&(b, y))) => {
                    right.next();
                    (b, factor * y)
                }
                (_, None) => return Self { terms },
            };
            if sum.abs() > ROUNDING {
                terms.push((walk, sum));
            }
        }
    }

    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self::default().plus(self, factor)
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
