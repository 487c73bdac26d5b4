//! The finished bytes of many kernels: one shared object, the same for every device.

use std::sync::Arc;
use std::time::Duration;

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

/// What a kernel needs of a device beside a core that runs its code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Needs {
    /// Bytes that it may read and write, zeros when it starts: what lies between the [`GUARDS`] of
    /// its shared object.
    pub memory: u64,
    /// Whether it waits for what it stored itself: a model that looks at no address has to know.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub passes_memory: bool,
    /// Cores that it keeps busy at once.
    pub cores: u32,
    /// States that the machine must be in when it starts, by name.
    pub states: Vec<String>,
}

impl Default for Needs {
    /// One core and nothing else.
    fn default() -> Self {
        Self { memory: 0, passes_memory: false, cores: 1, states: Vec::new() }
    }
}

impl Needs {
    /// Whether any device has what is needed.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Checks that a device with one core and no states to choose, on which a kernel gets so many
    /// bytes of memory, has all that is needed.
    ///
    /// # Errors
    /// What it lacks.
    pub fn check(&self, memory: u64) -> Result<(), Lacking> {
        if self.memory > memory {
            return Err(Lacking::Memory { needed: self.memory, there: memory });
        }
        if self.cores != 1 {
            return Err(Lacking::Cores(self.cores));
        }
        self.states.first().map_or(Ok(()), |state| Err(Lacking::State(state.clone())))
    }
}

/// What a device lacks of a kernel's [`Needs`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Lacking {
    /// Memory.
    #[error(
        "it needs {needed} bytes of memory, and between the guards of its shared object there are \
         {there}: enlarge the region of the template"
    )]
    Memory {
        /// Bytes that the kernel needs.
        needed: u64,
        /// Bytes that it would get.
        there: u64,
    },
    /// Cores.
    #[error("it needs {0} cores, and this runner uses one: name a runner for as many (--runner)")]
    Cores(u32),
    /// A state that the runner does not know.
    #[error(
        "it needs the state `{0}`, which this runner does not know: build both from one source"
    )]
    State(String),
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

mod base64_bytes {
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

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str =
        r#"{"id":1,"purpose":"probe","init":null,"single":"k1","double":null,"alone":true}"#;

    #[test]
    fn a_kernel_needs_one_core_unless_it_says_more() {
        let plain: KernelFunctions = serde_json::from_str(PLAIN).unwrap();
        assert!(plain.needs.is_plain() && plain.needs.check(0).is_ok());
        assert_eq!(serde_json::to_string(&plain).unwrap(), PLAIN);
        let needs: Needs = serde_json::from_str(r#"{"memory":64}"#).unwrap();
        assert_eq!(needs, Needs { memory: 64, ..Needs::default() });
        assert_eq!(needs.check(64), Ok(()));
        assert_eq!(needs.check(63), Err(Lacking::Memory { needed: 64, there: 63 }));
    }

    #[test]
    fn a_need_that_is_not_understood_is_not_passed_over() {
        let error = serde_json::from_str::<Needs>(r#"{"lanes":4}"#).unwrap_err();
        assert!(error.to_string().contains("unknown field `lanes`"), "{error}");
    }
}
