//! RISC-V, 64 bits: RV64GC and the ratified extensions. Sources: RISC-V unprivileged ISA
//! (20240411), RISC-V Assembly Programmer's Manual.

mod extensions;
mod memory;
mod mixtures;
mod operations;
mod passages;
mod registers;
mod spelling;
mod state;
mod transitions;
mod vector;
mod vector_memory;
mod vector_shapes;
mod walk;

pub use extensions::{EXTENSIONS, is_part_of_letters};

use super::{
    Availability, BufferPath, Companions, Computations, Dependences, HelperForms, Isa, KernelText,
    LoopControl, MemoryOperands, Mixtures, Opcodes, OperandContents, OperandRules, OperandValues,
    Operations, PlainMove, Preparation, ReferenceChain, RegisterPool, Restorer, TimingForms,
    Transition, Transitions, WalkText, crossing, names,
};
use crate::form::{
    AddressPart, EncodingGroup, InstructionForm, MemoryAccess, Part, Placeholder, Role, Site, Value,
};
use crate::metadata::{
    Instruction, InstructionSet, Opcode, OperandKind, RegisterId, VectorConfiguration,
};

/// RISC-V with 64-bit registers.
pub struct RiscV;

/// Jumps that LLVM calls no control flow.
const LEAVING: &[&str] = &["JAL", "JALR"];

/// Opcodes that are not measured, with the reason.
const EXCLUDED: &[(&[&str], &str)] = &[
    (
        &["CSRRW", "CSRRS", "CSRRC", "CSRRWI", "CSRRSI", "CSRRCI"],
        "what it does is up to the control register that it names",
    ),
    (&["ECALL"], "calls the operating system"),
    (&["EBREAK", "C_EBREAK"], "calls a debugger"),
    (&["UNIMP", "C_UNIMP"], "never a valid instruction"),
    (&["WFI"], "waits for an interrupt"),
    (&["WRS_NTO", "WRS_STO"], "waits for another core"),
    (
        &[
            "SFENCE_VMA",
            "SFENCE_INVAL_IR",
            "SFENCE_W_INVAL",
            "SINVAL_VMA",
            "HFENCE_GVMA",
            "HFENCE_VVMA",
            "HINVAL_GVMA",
            "HINVAL_VVMA",
        ],
        "privileged: changes address translation",
    ),
    (&["SCTRCLR"], "privileged: clears the record of control transfers"),
    (
        &[
            "Insn16",
            "Insn32",
            "Insn48",
            "Insn64",
            "InsnB",
            "InsnCA",
            "InsnCB",
            "InsnCI",
            "InsnCIW",
            "InsnCJ",
            "InsnCL",
            "InsnCR",
            "InsnCS",
            "InsnCSS",
            "InsnI",
            "InsnI_Mem",
            "InsnJ",
            "InsnQC_EAI",
            "InsnQC_EB",
            "InsnQC_EI",
            "InsnQC_EI_Mem",
            "InsnQC_EJ",
            "InsnQC_ES",
            "InsnR",
            "InsnR4",
            "InsnS",
            "InsnU",
        ],
        "a directive of the assembler for bytes of one's own",
    ),
    (&["C_ADDI16SP"], "moves the stack pointer"),
    (
        &["SSPUSH", "SSPOPCHK", "C_SSPUSH", "C_SSPOPCHK"],
        "a shadow stack is nothing that kernels can set up",
    ),
];

/// The same for extensions, whose letters are the first part of their opcodes' names.
const EXCLUDED_EXTENSIONS: &[(&str, &str)] = &[
    // LLVM's encoder crashes on operands that some of them do not take.
    ("QC", "an extension of 32-bit microcontrollers"),
    ("CV", "an extension of 32-bit microcontrollers"),
    ("CM", "its encoding belongs to C's double-precision stores"),
    ("QK", "its encoding belongs to C's double-precision loads and stores"),
];

/// The same for variants, which are a part of the name behind the first.
const EXCLUDED_VARIANTS: &[(&str, &str)] = &[
    ("INX", "floating point in general registers: its encoding belongs to F, D and Zfh"),
    ("IN32X", "floating point in general registers: its encoding belongs to F, D and Zfh"),
    ("RV32", "an instruction of 32-bit machines"),
];

/// Immediates by opcode and operand.
const IMMEDIATES: &[(&str, usize, i64)] = &[
    // `rw, rw`.
    ("FENCE", 0, 3),
    ("FENCE", 1, 3),
    // Towards zero: the only mode.
    ("FCVTMOD_W_D", 2, 1),
    // `e64, m1, ta, ma`.
    ("VSETVLI", 2, 0xd8),
    ("VSETIVLI", 2, 0xd8),
    ("C_ADDI4SPN", 2, 16),
];

