//! What cores took that ran a kernel at the same time.

use serde::{Deserialize, Serialize};

use super::Timing;

/// What one of the cores took that ran a kernel at the same time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThreadTiming {
    /// The logical CPU, if it is known.
    pub cpu: Option<u32>,
    /// Bytes of its buffer that lay in huge pages, if that is known.
    pub huge: Option<u64>,
    /// In cycles of this core.
    pub timing: Timing,
}

impl ThreadTiming {
    /// Whether the windows of all cores agreed.
    #[must_use]
    pub fn have_settled(threads: &[Self]) -> bool {
        threads.iter().all(|thread| thread.timing.sample.settled)
    }

    /// Whether findings of one experiment replace others: they settled, or are less uncertain. They are
    /// of one moment and replace each other as a whole.
    #[must_use]
    pub fn are_better(new: &[Self], old: &[Self]) -> bool {
        let doubt = |threads: &[Self]| {
            let relative = |thread: &Self| thread.timing.uncertainty().0 / thread.timing.each().0;
            threads.iter().map(relative).fold(0.0, f64::max)
        };
        match (Self::have_settled(new), Self::have_settled(old)) {
            (true, false) => true,
            (false, true) => false,
            _ => doubt(new) < doubt(old),
        }
    }
}
