//! What was asked so far: a plan that is being carried out goes on.

use crate::experiment::Experiment;
use crate::infer::Knowledge;
use crate::kernel::{Link, Relay};
use crate::maps::{Map, Set};

/// Walks and relays of which there are findings.
pub(super) struct Asked<'k> {
    /// Walks by the edge that they begin with.
    walks: Map<&'k Link, Set<&'k [Link]>>,
    relays: Set<[&'k Link; 3]>,
}

impl<'k> Asked<'k> {
    /// All of which something is known.
    pub fn of(knowledge: &'k Knowledge) -> Self {
        let (mut walks, mut relays): (Map<_, Set<_>>, _) = (Map::default(), Set::default());
        for (experiment, _) in knowledge.findings() {
            match experiment {
                Experiment::Latency(chain) => {
                    let first = chain.links.first();
                    first.map(|first| walks.entry(first).or_default().insert(&chain.links[..]));
                }
                Experiment::Relay(Relay { before, over, behind, .. }) => {
                    relays.insert([before, over, behind]);
                }
                _ => {}
            }
        }
        Self { walks, relays }
    }

    /// Whether a chain of a walk was asked for.
    pub fn has_walk(&self, walk: &[Link]) -> bool {
        let of_edge = walk.first().and_then(|first| self.walks.get(first));
        of_edge.is_some_and(|walks| walks.contains(walk))
    }

    /// Whether a relay from one link over an edge to another link was asked for.
    pub fn has_relay(&self, [before, over, behind]: [&Link; 3]) -> bool {
        self.relays.contains(&[before, over, behind])
    }
}
