//! The local device end to end: real kernels, assembled here, in real children.
//!
//! Facts about time are of the kind that hold on every CPU of the architecture: a chain of n
//! additions takes n cycles, twice as many take twice as long.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod bench;
#[path = "support/script.rs"]
mod script;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use winic::artifact::{Artifact, KernelFunctions, KernelId, Purpose};
use winic::device::{
    Device as _, DeviceError, Fault, KernelReport, LocalDevice, LocalOptions, PROTOCOL, RawSample,
    TickSource, Window,
};

use bench::{CHAIN, assemble, chain, function, kernel, options, reference, run};

/// An artifact with one kernel for each body, numbered from 0.
fn artifact(purpose: Purpose, bodies: &[&str]) -> Option<Artifact> {
    let mut text = function("reference", &chain(CHAIN));
    for (id, body) in bodies.iter().enumerate() {
        text.push_str(&function(&format!("k{id}_single"), body));
        text.push_str(&function(&format!("k{id}_double"), &format!("{body}\n{body}")));
    }
    Some(Artifact {
        image: assemble(&text)?,
        sentinel: None,
        reference: reference(),
        kernels: (0..bodies.len() as u32).map(|id| kernel(id, purpose)).collect(),
    })
}

fn device() -> LocalDevice {
    LocalDevice::start(options()).unwrap()
}

fn timed(report: &KernelReport) -> &RawSample {
    let KernelReport::Timed(sample) = report else { panic!("not timed: {report:?}") };
    sample
}

/// The smallest of a figure over all windows of a sample.
fn smallest(sample: &RawSample, figure: impl Fn(&Window) -> u64) -> f64 {
    sample.windows.iter().map(figure).min().unwrap() as f64
}

/// Cycles per body, by the difference that cancels all overhead.
fn cycles_per_body(sample: &RawSample) -> f64 {
    let single = smallest(sample, |window| window.single);
    let double = smallest(sample, |window| window.double);
    let reference = smallest(sample, |window| window.reference_before.min(window.reference_after));
    let cycles = sample.reference_iterations as f64 * f64::from(CHAIN);
    let ticks_per_cycle = (reference - sample.overhead) / cycles;
    (double - single) / sample.iterations as f64 / ticks_per_cycle
}

/// Times chains of additions. On a machine shared with others a sample may be disturbed
/// throughout, so the fact needs to hold in one of a few runs.
fn assert_times_chains(options: LocalOptions) {
    let lengths = [16, 48, 96];
    let bodies = lengths.map(chain);
    let bodies = bodies.each_ref().map(String::as_str);
    let Some(artifact) = artifact(Purpose::Time, &bodies) else { return };
    let mut device = LocalDevice::start(options).unwrap();
    let mut wrong = Vec::new();
    for _ in 0..10 {
        let reports = run(&mut device, &artifact);
        let cycles = reports.iter().map(|report| cycles_per_body(timed(report)));
        let pairs = lengths.iter().map(|&length| f64::from(length)).zip(cycles);
        wrong = pairs.filter(|(length, cycles)| (cycles / length - 1.0).abs() > 0.03).collect();
        if wrong.is_empty() {
            return;
        }
    }
    panic!("(additions, cycles): {wrong:?}");
}

#[test]
fn an_addition_takes_one_cycle() {
    assert_times_chains(options());
}

#[test]
fn the_monotonic_clock_tells_the_same() {
    assert_times_chains(LocalOptions { ticks: Some(TickSource::Monotonic), ..options() });
}

#[test]
fn samples_have_the_promised_form() {
    let Some(mut artifact) = artifact(Purpose::Time, &[&chain(50), &chain(50)]) else { return };
    artifact.kernels[1].double = None;
    let mut device =
        LocalDevice::start(LocalOptions { ticks: Some(TickSource::TimeStamp), ..options() })
            .unwrap();
    let reports = run(&mut device, &artifact);
    let host = device.describe();
    for (has_double, report) in [true, false].into_iter().zip(&reports) {
        let sample = timed(report);
        assert!((6..=64).contains(&sample.windows.len()), "{}", sample.windows.len());
        assert_eq!(sample.tick_step, host.tick_step);
        assert!(sample.iterations > 1 && sample.reference_iterations > 1, "{sample:?}");
        assert!(sample.windows.iter().all(|window| (window.double > 0) == has_double));
        // Long enough for its ticks to be fine, and short enough to be left in peace.
        let longest = smallest(sample, |window| window.single.max(window.double));
        let seconds = longest / host.tick_rate.unwrap().get();
        assert!((2e-6..100e-6).contains(&seconds), "{seconds} s");
        assert!(longest >= 300.0 * host.tick_step as f64, "{longest} ticks");
    }
}

