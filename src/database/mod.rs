//! The YAML database: what is known about the instructions of one CPU.
//!
//! # The file
//!
//! A mapping with the version of the schema, three lines about the machine, a description of each
//! run, and the list of instructions. `schema/database.schema.json` describes every key:
//!
//! ```yaml
//! ---
//! schemaVersion: 1
//! winicVersion: 0.1.0
//! isa: x86_64
//! microArchitecture: example
//! measurement:
//!   throughput: {cpu: Example CPU, frequency: 3.2, date: '2026-01-02', ...}
//!   latency: {...}
//! core:
//!   frequency: 3.2
//!   frontEnd: {simplest: 0.125, filler: 0.125, fillers: [...]}
//! storeForwarding:
//! - {registers: general, stored: 64, loaded: 32, offset: 0, cycles: 6, uncertainty: 0.01, sameAddress: 1}
//! sweeps:
//! - kind: accumulators
//!   forms: [VFMADD231PDYr]
//!   axes: [accumulators]
//!   points: [{at: [1], cycles: 4, uncertainty: 0.01}, {at: [2], cycles: 2, uncertainty: 0.01}, ...]
//!   fit: [{name: latency, value: 4}, {name: interval, value: 0.5}, {name: saturating, value: 8}]
//! instructions:
//! - llvmName: BTS16rr
//!   name: bts
//!   operands:
//!   - {class: register, name: GR16, width: 16, read: false, write: true}
//!   - {class: register, name: GR16, width: 16, read: true, write: false}
//!   latency: 2
//!   operandLatencies:
//!   - {sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 2}
//!   - {sourceOperand: '1', targetOperand: EFLAGS, latencyMin: 1, latencyMax: 1}
//!   throughput: 1
//!   throughputMin: 1
//!   throughputMax: 1
//! ```
//!
//! `sourceOperand` and `targetOperand` are strings: an index into `operands`, or the name of a
//! register that is not written in the assembly. Latencies and throughputs are cycles, with at
//! most four decimals; whole numbers are written as integers. What is not known is `null`.
//!
//! Older files are the bare list of instructions, and their operands have no `width`. They are
//! read as well; what is written is always the mapping.
//!
//! Further keys ride along. A file of a newer schema than this winic's is refused.
//!
//! # Writing into a file that exists
//!
//! A file has values of one CPU and of one source ([`Origin`]): `source` says whether they were
//! measured, simulated or emulated, `sourceCpu` by which CPU or model. [`Destination::admit`]
//! refuses others.
//!
//! A run replaces what it measured and nothing else ([`Database::merge`]). Instructions it did
//! not measure, keys nobody here knows and the order of everything stay. A value stays as well
//! where the run has none, or only one that it doubts itself. Comments do not
//! survive, and values that YAML anchors share are written out in full.
//!
//! A file with a mistake in it is never overwritten: [`Destination::open`] refuses it before
//! anything is measured, and [`Destination::save`] replaces a file whole or not at all.

mod bounded;
mod choice;
mod core;
mod depth;
mod document;
mod error;
mod file;
mod flat;
mod forwarding;
mod measurement;
mod merge;
mod named;
mod number;
mod origin;
mod parse;
mod place;
mod ports;
mod rows;
mod schema;
mod sites;
mod sweep;
mod text;
mod version;
mod written;

pub use self::core::{
    ChainTime, Core, FillerTime, FrontEndTimes, GuessTime, LoadLatencies, LoadLevel, LoadPoint,
    PairPlaces, ReorderWindow, WindowPoint,
};
pub use self::forwarding::ForwardingTime;
pub use crate::answer::{
    Cause, Circumstance, EdgeLimit, Helper, Limits, LoopConflict, ValueStatus, WayBack,
};
pub use choice::ByProducer;
pub use document::Database;
pub use error::{DatabaseError, Malformed, Position};
pub use file::Destination;
pub use flat::FlatValue;
pub use number::as_written;
pub use origin::{Origin, Stranger};
pub use parse::read_yaml;
pub use place::{Step, position_of};
pub use ports::{ExecutionUnits, MixtureErrors, PortUsage, PredictedMixture, ResourceUse};
pub use rows::{Quantity, ValueRow};
pub use schema::{
    ADDRESS_BASE, ADDRESS_INDEX, BrokenDependence, Configuration, Entry, Header, Independence,
    Latency, LatencyVariant, MeasuredBody, Measurement, Measurements, OperandEntry, OperandLatency,
    Subject, Throughput, ThroughputVariant, Update,
};
pub use sweep::{Coordinate, FittedFigure, Sweep, SweepKind, SweepPoint};
pub use version::SCHEMA_VERSION;
