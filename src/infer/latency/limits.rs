//! The tightest interval of every edge, from shortest paths over resources.
//!
//! **Givens.** c and minimum of every edge of a block. **Unknown.** The potentials p.
//! **Constraints.** For f: a -> b, c + p(b) - p(a) >= minimum, so p(a) - p(b) <= c - minimum: an arc
//! from a to b of that length. **Wanted.** With D the distances, for e: u -> v
//! c - D(u, v) <= x <= c + D(v, u); both ends are attained (by p = D to u, and to v).
//!
//! **Errors.** Totals that are a little too small make cycles a little negative. Each arc is
//! lengthened by a share of the error of its c, the same for all and the smallest with which no
//! cycle is negative (Newton's method: each negative cycle says what it needs). If all of the error
//! does not suffice, the cycle is a conflict and its edges limit nothing. The share only decides
//! which path is shortest; figures are taken from the paths as measured, so they are off by no more
//! than the errors of their loops.

use std::collections::BTreeMap;

use super::consistency::Suspicions;
use super::form::Form;
use super::network::Network;
use super::solution::{KnownEdge, Solution};
use super::{LatencyEdge, Limit, NodeId, ROUNDING};

/// After so many conflicts within one block none of its minima is believed. Thousands of edges share a
/// few resources, so a single helper that was measured too fast contradicts all its partners.
const MAX_CONFLICTS: usize = 20_000;

/// One end of an interval.
#[derive(Debug, Clone)]
pub(super) struct IntervalEnd {
    pub value: f64,
    pub uncertainty: f64,
    pub limit: Limit,
    /// Whether it is as tight as can be.
    pub tightest: bool,
}

/// Both ends of an edge's interval, as far as they are known.
#[derive(Debug, Clone, Default)]
pub(super) struct IntervalEnds {
    pub lower: Option<IntervalEnd>,
    pub upper: Option<IntervalEnd>,
}

/// The ends that follow from shortest paths, for every edge.
pub(super) fn limit(
    network: &Network,
    solution: &Solution,
    evidence: &mut Suspicions,
) -> Vec<IntervalEnds> {
    let mut ends = vec![IntervalEnds::default(); network.edges.len()];
    let mut members = vec![Vec::new(); solution.blocks];
    for (edge, ends) in ends.iter_mut().enumerate() {
        match solution.known(edge) {
            Some(KnownEdge { form, block: None }) => {
                *ends = measured(network, edge, form, evidence)
            }
            Some(KnownEdge { form, block: Some(block) }) => members[*block].push((edge, form)),
            None => {}
        }
    }
    for (members, complete) in members.iter().zip(solution.complete(network)) {
        BlockLimits::new(network, members, complete).limit(evidence, &mut ends);
    }
    ends
}

/// An edge back to its own beginning: no potential in it.
fn measured(
    network: &Network,
    edge: usize,
    form: &Form,
    evidence: &mut Suspicions,
) -> IntervalEnds {
    let (value, uncertainty) = (form.value(network), form.uncertainty(network));
    let missing = network.minimum(edge) - value;
    if missing > uncertainty + ROUNDING && !evidence.is_contested(edge) {
        evidence.too_fast(network, &[edge], form, missing);
    }
    let end = IntervalEnd { value, uncertainty, limit: Limit::Measured, tightest: true };
    IntervalEnds { lower: Some(end.clone()), upper: Some(end) }
}

struct BlockLimits<'a> {
    network: &'a Network,
    /// Those of minima, one for each edge of the block, and behind them those of maxima.
    arcs: Vec<Arc>,
    /// How many minima there are.
    members: usize,
    resources: usize,
    /// Whether no loop outside limits the potentials further.
    complete: bool,
}

/// A constraint of one edge: `p(from) - p(to) <= length`.
struct Arc {
    edge: usize,
    /// c of the edge, or -c where this is its maximum, and the arc leads against it.
    form: Form,
    from: usize,
    to: usize,
    /// The edge's minimum, or minus its maximum: by so much the length is less than the form.
    bound: f64,
    length: f64,
    /// Error of c.
    error: f64,
}

impl Arc {
    fn new(network: &Network, edge: usize, form: Form, ends: [usize; 2], bound: f64) -> Self {
        let [from, to] = ends;
        let (length, error) = (form.value(network) - bound, form.uncertainty(network));
        Self { edge, form, from, to, bound, length, error }
    }
}

