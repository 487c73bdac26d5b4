//! A machine as far as a run has found out about it.

use std::collections::HashSet;
use std::sync::Arc;

use super::Target;
use super::clock::provisional;
use crate::catalogue::Catalogue;
use crate::form::InstructionForm;
use crate::infer::{Finding, Knowledge};
use crate::laboratory::Timebase;
use crate::sample::Clock;
use crate::study::probes;
use crate::units::Hertz;

/// A machine that was surveyed: its clock and its forms.
pub struct Machine {
    /// Executable forms with the registers that exist.
    pub catalogue: Catalogue,
    /// The unit of time, and what makes cycles of ticks.
    pub timebase: Timebase,
    /// The core's frequency as the reference shows it.
    pub frequency: Option<Hertz>,
    /// Everything found out so far.
    pub knowledge: Knowledge,
}

impl Machine {
    /// A machine that nobody has asked yet: it executes everything and has the registers that
    /// every CPU has.
    #[must_use]
    pub fn assumed(target: &Target, forms: Vec<InstructionForm>) -> Self {
        let mut knowledge = Knowledge::default();
        for probe in probes(forms.iter()) {
            knowledge.learn(probe, Finding::Executed { ticks: 0 });
        }
        let (set, isa) = (Arc::clone(&target.set), Arc::clone(&target.isa));
        Self {
            timebase: provisional(&*isa, Clock::Counter),
            catalogue: Catalogue::new(set, isa, forms, &HashSet::new()),
            frequency: None,
            knowledge,
        }
    }
}
