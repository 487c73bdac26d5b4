//! Chains for latency: a closed walk of links, each from a use to a definition of one
//! instruction, repeated so that every instruction waits for the one before it.

use serde::{Deserialize, Serialize};

use super::content::{Content, Sequence, SequenceEnds, Stretch};
use super::sequence::ROTATION;
use super::{Kernel, KernelError, ValueClass};
use crate::catalogue::Catalogue;
use crate::form::{Edge, Part, Role, Site};
use crate::metadata::OpcodeId;

/// One step of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Link {
    /// The form.
    pub opcode: OpcodeId,
    /// Where the chain comes in.
    pub source: Site,
    /// Where it goes on.
    pub target: Site,
    /// A value for one of its immediates other than the headline's.
    pub immediate: Option<(usize, i64)>,
    /// A role in keeping values fixed, if it has one.
    pub restoring: Option<Restoring>,
}

impl Link {
    /// The step over an edge of a form with its usual immediates.
    #[must_use]
    pub fn over(Edge { opcode, source, target }: Edge) -> Self {
        Self { opcode, source, target, immediate: None, restoring: None }
    }

    /// Whether the chain comes in or goes on through memory.
    #[must_use]
    pub fn passes_memory(&self) -> bool {
        self.source == Site::Memory || self.target == Site::Memory
    }

    /// Whether the chain comes in through a flag.
    pub(super) fn reads_flag(&self, catalogue: &Catalogue) -> bool {
        let (Site::Implicit(register), Some(form)) = (self.source, catalogue.form(self.opcode))
        else {
            return false;
        };
        let parts = catalogue.isa.parts(&catalogue.set, form, &form.sample, register, Role::Use);
        parts.iter().any(|part| matches!(part, Part::Flag(_)))
    }
}

/// The two steps that bring a value back without cutting the chain: `and` with zero, `or` with the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Restoring {
    /// The other operand is zero.
    Clear,
    /// The other operand is what the site of the form needs.
    Set(OpcodeId, Site),
}

/// Which registers the junctions take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Style {
    /// One register for all of them.
    Same,
    /// Several in turn: cores that stall when a register is written again need it, and so do
    /// forms with a tied operand that is not the one under test.
    Rotating,
    /// One register for all of them and for what is tied to the result: a link waits for the one
    /// before at two operands, so that it shows the larger of two latencies.
    Tied,
    /// One register for all of them, and nothing breaks other dependences: a link waits for what
    /// links before it pass on unnamed, which may still be sooner than for a breaker (a core that
    /// issues in order waits for all of them).
    Crossed,
    /// As [`Style::Same`]; and what is passed on through memory is read at the address at which it
    /// was written, with the same registers and displacement, by which some cores find it without
    /// accessing memory. In all other styles both differ.
    SameAddress,
}

/// What a latency body is to look like.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Chain {
    /// The links, in order; the last leads back to the first.
    pub links: Vec<Link>,
    /// Registers at the junctions.
    pub style: Style,
    /// Fillers behind each link, so that the scheduler does not fill up with waiting links.
    pub fillers: u32,
    /// Links in the body, at least: the loop's own instructions get in the chain's way once an
    /// iteration, for up to a cycle, so that short bodies read too long or too short.
    pub least_links: u32,
    /// What the operands hold, of forms that it matters to.
    #[serde(default)]
    pub values: ValueClass,
}

impl Chain {
    /// What it holds: whole rotations of passes, with as many links as are asked for at least.
    #[must_use]
    pub fn content(&self) -> Content {
        let passes = (self.least_links as usize).div_ceil(self.links.len() * ROTATION) * ROTATION;
        let stretches = self.links.iter().map(|link| Stretch { link: link.clone(), times: 1 });
        Content::InSequence(Sequence {
            stretches: stretches.collect(),
            passes: passes as u32,
            ends: SequenceEnds::Closed,
            style: self.style,
            fillers: self.fillers,
            values: self.values,
            load_offset: 0,
        })
    }

    /// Chooses the registers and writes the body down.
    ///
    /// # Errors
    /// When the links do not fit together or a second dependence cannot be broken; the error
    /// is that of the most promising attempt.
    pub fn build(&self, catalogue: &Catalogue) -> Result<Kernel, KernelError> {
        self.content().build(catalogue)
    }

    /// Whether a kernel that was built of it has breakers: instructions beside its links.
    #[must_use]
    pub fn has_breakers(&self, kernel: &Kernel) -> bool {
        kernel.instructions().count() > kernel.instances as usize * self.links.len()
    }
}
