//! The boundary to the C++ shim: declarations as in `shim.h`, and safe methods around them.
#![allow(unsafe_code, reason = "calls the C++ shim over LLVM's MC classes")]

mod features;
mod simulator;
mod text;

pub(super) use simulator::{Access, KindUse, Machine, UnitKind};
pub(super) use text::{intrinsic_names, intrinsic_type};

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr::NonNull;

use crate::codec::{CodeError, Control, FlowStep};
use crate::metadata::{
    ClassId, Instruction, OpcodeFlags, OpcodeId, OperandInfo, OperandKind, OperandValue,
    RegisterId, UnitId,
};

/// Bytes enough for the longest instruction of any ISA (x86: 15) and for what is emitted in front of it.
const LONGEST_ENCODING: usize = 64;
/// Operands enough for any decoded instruction (x86's memory forms have up to 10).
const MOST_OPERANDS: usize = 32;
/// Registers in one register, units of one register: AArch64's ZA has most, below this.
const MOST_PARTS: usize = 1024;
/// Longest printed instruction and error text.
const LONGEST_TEXT: usize = 512;

#[repr(C)]
struct WinicTarget {
    _opaque: [u8; 0],
}

#[repr(C)]
struct RawOpcode {
    name: *const u8,
    name_length: usize,
    flags: u32,
    operand_count: u32,
    definition_count: u32,
    implicit_uses: *const u16,
    implicit_use_count: usize,
    implicit_defs: *const u16,
    implicit_def_count: usize,
}

#[repr(C)]
#[derive(Default)]
struct RawOperandInfo {
    kind: u32,
    register_class: i32,
    tied_to: i32,
    early_clobber: u32,
}

