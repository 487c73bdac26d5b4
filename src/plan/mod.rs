//! What to ask next. Planning is a pure function of the forms and of what is known, so full
//! runs, single forms, resumed runs and simulations share one path: as long as
//! [`Planner::next_round`] asks something, the run goes on.

mod dependence;
mod helpers;
mod latency;
mod outcome;
mod relays;
mod survey;
mod throughput;
mod walk_timing;

pub use dependence::{Dependence, DependenceTest};
pub use helpers::relevant_forms;
pub use latency::{EdgePlan, Route};
pub use relays::Passage;
pub use survey::{
    NoUnit, UncoveredChains, UnitOfTime, fault_of, floor_experiments, front_end, missing_registers,
    probes, reference_experiments, register_probes, unit_of_model, unit_of_time,
};
pub use throughput::{
    Broken, Condition, Evidence, bodies_of, companions_of, conditions, dependences_of,
    one_register_chain, slow_forms,
};
pub use walk_timing::WalkTiming;

use std::collections::HashSet;

use crate::experiment::Experiment;
use crate::form::Catalogue;
use crate::infer::Knowledge;
use crate::kernel::Chain;
use crate::maps::Set;
use crate::metadata::OpcodeId;
use crate::units::Cycles;
use outcome::{Outcome, Outcomes};

/// Which of the two databases a run fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Throughput of forms.
    Throughput,
    /// Latency of edges.
    Latency,
}

/// What the front end of a core takes, in cycles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrontEnd {
    /// The simplest instruction: nothing can be faster.
    pub floor: Cycles,
    /// A filler: that, too, unless the core issues fillers one at a time (Cortex-A55). Infinite
    /// where fillers cannot be executed.
    pub filler: Cycles,
}

/// What a run is about.
#[derive(Debug, Clone)]
pub struct Scope {
    /// What is asked of the subjects.
    pub modes: Vec<Mode>,
    /// The forms that were asked for, in order.
    pub subjects: Vec<OpcodeId>,
    /// What the front end takes.
    pub front_end: FrontEnd,
    /// Forms whose single execution takes microseconds: their bodies are short.
    pub slow: HashSet<OpcodeId>,
}

/// Plans a run. It remembers what came of building chains, since that is asked often; otherwise
/// it has no state.
pub struct Planner<'a> {
    /// The machine's forms.
    pub catalogue: &'a Catalogue,
    /// What the run is about.
    pub scope: &'a Scope,
    /// What the front end takes, as far as is known by now: at first what the scope says.
    pub front_end: FrontEnd,
    outcomes: Outcomes,
    helpers: helpers::HelperCell,
}

impl<'a> Planner<'a> {
    /// A planner of a run.
    #[must_use]
    pub fn new(catalogue: &'a Catalogue, scope: &'a Scope) -> Self {
        Self {
            catalogue,
            scope,
            front_end: scope.front_end,
            outcomes: Outcomes::default(),
            helpers: helpers::HelperCell::default(),
        }
    }

    /// The experiments that are worth making now; none when the run is complete.
    #[must_use]
    pub fn next_round(&self, knowledge: &Knowledge) -> Vec<Experiment> {
        let wanted = self.scope.modes.iter().flat_map(|mode| match mode {
            Mode::Throughput => self.throughput_round(knowledge),
            Mode::Latency => self.latency_round(knowledge),
        });
        let mut seen = Set::default();
        wanted
            .filter(|experiment| {
                knowledge.of(experiment).is_none() && seen.insert(experiment.clone())
            })
            .collect()
    }

    /// Whether a chain's registers work out.
    fn can_build(&self, chain: &Chain) -> bool {
        self.outcomes.of(chain, self.catalogue) != Outcome::Impossible
    }

    /// Whether other dependences cross a chain, so that it has breakers.
    fn is_broken(&self, chain: &Chain) -> bool {
        self.outcomes.of(chain, self.catalogue) == Outcome::Broken
    }
}
