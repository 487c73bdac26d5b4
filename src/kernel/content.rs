//! What a kernel holds, before it has registers and a loop: one description for all questions.
//!
//! Instructions stand side by side, so that nothing waits ([`Mixture`]), or in sequence, so that
//! each waits for the one before ([`Sequence`]). A throughput body is a mixture of a form, its
//! breakers and fillers; a chain is a sequence that closes on itself, a relay one between barriers.

use std::num::NonZeroU32;

use super::draft::Draft;
use super::{
    Accumulators, Alternating, Breaking, Cells, ChaseBody, Kernel, KernelError, Link, Registers,
    SharedLoop, Style, ValueClass, WalkBody,
};
use crate::catalogue::Catalogue;
use crate::form::Part;
use crate::isa::LoopControl;
use crate::metadata::{OpcodeId, RegisterId};

/// What a kernel holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Instructions that wait for each other as little as their forms allow.
    SideBySide(Mixture),
    /// Instructions each of which waits for the one before.
    InSequence(Sequence),
    /// Accesses of a buffer.
    Walking(WalkBody),
    /// Loads that say where the next one is.
    Chasing(ChaseBody),
    /// Rounds of instructions that share registers.
    Sharing(SharedLoop),
}

/// Ingredients that take turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mixture {
    /// How many turns there are.
    pub turns: u32,
    /// What stands in a turn, in order. A kernel's instances are those of the first ingredient.
    pub ingredients: Vec<(Share, Ingredient)>,
    /// Whether it may go from one vector encoding to another, because what that costs is the question.
    pub crosses_encodings: bool,
    /// Whether short instructions are lengthened so that decoding limits nothing.
    pub padded: bool,
}

/// What stands beside other things in a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ingredient {
    /// An instance of a form, with what keeps the machine's state sane around it.
    Instance(Instance),
    /// An instruction that names no registers and whose unnamed results are what it stands there for: others
    /// may take the registers that it writes to (`VZEROUPPER`: all vectors).
    Bare {
        /// Its form.
        opcode: OpcodeId,
        /// Values for its immediates other than the headline's.
        immediates: Vec<(usize, i64)>,
    },
    /// What sets registers again that instances read and that a bare instruction writes over, as far as
    /// something sets them that reads no register: `PTRUE` behind `smstart`.
    Renewed,
    /// An instruction that cuts a dependence of the instances.
    Breaker(Breaking),
    /// So many one-instruction fillers.
    Fillers(u32),
    /// A filler of another length.
    LongFiller {
        /// How many bytes it is long.
        bytes: u32,
    },
    /// Instructions that no form stands for, as bytes.
    Piece(Vec<u8>),
}

/// In which turns an ingredient stands, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share(Places);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Places {
    /// So many times in so many turns, evenly spread.
    Spread { times: u32, turns: NonZeroU32 },
    /// Once in some of so many turns, a bit each.
    Chosen { places: u64, turns: NonZeroU32 },
}

impl Share {
    /// Once in every turn.
    pub const EACH: Self = Self(Places::Spread { times: 1, turns: NonZeroU32::MIN });

    /// So many times in so many turns, evenly spread; of no turns, as of one.
    #[must_use]
    pub fn new(times: u32, turns: u32) -> Self {
        Self(Places::Spread { times, turns: at_least_one(turns) })
    }

    /// Once in each of the turns that have a bit, of so many (64 at most).
    #[must_use]
    pub fn chosen(places: u64, turns: u32) -> Self {
        Self(Places::Chosen { places, turns: at_least_one(turns) })
    }

    /// How often it stands in turn number `turn`. One of once in four turns stands in the fourth.
    #[must_use]
    pub fn in_turn(self, turn: u32) -> u32 {
        match self.0 {
            Places::Spread { times, turns } => {
                let until = |turn: u64| turn * u64::from(times) / u64::from(turns.get());
                let turn = u64::from(turn);
                (until(turn + 1) - until(turn)) as u32
            }
            Places::Chosen { places, turns } => (places >> (turn % turns) & 1) as u32,
        }
    }
}

