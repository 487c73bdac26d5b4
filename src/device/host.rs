//! The machine a runner finds itself on, and what may disturb measurements there.
//!
//! [`Facts`] reads files; everything else is pure text work on them.

use std::fs;
use std::path::Path;

/// What the system says about itself, as text. A file that does not exist is empty.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// `/proc/cpuinfo`.
    cpuinfo: String,
    /// `/proc/device-tree/model`, which small boards have in place of a CPU's name.
    board: String,
    /// `/proc/loadavg`.
    load: String,
    /// How many CPUs are online, as `0-3,8`.
    online: String,
    /// The governor of the core.
    governor: String,
    /// `1` when the clock may rise above the nominal one.
    boost: String,
    /// `1` when Intel's driver keeps it from doing so.
    no_turbo: String,
    /// The logical CPUs on the same core as this one, itself included.
    siblings: String,
    /// The core that kernels are pinned to.
    core: Option<u32>,
}

impl Facts {
    /// Reads them; `core` is the one that kernels are pinned to.
    pub(super) fn read(core: Option<u32>) -> Self {
        const CPUS: &str = "/sys/devices/system/cpu";
        let of_core = |file: &str| match core {
            Some(core) => text(format!("{CPUS}/cpu{core}/{file}")),
            None => String::new(),
        };
        Self {
            cpuinfo: text("/proc/cpuinfo"),
            board: text("/proc/device-tree/model").trim_end_matches('\0').to_owned(),
            load: text("/proc/loadavg"),
            online: text(format!("{CPUS}/online")),
            governor: of_core("cpufreq/scaling_governor"),
            boost: text(format!("{CPUS}/cpufreq/boost")),
            no_turbo: text(format!("{CPUS}/intel_pstate/no_turbo")),
            siblings: of_core("topology/thread_siblings_list"),
            core,
        }
    }

    /// The CPU's own name, or the nearest thing to it.
    pub(super) fn cpu(&self) -> String {
        let named = ["model name", "uarch", "cpu model", "Hardware"];
        if let Some(name) = named.iter().find_map(|key| self.value(key)) {
            return name.to_owned();
        }
        match (self.board.as_str(), self.value("CPU implementer"), self.value("CPU part")) {
            ("", Some(implementer), Some(part)) => {
                format!("Arm implementer {implementer} part {part}")
            }
            ("", ..) => "unknown CPU".to_owned(),
            (board, ..) => board.to_owned(),
        }
    }

    /// What may disturb measurements and what would help, one sentence each.
    pub(super) fn advice(&self) -> Vec<String> {
        let checks = [Self::governor, Self::boost, Self::siblings, Self::load, Self::hypervisor];
        checks.iter().filter_map(|check| check(self)).collect()
    }

    fn governor(&self) -> Option<String> {
        let core = self.core?;
        let governor = self.governor.trim();
        (!governor.is_empty() && governor != "performance").then(|| {
            format!(
                "The frequency governor of CPU {core} is `{governor}`, so its clock rises and \
                 falls with the load: `sudo cpupower --cpu {core} frequency-set --governor performance`."
            )
        })
    }

    fn boost(&self) -> Option<String> {
        let switches = [
            (self.boost.trim() == "1", "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"),
            (
                self.no_turbo.trim() == "0",
                "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo",
            ),
        ];
        let (_, command) = switches.iter().find(|(is_on, _)| *is_on)?;
        Some(format!(
            "The clock may be boosted above the nominal one, depending on heat and neighbours: `{command}`."
        ))
    }

    fn siblings(&self) -> Option<String> {
        let core = self.core?;
        let sibling = list(&self.siblings).into_iter().find(|&sibling| sibling != core)?;
        Some(format!(
            "CPU {core} shares its core with CPU {sibling}, whose work slows it down: \
             `echo 0 | sudo tee /sys/devices/system/cpu/cpu{sibling}/online`."
        ))
    }

    fn load(&self) -> Option<String> {
        let load: f64 = self.load.split_whitespace().next()?.parse().ok()?;
        let cpus = list(&self.online).len().max(1);
        (load > cpus as f64 - 0.5).then(|| {
            format!(
                "The load average is {load:.2} on {cpus} CPUs, so other programs want the same core: \
                 see `top` and stop them."
            )
        })
    }

