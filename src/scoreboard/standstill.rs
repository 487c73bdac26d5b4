//! What stops the whole core for a while, whatever it is at: switches between kinds of
//! instructions, conflicts of registers, changes of a state. They follow from the order of the
//! program alone, so that an iteration takes what its operations take and all of these besides.

use super::operation::Ticks;

/// What instructions are to the rules of a machine's standstills.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StandstillFacts {
    /// Its key, if it has one: what lies between two instructions with keys and has none does not
    /// count.
    pub key: Option<usize>,
    /// For each rule of conflicts the registers that it is about; none where the rule is not about
    /// the instruction.
    pub registers: Vec<Option<Vec<u32>>>,
    /// For each state whether the instruction enters it or leaves it.
    pub crossings: Vec<Option<StateSide>>,
}

/// Whether an instruction enters a state or leaves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateSide {
    /// It enters it.
    Enters,
    /// It leaves it.
    Leaves,
}

/// The rules of a machine.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StandstillRules {
    /// What passes between two instructions of unlike keys.
    pub switches: SwitchCosts,
    /// What passes between two instructions that a rule is about, if their registers conflict.
    pub conflicts: Vec<(Conflicting, Ticks)>,
    /// What passes when each state is entered.
    pub entering: Vec<Ticks>,
}

/// Costs of switches.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SwitchCosts {
    /// Of pairs of keys, in either order.
    pub pairs: Vec<((usize, usize), Ticks)>,
    /// Of all other pairs of unlike keys.
    pub other: Ticks,
}

/// When registers of two instructions conflict, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflicting {
    /// Always.
    Constant,
    /// If they are the same one.
    Diagonal,
    /// If they are in one of so many banks, over which registers are dealt in turn.
    SameBank(u32),
    /// If the later one is that far behind the earlier one, in circles of a period.
    Periodic {
        /// Registers of a circle.
        period: u32,
        /// How far it is behind.
        offset: u32,
    },
}

impl Conflicting {
    /// Whether two registers conflict, the earlier instruction's first.
    #[must_use]
    pub fn holds(self, earlier: u32, later: u32) -> bool {
        match self {
            Self::Constant => true,
            Self::Diagonal => earlier == later,
            Self::SameBank(banks) => earlier % banks == later % banks,
            Self::Periodic { period, offset } => later % period == (earlier + offset) % period,
        }
    }
}

impl SwitchCosts {
    fn between(&self, a: usize, b: usize) -> Ticks {
        if a == b {
            return 0;
        }
        let pair = self.pairs.iter().find(|((c, d), _)| (a, b) == (*c, *d) || (b, a) == (*c, *d));
        pair.map_or(self.other, |&(_, cost)| cost)
    }
}

impl StandstillRules {
    /// For how long the core stands still in each iteration of a loop, in the long run.
    #[must_use]
    pub fn of_iteration(&self, body: &[StandstillFacts]) -> Ticks {
        let switches = pairs(body.iter().filter_map(|facts| facts.key))
            .map(|(earlier, later)| self.switches.between(earlier, later));
        let conflicts = self.conflicts.iter().enumerate().flat_map(|(rule, &(when, cost))| {
            let concerned = body.iter().filter_map(move |facts| facts.registers[rule].as_ref());
            let conflict = move |earlier: &[u32], later: &[u32]| {
                earlier.iter().any(|&a| later.iter().any(|&b| when.holds(a, b)))
            };
            pairs(concerned)
                .filter(move |(earlier, later)| conflict(earlier, later))
                .map(move |_| cost)
        });
        let changes = self.entering.iter().enumerate().map(|(state, cost)| {
            let crossings = || body.iter().filter_map(|facts| facts.crossings[state]);
            // What is entered again while it lasts is no change.
            let entered = pairs(crossings())
                .filter(|&pair| pair == (StateSide::Leaves, StateSide::Enters))
                .count();
            cost * entered as Ticks
        });
        switches.chain(conflicts).chain(changes).sum()
    }
}

/// Each item with the next one, and the last with the first: a loop.
fn pairs<T: Clone>(items: impl Iterator<Item = T>) -> impl Iterator<Item = (T, T)> {
    let items: Vec<T> = items.collect();
    let next = items.iter().skip(1).chain(items.first()).cloned().collect::<Vec<T>>();
    items.into_iter().zip(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyed(keys: &[usize]) -> Vec<StandstillFacts> {
        let keyed = |&key: &usize| StandstillFacts { key: Some(key), ..Default::default() };
        keys.iter().map(keyed).collect()
    }

    #[test]
    fn a_loop_of_two_keys_switches_twice() {
        let switches = SwitchCosts { pairs: vec![((0, 1), 3)], other: 7 };
        let rules = StandstillRules { switches, ..Default::default() };
        for (keys, expected) in
            [(&[0, 1][..], 6), (&[0, 0, 1], 6), (&[1, 1], 0), (&[0, 1, 2], 17), (&[2], 0)]
        {
            assert_eq!(rules.of_iteration(&keyed(keys)), expected, "{keys:?}");
        }
    }

    #[test]
    fn conflicts_are_told_by_numbers() {
        let holds = |when: Conflicting| {
            let all = (0..64).flat_map(|a| (0..64).map(move |b| (a, b)));
            all.filter(|&(a, b)| when.holds(a, b)).count()
        };
        assert_eq!(holds(Conflicting::Constant), 4096);
        assert_eq!(holds(Conflicting::Diagonal), 64);
        assert_eq!(holds(Conflicting::SameBank(4)), 1024);
        assert_eq!(holds(Conflicting::Periodic { period: 32, offset: 5 }), 128);
        assert!(Conflicting::Periodic { period: 32, offset: 5 }.holds(30, 3));
    }

    #[test]
    fn consecutive_instructions_of_a_rule_conflict() {
        let on = |registers: Option<Vec<u32>>| StandstillFacts {
            registers: vec![registers],
            ..Default::default()
        };
        let rules = StandstillRules {
            conflicts: vec![(Conflicting::SameBank(2), 5)],
            ..Default::default()
        };
        // 0 with 2 does, 2 with 1 and 1 with 0 do not; what is not concerned stands in no way.
        let body = [on(Some(vec![0])), on(None), on(Some(vec![2])), on(Some(vec![1]))];
        assert_eq!(rules.of_iteration(&body), 5);
    }

    #[test]
    fn a_state_that_is_entered_and_left_costs_once() {
        let on = |side| StandstillFacts { crossings: vec![side], ..Default::default() };
        let rules = StandstillRules { entering: vec![10], ..Default::default() };
        let (enter, leave) = (on(Some(StateSide::Enters)), on(Some(StateSide::Leaves)));
        let work = on(None);
        for (body, expected) in [
            (vec![enter.clone(), work.clone(), leave.clone()], 10),
            (vec![enter.clone(), enter.clone(), work.clone(), leave.clone(), leave.clone()], 10),
            (vec![enter.clone(), work.clone()], 0),
            (vec![leave.clone(), work], 0),
            (vec![enter.clone(), leave.clone(), enter, leave], 20),
        ] {
            assert_eq!(rules.of_iteration(&body), expected);
        }
    }
}
