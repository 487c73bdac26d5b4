//! The costs that a model has, and their places among its unknowns.

/// Which costs a model may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SequenceTerms {
    /// Issuing only: what a loop of independent instructions takes if none disturbs another.
    Base,
    /// And going over from one key to another.
    Switch,
    /// And waiting for results: the model of the thesis.
    Full,
}

/// What is paid for, by the names of keys.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SequenceCost {
    /// Issuing an instruction.
    Base(String),
    /// Going over from one key to another, in either direction.
    Switch(String, String),
    /// What an instruction that reads the result waits for beyond that.
    Full(String),
}

/// A cost as it was fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct SequenceParameter {
    /// What is paid for.
    pub cost: SequenceCost,
    /// How much.
    pub cycles: f64,
    /// The standard deviation of that, as far as it follows from those of the loops; the model may still
    /// be wrong.
    pub uncertainty: f64,
    /// Whether the loops determine it: else it is one of several costs of which they determine a sum, or
    /// none of them depends on it.
    pub is_identified: bool,
}

/// Where the unknowns of a model stand: `Base` of all keys, `Full` of all keys, `Switch` of all pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) keys: usize,
    pub(super) terms: SequenceTerms,
}

/// An unknown, by keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CostColumn {
    Base(usize),
    Full(usize),
    Switch(usize, usize),
}

impl Columns {
    /// All unknowns, in order.
    pub(super) fn all(self) -> impl Iterator<Item = CostColumn> {
        let one = 0..self.keys;
        let pairs = one.clone().flat_map(|second| (0..second).map(move |first| (first, second)));
        let base = one.clone().map(CostColumn::Base);
        let full = one.map(CostColumn::Full);
        base.chain(full).chain(pairs.map(|(first, second)| CostColumn::Switch(first, second)))
    }

    /// Their number.
    pub(super) fn count(self) -> usize {
        self.keys * 2 + self.keys * self.keys.saturating_sub(1) / 2
    }

    /// The place of one; none if the model has no such term, or nothing is gone over.
    pub(super) fn place(self, column: CostColumn) -> Option<usize> {
        match column {
            CostColumn::Base(key) => Some(key),
            CostColumn::Full(key) => (self.terms >= SequenceTerms::Full).then_some(self.keys + key),
            CostColumn::Switch(one, other) => {
                let (first, second) = (one.min(other), one.max(other));
                let is_paid = first != second && self.terms >= SequenceTerms::Switch;
                is_paid.then(|| 2 * self.keys + second * (second - 1) / 2 + first)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unknown_has_its_place() {
        let columns = Columns { keys: 5, terms: SequenceTerms::Full };
        let places: Vec<_> = columns.all().map(|it| columns.place(it)).collect();
        assert_eq!(places, (0..columns.count()).map(Some).collect::<Vec<_>>());
        assert_eq!(
            columns.place(CostColumn::Switch(3, 1)),
            columns.place(CostColumn::Switch(1, 3))
        );
        assert_eq!(columns.place(CostColumn::Switch(3, 3)), None);
        let base = Columns { keys: 5, terms: SequenceTerms::Base };
        assert_eq!(base.all().filter_map(|it| base.place(it)).count(), 5);
    }
}
