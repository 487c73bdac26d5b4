//! x86-64: the general parts. Flags, the x87 stack and register contents have files of their own.
//! Sources: Intel SDM volumes 1 and 2, AMD64 APM volumes 1 to 3.

mod addressing;
mod corrections;
#[cfg(feature = "llvm")]
pub mod extensions;
mod flags;
mod idioms;
mod implied;
mod memory;
mod mixtures;
mod nops;
mod operations;
mod passages;
mod registers;
mod spelling;
mod transitions;
mod values;
mod walk;
mod x87;

use memory::is_address_computation;

use super::{
    Availability, BreakingPair, BufferPath, Companions, Computations, Dependences, HelperForms,
    Isa, KernelText, LoopControl, MemoryOperands, Opcodes, OperandContents, OperandRules,
    OperandValues, Operations, PlainMove, Preparation, ReferenceChain, Restorer, TimingForms,
    Transition, Transitions, WalkText, names,
};
use crate::form::{
    AddressOrigin, AddressPart, EncodingGroup, InstructionForm, MemoryAccess, Part, Role, Site,
    Spent, Value,
};
use crate::metadata::{Instruction, InstructionSet, Opcode, OperandKind, OperandValue, RegisterId};

/// x86-64 on a machine with or without AVX.
pub struct X86 {
    has_avx: bool,
}

/// LLVM's target-specific operand kinds, counted from its first.
const ROUNDING_CONTROL: u32 = 0;
const CONDITION: u32 = 1;

/// Base registers that are only encoded with a displacement, if need be of zero: `LEA` with
/// base, index and displacement is a slow one on many cores.
const BASES_WITH_DISPLACEMENT: &[&str] =
    &["RBP", "R13", "EBP", "R13D", "R21", "R29", "R21D", "R29D"];

/// Base registers that are only encoded with the byte that names an index, if need be none.
const BASES_WITH_INDEX: &[&str] = &["R12", "R12D", "R20", "R20D", "R28", "R28D"];

/// Condition codes as LLVM numbers them, with the suffixes that assemblers know.
const CONDITIONS: [&str; 16] =
    ["o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"];
/// The headline's condition: equal.
const HEADLINE_CONDITION: i64 = 4;

/// An ordinary immediate: a valid shift count, predicate and selector everywhere, neither 0,
/// 1 nor a power of two. The others are for opcodes that reject it.
const IMMEDIATES: [i64; 4] = [5, 3, 1, 0];

/// Opcodes that end a kernel, wait, or hand control to someone else, though LLVM calls them
/// no control flow.
const LEAVING: &[&str] = &[
    "XBEGIN",
    "XBEGIN_2",
    "XBEGIN_4",
    "XABORT",
    "XABORT_DEF",
    "UIRET",
    "SENDUIPI",
    "ENCLU",
    "ENCLV",
    "ENCLS",
    "SEAMCALL",
    "PBNDKB",
    "JMPABS64",
    "ERETS",
    "ERETU",
];

/// Opcodes that are a prefix byte alone.
const PREFIXES: &[&str] = &[
    "LOCK_PREFIX",
    "REP_PREFIX",
    "REPNE_PREFIX",
    "DATA16_PREFIX",
    "ADDR16_PREFIX",
    "ADDR32_PREFIX",
    "REX64_PREFIX",
    "XACQUIRE_PREFIX",
    "XRELEASE_PREFIX",
    "CS_PREFIX",
    "DS_PREFIX",
    "ES_PREFIX",
    "FS_PREFIX",
    "GS_PREFIX",
    "SS_PREFIX",
];

/// Prefixes that printed text carries in front of the mnemonic.
const TEXT_PREFIXES: &[&str] =
    &["lock", "rep", "repne", "repe", "{evex}", "{vex}", "{vex2}", "{vex3}", "{nf}", "data16"];

/// The frame that `ENTER` makes: its bytes, and how many frames it is nested in.
const FRAME: [i64; 2] = [16, 0];

impl X86 {
    /// For a machine with the features that it is asked for.
    pub fn new(has_feature: impl Fn(&str) -> bool) -> Self {
        Self { has_avx: has_feature("avx") }
    }
}

/// The condition of an instance, if it has one.
fn condition(set: &InstructionSet, instance: &Instruction) -> Option<usize> {
    let operands = &set.opcode(instance.opcode).operands;
    let index =
        operands.iter().position(|operand| operand.kind == OperandKind::Target(CONDITION))?;
    match instance.operands[index] {
        OperandValue::Immediate(code) => usize::try_from(code).ok(),
        OperandValue::Register(_) => None,
    }
}

