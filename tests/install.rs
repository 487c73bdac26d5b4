//! What `scripts/install` leaves behind, with the programs of this build.
#![cfg(feature = "llvm")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use object::{Object as _, ObjectSection as _};

/// Bytes of the runner without debug information, whatever the profile: 1.1 MB when optimized (half
/// of it Rust's own library and JSON), 2.1 MB when not. With debug information it is 60 MB.
const LARGEST_RUNNER: u64 = 3 << 20;

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).output().unwrap_or_else(|error| {
        panic!("{program}: {error}: scripts/test installs it");
    })
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn installed(place: &Path) -> PathBuf {
    let from = Path::new(env!("CARGO_BIN_EXE_winic")).parent().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/install");
    let output = Command::new(script)
        .args(["--prefix", "/opt/winic", "--from"])
        .arg(from)
        .env("DESTDIR", place)
        .output()
        .unwrap();
    text(&output);
    place.join("opt/winic")
}

#[test]
fn an_installation_is_whole_and_small() {
    let place = tempfile::tempdir().unwrap();
    let prefix = installed(place.path());
    for program in ["winic", "winic-runner"] {
        let version =
            text(&run(prefix.join("bin").join(program).to_str().unwrap(), &["--version"]));
        assert!(version.starts_with(program), "{version}");
    }
    let runner = fs::read(prefix.join("bin/winic-runner")).unwrap();
    assert!((runner.len() as u64) < LARGEST_RUNNER, "{} bytes", runner.len());
    let file = object::File::parse(&*runner).unwrap();
    let debug = file.sections().any(|section| section.name().unwrap() == ".debug_info");
    assert!(!debug, "the runner has debug information");
}

#[test]
fn bash_completes_modes_and_options() {
    let place = tempfile::tempdir().unwrap();
    let script = installed(place.path()).join("share/bash-completion/completions/winic");
    let complete = |line: &str| {
        let program = format!(
            ". {}; COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _winic winic \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            script.display()
        );
        text(&run("bash", &["--norc", "-c", &program]))
    };
    assert_eq!(complete("winic compa"), "compare\n");
    assert_eq!(complete("winic list --isa"), "--isa-extension\n");
    assert_eq!(complete("winic LAT --res"), "--resume\n");
}

#[test]
fn zsh_and_fish_take_their_completions() {
    let place = tempfile::tempdir().unwrap();
    let share = installed(place.path()).join("share");
    for (shell, file) in
        [("zsh", "zsh/site-functions/_winic"), ("fish", "fish/vendor_completions.d/winic.fish")]
    {
        let file = share.join(file);
        assert!(fs::read_to_string(&file).unwrap().contains("isa-extension"));
        text(&run(shell, &["-n", file.to_str().unwrap()]));
    }
}

#[test]
fn manual_pages_are_rendered_without_complaint() {
    let place = tempfile::tempdir().unwrap();
    let pages = installed(place.path()).join("share/man/man1");
    for page in ["winic.1", "winic-TP.1", "winic-LAT.1", "winic-list.1", "winic-compare.1"] {
        let output = run("man", &["--warnings", "-l", pages.join(page).to_str().unwrap()]);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{page}");
        assert!(text(&output).contains("SYNOPSIS"), "{page}");
    }
}
