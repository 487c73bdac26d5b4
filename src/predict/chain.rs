//! The slowest chain of dependences from an iteration to others.
//!
//! **Givens.** What each instruction reads and writes, and latencies between them. **Unknown.** The
//! largest ratio, over all cycles of dependences, of the latencies on it to the iterations that it
//! spans. **Method.** A guess is raised to the ratio of a cycle that exceeds it, as long as
//! there is one: Bellman and Ford's search finds a cycle of positive length where each edge is as long as
//! its latency less the guess for each iteration. Every guess is the ratio of a cycle, and there are only so
//! many.

use std::collections::HashMap;

use serde::Serialize;

use super::body::{KnownSteps, StepLatency, StepSite};
use crate::form::Part;

/// What the slowest chain takes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChainBound {
    /// Cycles of an iteration.
    pub cycles: f64,
    /// Iterations after which it comes back to where it began.
    pub iterations: u32,
    /// Its links, in order.
    pub links: Vec<PredictedLink>,
}

/// A link of a chain: from something that an instruction reads to something that it writes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PredictedLink {
    /// Which instruction, counted from 0.
    pub instruction: usize,
    /// What it reads, as people name it.
    pub from: String,
    /// What it writes.
    pub to: String,
    /// Cycles; none where the database does not say.
    pub cycles: Option<f64>,
}

/// Ratios that differ by less are one.
const SAME: f64 = 1e-9;

/// A read or a write of an instruction.
#[derive(Clone, Copy)]
struct Node {
    step: usize,
    site: usize,
    is_write: bool,
}

/// A dependence from a node to another, in the same iteration or in the next one.
#[derive(Clone, Copy)]
struct ChainDependence {
    from: usize,
    to: usize,
    cycles: Option<f64>,
    iterations: u32,
}

/// The dependences of a loop.
struct DependenceGraph {
    nodes: Vec<Node>,
    edges: Vec<ChainDependence>,
}

/// The slowest chain, if there is any that has a latency, and in words what latencies on chains are
/// not known.
pub(super) fn slowest(known: &KnownSteps<'_>) -> (Option<ChainBound>, Vec<String>) {
    let graph = DependenceGraph::of(known);
    let mut ratio = 0.0;
    let mut found = None;
    while let Some(cycle) = graph.longer_than(ratio) {
        let (cycles, iterations) = sums(&cycle);
        let next = cycles / f64::from(iterations.max(1));
        if next <= ratio + SAME {
            break;
        }
        ratio = next;
        found = Some(graph.bound(&cycle, ratio, iterations, known));
    }
    (found, graph.unknown(known))
}

fn sums(cycle: &[ChainDependence]) -> (f64, u32) {
    let cycles = cycle.iter().map(|edge| edge.cycles.unwrap_or(0.0)).sum();
    (cycles, cycle.iter().map(|edge| edge.iterations).sum())
}

impl DependenceGraph {
    fn of(known: &KnownSteps<'_>) -> Self {
        let mut nodes = Vec::new();
        let mut numbers: HashMap<(usize, usize, bool), usize> = HashMap::new();
        for (step, body) in known.steps.iter().enumerate() {
            for (is_write, sites) in [(false, &body.reads), (true, &body.writes)] {
                for site in 0..sites.len() {
                    numbers.insert((step, site, is_write), nodes.len());
                    nodes.push(Node { step, site, is_write });
                }
            }
        }
        let mut edges = Vec::new();
        for (step, body) in known.steps.iter().enumerate() {
            for read in 0..body.reads.len() {
                for write in 0..body.writes.len() {
                    if body.unrelated.contains(&(read, write)) {
                        continue;
                    }
                    let cycles = match known.latency(step, read, write) {
                        StepLatency::Cycles(cycles) => Some(cycles),
                        StepLatency::Unknown => None,
                        StepLatency::Independent => continue,
                    };
                    let (from, to) = (numbers[&(step, read, false)], numbers[&(step, write, true)]);
                    edges.push(ChainDependence { from, to, cycles, iterations: 0 });
                }
            }
        }
        let mut graph = Self { nodes, edges };
        graph.add_passes(known, &numbers);
        graph
    }

    /// From what writes a piece of state last to what reads it: twice through the loop, so that the second
    /// time everything has been written.
    fn add_passes(
        &mut self,
        known: &KnownSteps<'_>,
        numbers: &HashMap<(usize, usize, bool), usize>,
    ) {
        let mut last: HashMap<Part, (usize, bool)> = HashMap::new();
        for is_again in [false, true] {
            for (step, body) in known.steps.iter().enumerate() {
                for (site, read) in body.reads.iter().enumerate() {
                    let to = numbers[&(step, site, false)];
                    for from in writers(&last, read, is_again) {
                        let iterations = u32::from(is_again);
                        let writer = self.nodes[from];
                        let late = known.unforwarded((writer.step, writer.site), (step, site));
                        let edge = ChainDependence { from, to, cycles: Some(late), iterations };
                        self.edges.push(edge);
                    }
                }
                for (site, write) in body.writes.iter().enumerate() {
                    let from = numbers[&(step, site, true)];
                    last.extend(write.parts.iter().map(|&part| (part, (from, is_again))));
                }
            }
        }
    }

