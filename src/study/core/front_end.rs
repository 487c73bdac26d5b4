//! What the front end of a core takes.

use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::infer::Knowledge;
use crate::kernel::ThroughputBody;
use crate::metadata::OpcodeId;
use crate::units::Cycles;

/// What the front end of a core takes, in cycles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrontEnd {
    /// The simplest instruction: nothing can be faster.
    pub floor: Cycles,
    /// A filler: that, too, unless the core issues fillers one at a time (Cortex-A55). Infinite
    /// where fillers cannot be executed.
    pub filler: Cycles,
}

/// Fillers in the bodies that show the front end's width.
const FLOOR_LENGTHS: [u32; 6] = [192, 384, 480, 576, 672, 768];
/// Instances of the simplest forms in theirs.
const SIMPLE_LENGTH: u32 = 384;

/// What shows how fast the front end is: bodies of fillers, and of the forms that some cores take
/// faster than those.
#[must_use]
pub fn floor_experiments(catalogue: &Catalogue) -> Vec<Experiment> {
    let simple = simplest_experiments(catalogue).map(|(_, experiment)| experiment);
    let fillers = FLOOR_LENGTHS.map(|fillers| Experiment::DispatchFloor { fillers });
    fillers.into_iter().chain(simple).collect()
}

/// The simplest forms, with the body that times each.
fn simplest_experiments(
    catalogue: &Catalogue,
) -> impl Iterator<Item = (OpcodeId, Experiment)> + '_ {
    catalogue.isa.simplest_forms().iter().filter_map(|name| {
        let opcode = catalogue.form_by_name(name)?.opcode;
        Some((opcode, Experiment::Throughput(ThroughputBody::plain(opcode, SIMPLE_LENGTH))))
    })
}

/// The fastest of the simplest forms, with the cycles that it takes.
pub(super) fn simplest(catalogue: &Catalogue, knowledge: &Knowledge) -> Option<(OpcodeId, f64)> {
    let timed = simplest_experiments(catalogue)
        .filter_map(|(opcode, experiment)| Some((opcode, knowledge.timing(&experiment)?.each().0)));
    timed.min_by(|(_, one), (_, other)| one.total_cmp(other))
}

impl FrontEnd {
    /// What the findings of its experiments show.
    #[must_use]
    pub fn of(catalogue: &Catalogue, knowledge: &Knowledge) -> Self {
        let experiments = floor_experiments(catalogue);
        let least = |of: fn(&Experiment) -> bool| {
            let asked = experiments.iter().filter(|experiment| of(experiment));
            let timings = asked.filter_map(|experiment| knowledge.timing(experiment));
            let least = timings.map(|timing| timing.each().0).fold(f64::INFINITY, f64::min);
            Cycles(least)
        };
        let floor = least(|_| true);
        Self {
            // Without a measurement nothing is known to be impossible.
            floor: if floor.0.is_finite() { floor } else { Cycles(0.0) },
            // ... and there is no room for fillers that cannot be executed (models leave them out).
            filler: least(|experiment| matches!(experiment, Experiment::DispatchFloor { .. })),
        }
    }
}
