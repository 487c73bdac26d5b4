//! Latencies of edges, from the timings of all walks that were measured.

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use super::{Dependence, EdgePlan, Planner, Route, WalkTiming};
use crate::answer::{Circumstance, EdgeLimit, Limits, LoopConflict};
use crate::experiment::Experiment;
use crate::form::{Edge, MemoryAccess, NamedEdge, Site};
use crate::infer::latency::{
    self as network, EdgeId, EdgeLatency, Limit, LoopId, MeasuredLoop, NodeId,
};
use crate::infer::{Reliance, Timing, whole};
use crate::kernel::{Chain, Link};
use crate::study::throughput::one_register_chain;
use crate::study::{Known, Missing};
use crate::units::{Cycles, Interval};

/// Classes of values whose latencies differ by less, in cycles, are one.
const OTHER_LATENCY: f64 = 0.25;
/// An operand that is read in another stage is there at least a cycle later: less, beyond the uncertainty, is of
/// a chain that something else held up.
const OTHER_STAGE: Cycles = Cycles(0.75);
/// A link that takes this much less than a cycle waits for nothing.
const FASTER_THAN_A_CHAIN: f64 = 0.1;
/// What repeated runs of one chain differ by, relative to its duration, beyond what the windows
/// of a single run can show: where its code lies, and who else uses the core (ten runs on Zen 4).
const SYSTEMATIC: f64 = 0.01;
/// The same of what takes longer than [`PROGRAM`]: microcode, with branches and loads of its own ...
const OF_PROGRAMS: f64 = 0.02;
/// ... (in cycles).
const PROGRAM: f64 = 50.0;
/// ... of what an instruction reads from the cell that the one before wrote (`SHR32mCL`: 8.2 to 10.2
/// cycles, `NEG64m`: 8.0 to 10.2; how soon the load notices the store differs from process to process) ...
const OF_REWRITTEN_CELLS: f64 = 0.12;
/// ... and of what waits for memory itself, behind all caches: longer than [`BEHIND_CACHES`]
/// (`VMOVNTPDZ128mr` and a load: 1,046 to 1,598 cycles; it depends on where the cell lies, and on all who
/// use the memory) ...
const OF_MEMORY: f64 = 0.22;
/// ... (in cycles).
const BEHIND_CACHES: f64 = 300.0;

/// What is known of the edges of a run in the end.
#[derive(Debug, Clone)]
pub struct LatencyConclusions {
    /// One for each edge of each subject, in order.
    pub edges: Vec<EdgeConclusion>,
    /// Walks whose timings contradict each other.
    pub conflicts: Vec<LoopConflict>,
}

/// What is known of one edge.
#[derive(Debug, Clone)]
pub struct EdgeConclusion {
    /// Which.
    pub edge: Edge,
    /// Its latency, or why it has none.
    pub value: Result<EdgeValue, Missing>,
}

/// The latency of an edge.
#[derive(Debug, Clone)]
pub struct EdgeValue {
    /// Where it lies.
    pub interval: Interval,
    /// How much either end may be off.
    pub uncertainty: Cycles,
    /// The pass of the fastest walk through it.
    pub pass: Cycles,
    /// What the chain takes when it fills the scheduler, where that is more.
    pub saturated: Option<Cycles>,
    /// The steps that lead back in each walk through it; empty where it is chained into itself.
    pub helpers: Vec<Vec<Link>>,
    /// Whether its timings contradict others.
    pub contested: bool,
    /// Whether the timing settled.
    pub settled: bool,
    /// Latencies under other circumstances: in each class of operand values, where values matter,
    /// with one register at all operands, and where the operand that is written over is older.
    pub variants: Vec<(Circumstance, Cycles)>,
    /// Why an interval is not narrower.
    pub limits: Option<Limits>,
    /// Whether the source is waited for.
    pub dependence: Dependence,
}

/// A link without what does not matter to its latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct EdgeStep {
    edge: Edge,
    immediate: Option<(usize, i64)>,
}

impl EdgeStep {
    fn of(link: &Link) -> Self {
        Self {
            edge: Edge { opcode: link.opcode, source: link.source, target: link.target },
            immediate: link.immediate,
        }
    }
}

