//! What a database says of one value, for examples that hold databases against each other.

use std::collections::BTreeMap;
use std::fmt;

use winic::database::{Database, Entry, ValueStatus};

/// What a database says of one value.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// The least and the most that it can be; none where it is missing.
    pub bounds: Option<[f64; 2]>,
    /// Where these are one, the number before it was rounded.
    raw: Option<f64>,
    /// By how much either bound may be off.
    pub uncertainty: f64,
    status: Option<ValueStatus>,
}

impl Value {
    /// Whether the database itself doubts it.
    pub fn is_marked(&self) -> bool {
        matches!(self.status, Some(ValueStatus::Unstable | ValueStatus::Contested))
    }

    fn new(
        [least, most]: [Option<f64>; 2],
        raw: Option<f64>,
        uncertainty: Option<f64>,
        status: Option<ValueStatus>,
    ) -> Self {
        let raw = raw.filter(|_| least == most);
        let bounds = least.zip(most).map(|(least, most)| [least, most]);
        Self { bounds, raw, uncertainty: uncertainty.unwrap_or(0.0), status }
    }

    /// Whether every bound is as near the other's as `allowed` of it, after rounding or before:
    /// whole cycles hide what differs by less, and its digits may be too coarse for the fastest.
    pub fn is_near(&self, other: &Self, allowed: impl Fn(f64) -> f64) -> bool {
        // Numbers in a file differ a little from what they are.
        let near = |own: f64, other: f64| (own - other).abs() <= allowed(other) + 1e-9;
        let bounds = match (self.bounds, other.bounds) {
            (Some(own), Some(others)) => own.into_iter().zip(others).all(|(a, b)| near(a, b)),
            (own, others) => own == others,
        };
        bounds || self.raw.zip(other.raw).is_some_and(|(own, other)| near(own, other))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bounds {
            Some([least, most]) if least == most => write!(f, "{least}")?,
            Some([least, most]) => write!(f, "[{least};{most}]")?,
            None => write!(f, "none")?,
        }
        write!(f, " +- {}", self.uncertainty)?;
        self.status.as_ref().map_or(Ok(()), |status| write!(f, " ({status})"))
    }
}

/// All values of a database by name.
pub fn values(database: &Database) -> BTreeMap<String, Value> {
    database.entries().flat_map(values_of).collect()
}

fn values_of(entry: Entry) -> Vec<(String, Value)> {
    let name = entry.subject.llvm_name;
    let edges = entry.latency.operands.into_iter().map(|edge| {
        let value = Value::new([edge.min, edge.max], edge.raw, edge.uncertainty, edge.status);
        (format!("{name} {} -> {}", edge.source, edge.target), value)
    });
    let throughput = entry.throughput;
    let bounds = [throughput.min, throughput.max].map(|bound| bound.or(throughput.value));
    let own = Value::new(bounds, throughput.raw, throughput.uncertainty, throughput.status);
    std::iter::once((name.clone(), own)).chain(edges).collect()
}
