//! The machine a runner finds itself on, and what may disturb measurements there.
//!
//! [`Facts`] reads files; everything else is pure text work on them.

use std::fs;
use std::path::Path;

use super::place::{ENOUGH, Place};
use super::{TickSource, affinity, child};

/// Where the system keeps what it says about CPUs.
const CPUS: &str = "/sys/devices/system/cpu";

/// The file about logical CPUs that share a core.
const SIBLINGS: &str = "topology/thread_siblings_list";

/// A hypervisor that withholds this fraction of the wanted time disturbs.
const MUCH_STOLEN: f64 = 0.01;

/// The value of `perf_event_paranoid` up to which users may count events of their own processes.
const OWN_EVENTS: i32 = 2;

/// What the system says about itself, as text. A file that does not exist is empty.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// This program's architecture.
    architecture: &'static str,
    /// What the system calls the CPU, where it says so by itself.
    model: Option<String>,
    /// The architecture of the system's kernel (`/proc/sys/kernel/arch`), which emulators of
    /// single programs pass on.
    kernel: String,
    /// `/proc/cpuinfo`.
    cpuinfo: String,
    /// `/proc/device-tree/model`, which small boards have in place of a CPU's name.
    board: String,
    /// `/proc/stat`.
    stat: String,
    /// Who may count events: the larger the fewer.
    paranoid: String,
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
    /// The share of it that was to be had.
    share: Option<f64>,
    /// Where ticks come from, once that is known.
    ticks: Option<TickSource>,
}

/// Keys of `/proc/cpuinfo` whose values list extensions, and what separates these. (RISC-V's
/// list starts with single letters, as in `rv64imafdc_zba`.)
const EXTENSION_LISTS: [(&str, char); 3] = [("flags", ' '), ("Features", ' '), ("isa", '_')];

/// Keys of `/proc/cpuinfo` by which a system on Arm or RISC-V says what its emulator is.
const EMULATED: [(&str, &str); 2] = [("uarch", "qemu"), ("CPU implementer", "0x00")];

impl Facts {
    /// Reads them, of the core that kernels run on above all.
    pub(super) fn read(place: &Place, ticks: TickSource) -> Self {
        let core = place.core;
        let of_core = |file: &str| core.map_or_else(String::new, |core| of_cpu(core, file));
        Self {
            architecture: std::env::consts::ARCH,
            model: child::cpu_model().map(|model| match place.kind {
                Some(kind) => format!("{model}, {} cores", kind.name()),
                None => model,
            }),
            kernel: text("/proc/sys/kernel/arch"),
            cpuinfo: text("/proc/cpuinfo"),
            board: text("/proc/device-tree/model").trim_end_matches('\0').to_owned(),
            stat: text("/proc/stat"),
            paranoid: text("/proc/sys/kernel/perf_event_paranoid"),
            governor: of_core("cpufreq/scaling_governor"),
            boost: text(format!("{CPUS}/cpufreq/boost")),
            no_turbo: text(format!("{CPUS}/intel_pstate/no_turbo")),
            siblings: of_core(SIBLINGS),
            core,
            share: place.share,
            ticks: Some(ticks),
        }
    }

