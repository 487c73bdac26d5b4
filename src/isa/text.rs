//! The assembly around bodies: templates, loops, fillers, what brings registers to values.

use crate::artifact::ReferenceFunction;
use crate::form::{EncodingGroup, Part, Value};
use crate::metadata::{
    ClassId, Instruction, InstructionSet, OpcodeId, RegisterId, VectorConfiguration,
};

/// The loop around a body: which macro of the template ends it, and what it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopControl {
    /// Name of the template's macro.
    pub name: &'static str,
    /// Registers that the body must not touch.
    pub reserved: Vec<RegisterId>,
    /// Parts that the loop's own instructions overwrite.
    pub overwrites: Vec<Part>,
    /// Registers that the loop restores from a copy, as (register, where the copy is kept);
    /// the body may read the first but not write it.
    pub restores: Vec<(RegisterId, RegisterId)>,
}

impl LoopControl {
    /// What the copies hold from which the loop restores registers.
    pub fn restored_values(&self) -> impl Iterator<Item = (RegisterId, Value)> {
        self.restores.iter().map(|&(register, copy)| (copy, Value::OrdinaryOf(register)))
    }
}

/// A chain whose duration is known: a candidate for the unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReferenceChain {
    /// Symbol of its function in the template.
    pub symbol: &'static str,
    /// Dependent instructions in one loop iteration.
    pub instructions: u32,
    /// Whether it should take one cycle an instruction; otherwise a small whole number of them.
    pub single_cycle: bool,
}

impl ReferenceChain {
    /// Its function in a shared object, where the loop around it takes so many cycles besides.
    #[must_use]
    pub fn function(&self, loop_cycles: u32) -> ReferenceFunction {
        ReferenceFunction {
            symbol: self.symbol.to_owned(),
            cycles_per_iteration: self.instructions + loop_cycles,
        }
    }
}

/// Symbol of a function that every template has: `void f(uint64_t loop_count)`, a loop of as many
/// fillers as the front end takes. Whoever shares the core slows it down.
pub const SENTINEL: &str = "winic_sentinel";

/// Symbol of a function that every template has: `void f(uint64_t count)`, so many independent
/// operations of the vector and of the general units, and moves from these to those. They leave the choice of ports in another
/// phase: a core that begins in a bad one may stay in it for as long as a loop runs (on a Zen 4
/// `VPCOMPRESSDZ128rr` takes 0.67 cycles or 1, `VPINSRWrri` 1 or 1.25).
pub const PHASE: &str = "winic_phase";

/// Lines of assembly around a kernel's loop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preparation {
    /// Before the loop.
    pub setup: Vec<String>,
    /// After it.
    pub teardown: Vec<String>,
}

/// Pointers that walk through a kernel's buffer, one behind the other's stream, and begin again
/// together. Where they are when a call ends is where the next one goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BufferWalk {
    /// The registers, each with how many bytes into the buffer its stream begins; at least one. Above
    /// [`BufferWalk::ADDRESS`] bits stands what an instruction finds there beside an address.
    pub pointers: Vec<(RegisterId, u64)>,
    /// Bytes that a turn of the body goes on.
    pub advance: u32,
    /// Bytes of each stream: a multiple of what a turn goes on.
    pub bytes: u64,
    /// A register for the end of the first stream.
    pub end: RegisterId,
    /// A register for the bytes of a stream.
    pub length: RegisterId,
}

impl BufferWalk {
    /// The pointer by which it is told when all begin again.
    #[must_use]
    pub fn leader(&self) -> RegisterId {
        self.pointers.first().map_or(RegisterId::NONE, |&(register, _)| register)
    }

    /// Bits of an address.
    pub const ADDRESS: u32 = 56;

    /// What the leader holds beside the buffer's address when its stream begins.
    #[must_use]
    pub fn first(&self) -> u64 {
        self.pointers.first().map_or(0, |&(_, start)| start)
    }

