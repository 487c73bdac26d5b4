//! Accesses that cross the end of a cache line, or of a page: classes of what the base of a plain move
//! holds. All other accesses lie inside a line.

use super::{OperandValues, PlainMove};
use crate::form::{AddressPart, InstructionForm, Site, Value};

/// The classes, the headline's first. A page ends at one place of the region only.
const CLASSES: &[OperandValues] = &[
    OperandValues::unusual("inside a cache line"),
    OperandValues::unusual("crossing a cache line"),
    OperandValues::unusual("crossing a page of 4 KiB").in_one_cell(),
];

/// What is crossed in each class, by where in the region it ends.
const ENDS: [u32; 3] = [0, 64, super::memory::REGION_PAGE];

/// The classes of a form, if it is a plain move of more than a byte.
pub(super) fn classes(moves: &[PlainMove], form: &InstructionForm) -> &'static [OperandValues] {
    if bytes(moves, form) > 1 { CLASSES } else { &[] }
}

/// What a site of a plain move holds in a class other than the headline's: half of what is accessed
/// lies on either side.
pub(super) fn value(
    moves: &[PlainMove],
    form: &InstructionForm,
    site: Site,
    class: usize,
) -> Option<Value> {
    let is_base = form.address_part(site) == Some(AddressPart::Base);
    let half = bytes(moves, form) / 2;
    (is_base && half > 0).then(|| Value::DataAddress(ENDS[class] - half))
}

/// Bytes that a plain move moves; none if the form is another one.
fn bytes(moves: &[PlainMove], form: &InstructionForm) -> u32 {
    let own = moves.iter().find(|known| known.is(form));
    own.map_or(0, |known| known.bits / 8)
}
