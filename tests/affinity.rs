//! The driver and its kernels on different cores. A file of its own, because the affinity of
//! a test's process is shared by all of its tests.
#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::time::Duration;

use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;
use winic::device::{Device as _, LocalDevice, LocalOptions, local};

fn allowed() -> CpuSet {
    sched_getaffinity(Pid::from_raw(0)).unwrap()
}

#[test]
fn the_driver_leaves_the_core_to_the_kernels() {
    let runner = Some(PathBuf::from(env!("CARGO_BIN_EXE_winic-runner")));
    let device = LocalDevice::start(LocalOptions { runner, ..LocalOptions::default() }).unwrap();
    let Some(core) = device.describe().core else {
        println!("skipped: this system does not pin processes to cores");
        return;
    };
    let process = device.process_id().unwrap();
    let pinned = sched_getaffinity(Pid::from_raw(process.cast_signed())).unwrap();
    assert!((0..CpuSet::count()).all(|cpu| pinned.is_set(cpu).unwrap() == (cpu == core as usize)));

    let before = allowed();
    let has_left = local::leave_core(core).unwrap();
    // With a single core there is nowhere to go, and nothing has changed.
    assert_eq!(
        has_left,
        (0..CpuSet::count()).filter(|&cpu| before.is_set(cpu).unwrap()).count() > 1
    );
    assert_eq!(allowed().is_set(core as usize).unwrap(), !has_left);
    let other_thread = std::thread::spawn(allowed).join().unwrap();
    assert_eq!(other_thread, allowed());
}

#[test]
fn two_runs_take_different_cores_or_say_that_they_share_one() {
    let start = |core| {
        let runner = Some(PathBuf::from(env!("CARGO_BIN_EXE_winic-runner")));
        LocalDevice::start(LocalOptions { runner, core, ..LocalOptions::default() }).unwrap()
    };
    let warning = |device: &LocalDevice| {
        device.describe().advice.iter().find(|advice| advice.starts_with("Another winic")).cloned()
    };
    // Tests beside this one have runners, too, for a moment.
    let alone = (0..100).find_map(|_| {
        let device = start(None);
        let is_alone = warning(&device).is_none();
        if !is_alone {
            std::thread::sleep(Duration::from_millis(100));
        }
        is_alone.then_some(device)
    });
    let first = alone.expect("no other runner within ten seconds");
    let Some(core) = first.describe().core else {
        println!("skipped: this system does not pin processes to cores");
        return;
    };
    // Whoever asks for a core gets it, with a warning.
    let same = start(Some(core));
    assert_eq!(same.describe().core, Some(core));
    assert!(warning(&same).is_some_and(|warning| warning.contains("too, and each slows")));
    // Whoever does not gets another, if there is one that nobody has.
    let second = start(None);
    assert!(warning(&second).is_some(), "{:?}", second.describe().advice);
    assert!(second.describe().core != Some(core) || warning(&second).unwrap().contains(" too"));
}
