//! AArch64: the general parts. Numbers in operands, registers, and corrections of LLVM's tables
//! have files of their own. Source: Arm Architecture Reference Manual for A-profile (DDI 0487).

mod array;
mod block;
mod coprocessor;
mod corrections;
mod lanes;
mod memory;
mod mixtures;
mod numbers;
mod opcodes;
mod operations;
mod passages;
mod registers;
mod rotations;
mod spelling;
mod streaming;
mod transitions;
mod walk;
mod zeros;

use super::amx::{AmxForms, MOST_ROWS, ROW_BREAKERS};
use super::{
    Availability, BufferPath, Companions, Computations, Dependences, HeldOperand, HelperForms, Isa,
    KernelText, LoopControl, MemoryOperands, Mixtures, Opcodes, OperandContents, OperandRules,
    OperandValues, Operations, PlainMove, Preparation, ReferenceChain, RegisterOperand,
    RegisterPool, Restorer, TimingForms, Transition, Transitions, WalkText, WordReader, crossing,
};
use crate::form::{
    AddressOrigin, AddressPart, EncodingGroup, InstructionForm, MemoryAccess, Part, Role, Site,
    Value,
};
use crate::metadata::{
    ClassId, Instruction, InstructionSet, Opcode, OpcodeId, OperandKind, RegisterId,
};

/// AArch64, with what of its registers is needed often.
pub struct AArch64 {
    registers: registers::KnownRegisters,
    /// Classes of registers that addresses are in.
    addresses: Vec<ClassId>,
    /// What executes outside of streaming mode, too.
    outside_streaming: streaming::OutsideStreaming,
    /// Apple's coprocessor, where it is what is measured.
    amx: Option<AmxForms>,
}

/// Whatever LLVM knows.
pub const ALL_FEATURES: &str = "+all";
/// What a CPU may be made without, for reasons of export control, so that LLVM leaves it off.
pub const OPTIONAL_FEATURES: &str = "+aes,+sha2,+sha3,+sm4";

/// Chains of the template.
const REFERENCES: &[ReferenceChain] = &[
    chain("winic_reference_add", true),
    chain("winic_reference_logic", true),
    chain("winic_reference_multiply", false),
    chain("winic_reference_multiply_add", false),
];

const fn chain(symbol: &'static str, single_cycle: bool) -> ReferenceChain {
    ReferenceChain { symbol, instructions: 64, single_cycle }
}

impl AArch64 {
    /// With the registers of an instruction set, for a machine that has the features it is asked for.
    pub fn new(set: &InstructionSet, has_feature: &dyn Fn(&str) -> bool) -> Self {
        // Where no CPU is named there is whatever LLVM knows.
        let has = |feature| has_feature("all") || has_feature(feature);
        let outside_streaming =
            streaming::OutsideStreaming { sve: has("sve"), sve2p1: has("sve2p1") };
        Self {
            registers: registers::KnownRegisters::of(set),
            addresses: opcodes::addresses(set),
            outside_streaming,
            amx: None,
        }
    }

    /// With Apple's coprocessor, whose opcodes are in the set already.
    pub fn with_amx(set: &InstructionSet, amx: AmxForms) -> Self {
        Self { amx: Some(amx), ..Self::new(set, &|_| false) }
    }
}

impl Isa for AArch64 {
    fn architecture(&self) -> &'static str {
        "aarch64"
    }

    fn complete(&self, set: &mut InstructionSet) {
        array::complete(set);
        zeros::complete(set);
        rotations::complete(set);
    }
}

impl Opcodes for AArch64 {
    fn leaves_the_kernel(&self, opcode: &str) -> bool {
        opcodes::leaves_the_kernel(opcode)
    }