    /// The edges of a cycle whose latencies are more than the ratio for each of its iterations.
    fn longer_than(&self, ratio: f64) -> Option<Vec<ChainDependence>> {
        let mut lengths = vec![0.0; self.nodes.len()];
        let mut before: Vec<Option<usize>> = vec![None; self.nodes.len()];
        for _ in 0..=self.nodes.len() {
            let mut is_changed = false;
            for (number, edge) in self.edges.iter().enumerate() {
                let own = edge.cycles.unwrap_or(0.0) - ratio * f64::from(edge.iterations);
                let length = lengths[edge.from] + own;
                if length > lengths[edge.to] + SAME {
                    lengths[edge.to] = length;
                    before[edge.to] = Some(number);
                    is_changed = true;
                }
            }
            if !is_changed {
                return None;
            }
            if let Some(cycle) = self.cycle(&before) {
                return Some(cycle);
            }
        }
        None
    }

    /// A cycle among the edges by which nodes were reached last.
    fn cycle(&self, before: &[Option<usize>]) -> Option<Vec<ChainDependence>> {
        // The walk in which each node was seen.
        let mut seen = vec![usize::MAX; before.len()];
        for start in 0..before.len() {
            let mut at = start;
            while seen[at] == usize::MAX {
                seen[at] = start;
                let Some(edge) = before[at] else { break };
                at = self.edges[edge].from;
            }
            if seen[at] != start || before[at].is_none() {
                continue;
            }
            let mut cycle = Vec::new();
            let first = at;
            while let Some(edge) = before[at] {
                cycle.push(self.edges[edge]);
                at = self.edges[edge].from;
                if at == first {
                    cycle.reverse();
                    return Some(cycle);
                }
            }
        }
        None
    }

    fn bound(
        &self,
        cycle: &[ChainDependence],
        cycles: f64,
        iterations: u32,
        known: &KnownSteps<'_>,
    ) -> ChainBound {
        let is_pass = |edge: &ChainDependence| self.nodes[edge.from].is_write;
        let before = |at: usize| &cycle[(at + cycle.len() - 1) % cycle.len()];
        // (What is late because it was not forwarded counts with the link that waits for it.)
        let link = |(at, edge): (usize, &ChainDependence)| {
            let late = Some(before(at)).filter(|it| is_pass(it)).and_then(|it| it.cycles);
            let link = self.link(edge, known);
            let cycles = link.cycles.map(|cycles| cycles + late.unwrap_or(0.0));
            PredictedLink { cycles, ..link }
        };
        let links = cycle.iter().enumerate().filter(|(_, edge)| !is_pass(edge));
        let mut links: Vec<PredictedLink> = links.map(link).collect();
        // It begins where an iteration does.
        let first = (0..links.len()).min_by_key(|&at| links[at].instruction).unwrap_or(0);
        links.rotate_left(first);
        ChainBound { cycles, iterations, links }
    }

    fn link(&self, edge: &ChainDependence, known: &KnownSteps<'_>) -> PredictedLink {
        let (from, to) = (self.nodes[edge.from], self.nodes[edge.to]);
        let step = &known.steps[from.step];
        PredictedLink {
            instruction: from.step,
            from: step.reads[from.site].text.clone(),
            to: step.writes[to.site].text.clone(),
            cycles: edge.cycles,
        }
    }

    /// In words, the latencies that are not known although chains go through them, of instructions
    /// that the database has.
    fn unknown(&self, known: &KnownSteps<'_>) -> Vec<String> {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        self.edges.iter().for_each(|edge| next[edge.from].push(edge.to));
        let leads = |from: usize, to: usize| {
            let (mut seen, mut open) = (vec![false; next.len()], vec![from]);
            while let Some(at) = open.pop() {
                if at == to {
                    return true;
                }
                open.extend(next[at].iter().filter(|&&it| !seen[it]));
                next[at].iter().for_each(|&it| seen[it] = true);
            }
            false
        };
        let unknown = self.edges.iter().filter(|edge| {
            let entry = &known.entries[self.nodes[edge.from].step];
            edge.cycles.is_none() && entry.is_some() && leads(edge.to, edge.from)
        });
        let words = |edge: &ChainDependence| {
            let (from, to) = (self.nodes[edge.from], self.nodes[edge.to]);
            let step = &known.steps[from.step];
            let (read, write) = (&step.reads[from.site].name, &step.writes[to.site].name);
            format!("the latency of {} from {read} to {write}", step.form)
        };
        unknown.map(words).collect()
    }
}

/// What wrote a place last, each once. On the second way through the loop only what the first one
/// wrote counts, unless a place is another one in each iteration.
fn writers(last: &HashMap<Part, (usize, bool)>, read: &StepSite, is_again: bool) -> Vec<usize> {
    let is_of_before = |(_, again): &&(usize, bool)| *again != is_again && !read.moves;
    let writers = read.parts.iter().filter_map(|part| last.get(part));
    let mut writers: Vec<usize> = match is_again {
        true => writers.filter(is_of_before).map(|&(from, _)| from).collect(),
        false => writers.map(|&(from, _)| from).collect(),
    };
    writers.sort_unstable();
    writers.dedup();
    writers
}
