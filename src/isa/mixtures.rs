//! What mixtures of instructions need: bytes that do nothing, and forms that keep single units busy.

use crate::form::EncodingGroup;
use crate::metadata::{ClassId, InstructionSet};

/// A byte that can stand in front of instructions and changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Padding {
    /// The byte.
    pub prefix: u8,
    /// Bytes of an instruction from which on decoders and caches of decoded instructions limit nothing.
    pub least: usize,
}

/// The registers that one kind of execution units works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegisterPool {
    /// Addresses and integers.
    General,
    /// Vectors and floating-point numbers.
    Vector,
    /// Masks and predicates.
    Mask,
    /// All others: stacks, tiles, control registers and flags.
    Other,
}

/// What mixtures of instructions need.
pub trait Mixtures {
    /// Which units work on a register, by LLVM's name.
    fn pool(&self, register: &str) -> RegisterPool;

    /// Which units work on registers of a class: on its first, as on all others.
    fn pool_of(&self, class: ClassId, set: &InstructionSet) -> RegisterPool {
        let first = set.class(class).registers.first();
        first.map_or(RegisterPool::Other, |&register| self.pool(&set.register(register).name))
    }

    /// What lengthens instructions, where they have different lengths.
    fn padding(&self) -> Option<Padding> {
        None
    }

    /// LLVM names of forms of all kinds of operations whose results depend on nothing that they write
    /// themselves. Those of them that turn out to be one micro-operation keep its ports busy, so that it
    /// shows which other forms need the same.
    fn blocker_candidates(&self) -> &'static [&'static str];

    /// LLVM names of forms that cores may do without any port, at register renaming. One that is as quick
    /// as the front end, beside whatever it stands, fills that and nothing else.
    fn front_end_candidates(&self) -> &'static [&'static str] {
        &[]
    }

    /// LLVM names of forms that make accesses to memory wait for each other: what they take is what stands
    /// beside them, and says nothing of ports. (LLVM has no flag for them: it says of hints and of `EMMS` as
    /// well that they may read and write memory.)
    fn memory_barriers(&self) -> &'static [&'static str];

    /// A table of the ports that single forms go to, by the names that a CPU's vendor has for ports, where there
    /// is one: LLVM's name of a form, a tab, and the ports with blanks between them.
    fn port_names(&self, _cpu: &str) -> Option<&'static str> {
        None
    }

    /// The most slots of the front end that decoders make of an instruction, where a sequencer of microcode
    /// makes what is more.
    fn most_decoded(&self) -> Option<f64> {
        None
    }

    /// The group of vector encodings that upper parts of registers must be clean for.
    fn group_in_front(&self) -> EncodingGroup {
        EncodingGroup::COMMON
    }
}