    fn excluded(&self, opcode: &str) -> Option<&'static str> {
        memory::excluded(opcode)
    }

    fn is_prefix(&self, opcode: &str) -> bool {
        opcodes::is_prefix(opcode)
    }

    fn is_deprecated_floating_point(&self, _: &InstructionForm) -> bool {
        false
    }

    fn mnemonic(&self, text: &str) -> String {
        text.split_whitespace().next().unwrap_or_default().to_owned()
    }

    /// Scalar, NEON and SVE instructions write whole registers and do not disturb each other; but not all
    /// of them execute in streaming mode, and some only there.
    fn encoding_group(
        &self,
        set: &InstructionSet,
        touched: &[RegisterId],
        bytes: &[u8],
    ) -> EncodingGroup {
        let is_vector = |&register: &RegisterId| registers::is_vector(set, register);
        self.outside_streaming.group(bytes, touched.iter().any(is_vector))
    }
}

impl OperandRules for AArch64 {
    fn immediate(
        &self,
        set: &InstructionSet,
        opcode: &Opcode,
        (index, kind): (usize, OperandKind),
        attempt: usize,
    ) -> i64 {
        let is_of_address = (0..=index).any(|at| self.address_part(set, opcode, at).is_some());
        match is_of_address {
            true => 0,
            false => numbers::number(opcode, index, kind, attempt),
        }
    }

    fn variants(&self, set: &InstructionSet, form: &InstructionForm) -> Vec<(usize, i64, String)> {
        numbers::variants(set.opcode(form.opcode))
    }

    fn absent(&self, _: &InstructionSet, _: &Opcode, _: usize) -> bool {
        false
    }

    fn correct(&self, form: &mut InstructionForm, set: &InstructionSet) {
        corrections::correct(form, set);
        memory::correct(form);
        block::correct(form, set);
        streaming::correct(form, set);
        array::correct(form, set);
        zeros::correct(form, set);
    }
}

impl MemoryOperands for AArch64 {
    fn implied_memory(&self, opcode: &Opcode) -> Option<MemoryAccess> {
        Some(opcodes::memory(opcode, &self.addresses))
    }

    fn address_part(
        &self,
        set: &InstructionSet,
        opcode: &Opcode,
        operand: usize,
    ) -> Option<AddressPart> {
        let accesses = opcodes::memory(opcode, &self.addresses) != MemoryAccess::None;
        let part = || match block::is_step(&opcode.name) {
            true => block::address_part(opcode, operand),
            false => memory::address_part(set, opcode, operand),
        };
        accesses.then(part).flatten()
    }

    fn implied_register(
        &self,
        set: &InstructionSet,
        opcode: &Opcode,
        operand: usize,
    ) -> Option<RegisterId> {
        zeros::register(set, opcode, operand)
    }

    fn reserving(&self, form: &InstructionForm) -> Option<&'static str> {
        memory::reserving(&form.name)
    }

    fn leading(&self, form: &InstructionForm) -> &'static [&'static str] {
        block::leading(form)
    }

    fn displacement_unit(&self, text: &str) -> Option<u32> {
        memory::displacement_unit(text)
    }

    fn access_bits(&self, opcode: &Opcode, text: &str) -> u32 {
        let streaming = || memory::vector_access_bits(text, streaming::VECTOR_BITS);
        match memory::access_bits(opcode, text) {
            0 if !self.outside_streaming.sve => streaming(),
            bits => bits,
        }
    }

    /// (In streaming mode, vectors have a length that kernels ask for.)
    fn access_eighths(&self, _: &InstructionSet, opcode: &Opcode, text: &str) -> u32 {
        match self.outside_streaming.sve && memory::access_bits(opcode, text) == 0 {
            true => memory::access_eighths(text),
            false => 0,
        }
    }

    fn fill_region(&self, contents: Value, low: bool) -> Vec<String> {
        memory::fill_region(contents, low)
    }

    fn address_origin(&self, _: &InstructionSet, opcode: &Opcode, text: &str) -> AddressOrigin {
        memory::address_origin(opcode, text)
    }

    fn governs_accesses(&self, set: &InstructionSet, register: RegisterId) -> bool {
        registers::is_predicate(set, register)
    }

    fn copies(&self) -> &'static [(&'static str, &'static str)] {
        memory::COPIES
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

impl Dependences for AArch64 {
    fn availability(&self, register: &str) -> Availability {
        registers::availability(register)
    }