#[repr(C)]
struct RawClass {
    name: *const u8,
    name_length: usize,
    bits: u32,
    register_count: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct RawOperand {
    is_register: u32,
    value: i64,
}

/// The first instruction of some code.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
struct StepRecord {
    length: u64,
    target: u64,
    control: u32,
}

const BRANCHES: u32 = 1;
const CALLS: u32 = 2;
const RETURNS: u32 = 3;

const KIND_REGISTER: u32 = 2;
const KIND_MEMORY: u32 = 3;
const KIND_BRANCH_TARGET: u32 = 4;
const KIND_TARGET: u32 = 16;

const FLAG_PSEUDO: u32 = 1;
const FLAG_MAY_LOAD: u32 = 2;
const FLAG_MAY_STORE: u32 = 4;
const FLAG_CONTROL_FLOW: u32 = 8;
const FLAG_VARIADIC: u32 = 16;

unsafe extern "C" {
    fn winic_llvm_version() -> *const c_char;
    fn winic_cpu_name(triple: *const c_char, cpuinfo: *const c_char) -> *const c_char;
    fn winic_knows_feature(triple: *const c_char, feature: *const c_char) -> c_int;
    fn winic_knows_cpu(triple: *const c_char, cpu: *const c_char) -> c_int;
    fn winic_target_new(
        triple: *const c_char,
        cpu: *const c_char,
        features: *const c_char,
        error: *mut c_char,
        error_size: usize,
    ) -> *mut WinicTarget;
    fn winic_cpu_count(target: *const WinicTarget) -> u32;
    fn winic_cpu(target: *const WinicTarget, index: u32, model: *mut u32) -> *const c_char;
    fn winic_has_feature(target: *const WinicTarget, feature: *const c_char) -> c_int;
    fn winic_feature_count(target: *const WinicTarget) -> u32;
    fn winic_feature_name(target: *const WinicTarget, feature: u32) -> *const c_char;
    fn winic_feature_implies(target: *const WinicTarget, feature: u32, other: u32) -> c_int;
    fn winic_turn_off(target: *mut WinicTarget, feature: u32);
    fn winic_target_delete(target: *mut WinicTarget);
    fn winic_opcode_count(target: *const WinicTarget) -> u32;
    fn winic_opcode(target: *const WinicTarget, opcode: u32, out: *mut RawOpcode);
    fn winic_operand_info(
        target: *const WinicTarget,
        opcode: u32,
        operand: u32,
        out: *mut RawOperandInfo,
    );
    fn winic_register_count(target: *const WinicTarget) -> u32;
    fn winic_register_name(target: *const WinicTarget, register: u32) -> *const c_char;
    fn winic_register_units(
        target: *const WinicTarget,
        register: u32,
        out: *mut u32,
        capacity: usize,
    ) -> usize;
    fn winic_sub_registers(
        target: *const WinicTarget,
        register: u32,
        out: *mut u32,
        capacity: usize,
    ) -> usize;
    fn winic_class_count(target: *const WinicTarget) -> u32;
    fn winic_class(target: *const WinicTarget, id: u32, out: *mut RawClass);
    fn winic_class_register(target: *const WinicTarget, id: u32, index: u32) -> u32;
    fn winic_encode(
        target: *mut WinicTarget,
        opcode: u32,
        operands: *const RawOperand,
        count: usize,
        bytes: *mut u8,
        capacity: usize,
        length: *mut usize,
    ) -> c_int;
    fn winic_decode(
        target: *mut WinicTarget,
        bytes: *const u8,
        size: usize,
        opcode: *mut u32,
        operands: *mut RawOperand,
        capacity: usize,
        count: *mut usize,
        length: *mut usize,
    ) -> c_int;
    fn winic_step(
        target: *const WinicTarget,
        bytes: *const u8,
        size: usize,
        address: u64,
        out: *mut StepRecord,
    ) -> c_int;
    fn winic_register_number(target: *const WinicTarget, register: u32) -> u32;
    fn winic_print(
        target: *mut WinicTarget,
        as_compilers: c_int,
        opcode: u32,
        operands: *const RawOperand,
        count: usize,
        text: *mut c_char,
        capacity: usize,
    ) -> c_int;
}

fn check(status: c_int) -> Result<(), CodeError> {
    match status {
        0 => Ok(()),
        1 => Err(CodeError::WrongOperands),
        2 => Err(CodeError::NoEncoding),
        3 => Err(CodeError::Unresolved),
        4 => Err(CodeError::NotDecoded),
        _ => Err(CodeError::TooLong),
    }
}

/// What the shim says of an opcode, operands apart.
pub(super) struct OpcodeHead {
    pub name: String,
    pub flags: OpcodeFlags,
    pub operand_count: u32,
    pub definitions: usize,
    pub implicit_uses: Vec<RegisterId>,
    pub implicit_defs: Vec<RegisterId>,
}

/// LLVM's machine code tables, encoder, decoder and printer of one target.
pub(super) struct Shim {
    target: NonNull<WinicTarget>,
}

// SAFETY: a target owns all it refers to and is not shared; LLVM's MC objects are bound to no thread.
unsafe impl Send for Shim {}

impl Drop for Shim {
    fn drop(&mut self) {
        // SAFETY: `target` came from winic_target_new and is deleted once.
        unsafe { winic_target_delete(self.target.as_ptr()) }
    }
}

/// The release of LLVM that is linked.
pub(super) fn llvm_version() -> String {
    // SAFETY: the shim returns a static NUL-terminated string.
    unsafe { CStr::from_ptr(winic_llvm_version()) }.to_string_lossy().into_owned()
}

/// LLVM's name of the CPU that a text of the form of `/proc/cpuinfo` describes; empty if LLVM
/// cannot tell.
pub(super) fn cpu_name(triple: &str, cpuinfo: &str) -> String {
    let (Ok(triple), Ok(cpuinfo)) = (CString::new(triple), CString::new(cpuinfo)) else {
        return String::new();
    };
    // SAFETY: both strings are NUL-terminated and outlive the call; what comes back is a static
    // NUL-terminated string.
    let name = unsafe { CStr::from_ptr(winic_cpu_name(triple.as_ptr(), cpuinfo.as_ptr())) };
    name.to_string_lossy().into_owned()
}

/// Whether an architecture has a feature of this name (without a sign).
pub(super) fn knows_feature(triple: &str, feature: &str) -> bool {
    let (Ok(triple), Ok(feature)) = (CString::new(triple), CString::new(feature)) else {
        return false;
    };
    // SAFETY: both strings are NUL-terminated and outlive the call.
    unsafe { winic_knows_feature(triple.as_ptr(), feature.as_ptr()) != 0 }
}

/// Whether an architecture has a CPU of this name.
pub(super) fn knows_cpu(triple: &str, cpu: &str) -> bool {
    let (Ok(triple), Ok(cpu)) = (CString::new(triple), CString::new(cpu)) else {
        return false;
    };
    // SAFETY: both strings are NUL-terminated and outlive the call.
    unsafe { winic_knows_cpu(triple.as_ptr(), cpu.as_ptr()) != 0 }
}

impl Shim {
    pub fn new(triple: &str, cpu: &str, features: &str) -> Result<Self, String> {
        let argument = |text: &str| {
            CString::new(text).map_err(|_| format!("NUL in '{}'", text.escape_debug()))
        };
        let (triple, cpu, features) = (argument(triple)?, argument(cpu)?, argument(features)?);
        let mut error = [0 as c_char; LONGEST_TEXT];
        // SAFETY: all strings are NUL-terminated and outlive the call; `error` has the size given.
        let target = unsafe {
            winic_target_new(
                triple.as_ptr(),
                cpu.as_ptr(),
                features.as_ptr(),
                error.as_mut_ptr(),
                error.len(),
            )
        };
        NonNull::new(target).map(|target| Self { target }).ok_or_else(|| text_of(&error))
    }

