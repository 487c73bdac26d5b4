//! LLVM: the only source of what instructions exist, and the codec of all ISAs. Everything C or C++
//! stays behind this module's files.
//!
//! * `ffi` declares the shim (`shim.h`, `shim.cpp`) over the MC classes.
//! * `object` turns assembly text into an object file through inkwell.
//!   Its C++ counterpart `machine_code.cpp` does the same with MC's own parser, for GPUs.
//! * `intrinsics` lists LLVM's intrinsics, of targets that MC does not know.
//! * `features` says which extensions an architecture has, and sets targets up without some.
//! * `simulator` runs loops through LLVM MCA, and reads the tables of a scheduling model.
//! * `units` makes ports of those tables.

mod features;
mod ffi;
mod intrinsics;
mod object;
mod simulator;
mod units;

pub use features::Feature;
pub use intrinsics::{Intrinsic, intrinsics};
pub use simulator::{
    Loads, ModelAccess, ModelError, ModelRow, RegisterPlace, Simulator, SteadyState,
};
pub use units::ModelUnits;

use inkwell::targets::{InitializationConfig, Target, TargetMachine};

use crate::codec::{Assembler, AssemblyError, CodeError, Codec, FlowReader, FlowStep, byte_line};
use crate::metadata::{
    ClassId, Instruction, InstructionSet, Opcode, OpcodeId, Register, RegisterClass, RegisterId,
};

/// Which machine LLVM is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetChoice {
    /// LLVM triple, e.g. `x86_64-unknown-linux-gnu`.
    pub triple: String,
    /// LLVM's name of the CPU, e.g. `znver5`.
    pub cpu: String,
    /// LLVM's feature list, `+a,-b`.
    pub features: String,
}

impl TargetChoice {
    /// The features, with more of them as far as this LLVM knows those.
    fn features_with(&self, extensions: &[&str]) -> String {
        initialize();
        let is_known = |name: &&&str| ffi::knows_feature(&self.triple, name);
        let added = extensions.iter().filter(is_known).map(|name| format!("+{name}"));
        let own = std::iter::once(self.features.clone()).filter(|list| !list.is_empty());
        own.chain(added).collect::<Vec<_>>().join(",")
    }
}

/// LLVM cannot do what was asked of it for a target.
#[derive(Debug, thiserror::Error)]
#[error("LLVM {version} cannot be used for {triple} (CPU '{cpu}'): {reason}")]
pub struct TargetError {
    version: String,
    triple: String,
    cpu: String,
    reason: String,
}

/// One target of LLVM: its tables, encoder, decoder, printer and assembler.
pub struct Llvm {
    shim: ffi::Shim,
    choice: TargetChoice,
}

/// The release of LLVM that is linked, e.g. `22.1.8`.
#[must_use]
pub fn version() -> String {
    ffi::llvm_version()
}

/// The machine that this program runs on, as LLVM sees it.
#[must_use]
pub fn host() -> TargetChoice {
    let text = |string: inkwell::support::LLVMString| string.to_string();
    TargetChoice {
        triple: TargetMachine::get_default_triple().as_str().to_string_lossy().into_owned(),
        cpu: text(TargetMachine::get_host_cpu_name()),
        features: text(TargetMachine::get_host_cpu_features()),
    }
}

/// A machine elsewhere, by what its system says: the contents of Linux's `/proc/cpuinfo` and the
/// names of extensions. Those that LLVM does not know by the same name are left out, and the CPU
/// is empty where LLVM cannot tell which it is (on x86 it asks the CPU itself, not the system).
#[must_use]
pub fn elsewhere(architecture: &str, cpuinfo: &str, extensions: &[String]) -> TargetChoice {
    /// LLVM's name for a CPU that it does not know.
    const UNKNOWN: &str = "generic";
    initialize();
    let triple = triple_of(architecture);
    let cpu = Some(ffi::cpu_name(&triple, cpuinfo)).filter(|cpu| !cpu.starts_with(UNKNOWN));
    let known = extensions.iter().filter(|extension| ffi::knows_feature(&triple, extension));
    let features: Vec<String> = known.map(|extension| format!("+{extension}")).collect();
    TargetChoice { triple, cpu: cpu.unwrap_or_default(), features: features.join(",") }
}

/// A CPU that LLVM has a scheduling model of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelledCpu {
    /// LLVM's name of the CPU.
    pub name: String,
    /// Which model of its architecture it is: many names share one.
    pub model: u32,
}

/// The CPUs of a triple's architecture that this LLVM has a scheduling model of.
///
/// # Errors
/// When this LLVM does not have the target.
pub fn modelled_cpus(triple: &str) -> Result<Vec<ModelledCpu>, TargetError> {
    initialize();
    match ffi::Shim::new(triple, "", "") {
        Ok(shim) => {
            let cpu = |(name, model)| ModelledCpu { name, model };
            Ok(shim.modelled_cpus().into_iter().map(cpu).collect())
        }
        Err(reason) => {
            let (triple, cpu) = (triple.to_owned(), String::new());
            Err(TargetError { version: version(), triple, cpu, reason })
        }
    }
}

/// LLVM's triple for Linux on an architecture.
#[must_use]
pub fn triple_of(architecture: &str) -> String {
    format!("{architecture}-unknown-linux-gnu")
}

