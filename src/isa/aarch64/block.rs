//! Copies and sets of blocks of memory (FEAT_MOPS). One is three instructions with the same operands, a
//! prologue, a main part and an epilogue, of which a core does in each what it likes; the registers say
//! between them what is left to do. Source: Arm Architecture Reference Manual (DDI 0487), C6.2 "CPYFP,
//! CPYFM, CPYFE", "SETP, SETM, SETE".

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::form::{AddressPart, InstructionForm, Site, Spent, Value};
use crate::isa::OperandValues;
use crate::metadata::{InstructionSet, Opcode};

/// One instruction of three.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    /// LLVM's names of those that stand in front of it.
    leading: Vec<String>,
    copies: bool,
}

/// Who may access the source and the destination, and whether they pass caches by.
const OPTIONS: &[&str] = &[
    "", "N", "RN", "RT", "RTN", "RTRN", "RTWN", "T", "TN", "TRN", "TWN", "WN", "WT", "WTN", "WTRN",
    "WTWN",
];
const SET_OPTIONS: &[&str] = &["", "N", "T", "TN"];

/// LLVM's name of one instruction of three. (`SETGE` is another one's.)
fn name(stem: &str, letter: char, options: &str) -> String {
    let prefix = if (stem, letter) == ("SETG", 'E') { "MOPS" } else { "" };
    format!("{prefix}{stem}{letter}{options}")
}

/// Every step, by LLVM's name.
static STEPS: LazyLock<HashMap<String, Step>> = LazyLock::new(|| {
    let copies = [("CPY", OPTIONS), ("CPYF", OPTIONS)];
    let sets = [("SET", SET_OPTIONS), ("SETG", SET_OPTIONS), ("SETGO", SET_OPTIONS)];
    let all = copies.map(|row| (row, true)).into_iter().chain(sets.map(|row| (row, false)));
    let mut steps = HashMap::new();
    for ((stem, options), copies) in all {
        for option in options {
            let mut leading: Vec<String> = Vec::new();
            for letter in ['P', 'M', 'E'] {
                let name = name(stem, letter, option);
                steps.insert(name.clone(), Step { leading: leading.clone(), copies });
                leading.push(name);
            }
        }
    }
    steps
});

fn step(opcode: &str) -> Option<&'static Step> {
    STEPS.get(opcode)
}

/// The instructions that stand in front of one, with its operands.
pub(super) fn leading(form: &InstructionForm) -> &'static [String] {
    step(&form.name).map_or(&[], |step| &step.leading)
}

/// What an operand is to the address of an opcode; the source of a copy is held by
/// [`required_value`] where it is.
pub(super) fn address_part(opcode: &Opcode, operand: usize) -> Option<AddressPart> {
    let is_destination = operand == opcode.definitions;
    (step(&opcode.name).is_some() && is_destination).then_some(AddressPart::Base)
}

/// Whether an opcode is one of three.
pub(super) fn is_step(opcode: &str) -> bool {
    step(opcode).is_some()
}

/// Where in the region a source begins.
const SOURCE: u32 = 2048;

/// How many bytes are copied or set ...
const COUNTS: &[OperandValues] = &[
    OperandValues::unusual("64 bytes"),
    OperandValues::unusual("no byte"),
    OperandValues::unusual("16 bytes"),
    OperandValues::unusual("256 bytes"),
    OperandValues::unusual("1024 bytes"),
];
/// ... in numbers.
const BYTES: [u64; 5] = [64, 0, 16, 256, 1024];

pub(super) fn value_classes(form: &InstructionForm) -> &'static [OperandValues] {
    if is_step(&form.name) { COUNTS } else { &[] }
}

/// Contents that a form needs in its source or count, of a class of counts.
pub(super) fn value_of_class(form: &InstructionForm, site: Site, class: usize) -> Option<Value> {
    let step = step(&form.name)?;
    let Site::Operand(operand) = site else { return None };
    let results = form.operands.iter().filter(|operand| operand.write).count();
    let number = match operand < results {
        true => operand,
        false => operand - results,
    };
    match (number, step.copies) {
        (1, true) => Some(Value::DataAddress(SOURCE)),
        (1, false) | (2, true) => BYTES.get(class).copied().map(Value::Number),
        _ => None,
    }
}

/// An instance leaves its addresses and its count as far as it came, which is up to the core: none of its
/// results says how long it took. What the flags say between the three comes from the one before.
pub(super) fn correct(form: &mut InstructionForm, set: &InstructionSet) {
    if !is_step(&form.name) {
        return;
    }
    form.implicit_uses.retain(|&register| set.register(register).name != "NZCV");
    let tied = (0..form.operands.len()).filter(|&index| form.operands[index].tied_to.is_some());
    form.spent = tied.map(|index| Spent { site: Site::Operand(index), lasts: 1 }).collect();
    let uses: Vec<Site> = form.uses().collect();
    let pairs =
        |&source: &Site| form.defs().map(move |target| (source, target)).collect::<Vec<_>>();
    form.unrelated = uses.iter().flat_map(pairs).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_front_of_each_is_known() {
        let leading = |name: &str| STEPS.get(name).map(|step| step.leading.join(" "));
        assert_eq!(leading("CPYFP").as_deref(), Some(""));
        assert_eq!(leading("CPYMRTWN").as_deref(), Some("CPYPRTWN"));
        assert_eq!(leading("CPYE").as_deref(), Some("CPYP CPYM"));
        assert_eq!(leading("MOPSSETGETN").as_deref(), Some("SETGPTN SETGMTN"));
        for other in ["SETFFR", "SETF8", "CPY_ZPmI_B", "SETGE"] {
            assert_eq!(leading(other), None, "{other}");
        }
        assert_eq!(STEPS.len(), 3 * (2 * 16 + 3 * 4));
    }
}
