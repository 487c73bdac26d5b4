//! Runners that do not answer, signals, and systems that grant little: the run ends, says why in one
//! line, keeps what was measured, and leaves no process behind.
#![cfg(all(feature = "llvm", target_arch = "x86_64", target_os = "linux"))]

#[path = "support/processes.rs"]
mod processes;
#[path = "support/script.rs"]
mod script;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use winic::database::Database;

const RUNNER: &str = env!("CARGO_BIN_EXE_winic-runner");

fn winic(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
    command.current_dir(place).env("WINIC_RUNNER", RUNNER).env(processes::MARK, place);
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A run of some forms into `out.yaml`.
fn measure(place: &Path, options: &[&str]) -> Output {
    let arguments = [&["TP", "-i", "ADD64rr", "-o", "out.yaml", "--noReport"], options].concat();
    winic(place, &arguments).output().unwrap()
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned()
}

/// A program of these lines, in which `$RUNNER` is the runner.
fn program(place: &Path, lines: &str) -> String {
    let path = place.join("program");
    script::write(&path, &format!("RUNNER={RUNNER}\n{lines}"));
    path.display().to_string()
}

#[test]
fn a_runner_that_is_silent_is_named_and_ended() {
    for lines in [
        "exec cat",
        "exec sleep 1000",
        "sleep 1000 & exec sleep 1000",
        "printf '{\"greet'; exec sleep 1000",
        // Cut in the middle of a report, and then open.
        "$RUNNER | { dd bs=1 count=4000 status=none; sleep 1000; }",
        // Says who it is and takes no request: more than any pipe holds is on its way.
        "$RUNNER < /dev/null; exec sleep 1000",
    ] {
        let place = tempfile::tempdir().unwrap();
        let runner = program(place.path(), lines);
        let output = measure(place.path(), &["--runner", &runner, "--runner-timeout", "1"]);
        let last = last_line(&output);
        assert_eq!(output.status.code(), Some(2), "{lines}: {last}");
        assert!(last.starts_with("winic: ") && last.contains(&runner), "{lines}: {last}");
        let says_so = last.contains("has not answered") && last.contains("--runner-timeout");
        assert!(says_so, "{lines}: {last}");
        assert_eq!(processes::marked(place.path()), [0; 0], "{lines}");
    }
}

#[test]
fn the_others_do_the_work_of_a_member_that_is_silent() {
    let place = tempfile::tempdir().unwrap();
    let silent = program(place.path(), "$RUNNER | { sed -u 30q; sleep 1000; }");
    // Both share a core, where one may disagree with the other before it falls silent.
    let warned = (0..6).any(|_| {
        let fleet = ["--runner", RUNNER, "--runner", &silent, "--runner-timeout", "3"];
        let output = measure(place.path(), &fleet);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // Beside other tests the one that works may have been disturbed when the other fell silent:
        // then nobody is left who is trusted.
        if output.status.code() != Some(0) {
            assert!(said.contains("waits while the others work"), "{said}");
            return false;
        }
        let database = Database::read(&place.path().join("out.yaml")).unwrap();
        assert!(database.entry("ADD64rr").unwrap().throughput.value.is_some(), "{said}");
        assert_eq!(processes::marked(place.path()), [0; 0]);
        said.lines().any(|line| line.starts_with("warning: ") && line.contains("not answered"))
    });
    assert!(warned, "no member fell silent");
}

#[test]
fn no_text_of_a_runner_reaches_the_terminal_raw() {
    let place = tempfile::tempdir().unwrap();
    let wild = r#"$RUNNER | sed -u '1{s/"advice":\[]/"advice":[""]/;s/"advice":\[/&"\\u001b[2J\\u0007wild\\nline",/}'"#;
    let output = measure(place.path(), &["--runner", &program(place.path(), wild)]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(r"note: \u{1b}[2J\u{7}wild\nline"), "{said}");
    let words = place.path().join("words");
    fs::create_dir(&words).unwrap();
    let dying = program(&words, r#"printf '\033[2J\007gone\nfor ever' >&2; exit 3"#);
    let last = last_line(&measure(place.path(), &["--runner", &dying]));
    assert!(last.contains(r"\u{1b}[2J\u{7}gone for ever"), "{last}");
}

/// A run that a signal finds where a runner says nothing.
fn blocked(place: &Path, lines: &str) -> Child {
    let runner = program(place, lines);
    let run = winic(place, &["LAT", "-o", "out.yaml", "--noReport", "--runner", &runner]).spawn();
    // Its runner has started, and the handlers of signals before.
    let begin = Instant::now();
    while processes::living_with(place).len() < 2 {
        assert!(begin.elapsed() < Duration::from_secs(60), "no runner was started");
        thread::sleep(Duration::from_millis(5));
    }
    run.unwrap()
}

fn send(run: &Child, signal: Signal) {
    kill(Pid::from_raw(run.id().cast_signed()), signal).unwrap();
}

#[test]
fn one_signal_ends_a_run_that_waits_for_a_runner_and_two_end_it_at_once() {
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        let place = tempfile::tempdir().unwrap();
        let run = blocked(place.path(), "exec sleep 1000");
        send(&run, signal);
        let output = run.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{signal}: {output:?}");
        assert_eq!(processes::marked(place.path()), [0; 0], "{signal}");
    }
    let place = tempfile::tempdir().unwrap();
    let run = blocked(place.path(), "exec sleep 1000");
    send(&run, Signal::SIGINT);
    thread::sleep(Duration::from_millis(200));
    send(&run, Signal::SIGINT);
    assert_eq!(run.wait_with_output().unwrap().status.code(), Some(130));
    assert_eq!(processes::marked(place.path()), [0; 0]);
}

#[test]
fn a_driver_that_is_killed_leaves_no_runner() {
    let place = tempfile::tempdir().unwrap();
    let run = blocked(place.path(), "exec $RUNNER");
    send(&run, Signal::SIGKILL);
    run.wait_with_output().unwrap();
    assert_eq!(processes::marked(place.path()), [0; 0]);
}

/// The command with a limit of `ulimit`'s.
fn limited(command: &Command, limit: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit {limit}; exec \"$@\""), "sh"]);
    shell.arg(command.get_program()).args(command.get_args());
    shell.current_dir(command.get_current_dir().unwrap());
    let set = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    shell.envs(set).output().unwrap()
}

