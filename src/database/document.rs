//! A whole database in memory, with everything in it that winic does not know.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_yaml::{Mapping, Value};

use super::core::{CORE_KEYS, Core, EXECUTION};
use super::error::{DatabaseError, Malformed};
use super::file;
use super::forwarding::ForwardingTime;
use super::merge;
use super::named::named;
use super::parse;
use super::ports::ExecutionUnits;
use super::schema::{
    CORE, Entry, FILE_KEYS, FORWARDING, Header, INSTRUCTIONS, MEASUREMENT, MEASUREMENT_KEYS,
    Measurement, Measurements, SWEEPS, Update,
};
use super::sweep::Sweep;
use super::text;
use super::version;
use super::written::Written;

/// A database: what is known about the instructions of one CPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Database {
    /// The file's mapping. The list of instructions has its key here, for the order, and its
    /// value in `entries`.
    top: Mapping,
    entries: Vec<Value>,
    /// Where in `entries` an opcode is first.
    index: HashMap<String, usize>,
}

impl Default for Database {
    /// An empty database of nobody knows which machine.
    fn default() -> Self {
        Self::new(Mapping::new(), Vec::new())
    }
}

impl Database {
    /// An empty database of one machine.
    #[must_use]
    pub fn empty(header: &Header) -> Self {
        let mut database = Self::default();
        database.complete_header(header);
        database
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read or is not a database.
    pub fn read(path: &Path) -> Result<Self, DatabaseError> {
        file::read(path)
    }

    /// Reads the text of a file. A text with nothing in it is an empty database.
    ///
    /// # Errors
    /// When it is not YAML or not a database.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        parse::parse(text)
    }

    /// Puts a database together of the file's mapping and its instructions.
    pub(super) fn new(mut top: Mapping, entries: Vec<Value>) -> Self {
        top.entry(INSTRUCTIONS.into()).or_insert(Value::Null);
        let mut index = HashMap::with_capacity(entries.len());
        for (place, entry) in entries.iter().enumerate() {
            if let Some(name) = llvm_name(entry) {
                index.entry(name.into_owned()).or_insert(place);
            }
        }
        Self { top, entries, index }
    }

    /// The machine it is about, as far as the file says.
    #[must_use]
    pub fn header(&self) -> Header {
        typed(&named(&Value::Mapping(self.top.clone())))
    }

    /// Says which schema it keeps to and which machine it is about where the file does not: a file
    /// that is new or the bare list of old.
    pub fn complete_header(&mut self, header: &Header) {
        merge::complete(&mut self.top, version::written(), FILE_KEYS);
        merge::complete(&mut self.top, merge::mapping(header), FILE_KEYS);
    }

    /// The last run of each kind.
    #[must_use]
    pub fn measurements(&self) -> Measurements {
        self.top.get(MEASUREMENT).and_then(|runs| typed(&named(runs))).unwrap_or_default()
    }

    /// Describes the run that asked a question, by the key of that; descriptions of others stay.
    pub fn describe(&mut self, question: &str, measurement: &Measurement) {
        let all = merge::child(&mut self.top, MEASUREMENT, FILE_KEYS);
        let one = merge::child(all, question, &[]);
        merge::overlay(one, merge::mapping(measurement), MEASUREMENT_KEYS, MEASUREMENT_KEYS);
    }

    /// What it says of the core itself.
    #[must_use]
    pub fn core(&self) -> Option<Core> {
        self.top.get(CORE).and_then(|core| typed(&named(core)))
    }

    /// Describes the core in place of what it said of it before.
    pub fn describe_core(&mut self, core: &Core) {
        let known = merge::child(&mut self.top, CORE, FILE_KEYS);
        merge::overlay(known, merge::mapping(core), CORE_KEYS, CORE_KEYS);
    }

    /// Describes what executes instructions in place of what it said of it before.
    pub fn describe_execution(&mut self, execution: &ExecutionUnits) {
        let known = merge::child(&mut self.top, CORE, FILE_KEYS);
        let new = Value::Mapping(merge::mapping(execution));
        let new = std::iter::once((Value::from(EXECUTION), new)).collect();
        merge::overlay(known, new, &[EXECUTION], CORE_KEYS);
    }

    /// What it says of what executes instructions.
    #[must_use]
    pub fn execution(&self) -> Option<ExecutionUnits> {
        self.top.get(CORE)?.get(EXECUTION).map(|units| typed(&named(units)))
    }

    /// What it says of store forwarding.
    #[must_use]
    pub fn forwarding(&self) -> Option<Vec<ForwardingTime>> {
        let times = self.top.get(FORWARDING)?.as_sequence()?;
        Some(times.iter().filter_map(|time| typed(&named(time))).collect())
    }

    /// Writes the times of store forwarding down in place of what it said of it before.
    pub fn describe_forwarding(&mut self, times: &[ForwardingTime]) {
        let times = times.iter().map(|time| Value::Mapping(merge::mapping(time))).collect();
        let new = std::iter::once((Value::from(FORWARDING), Value::Sequence(times))).collect();
        merge::overlay(&mut self.top, new, &[FORWARDING], FILE_KEYS);
    }

