//! Experiments: the questions that a run asks, each answered by one kernel.

use serde::{Deserialize, Serialize};

use crate::artifact::Purpose;
use crate::catalogue::Catalogue;
use crate::kernel::{
    Chain, ChaseBody, Content, Ingredient, Instance, Kernel, KernelError, MixedBody, Mixture,
    RegisterPolicy, Relay, Share, SharedLoop, StoreLoad, TeamBody, ThroughputBody, TransitionBody,
    WalkBody, WindowBody,
};
use crate::metadata::{OpcodeId, RegisterId};

/// A question about the machine.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Experiment {
    /// Does a form execute, alone, once, optionally with a register at one of its operands?
    Probe(Probe),
    /// How long does a chain of known duration take, in units of the first?
    Reference {
        /// Position in the ISA's list.
        candidate: usize,
    },
    /// How fast do fillers go through the front end?
    DispatchFloor {
        /// Fillers in the body.
        fillers: u32,
    },
    /// How fast do fillers of another length go through the front end?
    LongFillers {
        /// Fillers in the body.
        fillers: u32,
        /// How many bytes each is long.
        bytes: u32,
    },
    /// How long does a passage take that no form stands for?
    Passage {
        /// What stands in a turn ...
        passage: CorePassage,
        /// ... of so many ...
        turns: u32,
        /// ... beside so many fillers.
        fillers: u32,
    },
    /// How long does a body of independent instances take?
    Throughput(ThroughputBody),
    /// How long does a chain take?
    Latency(Chain),
    /// How long does a chain take that begins and ends with a barrier?
    Relay(Relay),
    /// How long does it take from what is stored to what is loaded?
    StoreLoad(StoreLoad),
    /// How long does a body take that enters and leaves a state?
    Transition(TransitionBody),
    /// How long does a body take on several cores at the same time?
    Team(TeamBody),
    /// How long does it take to access a buffer?
    Walk(WalkBody),
    /// How long does a round of several instructions take that share registers?
    Round(SharedLoop),
    /// How long does a round of several forms take that wait for each other as little as possible?
    Mixed(MixedBody),
    /// How long does a round of two chains take that have fillers between them?
    Window(WindowBody),
    /// How long does a load take that waits for the one before, at places of a working set?
    Chase(ChaseBody),
}

/// A passage of the ISA's, see [`crate::isa::Passages`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CorePassage {
    /// The first of two neighbours.
    First {
        /// Position in the ISA's list.
        pair: usize,
    },
    /// The second one.
    Second {
        /// Position in the ISA's list.
        pair: usize,
    },
    /// Both.
    Both {
        /// Position in the ISA's list.
        pair: usize,
    },
    /// A step of numbers with a branch that nobody can predict.
    Guessed,
    /// The same with one that is never taken.
    Known,
}

impl CorePassage {
    /// Its bytes; none where the ISA has no such passage.
    #[must_use]
    pub fn bytes(self, catalogue: &Catalogue) -> Vec<u8> {
        let pair = |pair: usize| catalogue.isa.adjacent_pairs().get(pair);
        let first = |at| pair(at).map_or(&[][..], |pair| pair.first);
        let second = |at| pair(at).map_or(&[][..], |pair| pair.second);
        let branch = catalogue.isa.random_branch();
        let step = branch.map_or(&[][..], |branch| branch.step);
        match self {
            Self::First { pair } => first(pair).to_vec(),
            Self::Second { pair } => second(pair).to_vec(),
            Self::Both { pair } => [first(pair), second(pair)].concat(),
            Self::Guessed => [step, branch.map_or(&[][..], |branch| branch.on_number)].concat(),
            Self::Known => [step, branch.map_or(&[][..], |branch| branch.never)].concat(),
        }
    }
}

/// A single execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Probe {
    /// The form.
    pub opcode: OpcodeId,
    /// A register to put at one of its operands.
    pub register: Option<(usize, RegisterId)>,
}

impl Experiment {
    /// What the device does with the kernel.
    #[must_use]
    pub fn purpose(&self) -> Purpose {
        match self {
            Self::Probe(_) => Purpose::Probe,
            _ => Purpose::Time,
        }
    }

