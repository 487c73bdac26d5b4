//! All that is known of single instruction sets, behind one trait: the only place, with
//! `templates/`, where mnemonics and register names stand.

mod aarch64;
mod names;
mod riscv;
mod x86;

use crate::form::{
    AddressPart, EncodingGroup, InstructionForm, MemoryAccess, Part, Role, Site, Value,
};
use crate::metadata::{Instruction, InstructionSet, Opcode, OperandKind, RegisterId};

/// A class of values of a form's operands, on which its duration may depend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperandValues {
    /// What people call it.
    pub name: &'static str,
    /// Whether programs meet such values all the time, so that the form takes all that lies between
    /// these classes. Others are named beside it.
    pub usual: bool,
}

impl OperandValues {
    /// Values that programs meet all the time.
    #[must_use]
    pub const fn usual(name: &'static str) -> Self {
        Self { name, usual: true }
    }

    /// Values that are an exception.
    #[must_use]
    pub const fn unusual(name: &'static str) -> Self {
        Self { name, usual: false }
    }
}

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

/// Instructions that must stand beside every instance to keep the machine state sane
/// (an x87 push without a pop overflows the register stack).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Companions {
    /// LLVM names of what precedes each instance.
    pub before: Vec<&'static str>,
    /// LLVM names of what follows each instance.
    pub after: Vec<&'static str>,
}

/// Two forms that together write a register which no form writes without reading it: the top of a
/// stack. The first pushes a register that nothing changes; the second puts that where the old top
/// is now, and pops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakingPair {
    /// LLVM name of the form that pushes.
    pub push: &'static str,
    /// LLVM name of the form that pops; its operand is what it writes.
    pub pop: &'static str,
    /// What the old top is called once something has been pushed.
    pub below: &'static str,
}

/// A step that brings a value back to what a form needs without cutting a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restorer {
    /// LLVM name of a form with one result and two sources.
    pub form: &'static str,
    /// Which of its sources carries the chain, counted from the first.
    pub source: usize,
    /// What stands at the other one.
    pub other: Restored,
}

/// The other source of a [`Restorer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restored {
    /// Zero: the result is zero, too, but still waits for the chain (`and`).
    Zero,
    /// The value that the form needs, which becomes the result (`or` with zero, a sign put to
    /// a magnitude).
    Value,
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

/// Symbol of a function that every template has: `void f(uint64_t loop_count)`, a loop of as many
/// fillers as the front end takes. Whoever shares the core slows it down.
pub const SENTINEL: &str = "winic_sentinel";

/// Symbol of a function that every template has: `void f(uint64_t count)`, so many independent
/// operations of the vector and of the general units, and moves from these to those. They leave the choice of ports in another
/// phase: a core that begins in a bad one may stay in it for as long as a loop runs (on a Zen 4
/// `VPCOMPRESSDZ128rr` takes 0.67 cycles or 1, `VPINSRWrri` 1 or 1.25).
pub const PHASE: &str = "winic_phase";

/// Knowledge of one instruction set.
pub trait Isa: Send + Sync {
    /// Architecture as in LLVM triples.
    fn architecture(&self) -> &'static str;

    /// Completes LLVM's tables with what they leave open: widths of registers, and the
    /// configurations under which vector opcodes are legal.
    fn complete(&self, _set: &mut InstructionSet) {}

    // Opcodes

    /// Whether an opcode leaves the kernel although LLVM does not call it a branch.
    fn leaves_the_kernel(&self, opcode: &str) -> bool;