fn at_least_one(turns: u32) -> NonZeroU32 {
    NonZeroU32::new(turns).unwrap_or(NonZeroU32::MIN)
}

/// A form as a subject of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// The form.
    pub opcode: OpcodeId,
    /// A value for one of its immediates other than the headline's.
    pub immediate: Option<(usize, i64)>,
    /// What the operands hold, if it matters.
    pub values: ValueClass,
    /// Which registers its operands take.
    pub registers: RegisterPolicy,
    /// Which memory it accesses, if it does.
    pub cells: Cells,
}

impl Instance {
    /// An instance with the usual values, and registers that wait for as little as possible.
    #[must_use]
    pub fn plain(opcode: OpcodeId) -> Self {
        Self {
            opcode,
            immediate: None,
            values: ValueClass::default(),
            registers: RegisterPolicy::ROTATING,
            cells: Cells::default(),
        }
    }
}

/// Which registers the operands of a form's instances take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegisterPolicy {
    /// No register stands twice in an instance; each result rotates through so many, or through all
    /// there are if those are fewer.
    Rotating(usize),
    /// As rotating, but of the registers that several forms may write to each takes a share by how long
    /// all its instances would wait for each other in one register, in quarters of a cycle. What does not
    /// wait takes one.
    Waiting(u32),
    /// As waiting, and copies cut the chains of instances that wait for each other.
    Unchained(u32),
    /// One register at all operands of an instance, another in the next one.
    Same,
    /// One register at all operands of all instances.
    One,
    /// A result that rotates through so many registers, and an operand that reads what the instance
    /// writes to.
    Accumulators(Accumulators),
    /// Two registers in turn at one operand; the others take theirs as ever.
    Alternating(Alternating),
    /// This register at an operand and at those tied to it. It may not exist on this machine, and
    /// the others as little: none is given ordinary contents.
    Given {
        /// LLVM's index of the operand.
        operand: usize,
        /// The register.
        register: RegisterId,
    },
}

impl RegisterPolicy {
    /// Results rotate through all registers.
    pub const ROTATING: Self = Self::Rotating(usize::MAX);

    /// Registers that each result rotates through, at most.
    pub(super) fn most(self) -> usize {
        match self {
            Self::Rotating(most) => most,
            Self::Accumulators(accumulators) => accumulators.count as usize,
            Self::Waiting(0) | Self::Unchained(0) => 1,
            Self::Waiting(_)
            | Self::Unchained(_)
            | Self::Same
            | Self::One
            | Self::Given { .. }
            | Self::Alternating(_) => usize::MAX,
        }
    }

    /// How long instances of a form are taken to wait for each other in one register, where others may write to
    /// the same: what waits longer takes more of them.
    pub(super) fn weight(self) -> usize {
        match self {
            Self::Waiting(quarters) | Self::Unchained(quarters) => quarters as usize,
            _ => 1,
        }
    }

    /// Whether copies cut the chains of instances.
    pub(super) fn is_unchained(self) -> bool {
        matches!(self, Self::Unchained(quarters) if quarters > 0)
    }

    /// The chains that instances make, if they make some.
    pub(super) fn accumulators(self) -> Option<Accumulators> {
        match self {
            Self::Accumulators(accumulators) => Some(accumulators),
            _ => None,
        }
    }

    /// The registers that take turns, if some do.
    pub(super) fn alternating(self) -> Option<Alternating> {
        match self {
            Self::Alternating(alternating) => Some(alternating),
            _ => None,
        }
    }

    /// The turns at an operand, if registers take some there.
    pub(super) fn alternating_at(self, operand: usize) -> Option<Alternating> {
        self.alternating().filter(|alternating| alternating.operand == operand)
    }
}

impl From<Registers> for RegisterPolicy {
    fn from(registers: Registers) -> Self {
        match registers {
            Registers::Distinct => Self::ROTATING,
            Registers::Same => Self::Same,
            Registers::One => Self::One,
            Registers::Accumulators(accumulators) => Self::Accumulators(accumulators),
            Registers::Alternating(alternating) => Self::Alternating(alternating),
        }
    }
}

