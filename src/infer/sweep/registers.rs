//! From cycles by pairs of registers to a class of conflicts.

use std::fmt;

use super::{Measured, bic, mean_square};
use crate::units::Cycles;

/// Which pairs of registers conflict, by their places `i` and `j` in the list of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegisterConflict {
    /// None.
    Constant,
    /// A register with itself.
    Diagonal,
    /// Those whose places are alike modulo so many banks.
    SameBank(usize),
    /// Those whose places differ by an offset, modulo a period.
    Periodic {
        /// The period.
        period: usize,
        /// The offset, not above half of the period, as pairs have no order.
        offset: usize,
    },
    /// Those in one group of so many neighbours. (Blocks of rows of Apple's AMX; M3's groups begin in the
    /// middle, and the last goes on with the first.)
    Neighbours {
        /// Registers of a group.
        size: usize,
        /// Where groups begin, below the size.
        first: usize,
        /// How many groups there are until the first comes again.
        groups: usize,
    },
}

/// Banks that register files are known to have.
const BANKS: [usize; 3] = [2, 4, 8];

/// A conflict costs more than so many uncertainties of one pair.
const LEAST_COST: f64 = 2.0;

impl RegisterConflict {
    /// All that so many registers can show.
    fn all(registers: usize) -> impl Iterator<Item = Self> {
        let periods =
            (2..registers).flat_map(|period| (0..=period / 2).map(move |it| (period, it)));
        let periodic = periods.map(|(period, offset)| match offset {
            0 if BANKS.contains(&period) => Self::SameBank(period),
            _ => Self::Periodic { period, offset },
        });
        let sizes = (2..=registers / 2).filter(move |size| registers.is_multiple_of(*size));
        let neighbours = sizes.flat_map(move |size| {
            let groups = registers / size;
            (0..size).map(move |first| Self::Neighbours { size, first, groups })
        });
        [Self::Constant, Self::Diagonal].into_iter().chain(periodic).chain(neighbours)
    }

    /// Whether two registers conflict.
    fn holds(self, [first, second]: [usize; 2]) -> bool {
        let alike = |period: usize, offset: usize| {
            let apart = first.abs_diff(second) % period;
            apart == offset || apart == (period - offset) % period
        };
        match self {
            Self::Constant => false,
            Self::Diagonal => first == second,
            Self::SameBank(banks) => alike(banks, 0),
            Self::Periodic { period, offset } => alike(period, offset),
            Self::Neighbours { size, first: begin, groups } => {
                let group = |register: usize| (register + size - begin) / size % groups;
                group(first) == group(second)
            }
        }
    }

    /// What it has to say of itself: levels of cycles, and which pairs are at them.
    fn parameters(self) -> usize {
        match self {
            Self::Constant => 1,
            Self::Diagonal => 2,
            Self::SameBank(_) => 3,
            Self::Periodic { .. } | Self::Neighbours { first: 1.., .. } => 4,
            Self::Neighbours { first: 0, .. } => 3,
        }
    }
}

/// Which pairs of registers conflict, and what that costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConflictClass {
    /// Which.
    pub kind: RegisterConflict,
    /// Cycles of an instruction where registers do not conflict.
    pub free: f64,
    /// Cycles where they do.
    pub conflicting: Option<f64>,
    /// Cycles where one register takes both turns, if that is a case of its own.
    pub same: Option<f64>,
    /// The root of the mean square of relative differences.
    pub residual: f64,
}

impl ConflictClass {
    /// Chooses the class with the least Bayesian information criterion. One register in both turns may be
    /// a case of its own in each class: then instances wait for each other. None of fewer than three
    /// pairs.
    #[must_use]
    pub fn fit(pairs: &[([usize; 2], Measured)]) -> Option<Self> {
        let registers = pairs.iter().flat_map(|(pair, _)| pair).max()? + 1;
        if pairs.len() < 3 {
            return None;
        }
        let classes = RegisterConflict::all(registers).flat_map(|kind| {
            [false, true].into_iter().filter_map(move |apart| Self::of_kind(kind, apart, pairs))
        });
        classes.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, class)| class)
    }

    /// A class with its levels, and its criterion.
    fn of_kind(
        kind: RegisterConflict,
        is_same_apart: bool,
        pairs: &[([usize; 2], Measured)],
    ) -> Option<(f64, Self)> {
        // (That would be the diagonal.)
        let says_so = matches!(kind, RegisterConflict::Constant | RegisterConflict::Diagonal);
        if is_same_apart && says_so {
            return None;
        }
        let level = |pair: [usize; 2]| match (is_same_apart && pair[0] == pair[1], kind.holds(pair))
        {
            (true, _) => 2,
            (false, conflicts) => usize::from(conflicts),
        };
        let mut sums = [(0.0, 0usize); 3];
        for (pair, it) in pairs {
            let sum = &mut sums[level(*pair)];
            *sum = (sum.0 + it.cycles, sum.1 + 1);
        }
        let means = sums.map(|(sum, count)| (count > 0).then(|| sum / count as f64));
        let free = means[0]?;
        if means[1].is_none() != (kind == RegisterConflict::Constant) {
            return None;
        }
        if is_same_apart && means[2].is_none() {
            return None;
        }
        let model = |pair| means[level(pair)].unwrap_or(free);
        let square = mean_square(pairs.iter().map(|(pair, it)| (it.cycles, model(*pair))));
        let parameters = kind.parameters() + usize::from(is_same_apart);
        // Two registers can conflict or not, but cannot help each other; and among hundreds of classes one
        // splits mere noise well enough for any criterion.
        let noise = pairs.iter().map(|(_, it)| it.uncertainty).sum::<f64>() / pairs.len() as f64;
        let is_a_cost = means[1].is_none_or(|conflicting| conflicting - free > LEAST_COST * noise);
        let [_, conflicting, same] = means;
        let class = Self { kind, free, conflicting, same, residual: square.sqrt() };
        is_a_cost.then(|| (bic(square, pairs.len(), parameters), class))
    }
}