    fn raw(&self) -> *mut WinicTarget {
        self.target.as_ptr()
    }

    /// The CPUs of the architecture that have a scheduling model, each with the model's number.
    pub fn modelled_cpus(&self) -> Vec<(String, u32)> {
        // SAFETY: the target is alive.
        let count = unsafe { winic_cpu_count(self.raw()) };
        let modelled = |index| {
            let mut model = 0;
            // SAFETY: the index is in range; the name is a static NUL-terminated string.
            let name = unsafe { CStr::from_ptr(winic_cpu(self.raw(), index, &mut model)) };
            (model != 0).then(|| (name.to_string_lossy().into_owned(), model))
        };
        (0..count).filter_map(modelled).collect()
    }

    pub fn has_feature(&self, feature: &CStr) -> bool {
        // SAFETY: the target is alive and the string NUL-terminated.
        unsafe { winic_has_feature(self.raw(), feature.as_ptr()) != 0 }
    }

    pub fn opcode_count(&self) -> u32 {
        // SAFETY: the target is alive.
        unsafe { winic_opcode_count(self.raw()) }
    }

    /// `id` must be below [`Self::opcode_count`].
    pub fn opcode(&self, id: OpcodeId) -> OpcodeHead {
        assert!(id.0 < self.opcode_count(), "opcode {} is out of range", id.0);
        let mut out = std::mem::MaybeUninit::<RawOpcode>::uninit();
        // SAFETY: the opcode is in range, so the shim fills `out` whole, with pointers into
        // LLVM's static tables that live as long as the target.
        unsafe {
            winic_opcode(self.raw(), id.0, out.as_mut_ptr());
            let raw = out.assume_init();
            OpcodeHead {
                name: string(raw.name, raw.name_length),
                flags: OpcodeFlags {
                    pseudo: raw.flags & FLAG_PSEUDO != 0,
                    may_load: raw.flags & FLAG_MAY_LOAD != 0,
                    may_store: raw.flags & FLAG_MAY_STORE != 0,
                    control_flow: raw.flags & FLAG_CONTROL_FLOW != 0,
                    variadic: raw.flags & FLAG_VARIADIC != 0,
                },
                operand_count: raw.operand_count,
                definitions: raw.definition_count as usize,
                implicit_uses: registers(raw.implicit_uses, raw.implicit_use_count),
                implicit_defs: registers(raw.implicit_defs, raw.implicit_def_count),
            }
        }
    }

    /// `id` and `operand` must be in range, as [`Self::opcode`] says it.
    pub fn operand(&self, id: OpcodeId, operand: u32) -> OperandInfo {
        let mut raw = RawOperandInfo::default();
        // SAFETY: the caller takes both numbers from `opcode`.
        unsafe { winic_operand_info(self.raw(), id.0, operand, &mut raw) };
        let class = u32::try_from(raw.register_class).ok().map(ClassId);
        let kind = match (raw.kind, class) {
            (KIND_MEMORY, class) => OperandKind::Memory(class),
            (KIND_BRANCH_TARGET, _) => OperandKind::BranchTarget,
            (KIND_REGISTER, Some(class)) => OperandKind::Register(class),
            (kind, None) if kind >= KIND_TARGET => OperandKind::Target(kind - KIND_TARGET),
            // Target kinds with a class are registers with a special syntax.
            (_, Some(class)) => OperandKind::Register(class),
            (_, None) => OperandKind::Immediate,
        };
        OperandInfo {
            kind,
            tied_to: usize::try_from(raw.tied_to).ok(),
            early_clobber: raw.early_clobber != 0,
        }
    }

