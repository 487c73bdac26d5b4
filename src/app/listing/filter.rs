//! Which opcodes a listing is about.

use std::collections::HashSet;

use super::extension::Extension;
use crate::app::Failure;
use crate::app::names::{resolve, suggestion};
use crate::app::near;
use crate::catalogue::{Canonical, Listing};
use crate::cli::List;
use crate::form::{InstructionForm, MemoryAccess, Placeholder};
use crate::metadata::{ClassId, InstructionSet, OpcodeId, OperandKind, OperandValue, RegisterId};
use crate::pipeline::Target;

/// What all that is listed has in common.
pub(super) struct ListFilter {
    opcodes: Option<HashSet<OpcodeId>>,
    mnemonic: Option<String>,
    reads: Option<ReadsFilter>,
    memory: bool,
    extension: Option<Extension>,
}

/// What a form reads.
#[derive(Clone, Copy)]
enum ReadsFilter {
    /// This register or a part of it, whatever its operands are.
    Register(RegisterId),
    /// An operand of this class.
    Class(ClassId),
}

impl ListFilter {
    pub fn of(options: &List, target: &Target) -> Result<Self, Failure> {
        let names = [options.names.as_slice(), &options.instructions].concat();
        let opcodes: HashSet<OpcodeId> =
            resolve(&names, target)?.into_iter().flat_map(|named| named.opcodes).collect();
        let reads = options.reads.as_deref().map(|name| source(name, &target.set)).transpose()?;
        let extension = options.isa_extension.as_deref();
        Ok(Self {
            opcodes: (!names.is_empty()).then_some(opcodes),
            mnemonic: options.mnemonic.clone(),
            reads,
            memory: options.memory,
            extension: extension.map(|name| Extension::find(name, target)).transpose()?,
        })
    }

    pub fn keeps(&mut self, listing: &Listing, target: &mut Target) -> bool {
        self.opcodes.as_ref().is_none_or(|opcodes| opcodes.contains(&listing.opcode))
            && (!self.memory || touches_memory(listing, &target.set))
            && match &listing.canonical {
                Canonical::Form(form) | Canonical::Alias(form) => self.keeps_form(form, target),
                // Nothing more is known of it.
                Canonical::Excluded(_) => {
                    self.mnemonic.is_none() && self.reads.is_none() && self.extension.is_none()
                }
            }
    }

    fn keeps_form(&mut self, form: &InstructionForm, target: &mut Target) -> bool {
        let is_called = |mnemonic: &String| mnemonic.to_lowercase() == form.mnemonic.to_lowercase();
        self.mnemonic.as_ref().is_none_or(is_called)
            && self.reads.is_none_or(|source| source.is_read_by(form, &target.set))
            && self.extension.as_mut().is_none_or(|extension| extension.brings(form, target))
    }
}

impl ReadsFilter {
    fn is_read_by(self, form: &InstructionForm, set: &InstructionSet) -> bool {
        match self {
            Self::Register(register) => reads_register(form, register, set),
            Self::Class(class) => {
                (0..form.operands.len()).any(|index| reads_class(form, index, class, set))
            }
        }
    }
}

fn source(name: &str, set: &InstructionSet) -> Result<ReadsFilter, Failure> {
    let class = set.classes.iter().position(|class| class.name == name);
    let register = set.register_by_name(name).map(ReadsFilter::Register);
    let source = register.or_else(|| class.map(|id| ReadsFilter::Class(ClassId(id as u32))));
    source.ok_or_else(|| {
        let registers = set.registers.iter().map(|register| register.name.as_str());
        let classes = set.classes.iter().map(|class| class.name.as_str());
        Failure::new(format!(
            "LLVM {} has no register and no register class '{name}' for {};{} `winic list --json` \
             shows those of each form",
            set.llvm_version,
            set.architecture,
            suggestion(&near::names(name, registers.chain(classes)))
        ))
    })
}

fn reads_register(form: &InstructionForm, wanted: RegisterId, set: &InstructionSet) -> bool {
    let fixed = form.operands.iter().filter(|operand| operand.read);
    let fixed = fixed.filter_map(|operand| match operand.kind {
        Placeholder::Fixed(OperandValue::Register(register)) => Some(register),
        _ => None,
    });
    form.implicit_uses.iter().copied().chain(fixed).any(|read| set.overlap(read, wanted))
}

/// Registers of an address are read, too.
fn reads_class(form: &InstructionForm, index: usize, class: ClassId, set: &InstructionSet) -> bool {
    let operand = &form.operands[index];
    let is_read = operand.read || form.operands.iter().any(|other| other.tied_to == Some(index));
    match operand.kind {
        Placeholder::Register(_) => {
            is_read && [form.named_class(index, set), form.class_of(index)].contains(&Some(class))
        }
        _ => set.opcode(form.opcode).operands[index].kind == OperandKind::Memory(Some(class)),
    }
}

fn touches_memory(listing: &Listing, set: &InstructionSet) -> bool {
    match &listing.canonical {
        Canonical::Form(form) | Canonical::Alias(form) => form.memory != MemoryAccess::None,
        Canonical::Excluded(_) => {
            let flags = set.opcode(listing.opcode).flags;
            flags.may_load || flags.may_store
        }
    }
}
