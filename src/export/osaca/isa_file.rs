//! The ISA file: what forms read and write where that is not what OSACA takes for granted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::model::Model;
use super::operand::{Kind, Syntax};
use super::row::{Access, Hidden, Row};

/// What a part of an ISA file says of all its mnemonics.
type Meaning = (Vec<Kind>, Vec<Access>, BTreeMap<Hidden, Access>, bool);

/// The text of an ISA file.
pub fn text(model: &Model, syntax: Syntax) -> String {
    let mut forms: BTreeMap<Meaning, BTreeSet<&String>> = BTreeMap::new();
    for ((mnemonic, kinds), row) in &model.rows {
        if is_special(kinds, row, syntax) {
            let meaning = (kinds.clone(), row.accesses.clone(), row.hidden.clone(), row.breaks);
            forms.entry(meaning).or_default().insert(mnemonic);
        }
    }
    let mut forms: Vec<_> = forms.into_iter().collect();
    forms.sort_by_key(|((kinds, ..), _)| kinds.iter().map(Kind::breadth).sum::<u8>());
    let mut out = format!(
        "# Operands of instructions, as LLVM knows them; by winic {}.\nosaca_version: '0.7.1'\nisa: {}\n\
         instruction_forms:\n",
        env!("CARGO_PKG_VERSION"),
        syntax.isa()
    );
    for ((kinds, accesses, hidden, breaks), names) in &forms {
        let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
        let operands: Vec<String> = kinds
            .iter()
            .zip(accesses)
            .map(|(kind, access)| kind.yaml(syntax, &flags(*access)))
            .collect();
        let _ =
            write!(out, "- {{name: [{}], operands: [{}]", names.join(", "), operands.join(", "));
        if !hidden.is_empty() {
            let hidden: Vec<String> =
                hidden.iter().map(|(what, access)| item(what, *access)).collect();
            let _ = write!(out, ", hidden_operands: [{}]", hidden.join(", "));
        }
        if *breaks {
            out.push_str(", breaks_dependency_on_equal_operands: true");
        }
        out.push_str("}\n");
    }
    out
}

/// Whether a form reads or writes something else than OSACA takes for granted: the last operand on x86
/// and the first elsewhere is written, others are read, and the only one is read.
fn is_special(kinds: &[Kind], row: &Row, syntax: Syntax) -> bool {
    let count = kinds.len();
    let written = if syntax.writes_last() { count.wrapping_sub(1) } else { 0 };
    let granted = (0..count).map(|at| {
        let is_written = count > 1 && at == written;
        Access { read: !is_written, written: is_written }
    });
    row.breaks || !row.hidden.is_empty() || !granted.eq(row.accesses.iter().copied())
}

fn flags(access: Access) -> String {
    format!(", source: {}, destination: {}", access.read, access.written)
}

fn item(what: &Hidden, access: Access) -> String {
    match what {
        Hidden::Flag(name) => format!("{{class: flag, name: {name}{}}}", flags(access)),
        Hidden::Register(name) => format!("{{class: register, name: {name}{}}}", flags(access)),
    }
}
