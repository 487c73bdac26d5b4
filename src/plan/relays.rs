//! Relays to run for edges that no loop can tell apart: those between resources that all loops
//! leave and come back to on the same ways. A few of them for two simple edges each way are enough,
//! since loops tie all other edges to these.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::Planner;
use super::latency::{EdgePlan, Route};
use crate::experiment::Experiment;
use crate::form::ResourceId;
use crate::infer::{Handover, Knowledge, Trust, whole_cycles};
use crate::isa::EncodingGroup;
use crate::kernel::{Link, Relay};

/// Links before and behind the edge. Lengths that are no multiples of each other or of the width of
/// a front end, and few enough for the schedulers of small cores.
const LENGTHS: [u32; 3] = [8, 11, 14];

/// Unlike edges that are timed from one resource to another.
const EDGES: usize = 2;

/// Candidates for each of them, and for the links before and behind it.
const TRIED: usize = 4;

/// What barriers cost beside the longest chain, at least, if they are any: the depth of a front end.
const BARRIER_CYCLES: f64 = 2.0;

/// An edge with the links by which it is timed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The edge.
    pub over: Link,
    before: Link,
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
    pub fn passages(&self, plans: &[EdgePlan], knowledge: &Knowledge) -> Vec<Passage> {
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
        let mut out = Vec::new();
        for ((from, to), groups) in between {
            let found = groups.iter().flat_map(|&group| self.between(from, to, group, knowledge));
            out.extend(found.take(EDGES));
        }
        out
    }

    /// Passages beside one group of encodings.
    fn between(
        &self,
        from: ResourceId,
        to: ResourceId,
        group: EncodingGroup,
        knowledge: &Knowledge,
    ) -> Vec<Passage> {
        let fastest = |from, to| self.fastest(from, to, group, knowledge);
        let (before, over, behind) = (fastest(from, from), fastest(from, to), fastest(to, to));
        let tried = |links: &[Link]| links.iter().take(TRIED).cloned().collect::<Vec<_>>();
        let (before, behind) = (tried(&before), tried(&behind));
        let passage = |over: Link| {
            let pairs = before.iter().flat_map(|before| behind.iter().map(move |it| (before, it)));
            let mut passages = pairs.map(|(before, behind)| Passage {
                over: over.clone(),
                before: before.clone(),
                behind: behind.clone(),
            });
            passages.find(|passage| self.can_relay(passage))
        };
        tried(&over).into_iter().filter_map(passage).collect()
    }

    fn can_relay(&self, passage: &Passage) -> bool {
        let [shortest, ..] = LENGTHS;
        passage.relays(shortest).iter().all(|relay| relay.build(self.catalogue).is_ok())
    }

    pub(super) fn relays(&self, plans: &[EdgePlan], knowledge: &Knowledge) -> Vec<Experiment> {
        let relays = |passage: Passage| LENGTHS.map(|links| passage.relays(links)).concat();
        let passages = self.passages(plans, knowledge).into_iter();
        passages.flat_map(relays).map(Experiment::Relay).collect()
    }

    /// The whole cycles that a passage's edge may take, as far as relays tell that.
    #[must_use]
    pub fn range_of(
        &self,
        passage: &Passage,
        knowledge: &Knowledge,
        trust: &Trust,
    ) -> Option<RangeInclusive<u32>> {
        let own = |link: &Link| {
            let timing = self.timing_of(std::slice::from_ref(link), knowledge)?.fastest;
            trust.holds_for(timing).then(|| timing.each().0.round())
        };
        let (before, behind) = (own(&passage.before)?, own(&passage.behind)?);
        let lengths = LENGTHS.map(|links| {
            let each = |relay: Relay| {
                let timing = knowledge.timing(&Experiment::Relay(relay))?;
                trust.holds_for(timing).then(|| timing.each().0)
            };
            let [over, stay_before, stay_behind] = passage.relays(links);
            // What a chain takes beside its links.
            let beside = |relay, cycles: f64| each(relay).map(|each| each - cycles);
            let links = f64::from(links);
            let over = beside(over, links * (before + behind))?;
            let stay_before = beside(stay_before, (2.0 * links + 1.0) * before)?;
            let stay_behind = beside(stay_behind, (2.0 * links + 1.0) * behind)?;
            let is_barrier = stay_before.min(stay_behind) >= BARRIER_CYCLES;
            let handover = Handover { by_start: over - stay_behind, by_end: over - stay_before };
            is_barrier.then_some(handover)
        });
        whole_cycles(&lengths.into_iter().collect::<Option<Vec<_>>>()?)
    }
}
