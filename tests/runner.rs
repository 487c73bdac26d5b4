//! `--runner`: any command is a device. Real kernels on this machine through commands that do
//! what the network, a job queue or a broken board do to a runner.
#![cfg(all(feature = "llvm", target_arch = "x86_64", target_os = "linux"))]

#[path = "support/script.rs"]
mod script;

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use winic::database::Database;
use winic::device::PROTOCOL;

const RUNNER: &str = env!("CARGO_BIN_EXE_winic-runner");

fn winic(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("winic").expect("winic is built");
    command.current_dir(directory).env("WINIC_RUNNER", RUNNER).args(arguments).output().unwrap()
}

fn place() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

/// A program that runs these lines of shell, in which `$RUNNER` is the runner.
fn program(directory: &Path, lines: &str) -> String {
    let number = fs::read_dir(directory).unwrap().count();
    let path = directory.join(format!("program{number}"));
    script::write(&path, &format!("RUNNER={RUNNER}\n{lines}"));
    path.display().to_string()
}

/// Lines that let through what this command lets through of what the runner says, and then kill
/// it and themselves. The command must not buffer, as `head` does.
fn dying(limit: &str) -> String {
    format!("$RUNNER | ({limit}; kill -9 0)")
}

/// So many lines.
fn head(lines: usize) -> String {
    format!("sed -u {lines}q")
}

/// So many bytes.
fn bytes(count: usize) -> String {
    format!("dd bs=1 count={count} status=none")
}

fn lines(text: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(text).lines().map(str::to_owned).collect()
}

/// A run of some forms, long enough to be broken in the middle.
fn measure(directory: &Path, options: &[&str]) -> Output {
    let mut arguments = vec!["TP", "-i", "ADD64rr", "IMUL64rr", "-o", "out.yaml", "--noReport"];
    arguments.extend(options);
    winic(directory, &arguments)
}

fn throughputs(directory: &Path) -> usize {
    let Ok(database) = Database::read(&directory.join("out.yaml")) else { return 0 };
    let value = |name: &str| database.entry(name)?.throughput.value;
    ["ADD64rr", "IMUL64rr"].into_iter().filter_map(value).count()
}

