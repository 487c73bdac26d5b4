//! The edges whose c is known, the potentials that each is relative to, and what loops still say.
//!
//! A *block* is a set of edges that loops connect; it has a potential for each of its resources.

use super::NodeId;
use super::form::Form;
use super::network::Network;

/// c of the edges and where it holds.
#[derive(Debug)]
pub(super) struct Solution {
    pub known: Vec<Option<KnownEdge>>,
    /// How many edges of each loop are unknown.
    pub unknown: Vec<usize>,
    /// Sums over undetermined edges that cancel, so that totals alone remain: checks.
    pub leftover_checks: Vec<Form>,
    pub blocks: usize,
}

/// c of one edge.
#[derive(Debug)]
pub(super) struct KnownEdge {
    pub form: Form,
    /// The block whose potentials it is relative to; none for an edge back to its own beginning.
    pub block: Option<usize>,
}

/// The potentials that are left in the sum of the known edges of a loop. A part of the loop that is
/// closed by itself leaves none: its sum is a constant, in any block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    Free,
    To(usize),
    /// Those of several: it determines nothing.
    Torn,
}

impl Solution {
    pub fn nothing(network: &Network) -> Self {
        Self {
            known: network.edges.iter().map(|_| None).collect(),
            unknown: network.loops.iter().map(|walk| walk.passes.len()).collect(),
            leftover_checks: Vec::new(),
            blocks: 0,
        }
    }

    pub fn known(&self, edge: usize) -> Option<&KnownEdge> {
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

    pub fn tie(&self, network: &Network, walk: usize) -> Tie {
        let passes = &network.loops[walk].passes;
        let mut blocks = passes.iter().filter_map(|(edge, _)| self.known(*edge)?.block);
        let Some(first) = blocks.next() else { return Tie::Free };
        // A shortcut for nearly all loops: the loop is closed, and if all its edges are known in one
        // block (or lead back to where they begin) no potential is left.
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

    /// The potentials that the known edges of a loop leave, by block and resource: how often the edges
    /// lead to the resource, minus how often they lead away from it.
    pub fn potentials(&self, network: &Network, walk: usize) -> Vec<((usize, NodeId), f64)> {
        let mut potentials: Vec<((usize, NodeId), f64)> = Vec::new();
        let mut add = |key, count| match potentials.iter_mut().find(|(other, _)| *other == key) {
            Some((_, factor)) => *factor += count,
            None => potentials.push((key, count)),
        };
        for (edge, count) in &network.loops[walk].passes {
            if let Some(KnownEdge { block: Some(block), .. }) = self.known(*edge) {
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
                if let Some(KnownEdge { block: Some(block), .. }) = self.known(*edge) {
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
