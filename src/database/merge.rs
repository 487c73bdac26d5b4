//! Putting what a run found into what a file says.
//!
//! Given a mapping of the file, the keys that a measurement owns, and their new values: after
//! [`overlay`] the mapping has exactly the new values under those keys, every other key as
//! before, and all keys in the order they had. A key that was not there goes where the schema's
//! order puts it.
//!
//! A run never makes a file worse. Its finding replaces the file's unless that one is better:
//! a value without a doubt is better than one with a doubt (`unstable`, `contested`, ...), and any
//! value is better than none. Of findings that are as good the newer counts. So a run that could
//! not measure a form, or was disturbed at it, leaves what an earlier one found.

use serde::Serialize;
use serde_yaml::{Mapping, Value};

use super::document;
use super::named::named;
use super::schema::{
    ALIAS, ENTRY_KEYS, Entry, LATENCY_KEYS, Latency, OPERAND_LATENCIES, OPERAND_LATENCY_KEYS,
    OperandLatency, PORT_KEYS, Subject, THROUGHPUT_KEYS, Throughput, Update,
};
use super::text;
use crate::answer::ValueStatus;

/// A value of the schema as a mapping.
pub fn mapping(part: &impl Serialize) -> Mapping {
    match serde_yaml::to_value(part) {
        Ok(Value::Mapping(mapping)) => mapping,
        other => unreachable!("the schema's types are mappings with strings for keys: {other:?}"),
    }
}

/// An instruction nothing is known of.
pub fn new_entry(subject: &Subject) -> Value {
    let Entry { latency, throughput, .. } = Entry::default();
    let parts = [mapping(subject), mapping(&latency), mapping(&throughput)];
    Value::Mapping(parts.into_iter().flatten().collect())
}

/// Puts an update into the instruction of its name.
pub fn merge(entry: &mut Value, update: &Update) {
    let known = document::entry(entry);
    let entry = fields(entry);
    let mut subject = mapping(&update.subject);
    let alias = subject.shift_remove_entry(ALIAS).into_iter().collect();
    overlay(entry, alias, &[ALIAS], ENTRY_KEYS);
    complete(entry, subject, ENTRY_KEYS);
    if let Some(throughput) = &update.throughput
        && Worth::of_throughput(throughput) >= Worth::of_throughput(&known.throughput)
    {
        overlay(entry, mapping(throughput), THROUGHPUT_KEYS, ENTRY_KEYS);
    }
    if let Some(ports) = &update.ports
        && (ports.has_value() || !known.ports.has_value())
    {
        overlay(entry, mapping(ports), PORT_KEYS, ENTRY_KEYS);
    }
    if let Some(latency) = &update.latency {
        merge_latency(entry, &known.latency, latency);
    }
}

/// How good a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    /// At most a reason why there is no value.
    Nothing,
    /// A value, and a reason to doubt it.
    Doubtful,
    /// A value.
    Certain,
}

impl Worth {
    fn of(has_value: bool, status: Option<&ValueStatus>) -> Self {
        match (has_value, status) {
            (false, _) => Self::Nothing,
            (true, Some(_)) => Self::Doubtful,
            (true, None) => Self::Certain,
        }
    }

    fn of_throughput(throughput: &Throughput) -> Self {
        Self::of(throughput.has_value(), throughput.status.as_ref())
    }

    fn of_operand(latency: &OperandLatency) -> Self {
        Self::of(latency.has_value(), latency.status.as_ref())
    }
}

/// How many values of an instruction an update has none for that is as good.
pub fn stays(known: &Entry, update: &Update) -> usize {
    let throughput = update
        .throughput
        .iter()
        .filter(|new| Worth::of_throughput(new) < Worth::of_throughput(&known.throughput));
    let operands = update.latency.iter().flat_map(|latency| &latency.operands).filter(|new| {
        let same = |old: &&OperandLatency| (&old.source, &old.target) == (&new.source, &new.target);
        let old = known.latency.operands.iter().find(same);
        old.is_some_and(|old| Worth::of_operand(new) < Worth::of_operand(old))
    });
    throughput.count() + operands.count()
}