    /// The CPU's own name, or the nearest thing to it.
    pub(super) fn cpu(&self) -> String {
        if let Some(model) = &self.model {
            return model.clone();
        }
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

    /// What `/proc/cpuinfo` says of the CPU that kernels run on, or of the first.
    pub(super) fn cpuinfo(&self) -> &str {
        let mut blocks = self.cpuinfo.split("\n\n");
        let is_ours = |block: &&str| {
            let number = value(block, "processor").and_then(|number| number.parse().ok());
            number.is_some() && number == self.core
        };
        blocks.clone().find(is_ours).or_else(|| blocks.next()).unwrap_or_default()
    }

    /// The extensions that the system knows of.
    pub(super) fn extensions(&self) -> Vec<String> {
        let lists = EXTENSION_LISTS.iter().filter_map(|&(key, separator)| {
            Some(value(self.cpuinfo(), key)?.split(separator).map(str::to_owned))
        });
        lists.flatten().collect()
    }

    /// Whether these instructions are not executed by a core that has them: an emulator's time
    /// says nothing about any core.
    pub(super) fn is_emulated(&self) -> bool {
        let kernel = self.kernel.trim();
        let says_so = |(key, name): &(&str, &str)| self.value(key) == Some(*name);
        (!kernel.is_empty() && kernel != self.architecture) || EMULATED.iter().any(says_so)
    }

    /// What may disturb measurements and what would help, one sentence each.
    pub(super) fn advice(&self) -> Vec<String> {
        let checks = [
            Self::affinity,
            Self::governor,
            Self::boost,
            Self::siblings,
            Self::load,
            Self::steal,
            Self::counters,
        ];
        checks.iter().filter_map(|check| check(self)).collect()
    }

    fn affinity(&self) -> Option<String> {
        // Without ticks nothing was looked for.
        (self.ticks.is_some() && self.core.is_none()).then(|| affinity::UNPINNED.to_owned())
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
        let core = self.core?;
        let taken =
            self.share.filter(|&share| share < ENOUGH).map(|share| 100.0 * (1.0 - share))?;
        Some(format!(
            "Other programs take {taken:.0} % of CPU {core}, and values may come out as unstable: \
             see `top` and stop them, or give a CPU that is free in WINIC_CORE."
        ))
    }

    fn steal(&self) -> Option<String> {
        let core = self.core?;
        let name = format!("cpu{core}");
        let line = self.stat.lines().find(|line| line.split(' ').next() == Some(&name))?;
        let times: Vec<f64> =
            line.split_whitespace().skip(1).filter_map(|time| time.parse().ok()).collect();
        let [user, nice, system, _idle, _waiting, interrupts, soft, stolen, ..] = times[..] else {
            return None;
        };
        let wanted = user + nice + system + interrupts + soft + stolen;
        (stolen > MUCH_STOLEN * wanted).then(|| {
            format!(
                "The hypervisor gave {:.0} % of the time that CPU {core} wanted since it was \
                 started to others (see `st` in `vmstat 1`): a machine with dedicated CPUs helps.",
                100.0 * stolen / wanted
            )
        })
    }

    fn counters(&self) -> Option<String> {
        let ticks = self.ticks.filter(|&ticks| ticks != TickSource::CycleCounter)?;
        let paranoid: i32 = self.paranoid.trim().parse().ok()?;
        (paranoid > OWN_EVENTS).then(|| {
            format!(
                "The system does not let users count cycles, so winic goes by its {} clock: \
                 `sudo sysctl kernel.perf_event_paranoid={OWN_EVENTS}`.",
                ticks.name()
            )
        })
    }

    /// The first value of a key in `/proc/cpuinfo`.
    fn value(&self, key: &str) -> Option<&str> {
        value(&self.cpuinfo, key)
    }
}

/// The first value of a key in a text of the form of `/proc/cpuinfo`.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let pairs = text.lines().filter_map(|line| line.split_once(':'));
    let mut values = pairs.filter(|(name, _)| name.trim() == key).map(|(_, value)| value.trim());
    values.find(|value| !value.is_empty())
}

/// Logical CPUs that share a core with this one, itself included; none where the system does
/// not say.
pub(super) fn siblings(cpu: u32) -> Vec<u32> {
    list(&of_cpu(cpu, SIBLINGS))
}

/// The physical core of a logical CPU, by the lowest number of those on it.
pub(super) fn core_of(cpu: u32) -> u32 {
    siblings(cpu).into_iter().min().unwrap_or(cpu)
}

/// Operating system and release, e.g. `Linux 6.1.0-18-amd64`.
pub(super) fn system() -> String {
    nix::sys::utsname::uname().map_or_else(
        |_| std::env::consts::OS.to_owned(),
        |name| format!("{} {}", name.sysname().to_string_lossy(), name.release().to_string_lossy()),
    )
}

