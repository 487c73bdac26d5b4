//! How long a run waits for others to leave the core.
//!
//! Other hardware threads of a core belong to other programs or, on virtual machines, to other
//! people. They come and go within milliseconds or seconds, so that waiting for them to go costs
//! less than measuring beside them, again and again. The device waits, since only it sees when they
//! have gone; a run decides how long in all.

use std::time::Duration;

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
    pub(super) fn is_over(self) -> bool {
        self.0.is_zero()
    }

    /// What is left.
    pub(super) fn left(self) -> Duration {
        self.0
    }

    /// Takes away what was waited.
    pub(super) fn spend(&mut self, waited: Duration) {
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
