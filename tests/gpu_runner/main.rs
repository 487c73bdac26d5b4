//! The runner's side of GPUs, against libraries made here: they count calls, fail at each in turn, hang, crash
//! and return garbage.

mod libraries;

use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant};

use libraries::Libraries;
use winic::device::gpu::{GpuChoice, GpuDevice, GpuJob, GpuLaunch, GpuOutcome, GpuReply};
use winic::device::{DeviceError, PROTOCOL};

/// What is done with runners that find the libraries.
trait Runners {
    fn words(&self, behaviour: &str) -> Vec<String>;
    fn open(&self, choice: &str, behaviour: &str) -> Result<GpuDevice, DeviceError>;
    fn calls(&self) -> Vec<String>;
}

impl Runners for Libraries {
    /// A runner that finds the libraries, and them misbehaving.
    fn words(&self, behaviour: &str) -> Vec<String> {
        let folder = self.folder.path().display();
        let log = self.log().display().to_string();
        let runner = env!("CARGO_BIN_EXE_winic-runner").to_owned();
        let variables = [
            format!("LD_LIBRARY_PATH={folder}"),
            format!("WINIC_STUB={behaviour}"),
            format!("WINIC_STUB_LOG={log}"),
        ];
        [vec!["env".to_owned()], variables.to_vec(), vec![runner]].concat()
    }

    fn open(&self, choice: &str, behaviour: &str) -> Result<GpuDevice, DeviceError> {
        let choice = GpuChoice::read(choice).unwrap();
        GpuDevice::start(choice, Some(&self.words(behaviour)), Duration::from_secs(60))
    }

