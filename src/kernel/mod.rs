//! Kernels: the instruction sequences that are timed, with the registers chosen so that the
//! dependences in them are exactly those that are meant.

mod allocation;
mod breakers;
mod cells;
mod chain;
mod chase;
mod closed;
mod constants;
mod content;
mod dependence;
mod draft;
mod junctions;
mod mixed;
mod mixture;
mod open;
mod operands;
mod refills;
mod relay;
mod render;
mod sequence;
mod shared_loop;
mod store_load;
mod throughput;
mod transition;
mod unchaining;
mod walk;
mod window;

pub use cells::Cells;
pub use chain::{Chain, Link, Restoring, Style};
pub use chase::ChaseBody;
pub use content::{
    Content, Ingredient, Instance, Mixture, RegisterPolicy, Sequence, SequenceEnds, Share, Stretch,
};
pub use mixed::{MixedBody, MixedPart, Order};
pub use refills::refilling;
pub use relay::Relay;
pub use render::{Audience, RenderError, Rendered, render};
pub use shared_loop::{SharedLoop, SharedParts};
pub use store_load::StoreLoad;
pub use throughput::{Accumulators, Alternating, Breaking, Registers, TeamBody, ThroughputBody};
pub use transition::{TransitionBody, TransitionStep};
pub use unchaining::is_unchained;
pub use walk::{WalkBody, walked_operand};
pub use window::WindowBody;

use serde::{Deserialize, Serialize};

use crate::artifact::{BufferNeed, Needs};
use crate::catalogue::Catalogue;
use crate::form::{AddressPart, InstructionForm, Site, Value};
use crate::isa::{BufferPath, LoopControl, REGION};
use crate::metadata::{Instruction, OpcodeId, RegisterId};

/// A class of operand values, by its position among those that the ISA names for a form; the first
/// is the headline's.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct ValueClass(pub usize);

impl ValueClass {
    /// What a site of a form must hold, if it matters.
    fn required(self, catalogue: &Catalogue, form: &InstructionForm, site: Site) -> Option<Value> {
        let (isa, set) = (&catalogue.isa, &catalogue.set);
        let special = (self.0 > 0).then(|| isa.value_of_class(set, form, site, self.0)).flatten();
        let address = |place| match form.origin.is_low() {
            true => Value::HalfAddress(place),
            false => Value::DataAddress(place),
        };
        let of_address = || match site {
            Site::Operand(operand) => match form.part_held(operand)? {
                AddressPart::Base => {
                    let least = form.displacement.map_or(0, |displacement| displacement.least);
                    Some(address(u32::try_from(-least).unwrap_or(0)))
                }
                AddressPart::Index => Some(Value::Zero),
                _ => None,
            },
            Site::Implicit(register) => form.implied_base(register).map(|base| address(base.place)),
            Site::Memory => None,
        };
        special.or_else(of_address).or_else(|| isa.required_value(set, form, site))
    }
}

/// What the address of a buffer is a multiple of.
const PAGE: u64 = 4096;

fn form_of(catalogue: &Catalogue, opcode: OpcodeId) -> Result<&InstructionForm, KernelError> {
    catalogue.form(opcode).ok_or(KernelError::NoForm(opcode))
}

/// One body with all that is needed to run it.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// The body, in order.
    pub body: Vec<Slot>,
    /// What registers must hold before the loop.
    pub values: Vec<(RegisterId, Value)>,
    /// What the region holds before the loop, if the body accesses it.
    pub contents: Option<Value>,
    /// Whether the region must lie in low memory: some of its instructions reach no other.
    pub low: bool,
    /// Whether instructions of the body wait for what others of it stored.
    pub passes_memory: bool,
    /// Whether it may go from one vector encoding to another.
    pub crosses_encodings: bool,
    /// Whether short instructions are lengthened by bytes that mean nothing, where the architecture has
    /// such, so that decoding them limits nothing.
    pub padded: bool,
    /// How it goes through a buffer, if it does.
    pub walk: Option<BufferPath>,
    /// Cores that run it at the same time.
    pub cores: u32,
    /// The loop around it.
    pub loop_control: LoopControl,
    /// How many instances of the subject (throughput) or passes of the chain (latency) the body holds.
    pub instances: u32,
}

