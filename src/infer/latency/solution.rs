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

use super::elimination::{Column, Echelon, Row};
use super::form::Form;
use super::network::Network;
use super::{Edge, ResourceId};

/// More loops than this are not solved simultaneously: propagation leaves a handful at most, and
/// elimination takes their number cubed.
const MAX_SIMULTANEOUS: usize = 200;

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
        let passes = &network.loops[walk].passes;
        let mut blocks = passes.iter().filter_map(|(edge, _)| self.known(*edge)?.block);
        let Some(first) = blocks.next() else { return Tie::Free };
        // The loop is closed: with every edge known in one block, or known and back to its own
        // beginning, nothing is left. Nearly all loops end here, so this is worth a shortcut.
        if self.unknown[walk] == 0 && blocks.all(|block| block == first) {
            return Tie::Free;
        }
        let left = self.potentials(network, walk).into_iter();
        left.filter(|(_, factor)| *factor != 0.0).fold(
            Tie::Free,
            |tie, ((block, _), _)| match tie {
                Tie::Free => Tie::To(block),
                Tie::To(same) if same == block => tie,
                Tie::To(_) | Tie::Torn => Tie::Torn,
            },
        )
    }

    /// The potentials that the known edges of a loop leave, by block and resource: each as often as
    /// the edges lead to the resource, less as often as they lead away.
    fn potentials(&self, network: &Network, walk: usize) -> Vec<((usize, ResourceId), f64)> {
        let mut potentials: Vec<((usize, ResourceId), f64)> = Vec::new();
        let mut add = |key, count| match potentials.iter_mut().find(|(other, _)| *other == key) {
            Some((_, factor)) => *factor += count,
            None => potentials.push((key, count)),
        };
        for (edge, count) in &network.loops[walk].passes {
            if let Some(Known { block: Some(block), .. }) = self.known(*edge) {
                let edge = &network.edges[*edge];
                add((*block, edge.to), *count);
                add((*block, edge.from), -count);
            }
        }
        potentials
    }

    /// Whether each block's edges are in no loop left over: then nothing more limits its potentials.
    pub fn complete(&self, network: &Network) -> Vec<bool> {
        let mut complete = vec![true; self.blocks];
        for walk in self.unresolved(network) {
            for (edge, _) in &network.loops[walk].passes {
                if let Some(Known { block: Some(block), .. }) = self.known(*edge) {
                    complete[*block] = false;
                }
            }
        }
        complete
    }

    /// The total of a loop less its known edges.
    pub fn remainder(&self, network: &Network, walk: usize) -> Form {
        let known = |(edge, count): &(usize, f64)| Some((&self.known(*edge)?.form, -count));
        let passes = network.loops[walk].passes.iter().filter_map(known);
        Form::sum(std::iter::once((&Form::total_of(walk), 1.0)).chain(passes))
    }
}

