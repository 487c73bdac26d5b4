//! What the loops' sums determine: c of every edge, up to potentials.
//!
//! **Givens.** Loops over edges. **Unknown.** c of every edge, as a [`Form`].
//! **Freedom.** Within a *block* (loops connected by shared edges) a potential for each resource.
//!
//! Propagation takes, of all loops with one edge unknown, the one that gives it with the least
//! error; it is Dijkstra's order with errors for distances. Gauges are chosen loop by loop, fewest
//! unknown edges first, so that each gauge determines an edge: to gauge the edge with the lowest
//! name wherever it leads may tie resources together for nothing and leave loops undetermined that
//! another choice would have used. Inside the chosen loop the lowest names are gauged.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::ResourceId;
use super::elimination::{Row, eliminate};
use super::form::Form;
use super::network::Network;

/// More loops than this are not solved simultaneously: propagation leaves a handful at most, and
/// elimination takes their number cubed.
const MAX_SIMULTANEOUS: usize = 64;

/// c of the edges and where it holds.
#[derive(Debug)]
pub(super) struct Solution {
    known: Vec<Option<Known>>,
    /// How many edges of each loop are unknown.
    unknown: Vec<usize>,
    /// Sums over undetermined edges that cancel, so that totals alone remain: checks.
    pub leftover_checks: Vec<Form>,
    pub blocks: usize,
}

/// c of one edge.
#[derive(Debug)]
pub(super) struct Known {
    pub form: Form,
    /// The block whose potentials it is relative to; none for an edge back to its own beginning.
    pub block: Option<usize>,
}

/// Whose potentials are left in the sum of the known edges of a loop. A part of a loop that is
/// closed by itself leaves none: it is a constant, whichever block it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tie {
    Free,
    To(usize),
    /// Those of several: it determines nothing.
    Torn,
}

impl Solution {
    pub fn known(&self, edge: usize) -> Option<&Known> {
        self.known[edge].as_ref()
    }

    /// Loops that hold whatever the potentials: every edge is known.
    pub fn resolved(&self, network: &Network) -> impl Iterator<Item = usize> {
        (0..self.unknown.len()).filter(|walk| self.is_resolved(network, *walk))
    }

    /// The others.
    pub fn unresolved(&self, network: &Network) -> impl Iterator<Item = usize> {
        (0..self.unknown.len()).filter(|walk| !self.is_resolved(network, *walk))
    }

    fn is_resolved(&self, network: &Network, walk: usize) -> bool {
        self.unknown[walk] == 0 && self.tie(network, walk) == Tie::Free
    }

    fn tie(&self, network: &Network, walk: usize) -> Tie {
        // Passes into a resource less passes out of it, by block.
        let mut balances: Vec<((usize, ResourceId), f64)> = Vec::new();
        let mut add = |key, count| match balances.iter_mut().find(|(other, _)| *other == key) {
            Some((_, balance)) => *balance += count,
            None => balances.push((key, count)),
        };
        for (edge, count) in &network.loops[walk].passes {
            if let Some(Known { block: Some(block), .. }) = self.known(*edge) {
                let edge = &network.edges[*edge];
                add((*block, edge.to), *count);
                add((*block, edge.from), -count);
            }
        }
        let left = balances.iter().filter(|(_, balance)| *balance != 0.0);
        left.fold(Tie::Free, |tie, ((block, _), _)| match tie {
            Tie::Free => Tie::To(*block),
            Tie::To(same) if same == *block => tie,
            Tie::To(_) | Tie::Torn => Tie::Torn,
        })
    }

    /// The total of a loop less its known edges.
    pub fn remainder(&self, network: &Network, walk: usize) -> Form {
        let known = |(edge, count): &(usize, f64)| Some((self.known(*edge)?, *count));
        let passes = network.loops[walk].passes.iter().filter_map(known);
        passes.fold(Form::total_of(walk), |rest, (known, count)| rest.plus(&known.form, -count))
    }
}

/// Determines all that can be determined.
pub(super) fn solve(network: &Network) -> Solution {
    let mut solver = Solver::new(network);
    solver.run();
    solver.solution.leftover_checks = solver.leftover_checks();
    solver.solution
}

struct Solver<'a> {
    network: &'a Network,
    solution: Solution,
    /// Loops with one edge unknown, the most certain first.
    ready: BinaryHeap<Reverse<Ready>>,
    blocks: Vec<Block>,
}

#[derive(Debug, Default)]
struct Block {
    resources: BTreeSet<ResourceId>,
    /// Loops that passed an edge of this block when it became known.
    touched: Vec<usize>,
}

#[derive(Debug, PartialEq)]
struct Ready {
    uncertainty: f64,
    walk: usize,
}

impl Eq for Ready {}

impl PartialOrd for Ready {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ready {
    fn cmp(&self, other: &Self) -> Ordering {
        self.uncertainty.total_cmp(&other.uncertainty).then(self.walk.cmp(&other.walk))
    }
}

impl<'a> Solver<'a> {
    fn new(network: &'a Network) -> Self {
        let solution = Solution {
            known: network.edges.iter().map(|_| None).collect(),
            unknown: network.loops.iter().map(|walk| walk.passes.len()).collect(),
            leftover_checks: Vec::new(),
            blocks: 0,
        };
        Self { network, solution, ready: BinaryHeap::new(), blocks: Vec::new() }
    }