impl<'a> BlockLimits<'a> {
    fn new(network: &'a Network, members: &[(usize, &'a Form)], complete: bool) -> Self {
        let ends = members.iter().flat_map(|(edge, _)| {
            let edge = &network.edges[*edge];
            [edge.from, edge.to]
        });
        let mut places: BTreeMap<NodeId, usize> = ends.map(|resource| (resource, 0)).collect();
        places.values_mut().enumerate().for_each(|(index, place)| *place = index);
        let ends = |edge: usize| {
            let LatencyEdge { from, to, .. } = network.edges[edge];
            [places[&from], places[&to]]
        };
        let minimum = |&(edge, form): &(usize, &'a Form)| {
            Arc::new(network, edge, form.clone(), ends(edge), network.minimum(edge))
        };
        let maximum = |&(edge, form): &(usize, &'a Form)| {
            let bound = -network.edges[edge].maximum?.0;
            let [from, to] = ends(edge);
            Some(Arc::new(network, edge, form.scaled(-1.0), [to, from], bound))
        };
        let arcs = members.iter().map(minimum).chain(members.iter().filter_map(maximum)).collect();
        Self { network, arcs, members: members.len(), resources: places.len(), complete }
    }

    fn limit(&self, evidence: &mut Suspicions, ends: &mut [IntervalEnds]) {
        let Some(graph) = self.feasible(evidence) else {
            self.arcs.iter().for_each(|arc| evidence.contest(arc.edge));
            return;
        };
        let paths = Paths::new(self, &graph);
        for arc in &self.arcs[..self.members] {
            // Below: a chain that leads the same way. Above: one that leads back.
            let lower = paths.chain(arc.from, arc.to);
            let upper = paths.chain(arc.to, arc.from);
            ends[arc.edge] = IntervalEnds {
                lower: lower.map(|chain| self.at_least(arc, self.end(arc, chain, -1.0))),
                upper: upper.map(|chain| self.end(arc, chain, 1.0)),
            };
        }
    }

    /// A lower end: from a chain or, if that is more, the edge's own minimum. (Chains do not use the
    /// minimum of a contested edge.)
    fn at_least(&self, arc: &Arc, end: IntervalEnd) -> IntervalEnd {
        if end.value + end.uncertainty + ROUNDING >= arc.bound {
            return end;
        }
        IntervalEnd {
            value: arc.bound,
            uncertainty: 0.0,
            limit: Limit::Own,
            tightest: end.tightest,
        }
    }

    fn end(&self, arc: &Arc, chain: &ArcChain, sign: f64) -> IntervalEnd {
        let form = arc.form.plus(&chain.form, sign);
        let own = chain.arcs.len() == 1 && self.arcs[chain.arcs[0]].edge == arc.edge;
        let edges = || chain.arcs.iter().map(|arc| self.network.id(self.arcs[*arc].edge)).collect();
        IntervalEnd {
            value: form.value(self.network) - sign * chain.bounds,
            uncertainty: form.uncertainty(self.network),
            limit: if own { Limit::Own } else { Limit::Chain(edges()) },
            tightest: self.complete,
        }
    }

    /// Arcs without negative cycles: those of uncontested edges, with their errors' share.
    fn feasible(&self, evidence: &mut Suspicions) -> Option<Graph> {
        let mut share = 0.0;
        let mut conflicts = 0;
        loop {
            let graph = Graph::new(self, share, evidence);
            let Some(cycle) = graph.negative_cycle else { return Some(graph) };
            let arcs = || cycle.iter().map(|arc| &self.arcs[*arc]);
            let missing = -arcs().map(|arc| arc.length).sum::<f64>();
            let error: f64 = arcs().map(|arc| arc.error).sum();
            if missing <= error {
                // A little more, so that rounding does not bring the same cycle again.
                share = missing / error + ROUNDING;
                continue;
            }
            conflicts += 1;
            if conflicts > MAX_CONFLICTS {
                return None;
            }
            let form = arcs().fold(Form::default(), |sum, arc| sum.plus(&arc.form, 1.0));
            let edges: Vec<usize> = arcs().map(|arc| arc.edge).collect();
            evidence.too_fast(self.network, &edges, &form, missing);
        }
    }
}

/// The shortest arc between each two resources.
struct Graph {
    resources: usize,
    /// By `from * resources + to`: its length and which it is.
    shortest: Vec<Option<(f64, usize)>>,
    /// Distance of each resource from a source with arcs of length zero to all.
    distances: Vec<f64>,
    /// Arcs of a cycle of negative length, if there is one.
    negative_cycle: Option<Vec<usize>>,
}

