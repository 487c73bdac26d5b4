//! What balanced pairs of forms of one micro-operation take, and what it says of the ports of both.
//!
//! A balanced pair is `w` instances of one form and `v` of the other, so that each alone would take a cycle. It
//! takes `(w + v) / u` cycles, where `u` ports are in the union of both sets. If the front end takes no more than
//! that, `u` is only known to be at least so many. Such a pair is taken to share no port if nothing else says that it
//! might: if only one of both accesses memory, or if both work on other registers and pairs of such forms do not
//! share ports where that can be seen.

use crate::form::MemoryAccess;

/// A form that may be of one micro-operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocker {
    /// How many of it the core does in a cycle.
    pub width: u32,
    /// What it does to memory.
    pub memory: MemoryAccess,
    /// Which registers it works on.
    pub registers: WorkedOn,
}

/// Registers that a form works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkedOn {
    /// General registers alone.
    General,
    /// Vector registers and others that are no general ones.
    Others,
    /// Both, or none that it names.
    Any,
}

impl WorkedOn {
    /// Whether two forms work on other registers.
    fn are_unlike(self, other: Self) -> bool {
        matches!((self, other), (Self::General, Self::Others) | (Self::Others, Self::General))
    }
}

impl Blocker {
    /// Whether it accesses memory.
    pub(super) fn accesses_memory(self) -> bool {
        self.memory != MemoryAccess::None
    }

    /// Whether it writes memory, for which it may have micro-operations for the address and for the data.
    pub(super) fn stores(self) -> bool {
        matches!(self.memory, MemoryAccess::Store | MemoryAccess::Both)
    }
}

/// What balanced pairs take, by the positions of both.
#[derive(Debug, Clone, Default)]
pub struct PairTimes {
    count: usize,
    cycles: Vec<Option<f64>>,
}

impl PairTimes {
    /// Of so many forms, of which no pair is known.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { count, cycles: vec![None; count * count] }
    }

    /// Takes in what a balanced pair takes.
    pub fn insert(&mut self, one: usize, other: usize, cycles: f64) {
        self.cycles[one * self.count + other] = Some(cycles);
        self.cycles[other * self.count + one] = Some(cycles);
    }

    /// What a balanced pair takes, if that is known.
    #[must_use]
    pub fn of(&self, one: usize, other: usize) -> Option<f64> {
        self.cycles[one * self.count + other]
    }
}

/// Durations that differ by less are the same.
pub(super) const SAME: f64 = 0.03;
/// Pairs that must reach the front end's width before it is one.
const WITNESSES: usize = 3;
/// Files of registers have ports in common if more than this share of pairs of forms of both are seen to. (On a
/// Zen 1 a seventh are: forms of several micro-operations, which fill the front end earlier. Where all ports for vectors
/// are some of those for additions, nearly all are.)
const SEEN_TO_SHARE: f64 = 0.5;
/// Rates this near to the width are limited by it.
const AT_WIDTH: f64 = 0.025;

/// Some forms and their pairs, beside the front end.
#[derive(Clone, Copy)]
pub(super) struct Pairs<'a> {
    pub blockers: &'a [Blocker],
    times: &'a PairTimes,
    /// Instructions that the front end takes in a cycle, if mixtures show it.
    pub width: Option<f64>,
    /// Whether forms that work on other registers may have ports in common.
    files_may_share: bool,
}

impl<'a> Pairs<'a> {
    pub fn of(blockers: &'a [Blocker], times: &'a PairTimes) -> Self {
        let mut out =
            Self { blockers, times, width: width(blockers, times), files_may_share: true };
        out.files_may_share = out.share_of_common_ports().is_none_or(|share| share > SEEN_TO_SHARE);
        out
    }

