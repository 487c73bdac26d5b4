//! A database as a flat table: a row for each throughput, for each latency between operands, and for what
//! each of them is under a circumstance.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::document::Database;
use super::number;
use super::schema::{Entry, Independence, OperandLatency};
use crate::answer::{Circumstance, ValueStatus};

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    /// The cycles that each of many independent instances takes.
    Throughput,
    /// The cycles from an operand read to an operand written.
    Latency,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Throughput => "throughput",
            Self::Latency => "latency",
        })
    }
}

/// One value, or why there is none. Durations are cycles.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ValueRow {
    /// LLVM's name of the form.
    pub llvm_name: String,
    /// The mnemonic.
    pub name: Option<String>,
    /// What it is about.
    pub quantity: Quantity,
    /// From where a latency leads; none of a throughput.
    pub source_operand: Option<String>,
    /// To where.
    pub target_operand: Option<String>,
    /// The smallest value possible.
    #[serde(with = "number")]
    pub min: Option<f64>,
    /// The largest value possible.
    #[serde(with = "number")]
    pub max: Option<f64>,
    /// Whether the result may not wait for the source at all.
    pub independence: Option<Independence>,
    /// How far off they may be.
    #[serde(with = "number")]
    pub uncertainty: Option<f64>,
    /// The value before it was rounded.
    #[serde(with = "number")]
    pub raw: Option<f64>,
    /// Why there is no value, or why to doubt it.
    pub status: Option<ValueStatus>,
    /// The circumstance under which the value holds; none of what holds in general.
    pub variant: Option<Circumstance>,
}

impl Database {
    /// All values, in the order of the file: of each instruction its throughput, then its
    /// latencies, each with its variants behind it. What nobody asked for has no row.
    pub fn rows(&self) -> impl Iterator<Item = ValueRow> + '_ {
        self.entries().flat_map(|entry| {
            let mut rows: Vec<ValueRow> = throughput(&entry).into_iter().collect();
            rows.extend(throughput_variants(&entry));
            rows.extend(whole_latency(&entry));
            for edge in &entry.latency.operands {
                rows.push(latency(&entry, edge));
                rows.extend(latency_variants(&entry, edge));
            }
            rows
        })
    }
}

fn row(entry: &Entry, quantity: Quantity) -> ValueRow {
    ValueRow {
        llvm_name: entry.subject.llvm_name.clone(),
        name: entry.subject.name.clone(),
        quantity,
        source_operand: None,
        target_operand: None,
        min: None,
        max: None,
        independence: None,
        uncertainty: None,
        raw: None,
        status: None,
        variant: None,
    }
}

fn throughput(entry: &Entry) -> Option<ValueRow> {
    let known = &entry.throughput;
    known.says_something().then(|| ValueRow {
        min: known.min.or(known.value),
        max: known.max.or(known.value),
        uncertainty: known.uncertainty,
        raw: known.raw,
        status: known.status.clone(),
        ..row(entry, Quantity::Throughput)
    })
}

fn throughput_variants(entry: &Entry) -> impl Iterator<Item = ValueRow> + '_ {
    entry.throughput.variants.iter().map(|known| ValueRow {
        min: known.throughput,
        max: known.throughput,
        uncertainty: known.uncertainty,
        variant: Some(known.variant.clone()),
        ..row(entry, Quantity::Throughput)
    })
}

/// What is said of a form's latencies as a whole, where none is told by its operands.
fn whole_latency(entry: &Entry) -> Option<ValueRow> {
    let known = &entry.latency;
    let is_said = known.operands.is_empty() && (known.has_value() || known.status.is_some());
    is_said.then(|| ValueRow {
        min: known.value,
        max: known.value,
        status: known.status.clone(),
        ..row(entry, Quantity::Latency)
    })
}

fn latency(entry: &Entry, edge: &OperandLatency) -> ValueRow {
    ValueRow {
        source_operand: Some(edge.source.clone()),
        target_operand: Some(edge.target.clone()),
        min: edge.min,
        max: edge.max,
        independence: edge.independence,
        uncertainty: edge.uncertainty,
        raw: edge.raw,
        status: edge.status.clone(),
        ..row(entry, Quantity::Latency)
    }
}

fn latency_variants<'a>(
    entry: &'a Entry,
    edge: &'a OperandLatency,
) -> impl Iterator<Item = ValueRow> + 'a {
    edge.variants.iter().map(|known| ValueRow {
        source_operand: Some(edge.source.clone()),
        target_operand: Some(edge.target.clone()),
        min: known.latency,
        max: known.latency,
        variant: Some(known.variant.clone()),
        ..row(entry, Quantity::Latency)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_has_a_row_and_nothing_else_has() {
        let text = "\
instructions:
- {llvmName: A, name: a, throughput: 1, throughputMin: 0.5, throughputMax: 1, operandLatencies: [
    {sourceOperand: '1', targetOperand: EFLAGS, latencyMin: 2, latencyMax: 3, status: contested,
     variants: [{variant: zero, latency: 2}]}]}
- {llvmName: B, throughputStatus: 'failed: trap', latencyStatus: 'failed: trap'}
- {llvmName: C}
";
        let rows: Vec<ValueRow> = Database::parse(text).unwrap().rows().collect();
        let said: Vec<_> = rows
            .iter()
            .map(|row| {
                let status = row.status.as_ref().map(ToString::to_string);
                (row.llvm_name.as_str(), row.quantity, row.min, row.max, status)
            })
            .collect();
        use Quantity::{Latency, Throughput};
        assert_eq!(
            said,
            [
                ("A", Throughput, Some(0.5), Some(1.0), None),
                ("A", Latency, Some(2.0), Some(3.0), Some("contested".to_owned())),
                ("A", Latency, Some(2.0), Some(2.0), None),
                ("B", Throughput, None, None, Some("failed: trap".to_owned())),
                ("B", Latency, None, None, Some("failed: trap".to_owned())),
            ]
        );
        assert_eq!(rows[1].target_operand.as_deref(), Some("EFLAGS"));
        let under = |row: &ValueRow| row.variant.as_ref().map(ToString::to_string);
        assert_eq!(rows.iter().filter_map(under).collect::<Vec<_>>(), ["zero"]);
        assert_eq!(rows[2].target_operand, rows[1].target_operand);
    }
}