/// Someone whom nobody is: root has as many processes as it likes.
const NOBODY: u32 = 64_321;

#[test]
fn few_processes_are_one_line_and_no_panic() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    if !nix::unistd::geteuid().is_root() {
        println!("skipped: only root can be somebody who has no process yet");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o777)).unwrap();
    for most in 1..=8 {
        let mut shell = Command::new("bash");
        let script = format!("ulimit -u {most} || exit 99; exec \"$@\"");
        shell.args(["-c", &script, "bash", env!("CARGO_BIN_EXE_winic"), "TP", "-i", "ADD64rr"]);
        shell.args(["-o", "out.yaml", "--noReport"]).env("WINIC_RUNNER", RUNNER);
        let output = shell.current_dir(place.path()).uid(NOBODY).gid(NOBODY).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.code() == Some(126) {
            println!("skipped: nobody else may run what is built here");
            return;
        }
        assert!([Some(0), Some(2)].contains(&output.status.code()), "{most}: {output:?}");
        assert!(!said.contains("panicked"), "{most}: {said}");
        let errors = said.lines().filter(|line| line.starts_with("winic: ")).count();
        assert_eq!(errors, usize::from(output.status.code() == Some(2)), "{most}: {said}");
        if most == 1 {
            assert_eq!(output.status.code(), Some(2), "one process was enough: {said}");
        }
    }
}

#[test]
fn two_million_runners_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let output = measure(place.path(), &["--runner", "2000000:cat"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("2000000 machines are more than"));
}

#[test]
fn a_text_that_is_nested_without_end_is_refused_by_its_depth() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("out.yaml"), "[".repeat(200_000)).unwrap();
    let last = last_line(&measure(place.path(), &[]));
    assert!(last.contains("out.yaml") && last.contains("100 levels deep"), "{last}");
}

#[test]
fn a_limit_to_the_sizes_of_files_is_one_line() {
    let place = tempfile::tempdir().unwrap();
    // Larger than the limit, so that writing it again exceeds that.
    let entry = "- llvmName: MADE_UP\n  name: made\n  operands: []\n  note: ";
    let old = format!("{entry}{}\n", "x".repeat(2 << 20));
    fs::write(place.path().join("out.yaml"), &old).unwrap();
    let arguments = ["TP", "-i", "ADD64rr", "-o", "out.yaml", "--adopt", "--noReport"];
    // In units of half a kilobyte: kernels fit, and the database does not.
    let output = limited(&winic(place.path(), &arguments), "-f 2000");
    let last = last_line(&output);
    assert_eq!(output.status.code(), Some(2), "{last}");
    assert!(last.contains("out.yaml: File too large") && last.contains("ulimit -f"), "{last}");
    assert_eq!(fs::read_to_string(place.path().join("out.yaml")).unwrap(), old);
    let temporary = fs::read_dir(place.path())
        .unwrap()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().contains(".winic-"));
    assert_eq!(temporary.count(), 0);
}
