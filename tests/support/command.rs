//! winic as its users meet it, where it reads files and executes nothing.

use std::path::Path;

use assert_cmd::Command;

/// What a command says: its exit status, its standard output and its standard error.
pub type Said = (i32, String, String);

/// Runs it in a directory.
pub fn winic(place: &Path, arguments: &[&str]) -> Said {
    let mut command = Command::cargo_bin("winic").expect("winic is built");
    // Whatever would run on this machine fails.
    command.current_dir(place).env("WINIC_RUNNER", "/nonexistent").args(arguments);
    let output = command.output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("no signal"), text(output.stdout), text(output.stderr))
}