/// Determines all that can be determined.
pub(super) fn solve(network: &Network) -> Solution {
    let mut solver = Solver::new(network);
    solver.run();
    solver.solution.leftover_checks = solver.left_over().checks;
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

/// What a loop with one edge unknown gives.
#[derive(Debug)]
struct Ready {
    uncertainty: f64,
    walk: usize,
    edge: usize,
    known: Known,
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
        self.uncertainty.total_cmp(&other.uncertainty).then(rank(self).cmp(&rank(other)))
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
        while let Some(Reverse(ready)) = self.ready.pop() {
            if self.solution.known(ready.edge).is_none() {
                self.learn(ready.edge, ready.known.form, ready.known.block);
            }
        }
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

    /// Takes note of a loop if it gives an edge.
    fn offer(&mut self, walk: usize) {
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
            let known = Known { form, block };
            self.ready.push(Reverse(Ready { uncertainty, walk, edge: *edge, known }));
        }
    }

    /// Solves what is left over simultaneously; whether that determined anything.
    fn solve_simultaneously(&mut self) -> bool {
        let echelon = self.left_over();
        let determined: Vec<(usize, Option<usize>, Form)> =
            echelon.edges().filter_map(|edge| self.determined(edge, &echelon)).collect();
        let progress = !determined.is_empty();
        for (edge, block, form) in determined {
            if self.solution.known(edge).is_none() {
                self.learn(edge, form, block);
            }
        }
        self.propagate();
        progress || self.unite_blocks(&echelon)
    }

    /// The loops that determine no edge by themselves.
    fn left_over(&self) -> Echelon {
        let left = self.solution.unresolved(self.network).take(MAX_SIMULTANEOUS);
        Echelon::of(left.map(|walk| self.row(walk)))
    }

    /// A loop as an equation for unknown latencies and the potentials left in it.
    fn row(&self, walk: usize) -> Row {
        let passes = self.network.loops[walk].passes.iter();
        let unknown = passes.filter(|(edge, _)| self.solution.known(*edge).is_none());
        let latencies = unknown.map(|(edge, count)| (Column::Latency(*edge), *count));
        let potentials = self.solution.potentials(self.network, walk);
        let potentials = potentials
            .into_iter()
            .map(|((block, resource), count)| (Column::Potential(block, resource), count));
        Row::new(latencies.chain(potentials).collect(), self.solution.remainder(self.network, walk))
    }

    /// An edge's c in the first block in which it is determined.
    fn determined(&self, edge: usize, echelon: &Echelon) -> Option<(usize, Option<usize>, Form)> {
        let latency = (Column::Latency(edge), 1.0);
        if self.network.is_self_edge(edge) {
            return Some((edge, None, echelon.value([latency])?));
        }
        let Edge { from, to, .. } = self.network.edges[edge];
        let reaches_both = |block: &usize| {
            let resources = &self.blocks[*block].resources;
            resources.contains(&from) && resources.contains(&to)
        };
        (0..self.blocks.len()).filter(reaches_both).find_map(|block| {
            let to = (Column::Potential(block, to), -1.0);
            let from = (Column::Potential(block, from), 1.0);
            Some((edge, Some(block), echelon.value([latency, from, to])?))
        })
    }

    /// Unites two blocks that loops tie together: whose potentials turn out to be the same up to
    /// constants or, when there are none, that meet in one resource only, where nothing can differ.
    fn unite_blocks(&mut self, echelon: &Echelon) -> bool {
        let pairs: BTreeSet<(usize, usize)> = echelon.blocks().flat_map(pairs).collect();
        let common = |&(kept, gone): &(usize, usize)| {
            let common = self.blocks[kept].resources.intersection(&self.blocks[gone].resources);
            common.copied().collect::<Vec<ResourceId>>()
        };
        let equal = |pair: &(usize, usize)| {
            let common = common(pair);
            Some((*pair, self.constants(*pair, &common, echelon)?)).filter(|_| common.len() > 1)
        };
        let touching =
            |pair: &(usize, usize)| (common(pair).len() == 1).then_some((*pair, BTreeMap::new()));
        let found = pairs.iter().find_map(equal).or_else(|| pairs.iter().find_map(touching));
        let Some((pair, constants)) = found else { return false };
        self.unite(pair, &constants);
        true
    }

    /// By how much the potentials of one block exceed those of another at their common resources.
    fn constants(
        &self,
        (kept, gone): (usize, usize),
        common: &[ResourceId],
        echelon: &Echelon,
    ) -> Option<BTreeMap<ResourceId, Form>> {
        let (origin, others) = common.split_first()?;
        let constant = |resource: &ResourceId| {
            let value = echelon.value([
                (Column::Potential(gone, *resource), 1.0),
                (Column::Potential(gone, *origin), -1.0),
                (Column::Potential(kept, *resource), -1.0),
                (Column::Potential(kept, *origin), 1.0),
            ]);
            Some((*resource, value?))
        };
        others.iter().map(constant).collect()
    }

    fn unite(&mut self, (kept, gone): (usize, usize), constants: &BTreeMap<ResourceId, Form>) {
        let zero = Form::default();
        for (edge, known) in self.network.edges.iter().zip(&mut self.solution.known) {
            let Some(known) = known.as_mut().filter(|known| known.block == Some(gone)) else {
                continue;
            };
            let at = |resource| constants.get(resource).unwrap_or(&zero);
            known.form = known.form.plus(at(&edge.to), 1.0).plus(at(&edge.from), -1.0);
            known.block = Some(kept);
        }
        let Block { resources, touched } = std::mem::take(&mut self.blocks[gone]);
        self.blocks[kept].resources.extend(resources);
        self.blocks[kept].touched.extend(touched);
        (0..self.network.loops.len()).for_each(|walk| self.offer(walk));
        self.propagate();
    }
}

/// Each two of some blocks.
fn pairs(blocks: BTreeSet<usize>) -> Vec<(usize, usize)> {
    let after = |first: usize| blocks.range(first + 1..).map(move |second| (first, *second));
    blocks.iter().flat_map(|first| after(*first)).collect()
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