impl Graph {
    fn new(block: &BlockLimits, share: f64, evidence: &Suspicions) -> Self {
        let resources = block.resources;
        let mut shortest: Vec<Option<(f64, usize)>> = vec![None; resources * resources];
        for (index, arc) in block.arcs.iter().enumerate() {
            if evidence.is_contested(arc.edge) {
                continue;
            }
            let length = arc.length + share * arc.error;
            let best = &mut shortest[arc.from * resources + arc.to];
            if best.is_none_or(|(shorter, _)| length < shorter) {
                *best = Some((length, index));
            }
        }
        let distances = vec![0.0; resources];
        let mut graph = Self { resources, shortest, distances, negative_cycle: None };
        graph.negative_cycle = graph.relax();
        graph
    }

    fn arcs(&self) -> impl Iterator<Item = (usize, usize, f64, usize)> {
        let arc = |(place, shortest): (usize, &Option<(f64, usize)>)| {
            let (length, index) = (*shortest)?;
            Some((place / self.resources, place % self.resources, length, index))
        };
        self.shortest.iter().enumerate().filter_map(arc)
    }

    /// Bellman and Ford: distances, or a negative cycle.
    fn relax(&mut self) -> Option<Vec<usize>> {
        let arcs: Vec<_> = self.arcs().collect();
        // The arc that each resource was last reached by, and whence.
        let mut reached: Vec<Option<(usize, usize)>> = vec![None; self.resources];
        let mut last = None;
        for _ in 0..=self.resources {
            last = None;
            for &(from, to, length, index) in &arcs {
                let distance = self.distances[from] + length;
                if distance < self.distances[to] - ROUNDING {
                    self.distances[to] = distance;
                    reached[to] = Some((from, index));
                    last = Some(to);
                }
            }
            last?;
        }
        cycle_behind(last?, &reached)
    }
}

/// The cycle that is reached by following arcs backwards from a resource.
fn cycle_behind(start: usize, reached: &[Option<(usize, usize)>]) -> Option<Vec<usize>> {
    // After as many steps as there are resources the walk is on the cycle.
    let on_cycle = (0..reached.len()).try_fold(start, |at, _| Some(reached[at]?.0))?;
    let mut cycle = Vec::new();
    let mut at = on_cycle;
    loop {
        let (from, arc) = reached[at]?;
        cycle.push(arc);
        at = from;
        if at == on_cycle {
            cycle.reverse();
            return Some(cycle);
        }
    }
}

/// The shortest chain of arcs between each two resources.
struct Paths {
    resources: usize,
    chains: Vec<Option<ArcChain>>,
}

/// Arcs one after the other, with the sum of their forms and of their bounds.
#[derive(Debug, Clone)]
struct ArcChain {
    arcs: Vec<usize>,
    form: Form,
    bounds: f64,
}

impl Paths {
    /// Floyd and Warshall, on lengths that Johnson's reweighting has made non-negative: rounding
    /// cannot make a cycle negative then, and following the paths always ends.
    fn new(block: &BlockLimits, graph: &Graph) -> Self {
        let n = graph.resources;
        let mut lengths = vec![f64::INFINITY; n * n];
        let mut first: Vec<Option<(usize, usize)>> = vec![None; n * n];
        for (from, to, length, index) in graph.arcs() {
            let reweighted = length + graph.distances[from] - graph.distances[to];
            lengths[from * n + to] = reweighted.max(0.0);
            first[from * n + to] = Some((to, index));
        }
        for via in 0..n {
            for from in 0..n {
                let begin = lengths[from * n + via];
                if from == via || begin.is_infinite() {
                    continue;
                }
                for to in (0..n).filter(|to| *to != from && *to != via) {
                    let length = begin + lengths[via * n + to];
                    if length < lengths[from * n + to] - ROUNDING {
                        lengths[from * n + to] = length;
                        first[from * n + to] = first[from * n + via];
                    }
                }
            }
        }
        let chain = |place: usize| ArcChain::follow(block, &first, n, place / n, place % n);
        Self { resources: n, chains: (0..n * n).map(chain).collect() }
    }

    fn chain(&self, from: usize, to: usize) -> Option<&ArcChain> {
        self.chains[from * self.resources + to].as_ref()
    }
}

impl ArcChain {
    fn follow(
        block: &BlockLimits,
        first: &[Option<(usize, usize)>],
        resources: usize,
        from: usize,
        to: usize,
    ) -> Option<Self> {
        let mut chain = Self { arcs: Vec::new(), form: Form::default(), bounds: 0.0 };
        let mut at = from;
        while at != to {
            let (next, arc) = first[at * resources + to]?;
            chain.form = chain.form.plus(&block.arcs[arc].form, 1.0);
            chain.bounds += block.arcs[arc].bound;
            chain.arcs.push(arc);
            at = next;
        }
        Some(chain)
    }
}
