//! Least squares of sparse systems, with unknowns that are not negative.

use crate::random;

/// A row: places of unknowns with their factors.
pub(super) type SparseRow = Vec<(usize, f64)>;

/// A matrix of which most is zero, by columns.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SparseMatrix {
    height: usize,
    columns: Vec<Vec<(usize, f64)>>,
}

/// No more sweeps over all unknowns than these.
const MOST_SWEEPS: usize = 5000;

/// A sweep that moves no unknown by more cycles than this is the last.
const SETTLED: f64 = 1e-6;

impl SparseMatrix {
    /// Of rows with so many unknowns, each times its weight.
    pub(super) fn new(rows: &[SparseRow], weights: &[f64], unknowns: usize) -> Self {
        let mut columns = vec![Vec::new(); unknowns];
        for (place, (row, weight)) in rows.iter().zip(weights).enumerate() {
            for &(unknown, factor) in row {
                columns[unknown].push((place, factor * weight));
            }
        }
        Self { height: rows.len(), columns }
    }

    /// The mean of the squares of columns that are not empty.
    pub(super) fn mean_square(&self) -> f64 {
        let squares = self.columns.iter().filter(|it| !it.is_empty()).map(|it| square(it));
        let (sum, count) = squares.fold((0.0, 0usize), |(sum, count), it| (sum + it, count + 1));
        sum / count.max(1) as f64
    }

    /// The matrix times a vector.
    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.height];
        for (column, value) in self.columns.iter().zip(vector) {
            column.iter().for_each(|&(row, factor)| product[row] += factor * value);
        }
        product
    }

    /// The vector `x` of none below zero with the least `|A x - target|^2 + ridge |x|^2`, by cyclic coordinate
    /// descent from a start: one unknown after the other gets its best value while the others stay.
    pub(super) fn descend(&self, target: &[f64], ridge: f64, start: &[f64]) -> Vec<f64> {
        let mut values = start.to_vec();
        let product = self.times(&values);
        let mut residual: Vec<f64> = target.iter().zip(product).map(|(y, it)| y - it).collect();
        let squares: Vec<f64> = self.columns.iter().map(|it| square(it)).collect();
        for _ in 0..MOST_SWEEPS {
            let mut most: f64 = 0.0;
            for ((column, value), square) in self.columns.iter().zip(&mut values).zip(&squares) {
                let slope: f64 = column.iter().map(|&(row, factor)| factor * residual[row]).sum();
                let denominator = square + ridge;
                let best =
                    if denominator > 0.0 { (slope + square * *value) / denominator } else { 0.0 };
                let step = best.max(0.0) - *value;
                if step != 0.0 {
                    column.iter().for_each(|&(row, factor)| residual[row] -= step * factor);
                    *value += step;
                    most = most.max(step.abs());
                }
            }
            if most < SETTLED {
                break;
            }
        }
        values
    }

    /// For each unknown whether the rows determine it: whether it is the same in all solutions.
    ///
    /// Conjugate gradients take a random vector to one that the matrix turns into nothing, which has parts of all that
    /// it turns into nothing; an unknown that has none there is determined.
    pub(super) fn determined(&self) -> Vec<bool> {
        let norms: Vec<f64> = self.columns.iter().map(|it| square(it).sqrt()).collect();
        let unit = |vector: &[f64]| -> Vec<f64> {
            let pairs = vector.iter().zip(&norms);
            pairs.map(|(it, norm)| if *norm > 0.0 { it / norm } else { 0.0 }).collect()
        };
        let back = |vector: &[f64]| -> Vec<f64> {
            let dot = |column: &Vec<(usize, f64)>| -> f64 {
                column.iter().map(|&(row, factor)| factor * vector[row]).sum()
            };
            unit(&self.columns.iter().map(dot).collect::<Vec<f64>>())
        };
        let mut vector: Vec<f64> =
            (0..norms.len()).map(|place| 1.0 + random::share(place, 0)).collect();
        let mut image: Vec<f64> = self.times(&unit(&vector)).iter().map(|it| -it).collect();
        let mut gradient = back(&image);
        let mut direction = gradient.clone();
        let mut norm = length_square(&gradient);
        let end = norm * VANISHED * VANISHED;
        for _ in 0..MOST_SWEEPS {
            let turned = self.times(&unit(&direction));
            let curvature = length_square(&turned);
            if norm <= end || curvature <= 0.0 {
                break;
            }
            let step = norm / curvature;
            add(&mut vector, step, &direction);
            add(&mut image, -step, &turned);
            gradient = back(&image);
            let next = length_square(&gradient);
            let keep = next / norm;
            direction = gradient.iter().zip(&direction).map(|(g, d)| g + keep * d).collect();
            norm = next;
        }
        vector.iter().map(|it| it.abs() < DETERMINED).collect()
    }
}

