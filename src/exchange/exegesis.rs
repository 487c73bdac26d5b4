//! Benchmarks as `llvm-exegesis -mode=analysis` reads them: one document a form, each with one figure.
//! Source: LLVM 22, `llvm/tools/llvm-exegesis/lib/BenchmarkResult.cpp` (keys and the text of an
//! instruction) and `Clustering.cpp` (all documents of a file have the same figures).

use std::fmt::Write as _;

use serde::Deserialize;

use super::{Format, Imported, Unreadable};
use crate::database::{Database, Entry, FlatValue, Quantity};

/// What the documents of a file are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExegesisMode {
    /// Cycles of the form's slowest edge.
    Latency,
    /// Cycles per instance.
    InverseThroughput,
    /// Micro-operations.
    Uops,
}

impl ExegesisMode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Latency, Self::InverseThroughput, Self::Uops];

    /// LLVM's name, which is also that of the figure but for micro-operations.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Latency => "latency",
            Self::InverseThroughput => "inverse_throughput",
            Self::Uops => "uops",
        }
    }

    fn key(self) -> &'static str {
        if self == Self::Uops { "NumMicroOps" } else { self.name() }
    }

    /// The figure of a form, where it has one.
    fn figure(self, entry: &Entry, slots: Option<f64>) -> Option<f64> {
        let value = match self {
            Self::Latency => entry.latency.value,
            Self::InverseThroughput => entry.throughput.value,
            Self::Uops => slots,
        };
        value.filter(|value| value.is_finite())
    }
}

/// An instance of a form, as LLVM takes it: `RAX`, `i_0x7`, and the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The opcode and its operands.
    pub text: String,
    /// The encoding.
    pub bytes: Vec<u8>,
}

/// The documents of one mode. `snippet` is an instance of a form of that name, `slots` its
/// micro-operations.
pub fn write(
    database: &Database,
    mode: ExegesisMode,
    triple: &str,
    mut snippet: impl FnMut(&str) -> Option<Snippet>,
    slots: impl Fn(&str) -> Option<f64>,
) -> String {
    let header = database.header();
    let cpu = header.micro_architecture.unwrap_or_default();
    let mut out = String::new();
    for entry in database.entries() {
        let name = &entry.subject.llvm_name;
        let Some(value) = mode.figure(&entry, slots(name)) else { continue };
        let Some(Snippet { text, bytes }) = snippet(name) else { continue };
        let key = mode.key();
        let bytes: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        let _ = write!(
            out,
            "---\nmode:            {}\nkey:\n  instructions:\n    - '{}'\n  config:          ''\n  \
             register_initial_values: []\ncpu_name:        {cpu}\nllvm_triple:     {triple}\n\
             min_instructions: 10000\nmeasurements:\n  - {{ key: {key}, value: {value}, \
             per_snippet_value: {value}, validation_counters: {{}} }}\nerror:           ''\n\
             info:            ''\nassembled_snippet: {bytes}\n...\n",
            mode.name(),
            text.replace('\'', ""),
        );
    }
    out
}

/// Whether a text begins as such documents do.
#[must_use]
pub fn is_first(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && *line != "---");
    lines.next().is_some_and(|line| line.split(':').next() == Some("mode"))
}

#[derive(Deserialize)]
struct ExegesisDocument {
    mode: String,
    key: Key,
    #[serde(default)]
    measurements: Vec<ExegesisFigure>,
    #[serde(default)]
    error: Option<String>,
}

#[derive(Deserialize)]
struct Key {
    instructions: Vec<String>,
}

#[derive(Deserialize)]
struct ExegesisFigure {
    key: String,
    value: f64,
}

/// Reads documents of any modes. Of a loop of several instructions none is measured by itself.
///
/// # Errors
/// When a document is none.
pub fn read(text: &str) -> Result<Imported, Unreadable> {
    let mut out = Imported::default();
    let mut rows = Vec::new();
    for document in documents(text) {
        let document: ExegesisDocument = serde_yaml::from_str(document)
            .map_err(|error| Unreadable::broken(Format::Exegesis, error))?;
        let opcode = document.key.instructions.first().and_then(|it| it.split_whitespace().next());
        let Some(opcode) = opcode else {
            out.unmatched("it has no instruction", &document.mode);
            continue;
        };
        if document.key.instructions.len() > 1 {
            out.unmatched("it is a loop of several instructions", opcode);
            continue;
        }
        if let Some(error) = document.error.filter(|error| !error.is_empty()) {
            out.unmatched(format!("it failed: {error}"), opcode);
            continue;
        }
        for figure in document.measurements {
            let quantity = match figure.key.as_str() {
                "latency" => Quantity::Latency,
                "inverse_throughput" => Quantity::Throughput,
                other => {
                    out.unmatched(format!("databases have no {other} of theirs"), opcode);
                    continue;
                }
            };
            rows.push(FlatValue { quantity, ..FlatValue::of_form(opcode, figure.value) });
        }
    }
    if rows.is_empty() && out.unmatched.is_empty() {
        return Err(Unreadable::Empty);
    }
    out.database = Database::of_rows(rows);
    Ok(out)
}

/// The documents of a text, each without its marks.
fn documents(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split("\n---").flat_map(|part| part.split("\n...").next());
    let parts = parts.map(|part| part.trim_start_matches("---").trim());
    parts.filter(|part| !part.is_empty() && *part != "...")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUND: &str = "\
microArchitecture: znver4
instructions:
- {llvmName: ADD64rr, throughput: 0.25, latency: 1, operandLatencies: [
    {sourceOperand: '0', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
- {llvmName: IMUL64rr, throughput: 1, latency: 3}
- {llvmName: NOOP, throughputStatus: 'failed: trap'}
";

    fn written(mode: ExegesisMode) -> String {
        let snippet = |name: &str| {
            Some(Snippet { text: format!("{name} RAX RAX RDI"), bytes: vec![0x48, 0x01, 0xf8] })
        };
        let found = Database::parse(FOUND).unwrap();
        write(&found, mode, "x86_64-unknown-linux-gnu", snippet, |_| None)
    }

    #[test]
    fn figures_come_back() {
        let read = |mode| read(&written(mode)).unwrap().database;
        let throughput = read(ExegesisMode::InverseThroughput);
        assert_eq!(throughput.len(), 2);
        assert_eq!(throughput.entry("ADD64rr").unwrap().throughput.value, Some(0.25));
        assert_eq!(read(ExegesisMode::Latency).entry("IMUL64rr").unwrap().latency.value, Some(3.0));
        assert_eq!(written(ExegesisMode::Uops), "");
    }

    #[test]
    fn the_beginning_tells() {
        assert!(is_first(&written(ExegesisMode::Latency)));
        assert!(!is_first("---\nschemaVersion: 1\n"));
    }

    #[test]
    fn half_a_document_is_one_line() {
        let text = written(ExegesisMode::Latency);
        let half = &text[..text.find("measurements").unwrap() - 60];
        for broken in ["---\nmode: [", "---\nmode: latency\nkey: 1\n", half] {
            let error = read(broken).unwrap_err().to_string();
            assert!(!error.contains('\n'), "{error}");
        }
        let several = text.replace("  config", "    - 'RET64'\n  config");
        let read = read(&several).unwrap();
        assert_eq!((read.database.len(), read.unmatched.len()), (0, 1));
    }
}
