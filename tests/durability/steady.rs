//! A runner that runs nothing: what it says of a kernel follows from the size of its code. So
//! two runs that ask the same come to the same database, digit by digit, on any machine.
//!
//! A number in a file beside the script makes somebody share its core during as many reports: the
//! sentinel and bodies of instances then take twice as long.
//!
//! It is this test program itself, started by a script in place of `winic-runner`; what the
//! test harness prints is kept out of the pipe.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use object::{Object as _, ObjectSymbol as _};
use winic::artifact::{Artifact, KernelFunctions, Purpose};
use winic::device::wire::{self, Greeting, Reply, Request};
use winic::device::{HostDescription, KernelReport, RawSample, Source, TickSource, Window};

/// Where the script leads what the runner says.
const PIPE: &str = "/dev/fd/3";

/// What each kernel takes, so that a run lasts long enough to be killed in its middle.
const KERNEL: Duration = Duration::from_micros(500);

/// Ticks in a cycle.
const TICKS: u64 = 10;
/// Loop count of all functions.
const ITERATIONS: u64 = 100;
/// Cycles of an iteration of the sentinel on a core that nobody shares.
const PULSE: u64 = 80;
/// Where the script says how many reports somebody shares the core for.
const SHARED: &str = "STEADY_SHARED";
/// Windows taken of a kernel.
const WINDOWS: usize = 24;

/// Writes the script; to be named in `WINIC_RUNNER`.
pub fn script(directory: &Path) -> PathBuf {
    let script = directory.join("steady-runner.sh");
    let program = std::env::current_exe().unwrap();
    let text = format!(
        "#!/bin/sh\n{SHARED}='{}' exec '{}' --exact steady_runner --ignored --nocapture 3>&1 >/dev/null\n",
        shared(directory).display(),
        program.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    script
}

/// The file that says for how many reports somebody shares the core.
pub fn shared(directory: &Path) -> PathBuf {
    directory.join("shared")
}

/// What shares the core while kernels run.
struct Neighbour {
    reports: usize,
}

impl Neighbour {
    fn read() -> Self {
        let file = std::env::var(SHARED).unwrap_or_default();
        let reports = fs::read_to_string(file).ok().and_then(|text| text.trim().parse().ok());
        Self { reports: reports.unwrap_or(0) }
    }

    /// How many times as long as alone the next kernel takes.
    fn factor(&mut self) -> u64 {
        let factor = if self.reports > 0 { 2 } else { 1 };
        self.reports = self.reports.saturating_sub(1);
        factor
    }
}

/// Speaks the protocol until the driver ends it.
pub fn serve() {
    let Ok(mut output) = OpenOptions::new().write(true).open(PIPE) else { return };
    let mut input = io::stdin().lock();
    let greeting = Greeting {
        protocol: wire::PROTOCOL,
        runner: "steady".into(),
        keeps: false,
        host: description(),
    };
    let _ = wire::write_reply(&mut output, &Reply::Greeting(greeting));
    let mut neighbour = Neighbour::read();
    while let Ok(Some(Request::Run(artifact))) = wire::read_request(&mut input) {
        for kernel in &artifact.kernels {
            std::thread::sleep(KERNEL);
            let reply = Reply::Report(kernel.id, report(&artifact, kernel, neighbour.factor()));
            // Without a driver there is nobody to run for.
            if wire::write_reply(&mut output, &reply).is_err() {
                return;
            }
        }
        let _ = wire::write_reply(&mut output, &Reply::Done(artifact.kernels.len()));
    }
}

fn description() -> HostDescription {
    HostDescription {
        architecture: std::env::consts::ARCH.into(),
        cpu: "steady".into(),
        cpuinfo: String::new(),
        extensions: Vec::new(),
        system: "test".into(),
        source: Source::Measured,
        core: None,
        ticks: Some(TickSource::TimeStamp),
        tick_rate: None,
        tick_step: 1,
        advice: Vec::new(),
        resources: winic::device::Resources::default(),
    }
}

fn report(artifact: &Artifact, kernel: &KernelFunctions, factor: u64) -> KernelReport {
    match (kernel.purpose, &kernel.double) {
        (Purpose::Probe, _) | (_, None) => KernelReport::Executed { ticks: 1000 },
        (Purpose::Time, Some(double)) => {
            let reference = u64::from(artifact.reference.cycles_per_iteration);
            let body = body(artifact, &kernel.single, double).map_or(reference, |it| it * factor);
            let window = Window {
                reference_before: ITERATIONS * TICKS * reference,
                single: ITERATIONS * TICKS * body,
                double: ITERATIONS * TICKS * body * 2,
                sentinel: ITERATIONS * TICKS * PULSE * factor,
                reference_after: ITERATIONS * TICKS * reference,
            };
            KernelReport::Timed(RawSample {
                iterations: ITERATIONS,
                reference_iterations: ITERATIONS,
                sentinel_iterations: ITERATIONS,
                waited: Duration::ZERO,
                overhead: 0.0,
                tick_step: 1,
                windows: vec![window; WINDOWS],
            })
        }
    }
}

/// Bytes from a kernel's one function to the other; none for those of the template, which take
/// what the reference takes.
fn body(artifact: &Artifact, single: &str, double: &str) -> Option<u64> {
    if !single.starts_with('k') {
        return None;
    }
    let image = object::File::parse(&*artifact.image).unwrap();
    let address = |name: &str| {
        let mut symbols = image.dynamic_symbols();
        symbols.find(|symbol| symbol.name() == Ok(name)).unwrap().address()
    };
    Some(address(double) - address(single))
}
