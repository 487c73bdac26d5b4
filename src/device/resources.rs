//! What a machine has for kernels that need more than a core.

use serde::{Deserialize, Serialize};

use crate::artifact::Supply;

/// What a machine has for kernels that need more than a core. The default is a runner that has nothing
/// of the kind.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Resources {
    /// The logical CPUs that kernels can run on at the same time, in the order in which they are taken:
    /// the one that all other kernels run on, one of each other physical core, then the other
    /// hardware threads of those.
    pub cpus: Vec<LogicalCpu>,
    /// The caches that hold data of the first of these CPUs, the nearest first.
    pub caches: Vec<DataCache>,
    /// Bytes that the buffers of a kernel may have, all together.
    pub memory: u64,
    /// Bytes that kernels may have at [`LOW_MEMORY`](crate::artifact::LOW_MEMORY).
    #[serde(skip_serializing_if = "is_zero")]
    pub low: u64,
}

/// A hardware thread that the system runs programs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogicalCpu {
    /// Its number.
    pub cpu: u32,
    /// Names its physical core: the lowest number of a logical CPU on it.
    pub core: u32,
}

/// A cache as the system describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataCache {
    /// 1 is the nearest to the core.
    pub level: u32,
    /// Its size.
    pub bytes: u64,
    /// Logical CPUs that share it.
    pub shared: u32,
}

fn is_zero(bytes: &u64) -> bool {
    *bytes == 0
}

impl Resources {
    /// What kernels get of it, besides memory in their shared object.
    #[must_use]
    pub fn supply(&self) -> Supply {
        // Kernels run even where nothing could be pinned.
        Supply {
            memory: 0,
            low: self.low,
            cores: (self.cpus.len() as u32).max(1),
            buffers: self.memory,
        }
    }

    /// How many physical cores the first so many CPUs are on.
    #[must_use]
    pub fn physical_cores(&self, cpus: usize) -> usize {
        let taken = &self.cpus[..cpus.min(self.cpus.len())];
        let mut cores: Vec<u32> = taken.iter().map(|cpu| cpu.core).collect();
        cores.sort_unstable();
        cores.dedup();
        cores.len()
    }
}
