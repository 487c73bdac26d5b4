//! Machine models of OSACA: throughput and latency of forms that say which of LLVM's they are.
//! Source: OSACA 0.7.1, `hw_model.py`; the key `llvm_name` is that of its `zen5.yml`, and of what winic
//! exports, where it may name several forms.

use serde::Deserialize;
use serde_yaml::Value;

use super::{Format, Imported, Unreadable};
use crate::database::{Database, FlatValue, Quantity};

/// Whether a text begins as a machine model does.
#[must_use]
pub fn is_first(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let mut keys = lines.take(3).filter_map(|line| line.split(':').next());
    keys.any(|key| key == "osaca_version")
}

#[derive(Deserialize)]
struct OsacaFile {
    instruction_forms: Vec<OsacaForm>,
}

#[derive(Deserialize)]
struct OsacaForm {
    #[serde(default)]
    name: Value,
    #[serde(default)]
    llvm_name: Option<String>,
    #[serde(default)]
    latency: Option<f64>,
    #[serde(default)]
    throughput: Option<f64>,
}

/// Reads a machine model.
///
/// # Errors
/// When it is none.
pub fn read(text: &str) -> Result<Imported, Unreadable> {
    let model: OsacaFile =
        serde_yaml::from_str(text).map_err(|error| Unreadable::broken(Format::Osaca, error))?;
    let mut out = Imported::default();
    let mut rows = Vec::new();
    for form in model.instruction_forms {
        let Some(names) = &form.llvm_name else {
            out.unmatched("it does not name a form of LLVM's", &called(&form.name));
            continue;
        };
        for name in names.split_whitespace() {
            let figures =
                [(Quantity::Throughput, form.throughput), (Quantity::Latency, form.latency)];
            rows.extend(figures.into_iter().filter_map(|(quantity, value)| {
                Some(FlatValue { quantity, ..FlatValue::of_form(name, value?) })
            }));
        }
    }
    if rows.is_empty() && out.unmatched.is_empty() {
        return Err(Unreadable::Empty);
    }
    out.database = Database::of_rows(rows);
    Ok(out)
}

fn called(name: &Value) -> String {
    let first = name.as_sequence().and_then(|names| names.first()).unwrap_or(name);
    first.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "\
# A model.
osaca_version: '0.7.1'
isa: x86
ports: [A, B]
instruction_forms:
- {name: [add, addq], operands: [], latency: 1, throughput: 0.25, port_pressure: [], llvm_name: 'ADD64rr ADD32rr'}
- name: vaddpd
  operands: []
  latency: 3.0
  throughput: ~
  llvm_name: VADDPDrr
- {name: xchg, operands: [], latency: 2, throughput: 1}
";

    #[test]
    fn forms_that_name_llvm_s_are_read_and_others_counted() {
        assert!(is_first(MODEL));
        let read = read(MODEL).unwrap();
        assert_eq!(read.database.len(), 3);
        assert_eq!(read.database.entry("ADD32rr").unwrap().throughput.value, Some(0.25));
        assert_eq!(read.database.entry("VADDPDrr").unwrap().latency.value, Some(3.0));
        let unmatched: Vec<_> = read.unmatched.into_values().collect();
        assert_eq!((unmatched[0].count, unmatched[0].first.as_str()), (1, "xchg"));
    }

    #[test]
    fn half_a_model_is_one_line() {
        for text in [&MODEL[..MODEL.len() / 2], "osaca_version: 1\ninstruction_forms: 3\n"] {
            let error = super::read(text).unwrap_err().to_string();
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