    /// Why an opcode that LLVM can encode is not to be measured at all (it traps, or what it
    /// does is not its own), if it is not.
    fn excluded(&self, _opcode: &str) -> Option<&'static str> {
        None
    }

    /// Whether an opcode only changes the next instruction.
    fn is_prefix(&self, opcode: &str) -> bool;

    /// What an opcode does to memory where LLVM's operand list does not say it: through
    /// registers it implies, or through an address that is listed like any register.
    /// `Some(None)` contradicts LLVM's operand list.
    fn implied_memory(&self, opcode: &Opcode) -> Option<MemoryAccess>;

    /// Whether a form belongs to the deprecated floating-point unit that runs skip by default.
    fn is_deprecated_floating_point(&self, form: &InstructionForm) -> bool;

    // Operands

    /// A value for an operand that is no register; `attempt` 0 is the headline's.
    fn immediate(&self, opcode: &Opcode, index: usize, kind: OperandKind, attempt: usize) -> i64;

    /// Other values of the form's immediates that a core may treat differently, as
    /// (operand, value, name); the headline's is not among them.
    fn variants(&self, set: &InstructionSet, form: &InstructionForm) -> Vec<(usize, i64, String)>;

    /// Whether a register operand is left out (a segment, an index).
    fn absent(&self, set: &InstructionSet, opcode: &Opcode, index: usize) -> bool;

    /// What an operand is to the address of the memory that an opcode accesses, if it is a part of
    /// one. An address that is only computed (`LEA`) has no parts.
    fn address_part(
        &self,
        set: &InstructionSet,
        opcode: &Opcode,
        operand: usize,
    ) -> Option<AddressPart> {
        let _ = (set, opcode, operand);
        None
    }

    /// Bits of memory that an opcode accesses at its address, by how an instance is printed; 0 where
    /// that is not known.
    fn access_bits(&self, opcode: &Opcode, text: &str) -> u32 {
        let _ = (opcode, text);
        0
    }

    /// The mnemonic in a printed instruction.
    fn mnemonic(&self, text: &str) -> String;

    /// Puts right what LLVM's tables say wrongly or not at all about a form's reads and writes.
    fn correct(&self, form: &mut InstructionForm, set: &InstructionSet);

    // Registers and dependence

    /// Whether kernels may use a register.
    fn availability(&self, register: &str) -> Availability;

    /// What a register that an instance of a form touches stands for in dependences; its
    /// units, where the ISA knows nothing finer.
    fn parts(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        instance: &Instruction,
        register: RegisterId,
        role: Role,
    ) -> Vec<Part>;

    /// The register whose rest stays when only `written`, a part of it, is written: the core
    /// merges the two, so that it waits for the old contents.
    fn merged(&self, set: &InstructionSet, written: RegisterId) -> Option<RegisterId>;

    /// Why no chain can go through what a form writes at a site (flags that the manual leaves
    /// undefined), if none can.
    fn unchainable(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        target: Site,
    ) -> Option<&'static str>;

    /// Whether a register at an operand needs an encoding of its own, which some cores execute
    /// more slowly, so that others are to be preferred.
    fn awkward(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        operand: usize,
        register: RegisterId,
    ) -> bool;

    /// The smallest latency that an edge can have: 0 where cores eliminate the form, else 1.
    fn least_latency(&self, form: &InstructionForm) -> f64;

    // Kernels

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

    /// Fillers of all lengths that there are, the shortest first.
    fn fillers(&self) -> Vec<Vec<u8>> {
        vec![self.filler().to_vec()]
    }

    /// LLVM name of a form without operands that all before it must have completed for, and behind
    /// which nothing is dispatched until it has completed itself, if the architecture has one.
    fn dispatch_barrier(&self) -> Option<&'static str> {
        None
    }

    /// LLVM names of forms that take one cycle from their first source and have their results from
    /// and for everything that the resource has, without delay, for each resource in which chains can
    /// be timed from barrier to barrier. (Only those are used that turn out to take one cycle.)
    fn single_cycle_forms(&self) -> &'static [&'static str] {
        &[]
    }

    /// LLVM names of forms that need nothing but a place in the front end and at most a unit that
    /// all have many of, of an ISA with cores on which fillers need more than that.
    fn simplest_forms(&self) -> &'static [&'static str] {
        &[]
    }

    /// Which group an instruction that touches these registers belongs to; kernels do not mix
    /// groups, since some cores pay for each change.
    fn encoding_group(
        &self,
        set: &InstructionSet,
        touched: &[RegisterId],
        bytes: &[u8],
    ) -> EncodingGroup;

    /// Assembly that brings registers to values, and assembly that leaves the machine as it
    /// was found afterwards.
    fn prepare(
        &self,
        set: &InstructionSet,
        registers: &[(RegisterId, Value)],
        group: EncodingGroup,
    ) -> Preparation;

    /// Assembly that fills the region which kernels may access, before registers get their values.
    fn fill_region(&self, contents: Value) -> Vec<String> {
        let _ = contents;
        Vec::new()
    }

    /// A value that a site must hold lest the form fault or do something else than measured.
    fn required_value(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        site: Site,
    ) -> Option<Value>;

    /// For a form whose duration may depend on the values of its operands: classes of values, of
    /// which the first is what [`Isa::required_value`] gives. None where they cannot matter.
    fn value_classes(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
    ) -> &'static [OperandValues] {
        let _ = (set, form);
        &[]
    }

    /// What a site holds in a class of values, by its position in [`Isa::value_classes`], where that
    /// differs from what the first class wants there.
    fn value_of_class(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        site: Site,
        class: usize,
    ) -> Option<Value> {
        let _ = (set, form, site, class);
        None
    }

    /// Whether a core may treat a form specially that has one register at all operands: what
    /// subtracts a register from itself gives zero, and what moves it to itself does nothing.
    fn may_be_idiom(&self, form: &InstructionForm) -> bool {
        let _ = form;
        false
    }

    // Planning

    /// Whether a form may lead other forms' results back; not so where it does more than move
    /// a value (an access to a system register may drain the pipeline).
    fn may_help(&self, _form: &InstructionForm) -> bool {
        true
    }

    /// LLVM names of forms that write a register without reading anything that changes, best first.
    fn breakers(&self, set: &InstructionSet, register: RegisterId) -> &'static [&'static str];

    /// What breaks the dependence through a register that has no [`Isa::breakers`], if two
    /// instructions do. Chains have room for them; in a body for throughput there would be more of
    /// them than of what is measured.
    fn breaking_pair(&self, set: &InstructionSet, register: RegisterId) -> Option<BreakingPair> {
        let _ = (set, register);
        None
    }

    /// What must accompany a form.
    fn companions(&self, form: &InstructionForm) -> Companions;

    /// For a form whose duration depends on the value of a register that it reads: the steps
    /// (`and` with zero, `or` with the value) that bring the register back to a fixed value
    /// without cutting a chain. None where the duration does not depend on it.
    fn restorers(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        register: RegisterId,
    ) -> &'static [Restorer];

    /// The steps that bring a register which is part of an address back to what it held, like
    /// [`Isa::restorers`].
    fn address_restorers(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        operand: usize,
    ) -> &'static [Restorer] {
        let _ = (set, form, operand);
        &[]
    }

    /// Whether there are cores that take longer for a form that writes a register which it reads,
    /// so that its chains are measured through one register and through several: in-order ones
    /// wait before they write a register again (CVA6 takes two cycles for `add a0, a0, a1` and one
    /// for `add a2, a0, a1`).
    fn may_stall_on_rewrite(&self, _set: &InstructionSet, _form: &InstructionForm) -> bool {
        false
    }
}

