//! The version of the schema that a file keeps to.

use serde_yaml::{Mapping, Value};

use super::error::Malformed;

/// The version that is written. It changes when a reader of the version before would misunderstand
/// a file: when a key goes, or its meaning, its unit or the kind of its value changes. A new key
/// changes nothing, since readers pass over what they do not know.
pub const SCHEMA_VERSION: u64 = 1;

/// The key of the version in a file's mapping. Files of old do not have it, and are of version 1.
pub const KEY: &str = "schemaVersion";

/// Refuses a file that says things in a way that this winic cannot know.
pub fn check(top: &Mapping) -> Result<(), Malformed> {
    match top.get(KEY) {
        None | Some(Value::Null) => Ok(()),
        Some(value) => match value.as_u64() {
            Some(1..=SCHEMA_VERSION) => Ok(()),
            Some(newer @ SCHEMA_VERSION..) => Err(Malformed::new(
                None,
                &format!(
                    "its {KEY} is {newer}, and this winic knows versions up to {SCHEMA_VERSION}: \
                     a newer winic reads it"
                ),
            )),
            _ => Err(Malformed::new(None, &format!("its {KEY} is no whole number from 1 on"))),
        },
    }
}

/// The version as a part of a file's mapping.
pub fn written() -> Mapping {
    Mapping::from_iter([(KEY.into(), SCHEMA_VERSION.into())])
}
