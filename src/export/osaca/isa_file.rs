//! The ISA file: what forms read and write where that is not what OSACA takes for granted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::model::MachineModel;
use super::operand::{Address, PatternKind, Syntax};
use super::row::{Hidden, OsacaRow, RowAccess};
use crate::form::MemoryAccess;
use crate::isa::{AddressStep, Isa};

/// What a part of an ISA file says of all its mnemonics.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct OperandMeaning {
    kinds: Vec<PatternKind>,
    accesses: Vec<RowAccess>,
    hidden: BTreeMap<Hidden, RowAccess>,
    breaks: bool,
    operation: Option<String>,
}

/// The text of an ISA file.
pub fn text(model: &MachineModel, syntax: Syntax, isa: &dyn Isa) -> String {
    let mut forms: BTreeMap<OperandMeaning, BTreeSet<&String>> = BTreeMap::new();
    for ((mnemonic, kinds), row) in &model.rows {
        let operation = isa.address_step(mnemonic).and_then(|step| operation(step, kinds, syntax));
        let meaning = OperandMeaning {
            kinds: kinds.clone(),
            accesses: row.accesses.clone(),
            hidden: row.hidden.clone(),
            breaks: row.breaks,
            operation,
        };
        if let Some(indexed) = with_index(&meaning, row, syntax) {
            forms.entry(indexed).or_default().insert(mnemonic);
        }
        if is_special(&meaning, syntax) {
            forms.entry(meaning).or_default().insert(mnemonic);
        }
    }
    let mut forms: Vec<_> = forms.into_iter().collect();
    forms.sort_by_key(|(meaning, _)| meaning.kinds.iter().map(PatternKind::breadth).sum::<u8>());
    let mut out = format!(
        "# Operands of instructions, as LLVM knows them; by winic {}.\nosaca_version: '0.7.1'\nisa: {}\n\
         instruction_forms:\n",
        env!("CARGO_PKG_VERSION"),
        syntax.isa()
    );
    for (meaning, names) in &forms {
        let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
        let operands: Vec<String> = meaning
            .kinds
            .iter()
            .zip(&meaning.accesses)
            .map(|(kind, access)| kind.yaml(syntax, &flags(*access)))
            .collect();
        let _ =
            write!(out, "- {{name: [{}], operands: [{}]", names.join(", "), operands.join(", "));
        if !meaning.hidden.is_empty() {
            let hidden = meaning.hidden.iter().map(|(what, access)| item(what, *access));
            let _ = write!(out, ", hidden_operands: [{}]", hidden.collect::<Vec<_>>().join(", "));
        }
        if meaning.breaks {
            out.push_str(", breaks_dependency_on_equal_operands: true");
        }
        if let Some(operation) = &meaning.operation {
            let _ = write!(out, ", operation: \"{operation}\"");
        }
        out.push_str("}\n");
    }
    out
}

/// What OSACA does to the operands' values, where one of them may be an address: a number is added to a
/// register, or a register is copied.
fn operation(step: AddressStep, kinds: &[PatternKind], syntax: Syntax) -> Option<String> {
    let is_general = |kind: &PatternKind| matches!(kind, PatternKind::Register(name, None) if name == "gpr" || name == "x");
    match (step, syntax, kinds) {
        (AddressStep::Add | AddressStep::Subtract, Syntax::Att, [PatternKind::Integer, to])
            if is_general(to) =>
        {
            let sign = if step == AddressStep::Add { '+' } else { '-' };
            Some(format!("op2['value'] {sign}= op1['value']"))
        }
        (
            AddressStep::Add | AddressStep::Subtract,
            Syntax::Arm,
            [to, from, PatternKind::Integer],
        ) if is_general(to) && is_general(from) => {
            let sign = if step == AddressStep::Add { '+' } else { '-' };
            Some(format!(
                "op1['value'] = op2['value'] {sign} op3['value']; op1['name'] = op2['name']"
            ))
        }
        (AddressStep::Increment, Syntax::Att, [to]) if is_general(to) => {
            Some("op1['value'] += 1".to_owned())
        }
        (AddressStep::Decrement, Syntax::Att, [to]) if is_general(to) => {
            Some("op1['value'] -= 1".to_owned())
        }
        (AddressStep::Copy, Syntax::Att, [from, to]) if is_general(to) && is_general(from) => {
            Some("op2['name'] = op1['name']; op2['value'] = op1['value']".to_owned())
        }
        (AddressStep::Copy, Syntax::Arm, [to, from]) if is_general(to) && is_general(from) => {
            Some("op1['name'] = op2['name']; op1['value'] = op2['value']".to_owned())
        }
        _ => None,
    }
}

/// What reads and writes memory that an index leads to is only seen to write it.
fn with_index(meaning: &OperandMeaning, row: &OsacaRow, syntax: Syntax) -> Option<OperandMeaning> {
    if row.memory != MemoryAccess::Both || syntax != Syntax::Att {
        return None;
    }
    let at = meaning.kinds.iter().position(|kind| *kind == PatternKind::Memory(Address::Any))?;
    let (mut kinds, mut accesses) = (meaning.kinds.clone(), meaning.accesses.clone());
    kinds[at] = PatternKind::Memory(Address::Indexed);
    accesses[at] = RowAccess { read: false, written: true };
    let hidden = meaning.hidden.clone();
    Some(OperandMeaning { kinds, accesses, hidden, breaks: meaning.breaks, operation: None })
}

/// Whether a form reads or writes something else than OSACA takes for granted: the last operand on x86
/// and the first elsewhere is written, others are read, and the only one is read.
fn is_special(meaning: &OperandMeaning, syntax: Syntax) -> bool {
    let count = meaning.kinds.len();
    let written = if syntax.writes_last() { count.wrapping_sub(1) } else { 0 };
    let granted = (0..count).map(|at| {
        let is_written = count > 1 && at == written;
        RowAccess { read: !is_written, written: is_written }
    });
    meaning.breaks
        || meaning.operation.is_some()
        || !meaning.hidden.is_empty()
        || !granted.eq(meaning.accesses.iter().copied())
}

fn flags(access: RowAccess) -> String {
    format!(", source: {}, destination: {}", access.read, access.written)
}

fn item(what: &Hidden, access: RowAccess) -> String {
    match what {
        Hidden::Flag(name) => format!("{{class: flag, name: {name}{}}}", flags(access)),
        Hidden::Register(name) => format!("{{class: register, name: {name}{}}}", flags(access)),
    }
}
