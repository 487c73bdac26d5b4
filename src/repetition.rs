//! What is made again, how often, and how long anyone waits for a better moment.
//!
//! Other hardware threads of a core belong to other programs or, on virtual machines, to other
//! people. They come and go within milliseconds or seconds. So a measurement that somebody may have
//! disturbed is repeated, and on every scale from a window to a run somebody else decides. This is
//! what they decide by:
//!
//! | what is repeated | who repeats it | how long |
//! |---|---|---|
//! | a window of a kernel | the child that times it (`device`) | until [`window::AGREEING`] agree, [`window::IN_A_ROW`] in a row were shared, or [`window::MOST`] are taken |
//! | a kernel, at once | the [`laboratory`](crate::laboratory) | [`KERNEL`] times, while patience lasts |
//! | an experiment, after its round | `pipeline` | [`of_experiment`] times |
//! | what a short run found | `pipeline` | at [`SHORT_RUN`] other moments |
//! | the choice of the unit of time | `pipeline` | [`UNIT_OF_TIME`] times |
//! | what members of a fleet disagree about | [`fleet`](crate::fleet) | [`FLEET`] times |
//!
//! Waiting is the other half. Only the child sees when the others have gone, so it waits; a run
//! decides for how long in all ([`Patience`]).

use std::time::Duration;

/// Windows of one kernel, as the child takes them.
pub mod window {
    use std::ops::RangeInclusive;
    use std::time::Duration;

    /// How many there are at the most.
    pub const MOST: usize = 64;
    /// How many are taken, at the least and at the most.
    pub const COUNT: RangeInclusive<usize> = 6..=MOST;
    /// The same of slow kernels, of which a single iteration is longer than a window should be. Theirs
    /// are much longer than a step of the clock, but seldom undisturbed.
    pub const COUNT_IF_SLOW: RangeInclusive<usize> = 2..=8;
    /// How many must agree.
    pub const AGREEING: usize = 4;
    /// One in so many may be below the level on which the others agree: if its reference was held
    /// up, it looks fast.
    pub const OUTLIERS: usize = 6;
    /// After so many in a row beside somebody else the child gives up: whoever is there stays, and
    /// the kernel is better run again later.
    pub const IN_A_ROW: usize = 8;
    /// After this time no more are taken than needed.
    pub const BUDGET: Duration = Duration::from_millis(25);
    /// Even where no patience is left every kernel may wait so long for others to leave the core: as
    /// long as its windows take.
    pub const PAUSE: Duration = Duration::from_micros(200);
}

/// How often kernels whose findings are doubtful are run again at once, while their shared object is
/// loaded and as long as patience lasts: whoever disturbed them may have gone.
pub const KERNEL: usize = 3;

/// How often an experiment that did not settle, or that others disturbed, is made again after all
/// others of its round. Thousands of values depend on a decisive one.
#[must_use]
pub const fn of_experiment(is_decisive: bool) -> usize {
    if is_decisive { 15 } else { 3 }
}

/// Rounds of [`of_experiment`] there are at the most.
pub const ROUNDS: usize = of_experiment(true);

/// A decisive experiment is worth waiting for as long as so many others.
pub const WORTH_IF_DECISIVE: usize = 20;

/// At the same thing again, after some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempts {
    /// How often.
    pub count: usize,
    /// How long after the one before.
    pub apart: Duration,
}

/// A run that shares its core with somebody who stays for as long as it lasts sees no quiet kernel
/// that would tell. So a short one looks at the core at other moments, too.
pub const SHORT_RUN: Attempts = Attempts { count: 5, apart: Duration::from_millis(100) };

/// A run of fewer timings than these is short: it lasts for less than a few seconds.
pub const FEW_TIMINGS: usize = 1000;

/// Chains that should agree on what a cycle is, and do not.
pub const UNIT_OF_TIME: Attempts = Attempts { count: 10, apart: Duration::from_millis(200) };

/// How often the kernels that all members of a fleet run are repeated for one that disagrees: any
/// single value may be disturbed.
pub const FLEET: usize = 2;

/// What every run may wait.
const OF_A_RUN: Duration = Duration::from_secs(5);
/// ... and what each experiment of it adds, about five times what its kernel takes on a quiet core.
const OF_AN_EXPERIMENT: Duration = Duration::from_millis(2);

/// How much longer a run may wait.
#[derive(Debug, Clone, Copy)]
pub struct Patience(Duration);

impl Default for Patience {
    fn default() -> Self {
        Self(OF_A_RUN)
    }
}

impl Patience {
    /// Adds what so many more experiments are worth waiting for.
    pub fn earn(&mut self, experiments: usize) {
        let count = u32::try_from(experiments).unwrap_or(u32::MAX);
        self.0 = self.0.saturating_add(OF_AN_EXPERIMENT.saturating_mul(count));
    }

    /// Whether it is over.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.0.is_zero()
    }

    /// What is left.
    #[must_use]
    pub fn left(self) -> Duration {
        self.0
    }

    /// Takes away what was waited.
    pub fn spend(&mut self, waited: Duration) {
        self.0 = self.0.saturating_sub(waited);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experiments_are_worth_waiting_for_but_not_for_ever() {
        let mut patience = Patience::default();
        patience.earn(1000);
        assert_eq!(patience.left(), Duration::from_secs(7));
        patience.spend(Duration::from_secs(4));
        assert_eq!(patience.left(), Duration::from_secs(3));
        patience.spend(Duration::from_secs(4));
        assert_eq!(patience.left(), Duration::ZERO);
    }
}
