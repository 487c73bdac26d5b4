//! The finished bytes of many kernels: one shared object, the same for every device.

mod needs;

use std::sync::Arc;
use std::time::Duration;

pub use needs::{BufferNeed, LOW_MEMORY, Lacking, Needs, Supply};

use serde::{Deserialize, Serialize};

use crate::units::{Cycles, microseconds};

/// Names one kernel within a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KernelId(pub u32);

/// Symbols around the guards of a shared object's data region, below and above it: where a guard
/// begins and where it ends. A device that can makes the pages between the two inaccessible, so
/// that a kernel which leaves the region faults. Objects without such a region lack the symbols.
pub const GUARDS: [(&str, &str); 2] =
    [("winic_guard_low", "winic_guard_low_end"), ("winic_guard_high", "winic_guard_high_end")];

/// Symbol of eight bytes of a shared object in which a kernel finds the address of its
/// [`BufferNeed`]. Objects of which no kernel needs a buffer may lack it.
pub const BUFFER: &str = "winic_buffer";

/// A shared object and the functions in it.
///
/// Every function has the C signature `void f(uint64_t loop_count)`, saves what the
/// calling convention wants saved, and runs its body `loop_count` times (at least once).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Artifact {
    /// The shared object, complete. Artifacts that share it are known to, so that a device may keep
    /// what it has loaded.
    #[serde(with = "base64_bytes")]
    pub image: Arc<[u8]>,
    /// The chain of known duration that is timed beside each kernel.
    pub reference: ReferenceFunction,
    /// What is timed beside each kernel to tell whether somebody else uses the core. Devices that
    /// nobody shares need none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentinel: Option<Sentinel>,
    /// What to run, in order.
    pub kernels: Vec<KernelFunctions>,
}

/// What to run of an artifact that a device has: the members of [`Artifact`] by these names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// What tells whether somebody else uses the core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentinel: Option<Sentinel>,
    /// What to run, in order.
    pub kernels: Vec<KernelFunctions>,
}

impl Selection {
    /// All that an artifact asks for.
    #[must_use]
    pub fn of(artifact: &Artifact) -> Self {
        Self { sentinel: artifact.sentinel.clone(), kernels: artifact.kernels.clone() }
    }
}

/// A function whose duration in cycles is known by construction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceFunction {
    /// Its symbol.
    pub symbol: String,
    /// What one loop iteration takes.
    pub cycles_per_iteration: u32,
}

/// A function that keeps the front end of the core busy: whoever shares the core with the kernel,
/// such as a program on another hardware thread of it, slows it down, which a chain like the
/// reference would not show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sentinel {
    /// Its symbol.
    pub symbol: String,
    /// Cycles that one loop iteration takes while nobody shares the core, as far as is known;
    /// windows in which it takes longer do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet: Option<Cycles>,
    /// How long the kernels of the artifact may wait, all together, until nobody does; on the wire
    /// in microseconds.
    #[serde(default, with = "microseconds")]
    pub patience: Duration,
}

impl Sentinel {
    /// Of which nothing is known yet.
    #[must_use]
    pub fn unknown(symbol: &str) -> Self {
        Self { symbol: symbol.to_owned(), quiet: None, patience: Duration::ZERO }
    }
}

/// The functions of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelFunctions {
    /// Which kernel.
    pub id: KernelId,
    /// What is wanted of it.
    pub purpose: Purpose,
    /// Symbol of a function `void init(uint64_t phase)` to call before each timed call, if there is
    /// one, with a small number that is another one each time where that makes sense: it may let the
    /// body begin in another phase. Some need no number, such as those that a user wrote.
    pub init: Option<String>,
    /// Symbol of the function whose loop holds the body once.
    pub single: String,
    /// Symbol of the function whose loop holds the body twice; absent for manual kernels.
    pub double: Option<String>,
    /// Whether windows beside somebody else on the core do not count. They do for chains, which
    /// leave most of the core idle.
    #[serde(default = "alone")]
    pub alone: bool,
    /// What else the device must have for it.
    #[serde(default, skip_serializing_if = "Needs::is_plain")]
    pub needs: Needs,
}

fn alone() -> bool {
    true
}

/// What a device does with a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Run `single` once with a loop count of 1: does it execute, and how long does it take?
    Probe,
    /// Take samples until they settle.
    Time,
}

pub(crate) mod base64_bytes {
    //! Bytes as one base64 string, so that an image fits on a JSON line.
    use std::fmt;
    use std::sync::Arc;

    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u8]>, D::Error> {
        deserializer.deserialize_str(Base64Text)
    }

    /// Decodes where the string stands: it is as long as the line.
    struct Base64Text;

    impl Visitor<'_> for Base64Text {
        type Value = Arc<[u8]>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("bytes in base64")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Arc<[u8]>, E> {
            STANDARD.decode(text).map(Arc::from).map_err(E::custom)
        }
    }
}
