//! The search for c of every edge, up to potentials.
//!
//! **Givens.** Loops over edges. **Unknown.** c of every edge, as a [`Form`].
//! **Freedom.** Within a *block* (loops connected by shared edges) a potential for each resource.
//!
//! *Propagation.* Of all loops with one edge unknown, the one that gives its edge with the least error
//! comes first. This is Dijkstra's order, with errors in place of distances.
//!
//! *Gauges.* When no loop has exactly one edge unknown, some edges get c = 0, which only chooses their
//! potentials. The loop with the fewest unknown edges is chosen; all its unknown edges but one must
//! lead to new resources; these get c = 0, lowest names first, and the loop then gives the last one.
//! So every gauge determines an edge. (Setting c = 0 for the edge with the lowest name, wherever it
//! leads, would tie resources together for nothing and leave other loops undetermined.)

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::NodeId;
use super::form::Form;
use super::network::Network;
use super::solution::{KnownEdge, Solution, Tie};

/// Determines all that can be determined, from postponed loops only what no other loop gives.
pub(super) fn solve(network: &Network, postponed: &BTreeSet<usize>) -> Solution {
    let mut solver = Solver::new(network, postponed);
    solver.run();
    solver.solution.leftover_checks = solver.left_over().checks;
    solver.solution
}

/// The search for c.
pub(super) struct Solver<'a> {
    pub network: &'a Network,
    pub solution: Solution,
    postponed: &'a BTreeSet<usize>,
    /// Loops with one edge unknown, the most certain first.
    ready: BinaryHeap<Reverse<Ready>>,
    pub blocks: Vec<Block>,
}

/// Edges that loops connect.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub resources: BTreeSet<NodeId>,
    /// Loops that passed an edge of this block when it became known.
    pub touched: Vec<usize>,
}

/// What a loop with one edge unknown gives.
#[derive(Debug)]
struct Ready {
    is_postponed: bool,
    uncertainty: f64,
    walk: usize,
    edge: usize,
    known: KnownEdge,
}

impl PartialEq for Ready {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ready {}

impl PartialOrd for Ready {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ready {
    fn cmp(&self, other: &Self) -> Ordering {
        // Of equally certain ones the one that rests on the fewest loops.
        let rank = |ready: &Self| (ready.known.form.terms().len(), ready.walk);
        let by_certainty = self.uncertainty.total_cmp(&other.uncertainty);
        let by_turn = self.is_postponed.cmp(&other.is_postponed);
        by_turn.then(by_certainty).then(rank(self).cmp(&rank(other)))
    }
}

impl<'a> Solver<'a> {
    fn new(network: &'a Network, postponed: &'a BTreeSet<usize>) -> Self {
        let solution = Solution::nothing(network);
        Self { network, solution, postponed, ready: BinaryHeap::new(), blocks: Vec::new() }
    }

    fn run(&mut self) {
        for walk in 0..self.network.loops.len() {
            self.offer(walk);
        }
        self.propagate();
        // An edge back to its own beginning that one block determines may serve another: repeat.
        loop {
            for block in 0..self.blocks.len() {
                self.grow(block);
            }
            if !self.found_blocks() && !self.solve_simultaneously() {
                break;
            }
        }
        self.solution.blocks = self.blocks.len();
    }

    /// Begins blocks with loops that touch none, those with the fewest unknown edges first.
    fn found_blocks(&mut self) -> bool {
        let unknown = &self.solution.unknown;
        let mut seeds: Vec<usize> = (0..unknown.len()).filter(|walk| unknown[*walk] > 1).collect();
        seeds.sort_by_key(|walk| unknown[*walk]);
        let before = self.blocks.len();
        for walk in seeds {
            if !self.is_open(walk, Tie::Free) {
                continue;
            }
            if let Some(gauges) = self.gauges(walk, None) {
                self.blocks.push(Block::default());
                let block = self.blocks.len() - 1;
                self.gauge(&gauges, block);
                self.grow(block);
            }
        }
        self.blocks.len() > before
    }

    /// Whether a loop has several unknown edges and is tied like this.
    fn is_open(&self, walk: usize, tie: Tie) -> bool {
        self.solution.unknown[walk] > 1 && self.solution.tie(self.network, walk) == tie
    }

    /// Extends a block until its loops determine no more.
    fn grow(&mut self, block: usize) {
        while let Some(gauges) = self.next_gauges(block) {
            self.gauge(&gauges, block);
        }
    }

