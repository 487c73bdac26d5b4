//! Simultaneous linear equations whose right-hand sides are sums of loop totals.
//!
//! **Givens.** Rows: factors of columns (latencies, potentials), and what they sum to. **Wanted.**
//! Which further sums of columns have one value in all solutions, and that value. Gauss-Jordan
//! elimination; the factors are small integers, so that the largest factor of a row is pivot enough.

use std::collections::{BTreeMap, BTreeSet};

use super::NodeId;
use super::form::Form;

/// Factors come from small integers by a few divisions. So a factor below this is a zero with a rounding
/// error. As a pivot it would make every other factor huge.
const NOISE: f64 = 1e-5;

/// What is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Column {
    /// The latency of an edge.
    Latency(usize),
    /// The potential of a resource in a block.
    Potential(usize, NodeId),
}

/// Columns and their factors, none zero.
pub(super) type Factors = BTreeMap<Column, f64>;

/// One equation.
#[derive(Debug, Clone, Default)]
pub(super) struct Equation {
    factors: Factors,
    sum: Form,
}

impl Equation {
    pub fn new(mut factors: Factors, sum: Form) -> Self {
        factors.retain(|_, factor| factor.abs() > NOISE);
        Self { factors, sum }
    }

    /// Takes away as much of another row as removes its pivot from this one.
    fn clear(&mut self, pivot: Column, other: &Self) {
        let Some(factor) = self.factors.get(&pivot).copied() else { return };
        for (column, amount) in &other.factors {
            *self.factors.entry(*column).or_default() -= factor * amount;
        }
        self.factors.retain(|_, amount| amount.abs() > NOISE);
        self.sum = self.sum.plus(&other.sum, -factor);
    }

    /// Scales the largest factor (of the first column, of several) to one.
    fn normalise(&mut self) -> Option<Column> {
        let larger = |best: (Column, f64), next: (Column, f64)| {
            if next.1.abs() > best.1.abs() + NOISE { next } else { best }
        };
        let factors = self.factors.iter().map(|(column, factor)| (*column, *factor));
        let (pivot, largest) = factors.reduce(larger)?;
        self.factors.values_mut().for_each(|factor| *factor /= largest);
        self.sum = self.sum.scaled(1.0 / largest);
        Some(pivot)
    }
}

/// The reduced echelon form of some rows.
#[derive(Debug, Default)]
pub(super) struct Echelon {
    rows: Vec<(Column, Equation)>,
    /// Sums that should be zero because no column is left in them.
    pub checks: Vec<Form>,
}

impl Echelon {
    pub fn of(rows: impl IntoIterator<Item = Equation>) -> Self {
        let mut echelon = Self::default();
        for row in rows {
            let mut row = echelon.reduced(row);
            let Some(pivot) = row.normalise() else {
                echelon.checks.push(row.sum);
                continue;
            };
            echelon.rows.iter_mut().for_each(|(_, other)| other.clear(pivot, &row));
            echelon.rows.push((pivot, row));
        }
        echelon.checks.retain(|check| !check.is_zero());
        echelon
    }

    /// The value of a sum of columns, if all solutions agree on it.
    pub fn value(&self, factors: impl IntoIterator<Item = (Column, f64)>) -> Option<Form> {
        let row = Equation::new(factors.into_iter().collect(), Form::default());
        let row = self.reduced(row);
        row.factors.is_empty().then(|| row.sum.scaled(-1.0))
    }

    /// The edges whose latencies stand in a row.
    pub fn edges(&self) -> impl Iterator<Item = usize> {
        let edge = |column: &Column| match column {
            Column::Latency(edge) => Some(*edge),
            Column::Potential(..) => None,
        };
        let edges = self.rows.iter().flat_map(|(_, row)| row.factors.keys()).filter_map(edge);
        edges.collect::<BTreeSet<usize>>().into_iter()
    }

    /// The blocks whose potentials stand in the same row, for every row.
    pub fn blocks(&self) -> impl Iterator<Item = BTreeSet<usize>> {
        let block = |column: &Column| match column {
            Column::Potential(block, _) => Some(*block),
            Column::Latency(_) => None,
        };
        self.rows.iter().map(move |(_, row)| row.factors.keys().filter_map(block).collect())
    }

    fn reduced(&self, mut row: Equation) -> Equation {
        self.rows.iter().for_each(|(pivot, other)| row.clear(*pivot, other));
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(factors: &[(usize, f64)], walk: usize) -> Equation {
        let latency = |(edge, factor): &(usize, f64)| (Column::Latency(*edge), *factor);
        Equation::new(factors.iter().map(latency).collect(), Form::total_of(walk))
    }

    #[test]
    fn what_is_determined_is_found_and_the_rest_is_not() {
        let echelon = Echelon::of([
            row(&[(0, 1.0), (1, 2.0)], 0),
            row(&[(0, 2.0), (1, 1.0)], 1),
            row(&[(2, 1.0), (3, 1.0)], 2),
        ]);
        assert!(echelon.checks.is_empty());
        assert_eq!(echelon.value([(Column::Latency(2), 1.0)]), None);
        let sum = [(Column::Latency(2), 2.0), (Column::Latency(3), 2.0)];
        assert_eq!(echelon.value(sum).unwrap().terms(), [(2, 2.0)]);
        let first = echelon.value([(Column::Latency(0), 3.0)]).unwrap();
        let factors: Vec<f64> = first.terms().iter().map(|(_, factor)| factor.round()).collect();
        assert_eq!(factors, [-1.0, 2.0]);
    }

    #[test]
    fn the_same_row_twice_is_a_check() {
        let echelon = Echelon::of([row(&[(0, 1.0), (1, 1.0)], 0), row(&[(0, 1.0), (1, 1.0)], 1)]);
        assert_eq!(echelon.checks[0].terms(), [(0, -1.0), (1, 1.0)]);
    }
}
