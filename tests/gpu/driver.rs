//! A whole run against drivers' libraries without a GPU.

use std::process::{Command, Output};

use crate::libraries::Libraries;

fn winic(libraries: Option<&Libraries>, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
    let folder = tempfile::tempdir().unwrap();
    // (Kernels of forms that are named go into the directory that it is run in.)
    command.current_dir(folder.path());
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
    // Where it comes from stands beside it.
    let database = winic::database::Database::parse(&yaml).unwrap();
    let latency = database.measurements().latency.unwrap();
    assert_eq!(latency.cpu.as_deref(), Some("Stub GPU"));
    assert!(latency.system.unwrap().contains(", CUDA "), "{yaml}");
    assert!(latency.command.unwrap().starts_with("winic --device cuda ALL -i mma"), "{yaml}");
    let opcode = "V_MFMA_F32_16X16X16F16_gfx90a_acd";
    let arguments = ["--device", "hip", "-c", "gfx90a", "LAT", "-i", opcode, "--csv"];
    let output = winic(Some(&libraries), &[], &arguments);
    assert!(text(&output).contains("latency,3,0,32,32"), "{}", text(&output));
    // One process does all forms while none of them fails.
    let forms = "mma.sync.aligned.m16n8k16.row.col.f32.*16.*16.f32";
    let before = libraries.count("cuInit");
    let output = winic(Some(&libraries), &[], &["--device", "cuda", "LAT", "-i", forms, "--csv"]);
    assert!(text(&output).contains("bf16.bf16.f32,mma,latency,3,0,32,32"), "{}", text(&output));
    assert_eq!(libraries.count("cuInit") - before, 1);
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

#[test]
fn libraries_multiply() {
    let libraries = Libraries::new();
    let run = |device: &[&str], blas: &str, arguments: &[&str]| {
        let sweep = ["SWEEP", "products", "--largest", "64"];
        let all = [&["--device"], device, &sweep, arguments].concat();
        winic(Some(&libraries), &[("WINIC_STUB_BLAS", blas)], &all)
    };
    let all = run(&["cuda"], "", &["--tsv", "-"]);
    let said = text(&all);
    let rows = said.lines().filter(|line| line.ends_with("\tTFLOPS\t"));
    assert!(all.status.success() && rows.count() == 15, "{said}");
    for device in [&["cuda"][..], &["hip", "-c", "gfx90a"]] {
        let said = text(&run(device, "", &["-i", "HSS"]));
        assert!(said.contains("products of HSS: ") && said.contains("TFLOPS at N = 64"), "{said}");
        assert!(said.contains("has them do 97.7 %"), "{said}");
        let said = text(&run(device, "", &["-i", "HGEMM"]));
        assert!(said.contains("has them do 0.0 %"), "{said}");
        let wrong = run(device, "wrong", &["-i", "DGEMM"]);
        let said = text(&wrong);
        assert!(said.contains("wrong result: 0.1 instead of 0.1112"), "{said}");
        assert_eq!(wrong.status.code(), Some(1));
        assert!(text(&run(device, "create", &["-i", "SGEMM"])).contains(": error 1]"));
        assert!(text(&run(device, "multiply", &["-i", "SGEMM"])).contains(": error 13]"));
    }
    let wrong = run(&["cuda"], "", &["-i", "CGEMM"]);
    assert!(
        text(&wrong).contains("there is no routine 'CGEMM'; there are SGEMM"),
        "{}",
        text(&wrong)
    );
    // Beside what was measured of the units.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gpu.yaml").display().to_string();
    let amd = ["hip", "-c", "gfx90a"];
    let form = "V_MFMA_F32_16X16X16F16_gfx90a_acd";
    let sweep = ["SWEEP", "wavefronts", "-i", form, "-o", &file, "--noReport"];
    let arguments = [&["--device"], &amd[..], &sweep].concat();
    assert!(winic(Some(&libraries), &[], &arguments).status.success());
    let said = text(&run(&amd, "", &["-i", "HSS", "-o", &file, "--noReport"]));
    assert!(said.contains(&format!("that {form} was measured to reach")), "{said}");
}

#[test]
fn options_of_cores_are_refused_and_kernels_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let kernels = folder.path().join("kernels").display().to_string();
    let said = |arguments: &[&str]| {
        let output = winic(None, &[], &[&["--device", "mca:gfx90a"], arguments].concat());
        (output.status.code(), text(&output))
    };
    for (arguments, why) in [
        (&["-f", "3", "LAT"][..], "a GPU's kernels read its clock themselves: leave -f out"),
        (&["LAT", "--minOpcode", "3"], "leave --minOpcode out"),
        (&["LAT", "--resume", "-o", "x.yaml"], "leave --resume out"),
        (&["LAT", "--x87FP"], "leave --x87FP out"),
        (&["--noTiming", "LAT"], "leave --noTiming out"),
        (&["-m", "x86_64", "LAT"], "gfx90a is a GPU of amdgcn, not of x86_64"),
    ] {
        let (status, said) = said(arguments);
        assert!(status == Some(2) && said.contains(why), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let form = "V_MFMA_F32_32X32X8F16_gfx90a_acd";
    let stop = |stage: &str| said(&["LAT", "-i", form, "--stop-after", stage, "--asm", &kernels]);
    assert!(stop("forms").1.contains("32x32x8"));
    assert_eq!(stop("plan").1.lines().count(), 3);
    let (status, said) = stop("kernels");
    assert!(status == Some(0) && said.lines().count() == 3, "{said}");
    let text = std::fs::read_to_string(said.lines().next().unwrap()).unwrap();
    assert_eq!(text.matches("v_mfma_f32_32x32x8f16").count(), 16, "{text}");
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
