//! Values as they are written.
//!
//! serde_yaml takes a mapping of one pair for a possible tag, and then cannot write it if its
//! key is such a mapping too, or has a tag. Whatever can be read must be writable, or a file
//! could be refused after everything is measured; so mappings do not say here how long they are.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_yaml::Value;
use serde_yaml::value::{Tag, TaggedValue};

/// Any value, to be written.
pub struct Written<'a>(pub &'a Value);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Sequence(items) => serializer.collect_seq(items.iter().map(Written)),
            Value::Mapping(pairs) => {
                let mut map = serializer.serialize_map(None)?;
                for (key, value) in pairs {
                    map.serialize_entry(&Written(key), &Written(value))?;
                }
                map.end()
            }
            Value::Tagged(tagged) => serialize_tagged(tagged, serializer),
            scalar => scalar.serialize(serializer),
        }
    }
}

/// As serde_yaml has it: a mapping of one pair, whose key begins with `!`.
fn serialize_tagged<S: Serializer>(value: &TaggedValue, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(&WrittenTag(&value.tag), &Written(&value.value))?;
    map.end()
}

struct WrittenTag<'a>(&'a Tag);

impl Serialize for WrittenTag<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_read_can_be_written() {
        for text in [
            "{{a: b}: {c: d}}",
            "{{[a]: b}: c}",
            "{!t a: b}",
            "{!t [a]: b}",
            "{!t {a: b}: !u {{c: d}: e}}",
            "a: !t {{b: c}: d}",
            "a: !t [!u b, !v {}, !w []]",
            "{'!t': b}",
            "{{'!t': c}: d}",
            "- {'!': {}}",
            "[{}, [], '', ~, {~: ~}, [[]], {a: {b: {c: d}}}]",
        ] {
            let value: Value = serde_yaml::from_str(text).unwrap();
            let written = serde_yaml::to_string(&Written(&value)).unwrap();
            assert_eq!(serde_yaml::from_str::<Value>(&written).unwrap(), value, "{written}");
        }
    }
}
