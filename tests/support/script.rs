//! Programs that tests write.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a shell script that can be started at once. Another process writes the file: while one of
/// ours had it open, a test on another thread might start a process that inherits it for a moment,
/// and the system starts no program that somebody may write to.
pub fn write(path: &Path, lines: &str) {
    let mut writer = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell");
    let text = format!("#!/bin/sh\n{lines}\n");
    writer.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("a pipe");
    assert!(writer.wait().expect("the shell ends").success(), "{} is written", path.display());
}
