//! Benchmarks for `llvm-exegesis -mode=analysis`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use super::{folder, put, target, with_instructions};
use crate::app::Failure;
use crate::cli::Export;
use crate::codec::Codec as _;
use crate::exchange::exegesis::{ExegesisMode, Snippet, write as documents};
use crate::files::shown;
use crate::llvm;
use crate::metadata::{InstructionSet, OperandValue, RegisterId};

/// Writes a file for each mode that the database has figures of.
pub(super) fn write(options: &Export) -> Result<ExitCode, Failure> {
    let folder =
        folder(options, "llvm-exegesis reads one kind of figure at a time, each from a file")?;
    let database = with_instructions(&options.database)?;
    let isa = target::isa(&database, &options.database)?;
    let cpu = database.header().micro_architecture.unwrap_or_default();
    if !llvm::knows_cpu(&isa, &cpu) {
        return Err(Failure::new(format!(
            "LLVM {} has no CPU '{cpu}' of {isa}, which {} is of: its analysis needs the model of one",
            llvm::version(),
            shown(&options.database)
        )));
    }
    let mut target = target::open(&isa, &cpu)?;
    let forms = target::forms(&database, &target);
    let triple = target.choice.triple.clone();
    let slots: BTreeMap<String, f64> = database
        .entries()
        .filter_map(|entry| Some((entry.subject.llvm_name, entry.ports.slots?)))
        .collect();
    let mut written = 0;
    for mode in ExegesisMode::ALL {
        let snippet = |name: &str| {
            let form = forms.get(name)?;
            // A figure of a circumstance (an addressing mode, a configuration) is none of the opcode's.
            if target.set.base(form.opcode) != form.opcode {
                return None;
            }
            let instance = target.set.encodable(&form.sample);
            let bytes = target.llvm.encode(&instance).ok()?;
            let operands = instance.operands.iter().map(|operand| text(*operand, &target.set));
            let words = std::iter::once(target.set.opcode(instance.opcode).name.clone());
            let text = words.chain(operands).collect::<Vec<_>>().join(" ");
            Some(Snippet { text, bytes })
        };
        let text = documents(&database, mode, &triple, snippet, |name| slots.get(name).copied());
        if text.is_empty() {
            continue;
        }
        let file = folder.join(format!("{}.yaml", mode.name()));
        put(&file, &text)?;
        written += 1;
        remark!("wrote {}", shown(&file));
    }
    if written == 0 {
        let file = shown(&options.database);
        return Err(Failure::new(format!("{file} has no figure of a form that LLVM knows")));
    }
    Ok(ExitCode::SUCCESS)
}

/// An operand as LLVM's documents have it.
fn text(operand: OperandValue, set: &InstructionSet) -> String {
    match operand {
        OperandValue::Register(RegisterId::NONE) => "%noreg".to_owned(),
        OperandValue::Register(register) => set.register(register).name.clone(),
        OperandValue::Immediate(value) => format!("i_0x{value:x}"),
    }
}
