//! Latencies of edges from the durations of loops.
//!
//! **Givens.** Resources; edges, each from a resource to a resource, with the least it can take and,
//! of a few, the most; loops: closed walks over edges, whose latencies sum to a measured total with an uncertainty.
//! **Unknown.** The latency x of every edge.
//! **Constraints.** The loops' sums; x >= minimum for every edge, and x <= maximum for some.
//! **Source.** Method of winic, section 4. Difference constraints and shortest paths: Cormen,
//! Leiserson, Rivest, Stein, *Introduction to Algorithms*, "Difference constraints and shortest
//! paths"; the reweighting is Johnson's.
//!
//! The sums never determine every x: adding p(v) - p(u) to each edge u -> v, for any p, changes no
//! loop. What they can determine is x = c + p(v) - p(u) with c known and p free.
//!
//! **Algorithm.**
//! 1. *c* (`solver`). A loop with one edge unknown gives it. When there is none, a loop is taken
//!    of which all edges unknown but one lead to resources not reached yet: those get c = 0, which
//!    only chooses p there. When there is none either, the loops left over are solved
//!    simultaneously (`leftovers`). Loops that share no edge say nothing about each other even
//!    where they pass through the same resources, so each such *block* has a p of its own, until a
//!    loop proves two of them to be one. Every c is kept as a signed sum of loop totals (`form`):
//!    errors that cancel do cancel, and each figure can name the loops it rests on.
//! 2. *Contradictions* (`consistency`). A loop that was not needed is a check. One that fails is a
//!    [`Conflict`]; what rests on a suspect loop is contested and limits nothing else. Of two loops
//!    that disagree about one edge the faster gives c, because other instructions can only hold a
//!    chain up.
//! 3. *Limits* (`limits`). x >= minimum is p(u) - p(v) <= c - minimum: a difference constraint, and
//!    so is x <= maximum, which is p(v) - p(u) <= maximum - c.
//!    Shortest paths over the resources of a block give the tightest interval of every x, and the
//!    path is the proof. A negative cycle beyond the errors of measurement is a conflict too.
//! 4. *Enclosures* (`enclosure`). An edge that loops touch but do not determine gets an interval from
//!    single loops. It is true, but perhaps wider than needed.
//!
//! Intervals are the best that timing can say for every edge with [`Bounds::tightest`], given exact
//! totals; with errors, the true latency lies within the interval widened by the uncertainty.

mod consistency;
mod elimination;
mod enclosure;
mod form;
mod leftovers;
mod limits;
mod network;
mod solution;
mod solver;

use std::collections::BTreeSet;

use crate::units::{Cycles, Interval};
use network::Network;

/// Below this many cycles a difference is rounding of the arithmetic, not of the world.
const ROUNDING: f64 = 1e-9;

/// Names a place that holds a value: a register class, the flags, the memory cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// Names an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

/// Names a measured loop: its place in the list given to [`infer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub usize);

/// A dependence of a result on a source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatencyEdge {
    /// Its name.
    pub id: EdgeId,
    /// What is used.
    pub from: NodeId,
    /// What is defined.
    pub to: NodeId,
    /// The least it can take: one cycle, or none where the core may eliminate it; more where that
    /// is known otherwise than from loops.
    pub minimum: Cycles,
    /// The most it can take, where that is known otherwise than from loops.
    pub maximum: Option<Cycles>,
}

/// A closed walk and how long one round takes.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredLoop {
    /// The edges in order; each begins where the one before ends.
    pub edges: Vec<EdgeId>,
    /// Sum of their latencies as measured.
    pub total: Cycles,
    /// The true sum lies within `total` plus or minus this.
    pub uncertainty: Cycles,
}

/// What cannot be inferred from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidInput {
    /// Two edges have the same name.
    #[error("edge {} is given twice", .0.0)]
    DuplicateEdge(EdgeId),
    /// A minimum or maximum that is not a number, or a maximum below the minimum.
    #[error("the minimum and maximum of edge {} are no numbers in order", .0.0)]
    InvalidMinimum(EdgeId),
    /// A loop without edges.
    #[error("loop {} has no edges", .0.0)]
    EmptyLoop(LoopId),
    /// A total or an uncertainty that is not a number, or a negative uncertainty.
    #[error("the total of loop {} is not a number with an uncertainty", .0.0)]
    InvalidTotal(LoopId),
    /// A loop passes an edge that was not given.
    #[error("loop {} passes edge {}, which is not given", .named.0, .edge.0)]
    UnknownEdge {
        /// The loop.
        named: LoopId,
        /// The edge.
        edge: EdgeId,
    },
    /// A loop does not go on where it was, or does not end where it began.
    #[error("loop {} is not closed: edge {} does not begin where the one before ends", .named.0, .edge.0)]
    NotClosed {
        /// The loop.
        named: LoopId,
        /// The edge that begins elsewhere.
        edge: EdgeId,
    },
}

