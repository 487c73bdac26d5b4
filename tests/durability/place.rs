//! A directory with a run in it, and what can be done to that.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use winic::database::{Database, Entry};
use winic::journal::{Contents, Journal};

use super::steady;

/// How long anything may take before it hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// What runs kernels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Runner {
    /// This machine.
    Real,
    /// See [`steady`].
    Steady,
}

/// A directory for a database, and how to fill it.
pub struct Place {
    directory: tempfile::TempDir,
    /// The database.
    pub database: PathBuf,
    runner: PathBuf,
    options: Vec<String>,
}

impl Place {
    /// For runs with these options.
    pub fn new(options: &str, runner: Runner) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let runner = match runner {
            Runner::Real => env!("CARGO_BIN_EXE_winic-runner").into(),
            Runner::Steady => steady::script(directory.path()),
        };
        let database = directory.path().join("out.yaml");
        let options = options.split(' ').map(str::to_owned).collect();
        Self { directory, database, runner, options }
    }

    /// The same, with the database elsewhere.
    pub fn with_database_in(self, directory: &Path) -> Self {
        Self { database: directory.join("out.yaml"), ..self }
    }

    pub fn journal(&self) -> PathBuf {
        Journal::beside(&self.database)
    }

    /// Makes somebody share the core of the steady runner while it reports on so many kernels.
    pub fn share_core_for(&self, reports: usize) {
        fs::write(steady::shared(self.directory.path()), reports.to_string()).unwrap();
    }

    /// The program, ready to start.
    pub fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
        command.args(&self.options).args(["--noReport", "-o"]).arg(&self.database).args(more);
        command.current_dir(self.directory.path()).env("WINIC_RUNNER", &self.runner);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    pub fn start(&self, more: &[&str]) -> Running {
        Running { process: self.command(more).spawn().unwrap() }
    }

    /// Runs to the end; the exit status and the last line on stderr.
    pub fn run(&self, more: &[&str]) -> (Option<i32>, String) {
        self.start(more).end()
    }

    /// Findings in the journal, all lines of which must be whole but the last; none without one.
    pub fn findings(&self) -> Option<usize> {
        let bytes = fs::read(self.journal()).ok()?;
        let contents = Contents::read(&mut bytes.as_slice()).unwrap();
        assert_eq!(contents.damaged, 0, "the journal is corrupt");
        Some(contents.findings.len())
    }

    /// What the database says, if there is one; it must not be corrupt. Edges are put in order:
    /// those of an interrupted run stay in front of what is added to them.
    pub fn entries(&self) -> Option<Vec<Entry>> {
        let text = fs::read_to_string(&self.database).ok()?;
        let database = Database::parse(&text).expect("the database is corrupt");
        let mut entries: Vec<Entry> = database.entries().collect();
        for entry in &mut entries {
            entry
                .latency
                .operands
                .sort_by(|a, b| (&a.source, &a.target).cmp(&(&b.source, &b.target)));
        }
        Some(entries)
    }

    /// Everything in the directory of the database that winic put there, other than the files it
    /// is to leave.
    pub fn litter(&self) -> Vec<String> {
        let known =
            ["out.yaml", "out.evidence", "out.yaml.journal", "asm", "steady-runner.sh", "shared"];
        let entries = fs::read_dir(self.database.parent().unwrap()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        names.filter(|name| !known.contains(&name.as_str())).collect()
    }
}

/// A run at work.
pub struct Running {
    process: Child,
}

impl Running {
    pub fn signal(&self, signal: Signal) {
        // It may have ended just now; then there is nobody to tell.
        let _ = kill(Pid::from_raw(self.process.id().cast_signed()), signal);
    }

    /// Waits until the journal has so many findings, and fails if the run ends before.
    pub fn wait_for_findings(&mut self, place: &Place, findings: usize) {
        let begin = Instant::now();
        while place.findings().unwrap_or(0) < findings {
            assert!(self.process.try_wait().unwrap().is_none(), "it ended too early");
            assert!(begin.elapsed() < PATIENCE, "no findings");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether it ends by itself within a time.
    pub fn ends_within(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        loop {
            if self.process.try_wait().unwrap().is_some() {
                return true;
            }
            if Instant::now() >= end {
                return false;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// Kills its runner, if it has one; whether it had.
    pub fn kill_runner(&self) -> bool {
        let runners = children(self.process.id());
        for &runner in &runners {
            let _ = kill(Pid::from_raw(runner), Signal::SIGKILL);
        }
        !runners.is_empty()
    }

    /// Waits for its end.
    pub fn end(&mut self) -> (Option<i32>, String) {
        assert!(self.ends_within(PATIENCE), "it hangs");
        let mut stderr = self.process.stderr.take().unwrap();
        let mut words = Vec::new();
        // A runner that outlives a killed driver for a moment holds no end of this pipe.
        stderr.read_to_end(&mut words).unwrap();
        let words = String::from_utf8_lossy(&words).into_owned();
        assert!(!words.contains("panicked"), "{words}");
        let status = self.process.wait().unwrap();
        (status.code(), words.lines().last().unwrap_or_default().to_owned())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The runners among the children of a process.
fn children(parent: u32) -> Vec<i32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_runner = |process: &i32| {
        let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let of_parent = status
            .rsplit_once(')')
            .and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok())
            == Some(parent);
        let command = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
        of_parent && (command.contains("winic-runner") || command.contains("steady"))
    };
    numbers.filter(is_runner).collect()
}
