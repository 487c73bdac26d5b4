//! Edges and loops, checked and indexed.

use super::{EdgeId, InvalidInput, LatencyEdge, LoopId, MeasuredLoop};
use crate::units::Cycles;

/// Edges ascending by name and the loops over them. Everything inside the inference names edges by
/// their place here.
#[derive(Debug)]
pub(super) struct Network {
    pub edges: Vec<LatencyEdge>,
    pub loops: Vec<Walk>,
    /// The loops that pass each edge.
    pub passing: Vec<Vec<usize>>,
}

/// A measured loop, of which the order no longer matters.
#[derive(Debug)]
pub(super) struct Walk {
    /// Each edge once, ascending, with how often the loop passes it.
    pub passes: Vec<(usize, f64)>,
    pub total: f64,
    pub uncertainty: f64,
}

impl Network {
    pub fn new(edges: &[LatencyEdge], loops: &[MeasuredLoop]) -> Result<Self, InvalidInput> {
        let edges = sorted(edges)?;
        let walks = loops.iter().enumerate().map(|(index, measured)| {
            let named = LoopId(index);
            let places = places(&edges, measured, named)?;
            check_closed(&edges, &places, named)?;
            Walk::new(places, measured, named)
        });
        let loops = walks.collect::<Result<Vec<_>, _>>()?;
        let mut passing = vec![Vec::new(); edges.len()];
        for (index, walk) in loops.iter().enumerate() {
            for (edge, _) in &walk.passes {
                passing[*edge].push(index);
            }
        }
        Ok(Self { edges, loops, passing })
    }

    pub fn id(&self, edge: usize) -> EdgeId {
        self.edges[edge].id
    }

    pub fn minimum(&self, edge: usize) -> f64 {
        self.edges[edge].minimum.0
    }

    /// Whether an edge leads back to where it begins: then it has no potential in it.
    pub fn is_self_edge(&self, edge: usize) -> bool {
        self.edges[edge].from == self.edges[edge].to
    }
}

impl Walk {
    fn new(
        mut places: Vec<usize>,
        measured: &MeasuredLoop,
        named: LoopId,
    ) -> Result<Self, InvalidInput> {
        let (total, uncertainty) = (measured.total.0, measured.uncertainty.0);
        if !total.is_finite() || !uncertainty.is_finite() || uncertainty < 0.0 {
            return Err(InvalidInput::InvalidTotal(named));
        }
        places.sort_unstable();
        let mut passes: Vec<(usize, f64)> = Vec::new();
        for place in places {
            match passes.last_mut() {
                Some((edge, count)) if *edge == place => *count += 1.0,
                _ => passes.push((place, 1.0)),
            }
        }
        Ok(Self { passes, total, uncertainty })
    }
}

fn sorted(edges: &[LatencyEdge]) -> Result<Vec<LatencyEdge>, InvalidInput> {
    let mut edges = edges.to_vec();
    edges.sort_by_key(|edge| edge.id);
    if let Some(pair) = edges.windows(2).find(|pair| pair[0].id == pair[1].id) {
        return Err(InvalidInput::DuplicateEdge(pair[0].id));
    }
    let is_invalid = |edge: &&LatencyEdge| {
        let LatencyEdge { minimum, maximum, .. } = edge;
        let is_below = |maximum: Cycles| maximum.0 < minimum.0 || !maximum.0.is_finite();
        !minimum.0.is_finite() || maximum.is_some_and(is_below)
    };
    if let Some(edge) = edges.iter().find(is_invalid) {
        return Err(InvalidInput::InvalidMinimum(edge.id));
    }
    Ok(edges)
}

fn places(
    edges: &[LatencyEdge],
    measured: &MeasuredLoop,
    named: LoopId,
) -> Result<Vec<usize>, InvalidInput> {
    let place = |id: &EdgeId| {
        let unknown = InvalidInput::UnknownEdge { named, edge: *id };
        edges.binary_search_by_key(id, |edge| edge.id).map_err(|_| unknown)
    };
    measured.edges.iter().map(place).collect()
}

fn check_closed(
    edges: &[LatencyEdge],
    places: &[usize],
    named: LoopId,
) -> Result<(), InvalidInput> {
    let mut before = places.last().ok_or(InvalidInput::EmptyLoop(named))?;
    for place in places {
        if edges[*before].to != edges[*place].from {
            return Err(InvalidInput::NotClosed { named, edge: edges[*place].id });
        }
        before = place;
    }
    Ok(())
}