    fn calls(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.log()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

fn launch(symbol: &str) -> GpuLaunch {
    GpuLaunch {
        symbol: symbol.to_owned(),
        blocks: 2,
        threads: 64,
        bytes: 4 * 64,
        iterations: vec![100, 200],
        arguments: 2_u32.to_le_bytes().to_vec().into(),
        repetitions: 2,
        hold: 0,
        sample: None,
        product: None,
    }
}

fn job(launches: usize, limit: u32) -> GpuJob {
    let launches = (0..launches).map(|number| launch(&format!("kernel_{number}"))).collect();
    GpuJob { module: b"module".to_vec().into(), launches, limit }
}

/// What a job comes to: whether the module was ready, and each outcome in words.
fn outcome(device: &mut GpuDevice, job: &GpuJob) -> Result<Vec<String>, DeviceError> {
    let mut lines = Vec::new();
    device.run(job, &mut |reply| {
        lines.push(match reply {
            GpuReply::Facts(facts) => format!("facts {}", facts.name),
            GpuReply::Ready(module) => format!("ready {}", module.compiled.len()),
            GpuReply::Refused(reason) => format!("refused: {reason}"),
            GpuReply::Launched(GpuOutcome::Ran(run)) => {
                format!("ran {} times with {} registers", run.times.len(), run.registers)
            }
            GpuReply::Launched(GpuOutcome::Failed(words)) => format!("failed: {words}"),
            GpuReply::Launched(GpuOutcome::TimedOut(seconds)) => {
                format!("timed out after {seconds} s")
            }
            GpuReply::Launched(GpuOutcome::Crashed(signal)) => format!("crashed: {signal}"),
        });
    })?;
    Ok(lines)
}

#[test]
fn kernels_are_launched_and_their_memory_comes_back() {
    let libraries = Libraries::new();
    for (choice, compiled) in [("cuda", 64), ("hip:0", 0)] {
        let mut device = libraries.open(choice, "").unwrap();
        assert_eq!((device.facts().name.as_str(), device.facts().units), ("Stub GPU", 4));
        assert_eq!(device.facts().capability, (choice == "cuda").then_some(90));
        let lines = outcome(&mut device, &job(2, 5000)).unwrap();
        let ran = "ran 4 times with 40 registers".to_owned();
        assert_eq!(
            lines,
            ["facts Stub GPU".to_owned(), format!("ready {compiled}"), ran.clone(), ran]
        );
        // The same runner has more done.
        assert_eq!(outcome(&mut device, &job(1, 5000)).unwrap().len(), 3);
    }
}

/// The process that does the jobs of a runner: the one that notes its calls in a file.
fn child_of(log: &str) -> u32 {
    let processes = std::fs::read_dir("/proc").unwrap();
    let numbers = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let holds = |number: u32, file: &str, word: &str| {
        let bytes = std::fs::read(format!("/proc/{number}/{file}")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).contains(word)
    };
    let mut own = numbers
        .filter(|&number| holds(number, "cmdline", "--gpu-child") && holds(number, "environ", log));
    own.next().expect("a child lives on")
}

#[test]
fn a_child_that_dies_with_nothing_to_do_spoils_no_job() {
    let libraries = Libraries::new();
    let mut device = libraries.open("cuda", "").unwrap();
    let before = outcome(&mut device, &job(1, 5000)).unwrap();
    let child = child_of(&libraries.log().display().to_string());
    Command::new("kill").args(["-9", &child.to_string()]).status().unwrap();
    // (Until it is gone: what it is told may still find its pipe open.)
    while std::fs::read_to_string(format!("/proc/{child}/stat")).is_ok_and(|it| !it.contains(") Z"))
    {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(outcome(&mut device, &job(1, 5000)).unwrap(), before);
}

/// Whatever call fails, the next job of a runner is done, and the reason is one line with the call in it.
#[test]
fn each_call_may_fail_in_turn() {
    let libraries = Libraries::new();
    for choice in ["cuda", "hip"] {
        let _ = std::fs::remove_file(libraries.log());
        let mut device = libraries.open(choice, "").unwrap();
        outcome(&mut device, &job(1, 5000)).unwrap();
        drop(device);
        let names: BTreeSet<String> = libraries.calls().into_iter().collect();
        std::fs::remove_file(libraries.log()).unwrap();
        assert!(names.len() >= 15, "{names:?}");
        for name in &names {
            let behaviour = format!("fail:{name}:1");
            let mut device = match libraries.open(choice, &behaviour) {
                Ok(device) => device,
                Err(DeviceError::Refused(reason)) => {
                    assert!(reason.starts_with(&format!("{name}: error 700 (")), "{reason}");
                    assert!(!reason.contains('\n'), "{reason}");
                    continue;
                }
                Err(error) => panic!("{name}: {error}"),
            };
            let lines = outcome(&mut device, &job(2, 5000)).unwrap();
            let said = lines
                .iter()
                .find(|line| line.contains(": error 700"))
                .unwrap_or_else(|| panic!("{name}: {lines:?}"));
            assert!(said.contains(name.as_str()) && !said.contains('\n'), "{name}: {said}");
            // A launch that failed costs that launch: each child meets the failure again.
            let launches =
                lines.iter().filter(|line| line.starts_with("failed") || line.starts_with("ran"));
            let is_refused = lines.iter().any(|line| line.starts_with("refused"));
            assert!(is_refused || launches.count() == 2, "{name}: {lines:?}");
        }
    }
}

#[test]
fn the_compiler_s_words_come_through() {
    let libraries = Libraries::new();
    let mut device = libraries.open("cuda", "fail:cuLinkAddData_v2:1").unwrap();
    let lines = outcome(&mut device, &job(1, 5000)).unwrap();
    assert!(lines[1].ends_with("ptxas: line 7: unknown instruction"), "{lines:?}");
}

#[test]
fn what_hangs_is_ended_and_the_rest_is_done() {
    let libraries = Libraries::new();
    for (choice, name) in [("cuda", "cuEventSynchronize"), ("hip", "hipEventSynchronize")] {
        // Of three launches of six calls each the second hangs; in a new child the third is the first.
        let mut device = libraries.open(choice, &format!("hang:{name}:8")).unwrap();
        let begin = Instant::now();
        let lines = outcome(&mut device, &job(3, 1000)).unwrap();
        assert!(begin.elapsed() < Duration::from_secs(20));
        let ran = "ran 4 times with 40 registers";
        assert_eq!(lines[2..], [ran, "timed out after 1 s", ran], "{choice}");
        let mut device = libraries.open(choice, &format!("crash:{name}:8")).unwrap();
        let lines = outcome(&mut device, &job(3, 5000)).unwrap();
        assert_eq!(lines[2..], [ran, "crashed: 6", ran], "{choice}");
    }
    // Before there is a module nothing else is to be hoped for.
    let mut device = libraries.open("cuda", "hang:cuModuleLoadData:1").unwrap();
    let error = outcome(&mut device, &job(1, 500)).unwrap_err();
    assert_eq!(error.to_string(), "the runner reports: the driver did not answer for 500ms");
    let mut device = libraries.open("cuda", "crash:cuModuleLoadData:1").unwrap();
    let error = outcome(&mut device, &job(1, 5000)).unwrap_err();
    assert_eq!(error.to_string(), "the runner reports: the driver died of signal 6");
}

#[test]
fn garbage_is_told_from_answers() {
    let libraries = Libraries::new();
    let mut device = libraries.open("cuda", "garbage").unwrap();
    // The name has no end, and is no text.
    assert!(device.facts().name.len() < 2000);
    let lines = outcome(&mut device, &job(1, 5000)).unwrap();
    assert_eq!(lines[1], format!("refused: cuLinkComplete: a module of {} bytes", usize::MAX));
    let mut device = libraries.open("hip", "garbage").unwrap();
    let lines = outcome(&mut device, &job(1, 5000)).unwrap();
    assert_eq!(lines[2], "failed: hipEventElapsedTime: -1 ms");
}

#[test]
fn power_is_sampled_while_a_kernel_is_held() {
    let libraries = Libraries::new();
    for (choice, watts) in [("cuda", 300.0), ("hip", 250.0)] {
        let mut device = libraries.open(choice, "").unwrap();
        let held = GpuLaunch { hold: 200, sample: Some(10), ..launch("kernel") };
        let job = GpuJob { launches: vec![held], ..job(0, 5000) };
        let mut samples = Vec::new();
        let deliver = &mut |reply| {
            if let GpuReply::Launched(GpuOutcome::Ran(run)) = reply {
                samples = run.power;
            }
        };
        device.run(&job, deliver).unwrap();
        assert!(
            samples.len() >= 5 && samples.iter().all(|sample| sample.watts == watts),
            "{samples:?}"
        );
        assert!(samples.is_sorted_by(|a, b| a.at < b.at));
        assert_eq!(samples[0].clock, (choice == "cuda").then_some(1755.0));
    }
}

#[test]
fn a_missing_driver_is_one_line() {
    let runner = vec![env!("CARGO_BIN_EXE_winic-runner").to_owned()];
    for (choice, words) in [
        (
            "cuda",
            "no CUDA driver: libcuda.so.1 not found; install NVIDIA's driver, or name another machine with --runner",
        ),
        (
            "hip",
            "no HIP driver: libamdhip64.so not found; install AMD's ROCm runtime, or name another machine with --runner",
        ),
    ] {
        let choice = GpuChoice::read(choice).unwrap();
        match GpuDevice::start(choice, Some(&runner), Duration::from_secs(60)) {
            Err(DeviceError::Refused(reason)) => assert_eq!(reason, words),
            Err(error) => panic!("{error}"),
            Ok(_) => eprintln!("skipped: there is a {choice} driver here"),
        }
    }
    let libraries = Libraries::new();
    let error = libraries.open("cuda:3", "").err().unwrap().to_string();
    assert_eq!(
        error,
        "the runner reports: there is no CUDA device 3: the driver counts 1, from 0 on"
    );
}

#[test]
fn the_command_line_of_a_runner_names_its_gpu() {
    let runner = env!("CARGO_BIN_EXE_winic-runner");
    let wrong = Command::new(runner).args(["--gpu", "vulkan"]).output().unwrap();
    assert!(!wrong.status.success());
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("`vulkan` is no value for --gpu"));
    assert_eq!(PROTOCOL, 5, "a request of its own kind needs no other version");
}