    pub fn register_count(&self) -> u32 {
        // SAFETY: the target is alive.
        unsafe { winic_register_count(self.raw()) }
    }

    /// `id` must be below [`Self::register_count`].
    pub fn register_name(&self, id: RegisterId) -> String {
        // SAFETY: the register is in range; its name is a static NUL-terminated string.
        unsafe { CStr::from_ptr(winic_register_name(self.raw(), id.0)) }
            .to_string_lossy()
            .into_owned()
    }

    /// `id` must be below [`Self::register_count`].
    pub fn register_number(&self, id: RegisterId) -> u32 {
        // SAFETY: the register is in range.
        unsafe { winic_register_number(self.raw(), id.0) }
    }

    /// `id` must be below [`Self::register_count`].
    pub fn units(&self, id: RegisterId) -> Vec<UnitId> {
        // SAFETY: the shim writes at most the capacity given.
        collect(|out, capacity| unsafe { winic_register_units(self.raw(), id.0, out, capacity) })
            .into_iter()
            .map(UnitId)
            .collect()
    }

    /// `id` must be below [`Self::register_count`].
    pub fn sub_registers(&self, id: RegisterId) -> Vec<RegisterId> {
        // SAFETY: the shim writes at most the capacity given.
        collect(|out, capacity| unsafe { winic_sub_registers(self.raw(), id.0, out, capacity) })
            .into_iter()
            .map(RegisterId)
            .collect()
    }

    pub fn class_count(&self) -> u32 {
        // SAFETY: the target is alive.
        unsafe { winic_class_count(self.raw()) }
    }

    /// Name, width in bits and registers; `id` must be below [`Self::class_count`].
    pub fn class(&self, id: ClassId) -> (String, u32, Vec<RegisterId>) {
        let mut out = std::mem::MaybeUninit::<RawClass>::uninit();
        // SAFETY: the class is in range, so the shim fills `out` whole and every index below
        // its register count is valid.
        unsafe {
            winic_class(self.raw(), id.0, out.as_mut_ptr());
            let raw = out.assume_init();
            let members = (0..raw.register_count)
                .map(|index| RegisterId(winic_class_register(self.raw(), id.0, index)))
                .collect();
            (string(raw.name, raw.name_length), raw.bits, members)
        }
    }

    pub fn encode(&mut self, instruction: &Instruction) -> Result<Vec<u8>, CodeError> {
        let operands = raw_operands(instruction);
        let mut bytes = [0_u8; LONGEST_ENCODING];
        let mut length = 0;
        // SAFETY: pointers and lengths belong together; the shim checks the operands itself.
        check(unsafe {
            winic_encode(
                self.raw(),
                instruction.opcode.0,
                operands.as_ptr(),
                operands.len(),
                bytes.as_mut_ptr(),
                bytes.len(),
                &mut length,
            )
        })?;
        Ok(bytes[..length].to_vec())
    }

    pub fn decode(&mut self, bytes: &[u8]) -> Result<(Instruction, usize), CodeError> {
        let (mut opcode, mut count, mut length) = (0, 0, 0);
        let mut operands = [RawOperand::default(); MOST_OPERANDS];
        // SAFETY: pointers and lengths belong together.
        check(unsafe {
            winic_decode(
                self.raw(),
                bytes.as_ptr(),
                bytes.len(),
                &mut opcode,
                operands.as_mut_ptr(),
                operands.len(),
                &mut count,
                &mut length,
            )
        })?;
        let operands = operands[..count].iter().map(operand_value).collect();
        Ok((Instruction { opcode: OpcodeId(opcode), operands }, length))
    }

    pub fn step(&self, code: &[u8], address: u64) -> Result<FlowStep, CodeError> {
        let mut out = StepRecord::default();
        // SAFETY: the target is alive; pointer and length belong together.
        check(unsafe { winic_step(self.raw(), code.as_ptr(), code.len(), address, &mut out) })?;
        let target = (out.target != u64::MAX).then_some(out.target);
        let control = match out.control {
            BRANCHES => Control::Branch(target),
            CALLS => Control::Call(target),
            RETURNS => Control::Return,
            _ => Control::Next,
        };
        let length = usize::try_from(out.length).map_err(|_| CodeError::TooLong)?;
        Ok(FlowStep { length, control })
    }