/// Numbers steps as edges of the network.
struct Numbering<'a, 'k> {
    planner: &'a Planner<'k>,
    known: BTreeMap<EdgeStep, EdgeId>,
    edges: Vec<network::LatencyEdge>,
    /// The step of each edge.
    steps: Vec<EdgeStep>,
    /// Edges that relays say something about.
    timed: Vec<EdgeId>,
}

impl Numbering<'_, '_> {
    fn edge(&mut self, link: &Link) -> Option<EdgeId> {
        let step = EdgeStep::of(link);
        if let Some(&known) = self.known.get(&step) {
            return Some(known);
        }
        let catalogue = self.planner.catalogue;
        let form = catalogue.form(link.opcode)?;
        let at = |site| catalogue.resource_at(form, site).map(|resource| NodeId(resource.0));
        let id = EdgeId(self.edges.len() as u32);
        self.edges.push(network::LatencyEdge {
            id,
            from: at(link.source)?,
            to: at(link.target)?,
            minimum: self.planner.least_of(link),
            maximum: None,
        });
        self.known.insert(step, id);
        self.steps.push(step);
        Some(id)
    }

    /// Whether none of the edges that a conflict is about accesses memory. An access that does not
    /// happen (a masked one) contradicts whatever is said of the edges beside it.
    fn is_of_registers(&self, conflict: &network::Conflict) -> bool {
        let accesses = |id: &EdgeId| {
            let step = self.steps.get(id.0 as usize);
            let form = step.and_then(|step| self.planner.catalogue.form(step.edge.opcode));
            form.is_some_and(|form| form.memory != MemoryAccess::None)
        };
        !conflict.edges.iter().any(accesses)
    }

    /// The inference with what relays say about the edges of passages, if loops leave room for it;
    /// else the contradiction.
    fn narrowed(
        &mut self,
        plans: &[EdgePlan],
        loops: &[MeasuredLoop],
        from_loops: network::Inference,
    ) -> (network::Inference, Option<LoopConflict>) {
        let mut edges = self.edges.clone();
        let mut timed = Vec::new();
        for passage in self.planner.passages(plans) {
            let range = self.planner.range_of(&passage);
            let id = self.known.get(&EdgeStep::of(&passage.over)).copied();
            if let Some((range, edge)) = range.zip(id.and_then(|id| edges.get_mut(id.0 as usize))) {
                let least = Cycles(f64::from(*range.start()));
                edge.minimum = if least > edge.minimum { least } else { edge.minimum };
                edge.maximum = Some(Cycles(f64::from(*range.end())));
                timed.push(edge.id);
            }
        }
        let of_registers = |inference: &network::Inference| {
            let conflicts = inference.conflicts.iter();
            conflicts.filter(|conflict| self.is_of_registers(conflict)).count()
        };
        match network::infer(&edges, loops) {
            Ok(narrowed) if of_registers(&narrowed) <= of_registers(&from_loops) => {
                (self.edges, self.timed) = (edges, timed);
                (narrowed, None)
            }
            _ => (from_loops, Some(LoopConflict::Barriers)),
        }
    }
}

/// Concludes from everything known about the edges of the planner's subjects.
#[must_use]
pub(super) fn latencies(planner: &Planner<'_>) -> LatencyConclusions {
    let plans = planner.plans();
    let walks = planner.walks(&plans);
    let mut numbering = Numbering {
        planner,
        known: BTreeMap::new(),
        edges: Vec::new(),
        steps: Vec::new(),
        timed: Vec::new(),
    };
    let dependences: Vec<Dependence> =
        plans.par_iter().map(|plan| planner.dependence(plan)).collect();
    let without_meaning: HashSet<Vec<Link>> = plans
        .iter()
        .zip(&dependences)
        .flat_map(|(plan, &dependence)| plan.walks_without_meaning(dependence))
        .collect();
    let mut loops = Vec::new();
    let mut measured = Vec::new();
    for walk in walks.iter().filter(|walk| !without_meaning.contains(*walk)) {
        // What did not settle says nothing about other edges.
        let reliable = planner.timing_of(walk).filter(|it| it.is_reliable);
        let Some(WalkTiming { fastest: timing, .. }) = reliable else { continue };
        let Some(edges) = walk.iter().map(|link| numbering.edge(link)).collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        let uncertainty = uncertainty(walk, timing, planner);
        loops.push(MeasuredLoop { edges, total: timing.each(), uncertainty });
        measured.push(walk);
    }
    let Ok(inference) = network::infer(&numbering.edges, &loops) else {
        // The walks were checked to be closed when they were built.
        return LatencyConclusions { edges: Vec::new(), conflicts: vec![LoopConflict::Open] };
    };
    let (inference, contradicted) = numbering.narrowed(&plans, &loops, inference);
    let words = Words { planner, numbering: &numbering, walks: &measured };
    let mut edges: Vec<EdgeConclusion> = plans
        .iter()
        .zip(dependences)
        .map(|(plan, dependence)| conclude(plan, dependence, planner, &inference, &words))
        .collect();
    let by_detours = planner.by_detours(&plans);
    for EdgeConclusion { edge, value } in &mut edges {
        if let (Ok(value), Some(&latency)) = (value, by_detours.get(edge))
            && latency - value.interval.upper() > OTHER_STAGE + value.uncertainty
        {
            value.variants.push((Circumstance::OtherProducer, latency));
        }
    }
    let conflicts = inference.conflicts.iter().map(|conflict| words.conflict(conflict));
    let conflicts = conflicts.chain(contradicted).collect();
    LatencyConclusions { edges, conflicts }
}

