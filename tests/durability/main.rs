//! Whatever ends a run, nothing it had finished is lost, and what continues it comes to the
//! database that a run without a break comes to.
#![cfg(feature = "llvm")]

mod kills;
mod neighbour;
mod place;
mod steady;

#[path = "../support/disk.rs"]
mod disk;

use std::fs;
use std::time::Duration;

use disk::SmallDisk;
use kills::Life;
use nix::sys::signal::Signal;
use place::{Place, Runner};
use winic::database::Entry;

/// Some forms of every kind of question.
const LATENCIES: &str = "LAT -i IMUL64rr CMOV64rr ADC64rr";
/// The same every time, like the steady runner, but with chains that add up.
const SIMULATED: &str = "LAT --device mca:znver3 -i IMUL64rr ADC64rr";
const THROUGHPUTS: &str = "TP -i ADD64rr ADC64ri32 IMUL64rr VADDPDrr";

/// Findings after which forms are measured that were asked for.
const AFTER_THE_SURVEY: usize = 420;

#[test]
#[ignore = "stands in for winic-runner: winic starts it"]
fn steady_runner() {
    steady::serve();
}

/// The database of a run that nothing stops.
fn reference(options: &str) -> Vec<Entry> {
    let place = Place::new(options, Runner::Steady);
    let (status, words) = place.run(&[]);
    assert_eq!(status, Some(0), "{words}");
    assert!(!place.journal().exists(), "the journal of a complete run is there");
    assert_eq!(place.litter(), Vec::<String>::new());
    place.entries().unwrap()
}

/// Continues to the end, and compares.
fn resume(place: &Place, reference: &[Entry]) {
    let (status, words) = place.run(&["--resume"]);
    assert_eq!(status, Some(0), "{words}");
    assert_eq!(place.entries().unwrap(), reference);
    assert!(!place.journal().exists(), "the journal of a complete run is there");
    assert_eq!(place.litter(), Vec::<String>::new());
}

#[test]
fn two_runs_of_the_steady_runner_agree() {
    let first = reference(LATENCIES);
    assert!(first.iter().any(|entry| entry.latency.value.is_some()), "it measured nothing");
    assert_eq!(first, reference(LATENCIES));
}

#[test]
fn killed_runs_come_to_the_same_database() {
    let lives =
        [LATENCIES, THROUGHPUTS, SIMULATED].map(|options| Life::new(options, Runner::Steady));
    kills::kill(&lives, kills::wanted(24), &mut |resumed, reference| {
        assert_eq!(resumed, reference);
        (resumed.len(), 0)
    });
}

#[test]
#[ignore = "takes real time on a quiet machine: scripts/kills runs it"]
fn killed_runs_of_this_machine_come_to_the_same_database_within_uncertainty() {
    let lives = [LATENCIES, THROUGHPUTS].map(|options| Life::new(options, Runner::Real));
    kills::kill(&lives, kills::wanted(24), &mut kills::compare_values);
}

/// What a part of a run found out may be less than what the whole does, but its reasons for
/// having no value must be true, and it must doubt the values that it has.
fn claims_nothing_else(part: &Entry, whole: &[Entry]) {
    let name = &part.subject.llvm_name;
    let whole = whole.iter().find(|entry| entry.subject == part.subject).expect(name);
    assert!(part.latency.status.is_none() || part.latency.status == whole.latency.status);
    assert!(!part.throughput.has_value() || part.throughput.status.is_some(), "{name}");
    for edge in &part.latency.operands {
        if edge.has_value() {
            assert!(edge.status.is_some(), "{name} {} -> {}", edge.source, edge.target);
            continue;
        }
        let ends = (&edge.source, &edge.target);
        let mut same = whole.latency.operands.iter().filter(|it| (&it.source, &it.target) == ends);
        let expected = &same.next().expect(name).status;
        assert_eq!(&edge.status, expected, "{name} {} -> {}", edge.source, edge.target);
    }
}

#[test]
fn an_interrupted_run_writes_what_it_has_and_can_be_continued() {
    let of_latencies = reference(LATENCIES);
    let of_throughputs = reference(THROUGHPUTS);
    // (The first body of `ADD64rr` says 3.83 without a doubt, and those that follow say 4 with one.)
    for (options, reference, signal) in [
        (LATENCIES, &of_latencies, Signal::SIGINT),
        (LATENCIES, &of_latencies, Signal::SIGTERM),
        (LATENCIES, &of_latencies, Signal::SIGHUP),
        (THROUGHPUTS, &of_throughputs, Signal::SIGINT),
    ] {
        let place = Place::new(options, Runner::Steady);
        let mut run = place.start(&[]);
        run.wait_for_findings(&place, AFTER_THE_SURVEY);
        run.signal(signal);
        let (status, words) = run.end();
        assert_eq!(status, Some(130), "{signal}: {words}");
        assert!(words.contains("--resume"), "{words}");
        for entry in place.entries().expect("there is a database") {
            claims_nothing_else(&entry, reference);
        }
        let (status, words) = place.run(&[]);
        assert_eq!(status, Some(2), "started anew over findings: {words}");
        assert!(words.starts_with("winic: ") && words.contains("--resume"), "{words}");
        resume(&place, reference);
    }
}