/// An ordinary immediate: a valid shift count everywhere, neither 0, 1 nor a power of two. The
/// others are for opcodes that reject it.
const ORDINARY_IMMEDIATES: [i64; 4] = [5, 3, 8, 1];

/// Moves, which cores may carry out at rename.
const ELIMINABLE: &[&str] = &["c.mv", "vmv1r.v", "vmv2r.v", "vmv4r.v", "vmv8r.v"];

impl Isa for RiscV {
    fn architecture(&self) -> &'static str {
        "riscv64"
    }

    fn complete(&self, set: &mut InstructionSet) {
        registers::complete(set);
        vector::configure(set);
    }
}

impl Opcodes for RiscV {
    fn leaves_the_kernel(&self, opcode: &str) -> bool {
        LEAVING.contains(&opcode)
    }

    fn excluded(&self, opcode: &str) -> Option<&'static str> {
        let by_name =
            EXCLUDED.iter().chain(memory::EXCLUDED).find(|(names, _)| names.contains(&opcode));
        let first = names::first_part(opcode);
        let by_extension = || EXCLUDED_EXTENSIONS.iter().find(|(letters, _)| *letters == first);
        let is_variant = |variant| names::parts(opcode).skip(1).any(|part| part == variant);
        let by_variant = || EXCLUDED_VARIANTS.iter().find(|(variant, _)| is_variant(*variant));
        let reason = by_name.map(|&(_, reason)| reason);
        reason.or_else(|| by_extension().or_else(by_variant).map(|&(_, reason)| reason))
    }

    fn is_prefix(&self, _opcode: &str) -> bool {
        false
    }

    fn is_deprecated_floating_point(&self, _form: &InstructionForm) -> bool {
        false
    }

    fn mnemonic(&self, text: &str) -> String {
        text.split_whitespace().next().unwrap_or_default().to_owned()
    }

    fn encoding_group(
        &self,
        _set: &InstructionSet,
        _touched: &[RegisterId],
        _bytes: &[u8],
    ) -> EncodingGroup {
        EncodingGroup::COMMON
    }
}

impl OperandRules for RiscV {
    fn immediate(
        &self,
        _set: &InstructionSet,
        opcode: &Opcode,
        (index, _kind): (usize, OperandKind),
        attempt: usize,
    ) -> i64 {
        let special =
            IMMEDIATES.iter().find(|&&(name, operand, _)| operand == index && opcode.name == name);
        match special {
            Some(&(.., value)) => value,
            None if state::rounding_operand(&opcode.name, opcode.operands.len()) == Some(index) => {
                state::DYNAMIC
            }
            None if memory::address_part(opcode, index) == Some(AddressPart::Displacement) => 0,
            None => ORDINARY_IMMEDIATES[attempt % ORDINARY_IMMEDIATES.len()],
        }
    }

    fn variants(&self, _set: &InstructionSet, form: &InstructionForm) -> Vec<(usize, i64, String)> {
        let Some(operand) = state::rounding_operand(&form.name, form.operands.len()) else {
            return Vec::new();
        };
        state::ROUNDING_MODES
            .iter()
            .map(|&(name, mode)| (operand, mode, format!("rounding {name}")))
            .collect()
    }

    fn absent(&self, set: &InstructionSet, opcode: &Opcode, index: usize) -> bool {
        vector::is_unmasked(set, opcode, index)
    }

    fn correct(&self, form: &mut InstructionForm, set: &InstructionSet) {
        state::correct(form, set);
        vector::correct(form, set);
        memory::correct(form);
        // `c.addi4spn` names the stack pointer, but cannot name anything else; LLVM lists it
        // among the registers that are read unnamed, too.
        for (index, operand) in form.operands.iter_mut().enumerate() {
            let Placeholder::Register(class) = operand.kind else { continue };
            let available = |&register: &RegisterId| {
                registers::availability(&set.register(register).name) != Availability::Never
            };
            if !set.class(class).registers.iter().any(available) {
                operand.kind = Placeholder::Fixed(form.sample.operands[index]);
                operand.read = false;
            }
        }
    }
}

impl MemoryOperands for RiscV {
    /// LLVM lets conditional stores load as well, so that nothing comes between them and their load.
    fn implied_memory(&self, opcode: &Opcode) -> Option<MemoryAccess> {
        memory::reserving(&opcode.name).map(|_| MemoryAccess::Store)
    }

