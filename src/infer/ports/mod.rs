//! Port usage from time alone.
//!
//! **Givens.** What mixtures of forms take. **Unknowns.** How many ports a core has, and of each form
//! how many micro-operations go to which of them. **Source.** Conjunctive bounds on disjunctive
//! resources: a multiset of micro-operations takes the largest, over all sets of ports, of how many of
//! them can go nowhere else, divided by the size of the set (Hall's theorem).
//!
//! 1. [`structure`]: forms of one micro-operation are sets of ports. Balanced pairs of them show how
//!    large the union of two sets is; the smallest number of ports with sets of these sizes counts.
//! 2. [`fit()`]: every other form is a list of micro-operations on these sets, told by what it costs
//!    beside forms that keep known ports busy.
//! 3. [`refine()`]: usages change one at a time as long as all mixtures together are predicted better.
//! 4. [`conjunctive_resources`]: what mixtures still take longer than predicted is what several forms
//!    hold besides ports.
//! 5. [`names()`]: what a vendor calls the ports, where forms show which is which.
//!
//! A mixture that is fast is proof: no usage whose bound lies above what it took is possible. One that
//! is slow is only evidence, because other things than ports slow cores down.

mod classes;
mod conjunctive;
mod fit;
mod model;
mod names;
mod pairs;
mod passing;
mod refine;
mod set;
pub mod structure;
mod unions;

pub use classes::{PortClasses, all_ports, classes};
pub use conjunctive::{
    ConjunctiveClass, ConjunctiveResource, ConjunctiveTrial, conjunctive_resources,
};
pub use fit::{
    Candidates, Explanation, FormFit, FormObservation, TOLERANCE, fit, forgiven, mean_off, sets_of,
};
pub use model::{Demand, Fullest, MicroOps, Usage, Use, cycles, fullest};
pub use names::{NamedUse, OtherPorts, names};
pub use pairs::{Blocker, PairTimes, WorkedOn};
pub use passing::{PassingOrder, PassingTimes};
pub use refine::{Refined, SwapTrial, TrialPassing, UsageTie, refine, tie_together, total_cost};
pub use set::Ports;
