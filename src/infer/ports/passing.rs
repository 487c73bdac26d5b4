//! What mixtures take to pass a front end that splits no instruction.
//!
//! Where a front end may split an instruction between two cycles, slots add up. Where it may not, an
//! instruction that needs more slots than are left in a cycle waits for the next one, and what is left is
//! lost: two of four slots each take a cycle each, though there are six. One that needs more than there are
//! begins with a cycle and takes as many as it needs. How much is lost depends on the order in which
//! instructions stand. (LLVM-MCA's dispatch stage is such a front end.)

use std::sync::{Arc, OnceLock};

/// Repetitions that are looked at, at most.
const MOST_REPETITIONS: usize = 64;
/// Slots that are lost to arithmetic are none.
const EQUAL: f64 = 1e-6;

/// The instructions of a mixture in the order in which they stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PassingOrder {
    /// The number of each one's form.
    pub forms: Vec<usize>,
    /// How many rounds of the mixture it is.
    pub rounds: u32,
}

impl PassingOrder {
    /// Of a single instruction.
    #[must_use]
    pub fn of_one() -> Self {
        Self { forms: vec![0], rounds: 1 }
    }

    /// Cycles of a round, repeated, where a front end takes so many slots a cycle.
    #[must_use]
    pub fn cycles(&self, slots: &dyn Fn(usize) -> f64, width: f64) -> f64 {
        let mut front_end = Passing { width, free: width, cycles: 1.0 };
        // The slots that were left when each repetition began, and the cycle that was in.
        let mut begun: Vec<(f64, f64)> = vec![(width, 1.0)];
        let rounds = f64::from(self.rounds.max(1));
        loop {
            self.forms.iter().for_each(|&form| front_end.pass(slots(form)));
            let Passing { free, cycles, .. } = front_end;
            let before = begun.iter().position(|(known, _)| (known - free).abs() < EQUAL);
            // (With slots that have no common measure none begins as another one.)
            let before = before.or_else(|| (begun.len() == MOST_REPETITIONS).then_some(0));
            if let Some(before) = before {
                let repetitions = (begun.len() - before) as f64;
                return (cycles - begun[before].1) / repetitions / rounds;
            }
            begun.push((free, cycles));
        }
    }
}

/// A front end while instructions pass it.
struct Passing {
    width: f64,
    /// Slots that are left in this cycle.
    free: f64,
    cycles: f64,
}

impl Passing {
    fn pass(&mut self, slots: f64) {
        if slots.min(self.width) > self.free + EQUAL {
            self.begin();
        }
        let mut open = slots;
        while open > self.free + EQUAL {
            open -= self.free;
            self.begin();
        }
        self.free -= open;
    }

    fn begin(&mut self) {
        self.free = self.width;
        self.cycles += 1.0;
    }
}

/// What a round of a mixture takes to pass, by the slots of one of its forms. Each time is found when it is asked for:
/// few are.
#[derive(Debug, Clone)]
pub struct PassingTimes(Arc<LazyTimes>);

#[derive(Debug)]
struct LazyTimes {
    sequence: PassingOrder,
    /// The number of the form.
    form: usize,
    /// Slots of each of the others, by their numbers.
    others: Vec<f64>,
    width: f64,
    times: [OnceLock<f64>; PassingTimes::MOST_SLOTS],
}

impl LazyTimes {
    /// Cycles with so many slots, of which the first time is of one.
    fn time(&self, place: usize) -> Option<f64> {
        let time = || {
            let own = (place + 1) as f64;
            let slots = |at: usize| if at == self.form { own } else { self.others[at] };
            self.sequence.cycles(&slots, self.width)
        };
        self.times.get(place).map(|known| *known.get_or_init(time))
    }
}

impl PartialEq for PassingTimes {
    fn eq(&self, other: &Self) -> bool {
        let givens = |it: &LazyTimes| (it.form, it.width);
        let (own, other) = (&*self.0, &*other.0);
        givens(own) == givens(other) && own.sequence == other.sequence && own.others == other.others
    }
}

