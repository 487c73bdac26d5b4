//! A whole run against drivers' libraries without a GPU.

use std::process::{Command, Output};

use crate::libraries::Libraries;

fn winic(libraries: Option<&Libraries>, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
    command.env("WINIC_RUNNER", env!("CARGO_BIN_EXE_winic-runner")).args(arguments);
    if let Some(libraries) = libraries {
        command.env("LD_LIBRARY_PATH", libraries.folder.path());
        command.env("WINIC_STUB_LOG", libraries.log());
    }
    command.envs(variables.iter().copied()).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

const FORM: &str = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

#[test]
fn without_a_driver_there_is_one_line() {
    for (device, cpu, line) in [
        ("cuda", "sm_90", "winic: no CUDA driver: libcuda.so.1 not found; install"),
        ("hip", "gfx90a", "winic: no HIP driver: libamdhip64.so not found; install"),
    ] {
        let output = winic(None, &[], &["--device", device, "-c", cpu, "LAT"]);
        if output.status.success() {
            eprintln!("skipped: there is a driver of {device} here");
            continue;
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with(line) && said.lines().count() == 1, "{said}");
    }
}

#[test]
fn figures_go_from_records_into_a_database() {
    let libraries = Libraries::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gpu.yaml").display().to_string();
    let output =
        winic(Some(&libraries), &[], &["--device", "cuda", "ALL", "-i", FORM, "-o", &file]);
    assert!(output.status.success(), "{}", text(&output));
    let yaml = std::fs::read_to_string(&file).unwrap();
    assert!(
        yaml.contains("microArchitecture: sm_90") && yaml.contains("sourceCpu: Stub GPU"),
        "{yaml}"
    );
    assert!(yaml.contains("latency: 32"), "{yaml}");
    let opcode = "V_MFMA_F32_16X16X16F16_gfx90a_acd";
    let arguments = ["--device", "hip", "-c", "gfx90a", "LAT", "-i", opcode, "--csv"];
    let output = winic(Some(&libraries), &[], &arguments);
    assert!(text(&output).contains("latency,3,0,32,32"), "{}", text(&output));
    // A chain that was none.
    let output = winic(Some(&libraries), &[("WINIC_STUB_SUM", "1")], &arguments);
    assert!(text(&output).contains("wrong result: 16000 instead of 256000"), "{}", text(&output));
}

#[test]
fn what_the_driver_refuses_is_said_in_its_words() {
    let libraries = Libraries::new();
    let run = |stub: &str| {
        let arguments = ["--device", "cuda", "LAT", "-i", FORM, "--csv"];
        text(&winic(Some(&libraries), &[("WINIC_STUB", stub)], &arguments))
    };
    for (stub, words) in [
        ("fail:cuLinkAddData_v2:1", "ptxas: line 7: unknown instruction"),
        (
            "fail:cuLaunchKernel:3",
            "cuLaunchKernel: error 700 (an illegal memory access was encountered)",
        ),
        ("crash:cuModuleLoadData:1", "the driver died of signal 6"),
    ] {
        let said = run(stub);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn wavefronts_are_swept() {
    let libraries = Libraries::new();
    let arguments = ["--device", "cuda", "SWEEP", "wavefronts", "-i", FORM, "--tsv", "-"];
    let output = winic(Some(&libraries), &[], &arguments);
    let said = text(&output);
    let rows = said.lines().filter(|line| line.contains(FORM)).count();
    assert!(output.status.success() && rows >= 32, "{said}");
}

/// The script for whoever has a GPU, as far as it comes in a few seconds.
#[test]
fn the_script_for_a_gpu_is_rehearsed() {
    let libraries = Libraries::new();
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/gpu-here");
    let run = |variables: &[(&str, &str)]| {
        let mut command = Command::new("bash");
        command.arg(script).arg("cuda").arg(&results);
        command.env("WINIC_PROGRAM", env!("CARGO_BIN_EXE_winic"));
        command.env("WINIC_RUNNER", env!("CARGO_BIN_EXE_winic-runner"));
        command.envs(variables.iter().copied()).output().unwrap()
    };
    let path = libraries.folder.path().display().to_string();
    let output = run(&[("LD_LIBRARY_PATH", &path), ("WINIC_GPU_SECONDS", "9")]);
    let said = text(&output);
    assert!(output.status.success() && said.contains("mma: done"), "{said}");
    let yaml = std::fs::read_to_string(results.join("gpu.yaml")).unwrap();
    assert!(yaml.contains("llvmName: mma.sync.aligned."), "{yaml}");
    // Without a driver every step says so.
    let output = run(&[("WINIC_GPU_SECONDS", "9")]);
    let said = text(&output);
    assert!(
        output.status.success() || said.contains("wavefronts: winic: no CUDA driver"),
        "{said}"
    );
}