impl fmt::Display for ConflictClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            RegisterConflict::Constant => write!(f, "no conflict")?,
            RegisterConflict::Diagonal => write!(f, "a register conflicts with itself only")?,
            RegisterConflict::SameBank(banks) => {
                write!(f, "conflicts in the same of {banks} banks")?
            }
            RegisterConflict::Periodic { period, offset } => {
                write!(f, "conflicts {offset} apart with a period of {period}")?;
            }
            RegisterConflict::Neighbours { size, first, .. } => {
                write!(f, "conflicts among {size} neighbours, beginning at {first}")?;
            }
        }
        write!(f, ": {} cycles", Cycles(self.free))?;
        if let Some(conflicting) = self.conflicting {
            write!(f, ", {} with a conflict", Cycles(conflicting))?;
        }
        if let Some(same) = self.same {
            write!(f, ", {} of one register", Cycles(same))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All pairs of so many registers, with noise of a share in thousandths.
    fn pairs(
        kind: RegisterConflict,
        registers: usize,
        cost: f64,
        noise: &[f64],
    ) -> Vec<([usize; 2], Measured)> {
        let all =
            (0..registers).flat_map(|first| (first..registers).map(move |second| [first, second]));
        all.zip(noise.iter().cycle())
            .map(|(pair, noise)| {
                let cycles = if kind.holds(pair) { cost } else { 1.0 };
                (pair, Measured { cycles: cycles * (1.0 + noise), uncertainty: 0.01 })
            })
            .collect()
    }

    /// The four classes of the issue, and the one of period 32.
    fn kinds() -> Vec<(RegisterConflict, usize)> {
        let mut kinds = vec![
            (RegisterConflict::Constant, 32),
            (RegisterConflict::Diagonal, 32),
            (RegisterConflict::Periodic { period: 32, offset: 5 }, 64),
            (RegisterConflict::Periodic { period: 32, offset: 0 }, 64),
            (RegisterConflict::Periodic { period: 6, offset: 1 }, 32),
            (RegisterConflict::Neighbours { size: 2, first: 0, groups: 4 }, 8),
            (RegisterConflict::Neighbours { size: 4, first: 2, groups: 2 }, 8),
        ];
        kinds.extend(BANKS.map(|banks| (RegisterConflict::SameBank(banks), 16)));
        kinds
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn classes_are_told_apart_with_noise_of_a_hundredth(
            noise in proptest::collection::vec(-0.0173f64..0.0173, 2080),
            cost in 1.1f64..4.0,
        ) {
            for (kind, registers) in kinds() {
                let fit = ConflictClass::fit(&pairs(kind, registers, cost, &noise)).unwrap();
                prop_assert_eq!(fit.kind, kind, "{} of {} registers", fit, registers);
            }
        }
    }

    #[test]
    fn a_chain_through_one_register_is_a_case_of_its_own() {
        let mut pairs = pairs(RegisterConflict::SameBank(4), 16, 2.0, &[0.0]);
        pairs.iter_mut().filter(|(pair, _)| pair[0] == pair[1]).for_each(|it| it.1.cycles = 4.0);
        let fit = ConflictClass::fit(&pairs).unwrap();
        assert_eq!((fit.kind, fit.same), (RegisterConflict::SameBank(4), Some(4.0)));
        let said = "conflicts in the same of 4 banks: 1.00 cycles, 2.00 with a conflict, 4.00 of one register";
        assert_eq!(fit.to_string(), said);
    }
}
