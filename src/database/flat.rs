//! A database from flat rows: the way back from [`super::ValueRow`].

use std::collections::BTreeMap;

use serde::Deserialize;

use super::document::Database;
use super::rows::Quantity;
use super::schema::{
    Independence, Latency, LatencyVariant, OperandLatency, Subject, Throughput, ThroughputVariant,
    Update,
};
use crate::answer::{Circumstance, ValueStatus};

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
    /// The circumstance under which the value holds; none of what holds in general.
    #[serde(default)]
    pub variant: Option<String>,
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
            variant: None,
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
    let under = row.variant.as_ref().filter(|variant| !variant.is_empty());
    let under = under.cloned().map(Circumstance::from);
    match (row.quantity, under) {
        (Quantity::Throughput, None) => add_throughput(update, row),
        (Quantity::Throughput, Some(variant)) => {
            let known = update.throughput.get_or_insert_default();
            let (throughput, uncertainty) = (row.max.or(row.min), row.uncertainty);
            known.variants.push(ThroughputVariant { variant, throughput, uncertainty });
        }
        (Quantity::Latency, None) => add_latency(update, row),
        (Quantity::Latency, Some(variant)) => add_latency_variant(update, row, variant),
    }
}

fn add_throughput(update: &mut Update, row: FlatValue) {
    let variants = update.throughput.take().map(|known| known.variants).unwrap_or_default();
    update.throughput = Some(Throughput {
        // (Of an interval that is open at one end nobody knows the value.)
        value: row.min.and(row.max),
        min: row.min,
        max: row.max,
        uncertainty: row.uncertainty,
        raw: row.raw,
        status: row.status.map(ValueStatus::from),
        variants,
        ..Throughput::default()
    });
}

fn add_latency(update: &mut Update, row: FlatValue) {
    let latency = update.latency.get_or_insert_default();
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

/// A variant follows the latency that it belongs to; one that belongs to none says nothing.
fn add_latency_variant(update: &mut Update, row: FlatValue, variant: Circumstance) {
    let (Some(source), Some(target)) = (row.source_operand, row.target_operand) else { return };
    let known = update.latency.get_or_insert_default();
    let edge = known.operands.iter_mut().find(|it| (&it.source, &it.target) == (&source, &target));
    if let Some(edge) = edge {
        edge.variants.push(LatencyVariant { variant, latency: row.max.or(row.min) });
    }
}