#[test]
fn init_runs_before_every_call_and_is_not_timed() {
    // The kernel wants what init left in a register, and spoils it. Twenty thousand additions
    // take longer than the whole kernel.
    let init = ".globl init\ninit:\n.rept 20000\nadd rcx, rcx\n.endr\nmov r11d, 5\nret\n";
    let single = ".globl k0_single\nk0_single:\ncmp r11, 5\nje 2f\nud2\n2:\nmov rcx, rdi\n\
                  3: dec rcx\njnz 3b\nxor r11d, r11d\nret\n";
    let text = function("reference", &chain(CHAIN)) + init + single;
    let Some(image) = assemble(&text) else { return };
    let kernel =
        KernelFunctions { init: Some("init".into()), double: None, ..kernel(0, Purpose::Time) };
    let with_init =
        Artifact { image, reference: reference(), sentinel: None, kernels: vec![kernel] };
    let mut without = with_init.clone();
    without.kernels[0].init = None;

    let mut device = device();
    let sample = run(&mut device, &with_init);
    let sample = timed(&sample[0]);
    let reference = smallest(sample, |window| window.reference_before) - sample.overhead;
    let cycles = reference / (sample.reference_iterations as f64 * f64::from(CHAIN));
    let single = smallest(sample, |window| window.single) / cycles;
    assert!(single < 3.0 * sample.iterations as f64 + 1000.0, "{single} cycles: {sample:?}");
    // Nobody put the value there.
    let report = run(&mut device, &without).remove(0);
    assert_eq!(report, KernelReport::Faulted(Fault::IllegalInstruction));
}

#[test]
fn a_missing_symbol_is_named_and_the_runner_goes_on() {
    let Some(good) = artifact(Purpose::Probe, &[&chain(4)]) else { return };
    let mut device = device();
    let runner = device.process_id();

    let mut bad = good.clone();
    bad.kernels[0].single = "k99_single".into();
    let error = device.run(&bad, &mut |_, _| true).unwrap_err();
    let DeviceError::Refused(reason) = &error else { panic!("{error}") };
    assert!(reason.contains("kernel 0") && reason.contains("`k99_single`"), "{reason}");

    let mut bad = good.clone();
    bad.reference.symbol = "reverence".into();
    let error = device.run(&bad, &mut |_, _| true).unwrap_err();
    assert!(error.to_string().contains("`reverence`"), "{error}");

    assert_eq!(run(&mut device, &good).len(), 1);
    assert_eq!(device.process_id(), runner);
}

#[test]
fn garbage_is_no_image_and_the_runner_goes_on() {
    let Some(good) = artifact(Purpose::Probe, &[&chain(4)]) else { return };
    let mut device = device();
    let cut = |length: usize| good.image[..length].to_vec();
    let length = good.image.len();
    let garbage = [vec![], b"garbage".to_vec(), vec![0; 100_000]];
    for image in garbage.into_iter().chain([20, 100, 5000, length / 2].map(cut)) {
        let bad = Artifact { image: image.into(), ..good.clone() };
        let error = device.run(&bad, &mut |_, _| true).unwrap_err();
        assert!(matches!(error, DeviceError::Refused(_)), "{error}");
        assert!(error.to_string().contains("image"), "{error}");
    }
    assert_eq!(run(&mut device, &good).len(), 1);
}

#[test]
fn each_image_is_measured_itself_and_not_the_one_before() {
    let mut device = device();
    let (illegal, trap) = (Fault::IllegalInstruction, Fault::Trap);
    for (body, expected) in [("ud2", illegal), ("int3", trap), ("ud2", illegal)] {
        let Some(artifact) = artifact(Purpose::Probe, &[body]) else { return };
        assert_eq!(run(&mut device, &artifact), [KernelReport::Faulted(expected)]);
    }
}