    fn hypervisor(&self) -> Option<String> {
        let flags = self.value("flags")?;
        flags.split_whitespace().any(|flag| flag == "hypervisor").then(|| {
            "This is a virtual machine, where unseen neighbours may disturb: watch the column `st` of `vmstat 1`."
                .to_owned()
        })
    }

    /// The first value of a key in `/proc/cpuinfo`.
    fn value(&self, key: &str) -> Option<&str> {
        let pairs = self.cpuinfo.lines().filter_map(|line| line.split_once(':'));
        let mut values =
            pairs.filter(|(name, _)| name.trim() == key).map(|(_, value)| value.trim());
        values.find(|value| !value.is_empty())
    }
}

/// Operating system and release, e.g. `Linux 6.1.0-18-amd64`.
pub(super) fn system() -> String {
    nix::sys::utsname::uname().map_or_else(
        |_| std::env::consts::OS.to_owned(),
        |name| format!("{} {}", name.sysname().to_string_lossy(), name.release().to_string_lossy()),
    )
}

fn text(path: impl AsRef<Path>) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// The numbers in a list such as `0-3,8`.
fn list(text: &str) -> Vec<u32> {
    let mut numbers = Vec::new();
    for range in text.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse()) {
            numbers.extend(first..=last);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The beginning of `/proc/cpuinfo` on an x86-64 virtual machine.
    const EPYC: &str = "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\n\
        model name\t: AMD EPYC 7B13\nflags\t\t: fpu vme tsc rdtscp hypervisor lahf_lm\n\
        processor\t: 1\nmodel name\t: AMD EPYC 7B13\n";

    /// On an Arm server, which names no model.
    const NEOVERSE: &str = "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd sve\n\
        CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd4f\n";

    /// On a RISC-V board.
    const SIFIVE: &str = "processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\nmmu\t\t: sv39\n\
        uarch\t\t: sifive,bullet0\n";

    fn facts(cpuinfo: &str) -> Facts {
        Facts { cpuinfo: cpuinfo.into(), core: Some(1), online: "0-1\n".into(), ..Facts::default() }
    }

    #[test]
    fn every_architecture_names_its_cpu_elsewhere() {
        assert_eq!(facts(EPYC).cpu(), "AMD EPYC 7B13");
        assert_eq!(facts(NEOVERSE).cpu(), "Arm implementer 0x41 part 0xd4f");
        assert_eq!(facts(SIFIVE).cpu(), "sifive,bullet0");
        let board = Facts { board: "Raspberry Pi 5".into(), ..facts(NEOVERSE) };
        assert_eq!(board.cpu(), "Raspberry Pi 5");
        assert_eq!(facts("").cpu(), "unknown CPU");
    }

    #[test]
    fn a_quiet_machine_needs_no_advice() {
        let quiet = Facts {
            load: "0.20 0.10 0.05 1/100 4242\n".into(),
            governor: "performance\n".into(),
            boost: "0\n".into(),
            no_turbo: "1\n".into(),
            siblings: "1\n".into(),
            ..facts(SIFIVE)
        };
        assert_eq!(quiet.advice(), Vec::<String>::new());
        assert_eq!(Facts::default().advice(), Vec::<String>::new());
    }

    #[test]
    fn each_disturbance_has_its_advice() {
        let cases = [
            (Facts { governor: "powersave\n".into(), ..facts("") }, "--governor performance"),
            (Facts { boost: "1\n".into(), ..facts("") }, "cpufreq/boost"),
            (Facts { no_turbo: "0\n".into(), ..facts("") }, "intel_pstate/no_turbo"),
            (Facts { siblings: "1,5\n".into(), ..facts("") }, "cpu5/online"),
            (Facts { siblings: "0-1\n".into(), ..facts("") }, "cpu0/online"),
            (Facts { load: "1.80 1.0 1.0 1/1 1".into(), ..facts("") }, "1.80 on 2 CPUs"),
            (facts(EPYC), "virtual machine"),
        ];
        for (facts, expected) in cases {
            let advice = facts.advice();
            assert_eq!(advice.len(), 1, "{advice:?}");
            assert!(advice[0].contains(expected), "{advice:?} lacks {expected}");
        }
    }

    #[test]
    fn lists_of_cpus() {
        assert_eq!(list("0-3,8\n"), [0, 1, 2, 3, 8]);
        assert_eq!(list("7"), [7]);
        assert!(list("").is_empty());
        assert!(list("nonsense").is_empty());
    }
}