/// Gradients that are less than this share of the first one are nothing.
const VANISHED: f64 = 1e-10;

/// What is left of an unknown between 1 and 2 that is determined.
const DETERMINED: f64 = 1e-3;

fn square(column: &[(usize, f64)]) -> f64 {
    column.iter().map(|(_, factor)| factor * factor).sum()
}

fn length_square(vector: &[f64]) -> f64 {
    vector.iter().map(|it| it * it).sum()
}

fn add(vector: &mut [f64], factor: f64, other: &[f64]) {
    vector.iter_mut().zip(other).for_each(|(it, other)| *it += factor * other);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dense<const WIDTH: usize>(rows: &[[f64; WIDTH]]) -> SparseMatrix {
        let sparse = |row: &[f64; WIDTH]| -> SparseRow {
            row.iter().copied().enumerate().filter(|(_, it)| *it != 0.0).collect()
        };
        let rows: Vec<SparseRow> = rows.iter().map(sparse).collect();
        SparseMatrix::new(&rows, &vec![1.0; rows.len()], WIDTH)
    }

    fn assert_near(found: &[f64], wanted: &[f64]) {
        let off = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(found.len() == wanted.len() && off < 1e-5, "{found:?}, not {wanted:?}");
    }

    #[test]
    fn solutions_known_by_hand() {
        let matrix = dense(&[[1.0, 1.0], [1.0, -1.0], [0.0, 1.0]]);
        assert_near(&matrix.descend(&[3.0, 1.0, 1.0], 0.0, &[0.0; 2]), &[2.0, 1.0]);
        // Best is (1, -2); without what is below zero the first alone.
        assert_near(&matrix.descend(&[-1.0, 3.0, -2.0], 0.0, &[5.0; 2]), &[1.0, 0.0]);
        // A ridge as large as the column halves.
        assert_near(&dense(&[[2.0]]).descend(&[6.0], 4.0, &[0.0]), &[1.5]);
        // With a ridge both of a sum get the same, and what has no row nothing.
        let sum = dense(&[[1.0, 1.0, 0.0]]);
        assert_near(&sum.descend(&[4.0], 1.0, &[3.0; 3]), &[4.0 / 3.0, 4.0 / 3.0, 0.0]);
        // Lawson and Hanson's condition holds: the zero has its slope downwards.
        assert_near(
            &dense(&[[1.0, 2.0], [3.0, 4.0]]).descend(&[1.0, 1.0], 0.0, &[0.0; 2]),
            &[0.0, 0.3],
        );
    }

    proptest! {
        /// The conditions of Karush, Kuhn and Tucker: no slope where an unknown is above zero, and
        /// none downwards where it is zero.
        #[test]
        fn no_unknown_can_do_better(
            rows in proptest::collection::vec(proptest::array::uniform4(-2.0f64..2.0), 8),
            target in proptest::collection::vec(-3.0f64..5.0, 8),
        ) {
            let ridge = 0.05;
            let matrix = dense(&rows);
            let found = matrix.descend(&target, ridge, &[1.0; 4]);
            let product = matrix.times(&found);
            for unknown in 0..4 {
                let slope: f64 = (0..8).map(|row| rows[row][unknown] * (target[row] - product[row])).sum();
                let slope = slope - ridge * found[unknown];
                prop_assert!(found[unknown] >= 0.0 && slope < 1e-3);
                prop_assert!(found[unknown] == 0.0 || slope > -1e-3);
            }
        }
    }

    #[test]
    fn what_rows_determine() {
        let matrix = dense(&[
            [1.0, 1.0, 0.0, 0.0, 0.0],
            [2.0, 2.0, 3.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 1.0, 0.0],
        ]);
        assert_eq!(matrix.determined(), [false, false, true, true, false]);
        let all = dense(&[[1.0, 1.0], [1.0, -1.0]]);
        assert_eq!(all.determined(), [true, true]);
        // A combination of five that no single row shows: a ring of even length leaves one open.
        let ring = |count: usize| {
            let rows: Vec<SparseRow> =
                (0..count).map(|it| vec![(it, 1.0), ((it + 1) % count, 1.0)]).collect();
            SparseMatrix::new(&rows, &vec![1.0; count], count).determined()
        };
        assert_eq!((ring(5), ring(6)), (vec![true; 5], vec![false; 6]));
    }
}
