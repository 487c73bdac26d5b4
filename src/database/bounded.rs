//! Reading YAML into memory that grows with the text and no faster.
//!
//! An alias stands for a copy of what its anchor marks, so a short text can stand for a value
//! that no memory holds. The YAML library bounds how often aliases are followed, but not what
//! their copies add up to. Here every part of the value draws on an allowance, which covers
//! all a text can say without aliases and a good deal with them. And a text that is nested far
//! deeper than any database is never given to the library, see [`super::depth`].

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_yaml::mapping::Entry;
use serde_yaml::value::{Tag, TaggedValue};
use serde_yaml::{Mapping, Value};

use super::depth;

/// What aliases may add, in parts and bytes of text.
const ALIASES: usize = 1_000_000;

/// How many keys the mappings of a database have, about.
const USUAL_MAPPING: usize = 7;

/// Reads a text that must be one YAML document.
pub fn parse(text: &str) -> Result<Value, serde_yaml::Error> {
    if depth::is_too_deep(text) {
        return Err(serde_yaml::Error::custom(format_args!(
            "it is nested more than {} levels deep",
            depth::DEEPEST
        )));
    }
    // A part takes a byte of text or more, and is charged for itself and its bytes.
    let allowance = Cell::new(2 * text.len() + ALIASES);
    Rest { allowance: &allowance }.deserialize(serde_yaml::Deserializer::from_str(text))
}

/// A part of the value that is still to be read.
#[derive(Clone, Copy)]
struct Rest<'a> {
    allowance: &'a Cell<usize>,
}

impl Rest<'_> {
    fn charge<E: Error>(self, bytes: usize) -> Result<(), E> {
        let left = self.allowance.get().checked_sub(1 + bytes);
        self.allowance.set(left.ok_or_else(|| E::custom("its aliases stand for too much"))?);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Rest<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Rest<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any YAML value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.charge(0)?;
        Ok(Value::Null)
    }

    /// A text without any value.
    fn visit_none<E: Error>(self) -> Result<Value, E> {
        self.visit_unit()
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.charge(0)?;
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.charge(0)?;
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.charge(0)?;
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        self.charge(0)?;
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.charge(value.len())?;
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.charge(0)?;
        let mut sequence = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            sequence.push(item);
        }
        Ok(Value::Sequence(sequence))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Value, A::Error> {
        self.charge(0)?;
        let mut mapping = Mapping::with_capacity(USUAL_MAPPING);
        while let Some(key) = pairs.next_key_seed(self)? {
            match mapping.entry(key) {
                Entry::Vacant(pair) => drop(pair.insert(pairs.next_value_seed(self)?)),
                Entry::Occupied(pair) => return Err(twice(pair.key())),
            }
        }
        Ok(Value::Mapping(mapping))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Value, A::Error> {
        let (tag, value) = tagged.variant_seed(PhantomData::<String>)?;
        self.charge(tag.len())?;
        if tag.is_empty() {
            return Err(A::Error::custom("a tag has no name"));
        }
        let value = value.newtype_variant_seed(self)?;
        Ok(Value::Tagged(Box::new(TaggedValue { tag: Tag::new(tag), value })))
    }
}

fn twice<E: Error>(key: &Value) -> E {
    E::custom(format_args!(
        "the key {} is there twice",
        key.as_str().unwrap_or("that is no string")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_what_yaml_says() {
        let text = "a: [1, -1, 1.5, true, ~, text, '1']\n? [b]\n: !t {c: !u d, e: &f g, h: *f}\n";
        assert_eq!(parse(text).unwrap(), serde_yaml::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn odd_tags_are_read_or_refused() {
        for text in ["! x", "!<> x", "!!str x", "!<!> x", "!%21 x", "!a! x"] {
            assert_eq!(parse(text).ok(), serde_yaml::from_str(text).ok(), "{text}");
        }
    }

    #[test]
    fn copies_are_bounded_by_what_they_add_up_to() {
        let many_small = format!("- &a [{}]\n- [{}]\n", "x,".repeat(9000), "*a,".repeat(9000));
        let few_large = format!("- &a {}\n- [{}]\n", "x".repeat(90_000), "*a,".repeat(900));
        for text in [many_small, few_large] {
            assert!(parse(&text).unwrap_err().to_string().contains("too much"));
        }
    }
}