    /// Whatever is written to a part of a register sets the rest to zero; and cores rename N,
    /// Z, C and V as one, so whoever writes some of them hands the others on.
    fn parts(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        instance: &Instruction,
        register: RegisterId,
        role: Role,
    ) -> Vec<Part> {
        let reads_nothing =
            || register == self.registers.flags && numbers::ignores_flags(set, instance);
        if role == Role::Def
            && let Some(written) = streaming::written(set, form, instance, register)
        {
            return written;
        }
        match role {
            Role::Use if reads_nothing() => Vec::new(),
            Role::Use => units(set, register),
            Role::Def => units(set, self.registers.whole(register)),
            Role::Undefined => Vec::new(),
        }
    }

    fn merged(&self, _: &InstructionSet, _: RegisterId) -> Option<RegisterId> {
        None
    }

    fn unchainable(
        &self,
        _: &InstructionSet,
        _: &InstructionForm,
        _: Site,
    ) -> Option<&'static str> {
        None
    }

    fn awkward(&self, _: &InstructionSet, _: &InstructionForm, _: usize, _: RegisterId) -> bool {
        false
    }

    fn least_latency(&self, form: &InstructionForm) -> f64 {
        if opcodes::is_eliminable(&form.name) { 0.0 } else { 1.0 }
    }

    /// The Neoverse V2 takes a cycle more for what writes the predicate that governs it.
    fn may_stall_on_rewrite(&self, set: &InstructionSet, form: &InstructionForm) -> bool {
        let written = |site| form.register_at(site, &form.sample);
        form.defs().filter_map(written).any(|register| registers::is_predicate(set, register))
    }
}

impl KernelText for AArch64 {
    fn syntax(&self) -> &'static str {
        ".text"
    }

    fn template(&self) -> &'static str {
        include_str!("../../../templates/aarch64.s")
    }

    fn references(&self) -> &'static [ReferenceChain] {
        REFERENCES
    }

    fn loop_controls(&self, set: &InstructionSet) -> Vec<LoopControl> {
        registers::loop_controls(set, self.registers.flags)
    }

    /// A literal is up to 1 MiB away, and the region may be farther: what is loaded stands before the kernel.
    fn region_reference(&self, bytes: &[u8], place: i64) -> Option<(usize, String)> {
        memory::literal_reference(bytes, place)
    }

    fn near_region(&self) -> Vec<String> {
        memory::literals()
    }

    /// `NOP`.
    fn filler(&self) -> &'static [u8] {
        &[0x1f, 0x20, 0x03, 0xd5]
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
        let prepared = registers::prepare(set, wanted);
        if !streaming::is_streaming(group) {
            return prepared;
        }
        Preparation {
            setup: streaming::entered().into_iter().chain(prepared.setup).collect(),
            teardown: prepared.teardown.into_iter().chain(streaming::left()).collect(),
        }
    }

    fn register_operand(&self, instruction: &Instruction) -> Option<RegisterOperand> {
        let instance = self.amx.as_ref()?.instance(instruction)?;
        Some(coprocessor::register_operand(&instance))
    }

    fn operand_registers(&self) -> &'static [&'static str] {
        coprocessor::OPERAND_REGISTERS
    }

    fn prepare_operands(&self, operands: &[HeldOperand]) -> Preparation {
        coprocessor::prepare(operands)
    }

    fn prepare_probe(&self, instruction: &Instruction, operands: &[HeldOperand]) -> Preparation {
        let effects = self.amx.as_ref().and_then(|amx| amx.effects(instruction));
        match effects {
            Some(effects) => coprocessor::prepare_probe(operands, &effects),
            None => self.prepare_operands(operands),
        }
    }

    fn why_trapped(&self, opcode: OpcodeId) -> Option<&'static str> {
        self.amx.as_ref()?.variant(opcode)?;
        Some("it does nothing here, or changes other registers than it should")
    }

    fn is_own_word(&self, bytes: &[u8]) -> bool {
        let word = bytes.first_chunk().map(|&word| u32::from_le_bytes(word));
        self.amx.is_some() && word.is_some_and(coprocessor::is_word)
    }

    fn word_reader(&self) -> Option<Box<dyn WordReader + '_>> {
        Some(Box::new(coprocessor::OperandReader::new(self.amx.as_ref()?)))
    }

    fn most_in_turn(&self, set: &InstructionSet, class: ClassId) -> Option<usize> {
        let amx = self.amx.as_ref()?;
        let first = *set.class(class).registers.first()?;
        amx.block(first).map(|_| MOST_ROWS)
    }

    fn block(&self, register: RegisterId) -> Option<u32> {
        self.amx.as_ref()?.block(register)
    }

    fn own_numbers(&self, register: RegisterId) -> Vec<u32> {
        self.amx.as_ref().map(|amx| amx.numbers(register)).unwrap_or_default()
    }
}

