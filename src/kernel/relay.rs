//! Relays: chains that begin together with the barrier before them and end with the next.
//!
//! No loop tells how the latencies of two edges that lead there and back share what they take
//! together. What tells it is where a chain begins and ends. Behind a barrier that nothing is
//! dispatched across, an instruction whose operands are ready issues after a time that is its
//! pipeline's alone; a chain that starts in one resource and is handed over to another takes the
//! time to the first issue there, the links before, the edge, the links behind, and the time from
//! the last issue to the barrier that waits for it.
//!
//! Givens: links within the resource where the edge begins and within that where it ends, and the
//! edge between them. Wanted: one pass after the other, each a barrier, fillers, the links before,
//! the edge and the links behind, in which each instruction reads what the one before wrote, and
//! nothing else that the pass wrote.

use serde::{Deserialize, Serialize};

use super::chain::{Link, Style};
use super::content::{Content, Sequence, SequenceEnds, Stretch};
use super::{Kernel, KernelError, ValueClass};
use crate::catalogue::Catalogue;

/// Passes in a body.
const PASSES: u32 = 4;

/// Fillers behind each barrier. Where the front end starts anew it delivers its first groups
/// irregularly, so that the chains behind would begin in one cycle or another (Zen 4: up to a cycle
/// and a half with none or 6, a fortieth part of one with 12 or more).
const FILLERS: u32 = 24;

/// What a relay's body is to look like.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Relay {
    /// A link within the resource where the edge begins.
    pub before: Link,
    /// The edge.
    pub over: Link,
    /// A link within the resource where the edge ends.
    pub behind: Link,
    /// How many links there are before the edge, and how many behind it.
    pub links: u32,
}

impl Relay {
    /// What it holds: passes between barriers, in which the edge takes what links before it pass on
    /// and leaves its result to links behind it.
    #[must_use]
    pub fn content(&self) -> Content {
        let stretches = [(&self.before, self.links), (&self.over, 1), (&self.behind, self.links)];
        let stretches = stretches.map(|(link, times)| Stretch { link: link.clone(), times });
        Content::InSequence(Sequence {
            stretches: stretches.to_vec(),
            passes: PASSES,
            ends: SequenceEnds::Barriers { fillers: FILLERS, handover: 1 },
            style: Style::Same,
            fillers: 0,
            values: ValueClass::default(),
            load_offset: 0,
        })
    }

    /// Chooses the registers and writes the body down.
    ///
    /// # Errors
    /// When there is no barrier, the links do not fit together, or something else is waited for.
    pub fn build(&self, catalogue: &Catalogue) -> Result<Kernel, KernelError> {
        self.content().build(catalogue)
    }
}
