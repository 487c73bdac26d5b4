//! A line of a listing.

use serde::Serialize;

use crate::catalogue::{Canonical, Listing};
use crate::database::Subject;
use crate::form::{InstructionForm, MemoryAccess};
use crate::metadata::{OpcodeFlags, RegisterId};
use crate::pipeline::{Machine, Target};
use crate::study::fault_of;
use crate::study::subject;

/// What is said of an opcode; as JSON with the database's keys, where that has them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListRow {
    /// LLVM's number.
    opcode: u32,
    #[serde(flatten)]
    subject: Subject,
    pub status: Status,
    /// What it does to memory, where it is a form or an alias.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<&'static str>,
    /// Registers that it reads without naming them.
    implicit_reads: Vec<String>,
    /// Registers that it writes without naming them.
    implicit_writes: Vec<String>,
    /// What LLVM's tables say of it.
    flags: Vec<&'static str>,
    /// An instance in assembly, where it is a form.
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<String>,
    /// Why it is no form of its own on this CPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// What an opcode is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// A form that can be measured, or touches memory.
    Form,
    /// Another spelling of a form.
    Alias,
    /// Nothing that this CPU executes.
    Out,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Alias => "alias",
            Self::Out => "out",
        }
    }
}

/// The columns of [`ListRow::line`].
pub(super) const COLUMNS: &str = "llvmName\tname\tstatus\tmemory\tinstance or reason";

impl ListRow {
    pub fn of(listing: &Listing, machine: Option<&Machine>, target: &mut Target) -> Self {
        match &listing.canonical {
            Canonical::Excluded(reason) => Self::excluded(listing, reason.to_string(), target),
            Canonical::Alias(form) => {
                let twin = form.twin.map_or("", |twin| &target.set.opcode(twin).name);
                let reason = Some(format!("the bytes of {twin}"));
                Self { status: Status::Alias, reason, ..Self::form(form, target) }
            }
            Canonical::Form(form) => {
                let fault = machine
                    .and_then(|machine| fault_of(&machine.knowledge, form.opcode, &*target.isa));
                let reason = fault.map(|fault| format!("{fault} on this CPU"));
                let status = if reason.is_some() { Status::Out } else { Status::Form };
                let instance = Some(target.print(form));
                Self { status, reason, instance, ..Self::form(form, target) }
            }
        }
    }

    fn excluded(listing: &Listing, reason: String, target: &Target) -> Self {
        let opcode = target.set.opcode(listing.opcode);
        Self {
            opcode: listing.opcode.0,
            subject: Subject { llvm_name: opcode.name.clone(), ..Subject::default() },
            status: Status::Out,
            memory: None,
            implicit_reads: names(&opcode.implicit_uses, target),
            implicit_writes: names(&opcode.implicit_defs, target),
            flags: flags(opcode.flags),
            instance: None,
            reason: Some(reason),
        }
    }

    fn form(form: &InstructionForm, target: &Target) -> Self {
        Self {
            opcode: form.opcode.0,
            subject: subject(form, &target.set),
            status: Status::Form,
            memory: Some(access(form)),
            implicit_reads: names(&form.implicit_uses, target),
            implicit_writes: names(&form.implicit_defs, target),
            flags: flags(target.set.opcode(form.opcode).flags),
            instance: None,
            reason: None,
        }
    }

    /// For people and scripts: columns separated by tabs.
    pub fn line(&self) -> String {
        let last = self.reason.as_ref().or(self.instance.as_ref());
        format!(
            "{}\t{}\t{}\t{}\t{}",
            self.subject.llvm_name,
            self.subject.name.as_deref().unwrap_or_default(),
            self.status.name(),
            self.memory.unwrap_or_default(),
            last.map_or("", String::as_str)
        )
    }

    /// The same behind the number of the opcode.
    pub fn numbered_line(&self) -> String {
        format!("{}\t{}", self.opcode, self.line())
    }
}

fn names(registers: &[RegisterId], target: &Target) -> Vec<String> {
    registers.iter().map(|&register| target.set.register(register).name.clone()).collect()
}

fn flags(flags: OpcodeFlags) -> Vec<&'static str> {
    let named = [
        (flags.pseudo, "pseudo"),
        (flags.may_load, "mayLoad"),
        (flags.may_store, "mayStore"),
        (flags.control_flow, "controlFlow"),
        (flags.variadic, "variadic"),
    ];
    named.into_iter().filter_map(|(is_set, name)| is_set.then_some(name)).collect()
}

fn access(form: &InstructionForm) -> &'static str {
    match form.memory {
        MemoryAccess::None => "none",
        MemoryAccess::Load => "load",
        MemoryAccess::Store => "store",
        MemoryAccess::Both => "both",
    }
}