    /// Its sweeps.
    #[must_use]
    pub fn sweeps(&self) -> Vec<Sweep> {
        let Some(Value::Sequence(sweeps)) = self.top.get(SWEEPS) else { return Vec::new() };
        sweeps.iter().map(|sweep| typed(&named(sweep))).collect()
    }

    /// Puts sweeps in, each in place of the one of the same kind, forms and setting; one without a
    /// value leaves what is there.
    pub fn describe_sweeps(&mut self, sweeps: &[Sweep]) {
        let mut items = match self.top.get_mut(SWEEPS).map(std::mem::take) {
            Some(Value::Sequence(items)) => items,
            _ => Vec::new(),
        };
        let read = |item: &Value| typed::<Sweep>(&named(item));
        // Where in the list each stands, and whether it has a value.
        let stand = |(place, sweep): (usize, Sweep)| (sweep.subject(), (place, sweep.has_value()));
        let mut known: HashMap<_, _> = items.iter().map(read).enumerate().map(stand).collect();
        for sweep in sweeps {
            let item = Value::Mapping(merge::mapping(sweep));
            match known.get(&sweep.subject()) {
                Some((_, true)) if !sweep.has_value() => {}
                Some(&(place, _)) => items[place] = item,
                None => {
                    known.insert(sweep.subject(), (items.len(), sweep.has_value()));
                    items.push(item);
                }
            }
        }
        let new = std::iter::once((Value::from(SWEEPS), Value::Sequence(items))).collect();
        merge::overlay(&mut self.top, new, &[SWEEPS], FILE_KEYS);
    }

    /// How many instructions it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no instruction.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Every instruction, in the order of the file.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry> + '_ {
        self.entries.iter().map(entry)
    }

    /// The instruction of this name; the first, should there be more.
    #[must_use]
    pub fn entry(&self, llvm_name: &str) -> Option<Entry> {
        self.index.get(llvm_name).map(|&place| entry(&self.entries[place]))
    }

    /// Puts in what a run found out about one instruction.
    ///
    /// The instruction is found by its `llvmName`, wherever it is; a new one is appended. A file
    /// with two entries of one name gets its first one changed, and keeps the other.
    ///
    /// A throughput replaces the keys of the old throughput and nothing else. A latency replaces
    /// likewise, but operand latencies the run did not measure stay, and of those it did keys
    /// that winic does not know. What is worse than the file's stays out: a reason in place of a
    /// value, and a value with a doubt in place of one without ([`Database::stays`] counts). The
    /// mnemonic and the operands are put in where the file does not have them; whether it is an
    /// alias is always taken from the update.
    pub fn merge(&mut self, update: &Update) {
        let name = &update.subject.llvm_name;
        let place = *self.index.entry(name.clone()).or_insert_with(|| {
            self.entries.push(merge::new_entry(&update.subject));
            self.entries.len() - 1
        });
        merge::merge(&mut self.entries[place], update);
    }

    /// How many values of an instruction would stay though an update is about them, as it has
    /// none that is as good.
    #[must_use]
    pub fn stays(&self, update: &Update) -> usize {
        self.entry(&update.subject.llvm_name).map_or(0, |known| merge::stays(&known, update))
    }

    /// The database as JSON: the same keys and values as in YAML.
    ///
    /// # Errors
    /// When something in it has no place in JSON, as a tag or a key that is no string.
    pub fn to_json(&self) -> io::Result<String> {
        let text = serde_json::to_string_pretty(self).map_err(io::Error::other)?;
        Ok(text + "\n")
    }

    /// The text of the file.
    ///
    /// # Errors
    /// When something the file had before cannot be written in YAML.
    pub fn to_yaml(&self) -> io::Result<String> {
        serde_yaml::to_string(self).map(|text| format!("---\n{text}")).map_err(io::Error::other)
    }
}

impl Serialize for Database {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Without its length, for the reason `written` has.
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in &self.top {
            if key == INSTRUCTIONS {
                map.serialize_entry(key, &self.entries.iter().map(Written).collect::<Vec<_>>())?;
            } else {
                map.serialize_entry(&Written(key), &Written(value))?;
            }
        }
        map.end()
    }
}

/// The name an instruction's mapping has, if it has one.
pub(super) fn llvm_name(entry: &Value) -> Option<Cow<'_, str>> {
    entry.get("llvmName").and_then(text::of)
}

/// The instruction an entry describes.
pub(super) fn entry(value: &Value) -> Entry {
    let value = &named(value);
    Entry {
        subject: typed(value),
        latency: typed(value),
        throughput: typed(value),
        ports: typed(value),
    }
}

/// What a value says in the terms of the schema.
pub(super) fn typed<T: DeserializeOwned>(value: &Value) -> T {
    T::deserialize(value).expect("checked when it was read, written by the schema since")
}