impl TimingForms for AArch64 {
    /// The Cortex-A55 issues a `NOP` alone.
    fn simplest_forms(&self) -> &'static [&'static str] {
        &["MOVZXi"]
    }

    /// Dividers are not always pipelined, multipliers are.
    fn slow_forms(&self) -> &'static [&'static str] {
        &["FDIVDrr", "FMULDrr"]
    }
}

impl OperandContents for AArch64 {
    fn required_value(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        site: Site,
    ) -> Option<Value> {
        array::required_value(form, set, site)
            .or_else(|| block::value_of_class(form, site, 0))
            .or_else(|| registers::required_value(form, site))
    }

    fn value_classes(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
    ) -> &'static [OperandValues] {
        match (block::value_classes(form), lanes::classes(set, form)) {
            ([], []) => crossing::classes(memory::PLAIN_MOVES, form),
            ([], lanes) => lanes,
            (counts, _) => counts,
        }
    }

    fn value_of_class(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        site: Site,
        class: usize,
    ) -> Option<Value> {
        block::value_of_class(form, site, class)
            .or_else(|| lanes::value(set, form, site, class))
            .or_else(|| crossing::value(memory::PLAIN_MOVES, form, site, class))
    }

    fn restorers(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        register: RegisterId,
    ) -> &'static [Restorer] {
        registers::restorers(&form.mnemonic, &set.register(register).name)
    }
}

impl Computations for AArch64 {
    fn operations(&self, _: &InstructionSet, form: &InstructionForm) -> Option<Operations> {
        let amx = self.amx.as_ref().and_then(|amx| amx.variant(form.opcode));
        match amx {
            Some(variant) => coprocessor::operations(variant),
            None if streaming::is_streaming(form.group) => operations::of_streaming(&form.name),
            None => operations::operations(&form.name),
        }
    }
}

impl Mixtures for AArch64 {
    fn pool(&self, register: &str) -> RegisterPool {
        registers::pool(register)
    }

    fn blocker_candidates(&self) -> &'static [&'static str] {
        mixtures::BLOCKERS
    }

    fn front_end_candidates(&self) -> &'static [&'static str] {
        mixtures::FRONT_END
    }

    fn memory_barriers(&self) -> &'static [&'static str] {
        mixtures::BARRIERS
    }
}

impl Transitions for AArch64 {
    fn transitions(&self) -> &'static [Transition] {
        transitions::ALL
    }
}

impl HelperForms for AArch64 {
    fn may_help(&self, form: &InstructionForm) -> bool {
        !opcodes::is_system_access(&form.name)
    }

    fn breakers(&self, set: &InstructionSet, register: RegisterId) -> &'static [&'static str] {
        match self.amx.as_ref().and_then(|amx| amx.block(register)) {
            Some(_) => ROW_BREAKERS,
            None => registers::breakers(&set.register(register).name),
        }
    }

    fn companions(&self, _: &InstructionForm) -> Companions {
        Companions::default()
    }
}

fn units(set: &InstructionSet, register: RegisterId) -> Vec<Part> {
    set.register(register).units.iter().map(|&unit| Part::Unit(unit)).collect()
}