/// How far the latencies of a walk may be from what its chain took. A core is synchronous, so that a
/// walk takes whole cycles. A timing beside them, beyond its error, is of a chain that something else
/// held up in some passes (Zen 4's 512-bit shuffles: 1.14 or 1.22 cycles from run to run; x87's
/// additions: 6.46 or 7): it is known no better than to its distance.
fn uncertainty(walk: &[Link], timing: &Timing, planner: &Planner<'_>) -> Cycles {
    let each = timing.each();
    let rewrites = |link: &Link| {
        let form = planner.catalogue.form(link.opcode);
        form.is_some_and(|form| form.memory == MemoryAccess::Both)
    };
    let systematic = match each.0 {
        of if of > BEHIND_CACHES && walk.iter().any(Link::passes_memory) => OF_MEMORY,
        of if of > PROGRAM => OF_PROGRAMS,
        _ if walk.iter().any(rewrites) => OF_REWRITTEN_CELLS,
        _ => SYSTEMATIC,
    };
    let known = timing.uncertainty() + each * systematic;
    known.max(whole::distance(each))
}

fn conclude(
    plan: &EdgePlan,
    dependence: Dependence,
    planner: &Planner<'_>,
    inference: &network::Inference,
    words: &Words<'_, '_>,
) -> EdgeConclusion {
    let edge = plan.edge;
    let walks = match &plan.route {
        Route::None(reason) => {
            return EdgeConclusion { edge, value: Err(Missing::Because(reason.clone())) };
        }
        Route::Walks(walks) => walks,
    };
    let fastest = walks.iter().filter_map(|walk| planner.timing_of(walk)).min_by(|a, b| {
        let by_duration = a.fastest.each().0.total_cmp(&b.fastest.each().0);
        b.is_reliable.cmp(&a.is_reliable).then(by_duration)
    });
    let Some(WalkTiming { fastest: timing, is_reliable, saturated, alone }) = fastest else {
        let failure = walks.iter().find_map(|walk| planner.failure_of(walk));
        return EdgeConclusion {
            edge,
            value: Err(failure.map_or(Missing::NotAsked, Missing::Because)),
        };
    };
    if dependence.is_doubtful() {
        let value = not_shown(plan, dependence, (timing, is_reliable), planner);
        return EdgeConclusion { edge, value: Ok(value) };
    }
    let id = words.numbering.known.get(&EdgeStep { edge, immediate: None });
    let latency = id.and_then(|&id| inference.of(id));
    // Walks that disagree by more than they err can put an edge below zero: then this walk alone counts.
    let solved = latency.and_then(|latency| {
        let bounds = latency.bounds.as_ref()?;
        let tolerance = bounds.uncertainty.min(whole::PUBLISHED);
        let possible = bounds.interval.not_below(Cycles(0.0), tolerance)?;
        Some((latency, bounds, possible))
    });
    let value = match solved {
        None => Ok(unstable(plan, walks, timing, planner)),
        Some((latency, bounds, possible)) => {
            let others = timing.each() - bounds.interval.upper();
            let by_values = by_values(plan, planner, bounds.interval.upper());
            let usual = by_values.iter().filter(|class| class.usual);
            let interval =
                usual.fold(possible, |hull, class| hull.hull(Interval::exact(class.latency)));
            Ok(EdgeValue {
                interval,
                variants: by_values
                    .into_iter()
                    .map(|class| (Circumstance::Values(class.name.to_owned()), class.latency))
                    .chain(by_immediates(plan, planner, bounds.interval.upper()))
                    .chain(one_register(plan, planner))
                    .chain(same_address(plan, planner, bounds.interval.upper() - timing.each()))
                    .chain(alone.map(|alone| (Circumstance::OldDestination, alone.each() - others)))
                    .collect(),
                uncertainty: bounds.uncertainty,
                pass: timing.each(),
                saturated: saturated.map(|bare| bare.each() - others),
                helpers: walks.iter().map(|walk| walk[1..].to_vec()).collect(),
                contested: latency.contested,
                settled: is_reliable,
                limits: words.limits(latency),
                dependence,
            })
        }
    };
    EdgeConclusion { edge, value }
}