impl Isa for X86 {
    fn architecture(&self) -> &'static str {
        "x86_64"
    }

    fn complete(&self, set: &mut InstructionSet) {
        corrections::unmark_computed_addresses(set);
        addressing::add_modes(set);
    }
}

impl Opcodes for X86 {
    fn leaves_the_kernel(&self, opcode: &str) -> bool {
        names::is_any(opcode, LEAVING)
    }

    fn is_prefix(&self, opcode: &str) -> bool {
        PREFIXES.contains(&opcode)
    }

    fn is_deprecated_floating_point(&self, form: &InstructionForm) -> bool {
        x87::is_x87(form)
    }

    fn mnemonic(&self, text: &str) -> String {
        text.split_whitespace()
            .find(|word| !TEXT_PREFIXES.contains(word))
            .unwrap_or_default()
            .to_owned()
    }

    fn encoding_group(
        &self,
        set: &InstructionSet,
        touched: &[RegisterId],
        bytes: &[u8],
    ) -> EncodingGroup {
        if touched.iter().any(|&register| registers::is_vector(&set.register(register).name)) {
            registers::encoding_group(bytes)
        } else {
            EncodingGroup::COMMON
        }
    }
}

impl OperandRules for X86 {
    fn immediate(
        &self,
        set: &InstructionSet,
        opcode: &Opcode,
        (index, kind): (usize, OperandKind),
        attempt: usize,
    ) -> i64 {
        match kind {
            OperandKind::Target(CONDITION) => HEADLINE_CONDITION,
            OperandKind::Target(ROUNDING_CONTROL) => 0,
            OperandKind::Memory(_) => addressing::number(set, opcode, index),
            _ if opcode.name == "ENTER" => FRAME[index % FRAME.len()],
            _ if is_address_computation(&opcode.name) => addressing::number(set, opcode, index),
            _ => IMMEDIATES[attempt % IMMEDIATES.len()],
        }
    }

    fn variants(&self, set: &InstructionSet, form: &InstructionForm) -> Vec<(usize, i64, String)> {
        let is_condition = |kind| kind == OperandKind::Target(CONDITION);
        let operands = &set.opcode(form.opcode).operands;
        let Some(index) = operands.iter().position(|operand| is_condition(operand.kind)) else {
            return memory::computed_addresses(&form.name);
        };
        (0_i64..)
            .zip(CONDITIONS)
            .filter(|&(code, _)| code != HEADLINE_CONDITION)
            .map(|(code, name)| (index, code, format!("condition {name}")))
            .collect()
    }

    fn absent(&self, set: &InstructionSet, opcode: &Opcode, index: usize) -> bool {
        addressing::is_absent(set, opcode, index)
    }

    fn correct(&self, form: &mut InstructionForm, set: &InstructionSet) {
        corrections::correct(form, set);
        addressing::correct(form);
        implied::correct(form, set);
        x87::correct(form, set);
    }
}

impl MemoryOperands for X86 {
    fn implied_memory(&self, opcode: &Opcode) -> Option<MemoryAccess> {
        memory::implied(&opcode.name)
    }

    fn address_part(
        &self,
        _: &InstructionSet,
        opcode: &Opcode,
        operand: usize,
    ) -> Option<AddressPart> {
        memory::address_part(opcode, operand).or_else(|| addressing::absolute_part(opcode, operand))
    }

    fn implied_register(
        &self,
        set: &InstructionSet,
        opcode: &Opcode,
        operand: usize,
    ) -> Option<RegisterId> {
        implied::pointer(set, opcode, operand).or_else(|| addressing::base(set, opcode, operand))
    }

    fn access_bits(&self, _: &Opcode, text: &str) -> u32 {
        memory::access_bits(text)
    }

    fn fill_region(&self, contents: Value, low: bool) -> Vec<String> {
        memory::fill_region(contents, low)
    }

    fn address_origin(&self, set: &InstructionSet, opcode: &Opcode, _: &str) -> AddressOrigin {
        addressing::origin(set, opcode)
    }

    fn plain_moves(&self) -> &'static [PlainMove] {
        memory::PLAIN_MOVES
    }

    fn address_restorers(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        site: Site,
    ) -> &'static [Restorer] {
        memory::restorers(set, form, site)
    }
}

impl Dependences for X86 {
    fn availability(&self, register: &str) -> Availability {
        registers::availability(register)
    }

    fn parts(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        instance: &Instruction,
        register: RegisterId,
        role: Role,
    ) -> Vec<Part> {
        if set.register(register).name == "EFLAGS" {
            return flags::parts(form, condition(set, instance), role);
        }
        if role == Role::Undefined {
            return Vec::new();
        }
        set.register(register).units.iter().map(|&unit| Part::Unit(unit)).collect()
    }

