//! `winic list`: the forms that can be measured, and why the other opcodes cannot.

use std::collections::HashSet;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use super::machine::{Elsewhere, device_for, target};
use super::{Failure, progress::View, watch_for_interrupt};
use crate::assemble::Linker;
use crate::cli::{Global, List};
use crate::device::Device;
use crate::form::{Canonical, InstructionForm, MemoryAccess};
use crate::journal::Journal;
use crate::metadata::OpcodeId;
use crate::pipeline::{Machine, Run, Target, is_register_only};
use crate::plan::fault_of;

/// Prints a table: LLVM name, mnemonic, status, memory access, and an instance or the reason.
pub fn run(global: &Global, options: &List) -> Result<ExitCode, Failure> {
    let interrupted = watch_for_interrupt()?;
    let elsewhere = Elsewhere::start(global)?;
    let mut target = target(global, &elsewhere)?;
    let device = if options.no_probe { None } else { device_for(global, elsewhere, &target)? };
    let machine = match device {
        Some(mut device) => Some(survey(&mut target, &mut *device, interrupted)?),
        None => None,
    };
    let mut lines = vec!["llvmName\tname\tstatus\tmemory\tinstance or reason".to_owned()];
    for listing in std::mem::take(&mut target.listings) {
        let row = row(&mut target, machine.as_ref(), listing.opcode, &listing.canonical);
        if options.all || row.status == "form" {
            lines.push(row.text);
        }
    }
    println!("{}", lines.join("\n"));
    Ok(ExitCode::SUCCESS)
}

fn survey(
    target: &mut Target,
    device: &mut dyn Device,
    interrupted: &AtomicBool,
) -> Result<Machine, Failure> {
    let linker = Linker::find()?;
    let none = HashSet::new();
    let forms: Vec<InstructionForm> =
        target.forms(&none).filter(|form| is_register_only(form)).cloned().collect();
    let (journal, progress) = (&mut Journal::nowhere(), &mut View::new());
    let mut run = Run::new(target, device, &linker, journal, interrupted, progress);
    Ok(run.survey(forms, None)?)
}

struct Row {
    status: &'static str,
    text: String,
}

fn row(
    target: &mut Target,
    machine: Option<&Machine>,
    opcode: OpcodeId,
    canonical: &Canonical,
) -> Row {
    let name = target.set.opcode(opcode).name.clone();
    let (status, mnemonic, memory, last) = match canonical {
        Canonical::Excluded(reason) => ("out", "", "", reason.to_string()),
        Canonical::Alias(form) => {
            let twin = form.twin.map_or("", |twin| &target.set.opcode(twin).name);
            ("alias", form.mnemonic.as_str(), access(form), format!("the bytes of {twin}"))
        }
        Canonical::Form(form) => {
            let fault = machine.and_then(|machine| fault_of(&machine.knowledge, opcode));
            let text = target.llvm.print(&target.set.encodable(&form.sample)).unwrap_or_default();
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let status = if fault.is_some() { "out" } else { "form" };
            (
                status,
                form.mnemonic.as_str(),
                access(form),
                fault.map_or(text, |fault| format!("{fault} on this CPU")),
            )
        }
    };
    Row { status, text: format!("{name}\t{mnemonic}\t{status}\t{memory}\t{last}") }
}

fn access(form: &InstructionForm) -> &'static str {
    match form.memory {
        MemoryAccess::None => "none",
        MemoryAccess::Load => "load",
        MemoryAccess::Store => "store",
        MemoryAccess::Both => "both",
    }
}
