//! Numbers as the database writes them: `3`, `0.3333`, `null`.

use std::fmt;

use serde::de::{self, Unexpected, Visitor};
use serde::{Deserializer, Serializer};

/// Ten to the number of decimals that are written.
const RESOLUTION: f64 = 1e4;

/// From here on a float has no decimals, and not every integer is one.
const LAST_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

/// A number with the decimals that a database has of it.
#[must_use]
pub fn as_written(value: f64) -> f64 {
    if value.abs() >= LAST_EXACT_INTEGER {
        return value;
    }
    (value * RESOLUTION).round() / RESOLUTION
}

/// Writes whole numbers as integers, others with at most four decimals, and what is not a
/// finite number as `null`.
pub fn serialize<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    let Some(value) = value.filter(|value| value.is_finite()) else {
        return serializer.serialize_none();
    };
    let rounded = as_written(value);
    if rounded.fract() == 0.0 && rounded.abs() < LAST_EXACT_INTEGER {
        serializer.serialize_i64(rounded as i64)
    } else {
        serializer.serialize_f64(rounded)
    }
}

/// Reads a finite number or `null`.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    deserializer.deserialize_any(NumberOrNull)
}

struct NumberOrNull;

impl Visitor<'_> for NumberOrNull {
    type Value = Option<f64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or null")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Some(value as f64))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Some(value as f64))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        if value.is_finite() {
            Ok(Some(value))
        } else {
            Err(E::invalid_value(Unexpected::Float(value), &"a finite number"))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_yaml::value::Serializer;

    fn written(value: f64) -> String {
        let value = super::serialize(&Some(value), Serializer).unwrap();
        serde_yaml::to_string(&value).unwrap().trim_end().to_owned()
    }

    #[test]
    fn numbers_are_written_for_people() {
        for (value, text) in [
            (3.0, "3"),
            (-3.0, "-3"),
            (-0.0, "0"),
            (-0.000_01, "0"),
            (0.1 + 0.2, "0.3"),
            (1.0 / 3.0, "0.3333"),
            (2.999_99, "3"),
            (123_456.789_012, "123456.789"),
            (1e300, "1e300"),
            (f64::NAN, "null"),
            (f64::NEG_INFINITY, "null"),
        ] {
            assert_eq!(written(value), text);
        }
    }
}
