//! GPUs without one: forms and kernels of all targets, read back.
#![cfg(feature = "llvm22")]

mod amd;
mod driver;
mod golden;
mod h200;
#[path = "../gpu_runner/libraries.rs"]
mod libraries;
mod model;
mod nvidia;

use winic::gpu::amd::{AmdForm, AmdTarget, TRIPLE, matrix_forms};
use winic::llvm::{Llvm, TargetChoice};
use winic::metadata::InstructionSet;

/// A target with its forms.
struct Set {
    llvm: Llvm,
    set: InstructionSet,
    forms: Vec<AmdForm>,
}

fn open(target: &AmdTarget) -> Set {
    let choice = TargetChoice {
        triple: TRIPLE.to_owned(),
        cpu: target.name.to_owned(),
        features: target.features().to_owned(),
    };
    let mut llvm = Llvm::new(choice).unwrap_or_else(|error| panic!("{error}"));
    let set = llvm.instruction_set();
    let forms = matrix_forms(target, &set, &mut llvm);
    Set { llvm, set, forms }
}
