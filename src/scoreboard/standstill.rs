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
    /// What conflicts of registers cost, by rules.
    pub conflicts: Vec<ConflictCost>,
    /// What passes when each state is entered.
    pub entering: Vec<Ticks>,
}

/// What passes between two instructions that a rule is about, if their registers conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConflictCost {
    /// When they conflict.
    pub when: Conflicting,
    /// What passes then.
    pub cost: Ticks,
    /// The unit that is busy meanwhile, by its number; without one the whole core stands still.
    pub occupies: Option<usize>,
}

/// Costs of switches.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SwitchCosts {
    /// Of pairs of keys, in either order.
    pub pairs: Vec<((usize, usize), Ticks)>,
    /// Of all other pairs of unlike keys.
    pub other: Ticks,
    /// The unit that switching occupies, by its number; without one the whole core stands still.
    pub occupies: Option<usize>,
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
    /// What passes between two keys.
    #[must_use]
    pub fn between(&self, a: usize, b: usize) -> Ticks {
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
        let waits = self.waits(body);
        let waits = waits.iter().filter(|wait| wait.occupies.is_none()).map(|wait| wait.ticks);
        let changes = self.entering.iter().enumerate().map(|(state, cost)| {
            let crossings = || body.iter().filter_map(|facts| facts.crossings[state]);
            // What is entered again while it lasts is no change.
            let entered = pairs(crossings())
                .filter(|&pair| pair == (StateSide::Leaves, StateSide::Enters))
                .count();
            cost * entered as Ticks
        });
        waits.chain(changes).sum()
    }

    /// What the instructions of a loop wait for behind earlier ones: switches and conflicts.
    #[must_use]
    pub fn waits(&self, body: &[StandstillFacts]) -> Vec<Wait> {
        let keyed = body.iter().enumerate().filter_map(|(at, facts)| Some((at, facts.key?)));
        let switches = pairs(keyed).map(|((_, earlier), (at, later))| Wait {
            at,
            ticks: self.switches.between(earlier, later),
            occupies: self.switches.occupies,
        });
        let conflicts = self.conflicts.iter().enumerate().flat_map(|(number, rule)| {
            let concerned = body.iter().enumerate();
            let concerned = concerned
                .filter_map(move |(at, facts)| Some((at, facts.registers[number].as_ref()?)));
            let conflict = |earlier: &[u32], later: &[u32]| {
                earlier.iter().any(|&a| later.iter().any(|&b| rule.when.holds(a, b)))
            };
            let found =
                pairs(concerned).filter(move |((_, earlier), (_, later))| conflict(earlier, later));
            found.map(|(_, (at, _))| Wait { at, ticks: rule.cost, occupies: rule.occupies })
        });
        switches.chain(conflicts).filter(|wait| wait.ticks > 0).collect()
    }
}

/// What an instruction waits for behind an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Its place in the loop.
    pub at: usize,
    /// For how long.
    pub ticks: Ticks,
    /// The unit that is busy meanwhile; without one the whole core stands still.
    pub occupies: Option<usize>,
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
        let switches = SwitchCosts { pairs: vec![((0, 1), 3)], other: 7, ..SwitchCosts::default() };
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
            conflicts: vec![ConflictCost {
                when: Conflicting::SameBank(2),
                cost: 5,
                occupies: None,
            }],
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
