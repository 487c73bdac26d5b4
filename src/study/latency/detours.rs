//! Detours: whether an edge is as fast where another instruction computed its source.
//!
//! Some cores forward a result to a late stage of the same unit: an addend to the multiply-add behind the one
//! that computed it. Chained into itself such an edge is faster than the others of its form, which are those
//! that are asked about: a chain of the form and a helper, less what the helper takes, is what the edge takes
//! where the helper computed its source.

use rayon::prelude::*;

use super::{EdgePlan, Planner, WalkTiming};
use crate::form::Edge;
use crate::kernel::{Chain, Link};
use crate::maps::Map;
use crate::units::Cycles;

/// Edges of a form to one result that differ by less take the same.
const SAME: Cycles = Cycles(0.75);
/// A helper that takes less may have been eliminated: then the form itself computed the source.
const LEAST_HELPER: Cycles = Cycles(0.9);

/// A way from the result of an edge to its source through another instruction.
struct Detour {
    edge: Edge,
    /// The edge, and then the helper.
    around: [Link; 2],
}

impl Detour {
    fn helper(&self) -> &[Link] {
        &self.around[1..]
    }
}

impl Planner<'_> {
    /// The chains that tell what edges take whose sources another instruction computed.
    pub(super) fn detour_chains(&self, plans: &[EdgePlan]) -> Vec<Chain> {
        let detours = self.detours(plans);
        let bare: Vec<Chain> =
            detours.iter().flat_map(|detour| self.chains_of(&detour.around)).collect();
        self.padded(&bare)
    }

    /// What edges take whose sources another instruction computed, of those that are asked about.
    pub(super) fn by_detours(&self, plans: &[EdgePlan]) -> Map<Edge, Cycles> {
        let taken = |detour: &Detour| {
            let around = self.reliable_pass(&detour.around)?;
            Some((detour.edge, around - self.reliable_pass(detour.helper())?))
        };
        self.detours(plans).iter().filter_map(taken).collect()
    }

    fn detours(&self, plans: &[EdgePlan]) -> Vec<Detour> {
        let forms: Vec<&[EdgePlan]> =
            plans.chunk_by(|one, next| one.edge.opcode == next.edge.opcode).collect();
        forms.into_par_iter().flat_map_iter(|form| self.detours_of(form)).collect()
    }

    /// The detours of a form's edges.
    fn detours_of(&self, plans: &[EdgePlan]) -> Vec<Detour> {
        let passes: Vec<(Edge, Cycles)> = plans.iter().filter_map(|plan| self.own(plan)).collect();
        let is_asked = |&&(edge, own): &&(Edge, Cycles)| {
            let mut others = passes.iter().filter(|(other, _)| other.target == edge.target);
            others.any(|&(_, other)| other - own > SAME)
        };
        passes.iter().filter(is_asked).filter_map(|&(edge, _)| self.detour(edge)).collect()
    }

    /// What an edge takes that is chained into itself and nothing else.
    fn own(&self, plan: &EdgePlan) -> Option<(Edge, Cycles)> {
        let link = plan.route.chained_link()?;
        Some((plan.edge, self.reliable_pass(std::slice::from_ref(link))?))
    }

    fn detour(&self, edge: Edge) -> Option<Detour> {
        let form = self.catalogue.form(edge.opcode)?;
        let resource = self.catalogue.resource_at(form, edge.target)?;
        let helpers = self.fastest(resource, resource, form.group);
        let others = helpers.iter().filter(|helper| {
            let pass = self.reliable_pass(std::slice::from_ref(*helper));
            helper.opcode != edge.opcode && pass.is_some_and(|pass| pass >= LEAST_HELPER)
        });
        let ways = others.map(|helper| vec![Link::over(edge), helper.clone()]);
        let way = self.asked_first(ways, |way| self.is_buildable(way), 1).pop()?;
        Some(Detour { edge, around: way.try_into().ok()? })
    }

    fn reliable_pass(&self, walk: &[Link]) -> Option<Cycles> {
        let timing = self.timing_of(walk).filter(|timing| timing.is_reliable);
        timing.map(|WalkTiming { fastest, .. }| fastest.each())
    }
}