    fn next_gauges(&mut self, block: usize) -> Option<Vec<usize>> {
        let mut touched = std::mem::take(&mut self.blocks[block].touched);
        let unknown = &self.solution.unknown;
        touched.retain(|walk| unknown[*walk] > 1);
        touched.sort();
        touched.dedup();
        let most = touched.iter().map(|walk| unknown[*walk]).max().unwrap_or_default();
        let gauges = (2..=most).find_map(|count| {
            let alike = touched.iter().filter(|walk| unknown[**walk] == count);
            let mut open = alike.filter(|walk| self.is_open(**walk, Tie::To(block)));
            open.find_map(|walk| self.gauges(*walk, Some(block)))
        });
        self.blocks[block].touched = touched;
        gauges
    }

    /// The unknown edges of a loop that lead to new resources, if only one unknown edge does not.
    fn gauges(&self, walk: usize, block: Option<usize>) -> Option<Vec<usize>> {
        let mut reached = Reached::new(block.map(|block| &self.blocks[block].resources));
        let (joining, closing): (Vec<usize>, Vec<usize>) = self.unknown(walk).partition(|edge| {
            let edge = &self.network.edges[*edge];
            reached.join(edge.from, edge.to)
        });
        (closing.len() == 1).then_some(joining)
    }

    fn unknown(&self, walk: usize) -> impl Iterator<Item = usize> {
        let edges = self.network.loops[walk].passes.iter().map(|(edge, _)| *edge);
        edges.filter(|edge| self.solution.known(*edge).is_none())
    }

    fn gauge(&mut self, gauges: &[usize], block: usize) {
        for edge in gauges {
            let ends = [self.network.edges[*edge].from, self.network.edges[*edge].to];
            self.blocks[block].resources.extend(ends);
            self.learn(*edge, Form::default(), Some(block));
        }
        self.propagate();
    }

    pub fn propagate(&mut self) {
        while let Some(Reverse(ready)) = self.ready.pop() {
            if self.solution.known(ready.edge).is_none() {
                self.learn(ready.edge, ready.known.form, ready.known.block);
            }
        }
    }

    pub fn learn(&mut self, edge: usize, form: Form, block: Option<usize>) {
        let block = if self.network.is_self_edge(edge) { None } else { block };
        self.solution.known[edge] = Some(KnownEdge { form, block });
        let network = self.network;
        for walk in &network.passing[edge] {
            self.solution.unknown[*walk] -= 1;
            if let Some(block) = block {
                self.blocks[block].touched.push(*walk);
            }
            self.offer(*walk);
        }
    }

    /// Takes note of a loop if it gives an edge.
    pub fn offer(&mut self, walk: usize) {
        if self.solution.unknown[walk] != 1 {
            return;
        }
        let block = match self.solution.tie(self.network, walk) {
            Tie::Free => None,
            Tie::To(block) => Some(block),
            Tie::Torn => return,
        };
        let mut passes = self.network.loops[walk].passes.iter();
        let unknown = passes.find(|(edge, _)| self.solution.known(*edge).is_none());
        if let Some((edge, count)) = unknown {
            let form = self.solution.remainder(self.network, walk).scaled(1.0 / count);
            let uncertainty = form.uncertainty(self.network);
            let known = KnownEdge { form, block };
            let is_postponed = self.postponed.contains(&walk);
            let edge = *edge;
            self.ready.push(Reverse(Ready { is_postponed, uncertainty, walk, edge, known }));
        }
    }
}

/// Resources that are connected: a forest of small size.
struct Reached<'a> {
    block: Option<&'a BTreeSet<NodeId>>,
    parents: BTreeMap<NodeId, NodeId>,
}

impl<'a> Reached<'a> {
    fn new(block: Option<&'a BTreeSet<NodeId>>) -> Self {
        Self { block, parents: BTreeMap::new() }
    }

    /// Connects two resources; whether they were not connected before.
    fn join(&mut self, a: NodeId, b: NodeId) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents.insert(a, b);
        }
        a != b
    }

    fn root(&self, resource: NodeId) -> NodeId {
        // All resources of the block count as its first.
        let mut root = match self.block {
            Some(block) if block.contains(&resource) => *block.first().unwrap_or(&resource),
            _ => resource,
        };
        while let Some(parent) = self.parents.get(&root) {
            root = *parent;
        }
        root
    }
}