impl PassingTimes {
    /// Slots that a form may need, at most, for its times to be known.
    pub const MOST_SLOTS: usize = 24;

    /// Of a sequence in which the form has this number, and others need so many slots.
    #[must_use]
    pub fn of(
        sequence: PassingOrder,
        form: usize,
        others: &dyn Fn(usize) -> f64,
        width: f64,
    ) -> Self {
        let forms = sequence.forms.iter().max().map_or(0, |last| last + 1);
        let others = (0..forms).map(|at| if at == form { 0.0 } else { others(at) }).collect();
        let times = [const { OnceLock::new() }; Self::MOST_SLOTS];
        Self(Arc::new(LazyTimes { sequence, form, others, width, times }))
    }

    /// Cycles with one slot, with two, and so on.
    pub fn all(&self) -> impl Iterator<Item = f64> + '_ {
        (0..Self::MOST_SLOTS).filter_map(|place| self.0.time(place))
    }

    /// Cycles with so many slots, half ones counted as whole; 0 where they are too many to tell.
    #[must_use]
    pub fn cycles(&self, slots: f64) -> f64 {
        let place = (slots.ceil() as usize).saturating_sub(1);
        self.0.time(place).unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(slots: &[f64], width: f64) -> f64 {
        let forms = (0..slots.len()).collect();
        PassingOrder { forms, rounds: 1 }.cycles(&|form| slots[form], width)
    }

    #[test]
    fn what_does_not_fit_waits_for_the_next_cycle() {
        assert_eq!(cycles(&[1.0; 6], 6.0), 1.0);
        assert_eq!(cycles(&[4.0], 6.0), 1.0);
        assert_eq!(cycles(&[2.0], 6.0), 1.0 / 3.0);
        assert_eq!(cycles(&[1.0], 6.0), 1.0 / 6.0);
        // Four and one, and one is lost.
        assert_eq!(cycles(&[4.0, 1.0], 6.0), 1.0);
        // Four and two, one and four, two and one: three cycles for two rounds.
        assert_eq!(cycles(&[4.0, 2.0, 1.0], 6.0), 1.5);
    }

    #[test]
    fn what_needs_more_than_a_cycle_begins_one() {
        // Eight of them take two cycles, four slots of which others may take.
        assert_eq!(cycles(&[8.0, 1.0, 1.0, 1.0, 1.0], 6.0), 2.0);
        assert_eq!(cycles(&[8.0], 6.0), 2.0);
        assert_eq!(cycles(&[12.0], 6.0), 2.0);
        assert_eq!(cycles(&[8.0, 5.0], 6.0), 3.0);
    }

    #[test]
    fn no_front_end_that_splits_instructions_is_slower() {
        let mut random = crate::random::Random::new(5);
        for _ in 0..500 {
            let count = 1 + random.below(9);
            let slots: Vec<f64> = (0..count).map(|_| 1.0 + random.below(9) as f64).collect();
            let width = 1.0 + random.below(8) as f64;
            let sum = slots.iter().sum::<f64>() / width;
            let found = cycles(&slots, width);
            assert!(found >= sum - 1e-9 && found <= 2.0 * sum + 1.0, "{slots:?} {width} {found}");
        }
    }

    #[test]
    fn times_are_those_of_the_sequence() {
        let sequence = PassingOrder { forms: vec![0, 1, 1, 0, 1, 1], rounds: 2 };
        let times = PassingTimes::of(sequence, 0, &|_| 1.0, 6.0);
        assert_eq!(times.cycles(1.0), 0.5);
        assert_eq!(times.cycles(4.0), 1.0);
        assert_eq!(times.cycles(3.5), 1.0);
        assert_eq!(times.cycles(1000.0), 0.0);
    }
}