    fn reserving(&self, form: &InstructionForm) -> Option<&'static str> {
        memory::reserving(&form.name)
    }

    fn address_part(
        &self,
        _set: &InstructionSet,
        opcode: &Opcode,
        operand: usize,
    ) -> Option<AddressPart> {
        memory::address_part(opcode, operand)
    }

    fn access_bits(&self, _opcode: &Opcode, text: &str) -> u32 {
        memory::access_bits(text)
    }

    fn access_eighths(&self, set: &InstructionSet, opcode: &Opcode, _: &str) -> u32 {
        let id = set.by_name(&opcode.name);
        memory::access_eighths(&opcode.name, id.and_then(|id| set.configuration(id)))
    }

    fn fill_region(&self, contents: Value, _: bool) -> Vec<String> {
        memory::fill_region(contents)
    }

    fn plain_moves(&self) -> &'static [PlainMove] {
        memory::PLAIN_MOVES
    }

    fn address_restorers(
        &self,
        _set: &InstructionSet,
        form: &InstructionForm,
        site: Site,
    ) -> &'static [Restorer] {
        memory::restorers(form, site)
    }
}

impl Dependences for RiscV {
    fn availability(&self, register: &str) -> Availability {
        registers::availability(register)
    }

    fn parts(
        &self,
        set: &InstructionSet,
        _form: &InstructionForm,
        _instance: &Instruction,
        register: RegisterId,
        role: Role,
    ) -> Vec<Part> {
        if role == Role::Undefined {
            return Vec::new();
        }
        set.register(register).units.iter().map(|&unit| Part::Unit(unit)).collect()
    }

    fn merged(&self, _set: &InstructionSet, _written: RegisterId) -> Option<RegisterId> {
        None
    }

    fn unchainable(
        &self,
        set: &InstructionSet,
        _form: &InstructionForm,
        target: Site,
    ) -> Option<&'static str> {
        let Site::Implicit(register) = target else { return None };
        state::unchainable(&set.register(register).name)
    }

    fn awkward(
        &self,
        _set: &InstructionSet,
        _form: &InstructionForm,
        _operand: usize,
        _register: RegisterId,
    ) -> bool {
        false
    }

    fn least_latency(&self, form: &InstructionForm) -> f64 {
        if ELIMINABLE.contains(&form.mnemonic.as_str()) { 0.0 } else { 1.0 }
    }

    fn may_stall_on_rewrite(&self, _: &InstructionSet, _: &InstructionForm) -> bool {
        true
    }
}

impl KernelText for RiscV {
    fn syntax(&self) -> &'static str {
        ".option norvc"
    }

    fn template(&self) -> &'static str {
        include_str!("../../../templates/riscv64.s")
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
                symbol: "winic_reference_shift",
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
        // `addi zero, zero, 0`, not compressed.
        &[0x13, 0, 0, 0]
    }

    /// `c.nop`, where the CPU has compressed instructions, and the ordinary one.
    fn fillers(&self) -> Vec<Vec<u8>> {
        vec![vec![0x01, 0], self.filler().to_vec()]
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
        registers::prepare(set, wanted, group)
    }

    fn established(
        &self,
        set: &InstructionSet,
        instruction: &Instruction,
    ) -> Option<VectorConfiguration> {
        registers::established(set, instruction)
    }
}

impl TimingForms for RiscV {
    /// Dividers are not always pipelined, multipliers are.
    fn slow_forms(&self) -> &'static [&'static str] {
        &["FDIV_D", "FMUL_D", "MUL"]
    }
}

impl OperandContents for RiscV {
    fn required_value(
        &self,
        _set: &InstructionSet,
        form: &InstructionForm,
        site: Site,
    ) -> Option<Value> {
        registers::required_value(form, site)
    }

    fn value_classes(
        &self,
        _set: &InstructionSet,
        form: &InstructionForm,
    ) -> &'static [OperandValues] {
        if registers::MULTIPLICATIONS.contains(&form.name.as_str()) {
            registers::FACTORS
        } else {
            crossing::classes(memory::PLAIN_MOVES, form)
        }
    }

    fn value_of_class(
        &self,
        _set: &InstructionSet,
        form: &InstructionForm,
        site: Site,
        class: usize,
    ) -> Option<Value> {
        if form.memory != MemoryAccess::None {
            return crossing::value(memory::PLAIN_MOVES, form, site, class);
        }
        matches!(site, Site::Operand(_)).then_some(registers::SMALL_FACTOR)
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

impl Computations for RiscV {
    fn operations(&self, _: &InstructionSet, form: &InstructionForm) -> Option<Operations> {
        operations::operations(&form.name)
    }
}

impl Mixtures for RiscV {
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

impl Transitions for RiscV {
    fn transitions(&self) -> &'static [Transition] {
        transitions::ALL
    }
}

impl HelperForms for RiscV {
    fn breakers(&self, set: &InstructionSet, register: RegisterId) -> &'static [&'static str] {
        registers::breakers(&set.register(register).name)
    }

    fn companions(&self, _form: &InstructionForm) -> Companions {
        Companions::default()
    }
}