/// Whether an architecture has a CPU of this name.
#[must_use]
pub fn knows_cpu(architecture: &str, cpu: &str) -> bool {
    initialize();
    ffi::knows_cpu(&triple_of(architecture), cpu)
}

/// Makes LLVM's back ends known to it; harmless when repeated.
fn initialize() {
    let config = InitializationConfig::default();
    Target::initialize_x86(&config);
    Target::initialize_aarch64(&config);
    Target::initialize_riscv(&config);
    Target::initialize_amd_gpu(&config);
}

impl Llvm {
    /// Sets a target up.
    ///
    /// # Errors
    /// When this LLVM does not have the target or does not know the CPU.
    pub fn new(choice: TargetChoice) -> Result<Self, TargetError> {
        initialize();
        match ffi::Shim::new(&choice.triple, &choice.cpu, &choice.features) {
            Ok(shim) => Ok(Self { shim, choice }),
            Err(reason) => Err(TargetError {
                version: version(),
                triple: choice.triple,
                cpu: choice.cpu,
                reason,
            }),
        }
    }

    /// Sets a target up with more features than its CPU has, as far as this LLVM knows them.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_extensions(choice: TargetChoice, extensions: &[&str]) -> Result<Self, TargetError> {
        if extensions.is_empty() {
            return Self::new(choice);
        }
        let features = choice.features_with(extensions);
        Self::new(TargetChoice { features, ..choice })
    }

    /// Whether the target has a feature of LLVM's, e.g. `avx`.
    #[must_use]
    pub fn has_feature(&self, feature: &str) -> bool {
        std::ffi::CString::new(format!("+{feature}"))
            .is_ok_and(|feature| self.shim.has_feature(&feature))
    }

    /// Reads all tables of the target into plain data.
    #[must_use]
    pub fn instruction_set(&self) -> InstructionSet {
        let architecture = self.choice.triple.split('-').next().unwrap_or_default().to_owned();
        InstructionSet::new(
            architecture,
            self.choice.cpu.clone(),
            version(),
            (0..self.shim.opcode_count()).map(|id| self.opcode(OpcodeId(id))).collect(),
            (0..self.shim.register_count()).map(|id| self.register(RegisterId(id))).collect(),
            (0..self.shim.class_count()).map(|id| self.class(ClassId(id))).collect(),
        )
    }

    fn opcode(&self, id: OpcodeId) -> Opcode {
        let head = self.shim.opcode(id);
        Opcode {
            operands: (0..head.operand_count).map(|index| self.shim.operand(id, index)).collect(),
            name: head.name,
            flags: head.flags,
            definitions: head.definitions,
            implicit_uses: head.implicit_uses,
            implicit_defs: head.implicit_defs,
        }
    }

    fn register(&self, id: RegisterId) -> Register {
        if id == RegisterId::NONE {
            return Register { name: String::new(), units: Vec::new(), sub_registers: Vec::new() };
        }
        Register {
            name: self.shim.register_name(id),
            units: self.shim.units(id),
            sub_registers: self.shim.sub_registers(id),
        }
    }

    /// An object file of assembly text by MC's own parser and streamer, with no code generator between:
    /// the bytes of LLVM's program `llvm-mc`. AMD's code objects have to be made so, because the
    /// code generator of [`Assembler::assemble`] adds metadata of its own to them.
    ///
    /// # Errors
    /// When the text is not valid; the error names the line.
    pub fn machine_code(&self, text: &str) -> Result<Vec<u8>, AssemblyError> {
        self.shim.assemble(text).map_err(|reason| AssemblyError { reason })
    }

    /// The numbers by which encodings name registers, by [`RegisterId`].
    #[must_use]
    pub fn register_numbers(&self) -> Vec<u32> {
        (0..self.shim.register_count())
            .map(|id| self.shim.register_number(RegisterId(id)))
            .collect()
    }

    fn class(&self, id: ClassId) -> RegisterClass {
        let (name, bits, registers) = self.shim.class(id);
        RegisterClass { name, bits, registers }
    }
}

impl Codec for Llvm {
    fn encode(&mut self, instruction: &Instruction) -> Result<Vec<u8>, CodeError> {
        self.shim.encode(instruction)
    }

    fn decode(&mut self, bytes: &[u8]) -> Result<(Instruction, usize), CodeError> {
        self.shim.decode(bytes)
    }

    fn print(&mut self, instruction: &Instruction) -> Result<String, CodeError> {
        self.shim.print(instruction, false)
    }

    fn print_as_compilers(&mut self, instruction: &Instruction) -> Result<String, CodeError> {
        self.shim.print(instruction, true)
    }

    /// The text where the assembler makes the same bytes of it: `VADDPDZ128rr` prints like
    /// `VADDPDrr`.
    fn source_line(
        &mut self,
        instruction: &Instruction,
        syntax: &str,
    ) -> Result<String, CodeError> {
        let bytes = self.encode(instruction)?;
        let text = self.print(instruction)?.replace('\t', " ");
        let is_exact = object::assembles_to(&self.choice, syntax, &text, &bytes);
        Ok(if is_exact { text } else { byte_line(&bytes, &text) })
    }
}

impl FlowReader for Llvm {
    fn step(&self, code: &[u8], address: u64) -> Result<FlowStep, CodeError> {
        self.shim.step(code, address)
    }
}

impl Assembler for Llvm {
    fn assemble(&self, text: &str) -> Result<Vec<u8>, AssemblyError> {
        object::assemble(&self.choice, text)
    }
}
