//! What comes of building chains. Plans ask that of every edge, several threads at once, and the same
//! chain many times, so that it is remembered.

use std::sync::{PoisonError, RwLock};

use crate::catalogue::Catalogue;
use crate::kernel::Chain;
use crate::maps::Map;

/// What came of building a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Its registers do not work out.
    Impossible,
    /// Its links and nothing beside them.
    Plain,
    /// Its links with breakers among them.
    Broken,
}

impl Outcome {
    fn of(chain: &Chain, catalogue: &Catalogue) -> Self {
        match chain.build(catalogue) {
            Err(_) => Self::Impossible,
            Ok(kernel) if chain.has_breakers(&kernel) => Self::Broken,
            Ok(_) => Self::Plain,
        }
    }
}

/// The outcomes that are known.
#[derive(Debug, Default)]
pub(super) struct Outcomes {
    known: RwLock<Map<Chain, Outcome>>,
}

impl Outcomes {
    /// What comes of building a chain from a machine's forms.
    pub fn of(&self, chain: &Chain, catalogue: &Catalogue) -> Outcome {
        // An outcome is there as a whole or not at all, whatever became of who entered others.
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).get(chain).copied();
        known.unwrap_or_else(|| {
            let outcome = Outcome::of(chain, catalogue);
            let mut all = self.known.write().unwrap_or_else(PoisonError::into_inner);
            all.insert(chain.clone(), outcome);
            outcome
        })
    }
}
