//! What an answer says besides numbers: why there is no value ([`Cause`]) or why to doubt it
//! ([`ValueStatus`]), under which circumstances a variant holds ([`Circumstance`]), which helpers
//! closed a loop ([`WayBack`]), what an interval is limited by ([`Limits`]) and which loops
//! contradict each other ([`LoopConflict`]).
//!
//! Each has one text form: `Display` writes it and `From<String>` reads it. What a text does not say in the
//! known form is kept word for word, so that reading and writing changes no text.

mod cause;
mod circumstance;
mod conflict;
mod limits;
mod status;
mod way_back;

pub use cause::Cause;
pub use circumstance::Circumstance;
pub use conflict::LoopConflict;
pub use limits::{EdgeLimit, Limits};
pub use status::ValueStatus;
pub use way_back::{Helper, WayBack};

use std::fmt::Display;

use crate::form::NamedEdge;

/// What a text means, if that is written as this text and no other.
fn exact<T: Display>(text: &str, meaning: Option<T>) -> Option<T> {
    meaning.filter(|meaning| meaning.to_string() == text)
}

/// What stands between a prefix and a suffix.
fn between<'a>(text: &'a str, prefix: &str, suffix: &str) -> Option<&'a str> {
    text.strip_prefix(prefix)?.strip_suffix(suffix)
}

/// Edges one after another, as in `A(0 -> 1), B(1 -> 0)`.
fn edges_text(edges: &[NamedEdge]) -> String {
    edges.iter().map(NamedEdge::to_string).collect::<Vec<_>>().join(", ")
}

/// Reads [`edges_text`].
fn edges_of(text: &str) -> Option<Vec<NamedEdge>> {
    text.split(", ").map(NamedEdge::parse).collect()
}

/// Serialises types as their text.
macro_rules! serialize_as_text {
    ($($kind:ty),+) => {$(
        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self::from)
            }
        }
    )+};
}

serialize_as_text!(Circumstance, EdgeLimit, LoopConflict, ValueStatus, WayBack);
