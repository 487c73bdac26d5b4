//! A busy machine: beside programs that keep all CPUs busy winic gives the values of a quiet
//! machine, within the uncertainty that it states, or says that they are unstable.
//! `scripts/load` does it with many more forms.
#![cfg(all(target_arch = "x86_64", target_os = "linux", feature = "llvm"))]

#[path = "../examples/busy/load.rs"]
mod load;
#[path = "../examples/agreement/value.rs"]
mod value;
#[path = "../examples/agreement/verdict.rs"]
mod verdict;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use load::{Rhythm, keep_busy};
use verdict::Verdict;
use winic::database::Database;

/// Forms of every kind of question, whose values every machine repeats.
const FORMS: [&str; 6] = ["ADD64rr", "IMUL64rr", "ADC64rr", "SHL64ri", "ADDPDrr", "PSHUFBrr"];

/// At rest the host of a virtual machine may be busy, and what is wrong then is the comparison: what
/// winic gets wrong itself is wrong each time.
const ATTEMPTS: usize = 3;

#[test]
fn values_beside_a_busy_program_are_those_of_a_quiet_machine_or_marked() {
    let folder = tempfile::tempdir().unwrap();
    for rhythm in [Rhythm::STEADY, Rhythm::BURSTS] {
        let mut wrong: Option<BTreeMap<String, String>> = None;
        for attempt in 0..ATTEMPTS {
            let quiet = measure(&folder.path().join("quiet.yaml"));
            let busy = beside(rhythm, || measure(&folder.path().join("busy.yaml")));
            let verdict = Verdict::of(&quiet, &busy);
            let trustworthy = verdict.is_trustworthy();
            println!("{rhythm:?}, attempt {attempt}, trustworthy: {trustworthy}: {verdict}");
            assert!(verdict.total() + verdict.uncounted >= 3 * FORMS.len(), "values are missing");
            let mut again = verdict.wrong;
            again.retain(|name, _| wrong.as_ref().is_none_or(|before| before.contains_key(name)));
            wrong = Some(again);
            if wrong.as_ref().is_some_and(BTreeMap::is_empty) {
                break;
            }
        }
        assert_eq!(wrong.unwrap(), BTreeMap::new(), "wrong without a mark in each attempt");
    }
}

/// Ends a load, also when a test fails beside it.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What a function gives while all CPUs are busy.
fn beside<T>(rhythm: Rhythm, work: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| keep_busy(rhythm, &stop));
        let _ending = Ending(&stop);
        work()
    })
}

/// Measures both kinds of values of all forms.
fn measure(path: &Path) -> Database {
    let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
    command.args(["ALL", "--noReport", "-o"]).arg(path).arg("-i").args(FORMS);
    command.env("WINIC_RUNNER", env!("CARGO_BIN_EXE_winic-runner"));
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let database = Database::read(path).unwrap();
    std::fs::remove_file(path).unwrap();
    database
}
