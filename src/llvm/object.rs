//! Assembly text into an object file, in process: a module that is nothing but inline
//! assembly, emitted by LLVM's target machine.

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::targets::{CodeModel, FileType, RelocMode, Target, TargetTriple};

use super::TargetChoice;
use super::ffi::Diagnostics;
use crate::codec::AssemblyError;

pub(super) fn assemble(choice: &TargetChoice, text: &str) -> Result<Vec<u8>, AssemblyError> {
    let failed = |reason: String| AssemblyError { reason };
    let triple = TargetTriple::create(&choice.triple);
    let target = Target::from_triple(&triple).map_err(|error| failed(error.to_string()))?;
    let machine = target
        .create_target_machine(
            &triple,
            &choice.cpu,
            &choice.features,
            OptimizationLevel::None,
            RelocMode::PIC,
            CodeModel::Default,
        )
        .ok_or_else(|| failed(format!("LLVM has no code generator for {}", choice.triple)))?;
    let context = Context::create();
    let diagnostics = Diagnostics::collect(&context);
    let module = context.create_module("winic");
    module.set_triple(&triple);
    module.set_inline_assembly(text);
    let object = machine.write_to_memory_buffer(&module, FileType::Object);
    if let Some(reason) = diagnostics.first_error() {
        return Err(failed(reason));
    }
    object.map(|buffer| buffer.as_slice().to_vec()).map_err(|error| failed(error.to_string()))
}

/// Whether the assembler makes exactly these bytes of a line.
pub(super) fn assembles_to(choice: &TargetChoice, syntax: &str, line: &str, bytes: &[u8]) -> bool {
    // As long as the widest instruction of those ISAs whose instructions must be aligned.
    const BEFORE: &str = "winic[[[";
    const AFTER: &str = "]]]winic";
    let source = format!("{syntax}\n.ascii \"{BEFORE}\"\n{line}\n.ascii \"{AFTER}\"\n");
    let wanted = [BEFORE.as_bytes(), bytes, AFTER.as_bytes()].concat();
    assemble(choice, &source)
        .is_ok_and(|object| object.windows(wanted.len()).any(|window| window == wanted))
}