    /// Bytes of the buffer up to the end of the last stream.
    #[must_use]
    pub fn extent(&self) -> u64 {
        let starts = self.pointers.iter().map(|(_, start)| start & ((1 << Self::ADDRESS) - 1));
        starts.map(|start| start + self.bytes).max().unwrap_or(0)
    }
}

/// Loads from a buffer of zeros, each of which waits for the one before: a generator of numbers that look
/// random, to which what was loaded is added, says where the next one is. It comes to each line of the
/// buffer once before it comes to one again, so that no cache with fewer lines has the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BufferChase {
    /// A register for the buffer's address.
    pub base: RegisterId,
    /// One for the place in it. Where that is when a call ends is where the next one goes on.
    pub place: RegisterId,
    /// One for the address of a load, and for what it loads.
    pub found: RegisterId,
    /// One for the factor of each step, where an instruction cannot name it.
    pub factor: RegisterId,
    /// One for the bits of a place, likewise.
    pub mask: RegisterId,
    /// Bytes of the buffer: a power of two, from [`BufferChase::LINE`] to [`BufferChase::MOST`].
    pub bytes: u64,
    /// Whether it loads. If not it takes all the same steps but for the load.
    pub loads: bool,
}

impl BufferChase {
    /// The factor of a step: one more than a multiple of four, and what is added an odd number of lines, so
    /// that it leads to all of them (Hull and Dobell 1962).
    pub const FACTOR: u32 = 0x4C95_7F2D;
    /// What is added in a step, in bytes.
    pub const ADDEND: u32 = 31 * Self::LINE;
    /// What a place is a multiple of.
    pub const LINE: u32 = 64;
    /// The most bytes that a buffer has.
    pub const MOST: u64 = 1 << 30;

    /// The bits of a place.
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.bytes - u64::from(Self::LINE)
    }
}

/// How a kernel goes through its buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BufferPath {
    /// With pointers that walk on and on.
    Straight(BufferWalk),
    /// From each place to another.
    Chase(BufferChase),
}

impl BufferPath {
    /// Bytes of the buffer.
    #[must_use]
    pub fn extent(&self) -> u64 {
        match self {
            Self::Straight(walk) => walk.extent(),
            Self::Chase(chase) => chase.bytes,
        }
    }
}

/// Lines of assembly that lead through a buffer. They write flags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WalkText {
    /// Before the loop, when all other registers have their values: where the path goes on.
    pub setup: Vec<String>,
    /// At the end of each turn of a walk, of which nothing depends on more than the turn before; the step of
    /// a chase.
    pub advance: Vec<String>,
    /// After the loop: how far it came.
    pub teardown: Vec<String>,
}

/// An instruction that says what it does in a register: a word that names the register, and what that
/// holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterOperand {
    /// The word for each of [`KernelText::operand_registers`], in their order.
    pub words: Vec<u32>,
    /// What the register must hold.
    pub operand: HeldOperand,
    /// For people: what it does.
    pub text: String,
    /// Of what accesses memory at an operand's register: the word that names that register.
    pub at_base: Option<u32>,
}

/// What a register must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldOperand {
    /// All of it, or what stands beside an address.
    pub value: u64,
    /// Whether the region's address is in its low bits.
    pub has_address: bool,
}

/// Reads the words of a program in order, of which some say what they do in a register: it follows what
/// registers hold.
pub trait WordReader {
    /// The next word; none where it is an instruction that codecs know.
    fn read(&mut self, word: u32) -> Option<ReadWord>;
}

/// A word that codecs do not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadWord {
    /// An instance of a form.
    Instance(Instruction),
    /// It switches a unit on or off.
    Switch,
    /// No form has such an instance.
    Unknown,
}

/// The assembly around bodies: templates, loops, fillers, what brings registers to values.
pub trait KernelText {
    /// The directive that chooses the syntax in which LLVM prints instructions here.
    fn syntax(&self) -> &'static str;

    /// The assembly text in front of all kernels.
    fn template(&self) -> &'static str;

