//! Intel's tables of instruction throughput and latency, in JSON: objects with the iform of an instruction,
//! its latency and its throughput, which Intel gives in cycles. Source: Intel, "Processors and Processor Cores
//! Instruction Throughput and Latency". Their shape differs from core to core, so objects are
//! looked for at any depth: one with a `latency` or a `throughput` is about the iform that it names, or that
//! its key names. A figure is a number, a text with one or with a range, or a list of them.

use serde_json::{Map, Value};

use super::iform;
use super::instlatx64::UNKNOWN_OPERAND;
use super::spelled::{SpelledFigure, SpelledTable, range_of};
use super::{Format, Unreadable};
use crate::database::Quantity;

/// Keys of an instruction's name, without what is no letter.
const NAMES: [&str; 5] = ["iform", "xediform", "instructionform", "instruction", "name"];
/// Keys of figures.
const FIGURES: [(&str, Quantity); 6] = [
    ("latency", Quantity::Latency),
    ("latencycycles", Quantity::Latency),
    ("throughput", Quantity::Throughput),
    ("throughputcycles", Quantity::Throughput),
    ("reciprocalthroughput", Quantity::Throughput),
    ("cpi", Quantity::Throughput),
];

/// Whether a text begins as JSON and has a key of a figure in it.
#[must_use]
pub fn is_first(text: &str) -> bool {
    let has = |keys: &[&str]| keys.iter().any(|key| text.contains(key));
    // (Databases are JSON as well.)
    text.starts_with(['{', '['])
        && !has(&["\"llvmName\"", "\"instructions\":"])
        && has(&["\"latency\"", "\"Latency\"", "\"throughput\"", "\"Throughput\"", "\"iform\""])
}

/// Reads a table.
///
/// # Errors
/// When it is no JSON, or has no figure.
pub fn read(text: &str) -> Result<SpelledTable, Unreadable> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| Unreadable::broken(Format::Intel, error))?;
    let mut out = SpelledTable::default();
    look_into(&value, "", &mut out);
    if out.is_empty() { Err(Unreadable::Empty) } else { Ok(out) }
}

/// Adds what a value says, which stands under a key. (JSON is not nested deeply: its reader sees to that.)
fn look_into(value: &Value, key: &str, out: &mut SpelledTable) {
    match value {
        Value::Array(list) => list.iter().for_each(|item| look_into(item, key, out)),
        Value::Object(object) => {
            if add_figures(object, key, out) {
                return;
            }
            object.iter().for_each(|(key, value)| look_into(value, key, out));
        }
        _ => {}
    }
}

/// Adds the figures of an object; whether it has any.
fn add_figures(object: &Map<String, Value>, key: &str, out: &mut SpelledTable) -> bool {
    let bare = |key: &String| -> String {
        key.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_lowercase()
    };
    let quantity = |key: &String| {
        let key = bare(key);
        FIGURES.iter().find(|(name, _)| *name == key).map(|&(_, quantity)| quantity)
    };
    let figures: Vec<(Quantity, &Value)> =
        object.iter().filter_map(|(key, value)| Some((quantity(key)?, value))).collect();
    if figures.is_empty() {
        return false;
    }
    let named = |name: &str| object.iter().find(|(key, _)| bare(key) == name);
    let own = NAMES.iter().find_map(|name| named(name)?.1.as_str());
    let name = own.unwrap_or(key);
    let Some(meanings) = iform::forms(name) else {
        out.leave_out(UNKNOWN_OPERAND, name);
        return true;
    };
    for (quantity, value) in figures {
        let Some((min, max)) = range(value) else {
            out.leave_out(format!("its {quantity} is no number"), name);
            continue;
        };
        let (meanings, range) = (meanings.clone(), (Some(min), Some(max)));
        let text = name.to_owned();
        out.figures.push(SpelledFigure { text, meanings, quantity, ends: None, range });
    }
    true
}

/// The smallest and the largest number of a figure.
fn range(value: &Value) -> Option<(f64, f64)> {
    match value {
        Value::Number(number) => range_of(&number.as_f64()?.to_string()),
        Value::String(text) => range_of(text),
        Value::Array(list) => {
            let ranges = list.iter().map(range).collect::<Option<Vec<_>>>()?;
            ranges.into_iter().reduce(|(min, max), it| (min.min(it.0), max.max(it.1)))
        }
        Value::Object(object) => {
            let ends = object.values().map(range).collect::<Option<Vec<_>>>()?;
            ends.into_iter().reduce(|(min, max), it| (min.min(it.0), max.max(it.1)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One table of three shapes.
    const TABLE: &str = r#"{"core": "nobody's", "list": [
        {"Iform": "ADC_GPR8_GPR8_10", "Latency": 1, "Throughput (cycles)": "0.5"},
        {"instruction": "DIV_GPR64", "latency": "10-15", "throughput": [4, 6], "notes": "many"},
        {"iform": "CPUID", "latency": "~100", "throughput": null}],
      "INC_GPR32": {"latency": {"min": 1, "max": 1}}}"#;

    #[test]
    fn figures_are_found_wherever_they_are() {
        assert!(is_first(TABLE));
        assert!(!is_first("{\"instructions\": [{\"llvmName\": \"A\", \"latency\": 1}]}"));
        let read = read(TABLE).unwrap();
        let mut told: Vec<_> =
            read.figures.iter().map(|it| (it.text.as_str(), it.quantity, it.range)).collect();
        told.sort_by(|one, other| format!("{one:?}").cmp(&format!("{other:?}")));
        use Quantity::{Latency, Throughput};
        let both = |min, max| (Some(min), Some(max));
        assert_eq!(
            told,
            [
                ("ADC_GPR8_GPR8_10", Latency, both(1.0, 1.0)),
                ("ADC_GPR8_GPR8_10", Throughput, both(0.5, 0.5)),
                ("DIV_GPR64", Latency, both(10.0, 15.0)),
                ("DIV_GPR64", Throughput, both(4.0, 6.0)),
                ("INC_GPR32", Latency, both(1.0, 1.0)),
            ]
        );
        assert_eq!(read.left_out.values().map(|it| it.count).sum::<usize>(), 2);
    }

    #[test]
    fn what_is_no_table_is_one_line() {
        for text in [&TABLE[..TABLE.len() / 2], "{\"latency\"", "[]", "{\"throughput\": {}}x"] {
            let error = read(text).unwrap_err().to_string();
            assert_eq!(error.lines().count(), 1, "{error}");
        }
        assert_eq!(read("{\"a\": 1}"), Err(Unreadable::Empty));
    }
}
