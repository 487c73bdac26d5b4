//! Classes of operand values on which the duration of a form depends.
//!
//! Divisions by iteration take longer the more bits the quotient has. As in the headline's class,
//! all dividends are such that quotient and remainder are what stood there before, so that every
//! division of a chain finds the same values: with a dividend of `h` and `l` (high and low halves)
//! and a divisor of `d` that is `h * (2^n - 1) = l * (d - 1)`.

use crate::isa::Value;

/// Names of the classes of divisions: their quotients.
const DIVISION: &[&str] = &["quotient of middle size", "quotient 0", "quotient of all bits"];

const NO_BITS: usize = 1;
const ALL_BITS: usize = 2;

/// Names by which divisions of integers begin.
const DIVISIONS: [&str; 2] = ["DIV", "IDIV"];

/// Contents in the classes after the headline's: class, width in the form's name, the register's
/// name (`""`: the divisor), value. A divisor that is not listed is the headline's.
const CONTENTS: &[(usize, &str, &str, Value)] = &[
    (NO_BITS, "8r", "AX", Value::Zero),
    (NO_BITS, "16r", "AX", Value::Zero),
    (NO_BITS, "16r", "DX", Value::Zero),
    (NO_BITS, "32r", "EAX", Value::Zero),
    (NO_BITS, "32r", "EDX", Value::Zero),
    (NO_BITS, "64r", "RAX", Value::Zero),
    (NO_BITS, "64r", "RDX", Value::Zero),
    // 4 * 0x55 + 1 = 0x155, and so on: the highest bit stays clear for the signed ones.
    (ALL_BITS, "8r", "", Value::Number(4)),
    (ALL_BITS, "8r", "AX", Value::Number(0x0155)),
    (ALL_BITS, "16r", "", Value::Number(4)),
    (ALL_BITS, "16r", "AX", Value::Number(0x5555)),
    (ALL_BITS, "16r", "DX", Value::Number(1)),
    (ALL_BITS, "32r", "", Value::Number(4)),
    (ALL_BITS, "32r", "EAX", Value::Number(0x5555_5555)),
    (ALL_BITS, "32r", "EDX", Value::Number(1)),
    (ALL_BITS, "64r", "", Value::Number(4)),
    (ALL_BITS, "64r", "RAX", Value::Number(0x5555_5555_5555_5555)),
    (ALL_BITS, "64r", "RDX", Value::Number(1)),
];

/// The width that the name of an integer division ends in.
fn width(form: &str) -> Option<&str> {
    DIVISIONS
        .iter()
        .find_map(|start| form.strip_prefix(start))
        .filter(|rest| CONTENTS.iter().any(|(_, width, ..)| width == rest))
}

/// Names of a form's classes, the headline's first.
pub(super) fn classes(form: &str) -> &'static [&'static str] {
    if width(form).is_some() { DIVISION } else { &[] }
}

/// What the place of that name holds in a class.
pub(super) fn of_class(form: &str, place: &str, class: usize) -> Option<Value> {
    let width = width(form)?;
    let row = CONTENTS.iter().find(|row| (row.0, row.1, row.2) == (class, width, place));
    row.map(|row| row.3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_divisions_of_integers_have_classes() {
        for (form, classes_of_it) in [("DIV64r", 3), ("IDIV8r", 3), ("DIVPDrr", 0), ("ADD64rr", 0)]
        {
            assert_eq!(classes(form).len(), classes_of_it, "{form}");
        }
    }

    #[test]
    fn divisions_reproduce_their_dividends_in_every_class() {
        let number = |form: &str, place: &str, class| match of_class(form, place, class) {
            Some(Value::Number(number)) => Some(u128::from(number)),
            Some(Value::Zero) => Some(0),
            _ => None,
        };
        for class in [NO_BITS, ALL_BITS] {
            for (bits, low, high) in [(16, "AX", "DX"), (32, "EAX", "EDX"), (64, "RAX", "RDX")] {
                let form = format!("IDIV{bits}r");
                // Any divisor leaves zero as it is.
                let divisor = number(&form, "", class).unwrap_or(7);
                let low = number(&form, low, class).unwrap();
                let high = number(&form, high, class).unwrap();
                let dividend = (high << bits) + low;
                assert_eq!((dividend / divisor, dividend % divisor), (low, high), "{form}");
                assert!(low < 1 << (bits - 1), "{form}: the signed quotient fits");
            }
            let divisor = number("DIV8r", "", class).unwrap_or(7);
            let dividend = number("DIV8r", "AX", class).unwrap();
            assert_eq!(((dividend % divisor) << 8) | (dividend / divisor), dividend);
        }
    }
}