#[test]
fn a_command_is_a_device() {
    let place = place();
    let command = format!("env 'NAME=two words' {RUNNER}");
    let output = measure(place.path(), &["--runner", &command]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(throughputs(place.path()), 2);
}

#[test]
fn what_is_wrong_with_a_runner_is_said_in_one_line() {
    let place = place();
    let old = r#"echo '{"greeting":{"protocol":1,"runner":"0.0.1","host":{}}}'; cat"#;
    let refused = format!("speaks protocol 1, this winic {PROTOCOL}");
    for (lines, expected) in [
        (old.to_owned(), refused.as_str()),
        (dying(&bytes(40)), "ended in the middle of its work (signal: 9"),
        (dying(&bytes(4000)), "ended in the middle of its work (signal: 9"),
        (dying(&head(20)), "ended in the middle of its work (signal: 9"),
        // Which line is a report depends on what has to be run again. (With `$` sed would hold back a
        // line, to know the last one.)
        ("$RUNNER | sed -u '20,9999s/.*/nonsense/'".to_owned(), "line: nonsense"),
        ("$RUNNER | sed -u '20,9999s/kernel/colonel/'".to_owned(), "unknown field `colonel`"),
        ("$RUNNER | sed -u '20,9999{/kernel/d}'".to_owned(), "out of turn: wanted kernel"),
        ("echo 'Welcome to the node!'; $RUNNER".to_owned(), "line: Welcome to the node!"),
        ("echo the node is down >&2; exit 255".to_owned(), "status: 255: the node is down"),
    ] {
        // Each is a run of its own, which continues none.
        let place = self::place();
        let output = measure(place.path(), &["--runner", &program(place.path(), &lines)]);
        let said = self::lines(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{lines}: {said:?}");
        let last = said.last().unwrap();
        assert!(last.starts_with("winic: ") && last.contains(expected), "{lines}: {said:?}");
        let errors = said.iter().filter(|line| line.starts_with("winic: ")).count();
        assert_eq!(errors, 1, "{lines}: {said:?}");
    }
    let output = measure(place.path(), &["--runner", "/nowhere/ssh node"]);
    let said = lines(&output.stderr);
    assert!(said.last().unwrap().contains("cannot start the runner /nowhere/ssh"), "{said:?}");
}

#[test]
fn what_was_measured_before_a_runner_died_is_written() {
    let place = place();
    let latency = |file: &str, runner: &str| {
        let arguments = ["LAT", "-i", "ADC64rr", "-o", file, "--noReport", "--runner", runner];
        winic(place.path(), &arguments)
    };
    let heard = place.path().join("heard");
    let listening = program(place.path(), &format!("$RUNNER | tee {}", heard.display()));
    assert_eq!(latency("whole.yaml", &listening).status.code(), Some(0));
    let lines_heard = fs::read_to_string(&heard).unwrap().lines().count();
    // A quieter run needs fewer lines, down to a third, and may come to its end before the runner does.
    let (file, output) = [90, 80, 70, 60, 50, 40, 30]
        .map(|percent| {
            let limit = head(lines_heard * percent / 100);
            let file = format!("part{percent}.yaml");
            let output = latency(&file, &program(place.path(), &dying(&limit)));
            (file, output)
        })
        .into_iter()
        .find(|(_, output)| output.status.code() == Some(2))
        .expect("a runner that dies");
    let said = lines(&output.stderr);
    assert!(said.last().unwrap().contains("what it had measured is kept"), "{said:?}");
    let latencies = |file: &str| {
        let database = Database::read(&place.path().join(file)).unwrap();
        database.entry("ADC64rr").map_or(0, |entry| entry.latency.operands.len())
    };
    assert!(latencies(&file) > 0);
}

#[test]
fn a_fleet_does_the_work_of_a_member_that_dies() {
    let place = place();
    let mortal = program(place.path(), &dying(&head(40)));
    // Both share a core, and with it what other programs do there: one that disagrees with the other
    // does not live to die.
    let said = (0..6)
        .map(|_| {
            let output = measure(place.path(), &["--runner", RUNNER, "--runner", &mortal]);
            let said = lines(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{said:?}");
            assert_eq!(throughputs(place.path()), 2);
            said
        })
        .find(|said| !said.iter().any(|line| line.contains("is left out")))
        .expect("members that agree");
    let warned = said.iter().any(|line| {
        line.starts_with(&format!("warning: '{mortal}'")) && line.contains("broke and its work")
    });
    assert!(warned, "{said:?}");
}

#[test]
fn another_kind_of_machine_is_refused() {
    let place = place();
    let other = r#"$RUNNER | sed -u 's/"cpu":"/&Another /'"#;
    let other = program(place.path(), other);
    let output = measure(place.path(), &["--runner", RUNNER, "--runner", &other]);
    let said = lines(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said:?}");
    let last = said.last().unwrap();
    assert!(last.contains("is another kind of machine than") && last.contains("Another "));
}

#[test]
fn where_nothing_tells_time_forms_are_executed_and_not_timed() {
    let place = place();
    for options in [&["--runner", &format!("{RUNNER} --ticks none")][..], &["--noTiming"]] {
        for mode in ["TP", "LAT"] {
            let mut arguments = vec![mode, "-i", "ADD64rr", "-o", "/dev/null", "--noReport"];
            arguments.extend(options);
            let output = winic(place.path(), &arguments);
            let said = String::from_utf8(output.stdout).unwrap();
            assert_eq!(output.status.code(), Some(1), "{said}");
            assert!(said.contains("ADD64rr") && said.contains("executed, not timed"), "{said}");
        }
    }
    let output = winic(place.path(), &["list", "--runner", &format!("{RUNNER} --ticks none")]);
    assert_eq!(output.status.code(), Some(0));
    assert!(lines(&output.stdout).iter().any(|line| line.starts_with("ADD64rr\tadd\tform")));
}

#[test]
fn jobs_use_cores_of_their_own() {
    let place = place();
    let cores = winic::device::local::physical_cores().len();
    let output = measure(place.path(), &["--jobs", &cores.to_string()]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(throughputs(place.path()), 2);
    let output = measure(place.path(), &["--jobs", &(cores + 1).to_string()]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = lines(&output.stderr);
    assert!(said.last().unwrap().contains("physical cores"), "{said:?}");
}
