//! LLVM's scheduling model as a GPU: what the program prints, and the model's tables.

use std::collections::HashMap;
use std::process::Command;

use winic::codec::Codec as _;
use winic::gpu::amd::{AmdTarget, INSTANCES, RegisterNames, TARGETS, TRIPLE, kernel};
use winic::gpu::form::{ChainLink, Data, GpuExperiment};
use winic::llvm::{Loads, Simulator, TargetChoice};

use crate::open;

fn winic(arguments: &[&str]) -> (bool, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
    // (Kernels of forms that are named go into the directory that it is run in.)
    let output = command.current_dir(folder.path()).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

/// Cycles of the paper's table II, by opcode.
const PAPER: [(&str, f64); 5] = [
    ("V_MFMA_F32_32X32X2F32_gfx90a_acd", 64.0),
    ("V_MFMA_F32_16X16X4F32_gfx90a_acd", 32.0),
    ("V_MFMA_F32_32X32X8F16_gfx90a_acd", 64.0),
    ("V_MFMA_F32_16X16X16F16_gfx90a_acd", 32.0),
    ("V_MFMA_F64_16X16X4F64_gfx90a_acd", 32.0),
];

#[test]
fn the_model_has_the_paper_s_latencies() {
    let (is_good, text) = winic(&[
        "-m", "amdgcn", "-c", "gfx90a", "--device", "mca", "LAT", "-i", "V_MFMA_*", "--csv",
    ]);
    assert!(is_good, "{text}");
    for (opcode, cycles) in PAPER {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("{opcode},")) && line.contains(",latency,3,0,"));
        let line = line.unwrap_or_else(|| panic!("{opcode}: {text}"));
        assert!(line.contains(&format!(",{cycles},{cycles},")), "{line}");
    }
}

#[test]
fn placeholders_and_mistakes_are_said() {
    let (_, text) = winic(&[
        "-m",
        "amdgcn",
        "-c",
        "gfx1100",
        "--device",
        "mca",
        "TP",
        "-i",
        "V_WMMA_F32*",
        "--csv",
    ]);
    assert!(text.contains("failed: not covered by the scheduling model"), "{text}");
    let (is_good, text) = winic(&[
        "-m",
        "amdgcn",
        "-c",
        "gfx90a",
        "--device",
        "mca",
        "LAT",
        "-i",
        "V_MFMA_F32_32X32X8F16",
    ]);
    assert!(!is_good && text.contains("did you mean"), "{text}");
    let (is_good, text) = winic(&["-m", "amdgcn", "-c", "gfx9", "LAT"]);
    assert!(!is_good && text.contains("there are gfx908, gfx90a"), "{text}");
    let (is_good, text) = winic(&["--device", "cuda:x", "LAT"]);
    assert!(!is_good && text.contains("cuda[:N], hip[:N]"), "{text}");
}

/// Columns of the table of opcodes.
const TARGET: usize = 0;
const OPCODE: usize = 2;
const LATENCY: usize = 14;
const DEPENDENT: usize = 15;

#[test]
fn loops_take_what_the_model_s_tables_say() {
    let text = include_str!("../../reference/gpu/amdgpu-matrix-opcodes.tsv");
    let rows = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let table: HashMap<(&str, &str), Vec<&str>> =
        rows.map(|row| ((row[TARGET], row[OPCODE]), row)).collect();
    let cdna = TARGETS.into_iter().filter(|target| target.model_unit == Some(4));
    let cdna: Vec<AmdTarget> = cdna.collect();
    assert_eq!(cdna.len(), 4);
    let mut checked = 0;
    for target in cdna {
        let mut set = open(&target);
        let names = RegisterNames::of(&set.set);
        let (triple, cpu, features) = (TRIPLE.to_owned(), target.name.to_owned(), String::new());
        let mut model = Simulator::new(&TargetChoice { triple, cpu, features }, &[]).unwrap();
        let forms = std::mem::take(&mut set.forms);
        for form in forms.iter().filter(|form| form.product.is_some()) {
            let chain = GpuExperiment::Latency(ChainLink::Addend);
            let kernel = kernel((&set.set, &names), form, chain, Data::Ones).unwrap();
            let code: Vec<u8> =
                kernel.body.instances.iter().flat_map(|it| set.llvm.encode(it).unwrap()).collect();
            let steady = model.run_loop(&[], &code, Loads::GoAhead).unwrap();
            let units = steady.cycles as f64 / steady.iterations as f64 / f64::from(INSTANCES);
            let row = &table[&(target.name, form.name.as_str())];
            let of = |column: usize| row[column].parse::<f64>().unwrap();
            let own = model.model(&[], &kernel.body.instances[0]).unwrap();
            let latency = own.writes.iter().map(|write| write.latency()).max().unwrap();
            assert!(
                (units - of(DEPENDENT)).abs() < 0.01,
                "{} {}: {units} {row:?}",
                target.name,
                form.name
            );
            // (A class that depends on operands stands in the table as -1.)
            assert!(
                of(LATENCY) < 0.0 || f64::from(latency) == of(LATENCY),
                "{} {latency}",
                form.name
            );
            assert_eq!(units, f64::from(latency), "{} {}", target.name, form.name);
            checked += 1;
        }
    }
    assert_eq!(checked, 20 + 54 + 78 + 172);
}

#[test]
fn machines_of_files_are_swept() {
    let machine = concat!("scoreboard:", env!("CARGO_MANIFEST_DIR"), "/reference/gpu/mi250x.yaml");
    let (is_good, text) = winic(&["--device", machine, "SWEEP", "wavefronts"]);
    assert!(is_good && text.contains("all units are busy from 440 wavefronts on"), "{text}");
    let (is_good, text) = winic(&["--device", machine, "SWEEP", "power", "-i", "FP64<-FP64"]);
    assert!(is_good && text.contains("5.88 W for a TFLOPS above 130.0 W"), "{text}");
}
