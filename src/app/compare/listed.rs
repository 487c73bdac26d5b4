//! The forms of an architecture by how they are written, for sources that do not know LLVM's names.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::app::Failure;
use crate::app::export::open;
use crate::catalogue::Canonical;
use crate::codec::Codec as _;
use crate::exchange::forms::{
    FormTable, Masking, WrittenForm, WrittenOperand, letters, undecorated,
};
use crate::export::split_operands;
use crate::form::{InstructionForm, Placeholder};
use crate::metadata::{Instruction, OperandValue};
use crate::pipeline::Target;

/// The architecture of all sources that write instructions down.
const ARCHITECTURE: &str = "x86_64";

/// Kinds of registers that have letters of their own.
const KINDS: &[&str] = &["mm", "xmm", "ymm", "zmm", "tmm", "k", "st"];

/// Numbers that may stand for a condition or a predicate, and with it for a mnemonic.
const CONDITIONS: std::ops::RangeInclusive<i64> = 0..=33;

/// All forms that are instructions of their own, each in all ways that LLVM writes it; made once for all
/// sources of a comparison.
pub(super) fn table() -> Result<&'static FormTable, Failure> {
    static TABLE: OnceLock<FormTable> = OnceLock::new();
    if let Some(known) = TABLE.get() {
        return Ok(known);
    }
    let made = listed()?;
    Ok(TABLE.get_or_init(|| made))
}

fn listed() -> Result<FormTable, Failure> {
    let mut target = open(ARCHITECTURE, "")?;
    let mut table = FormTable::default();
    let listings = std::mem::take(&mut target.listings);
    for listing in &listings {
        let Canonical::Form(form) = &listing.canonical else { continue };
        // (A figure of a source is none of an addressing mode or a configuration, and it is about what
        // assemblers make of a text.)
        let is_special = target.set.base(form.opcode) != form.opcode;
        if is_special || target.isa.is_second_encoding(&form.name) {
            continue;
        }
        for written in written(form, &mut target) {
            table.add(written, &form.name);
        }
    }
    Ok(table)
}

/// The ways to write a form.
fn written(form: &InstructionForm, target: &mut Target) -> BTreeSet<WrittenForm> {
    let own = target.set.encodable(&form.sample).into_owned();
    let bits = number_bits(form, &own, target);
    let numbers: Vec<usize> = numbers(form).collect();
    let mut instances = vec![own.clone()];
    if let [number] = numbers[..] {
        instances.extend(CONDITIONS.map(|value| with_number(&own, number, value)));
    }
    let mut all = BTreeSet::new();
    for instance in &instances {
        let Some(written) = taken_apart(form, instance, bits, target) else { continue };
        for mnemonic in target.isa.other_mnemonics(&written.mnemonic) {
            all.insert(WrittenForm { mnemonic, ..written.clone() });
        }
        all.insert(written);
    }
    all
}

/// LLVM's indices of the numbers of a form that belong to no address.
fn numbers(form: &InstructionForm) -> impl Iterator<Item = usize> + '_ {
    (0..form.operands.len()).filter(|&index| {
        let operand = form.operands[index];
        matches!(operand.kind, Placeholder::Immediate(_)) && operand.address.is_none()
    })
}

fn with_number(instance: &Instruction, index: usize, value: i64) -> Instruction {
    let mut changed = instance.clone();
    changed.operands[index] = OperandValue::Immediate(value);
    changed
}

/// Bits that the encoding has for the number of a form, if it has one: those of the bytes that change
/// with it.
fn number_bits(form: &InstructionForm, own: &Instruction, target: &mut Target) -> Option<u32> {
    let mut numbers = numbers(form);
    let (number, None) = (numbers.next()?, numbers.next()) else { return None };
    let mut encoded = |value| target.llvm.encode(&with_number(own, number, value)).ok();
    let (zeros, ones) = (encoded(0)?, encoded(-1)?);
    let changed = zeros.iter().zip(&ones).filter(|(zero, one)| zero != one).count();
    (zeros.len() == ones.len() && changed > 0).then_some(8 * changed as u32)
}

/// A printed form as it is written.
fn taken_apart(
    form: &InstructionForm,
    instance: &Instruction,
    bits: Option<u32>,
    target: &mut Target,
) -> Option<WrittenForm> {
    let bytes = target.llvm.encode(instance).ok()?;
    // Only what decodes has numbers that a printer stands.
    let (instance, _) = target.llvm.decode(&bytes).ok()?;
    if instance.opcode != form.opcode {
        return None;
    }
    let text = target.llvm.print(&instance).ok()?;
    let is_long = Some(target.isa.has_long_encoding(&bytes));
    let text = text.trim();
    let (mnemonic, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if rest.contains('\t') {
        return None;
    }
    let mut masking = Masking::None;
    let mut operands = Vec::new();
    for operand in split_operands(rest.trim()) {
        let (bare, mask) = undecorated(&operand);
        masking = masking.max(mask);
        let broadcast = operand.contains("{1to");
        operands.push(match bare {
            memory if memory.contains('[') => {
                let bits = Some(form.access_bits).filter(|&bits| bits > 0 && !broadcast);
                WrittenOperand::Memory { bits, broadcast }
            }
            number if number.parse::<i64>().is_ok() && !is_fixed(number, &instance) => {
                WrittenOperand::Immediate { bits }
            }
            name => register(form, name, target),
        });
    }
    Some(WrittenForm { mnemonic: mnemonic.to_lowercase(), operands, masking, is_long })
}

/// Whether a number in a text is none of the instance's operands: it belongs to the opcode.
fn is_fixed(text: &str, instance: &Instruction) -> bool {
    !instance.operands.iter().any(|operand| match operand {
        OperandValue::Immediate(value) => value.to_string() == text,
        OperandValue::Register(_) => false,
    })
}

/// A register that the form may choose, or the one that it always has.
fn register(form: &InstructionForm, name: &str, target: &Target) -> WrittenOperand {
    let set = &target.set;
    let class = (0..form.operands.len()).find_map(|index| {
        let OperandValue::Register(own) = form.sample.operands[index] else { return None };
        let is_it = set.register(own).name.eq_ignore_ascii_case(name);
        form.class_of(index).filter(|_| is_it)
    });
    let Some(class) = class else { return WrittenOperand::Fixed(name.to_lowercase()) };
    match KINDS.iter().find(|kind| **kind == letters(name)) {
        Some(kind) => WrittenOperand::of_kind(kind),
        None => WrittenOperand::general(set.class(class).bits),
    }
}