/// What a chain says that shows the throughput: the edge takes no more. If the core does not wait for
/// its source at all it may take nothing.
fn not_shown(
    plan: &EdgePlan,
    dependence: Dependence,
    (timing, is_reliable): (&Timing, bool),
    planner: &Planner<'_>,
) -> EdgeValue {
    let value = unstable(plan, &[vec![Link::over(plan.edge)]], timing, planner);
    let interval = Interval::new(Cycles(0.0), timing.each());
    EdgeValue { interval, dependence, settled: is_reliable, ..value }
}

/// What a timing says of its edge that did not settle, or that others disturbed: it bears on no
/// other edge.
fn unstable(
    plan: &EdgePlan,
    walks: &[Vec<Link>],
    timing: &Timing,
    planner: &Planner<'_>,
) -> EdgeValue {
    let edge = EdgeStep { edge: plan.edge, immediate: None };
    let walk = walks.first().map_or(&[][..], Vec::as_slice);
    let (own, helpers): (Vec<&Link>, Vec<&Link>) =
        walk.iter().partition(|link| EdgeStep::of(link) == edge);
    let least = |links: &[&Link]| links.iter().map(|link| planner.least_of(link).0).sum::<f64>();
    let interval = if helpers.is_empty() {
        Interval::exact(timing.each())
    } else {
        Interval::new(Cycles(least(&own)), timing.each() - Cycles(least(&helpers)))
    };
    EdgeValue {
        interval,
        uncertainty: timing.uncertainty(),
        pass: timing.each(),
        saturated: None,
        helpers: walks.iter().map(|walk| walk[1..].to_vec()).collect(),
        contested: false,
        settled: false,
        variants: Vec::new(),
        limits: None,
        dependence: Dependence::Shown,
    }
}

/// The latency between explicit operands that are all one register. No chain is faster than a cycle
/// a link, so what is faster is none: the core has seen that nothing depends on the register.
fn one_register(plan: &EdgePlan, planner: &Planner<'_>) -> Option<(Circumstance, Cycles)> {
    let explicit = |site| matches!(site, Site::Operand(_));
    let form = planner.catalogue.form(plan.edge.opcode)?;
    if !explicit(plan.edge.source) || !explicit(plan.edge.target) {
        return None;
    }
    let timing = planner.knowledge().timing(&Experiment::Throughput(one_register_chain(form)))?;
    let each = timing.each();
    let latency = if each.0 < 1.0 - FASTER_THAN_A_CHAIN { Cycles(0.0) } else { each };
    Some((Circumstance::OneRegister, latency))
}

/// The latency of an edge that begins or ends in memory where what was written is read at the same
/// address, if that is another; `others` is minus what else the walk takes.
fn same_address(
    plan: &EdgePlan,
    planner: &Planner<'_>,
    others: Cycles,
) -> Option<(Circumstance, Cycles)> {
    let latency = reliable_pass(&planner.same_address(plan)?, planner)? + others;
    Some((Circumstance::SameAddress, latency.max(Cycles(0.0))))
}

/// A latency in a class of values.
struct OfClass {
    name: &'static str,
    usual: bool,
    latency: Cycles,
}