    fn merged(&self, set: &InstructionSet, written: RegisterId) -> Option<RegisterId> {
        registers::merged(set, written)
    }

    fn unchainable(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        target: Site,
    ) -> Option<&'static str> {
        if x87::moves_stack(form) {
            return Some("the x87 register stack moves");
        }
        let flags =
            matches!(target, Site::Implicit(register) if set.register(register).name == "EFLAGS");
        (flags && flags::parts(form, None, Role::Def).is_empty())
            .then_some("the flags are undefined afterwards")
    }

    fn awkward(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        operand: usize,
        register: RegisterId,
    ) -> bool {
        let name = set.register(register).name.as_str();
        let computed = is_address_computation(&form.name);
        let part = addressing::position(set.opcode(form.opcode), operand);
        part == Some(addressing::BASE)
            && (BASES_WITH_DISPLACEMENT.contains(&name)
                || (!computed && BASES_WITH_INDEX.contains(&name)))
    }

    fn least_latency(&self, form: &InstructionForm) -> f64 {
        let moves = idioms::ELIMINABLE.contains(&form.mnemonic.as_str());
        if moves && form.memory == MemoryAccess::None { 0.0 } else { 1.0 }
    }
}

impl KernelText for X86 {
    fn syntax(&self) -> &'static str {
        ".intel_syntax noprefix"
    }

    fn template(&self) -> &'static str {
        include_str!("../../../templates/x86_64.s")
    }

    fn references(&self) -> &'static [ReferenceChain] {
        &[
            ReferenceChain { symbol: "winic_reference_add", instructions: 64, single_cycle: true },
            ReferenceChain {
                symbol: "winic_reference_logic",
                instructions: 64,
                single_cycle: true,
            },
            ReferenceChain {
                symbol: "winic_reference_rotate",
                instructions: 64,
                single_cycle: true,
            },
            ReferenceChain {
                symbol: "winic_reference_multiply",
                instructions: 64,
                single_cycle: false,
            },
        ]
    }

    fn loop_controls(&self, set: &InstructionSet) -> Vec<LoopControl> {
        registers::loop_controls(set)
    }

    fn filler(&self) -> &'static [u8] {
        &[0x90]
    }

    fn fillers(&self) -> Vec<Vec<u8>> {
        nops::all()
    }

    /// (Of the forms that have an entry for this addressing mode none has an immediate, which would stand
    /// behind the displacement.)
    fn region_reference(&self, bytes: &[u8], place: i64) -> Option<(usize, String)> {
        let kept = bytes.len().checked_sub(size_of::<i32>())?;
        Some((kept, format!(".long winic_region + {place} - . - 4")))
    }

    fn walk(&self, set: &InstructionSet, path: &BufferPath) -> WalkText {
        walk::text(set, path)
    }

    fn prepare(
        &self,
        set: &InstructionSet,
        wanted: &[(RegisterId, Value)],
        group: EncodingGroup,
    ) -> Preparation {
        registers::prepare(set, wanted, group, self.has_avx)
    }
}

impl TimingForms for X86 {
    /// Intel: SDM volume 2, `LFENCE`; AMD: where the system has set `LFENCE_DISPATCH`, as Linux does.
    fn dispatch_barrier(&self) -> Option<&'static str> {
        Some("LFENCE")
    }

    /// Of vectors no shuffle: on Zen 4 what comes from a general register is a cycle later there.
    fn single_cycle_forms(&self) -> &'static [&'static str] {
        &["NOT64r", "KNOTWkk", "PADDDrr", "VPADDDrr", "VPADDDZ128rr"]
    }

    /// Where moves are eliminated they need no unit (LLVM's model of Zen 4 gives fillers one).
    fn simplest_forms(&self) -> &'static [&'static str] {
        &["MOV64rr"]
    }

    /// Dividers are not always pipelined, multipliers are.
    fn slow_forms(&self) -> &'static [&'static str] {
        &["VDIVSDrr_Int", "DIVSDrr_Int", "VMULSDrr_Int", "MULSDrr_Int", "IMUL64rr"]
    }
}

impl OperandContents for X86 {
    fn required_value(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        site: Site,
    ) -> Option<Value> {
        registers::required_value(set, form, site)
            .or_else(|| values::steady_divisor(form, site))
            .or_else(|| values::unspent(form, site))
    }

    fn may_be_idiom(&self, form: &InstructionForm) -> bool {
        form.memory == MemoryAccess::None && idioms::IDIOMS.contains(&form.mnemonic.as_str())
    }