    fn run(&mut self) {
        for walk in 0..self.network.loops.len() {
            self.offer(walk);
        }
        self.propagate();
        // An edge back to its own beginning that one block determines may serve another: repeat.
        loop {
            let mut progress = self.solve_simultaneously(Tie::Free);
            for block in 0..self.blocks.len() {
                progress |= self.grow(block);
            }
            progress |= self.found_blocks();
            if !progress {
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
    fn grow(&mut self, block: usize) -> bool {
        let mut progress = false;
        loop {
            if let Some(gauges) = self.next_gauges(block) {
                self.gauge(&gauges, block);
            } else if !self.solve_simultaneously(Tie::To(block)) {
                return progress;
            }
            progress = true;
        }
    }

    fn next_gauges(&mut self, block: usize) -> Option<Vec<usize>> {
        let mut touched = std::mem::take(&mut self.blocks[block].touched);
        let unknown = &self.solution.unknown;
        touched.retain(|walk| unknown[*walk] > 1);
        touched.sort_by_key(|walk| (unknown[*walk], *walk));
        touched.dedup();
        let open = touched.iter().filter(|walk| self.is_open(**walk, Tie::To(block)));
        let gauges = { open }.find_map(|walk| self.gauges(*walk, Some(block)));
        self.blocks[block].touched = touched;
        gauges
    }

    /// The unknown edges of a loop that lead to new resources, if they are all but one.
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

    fn propagate(&mut self) {
        while let Some(Reverse(Ready { walk, .. })) = self.ready.pop() {
            if let Some((edge, form)) = self.given_by(walk) {
                let block = match self.solution.tie(self.network, walk) {
                    Tie::To(block) => Some(block),
                    Tie::Free | Tie::Torn => None,
                };
                self.learn(edge, form, block);
            }
        }
    }

    /// The unknown edge of a loop with only one, and its c.
    fn given_by(&self, walk: usize) -> Option<(usize, Form)> {
        let (edge, count) = (self.network.loops[walk].passes.iter())
            .find(|(edge, _)| self.solution.known(*edge).is_none())?;
        Some((*edge, self.solution.remainder(self.network, walk).scaled(1.0 / count)))
    }

    fn learn(&mut self, edge: usize, form: Form, block: Option<usize>) {
        let block = if self.network.is_self_edge(edge) { None } else { block };
        self.solution.known[edge] = Some(Known { form, block });
        let network = self.network;
        for walk in &network.passing[edge] {
            self.solution.unknown[*walk] -= 1;
            if let Some(block) = block {
                self.blocks[block].touched.push(*walk);
            }
            self.offer(*walk);
        }
    }

    fn offer(&mut self, walk: usize) {
        let ready =
            self.solution.unknown[walk] == 1 && self.solution.tie(self.network, walk) != Tie::Torn;
        if let Some((_, form)) = ready.then(|| self.given_by(walk)).flatten() {
            let uncertainty = form.uncertainty(self.network);
            self.ready.push(Reverse(Ready { uncertainty, walk }));
        }
    }

    /// Solves loops that are tied alike and have several edges unknown, all within reach.
    fn solve_simultaneously(&mut self, tie: Tie) -> bool {
        let (determined, _) = eliminate(self.open_rows(tie));
        let block = if let Tie::To(block) = tie { Some(block) } else { None };
        let progress = !determined.is_empty();
        for (edge, form) in determined {
            self.learn(edge, form, block);
        }
        self.propagate();
        progress
    }

    fn open_rows(&self, tie: Tie) -> Vec<Row> {
        let reachable = |edge: usize| match tie {
            Tie::To(block) => {
                let edge = &self.network.edges[edge];
                let reached = &self.blocks[block].resources;
                edge.from == edge.to || (reached.contains(&edge.from) && reached.contains(&edge.to))
            }
            Tie::Free | Tie::Torn => self.network.is_self_edge(edge),
        };
        let open = |walk: &usize| self.is_open(*walk, tie) && self.unknown(*walk).all(reachable);
        let walks: Box<dyn Iterator<Item = usize>> = match tie {
            Tie::To(block) => Box::new(self.blocks[block].touched.iter().copied()),
            Tie::Free | Tie::Torn => Box::new(0..self.network.loops.len()),
        };
        walks.filter(open).take(MAX_SIMULTANEOUS).map(|walk| self.row(walk)).collect()
    }

    fn row(&self, walk: usize) -> Row {
        let passes = self.network.loops[walk].passes.iter().copied();
        let unknown = passes.filter(|(edge, _)| self.solution.known(*edge).is_none());
        Row {
            factors: unknown.collect::<BTreeMap<_, _>>(),
            sum: self.solution.remainder(self.network, walk),
        }
    }

    /// Loops that stayed undetermined may still contradict each other.
    fn leftover_checks(&self) -> Vec<Form> {
        let blocks = (0..self.blocks.len()).map(Tie::To);
        let ties = std::iter::once(Tie::Free).chain(blocks);
        ties.flat_map(|tie| eliminate(self.open_rows(tie)).1).collect()
    }
}

/// Resources that are connected: a forest of small size.
struct Reached<'a> {
    block: Option<&'a BTreeSet<ResourceId>>,
    parents: BTreeMap<ResourceId, ResourceId>,
}

impl<'a> Reached<'a> {
    fn new(block: Option<&'a BTreeSet<ResourceId>>) -> Self {
        Self { block, parents: BTreeMap::new() }
    }

    /// Connects two resources; whether they were not connected before.
    fn join(&mut self, a: ResourceId, b: ResourceId) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents.insert(a, b);
        }
        a != b
    }

    fn root(&self, resource: ResourceId) -> ResourceId {
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
