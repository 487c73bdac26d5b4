//! A database from flat rows: the way back from [`super::ValueRow`].

use std::collections::BTreeMap;

use serde::Deserialize;

use super::document::Database;
use super::rows::Quantity;
use super::schema::{Independence, Latency, OperandLatency, Subject, Throughput, Update};
use crate::answer::ValueStatus;

/// A row of a table that says one value; all that is not there is empty or missing.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FlatValue {
    /// LLVM's name of the form.
    pub llvm_name: String,
    /// The mnemonic.
    #[serde(default)]
    pub name: Option<String>,
    /// What it is about.
    pub quantity: Quantity,
    /// From where a latency leads.
    #[serde(default)]
    pub source_operand: Option<String>,
    /// To where.
    #[serde(default)]
    pub target_operand: Option<String>,
    /// The smallest value possible.
    #[serde(default)]
    pub min: Option<f64>,
    /// The largest value possible.
    #[serde(default)]
    pub max: Option<f64>,
    /// Whether the result may not wait for the source at all.
    #[serde(default)]
    pub independence: Option<Independence>,
    /// How far off they may be.
    #[serde(default)]
    pub uncertainty: Option<f64>,
    /// The value before it was rounded.
    #[serde(default)]
    pub raw: Option<f64>,
    /// Why there is no value, or why to doubt it.
    #[serde(default)]
    pub status: Option<String>,
}

impl FlatValue {
    /// One figure of a form, and nothing else: its throughput, or its latency as a whole.
    #[must_use]
    pub fn of_form(llvm_name: &str, value: f64) -> Self {
        Self {
            llvm_name: llvm_name.to_owned(),
            name: None,
            quantity: Quantity::Throughput,
            source_operand: None,
            target_operand: None,
            min: Some(value),
            max: Some(value),
            independence: None,
            uncertainty: None,
            raw: None,
            status: None,
        }
    }
}

impl Database {
    /// A database of rows, in the order in which forms come first.
    #[must_use]
    pub fn of_rows(rows: impl IntoIterator<Item = FlatValue>) -> Self {
        let mut order: Vec<Update> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for row in rows {
            let place = *places.entry(row.llvm_name.clone()).or_insert_with(|| {
                let (llvm_name, name) = (row.llvm_name.clone(), row.name.clone());
                let subject = Subject { llvm_name, name, ..Subject::default() };
                order.push(Update { subject, ..Update::default() });
                order.len() - 1
            });
            add(&mut order[place], row);
        }
        let mut database = Self::default();
        for mut update in order {
            if let Some(latency) = &mut update.latency
                && latency.value.is_none()
            {
                latency.value = Latency::largest(&latency.operands);
            }
            database.merge(&update);
        }
        database
    }
}

fn add(update: &mut Update, row: FlatValue) {
    if row.quantity == Quantity::Throughput {
        update.throughput = Some(Throughput {
            // (Of an interval that is open at one end nobody knows the value.)
            value: row.min.and(row.max),
            min: row.min,
            max: row.max,
            uncertainty: row.uncertainty,
            raw: row.raw,
            status: row.status.map(ValueStatus::from),
            ..Throughput::default()
        });
        return;
    }
    let latency = update.latency.get_or_insert_with(Latency::default);
    match (row.source_operand, row.target_operand) {
        (Some(source), Some(target)) => latency.operands.push(OperandLatency {
            source,
            target,
            min: row.min,
            max: row.max,
            independence: row.independence,
            uncertainty: row.uncertainty,
            raw: row.raw,
            status: row.status.map(ValueStatus::from),
            ..OperandLatency::default()
        }),
        _ => {
            latency.value = row.max.or(row.min);
            latency.status = row.status.map(ValueStatus::from);
        }
    }
}