    fn value_classes(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
    ) -> &'static [OperandValues] {
        values::classes(set, form)
    }

    fn value_of_class(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        site: Site,
        class: usize,
    ) -> Option<Value> {
        values::of_class(set, form, site, class)
    }

    fn restorers(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        register: RegisterId,
    ) -> &'static [Restorer] {
        let holds = |spent: &&Spent| form.register_at(spent.site, &form.sample) == Some(register);
        let name = &set.register(register).name;
        match form.spent.iter().find(holds) {
            Some(_) => registers::refilling(name),
            None => registers::restorers(&form.mnemonic, name),
        }
    }
}

impl Computations for X86 {
    fn operations(&self, set: &InstructionSet, form: &InstructionForm) -> Option<Operations> {
        operations::operations(set, form)
    }
}

impl Transitions for X86 {
    fn transitions(&self) -> &'static [Transition] {
        transitions::ALL
    }
}

impl HelperForms for X86 {
    fn breakers(&self, set: &InstructionSet, register: RegisterId) -> &'static [&'static str] {
        registers::breakers(&set.register(register).name)
    }

    fn breaking_pair(&self, set: &InstructionSet, register: RegisterId) -> Option<BreakingPair> {
        x87::breaking_pair(&set.register(register).name)
    }

    fn may_help(&self, form: &InstructionForm) -> bool {
        !x87::is_x87(form) || x87::moves_values(form)
    }

    fn companions(&self, form: &InstructionForm) -> Companions {
        x87::companions(form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "llvm")]
    fn llvm() -> crate::llvm::Llvm {
        let choice = crate::llvm::TargetChoice {
            triple: "x86_64-unknown-linux-gnu".into(),
            cpu: "x86-64".into(),
            features: String::new(),
        };
        crate::llvm::Llvm::new(choice).expect("LLVM knows x86-64")
    }

    #[test]
    #[cfg(feature = "llvm")]
    fn computing_an_address_accesses_no_memory() {
        use crate::catalogue::{Canonical, list};
        let isa = X86::new(|_| true);
        let mut llvm = llvm();
        let mut set = llvm.instruction_set();
        isa.complete(&mut set);
        let listings = list(&set, &isa, &mut llvm);
        let accesses = |name: &str| {
            let opcode = set.by_name(name).expect("an opcode of LLVM");
            match &listings[opcode.0 as usize].canonical {
                Canonical::Form(form) | Canonical::Alias(form) => form.memory,
                Canonical::Excluded(reason) => panic!("{name}: {reason}"),
            }
        };
        for name in ["LEA16r", "LEA32r", "LEA64_32r", "LEA64r"] {
            assert_eq!(accesses(name), MemoryAccess::None, "{name}");
        }
        for name in ["LEAVE64", "MOV16rm"] {
            assert_eq!(accesses(name), MemoryAccess::Load, "{name}");
        }
    }

    #[test]
    #[cfg(feature = "llvm")]
    fn the_flags_of_every_form_are_known() {
        use crate::catalogue::{Canonical, list};
        let mut llvm = llvm();
        let set = llvm.instruction_set();
        let flags = set.register_by_name("EFLAGS").expect("x86 has flags");
        for listing in list(&set, &X86::new(|_| true), &mut llvm) {
            let Canonical::Form(form) = listing.canonical else { continue };
            if form.memory != MemoryAccess::None {
                continue;
            }
            let (reads, writes) =
                (form.implicit_uses.contains(&flags), form.implicit_defs.contains(&flags));
            let conditional =
                condition(&set, &form.sample).is_some() || flags::may_keep(&form.name);
            assert!(
                flags::is_known(&form.mnemonic, writes, reads, conditional),
                "{} ({}) reads ({reads}) or writes ({writes}) the flags, but it is not said which",
                form.name,
                form.mnemonic
            );
        }
    }

    #[test]
    #[cfg(feature = "llvm")]
    fn fillers_of_every_length_are_one_instruction_that_does_nothing() {
        use crate::codec::Codec as _;
        let mut llvm = llvm();
        let set = llvm.instruction_set();
        for (length, filler) in (1..).zip(X86::new(|_| false).fillers()) {
            assert_eq!(filler.len(), length);
            let (decoded, taken) = llvm.decode(&filler).expect("an instruction");
            let name = &set.opcode(decoded.opcode).name;
            assert!(name.starts_with("NOOP") || name.starts_with("XCHG"), "{name}");
            assert_eq!(taken, length, "{name}");
        }
    }

    #[test]
    fn mnemonics_are_found_behind_prefixes() {
        let isa = X86::new(|_| false);
        assert_eq!(isa.mnemonic("vaddpd\txmm0, xmm1, xmm2"), "vaddpd");
        assert_eq!(isa.mnemonic("{evex} vaddpd\txmm0, xmm1, xmm2"), "vaddpd");
        assert_eq!(isa.mnemonic("lock\t\tadd\tqword ptr [rax], rbx"), "add");
    }
}
