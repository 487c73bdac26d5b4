//! Relays to run for edges that no loop can tell apart: those between resources that all loops
//! leave and come back to on the same ways. A few of them for two simple edges each way are enough,
//! since loops tie all other edges to these.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::Planner;
use super::plans::{EdgePlan, Route};
use crate::catalogue::ResourceId;
use crate::experiment::Experiment;
use crate::form::{EncodingGroup, InstructionForm};
use crate::infer::{Handover, whole, whole_cycles};
use crate::kernel::{Link, Relay};

/// Links before and behind the edge: several numbers, since a front end delivers some of them in
/// other groups than most, and few enough for the schedulers of small cores.
const LENGTHS: [u32; 7] = [8, 9, 10, 11, 12, 13, 14];

/// Unlike edges that are timed from one resource to another beside a group of encodings (loops do
/// not mix groups, so that nothing ties their edges together).
const EDGES: usize = 2;

/// Candidates for each of them.
const TRIED: usize = 4;

/// What barriers cost beside the longest chain, at least, if they are any: the depth of a front end.
const BARRIER_CYCLES: f64 = 2.0;

/// An edge with the links by which it is timed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The edge.
    pub over: Link,
    /// Stays where the edge begins, in one cycle.
    before: Link,
    /// Stays where it ends.
    behind: Link,
}

impl Passage {
    fn relays(&self, links: u32) -> [Relay; 3] {
        let of = |before: &Link, over: &Link, behind: &Link| {
            let [before, over, behind] = [before, over, behind].map(Clone::clone);
            Relay { before, over, behind, links }
        };
        let Self { over, before, behind } = self;
        [of(before, over, behind), of(before, before, before), of(behind, behind, behind)]
    }
}

impl Planner<'_> {
    /// The passages between all resources between which edges of the plans lead.
    #[must_use]
    pub fn passages(&self, plans: &[EdgePlan]) -> Vec<Passage> {
        if self.catalogue.barrier().is_none() {
            return Vec::new();
        }
        let mut between: BTreeMap<(ResourceId, ResourceId), BTreeSet<EncodingGroup>> =
            BTreeMap::new();
        for plan in plans {
            let Route::Walks(walks) = &plan.route else { continue };
            let form = self.catalogue.form(plan.edge.opcode).filter(|_| !walks.is_empty());
            let ends = form.and_then(|form| {
                let at = |site| self.catalogue.resource_at(form, site);
                Some((at(plan.edge.source)?, at(plan.edge.target)?, form.group))
            });
            if let Some((from, to, group)) = ends.filter(|(from, to, _)| from != to) {
                between.entry((from, to)).or_default().insert(group);
                between.entry((to, from)).or_default().insert(group);
            }
        }
        let mut out: Vec<Passage> = Vec::new();
        for ((from, to), groups) in between {
            for group in groups {
                let found = self.between(from, to, group).into_iter().take(EDGES);
                out.extend(found.filter(|passage| !out.contains(passage)).collect::<Vec<_>>());
            }
        }
        out
    }

    /// Passages beside one group of encodings; those first of which relays were asked for already,
    /// lest a plan change while it is carried out.
    fn between(&self, from: ResourceId, to: ResourceId, group: EncodingGroup) -> Vec<Passage> {
        let ends = self.staying(from, group).zip(self.staying(to, group));
        let Some((before, behind)) = ends else { return Vec::new() };
        let over = self.fastest(from, to, group);
        let passage = |over: &Link| {
            let [over, before, behind] = [over, &before, &behind].map(Clone::clone);
            Passage { over, before, behind }
        };
        let was_asked = |passage: &Passage| {
            let Passage { before, over, behind } = passage;
            self.asked.has_relay([before, over, behind])
        };
        let passages = over.iter().take(TRIED).map(passage);
        let (mut asked, others): (Vec<_>, Vec<_>) = passages.partition(was_asked);
        asked.extend(others.into_iter().filter(|passage| self.can_relay(passage)));
        asked
    }

    /// What a chain within a resource is made of, beside a group of encodings.
    fn staying(&self, resource: ResourceId, group: EncodingGroup) -> Option<Link> {
        let fits = |link: &Link, form: &InstructionForm| {
            let at = |site| self.catalogue.resource_at(form, site);
            let stays = at(link.source) == Some(resource) && at(link.target) == Some(resource);
            stays && form.group.with(group).is_some()
        };
        let form = |link: &Link| self.catalogue.form(link.opcode);
        self.staying_links().find(|link| form(link).is_some_and(|form| fits(link, form)))
    }

    /// One link within each resource that relays can be timed in, where there is a barrier.
    pub(super) fn staying_links(&self) -> impl Iterator<Item = Link> {
        let catalogue = self.catalogue;
        let names = catalogue.barrier().map_or(&[][..], |_| catalogue.isa.single_cycle_forms());
        let forms = names.iter().filter_map(|name| catalogue.form_by_name(name));
        forms.filter_map(|form| form.edges().next().map(Link::over))
    }

    fn can_relay(&self, passage: &Passage) -> bool {
        let [shortest, ..] = LENGTHS;
        passage.relays(shortest).iter().all(|relay| relay.build(self.catalogue).is_ok())
    }

    pub(super) fn relays(&self, plans: &[EdgePlan]) -> Vec<Experiment> {
        let relays = |passage: Passage| LENGTHS.map(|links| passage.relays(links)).concat();
        let passages = self.passages(plans).into_iter();
        passages.flat_map(relays).map(Experiment::Relay).collect()
    }

    /// The whole cycles that a passage's edge may take, as far as relays tell that.
    #[must_use]
    pub fn range_of(&self, passage: &Passage) -> Option<RangeInclusive<u32>> {
        let is_staying = |link: &Link| {
            let timing = self.timing_of(std::slice::from_ref(link));
            timing.is_some_and(|timing| {
                timing.is_reliable && (timing.fastest.each().0 - 1.0).abs() <= whole::HELD_UP.0
            })
        };
        if !is_staying(&passage.before) || !is_staying(&passage.behind) {
            return None;
        }
        let lengths = LENGTHS.map(|links| {
            let each = |relay: Relay| {
                let timing = self.knowledge().timing(&Experiment::Relay(relay))?;
                self.known.trust.holds_for(timing).then(|| timing.each().0)
            };
            let [over, stay_before, stay_behind] = passage.relays(links);
            let both = 2.0 * f64::from(links);
            // What it takes beside the links before and behind.
            let over = each(over)? - both;
            let (stay_before, stay_behind) =
                (each(stay_before)? - both - 1.0, each(stay_behind)? - both - 1.0);
            let is_barrier = stay_before.min(stay_behind) >= BARRIER_CYCLES;
            let handover = Handover { by_start: over - stay_behind, by_end: over - stay_before };
            is_barrier.then_some(handover)
        });
        let lengths: Vec<Handover> = lengths.into_iter().flatten().collect();
        let name = |link: &Link| self.catalogue.form(link.opcode).map(|form| form.name.as_str());
        log::debug!("from {:?} over {:?}: {lengths:?}", name(&passage.before), name(&passage.over));
        whole_cycles(&lengths)
    }
}
