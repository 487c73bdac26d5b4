//! Values as the schema sees them: without the keys that cannot be its own.
//!
//! YAML lets anything be a key, and serde takes an integer for the number of a field and a
//! sequence for a mistake. Neither is anything but unknown here.

use std::borrow::Cow;

use serde_yaml::Value;

/// The value with string keys only, in it and in all its parts; it is copied if there are others.
pub fn named(value: &Value) -> Cow<'_, Value> {
    if has_only_names(value) {
        return Cow::Borrowed(value);
    }
    let mut value = value.clone();
    keep_names(&mut value);
    Cow::Owned(value)
}

fn has_only_names(value: &Value) -> bool {
    match value {
        Value::Sequence(items) => items.iter().all(has_only_names),
        Value::Mapping(pairs) => pairs
            .iter()
            .all(|(key, value)| matches!(key, Value::String(_)) && has_only_names(value)),
        Value::Tagged(tagged) => has_only_names(&tagged.value),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

fn keep_names(value: &mut Value) {
    match value {
        Value::Sequence(items) => items.iter_mut().for_each(keep_names),
        Value::Mapping(pairs) => {
            pairs.retain(|key, _| matches!(key, Value::String(_)));
            pairs.values_mut().for_each(keep_names);
        }
        Value::Tagged(tagged) => keep_names(&mut tagged.value),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
