//! Names as the database reads them: strings, and numbers that somebody left without quotes,
//! such as `1.0` for a version or `1` for an operand.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer;
use serde::de::{self, Unexpected, Visitor};
use serde_yaml::{Number, Value};

/// What a value says as text.
pub fn of(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        _ => None,
    }
}

/// Reads what a text says.
pub fn required<'de, D: Deserializer<'de>, T: From<String>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_any(TextVisitor).map(T::from)
}

/// Reads what a text says, or `null`.
pub fn optional<'de, D: Deserializer<'de>, T: From<String>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Ok(deserializer.deserialize_any(TextOrNull)?.map(T::from))
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_unit<E: de::Error>(self) -> Result<String, E> {
        Err(E::invalid_type(Unexpected::Other("null"), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<String, E> {
        Ok(Number::from(number).to_string())
    }
}

struct TextOrNull;

impl Visitor<'_> for TextOrNull {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or null")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        TextVisitor.visit_str(text).map(Some)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
        TextVisitor.visit_u64(number).map(Some)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
        TextVisitor.visit_i64(number).map(Some)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Self::Value, E> {
        TextVisitor.visit_f64(number).map(Some)
    }
}
