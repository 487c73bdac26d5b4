//! Forms and what leads from one to another, as databases name them.

use crate::answer::{Circumstance, Helper, WayBack};
use crate::catalogue::Catalogue;
use crate::database::{ADDRESS_BASE, ADDRESS_INDEX, Configuration, OperandEntry, Subject};
use crate::form::{AddressPart, InstructionForm, Placeholder, Site};
use crate::kernel::Link;
use crate::metadata::{InstructionSet, OperandValue, VectorConfiguration};

/// What identifies a form in the database. Operands are those that are written in assembly:
/// a use that is tied to a definition is the same operand.
#[must_use]
pub fn subject(form: &InstructionForm, set: &InstructionSet) -> Subject {
    Subject {
        llvm_name: form.name.clone(),
        name: Some(form.mnemonic.clone()),
        alias: form.twin.map(|twin| set.opcode(twin).name.clone()),
        configuration: set.configuration(form.opcode).map(configuration),
        addressing: set.addressing(form.opcode).map(|mode| mode.sum().to_owned()),
        operands: written_operands(form)
            .into_iter()
            .map(|index| operand(form, index, set))
            .collect(),
    }
}

fn configuration(known: VectorConfiguration) -> Configuration {
    Configuration {
        sew: Some(known.element_bits),
        lmul: Some(f64::from(known.group).exp2()),
        masked: known.masked,
    }
}

/// LLVM's indices of the operands that stand in the database, in order: of an address the first.
fn written_operands(form: &InstructionForm) -> Vec<usize> {
    let memory = memory_operand(form);
    (0..form.operands.len())
        .filter(|&index| {
            let operand = &form.operands[index];
            if operand.address.is_some() {
                return Some(index) == memory;
            }
            operand.tied_to.is_none() && !matches!(operand.kind, Placeholder::Absent(_))
        })
        .collect()
}

/// LLVM's index of the first part of the address, by which the database knows the memory operand.
fn memory_operand(form: &InstructionForm) -> Option<usize> {
    form.operands.iter().position(|operand| operand.address.is_some())
}

fn operand(form: &InstructionForm, index: usize, set: &InstructionSet) -> OperandEntry {
    let operand = &form.operands[index];
    let tied = form.operands.iter().any(|other| other.tied_to == Some(index));
    if operand.address.is_some() {
        return memory(form);
    }
    match operand.kind {
        Placeholder::Register(class) => OperandEntry {
            class: "register".to_owned(),
            name: form.named_class(index, set).map(|class| set.class(class).name.clone()),
            width: Some(set.class(class).bits),
            read: operand.read || tied,
            write: operand.write,
        },
        Placeholder::Fixed(value) => OperandEntry {
            class: "register".to_owned(),
            name: match value {
                OperandValue::Register(register) => Some(set.register(register).name.clone()),
                OperandValue::Immediate(_) => None,
            },
            read: true,
            ..OperandEntry::default()
        },
        Placeholder::Memory => memory(form),
        Placeholder::Immediate(_) | Placeholder::Absent(_) => {
            OperandEntry { class: "immediate".to_owned(), read: true, ..OperandEntry::default() }
        }
    }
}

fn memory(form: &InstructionForm) -> OperandEntry {
    OperandEntry {
        class: "memory".to_owned(),
        read: form.loads(),
        write: form.stores(),
        ..OperandEntry::default()
    }
}

/// A site as the database names it: the place among the written operands, or the register.
#[must_use]
pub fn site(site: Site, form: &InstructionForm, set: &InstructionSet) -> String {
    match site {
        Site::Implicit(register) => set.register(register).name.clone(),
        Site::Memory => place(memory_operand(form), form),
        Site::Operand(index) if form.operands[index].address.is_some() => {
            let part = match form.operands[index].address {
                Some(AddressPart::Index) => ADDRESS_INDEX,
                _ => ADDRESS_BASE,
            };
            place(memory_operand(form), form) + part
        }
        Site::Operand(index) => {
            let written = form.operands[index].tied_to.unwrap_or(index);
            place(Some(written), form)
        }
    }
}

/// The place of an operand among those that are written.
fn place(operand: Option<usize>, form: &InstructionForm) -> String {
    let index = operand.unwrap_or_default();
    let place = written_operands(form).iter().position(|&other| other == index);
    place.unwrap_or(index).to_string()
}

/// The steps of a walk by name, with what is special about each.
#[must_use]
pub fn way(walk: &[Link], catalogue: &Catalogue) -> WayBack {
    WayBack(walk.iter().filter_map(|link| helper(link, catalogue)).collect())
}

fn helper(link: &Link, catalogue: &Catalogue) -> Option<Helper> {
    let form = catalogue.form(link.opcode)?;
    let circumstance = link.immediate.and_then(|(operand, value)| {
        let variants = catalogue.isa.variants(&catalogue.set, form);
        let is_it = |&(at, number, _): &(usize, i64, String)| (at, number) == (operand, value);
        variants.into_iter().find(is_it).map(|(.., name)| Circumstance::Values(name))
    });
    Some(Helper { form: form.name.clone(), circumstance })
}
