//! Assembly text into an object file, in process: a module that is nothing but inline
//! assembly, emitted by LLVM's target machine.

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::targets::{CodeModel, FileType, RelocMode, Target, TargetTriple};

use super::TargetChoice;
use super::ffi::Diagnostics;

/// A text that LLVM's assembler refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct AssemblyError {
    /// The first message of the assembler, with the line.
    pub reason: String,
}

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
