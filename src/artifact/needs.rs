//! What kernels need of a device beside a core that runs their code, and what a device has.

use serde::{Deserialize, Serialize};

/// What a kernel needs of a device beside a core that runs its code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Needs {
    /// Bytes that it may read and write, zeros when it starts: what lies between the
    /// [`GUARDS`](super::GUARDS) of its shared object.
    pub memory: u64,
    /// Whether that memory must begin at [`LOW_MEMORY`] instead: some of its instructions have too few bits
    /// for other addresses, or say the address themselves.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub low: bool,
    /// Whether it waits for what it stored itself: a model that looks at no address has to know.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub passes_memory: bool,
    /// Cores that run it at the same time, each with memory, a buffer and a clock of its own.
    pub cores: u32,
    /// Memory that it walks through, on each of its cores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer: Option<BufferNeed>,
    /// States that the machine must be in when it starts, by name.
    pub states: Vec<String>,
}

/// Where low memory begins: above what programs and their heaps take that are not moved about, and within
/// 31 bits, which x86 extends by the sign.
pub const LOW_MEMORY: u64 = 0x6000_0000;

/// A buffer: zeros between guards, all of it in memory before the kernel starts. Its address stands in
/// the shared object at [`BUFFER`](super::BUFFER).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BufferNeed {
    /// How many bytes there must be; the guard is behind the end of the last page.
    pub bytes: u64,
    /// What its address must be a multiple of: a power of two.
    pub alignment: u64,
}

impl Default for Needs {
    /// One core and nothing else.
    fn default() -> Self {
        Self {
            memory: 0,
            low: false,
            passes_memory: false,
            cores: 1,
            buffer: None,
            states: Vec::new(),
        }
    }
}

/// What a device has for a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Supply {
    /// Bytes between the guards of its shared object.
    pub memory: u64,
    /// Bytes of low memory, between guards.
    pub low: u64,
    /// Cores that can run it at the same time.
    pub cores: u32,
    /// Bytes for the buffers of all of them together.
    pub buffers: u64,
}

impl Supply {
    /// One core, so much memory in the shared object, and no buffer.
    #[must_use]
    pub fn of_one_core(memory: u64) -> Self {
        Self { memory, low: 0, cores: 1, buffers: 0 }
    }
}

impl Needs {
    /// Whether any device has what is needed.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it is reported for each of its cores: it needs several, or a buffer.
    #[must_use]
    pub fn is_parallel(&self) -> bool {
        self.cores != 1 || self.buffer.is_some()
    }

    /// Checks that a device without states to choose has all that is needed.
    ///
    /// # Errors
    /// What it lacks.
    pub fn check(&self, there: &Supply) -> Result<(), Lacking> {
        if self.low && self.memory > there.low {
            return Err(Lacking::LowMemory { needed: self.memory, there: there.low });
        }
        if !self.low && self.memory > there.memory {
            return Err(Lacking::Memory { needed: self.memory, there: there.memory });
        }
        if self.cores == 0 || self.cores > there.cores {
            return Err(Lacking::Cores { needed: self.cores, there: there.cores });
        }
        if let Some(BufferNeed { bytes, alignment }) = self.buffer {
            let all = bytes.checked_mul(self.cores.into());
            if all.is_none_or(|all| all > there.buffers) {
                let (cores, there) = (self.cores, there.buffers);
                return Err(Lacking::Buffers { needed: bytes, cores, there });
            }
            // Room is needed to find an aligned place in.
            if !alignment.is_power_of_two() || alignment > there.buffers.max(1) {
                return Err(Lacking::Alignment(alignment));
            }
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
    /// Memory at low addresses.
    #[error(
        "it needs {needed} bytes of memory at low addresses, and this machine gives {there} there"
    )]
    LowMemory {
        /// Bytes that the kernel needs.
        needed: u64,
        /// Bytes that it would get.
        there: u64,
    },
    /// Cores.
    #[error(
        "it needs {needed} cores at the same time, and this runner has {there}: ask for fewer \
         threads, or name a runner for as many (--runner)"
    )]
    Cores {
        /// Cores that the kernel needs.
        needed: u32,
        /// Logical CPUs that the runner may use.
        there: u32,
    },
    /// Memory for buffers.
    #[error(
        "it needs a buffer of {needed} bytes on each of its cores ({cores}), and this runner has \
         {there} bytes for buffers: ask for a smaller working set"
    )]
    Buffers {
        /// Bytes of one buffer.
        needed: u64,
        /// How many are needed.
        cores: u32,
        /// Bytes for all of them.
        there: u64,
    },
    /// A buffer at a place that cannot be.
    #[error("it needs a buffer aligned to {0} bytes, which is no power of two, or too large")]
    Alignment(u64),
    /// A state that the runner does not know.
    #[error(
        "it needs the state `{0}`, which this runner does not know: build both from one source"
    )]
    State(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::KernelFunctions;

    const PLAIN: &str =
        r#"{"id":1,"purpose":"probe","init":null,"single":"k1","double":null,"alone":true}"#;

    #[test]
    fn a_kernel_needs_one_core_unless_it_says_more() {
        let plain: KernelFunctions = serde_json::from_str(PLAIN).unwrap();
        assert!(plain.needs.is_plain() && plain.needs.check(&Supply::of_one_core(0)).is_ok());
        assert_eq!(serde_json::to_string(&plain).unwrap(), PLAIN);
        let needs: Needs = serde_json::from_str(r#"{"memory":64}"#).unwrap();
        assert_eq!(needs, Needs { memory: 64, ..Needs::default() });
        assert_eq!(needs.check(&Supply::of_one_core(64)), Ok(()));
        let lacking = Lacking::Memory { needed: 64, there: 63 };
        assert_eq!(needs.check(&Supply::of_one_core(63)), Err(lacking));
    }

    #[test]
    fn low_memory_stands_in_for_that_of_the_object() {
        let needs: Needs = serde_json::from_str(r#"{"memory":64,"low":true}"#).unwrap();
        let lacking = Lacking::LowMemory { needed: 64, there: 0 };
        assert_eq!(needs.check(&Supply::of_one_core(64)), Err(lacking));
        assert_eq!(needs.check(&Supply { low: 64, ..Supply::of_one_core(0) }), Ok(()));
    }

    #[test]
    fn buffers_of_all_cores_must_fit() {
        let there = Supply { memory: 0, low: 0, cores: 2, buffers: 1 << 20 };
        let check = |cores, bytes, alignment| {
            let buffer = Some(BufferNeed { bytes, alignment });
            Needs { cores, buffer, ..Needs::default() }.check(&there)
        };
        assert_eq!(check(2, 1 << 19, 64), Ok(()));
        for (cores, bytes) in [(2, (1 << 19) + 1), (1, u64::MAX), (2, u64::MAX)] {
            let lacking = Lacking::Buffers { needed: bytes, cores, there: 1 << 20 };
            assert_eq!(check(cores, bytes, 64), Err(lacking));
        }
        for cores in [0, 3, u32::MAX] {
            assert_eq!(check(cores, 1, 1), Err(Lacking::Cores { needed: cores, there: 2 }));
        }
        for alignment in [0, 3, 1 << 40] {
            assert_eq!(check(1, 4096, alignment), Err(Lacking::Alignment(alignment)));
        }
    }

    #[test]
    fn a_need_that_is_not_understood_is_not_passed_over() {
        let error = serde_json::from_str::<Needs>(r#"{"lanes":4}"#).unwrap_err();
        assert!(error.to_string().contains("unknown field `lanes`"), "{error}");
    }
}