    pub fn print(
        &mut self,
        instruction: &Instruction,
        as_compilers: bool,
    ) -> Result<String, CodeError> {
        let operands = raw_operands(instruction);
        let mut text = [0 as c_char; LONGEST_TEXT];
        // SAFETY: pointers and lengths belong together; the shim checks the operands itself.
        check(unsafe {
            winic_print(
                self.raw(),
                c_int::from(as_compilers),
                instruction.opcode.0,
                operands.as_ptr(),
                operands.len(),
                text.as_mut_ptr(),
                text.len(),
            )
        })?;
        Ok(text_of(&text))
    }
}

fn raw_operands(instruction: &Instruction) -> Vec<RawOperand> {
    instruction
        .operands
        .iter()
        .map(|operand| match *operand {
            OperandValue::Register(register) => {
                RawOperand { is_register: 1, value: i64::from(register.0) }
            }
            OperandValue::Immediate(value) => RawOperand { is_register: 0, value },
        })
        .collect()
}

fn operand_value(raw: &RawOperand) -> OperandValue {
    match u32::try_from(raw.value) {
        Ok(register) if raw.is_register != 0 => OperandValue::Register(RegisterId(register)),
        _ => OperandValue::Immediate(raw.value),
    }
}

fn collect(fill: impl Fn(*mut u32, usize) -> usize) -> Vec<u32> {
    let mut out = vec![0; MOST_PARTS];
    let count = fill(out.as_mut_ptr(), out.len());
    assert!(count <= MOST_PARTS, "a register of {count} parts");
    out.truncate(count);
    out
}

fn text_of(buffer: &[c_char]) -> String {
    let bytes: Vec<u8> = buffer.iter().take_while(|&&c| c != 0).map(|&c| c as u8).collect();
    String::from_utf8_lossy(&bytes).trim().to_owned()
}

/// # Safety
/// `data` points to `length` bytes.
unsafe fn string(data: *const u8, length: usize) -> String {
    // SAFETY: as the caller promises.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(data, length) }).into_owned()
}

/// # Safety
/// `data` points to `count` register numbers (or is anything when there are none).
unsafe fn registers(data: *const u16, count: usize) -> Vec<RegisterId> {
    if count == 0 {
        return Vec::new();
    }
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts(data, count) }
        .iter()
        .map(|&r| RegisterId(r.into()))
        .collect()
}

/// Errors that LLVM reports while it works in a context; without a handler it would end the process.
pub(super) struct Diagnostics {
    errors: Box<std::cell::RefCell<Vec<String>>>,
}

impl Diagnostics {
    /// Collects the errors of a context. The value must not be dropped before LLVM's work in it is done.
    pub fn collect(context: &inkwell::context::Context) -> Self {
        let errors = Box::new(std::cell::RefCell::new(Vec::new()));
        // SAFETY: the box does not move; `handle` is only called while LLVM works in `context`.
        unsafe {
            inkwell::llvm_sys::core::LLVMContextSetDiagnosticHandler(
                context.raw(),
                Some(handle_diagnostic),
                std::ptr::from_ref(&*errors).cast_mut().cast(),
            );
        }
        Self { errors }
    }

    pub fn first_error(&self) -> Option<String> {
        self.errors.borrow().first().cloned()
    }
}

extern "C" fn handle_diagnostic(
    info: inkwell::llvm_sys::prelude::LLVMDiagnosticInfoRef,
    errors: *mut std::ffi::c_void,
) {
    use inkwell::llvm_sys::LLVMDiagnosticSeverity::LLVMDSError;
    use inkwell::llvm_sys::core::{
        LLVMDisposeMessage, LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
    };
    // SAFETY: LLVM passes a live diagnostic and the pointer that `collect` gave it; the
    // description is ours to dispose of.
    unsafe {
        if !matches!(LLVMGetDiagInfoSeverity(info), LLVMDSError) {
            return;
        }
        let description = LLVMGetDiagInfoDescription(info);
        let text = CStr::from_ptr(description).to_string_lossy().trim().to_owned();
        LLVMDisposeMessage(description);
        let errors = &*errors.cast_const().cast::<std::cell::RefCell<Vec<String>>>();
        errors.borrow_mut().push(text);
    }
}