/// What an item of the list says.
fn operand(item: &Value) -> OperandLatency {
    document::typed(&named(item))
}

fn merge_latency(entry: &mut Mapping, old: &Latency, latency: &Latency) {
    let mut items = match entry.get_mut(OPERAND_LATENCIES).map(std::mem::take) {
        Some(Value::Sequence(items)) => items,
        _ => Vec::new(),
    };
    for operands in &latency.operands {
        merge_operand_latency(&mut items, operands);
    }
    // (The old sum stays where the run has nothing to put in its place.)
    let (value, status) = match old.has_value() && !latency.has_value() {
        true => (old.value, old.status.clone()),
        false => {
            let all: Vec<OperandLatency> = items.iter().map(operand).collect();
            let value = latency.value.into_iter().chain(Latency::largest(&all));
            (value.filter(|value| value.is_finite()).reduce(f64::max), latency.status.clone())
        }
    };
    let mut new = mapping(&Latency { value, operands: Vec::new(), status });
    new.insert(OPERAND_LATENCIES.into(), Value::Sequence(items));
    overlay(entry, new, LATENCY_KEYS, ENTRY_KEYS);
}

fn merge_operand_latency(items: &mut Vec<Value>, latency: &OperandLatency) {
    let new = mapping(latency);
    let same = items.iter_mut().find(|item| {
        is_operand(item.get("sourceOperand"), &latency.source)
            && is_operand(item.get("targetOperand"), &latency.target)
    });
    match same {
        Some(item) if Worth::of_operand(latency) < Worth::of_operand(&operand(item)) => {}
        Some(item) => overlay(fields(item), new, OPERAND_LATENCY_KEYS, OPERAND_LATENCY_KEYS),
        None => items.push(Value::Mapping(new)),
    }
}

fn is_operand(value: Option<&Value>, operand: &str) -> bool {
    value.and_then(text::of).is_some_and(|text| text == operand)
}

/// Replaces what `target` has under the keys in `owned`, all of them, by `new`.
pub fn overlay(target: &mut Mapping, new: Mapping, owned: &[&str], order: &[&str]) {
    let is_owned = |key: &Value| key.as_str().is_some_and(|key| owned.contains(&key));
    target.retain(|key, _| !is_owned(key) || new.contains_key(key));
    for (key, value) in new {
        match target.get_mut(&key) {
            Some(old) => *old = value,
            None => insert(target, key, value, order),
        }
    }
}

/// Puts in what `target` does not have, or has as `null`.
pub fn complete(target: &mut Mapping, new: Mapping, order: &[&str]) {
    for (key, value) in new {
        match target.get_mut(&key) {
            Some(old) if old.is_null() => *old = value,
            Some(_) => {}
            None => insert(target, key, value, order),
        }
    }
}

/// The mapping under a key, made if there is none.
pub fn child<'a>(target: &'a mut Mapping, key: &str, order: &[&str]) -> &'a mut Mapping {
    let key = Value::from(key);
    if !target.contains_key(&key) {
        insert(target, key.clone(), Value::Null, order);
    }
    fields(&mut target[key])
}

/// The mapping a value is; `null` becomes an empty one.
fn fields(value: &mut Value) -> &mut Mapping {
    if !value.is_mapping() {
        *value = Value::Mapping(Mapping::new());
    }
    value.as_mapping_mut().expect("made one if it was none")
}

/// Inserts a key behind the last of those that come before it in the schema's order.
fn insert(target: &mut Mapping, key: Value, value: Value, order: &[&str]) {
    let before = order.iter().position(|known| key == *known).unwrap_or(order.len());
    let is_before = |key: &Value| key.as_str().is_some_and(|key| order[..before].contains(&key));
    // This kind of mapping grows at its end only.
    let mut pairs: Vec<_> = std::mem::take(target).into_iter().collect();
    let place = pairs.iter().rposition(|(key, _)| is_before(key)).map_or(0, |last| last + 1);
    pairs.insert(place, (key, value));
    target.extend(pairs);
}