    /// Whether the kernel is one chain, so that it leaves most of the core idle.
    #[must_use]
    pub fn is_chain(&self) -> bool {
        matches!(
            self,
            Self::Latency(_)
                | Self::Relay(_)
                | Self::Reference { .. }
                | Self::StoreLoad(_)
                | Self::Chase(_)
        )
    }

    /// Whether it is one of the few on which thousands of values depend: what tells two resources
    /// apart for all edges between them, and what no form can be faster than.
    #[must_use]
    pub fn is_decisive(&self) -> bool {
        matches!(self, Self::Relay(_) | Self::DispatchFloor { .. })
    }

    /// The forms of the links of a chain without fillers.
    #[must_use]
    pub fn bare_links(&self) -> Option<impl Iterator<Item = OpcodeId>> {
        match self {
            Self::Latency(chain) if chain.fillers == 0 => {
                Some(chain.links.iter().map(|link| link.opcode))
            }
            _ => None,
        }
    }

    /// The form of which a body has independent instances with the usual values.
    #[must_use]
    pub fn plain_subject(&self) -> Option<OpcodeId> {
        match self {
            Self::Throughput(body) if body.is_plain() => Some(body.subject),
            _ => None,
        }
    }

    /// What its kernel holds; `None` where the template has that already.
    #[must_use]
    pub fn content(&self, catalogue: &Catalogue) -> Option<Content> {
        match self {
            Self::Probe(probe) => Some(probe.content()),
            Self::Reference { .. } => None,
            Self::DispatchFloor { fillers } => Some(Content::SideBySide(Mixture {
                turns: 1,
                ingredients: vec![(Share::EACH, Ingredient::Fillers(*fillers))],
                crosses_encodings: false,
                padded: false,
            })),
            &Self::LongFillers { fillers, bytes } => Some(Content::SideBySide(Mixture {
                turns: fillers,
                ingredients: vec![(Share::EACH, Ingredient::LongFiller { bytes })],
                crosses_encodings: false,
                padded: false,
            })),
            &Self::Passage { passage, turns, fillers } => Some(Content::SideBySide(Mixture {
                turns,
                ingredients: vec![
                    (Share::EACH, Ingredient::Piece(passage.bytes(catalogue))),
                    (Share::EACH, Ingredient::Fillers(fillers)),
                ],
                crosses_encodings: false,
                padded: false,
            })),
            Self::Throughput(body) => Some(body.content()),
            Self::Latency(chain) => Some(chain.content()),
            Self::Relay(relay) => Some(relay.content()),
            Self::StoreLoad(pair) => pair.content(catalogue),
            Self::Transition(body) => Some(body.content(catalogue)),
            Self::Team(team) => Some(team.body.content()),
            Self::Walk(walk) => Some(Content::Walking(walk.clone())),
            Self::Round(shared) => Some(Content::Sharing(shared.clone())),
            Self::Mixed(body) => Some(body.content(catalogue)),
            Self::Window(body) => Some(body.content()),
            Self::Chase(body) => Some(Content::Chasing(*body)),
        }
    }

    /// Cores that run its kernel at the same time.
    #[must_use]
    pub fn cores(&self) -> u32 {
        match self {
            Self::Team(team) => team.cores,
            Self::Walk(walk) => walk.cores,
            _ => 1,
        }
    }

    /// The kernel that answers it; `None` where the template has it already.
    ///
    /// # Errors
    /// When no such kernel can be built.
    pub fn kernel(&self, catalogue: &Catalogue) -> Result<Option<Kernel>, KernelError> {
        let built = self.content(catalogue).map(|content| content.build(catalogue)).transpose()?;
        Ok(built.map(|kernel| Kernel { cores: self.cores(), ..kernel }))
    }
}

impl Probe {
    /// One instance.
    fn content(&self) -> Content {
        let mut instance = Instance::plain(self.opcode);
        if let Some((operand, register)) = self.register {
            instance.registers = RegisterPolicy::Given { operand, register };
        }
        Content::SideBySide(Mixture::of(&[(instance, 1)]))
    }
}