/// Whether kernels may use a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// It belongs to the system, the loop or the stack.
    Never,
    /// Every CPU of the architecture has it, or what goes with it.
    Always,
    /// Only CPUs with an extension have it (x86: R16 to R31, XMM16 to XMM31): it must have executed once.
    IfExecuted,
}

/// Lines of assembly around a kernel's loop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preparation {
    /// Before the loop.
    pub setup: Vec<String>,
    /// After it.
    pub teardown: Vec<String>,
}

/// Every architecture there is knowledge of, as LLVM's triples name it.
pub const ARCHITECTURES: [&str; 3] = ["x86_64", "aarch64", "riscv64"];

/// There is no knowledge of this architecture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("winic does not know the architecture '{0}'; it knows {known}", known = ARCHITECTURES.join(", "))]
pub struct UnknownArchitecture(pub String);

/// The knowledge of an instruction set's architecture, for a machine that has the features it
/// is asked for by LLVM's names.
///
/// # Errors
/// When there is none.
pub fn for_architecture(
    set: &InstructionSet,
    has_feature: impl Fn(&str) -> bool,
) -> Result<Box<dyn Isa>, UnknownArchitecture> {
    match set.architecture.as_str() {
        "x86_64" => Ok(Box::new(x86::X86::new(has_feature))),
        "aarch64" => Ok(Box::new(aarch64::AArch64::new(set))),
        "riscv64" => Ok(Box::new(riscv::RiscV)),
        other => Err(UnknownArchitecture(other.to_owned())),
    }
}

/// LLVM's features that a machine may have although they do not follow from its CPU's name:
/// all that there are, where no CPU is named. Whether it has them is found out by executing.
#[must_use]
pub fn possible_features(architecture: &str, cpu: Option<&str>) -> &'static str {
    match (architecture, cpu) {
        ("aarch64", None) => aarch64::ALL_FEATURES,
        ("aarch64", Some(_)) => aarch64::OPTIONAL_FEATURES,
        _ => "",
    }
}

/// Extensions, by LLVM's names, that are switched on whatever CPU is asked for: what of them a
/// machine has is found out by executing forms, not by trusting a name. LLVM decodes x86
/// without asking for any.
#[must_use]
pub fn extensions(architecture: &str) -> &'static [&'static str] {
    match architecture {
        "riscv64" => riscv::EXTENSIONS,
        _ => &[],
    }
}

/// Whether LLVM decodes instructions of an architecture whatever extensions the CPU has, so that
/// [`cpuid`] must say which they need.
#[must_use]
pub fn decodes_everything(architecture: &str) -> bool {
    architecture == "x86_64"
}

#[cfg(feature = "llvm")]
pub use x86::extensions as cpuid;

/// Whether one extension counts as a part of another that implies it, and is not only needed by
/// it: RISC-V's Z extensions are pieces of the letters (`Zmmul` of `M`).
#[must_use]
pub fn is_part_of_extensions(architecture: &str, extension: &str) -> bool {
    architecture == "riscv64" && riscv::is_part_of_letters(extension)
}
