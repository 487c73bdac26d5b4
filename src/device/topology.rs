//! What a machine has for kernels that need more than a core, as the system describes it.

use super::host::{self, text};
use super::{CoreKind, DataCache, LogicalCpu, Resources};

/// Buffers of one kernel may have no more: with them a child stays within its address space.
const MOST: u64 = 4 << 30;

/// One byte in so many that are available stays with the rest of the system.
const KEPT: u64 = 4;

impl Resources {
    /// What kernels may use that else run on `core`, where the process may use these CPUs.
    pub(super) fn read(core: Option<u32>, _kind: Option<CoreKind>, allowed: &[u32]) -> Self {
        let numbered = |&cpu: &u32| LogicalCpu { cpu, core: host::core_of(cpu) };
        let cpus: Vec<LogicalCpu> = allowed.iter().map(numbered).collect();
        // A process that could not be pinned has no place of its own.
        let cpus = core.map_or_else(Vec::new, |core| in_order(&cpus, core));
        let available = kilobytes(&text("/proc/meminfo"), "MemAvailable").unwrap_or(0) * 1024;
        let memory = (available - available / KEPT).min(MOST);
        Self { caches: caches(core.unwrap_or(0)), cpus, memory, low: 0 }
    }
}

/// CPUs in the order in which kernels take them.
fn in_order(cpus: &[LogicalCpu], first: u32) -> Vec<LogicalCpu> {
    let is_first = |cpu: &&LogicalCpu| cpu.cpu == first;
    let mut ordered: Vec<LogicalCpu> = cpus.iter().filter(is_first).copied().collect();
    for cpu in cpus {
        if !ordered.iter().any(|taken| taken.core == cpu.core) {
            ordered.push(*cpu);
        }
    }
    let others: Vec<LogicalCpu> =
        cpus.iter().filter(|cpu| !ordered.contains(cpu)).copied().collect();
    ordered.extend(others);
    ordered
}

/// A number of `/proc/meminfo`.
fn kilobytes(meminfo: &str, key: &str) -> Option<u64> {
    let lines = meminfo.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = lines.into_iter().find(|(name, _)| *name == key)?;
    value.split_whitespace().next()?.parse().ok()
}

/// The caches that hold data of a CPU.
fn caches(cpu: u32) -> Vec<DataCache> {
    let of = |index: u32, file: &str| host::of_cpu(cpu, &format!("cache/index{index}/{file}"));
    let known = (0..).take_while(|&index| !of(index, "level").is_empty());
    let mut caches: Vec<DataCache> = known
        .filter(|&index| of(index, "type").trim() != "Instruction")
        .filter_map(|index| {
            let shared = host::list(&of(index, "shared_cpu_list")).len() as u32;
            let level = of(index, "level").trim().parse().ok()?;
            Some(DataCache { level, bytes: bytes(of(index, "size").trim())?, shared })
        })
        .collect();
    caches.sort_by_key(|cache| cache.level);
    caches
}

/// A size like `48K`.
fn bytes(size: &str) -> Option<u64> {
    let digits = size.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match size.get(digits.len()..)? {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_physical_cores_come_before_other_hardware_threads() {
        let cpus: Vec<LogicalCpu> = (0..8).map(|cpu| LogicalCpu { cpu, core: cpu % 4 }).collect();
        let order: Vec<u32> = in_order(&cpus, 3).iter().map(|cpu| cpu.cpu).collect();
        assert_eq!(order, [3, 0, 1, 2, 4, 5, 6, 7]);
        let order: Vec<u32> = in_order(&cpus, 5).iter().map(|cpu| cpu.cpu).collect();
        assert_eq!(order, [5, 0, 2, 3, 1, 4, 6, 7]);
        let resources = Resources { cpus: in_order(&cpus, 3), ..Resources::default() };
        let cores: Vec<usize> = (0..=9).map(|count| resources.physical_cores(count)).collect();
        assert_eq!(cores, [0, 1, 2, 3, 4, 4, 4, 4, 4, 4]);
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(
            [bytes("48K"), bytes("2M"), bytes("1G")],
            [48 << 10, 2 << 20, 1 << 30].map(Some)
        );
        assert_eq!([bytes(""), bytes("48X"), bytes("K")], [None; 3]);
    }

    #[test]
    fn memory_that_is_available_is_found() {
        let text = "MemTotal:       24680000 kB\nMemAvailable:   21000000 kB\n";
        assert_eq!(kilobytes(text, "MemAvailable"), Some(21_000_000));
        assert_eq!(kilobytes(text, "SwapFree"), None);
    }
}
