//! Loops that determine no edge by themselves, solved simultaneously.
//!
//! **Givens.** Loops with several edges unknown, or whose known edges leave potentials of several
//! blocks. **Unknown.** Those latencies and potentials, the columns of an [`Echelon`].
//! **Wanted.** Edges whose c is determined after all: those for which x - p(v) + p(u) has one value.
//! Also blocks whose potentials agree up to constants: they become one block, and what is known of
//! either limits the edges of both.

use std::collections::{BTreeMap, BTreeSet};

use super::elimination::{Column, Echelon, Equation};
use super::form::Form;
use super::solver::{Block, Solver};
use super::{LatencyEdge, NodeId};

/// More loops than this are not looked at (the last ones are left out): propagation leaves a handful
/// at most, and elimination takes their number cubed.
const MAX_SIMULTANEOUS: usize = 200;

impl Solver<'_> {
    /// Solves what is left over simultaneously; whether that determined anything.
    pub fn solve_simultaneously(&mut self) -> bool {
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
    pub fn left_over(&self) -> Echelon {
        let left = self.solution.unresolved(self.network).take(MAX_SIMULTANEOUS);
        Echelon::of(left.map(|walk| self.row(walk)))
    }

    /// A loop as an equation for unknown latencies and the potentials left in it.
    fn row(&self, walk: usize) -> Equation {
        let passes = self.network.loops[walk].passes.iter();
        let unknown = passes.filter(|(edge, _)| self.solution.known(*edge).is_none());
        let latencies = unknown.map(|(edge, count)| (Column::Latency(*edge), *count));
        let potentials = self.solution.potentials(self.network, walk);
        let potentials = potentials
            .into_iter()
            .map(|((block, resource), count)| (Column::Potential(block, resource), count));
        Equation::new(
            latencies.chain(potentials).collect(),
            self.solution.remainder(self.network, walk),
        )
    }

    /// An edge's c in the first block in which it is determined.
    fn determined(&self, edge: usize, echelon: &Echelon) -> Option<(usize, Option<usize>, Form)> {
        let latency = (Column::Latency(edge), 1.0);
        if self.network.is_self_edge(edge) {
            return Some((edge, None, echelon.value([latency])?));
        }
        let LatencyEdge { from, to, .. } = self.network.edges[edge];
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

    /// Unites two blocks that loops tie together: those whose potentials are the same up to constants.
    /// If there are none, those that have a single resource in common, where nothing can differ.
    fn unite_blocks(&mut self, echelon: &Echelon) -> bool {
        let pairs: BTreeSet<(usize, usize)> = echelon.blocks().flat_map(pairs).collect();
        let common = |&(kept, gone): &(usize, usize)| {
            let common = self.blocks[kept].resources.intersection(&self.blocks[gone].resources);
            common.copied().collect::<Vec<NodeId>>()
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
        common: &[NodeId],
        echelon: &Echelon,
    ) -> Option<BTreeMap<NodeId, Form>> {
        let (origin, others) = common.split_first()?;
        let constant = |resource: &NodeId| {
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

    fn unite(&mut self, (kept, gone): (usize, usize), constants: &BTreeMap<NodeId, Form>) {
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
