//! Long work: nothing piles up in a runner or its driver, also not after faults.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod bench;
#[path = "support/script.rs"]
mod script;

use std::fs;
use std::path::Path;
use std::time::Instant;

use winic::artifact::{Artifact, KernelId, Purpose};
use winic::device::{Device as _, KernelReport, LocalDevice, LocalOptions};

use bench::{CHAIN, assemble, chain, function, kernel, options, reference, run};

/// Bodies of kernels that end in every way there is, but for those that take long.
const BODIES: [&str; 6] = [
    "add rax, rbx",
    "ud2",
    "mov eax, 2\nsyscall",
    "xor edx, edx\nmov rdx, [rdx]",
    "add rsp, 8",
    "mov eax, 231\nsyscall",
];

/// Kernels in an artifact, and how often it is run.
const KERNELS: u32 = 120;
const ROUNDS: usize = 8;

fn artifact(purpose: Purpose) -> Option<Artifact> {
    let mut text = function("reference", &chain(CHAIN));
    for (id, body) in (0..KERNELS).zip(BODIES.iter().cycle()) {
        text.push_str(&function(&format!("k{id}_single"), body));
        text.push_str(&function(&format!("k{id}_double"), &format!("{body}\n{body}")));
    }
    let kernels = (0..KERNELS).map(|id| kernel(id, purpose)).collect();
    Some(Artifact { image: assemble(&text)?, reference: reference(), sentinel: None, kernels })
}

/// What a process has of things that must not grow in number.
#[derive(Debug, PartialEq, Eq)]
struct Held {
    descriptors: usize,
    mappings: usize,
    images: usize,
    shared: usize,
    children: String,
    threads: usize,
}

impl Held {
    fn by(process: u32) -> Self {
        let maps = fs::read_to_string(format!("/proc/{process}/maps")).unwrap();
        let with = |what: &str| maps.lines().filter(|line| line.contains(what)).count();
        Self {
            descriptors: fs::read_dir(format!("/proc/{process}/fd")).unwrap().count(),
            mappings: maps.lines().count(),
            images: with("winic-image"),
            shared: with("rw-s"),
            // Zombies are children until they are waited for.
            children: children(process),
            threads: fs::read_dir(format!("/proc/{process}/task")).unwrap().count(),
        }
    }
}

fn children(process: u32) -> String {
    fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default()
}

/// Memory that a process has to itself, in KiB.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Memory that may come and go with an allocator's mood, in KiB.
const SLACK: u64 = 512;

#[test]
fn a_thousand_kernels_most_of_which_fault_leak_nothing() {
    let Some(artifact) = artifact(Purpose::Time) else { return };
    let temporary = tempfile::tempdir().unwrap();
    let mut device = LocalDevice::start(with_temporary(temporary.path())).unwrap();
    let runner = device.process_id().unwrap();
    // The first round allocates what is kept.
    run(&mut device, &artifact);
    let (before, memory_before) = (Held::by(runner), memory(runner));
    // The runner keeps the image that it ran last; one with fewer mappings is another.
    let other = function("reference", &chain(CHAIN));
    let Some(other) = assemble(&other) else { return };
    let other = Artifact { image: other, kernels: Vec::new(), ..artifact.clone() };
    run(&mut device, &other);
    let of_other = Held::by(runner);
    run(&mut device, &artifact);
    assert_eq!(Held::by(runner), before);
    run(&mut device, &other);
    assert_eq!(Held::by(runner), of_other);
    run(&mut device, &artifact);
    assert_eq!(before.children, "");
    let begin = Instant::now();
    for _ in 0..ROUNDS {
        let reports = run(&mut device, &artifact);
        let faults =
            reports.iter().filter(|report| matches!(report, KernelReport::Faulted(_))).count();
        assert_eq!(faults, KERNELS as usize * 5 / 6);
    }
    println!("{:?} per kernel", begin.elapsed() / (KERNELS * ROUNDS as u32));
    assert_eq!(device.process_id(), Some(runner));
    assert_eq!(Held::by(runner), before);
    let memory_after = memory(runner);
    assert!(memory_after <= memory_before + SLACK, "{memory_before} to {memory_after} KiB");
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 1, "temporary files remain");
}

/// Options for a runner with a directory of its own for temporary files, which holds the script
/// that starts it.
fn with_temporary(folder: &Path) -> LocalOptions {
    let script = folder.join("runner");
    let runner = env!("CARGO_BIN_EXE_winic-runner");
    script::write(&script, &format!("TMPDIR={} exec {runner} \"$@\"", folder.display()));
    LocalOptions { runner: Some(script), ..options() }
}

#[test]
fn a_driver_that_stops_runs_again_and_again_keeps_nothing_of_them() {
    let Some(artifact) = artifact(Purpose::Probe) else { return };
    let mut device = LocalDevice::start(options()).unwrap();
    let mut stop_early = || {
        device.run(&artifact, &mut |id: KernelId, _| id.0 < 3).unwrap();
        assert_eq!(device.process_id(), None);
        run(&mut device, &artifact);
    };
    stop_early();
    let this = std::process::id();
    let pipes = || {
        let entries = fs::read_dir("/proc/self/fd").unwrap().flatten();
        entries.filter_map(|entry| fs::read_link(entry.path()).ok()).count()
    };
    // Other tests of this process come and go: what counts is that nothing grows with the rounds.
    let before = pipes();
    for _ in 0..20 {
        stop_early();
    }
    assert!(pipes() < before + 10, "{before} to {} descriptors", pipes());
    let zombies = zombies_of(this);
    assert_eq!(zombies, 0, "runners were not waited for");
}

/// Dead children of a process that it did not wait for.
fn zombies_of(process: u32) -> usize {
    let is_zombie = |stat: &String| {
        let (_, rest) = stat.rsplit_once(") ").unwrap();
        let mut fields = rest.split(' ');
        fields.next() == Some("Z") && fields.next() == Some(&process.to_string())
    };
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let stats = processes.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    stats.filter(is_zombie).count()
}
