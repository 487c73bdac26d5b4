//! Cores whose latencies are known, and loops over them.

use winic::infer::latency::{EdgeId, LatencyEdge, MeasuredLoop, NodeId};
use winic::units::Cycles;

use crate::random::{Drawn, Random};

/// Edges with their true latencies. An edge's name is `names[place]`.
#[derive(Debug, Clone)]
pub struct World {
    pub edges: Vec<LatencyEdge>,
    pub truth: Vec<f64>,
    /// Loops as places of edges.
    pub walks: Vec<Vec<usize>>,
    resources: usize,
    /// Trees of edges from and to the first resource: the edge by which each is reached and left.
    reached_by: Vec<Option<usize>>,
    left_by: Vec<Option<usize>>,
}

impl World {
    /// A random core of which every resource is reached and left, without loops yet.
    pub fn new(resources: usize, extra: usize, random: &mut Random) -> Self {
        let mut world = Self {
            edges: Vec::new(),
            truth: Vec::new(),
            walks: Vec::new(),
            resources,
            reached_by: vec![None; resources],
            left_by: vec![None; resources],
        };
        for resource in 1..resources {
            let (parent, next) = (random.below(resource), random.below(resource));
            world.reached_by[resource] = Some(world.add(parent, resource, random));
            world.left_by[resource] = Some(world.add(resource, next, random));
        }
        for _ in 0..extra {
            world.add(random.below(resources), random.below(resources), random);
        }
        let mut names: Vec<u32> = (0..world.edges.len() as u32).map(|name| 3 * name + 1).collect();
        random.shuffle(&mut names);
        world.rename(&names);
        world
    }

    fn add(&mut self, from: usize, to: usize, random: &mut Random) -> usize {
        let minimum = if random.below(5) == 0 { 0.0 } else { 1.0 };
        // Whole cycles now and then, so that ends coincide and ties occur.
        let above =
            if random.below(2) == 0 { random.below(4) as f64 } else { random.between(0.0, 4.0) };
        let (from, to) = (NodeId(from as u32), NodeId(to as u32));
        self.edges.push(LatencyEdge {
            id: EdgeId(0),
            from,
            to,
            minimum: Cycles(minimum),
            maximum: None,
        });
        self.truth.push(minimum + above);
        self.edges.len() - 1
    }

    /// Says of some edges what they take at least and at most, by other means than loops.
    pub fn tell(&mut self, random: &mut Random) {
        for (edge, &truth) in self.edges.iter_mut().zip(&self.truth) {
            if random.below(4) == 0 {
                let least = truth - random.below(3) as f64;
                edge.minimum = Cycles(least.max(edge.minimum.0));
                edge.maximum = Some(Cycles(truth + random.below(3) as f64));
            }
        }
    }

    pub fn rename(&mut self, names: &[u32]) {
        for (edge, name) in self.edges.iter_mut().zip(names) {
            edge.id = EdgeId(*name);
        }
    }

    /// Every edge in a loop through the first resource: enough to determine all but potentials.
    pub fn measure_every_edge(&mut self) {
        for edge in 0..self.edges.len() {
            let (from, to) = self.ends(edge);
            let walk = [self.way_to(from), vec![edge], self.way_from(to)].concat();
            self.walks.push(walk);
        }
    }

    /// Loops at random, through any edges.
    pub fn wander(&mut self, loops: usize, random: &mut Random) {
        for _ in 0..loops {
            let begin = random.below(self.edges.len());
            let (start, mut at) = self.ends(begin);
            let mut walk = vec![begin];
            for _ in 0..random.below(4) {
                let onward: Vec<usize> =
                    (0..self.edges.len()).filter(|edge| self.ends(*edge).0 == at).collect();
                let Some(count) = (!onward.is_empty()).then_some(onward.len()) else { break };
                let edge = onward[random.below(count)];
                walk.push(edge);
                at = self.ends(edge).1;
            }
            if at != start {
                walk.extend(self.way_from(at));
                walk.extend(self.way_to(start));
            }
            self.walks.push(walk);
        }
    }

    pub fn ends(&self, edge: usize) -> (usize, usize) {
        (self.edges[edge].from.0 as usize, self.edges[edge].to.0 as usize)
    }

    pub fn resources(&self) -> usize {
        self.resources
    }

    fn way_to(&self, mut resource: usize) -> Vec<usize> {
        let mut way = Vec::new();
        while let Some(edge) = self.reached_by[resource] {
            way.push(edge);
            resource = self.ends(edge).0;
        }
        way.reverse();
        way
    }

    fn way_from(&self, mut resource: usize) -> Vec<usize> {
        let mut way = Vec::new();
        while let Some(edge) = self.left_by[resource] {
            way.push(edge);
            resource = self.ends(edge).1;
        }
        way
    }

    /// Sum of some latencies over a walk.
    pub fn sum(walk: &[usize], latencies: &[f64]) -> f64 {
        walk.iter().map(|edge| latencies[*edge]).sum()
    }

    /// All loops as measured, each off by up to its uncertainty.
    pub fn measured(&self, uncertainty: f64, random: &mut Random) -> Vec<MeasuredLoop> {
        let measure = |walk: &Vec<usize>| {
            let uncertainty = uncertainty * random.between(0.1, 1.0);
            let error = uncertainty * random.between(-1.0, 1.0);
            MeasuredLoop {
                edges: walk.iter().map(|edge| self.edges[*edge].id).collect(),
                total: Cycles(Self::sum(walk, &self.truth) + error),
                uncertainty: Cycles(uncertainty),
            }
        };
        self.walks.iter().map(measure).collect()
    }
}