#[test]
fn an_interrupt_before_anything_is_known_is_no_failure() {
    let place = Place::new(LATENCIES, Runner::Steady);
    let mut run = place.start(&[]);
    run.wait_for_findings(&place, 1);
    run.signal(Signal::SIGINT);
    let (status, words) = run.end();
    assert_eq!(status, Some(130), "{words}");
    resume(&place, &reference(LATENCIES));
}

#[test]
fn a_run_that_nobody_listens_to_is_written_all_the_same() {
    let place = Place::new(LATENCIES, Runner::Steady);
    let mut command = place.command(&[]);
    let mut process = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    // As `2>&1 | head -0` does.
    drop((process.stdout.take(), process.stderr.take()));
    assert_eq!(process.wait().unwrap().code(), Some(0));
    assert_eq!(place.entries().unwrap(), reference(LATENCIES));
    assert!(!place.journal().exists());
}

#[test]
fn a_dead_runner_is_said_and_costs_nothing() {
    let place = Place::new(LATENCIES, Runner::Steady);
    let mut run = place.start(&[]);
    run.wait_for_findings(&place, 200);
    assert!(run.kill_runner(), "there is no runner");
    let (status, words) = run.end();
    assert_eq!(status, Some(2), "{words}");
    assert!(words.starts_with("winic: the runner ended"), "{words}");
    assert!(place.findings().unwrap() >= 200);
    resume(&place, &reference(LATENCIES));
}

#[test]
fn a_full_disk_is_said_and_costs_nothing() {
    let Some(disk) = SmallDisk::mount("64k") else { return };
    let place = Place::new(LATENCIES, Runner::Steady).with_database_in(disk.path());
    let before = "---\ninstructions:\n- {llvmName: MINE, latency: 7}\n";
    fs::write(&place.database, before).unwrap();
    let (status, words) = place.run(&["--adopt"]);
    assert_eq!(status, Some(2), "{words}");
    assert!(words.contains(".journal: No space left") && words.contains("make room"), "{words}");
    assert_eq!(fs::read_to_string(&place.database).unwrap(), before);
    assert!(place.findings().unwrap() > 100);
    disk.remount("size=8m");
    let (status, words) = place.run(&["--adopt", "--resume"]);
    assert_eq!(status, Some(0), "{words}");
    let entries = place.entries().unwrap();
    assert_eq!(entries[0].latency.value, Some(7.0));
    assert_eq!(entries[1..], reference(LATENCIES));
    assert_eq!(place.litter(), Vec::<String>::new());
}

#[test]
fn a_disk_that_becomes_read_only_is_said_and_costs_nothing() {
    let Some(disk) = SmallDisk::mount("8m") else { return };
    let place = Place::new(LATENCIES, Runner::Steady).with_database_in(disk.path());
    disk.remount("ro");
    let (status, words) = place.run(&[]);
    assert_eq!(status, Some(2), "{words}");
    assert!(words.contains("Read-only file system"), "{words}");
    disk.remount("rw");
    resume(&place, &reference(LATENCIES));
}

#[test]
fn two_runs_do_not_write_one_database_at_once() {
    let place = Place::new(LATENCIES, Runner::Steady);
    let mut first = place.start(&[]);
    first.wait_for_findings(&place, 20);
    first.signal(Signal::SIGSTOP);
    for more in [&[][..], &["--resume"]] {
        let (status, words) = place.run(more);
        assert_eq!(status, Some(2), "{words}");
        assert!(words.contains("another winic is at work"), "{words}");
    }
    first.signal(Signal::SIGCONT);
    assert_eq!(first.end().0, Some(0));
    assert_eq!(place.entries().unwrap(), reference(LATENCIES));
}

#[test]
fn another_run_s_findings_are_refused() {
    let place = Place::new(LATENCIES, Runner::Steady);
    let mut run = place.start(&[]);
    run.wait_for_findings(&place, 50);
    run.signal(Signal::SIGKILL);
    assert!(run.ends_within(Duration::from_secs(10)));
    drop(run);
    let findings = place.findings();
    let (status, words) = place.run(&["--resume", "--x87FP"]);
    assert_eq!(status, Some(2), "{words}");
    assert!(words.contains("its run is `LAT IMUL64rr CMOV64rr ADC64rr`"), "{words}");
    assert_eq!(place.findings(), findings);
    resume(&place, &reference(LATENCIES));
}