impl Mixture {
    /// So many instances of each form, evenly interleaved.
    #[must_use]
    pub fn of(counts: &[(Instance, u32)]) -> Self {
        let turns = counts.iter().map(|&(_, count)| count).max().unwrap_or(0);
        let ingredients = counts.iter().map(|(instance, count)| {
            (Share::new(*count, turns), Ingredient::Instance(instance.clone()))
        });
        Self { turns, ingredients: ingredients.collect(), crosses_encodings: false, padded: false }
    }
}

/// Links in sequence, each of which waits for the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequence {
    /// What a pass is made of, in order.
    pub stretches: Vec<Stretch>,
    /// How many passes there are.
    pub passes: u32,
    /// How passes begin and end.
    pub ends: SequenceEnds,
    /// Which registers pass results on, and what breakers cut.
    pub style: Style,
    /// Fillers behind each link.
    pub fillers: u32,
    /// What the operands hold, if it matters.
    pub values: ValueClass,
    /// Bytes from where a link stores to where the next one loads.
    pub load_offset: i32,
}

/// One link, so many times in a row with the same constants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// The link.
    pub link: Link,
    /// How often it stands.
    pub times: u32,
}

/// How the passes of a sequence begin and end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SequenceEnds {
    /// The last link leads back to the first: passes wait for each other.
    Closed,
    /// Each begins with a barrier and fillers, and waits for nothing before those.
    Barriers {
        /// How many fillers.
        fillers: u32,
        /// The stretch that takes what one register passes on and leaves it to another.
        handover: usize,
    },
}

impl Content {
    /// Chooses the registers and a loop and writes the body down. This is the one place where
    /// kernels come from.
    ///
    /// # Errors
    /// When a form is missing, registers do not suffice, links do not fit together or a dependence
    /// that is not meant cannot be broken; the error is that of the most promising attempt.
    pub fn build(&self, catalogue: &Catalogue) -> Result<Kernel, KernelError> {
        let controls = catalogue.isa.loop_controls(&catalogue.set);
        let mut error = KernelError::NoLoop;
        for (control, first) in self.attempts(catalogue, &controls) {
            let mut draft = Draft::new(catalogue, control);
            let written = match self {
                Self::SideBySide(mixture) => mixture.write(&mut draft),
                Self::InSequence(sequence) => sequence.write(&mut draft, first),
                Self::Walking(walk) => walk.write(&mut draft),
                Self::Chasing(chase) => chase.write(&mut draft),
                Self::Sharing(shared) => shared.write(&mut draft),
            };
            match written {
                Ok(()) => return Ok(draft.finish()),
                Err(reason) if error == KernelError::NoLoop => error = reason,
                Err(_) => {}
            }
        }
        Err(error)
    }

    /// Loops, each with the stretches that may come first in it. Flags do not survive the ordinary
    /// loop: let another junction lie at its edge first. What passes a flag that the loop keeps
    /// over others that it overwrites comes last: LLVM's models and some cores wait for flags as
    /// a whole (x86: `DEC` keeps the carry of an `ADC`), and the loop would cut the chain.
    fn attempts<'a>(
        &self,
        catalogue: &Catalogue,
        controls: &'a [LoopControl],
    ) -> Vec<(&'a LoopControl, usize)> {
        let Some(stretches) = self.closed_stretches() else {
            return controls.iter().map(|control| (control, 0)).collect();
        };
        let starts =
            controls.iter().flat_map(|control| (0..stretches.len()).map(move |at| (control, at)));
        let mut attempts: Vec<(&LoopControl, usize)> = starts.collect();
        attempts.sort_by_key(|&(control, first)| {
            control.overwrites.iter().any(|part| matches!(part, Part::Flag(_)))
                && stretches[first].link.reads_flag(catalogue)
        });
        attempts
    }

    /// The stretches of a sequence that may begin with any of them.
    fn closed_stretches(&self) -> Option<&[Stretch]> {
        match self {
            Self::InSequence(Sequence { stretches, ends: SequenceEnds::Closed, .. }) => {
                Some(stretches)
            }
            _ => None,
        }
    }
}