/// What the system says about one logical CPU.
pub(super) fn of_cpu(cpu: u32, file: &str) -> String {
    text(format!("{CPUS}/cpu{cpu}/{file}"))
}

/// A file as text; empty if it is not there.
pub(super) fn text(path: impl AsRef<Path>) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// The numbers in a list such as `0-3,8`.
pub(super) fn list(text: &str) -> Vec<u32> {
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

    /// The beginning of `/proc/stat` on a virtual machine.
    const STAT: &str = "cpu  18000 0 4000 40000 600 0 100 24 0 0\n\
        cpu0 9000 0 2000 20000 300 0 50 12 0 0\ncpu1 9000 0 2000 20000 300 0 50 12 0 0\n";

    fn facts(cpuinfo: &str) -> Facts {
        Facts { cpuinfo: cpuinfo.into(), core: Some(1), ..Facts::default() }
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
    fn extensions_are_those_of_the_core() {
        let two = "processor\t: 0\nflags\t: fpu sse\n\nprocessor\t: 1\nflags\t: fpu avx\n\n";
        assert_eq!(facts(two).extensions(), ["fpu", "avx"]);
        assert_eq!(facts(two).cpuinfo(), "processor\t: 1\nflags\t: fpu avx");
        assert_eq!(facts(NEOVERSE).extensions(), ["fp", "asimd", "sve"]);
        let riscv = facts("processor\t: 0\nisa\t\t: rv64imafdc_zba_zbb\n");
        assert_eq!(riscv.extensions(), ["rv64imafdc", "zba", "zbb"]);
        assert!(facts("").extensions().is_empty());
    }

    #[test]
    fn an_emulator_is_found_out() {
        let on = |architecture, kernel: &str, cpuinfo| Facts {
            architecture,
            kernel: kernel.into(),
            ..facts(cpuinfo)
        };
        assert!(on("riscv64", "x86_64\n", SIFIVE).is_emulated());
        assert!(on("riscv64", "", "processor\t: 0\nuarch\t\t: qemu\n").is_emulated());
        assert!(on("aarch64", "", "CPU implementer\t: 0x00\n").is_emulated());
        assert!(!on("aarch64", "aarch64\n", NEOVERSE).is_emulated());
        assert!(!on("x86_64", "", EPYC).is_emulated());
        assert!(!on("riscv64", "riscv64\n", SIFIVE).is_emulated());
    }

    #[test]
    fn a_quiet_machine_needs_no_advice() {
        let quiet = Facts {
            stat: STAT.into(),
            paranoid: "2\n".into(),
            share: Some(0.99),
            ticks: Some(TickSource::TimeStamp),
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
            (Facts { share: Some(0.52), ..facts("") }, "take 48 % of CPU 1"),
            (Facts { stat: STAT.replace(" 12 0 0", " 1000 0 0"), ..facts("") }, "gave 8 % of"),
            (Facts { paranoid: "4\n".into(), ..timed(Some(1)) }, "perf_event_paranoid=2"),
            (timed(None), "WINIC_CORE"),
        ];
        for (facts, expected) in cases {
            let advice = facts.advice();
            assert_eq!(advice.len(), 1, "{advice:?}");
            assert!(advice[0].contains(expected), "{advice:?} lacks {expected}");
        }
    }

    fn timed(core: Option<u32>) -> Facts {
        Facts { ticks: Some(TickSource::TimeStamp), core, ..Facts::default() }
    }

    #[test]
    fn where_cycles_are_counted_users_may_do_so() {
        let facts =
            Facts { paranoid: "4\n".into(), ticks: Some(TickSource::CycleCounter), ..facts("") };
        assert_eq!(facts.advice(), Vec::<String>::new());
    }

    #[test]
    fn lists_of_cpus() {
        assert_eq!(list("0-3,8\n"), [0, 1, 2, 3, 8]);
        assert_eq!(list("7"), [7]);
        assert!(list("").is_empty());
        assert!(list("nonsense").is_empty());
    }
}
