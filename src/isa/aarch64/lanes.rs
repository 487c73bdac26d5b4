//! Outer products, and sums of rows and columns, of which predicates leave elements out: classes of what those
//! hold. The headline's is that all take part.

use super::super::OperandValues;
use super::streaming::VECTOR_BITS;
use crate::form::{InstructionForm, Site, Value};
use crate::metadata::InstructionSet;

/// The classes, the headline's first.
const CLASSES: &[OperandValues] = &[
    OperandValues::unusual("all elements"),
    OperandValues::unusual("half of the elements"),
    OperandValues::unusual("all elements but the last"),
];

/// LLVM's classes of tiles that outer products are added to, and the bytes of an element.
const TILES: &[(&str, u64)] = &[("MPR16", 2), ("MPR32", 4), ("MPR64", 8)];
/// LLVM's class of the predicates that govern them.
const GOVERNING: &str = "PPR_3b";

/// The classes of a form, if it is an outer product under predicates.
pub(super) fn classes(set: &InstructionSet, form: &InstructionForm) -> &'static [OperandValues] {
    let governing = (0..form.operands.len()).filter(|&index| governs(set, form, index)).count();
    // One for rows, one for columns: what moves a vector into a tile has one.
    if governing == 2 && element_bytes(set, form).is_some() { CLASSES } else { &[] }
}

/// What a predicate holds in a class other than the headline's, as the number of bytes whose elements take
/// part, from the first on.
pub(super) fn value(
    set: &InstructionSet,
    form: &InstructionForm,
    site: Site,
    class: usize,
) -> Option<Value> {
    let Site::Operand(index) = site else { return None };
    if classes(set, form).is_empty() || !governs(set, form, index) {
        return None;
    }
    let element = element_bytes(set, form)?;
    let all = u64::from(VECTOR_BITS / u8::BITS);
    match class {
        1 => Some(Value::Number(all / 2)),
        2 => Some(Value::Number(all - element)),
        _ => None,
    }
}

fn governs(set: &InstructionSet, form: &InstructionForm, index: usize) -> bool {
    form.operands[index].read && class_name(set, form, index) == Some(GOVERNING)
}

/// Bytes of an element of the tile that a form adds to.
fn element_bytes(set: &InstructionSet, form: &InstructionForm) -> Option<u64> {
    let tied = form.operands.iter().filter_map(|operand| operand.tied_to);
    let names = tied.filter_map(|target| class_name(set, form, target));
    let mut tiles = names.filter_map(|name| TILES.iter().find(|(tile, _)| *tile == name));
    tiles.next().map(|&(_, bytes)| bytes)
}

/// LLVM's class of an operand.
fn class_name<'s>(
    set: &'s InstructionSet,
    form: &InstructionForm,
    index: usize,
) -> Option<&'s str> {
    form.named_class(index, set).map(|class| set.class(class).name.as_str())
}