    /// Candidates for the unit of time, best first, of different kinds.
    fn references(&self) -> &'static [ReferenceChain];

    /// Loops to choose from, most ordinary first.
    fn loop_controls(&self, set: &InstructionSet) -> Vec<LoopControl>;

    /// A one-instruction filler that does nothing but take a slot in the front end.
    fn filler(&self) -> &'static [u8];

    /// What people call it.
    fn filler_name(&self) -> &'static str {
        "nop"
    }

    /// Fillers of all lengths that there are, the shortest first.
    fn fillers(&self) -> Vec<Vec<u8>> {
        vec![self.filler().to_vec()]
    }

    /// How the encoding of an instruction ends whose address is counted from where it stands: how many of
    /// its bytes stay, and assembly for the others that lets it access the region, so many bytes behind
    /// its beginning. None where no form has such an address.
    fn region_reference(&self, bytes: &[u8], place: i64) -> Option<(usize, String)> {
        let _ = (bytes, place);
        None
    }

    /// Assembly that stands in front of kernels with such addresses, where those do not reach the region:
    /// what they reach in its place, which is never executed.
    fn near_region(&self) -> Vec<String> {
        Vec::new()
    }

    /// Assembly that leads through a buffer, by the template's cells for its address and for how far
    /// earlier calls came.
    fn walk(&self, set: &InstructionSet, path: &BufferPath) -> WalkText;

    /// Assembly that brings registers to values, and assembly that leaves the machine as it
    /// was found afterwards.
    fn prepare(
        &self,
        set: &InstructionSet,
        registers: &[(RegisterId, Value)],
        group: EncodingGroup,
    ) -> Preparation;

    /// The vector configuration that an instruction of a preparation establishes, if it does.
    fn established(
        &self,
        set: &InstructionSet,
        instruction: &Instruction,
    ) -> Option<VectorConfiguration> {
        let _ = (set, instruction);
        None
    }

    /// An instruction as a word and the contents of a register, if that is how it says what it does.
    fn register_operand(&self, instruction: &Instruction) -> Option<RegisterOperand> {
        let _ = instruction;
        None
    }

    /// Registers for the operands of such instructions, by their names in assembly.
    fn operand_registers(&self) -> &'static [&'static str] {
        &[]
    }

    /// Assembly around a kernel with such instructions, whose operands are brought to
    /// [`Self::operand_registers`] in this order.
    fn prepare_operands(&self, operands: &[HeldOperand]) -> Preparation {
        let _ = operands;
        Preparation::default()
    }

    /// Assembly around a kernel that executes one such instruction once, and traps if that changes other
    /// registers than it should.
    fn prepare_probe(&self, instruction: &Instruction, operands: &[HeldOperand]) -> Preparation {
        let _ = instruction;
        self.prepare_operands(operands)
    }

    /// What it means that a probe of a form trapped, if [`Self::prepare_probe`] makes it.
    fn why_trapped(&self, opcode: OpcodeId) -> Option<&'static str> {
        let _ = opcode;
        None
    }

    /// Whether some bytes are such an instruction, or switch what executes them on or off.
    fn is_own_word(&self, bytes: &[u8]) -> bool {
        let _ = bytes;
        false
    }

    /// Reads programs with such instructions, if there are any.
    fn word_reader(&self) -> Option<Box<dyn WordReader + '_>> {
        None
    }

    /// How many registers of a class results may go round, where their number is bounded by more than how many
    /// there are.
    fn most_in_turn(&self, set: &InstructionSet, class: ClassId) -> Option<usize> {
        let _ = (set, class);
        None
    }

    /// The block of neighbours that a register belongs to, where whoever goes from one to another goes round
    /// a block of each.
    fn block(&self, register: RegisterId) -> Option<u32> {
        let _ = register;
        None
    }

    /// The numbers of a register that codecs do not know: of one that is several, all of them.
    fn own_numbers(&self, register: RegisterId) -> Vec<u32> {
        let _ = register;
        Vec::new()
    }
}