/// One place in a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slot {
    /// An instruction.
    Instruction(Instruction),
    /// So many one-instruction fillers.
    Fillers(u32),
    /// The bytes of what no form stands for: a filler of another length, a passage.
    Bytes(Vec<u8>),
    /// What moves the pointers of a walk on; the step of a chase.
    Advance,
}

impl Kernel {
    /// What it needs of the device that runs it.
    #[must_use]
    pub fn needs(&self) -> Needs {
        let uses_memory = self.low || self.values.iter().any(|(_, value)| value.place().is_some());
        Needs {
            memory: if uses_memory { u64::from(REGION) } else { 0 },
            low: self.low,
            passes_memory: self.passes_memory,
            cores: self.cores,
            buffer: self
                .walk
                .as_ref()
                .map(|walk| BufferNeed { bytes: walk.extent(), alignment: PAGE }),
            ..Needs::default()
        }
    }

    /// The instructions of the body, fillers left out.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.body.iter().filter_map(|slot| match slot {
            Slot::Instruction(instruction) => Some(instruction),
            Slot::Fillers(_) | Slot::Bytes(_) | Slot::Advance => None,
        })
    }
}

/// Why a kernel cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
pub enum KernelError {
    /// No form of that opcode can run here.
    #[error("opcode {} is not a form of this machine", .0.0)]
    NoForm(OpcodeId),
    /// The architecture has no filler of that length.
    #[error("no instruction of {0} bytes does nothing")]
    NoFiller(u32),
    /// An operand has no register left.
    #[error("not enough registers for operand {operand} of {form}")]
    NoRegister {
        /// LLVM's name of the form.
        form: String,
        /// LLVM's index of the operand.
        operand: usize,
    },
    /// Two neighbouring sites cannot be the same register.
    #[error("the result of {from} cannot be an operand of {to}")]
    NoJunction {
        /// LLVM's name of the form that writes.
        from: String,
        /// LLVM's name of the form that reads.
        to: String,
    },
    /// What one instruction writes is not what the next one reads.
    #[error("{from} passes nothing on to {to}")]
    NoDependence {
        /// LLVM's name of the form that writes.
        from: String,
        /// LLVM's name of the form that reads.
        to: String,
    },
    /// A dependence besides the one that is meant, which nothing breaks.
    #[error("a second dependence through {register} cannot be broken")]
    SecondDependence {
        /// The register.
        register: String,
    },
    /// The registers that the links share are written before they are read.
    #[error("{0} may not write over what it reads")]
    Clobbered(String),
    /// A link would wait for the one before it at two operands.
    #[error("{0} would read one register at two operands")]
    ReadTwice(String),
    /// No displacement of the encoding leads from the base to the cell.
    #[error("{form} does not reach {distance} bytes behind its base")]
    OutOfReach {
        /// LLVM's name of the form.
        form: String,
        /// How far the cell is.
        distance: i64,
    },
    /// Instances stand where nothing fills again what they spend.
    #[error("{0} leaves its registers otherwise than the next instance needs them")]
    Spent(String),
    /// It stores only where a load has reserved the address, and there is no such load.
    #[error("nothing reserves the address that {0} stores to")]
    Unreserved(String),
    /// It goes on with what another instruction began, and there is no such.
    #[error("what {0} goes on with cannot be begun")]
    Led(String),
    /// Who stores and who loads have other addressing modes.
    #[error("what is stored and what is loaded cannot be named alike")]
    NamedOtherwise,
    /// What would be left out is not there.
    #[error("no other dependence crosses the chain")]
    NothingCrosses,
    /// The architecture has no instruction that others wait for before they are dispatched, or it
    /// does not execute here.
    #[error("no instruction keeps others from being dispatched")]
    NoBarrier,
    /// What is no load or store of one register at a base and a displacement.
    #[error("{0} is no plain load or store")]
    NoWalk(String),
    /// A working set in which not every pointer has room for an access.
    #[error("a working set of {0} bytes has no room for an access of each stream")]
    SmallWorkingSet(u64),
    /// A working set whose places the steps of a chase do not reach.
    #[error("no chase leads through a working set of {0} bytes")]
    NoChase(u64),
    /// It names all registers in one operand, so that no two can have results apart.
    #[error("{0} names its registers in an operand, of which there is one for all")]
    OneForAll(String),
    /// Every loop overwrites something that the chain carries.
    #[error("no loop leaves the chain alone")]
    NoLoop,
}
