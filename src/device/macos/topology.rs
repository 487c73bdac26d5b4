//! What a Mac has for kernels that need more than a core. Its CPUs have no numbers that programs could choose
//! by: those of a kind are counted.

use super::child::system_number;
use super::{CoreKind, DataCache, LogicalCpu, Resources};

/// Buffers of one kernel may have no more.
const MOST: u64 = 4 << 30;
/// One byte in so many of all memory is for them.
const SHARE: u64 = 4;
/// The caches of a core that hold data, by what `sysctl` calls their sizes, with what says who shares them.
const CACHES: [(u32, &str, &str); 2] = [(1, "l1dcachesize", ""), (2, "l2cachesize", "cpusperl2")];

impl Resources {
    /// What kernels may use on cores of a kind.
    pub(super) fn read(_core: Option<u32>, kind: Option<CoreKind>, _allowed: &[u32]) -> Self {
        let level = kind.unwrap_or(CoreKind::Performance).level();
        let number = |name: &str| system_number(&format!("hw.perflevel{level}.{name}"));
        let count = number("logicalcpu").unwrap_or(1) as u32;
        let memory = system_number("hw.memsize").unwrap_or(0) / SHARE;
        let caches = CACHES.into_iter().filter_map(|(level, size, sharers)| {
            let shared = number(sharers).map_or(1, |sharers| sharers as u32);
            Some(DataCache { level, bytes: number(size)?, shared })
        });
        Self {
            cpus: (0..count).map(|cpu| LogicalCpu { cpu, core: cpu }).collect(),
            caches: caches.collect(),
            memory: memory.min(MOST),
            low: 0,
        }
    }
}
