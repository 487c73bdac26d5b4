//! Instructions as a scoreboard sees them, by nothing but numbers.

/// A time on a scoreboard: a millionth of a cycle, so that what files say in decimals is exact.
pub type Ticks = u64;

/// Ticks of a cycle.
pub const CYCLE: Ticks = 1_000_000;

/// One instruction of a loop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Operation {
    /// What it reads: of each input the pieces of machine state, by number.
    pub inputs: Vec<Vec<usize>>,
    /// What it writes.
    pub results: Vec<OperationResult>,
    /// What it occupies while it executes, all at once; no unit twice.
    pub units: Vec<UnitUse>,
    /// Whether it waits for all before it, and all behind it wait for it.
    pub serializes: bool,
    /// What it does to a state that takes its time beside other work.
    pub crossing: Option<Crossing>,
}

/// One result of an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationResult {
    /// The pieces of machine state that it is written to, by number.
    pub pieces: Vec<usize>,
    /// How long after each input it is there; none where it does not depend on it.
    pub after: Vec<Option<Ticks>>,
    /// How long after the start it is there, if it depends on no input.
    pub alone: Ticks,
}

/// A unit that an instruction occupies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitUse {
    /// Which, by number.
    pub unit: usize,
    /// For how long.
    pub busy: Ticks,
}

/// Units of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitShape {
    /// How many there are.
    pub count: usize,
    /// Whether instructions start on them in the order of the program.
    pub in_order: bool,
}

/// One end of a state that takes its time beside other work, so that `max(whole, work + leaving)`
/// passes from entering to entering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crossing {
    /// Into the state, which is not left before that much time less `leaving` has passed.
    Enter {
        /// From entering to the earliest start of what follows the leaving.
        whole: Ticks,
        /// What of that leaving takes by itself.
        leaving: Ticks,
        /// Whether nothing behind it is issued before it starts, and `whole` passes from where what leaves
        /// is issued.
        refills: bool,
    },
    /// Out of it.
    Leave {
        /// What leaving takes by itself.
        leaving: Ticks,
    },
}

impl Operation {
    /// How much later than the first one each input may come without delaying any result.
    pub(super) fn leeways(&self) -> Vec<Ticks> {
        let longest = |input: usize| {
            let after = self.results.iter().filter_map(move |result| result.after[input]);
            after.max()
        };
        let inputs = || (0..self.inputs.len()).map(longest);
        let whole = inputs().flatten().max().unwrap_or(0);
        // What no result depends on must be there at the start.
        inputs().map(|longest| longest.map_or(0, |longest| whole - longest)).collect()
    }
}
