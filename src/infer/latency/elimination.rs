//! Simultaneous linear equations whose right-hand sides are sums of loop totals.
//!
//! **Givens.** Rows: factors of unknown edges, and what they sum to. **Unknown.** The edges that
//! have one value in all solutions. Gauss-Jordan elimination; the factors are small integers, so
//! that the largest factor of a row is pivot enough.

use std::collections::BTreeMap;

use super::ROUNDING;
use super::form::Form;

/// One equation.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub factors: BTreeMap<usize, f64>,
    pub sum: Form,
}

impl Row {
    /// Takes away as much of another row as removes its pivot from this one.
    fn clear(&mut self, pivot: usize, other: &Self) {
        let Some(factor) = self.factors.get(&pivot).copied() else { return };
        for (edge, amount) in &other.factors {
            *self.factors.entry(*edge).or_default() -= factor * amount;
        }
        self.factors.retain(|_, amount| amount.abs() > ROUNDING);
        self.sum = self.sum.plus(&other.sum, -factor);
    }

    /// Scales the largest factor (the lowest edge of several) to one.
    fn normalise(&mut self) -> Option<usize> {
        let larger = |best: (usize, f64), next: (usize, f64)| {
            if next.1.abs() > best.1.abs() + ROUNDING { next } else { best }
        };
        let factors = self.factors.iter().map(|(edge, factor)| (*edge, *factor));
        let (pivot, largest) = factors.reduce(larger)?;
        self.factors.values_mut().for_each(|factor| *factor /= largest);
        self.sum = self.sum.scaled(1.0 / largest);
        Some(pivot)
    }
}

/// The edges that are determined, and the sums that should be zero because no edge is left in them.
pub(super) fn eliminate(rows: Vec<Row>) -> (Vec<(usize, Form)>, Vec<Form>) {
    let mut reduced: Vec<(usize, Row)> = Vec::new();
    let mut checks = Vec::new();
    for mut row in rows {
        for (pivot, other) in &reduced {
            row.clear(*pivot, other);
        }
        let Some(pivot) = row.normalise() else {
            checks.push(row.sum);
            continue;
        };
        for (_, other) in &mut reduced {
            other.clear(pivot, &row);
        }
        reduced.push((pivot, row));
    }
    let alone = reduced.into_iter().filter(|(_, row)| row.factors.len() == 1);
    (alone.map(|(pivot, row)| (pivot, row.sum)).collect(), checks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(factors: &[(usize, f64)], walk: usize) -> Row {
        Row { factors: factors.iter().copied().collect(), sum: Form::total_of(walk) }
    }

    #[test]
    fn what_is_determined_is_found_and_the_rest_is_not() {
        let rows = vec![
            row(&[(0, 1.0), (1, 2.0)], 0),
            row(&[(0, 2.0), (1, 1.0)], 1),
            row(&[(2, 1.0), (3, 1.0)], 2),
        ];
        let (determined, checks) = eliminate(rows);
        let edges: Vec<usize> = determined.iter().map(|(edge, _)| *edge).collect();
        assert_eq!((edges.len(), checks.len()), (2, 0));
        let (_, first) = determined.iter().find(|(edge, _)| *edge == 0).unwrap();
        let thirds: Vec<f64> = first.terms().iter().map(|(_, factor)| factor * 3.0).collect();
        assert!((thirds[0] + 1.0).abs() < 1e-9 && (thirds[1] - 2.0).abs() < 1e-9, "{thirds:?}");
    }

    #[test]
    fn the_same_row_twice_is_a_check() {
        let rows = vec![row(&[(0, 1.0), (1, 1.0)], 0), row(&[(0, 1.0), (1, 1.0)], 1)];
        let (determined, checks) = eliminate(rows);
        assert!(determined.is_empty());
        assert_eq!(checks[0].terms(), [(0, -1.0), (1, 1.0)]);
    }
}
