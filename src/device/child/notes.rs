//! What a child leaves behind: memory that it shares with the runner.

use std::iter;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::device::Window;
use crate::repetition::window;

/// How many short calls of the reference a child times.
pub(super) const SHORT_CALLS: usize = 48;

/// Makes sums of zeros differ with their number. (The fraction of the golden ratio.)
const SEAL: u64 = 0x9e37_79b9_7f4a_7c15;

/// How far a child came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChildStage {
    /// It has not ended its work.
    Unfinished,
    /// The system denied it something it needs before it may start.
    Denied,
    /// It has ended its work.
    Finished,
}

impl ChildStage {
    const ALL: [Self; 3] = [Self::Unfinished, Self::Denied, Self::Finished];
}

/// The notes on one kernel. Every bit pattern is valid, because a kernel may write anywhere:
/// the runner believes no number here further than it must.
///
/// The members are atomic only because two processes share them; the runner reads after the
/// child has ended, so no ordering is needed.
#[repr(C)]
pub(super) struct Notes {
    stage: AtomicU32,
    /// The system's error number, when it was denied something.
    pub error: AtomicU32,
    /// Ticks of the first call.
    pub first: AtomicU64,
    pub iterations: AtomicU64,
    pub reference_iterations: AtomicU64,
    pub sentinel_iterations: AtomicU64,
    /// Ticks that were waited for others to leave the core.
    pub waited: AtomicU64,
    /// Loop count of the short calls.
    pub short_iterations: AtomicU64,
    /// Ticks of short calls of the reference.
    pub short: [AtomicU64; SHORT_CALLS],
    /// Bytes of the buffer in huge pages; [`Notes::UNKNOWN`] where that is not known.
    pub huge: AtomicU64,
    count: AtomicU32,
    /// What the kernel broke, as [`super::breach`] names it.
    pub breaches: AtomicU32,
    windows: [[AtomicU64; 5]; window::MOST],
    /// Of all of the above, once it is complete.
    seal: AtomicU64,
}

impl Notes {
    /// In place of a number that is not known.
    pub(super) const UNKNOWN: u64 = u64::MAX;

    /// Forgets the last child.
    pub(super) fn clear(&self) {
        self.set_stage(ChildStage::Unfinished);
        self.count.store(0, Relaxed);
        self.breaches.store(0, Relaxed);
        self.waited.store(0, Relaxed);
        self.huge.store(Self::UNKNOWN, Relaxed);
        self.seal.store(0, Relaxed);
    }

    /// The last that is written down about a kernel that ran to its end.
    pub(super) fn finish(&self, breaches: u32) {
        self.breaches.store(breaches, Relaxed);
        self.set_stage(ChildStage::Finished);
        self.seal.store(self.sum(), Relaxed);
    }

    /// Whether what was noted when the kernel ended is still the same.
    pub(super) fn is_sealed(&self) -> bool {
        self.seal.load(Relaxed) == self.sum()
    }

    /// A sum in which every member but the seal matters. It is never 0, as cleared seals are.
    fn sum(&self) -> u64 {
        let words = [&self.stage, &self.error, &self.count, &self.breaches];
        let first = [&self.first, &self.iterations, &self.short_iterations, &self.waited];
        let loops = [&self.reference_iterations, &self.sentinel_iterations, &self.huge];
        let words = words.into_iter().map(|word| word.load(Relaxed).into());
        let numbers = first.into_iter().chain(loops).chain(&self.short);
        let numbers = numbers.chain(self.windows.iter().flatten()).map(|word| word.load(Relaxed));
        words.chain(numbers).fold(1, |sum: u64, word| sum.rotate_left(5) ^ word ^ SEAL) | 1
    }

    /// Takes over what short calls of the reference took for another kernel of the same child.
    pub(super) fn copy_short_calls(&self, other: &Self) {
        self.short_iterations.store(other.short_iterations.load(Relaxed), Relaxed);
        for (cell, ticks) in iter::zip(&self.short, &other.short) {
            cell.store(ticks.load(Relaxed), Relaxed);
        }
    }

    pub(super) fn set_stage(&self, stage: ChildStage) {
        self.stage.store(stage as u32, Relaxed);
    }

    pub(super) fn stage(&self) -> ChildStage {
        let stage = self.stage.load(Relaxed) as usize;
        ChildStage::ALL.get(stage).copied().unwrap_or(ChildStage::Unfinished)
    }

    /// Writes down all windows taken; those beyond the capacity are not kept.
    pub(super) fn set_windows(&self, windows: &[Window]) {
        for (cells, window) in self.windows.iter().zip(windows) {
            let Window { reference_before, single, double, reference_after, sentinel } = *window;
            let values = [reference_before, single, double, reference_after, sentinel];
            for (cell, value) in cells.iter().zip(values) {
                cell.store(value, Relaxed);
            }
        }
        self.count.store(windows.len() as u32, Relaxed);
    }

    pub(super) fn windows(&self) -> Vec<Window> {
        let count = self.count.load(Relaxed) as usize;
        let windows = self.windows.iter().take(count);
        windows
            .map(|[before, single, double, after, sentinel]| Window {
                reference_before: before.load(Relaxed),
                single: single.load(Relaxed),
                sentinel: sentinel.load(Relaxed),
                double: double.load(Relaxed),
                reference_after: after.load(Relaxed),
            })
            .collect()
    }

    pub(super) fn short_calls(&self) -> Vec<u64> {
        self.short.iter().map(|ticks| ticks.load(Relaxed)).collect()
    }
}