    /// Of the pairs of forms that work on other registers, how many are seen to have ports in common: of those that
    /// the front end does not limit.
    fn share_of_common_ports(&self) -> Option<f64> {
        let count = self.blockers.len();
        let both = (0..count).flat_map(|one| (0..one).map(move |other| (one, other)));
        let unlike = both.filter(|&(one, other)| {
            let (one, other) = (self.blockers[one], self.blockers[other]);
            !one.accesses_memory()
                && !other.accesses_memory()
                && one.registers.are_unlike(other.registers)
        });
        let shares = unlike.filter_map(|(one, other)| {
            let rate = self.rate((one, other), self.cycles(one, other)?);
            let sum = self.blockers[one].width + self.blockers[other].width;
            (!self.is_limited(rate)).then(|| self.least_union((one, other), rate) < sum)
        });
        let shares: Vec<bool> = shares.collect();
        let shared = shares.iter().filter(|shares| **shares).count();
        (!shares.is_empty()).then(|| shared as f64 / shares.len() as f64)
    }

    /// What a balanced pair takes, if that is known.
    pub fn cycles(&self, one: usize, other: usize) -> Option<f64> {
        self.times.of(one, other)
    }

    /// Whether a rate is limited by the front end, so that it does not show all ports.
    pub fn is_limited(&self, rate: f64) -> bool {
        self.width.is_some_and(|width| rate >= width * (1.0 - AT_WIDTH))
    }

    /// How many instances of both a pair of such a duration does in a cycle.
    pub fn rate(&self, (one, other): (usize, usize), cycles: f64) -> f64 {
        f64::from(self.blockers[one].width + self.blockers[other].width) / cycles
    }

    /// Whether a pair takes what no number of ports explains: its rate is too low by more than a share.
    pub fn is_unexplained(&self, one: usize, other: usize, share: f64) -> bool {
        self.cycles(one, other).is_some_and(|cycles| {
            let rate = self.rate((one, other), cycles);
            let least = f64::from(self.least_union((one, other), rate));
            !self.is_limited(rate) && rate < least * (1.0 - share)
        })
    }

    /// The least ports that explain how fast a pair is: so many at least, but no more than both have.
    pub fn least_union(&self, (one, other): (usize, usize), rate: f64) -> u32 {
        let (one, other) = (self.blockers[one].width, self.blockers[other].width);
        let proven = (rate / (1.0 + SAME)).ceil() as u32;
        proven.max(one).max(other).min(one + other)
    }

    /// Between what the size of the union of two sets lies, by how long a pair takes.
    pub fn union(&self, (one, other): (usize, usize), cycles: f64) -> (u32, u32) {
        let rate = self.rate((one, other), cycles);
        let least = self.least_union((one, other), rate);
        if !self.is_limited(rate) {
            return (least, least);
        }
        // Nobody can see whether such share ports; units for memory are taken to be their own. So are those of each
        // file of registers, if others do not share theirs. (On a Zen 1 no pair with additions, which have four
        // ports, shows more than the five instructions of its front end.)
        let (one, other) = (self.blockers[one], self.blockers[other]);
        let sum = one.width + other.width;
        let are_unlike = one.accesses_memory() != other.accesses_memory()
            || (!self.files_may_share && one.registers.are_unlike(other.registers));
        (if are_unlike { sum } else { least }, sum)
    }
}

/// How many a cycle go through the front end: the rate that several pairs reach and none exceeds by
/// more than noise, though they have ports for more. A whole number, if it is near one.
fn width(blockers: &[Blocker], times: &PairTimes) -> Option<f64> {
    // The rate of each pair, and how many both do in a cycle by themselves.
    let mut rates: Vec<(f64, f64)> = Vec::new();
    for one in 0..blockers.len() {
        for other in 0..one {
            let alone = f64::from(blockers[one].width + blockers[other].width);
            rates.extend(times.of(one, other).map(|cycles| (alone / cycles, alone)));
        }
    }
    rates.sort_by(|a, b| b.0.total_cmp(&a.0));
    let highest = rates.get(WITNESSES - 1)?.0;
    let is_hit = |&&(rate, alone): &&(f64, f64)| {
        rate >= highest * (1.0 - 2.0 * AT_WIDTH) && alone > highest * (1.0 + 2.0 * AT_WIDTH)
    };
    let hits: Vec<f64> = rates.iter().filter(is_hit).map(|&(rate, _)| rate).collect();
    let middle = *hits.get(hits.len() / 2).filter(|_| hits.len() >= WITNESSES)?;
    let whole = middle.round();
    Some(if (middle / whole - 1.0).abs() <= AT_WIDTH { whole } else { middle })
}