/// The latency in each class of values, from what the headline's is: all usual ones if these differ,
/// and those unusual ones that do.
fn by_values(plan: &EdgePlan, planner: &Planner<'_>, headline: Cycles) -> Vec<OfClass> {
    let chains = planner.class_chains(plan);
    let plain = chains.first().and_then(|(_, chain)| reliable_pass(chain, planner));
    let Some(plain) = plain else { return Vec::new() };
    let mut out: Vec<OfClass> = Vec::new();
    for (values, chain) in &chains {
        let latency = reliable_pass(chain, planner).map(|pass| headline + (pass - plain));
        let of_class = |latency| OfClass { name: values.name, usual: values.usual, latency };
        out.extend(latency.map(of_class));
    }
    let differs = |class: &OfClass| (class.latency - headline).0.abs() > OTHER_LATENCY;
    let usual_matter = out.iter().any(|class| class.usual && differs(class));
    out.retain(|class| differs(class) || (class.usual && usual_matter));
    out
}

/// What a pass of a chain takes, if its timing can be relied on.
fn reliable_pass(chain: &Chain, planner: &Planner<'_>) -> Option<Cycles> {
    let Known { knowledge, trust, .. } = planner.known;
    let asked = Experiment::Latency(chain.clone());
    let is_reliable = knowledge.reliance(&asked, &trust) != Reliance::None;
    knowledge.timing(&asked).filter(|_| is_reliable).map(Timing::each)
}

/// The latency with each value of an immediate that makes a difference, from what the headline's is.
fn by_immediates(
    plan: &EdgePlan,
    planner: &Planner<'_>,
    headline: Cycles,
) -> Vec<(Circumstance, Cycles)> {
    let Some((plain, others)) = planner.immediate_chains(plan) else { return Vec::new() };
    let Some(plain) = reliable_pass(&plain, planner) else { return Vec::new() };
    let latency = |(name, chain): (String, Chain)| {
        let other = reliable_pass(&chain, planner)? - plain;
        let differs = other.0.abs() > OTHER_LATENCY;
        differs.then(|| (Circumstance::Values(name), headline + other))
    };
    others.into_iter().filter_map(latency).collect()
}

/// Says in words what the network says in numbers.
struct Words<'a, 'k> {
    planner: &'a Planner<'k>,
    numbering: &'a Numbering<'a, 'k>,
    walks: &'a [&'a Vec<Link>],
}

impl Words<'_, '_> {
    fn edge(&self, id: EdgeId) -> Option<NamedEdge> {
        let step = self.numbering.steps.get(id.0 as usize)?;
        let form = self.planner.catalogue.form(step.edge.opcode)?;
        Some(step.edge.named(form, &self.planner.catalogue.set))
    }

    fn walk(&self, id: LoopId) -> Vec<NamedEdge> {
        let links = self.walks.get(id.0).map_or(&[][..], |walk| walk.as_slice());
        let steps = links.iter().filter_map(|link| self.numbering.known.get(&EdgeStep::of(link)));
        steps.filter_map(|&id| self.edge(id)).collect()
    }

    fn limit(&self, limit: &Limit) -> EdgeLimit {
        match limit {
            Limit::Measured => EdgeLimit::Measured,
            Limit::Own => EdgeLimit::Least,
            Limit::Chain(edges) => {
                let named = edges.iter().filter_map(|&edge| self.edge(edge)).collect();
                let timed = edges.iter().any(|edge| self.numbering.timed.contains(edge));
                if timed { EdgeLimit::Timed(named) } else { EdgeLimit::Others(named) }
            }
            Limit::Loop(id) => EdgeLimit::Loop(self.walk(*id)),
        }
    }

    fn limits(&self, latency: &EdgeLatency) -> Option<Limits> {
        let bounds = latency.bounds.as_ref()?;
        (bounds.interval.width().0 > 0.0).then(|| Limits {
            below: self.limit(&bounds.lower_limit),
            above: self.limit(&bounds.upper_limit),
        })
    }

    fn conflict(&self, conflict: &network::Conflict) -> LoopConflict {
        LoopConflict::Disagree {
            amount: conflict.amount,
            uncertainty: conflict.uncertainty,
            loops: conflict.suspects.iter().map(|&id| self.walk(id)).collect(),
        }
    }
}
