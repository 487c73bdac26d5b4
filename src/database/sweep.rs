//! What a file says of sweeps: tables over the points of a grid, each with what follows from it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::number;
use super::schema::list_or_null;
use super::text;

/// What a sweep varies.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum SweepKind {
    /// How many independent chains of a form run side by side.
    #[default]
    Accumulators,
    /// How many cores run the same.
    Threads,
    /// The working set that loads and stores walk through.
    Bandwidth,
    /// Which two registers stand at an operand in turn.
    Registers,
    /// How many instructions stand between entering and leaving a state.
    Transition,
    /// Which forms follow each other in a loop.
    Sequences,
    /// How many wavefronts or warps of a GPU run the same.
    Wavefronts,
    /// What a GPU draws while they do.
    Power,
    /// How large the matrices are that a library multiplies on a GPU.
    Products,
}

impl SweepKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Accumulators,
        Self::Threads,
        Self::Bandwidth,
        Self::Registers,
        Self::Transition,
        Self::Sequences,
        Self::Wavefronts,
        Self::Power,
        Self::Products,
    ];

    /// What takes the cycles of a point: an instruction, or all that stands in a round.
    #[must_use]
    pub fn counted(self) -> &'static str {
        match self {
            Self::Transition => "round",
            Self::Sequences => "loop",
            _ => "instruction",
        }
    }

    /// Whether people look at rates rather than at cycles.
    #[must_use]
    pub fn is_of_rates(self) -> bool {
        matches!(
            self,
            Self::Threads | Self::Bandwidth | Self::Wavefronts | Self::Power | Self::Products
        )
    }

    /// As databases and the command line name it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accumulators => "accumulators",
            Self::Threads => "threads",
            Self::Bandwidth => "bandwidth",
            Self::Registers => "registers",
            Self::Transition => "transition",
            Self::Sequences => "sequences",
            Self::Wavefronts => "wavefronts",
            Self::Power => "power",
            Self::Products => "products",
        }
    }
}

impl fmt::Display for SweepKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A table over a grid, with what follows from it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Sweep {
    /// What is varied.
    pub kind: SweepKind,
    /// LLVM's names of the forms that it is about.
    #[serde(deserialize_with = "list_or_null")]
    pub forms: Vec<String>,
    /// What is the same at all points and tells it from other sweeps of the forms, in words: the
    /// operand, the state.
    #[serde(deserialize_with = "text::optional", skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
    /// What each coordinate of a point is.
    #[serde(deserialize_with = "list_or_null")]
    pub axes: Vec<String>,
    /// What the rates of points are in, where they have some: GFLOPS, GiB/s.
    #[serde(deserialize_with = "text::optional", skip_serializing_if = "Option::is_none")]
    pub rate_unit: Option<String>,
    /// The table.
    #[serde(deserialize_with = "list_or_null")]
    pub points: Vec<SweepPoint>,
    /// What a model that was fitted to the points has for parameters.
    #[serde(deserialize_with = "list_or_null")]
    pub fit: Vec<FittedFigure>,
    /// How far the points are from the fit, as the root of the mean square of relative differences.
    #[serde(with = "number")]
    pub residual: Option<f64>,
    /// What it comes to, in one line.
    #[serde(deserialize_with = "text::optional")]
    pub finding: Option<String>,
    /// Why there is no table.
    #[serde(deserialize_with = "text::optional", skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

impl Sweep {
    /// Whether it has a value at one point at least.
    #[must_use]
    pub fn has_value(&self) -> bool {
        let has_value = |point: &SweepPoint| point.cycles.is_some() || point.rate.is_some();
        self.points.iter().any(has_value)
    }

    /// What tells it from others: what is varied, of which forms, in which setting.
    #[must_use]
    pub fn subject(&self) -> (SweepKind, Vec<String>, Option<String>) {
        (self.kind, self.forms.clone(), self.setting.clone())
    }

    /// A parameter of the fit.
    #[must_use]
    pub fn fitted(&self, name: &str) -> Option<f64> {
        self.fit.iter().find(|figure| figure.name == name).and_then(|figure| figure.value)
    }
}

/// A point of a grid.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SweepPoint {
    /// Where it lies, a coordinate for each axis.
    #[serde(deserialize_with = "list_or_null")]
    pub at: Vec<Coordinate>,
    /// Cycles of an instruction, or of what [`SweepKind::counted`] says.
    #[serde(with = "number")]
    pub cycles: Option<f64>,
    /// How far off those may be.
    #[serde(with = "number")]
    pub uncertainty: Option<f64>,
    /// Operations or bytes in the unit that the sweep names, all cores together.
    #[serde(with = "number", skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Why there is no value, or why to doubt it.
    #[serde(deserialize_with = "text::optional", skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// A place on an axis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Coordinate {
    /// A count or a size.
    Number(i64),
    /// A register, a form.
    Word(String),
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Word(word) => word.fmt(f),
        }
    }
}

impl From<u32> for Coordinate {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

/// A parameter of a fitted model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FittedFigure {
    /// What it is.
    #[serde(deserialize_with = "text::required")]
    pub name: String,
    /// Its value.
    #[serde(with = "number")]
    pub value: Option<f64>,
    /// How far off that may be.
    #[serde(with = "number", skip_serializing_if = "Option::is_none")]
    pub uncertainty: Option<f64>,
}

impl FittedFigure {
    /// A parameter without an uncertainty of its own.
    #[must_use]
    pub fn exact(name: &str, value: f64) -> Self {
        Self { name: name.to_owned(), value: Some(value), uncertainty: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Database;

    fn sweep(forms: &[&str], cycles: f64) -> Sweep {
        Sweep {
            forms: forms.iter().map(|&form| form.to_owned()).collect(),
            axes: vec!["accumulators".to_owned()],
            points: vec![SweepPoint {
                at: vec![1.into(), Coordinate::Word("XMM1".to_owned())],
                cycles: Some(cycles),
                ..SweepPoint::default()
            }],
            fit: vec![FittedFigure::exact("latency", cycles)],
            ..Sweep::default()
        }
    }

    #[test]
    fn a_sweep_replaces_the_one_of_the_same_forms_and_no_other() {
        let mut database = Database::default();
        database.describe_sweeps(&[sweep(&["A"], 1.0), sweep(&["B"], 2.0)]);
        let elsewhere = Sweep { setting: Some("operand 1".into()), ..sweep(&["A"], 3.0) };
        database.describe_sweeps(&[sweep(&["A"], 4.0), elsewhere.clone()]);
        let read = Database::parse(&database.to_yaml().unwrap()).unwrap().sweeps();
        assert_eq!(read, [sweep(&["A"], 4.0), sweep(&["B"], 2.0), elsewhere]);
        assert_eq!(read[0].fitted("latency"), Some(4.0));
    }

    #[test]
    fn what_has_no_value_leaves_what_was_there() {
        let mut database = Database::default();
        database.describe_sweeps(&[sweep(&["A"], 1.0)]);
        database.describe_sweeps(&[Sweep { points: Vec::new(), ..sweep(&["A"], 1.0) }]);
        assert!(database.sweeps()[0].has_value());
    }

    #[test]
    fn what_is_wrong_in_a_description_is_said_when_it_is_read() {
        for wrong in
            ["core: 5", "sweeps: [5]", "sweeps: [{kind: turns}]", "storeForwarding: {a: 1}"]
        {
            let text = format!("{wrong}\ninstructions: []\n");
            assert!(Database::parse(&text).is_err(), "{wrong}");
        }
    }

    #[test]
    fn kinds_are_named_alike_everywhere() {
        for kind in SweepKind::ALL {
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
        }
    }
}