/// What the loops say.
#[derive(Debug, Clone, PartialEq)]
pub struct Inference {
    /// One for each edge given, ascending by name.
    pub edges: Vec<EdgeLatency>,
    /// What cannot all be true.
    pub conflicts: Vec<Conflict>,
    /// Loops with edges that stayed undetermined: they serve for enclosures only.
    pub unresolved: Vec<LoopId>,
}

impl Inference {
    /// What is known of one edge.
    #[must_use]
    pub fn of(&self, edge: EdgeId) -> Option<&EdgeLatency> {
        let place = self.edges.binary_search_by_key(&edge, |latency| latency.edge).ok()?;
        Some(&self.edges[place])
    }
}

/// What is known of one edge.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeLatency {
    /// Which.
    pub edge: EdgeId,
    /// Where its latency lies; `None` when no loop passes it: not measured.
    pub bounds: Option<Bounds>,
    /// Whether it rests on a member of a conflict: its bounds may be wrong.
    pub contested: bool,
}

/// Where a latency lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// Between these; a single value when the ends coincide within the uncertainty.
    pub interval: Interval,
    /// By how much either end may be off.
    pub uncertainty: Cycles,
    /// Why it is not less.
    pub lower_limit: Limit,
    /// Why it is not more.
    pub upper_limit: Limit,
    /// Whether no timing of these loops could say more.
    pub tightest: bool,
}

/// Why a latency is not less, or not more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Limit {
    /// The value follows from loops alone, whatever the minima.
    Measured,
    /// The edge's own minimum or maximum, and no loop.
    Own,
    /// A chain of edges, each of which takes at least its minimum. From above: the chain leads
    /// back, and the time of the closed round is known. From below: the chain leads the same way,
    /// and it is known by how much the edge is slower than the chain. (Where an edge has a maximum
    /// it may stand in the chain the other way round.)
    Chain(Vec<EdgeId>),
    /// What the other edges of this loop leave.
    Loop(LoopId),
}

/// Measurements and minima that cannot all be true.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict {
    /// What is wrong.
    pub kind: ConflictKind,
    /// The loops that take part.
    pub loops: Vec<LoopId>,
    /// Those of them that no other check has cleared: if a single one is wrong, it is among these.
    pub suspects: Vec<LoopId>,
    /// The edges that are contested: of a contradiction those of the suspects, else those that
    /// would have to be faster than they can.
    pub edges: Vec<EdgeId>,
    /// By how much.
    pub amount: Cycles,
    /// How much the errors of measurement explain.
    pub uncertainty: Cycles,
}

/// Ways to be in conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConflictKind {
    /// Loops that give different sums to the same edges: a latency depends on its neighbours.
    Contradiction,
    /// Edges that together take less than their minima: one of them is eliminated or bypassed.
    BelowMinimum,
}

/// What the loops say about every edge. Deterministic; the order of `edges` does not matter.
///
/// # Errors
/// When a loop is not a closed walk over the edges given, or a figure is not a number.
pub fn infer(edges: &[LatencyEdge], loops: &[MeasuredLoop]) -> Result<Inference, InvalidInput> {
    let network = Network::new(edges, loops)?;
    let mut solution = solver::solve(&network, &BTreeSet::new());
    let slower = consistency::slower_of_two(&network, &solution);
    if !slower.is_empty() {
        solution = solver::solve(&network, &slower);
    }
    let mut evidence = consistency::examine(&network, &solution);
    let limited = limits::limit(&network, &solution, &mut evidence);
    let findings = enclosure::enclose(&network, limited, &mut evidence);
    Ok(Inference {
        edges: findings,
        conflicts: evidence.conflicts,
        unresolved: solution.unresolved(&network).map(LoopId).collect(),
    })
}
