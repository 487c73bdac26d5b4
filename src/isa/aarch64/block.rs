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
struct BlockStep {
    /// LLVM's names of those that stand in front of it.
    leading: &'static [&'static str],
    copies: bool,
}

/// LLVM's names of those that copy: who may access the source and the destination, and whether they pass
/// caches by, stands at the end.
const COPIES: &[[&str; 3]] = &[
    ["CPYP", "CPYM", "CPYE"],
    ["CPYPN", "CPYMN", "CPYEN"],
    ["CPYPRN", "CPYMRN", "CPYERN"],
    ["CPYPRT", "CPYMRT", "CPYERT"],
    ["CPYPRTN", "CPYMRTN", "CPYERTN"],
    ["CPYPRTRN", "CPYMRTRN", "CPYERTRN"],
    ["CPYPRTWN", "CPYMRTWN", "CPYERTWN"],
    ["CPYPT", "CPYMT", "CPYET"],
    ["CPYPTN", "CPYMTN", "CPYETN"],
    ["CPYPTRN", "CPYMTRN", "CPYETRN"],
    ["CPYPTWN", "CPYMTWN", "CPYETWN"],
    ["CPYPWN", "CPYMWN", "CPYEWN"],
    ["CPYPWT", "CPYMWT", "CPYEWT"],
    ["CPYPWTN", "CPYMWTN", "CPYEWTN"],
    ["CPYPWTRN", "CPYMWTRN", "CPYEWTRN"],
    ["CPYPWTWN", "CPYMWTWN", "CPYEWTWN"],
    ["CPYFP", "CPYFM", "CPYFE"],
    ["CPYFPN", "CPYFMN", "CPYFEN"],
    ["CPYFPRN", "CPYFMRN", "CPYFERN"],
    ["CPYFPRT", "CPYFMRT", "CPYFERT"],
    ["CPYFPRTN", "CPYFMRTN", "CPYFERTN"],
    ["CPYFPRTRN", "CPYFMRTRN", "CPYFERTRN"],
    ["CPYFPRTWN", "CPYFMRTWN", "CPYFERTWN"],
    ["CPYFPT", "CPYFMT", "CPYFET"],
    ["CPYFPTN", "CPYFMTN", "CPYFETN"],
    ["CPYFPTRN", "CPYFMTRN", "CPYFETRN"],
    ["CPYFPTWN", "CPYFMTWN", "CPYFETWN"],
    ["CPYFPWN", "CPYFMWN", "CPYFEWN"],
    ["CPYFPWT", "CPYFMWT", "CPYFEWT"],
    ["CPYFPWTN", "CPYFMWTN", "CPYFEWTN"],
    ["CPYFPWTRN", "CPYFMWTRN", "CPYFEWTRN"],
    ["CPYFPWTWN", "CPYFMWTWN", "CPYFEWTWN"],
];

/// ... and of those that set, with tags or without. (`SETGE` is another one's.)
const SETS: &[[&str; 3]] = &[
    ["SETP", "SETM", "SETE"],
    ["SETPN", "SETMN", "SETEN"],
    ["SETPT", "SETMT", "SETET"],
    ["SETPTN", "SETMTN", "SETETN"],
    ["SETGP", "SETGM", "MOPSSETGE"],
    ["SETGPN", "SETGMN", "MOPSSETGEN"],
    ["SETGPT", "SETGMT", "MOPSSETGET"],
    ["SETGPTN", "SETGMTN", "MOPSSETGETN"],
    ["SETGOP", "SETGOM", "SETGOE"],
    ["SETGOPN", "SETGOMN", "SETGOEN"],
    ["SETGOPT", "SETGOMT", "SETGOET"],
    ["SETGOPTN", "SETGOMTN", "SETGOETN"],
];

/// Every step, by LLVM's name.
static STEPS: LazyLock<HashMap<&'static str, BlockStep>> = LazyLock::new(|| {
    let all = COPIES.iter().map(|row| (row, true)).chain(SETS.iter().map(|row| (row, false)));
    let steps = all.flat_map(|(row, copies)| {
        let step = move |at: usize| (row[at], BlockStep { leading: &row[..at], copies });
        (0..row.len()).map(step)
    });
    steps.collect()
});

fn step(opcode: &str) -> Option<&'static BlockStep> {
    STEPS.get(opcode)
}

/// The instructions that stand in front of one, with its operands.
pub(super) fn leading(form: &InstructionForm) -> &'static [&'static str] {
    step(&form.name).map_or(&[], |step| step.leading)
}

/// What an operand is to the address of an opcode; the source of a copy has its address by
/// [`value_of_class`].
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