#[test]
fn what_the_runner_has_is_not_sent_again() {
    let Some(artifact) = artifact(Purpose::Probe, &[&chain(4), "ud2"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (log, program) = (folder.path().join("log"), folder.path().join("runner"));
    let runner = env!("CARGO_BIN_EXE_winic-runner");
    script::write(&program, &format!("tee -a {} | {runner}", log.display()));
    let mut device =
        LocalDevice::start(LocalOptions { runner: Some(program), ..options() }).unwrap();
    let second = Artifact { kernels: artifact.kernels[1..].to_vec(), ..artifact.clone() };
    let nameless = Artifact {
        kernels: vec![KernelFunctions { single: "nobody".into(), ..artifact.kernels[0].clone() }],
        ..artifact.clone()
    };
    // Equal bytes, which nobody compares.
    let copy = Artifact { image: artifact.image.to_vec().into(), ..artifact.clone() };
    let fault = KernelReport::Faulted(Fault::IllegalInstruction);
    assert_eq!(run(&mut device, &artifact)[1], fault);
    assert_eq!(run(&mut device, &second), std::slice::from_ref(&fault));
    assert!(matches!(device.run(&nameless, &mut |_, _| true), Err(DeviceError::Refused(_))));
    assert_eq!(run(&mut device, &second), std::slice::from_ref(&fault));
    assert_eq!(run(&mut device, &artifact)[1], fault);
    assert_eq!(run(&mut device, &copy)[1], fault);
    let log = fs::read_to_string(log).unwrap();
    let asked: Vec<&str> = log.lines().filter_map(|line| line.split('"').nth(1)).collect();
    assert_eq!(asked, ["run", "again", "again", "run", "again", "run"]);
}

#[test]
fn what_was_never_run_cannot_be_run_again() {
    let lines = "{\"again\":{\"kernels\":[]}}\n";
    let mut runner = Command::new(env!("CARGO_BIN_EXE_winic-runner"));
    let runner = runner.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut runner = runner.unwrap();
    runner.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = runner.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let answer = said.lines().nth(1).unwrap();
    assert_eq!(answer, r#"{"error":"there is no artifact to run again"}"#);
    assert!(output.status.success());
}

#[test]
fn a_killed_runner_is_an_error_and_is_started_again() {
    let good = chain(4);
    let Some(artifact) = artifact(Purpose::Probe, &[&good, &good, "5: jmp 5b", &good]) else {
        return;
    };
    let mut device = device();
    let runner = device.process_id().unwrap();
    let core = device.describe().core;
    let mut delivered = 0;
    let mut deliver = |_, _| {
        delivered += 1;
        if delivered == 2 {
            kill(runner);
        }
        true
    };
    let error = device.run(&artifact, &mut deliver).unwrap_err();
    let DeviceError::Died(status) = &error else { panic!("{error}") };
    assert!(status.contains("signal: 9"), "{status}");
    assert_eq!(delivered, 2);
    assert_eq!(device.process_id(), None);
    // Nor does the hanging kernel live on without its runner.
    assert_group_ends(runner);

    let short = Artifact { kernels: artifact.kernels[..2].to_vec(), ..artifact };
    assert_eq!(run(&mut device, &short).len(), 2);
    assert_ne!(device.process_id(), Some(runner));
    assert_eq!(device.describe().core, core);
}

#[test]
fn stopping_is_prompt_and_no_error() {
    let good = chain(4);
    let Some(artifact) = artifact(Purpose::Probe, &[&good, "5: jmp 5b", &good]) else { return };
    let mut device = device();
    let runner = device.process_id().unwrap();
    let mut delivered = Vec::new();
    let mut deliver = |id, _| {
        delivered.push(id);
        false
    };
    let begin = Instant::now();
    device.run(&artifact, &mut deliver).unwrap();
    // The hanging kernel would have two seconds.
    assert!(begin.elapsed() < Duration::from_millis(1500), "{:?}", begin.elapsed());
    assert_eq!(delivered, [KernelId(0)]);
    assert_group_ends(runner);

    let short = Artifact { kernels: artifact.kernels[..1].to_vec(), ..artifact };
    assert_eq!(run(&mut device, &short).len(), 1);
}

#[test]
fn a_device_goes_to_another_thread() {
    let Some(artifact) = artifact(Purpose::Probe, &[&chain(4)]) else { return };
    let mut device = device();
    let reports = std::thread::spawn(move || run(&mut device, &artifact)).join().unwrap();
    assert_eq!(reports.len(), 1);
}

#[test]
fn a_host_says_who_it_is() {
    let device = device();
    let host = device.describe();
    println!("{host:#?}");
    assert_eq!(host.architecture, "x86_64");
    assert!(host.system.starts_with("Linux "), "{}", host.system);
    assert!(!host.cpu.is_empty() && host.core.is_some() && host.tick_step > 0);
}

/// What is said when this program is started as the runner.
fn start_error(program: &Path) -> DeviceError {
    let options = LocalOptions { runner: Some(program.into()), ..LocalOptions::default() };
    LocalDevice::start(options).err().unwrap()
}

#[test]
fn a_tick_source_that_does_not_work_is_named_or_works() {
    let options = LocalOptions { ticks: Some(TickSource::CycleCounter), ..options() };
    match LocalDevice::start(options.clone()) {
        Ok(_) => assert_times_chains(options),
        Err(error) => {
            println!("no cycle counter here: {error}");
            assert!(error.to_string().contains("cycle-counter does not work here"), "{error}");
        }
    }
}

#[test]
fn a_runner_that_is_not_there_is_named() {
    let error = start_error(Path::new("/nowhere/winic-runner"));
    assert!(matches!(error, DeviceError::Start { .. }), "{error}");
    assert!(error.to_string().contains("/nowhere/winic-runner"), "{error}");
}

#[test]
fn a_program_that_is_no_runner_is_found_out() {
    assert!(matches!(start_error(Path::new("/bin/true")), DeviceError::Died(_)));
    let folder = tempfile::tempdir().unwrap();
    let newer = format!("{{\"greeting\":{{\"protocol\":{}}}}}", PROTOCOL + 1);
    let refused = format!("speaks protocol {}, this winic {PROTOCOL}", PROTOCOL + 1);
    for (number, line, expected) in [
        (1, "hello", "not of the protocol"),
        (2, newer.as_str(), refused.as_str()),
        (3, "{\"done\":3}", "wanted a greeting"),
    ] {
        let script = folder.path().join(format!("runner{number}"));
        script::write(&script, &format!("echo '{line}'\ncat > /dev/null"));
        let error = start_error(&script).to_string();
        assert!(error.contains(expected) && error.contains(line), "{error}");
    }
}

#[test]
fn a_runner_answers_nonsense_with_one_line_and_a_status() {
    for (input, expected) in [
        (
            "hello\n",
            "winic-runner: not a request: expected value at line 1 column 1; line: hello\n",
        ),
        ("{\"run\":", "winic-runner: cut off before its end; line: {\"run\":\n"),
    ] {
        let mut runner = assert_cmd::Command::new(env!("CARGO_BIN_EXE_winic-runner"));
        let output = runner.write_stdin(input).output().unwrap();
        assert!(!output.status.success());
        assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.starts_with("{\"greeting\":") && said.lines().count() == 1, "{said}");
    }
    let mut runner = assert_cmd::Command::new(env!("CARGO_BIN_EXE_winic-runner"));
    runner.args(["--ticks", "sundial"]).assert().failure().stdout("");
}

#[test]
fn the_runner_needs_no_llvm() {
    let Ok(output) = Command::new("ldd").arg(env!("CARGO_BIN_EXE_winic-runner")).output() else {
        println!("skipped: there is no `ldd`");
        return;
    };
    let libraries = String::from_utf8_lossy(&output.stdout);
    assert!(!libraries.contains("LLVM") && !libraries.contains("stdc++"), "{libraries}");
}

fn kill(process: u32) {
    let process = nix::unistd::Pid::from_raw(process.cast_signed());
    nix::sys::signal::kill(process, nix::sys::signal::Signal::SIGKILL).unwrap();
}

/// Waits for the end of all processes in a runner's group; those that are killed need a moment.
fn assert_group_ends(runner: u32) {
    let begin = Instant::now();
    while group(runner) > 0 {
        assert!(begin.elapsed() < Duration::from_secs(1), "processes of group {runner} live on");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// How many processes of a group live. (Dead ones may wait long for their new parent's notice.)
fn group(group: u32) -> usize {
    let lives_in_group = |stat: &String| {
        // `number (name) state parent group ...`, where the name may hold anything.
        let (_, rest) = stat.rsplit_once(") ").unwrap();
        let mut fields = rest.split(' ');
        fields.next() != Some("Z") && fields.nth(1) == Some(&group.to_string())
    };
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let stats = processes.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    stats.filter(lives_in_group).count()
}
