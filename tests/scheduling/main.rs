//! `winic export llvm` against LLVM itself: llvm-tblgen reads the model with the records of its target, and
//! the tables that it makes say of every opcode what the database does.
//!
//! The records come with `scripts/records`, llvm-tblgen with Debian's llvm-22.
#![cfg(feature = "llvm")]

#[path = "../support/command.rs"]
mod command;
mod expected;
mod models;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use command::winic;
use expected::Expectations;
use models::{AARCH64, CASES, Case, RISCV};
use tables::{Scheduled, Tables};
use winic::database::Database;

/// Where LLVM's records and its reader are; says why not.
fn records() -> Option<(PathBuf, PathBuf)> {
    let program = PathBuf::from("/usr/lib/llvm-22/bin/llvm-tblgen");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
    let records = target.join("records/llvm");
    if program.exists() && records.exists() {
        return Some((program, records));
    }
    let why = "LLVM's records are missing: scripts/records fetches them";
    assert!(std::env::var_os("CI").is_none(), "{why}");
    println!("skipped: {why}");
    None
}

/// Exports a database as a model, and says what winic says of it.
fn exported(place: &Path, text: &str) -> String {
    fs::write(place.join("cpu.yaml"), text).expect("a file");
    let (status, said, error) =
        winic(place, &["export", "llvm", "cpu.yaml", "-o", "model.td", "--as", "Own"]);
    assert_eq!((status, error.as_str()), (0, ""));
    said
}

/// The records of a target with a processor of the model; of other processors' models only the ones of a
/// target that has few of them.
fn processor(place: &Path, case: &Case, records: &Path) {
    let main = records.join(format!("lib/Target/{0}/{0}.td", case.target));
    let main = fs::read_to_string(main).expect("the records of the target");
    let is_other = |line: &&str| {
        let file = line.strip_prefix(&format!("include \"{}", case.target));
        let file = file.and_then(|rest| rest.strip_suffix(".td\""));
        file.is_some_and(|file| {
            let is_model = file.starts_with("Sched")
                && !file.starts_with("Schedule")
                && !file.starts_with("SchedPred");
            is_model || file == "Processors" || file == "PfmCounters"
        })
    };
    let kept = main.lines().filter(|line| case.whole || !is_other(line));
    let mut text = kept.collect::<Vec<_>>().join("\n");
    text += "\ninclude \"model.td\"\ndef : ProcessorModel<\"measured\", OwnModel, []>;\n";
    fs::write(place.join("processor.td"), text).expect("a file");
}

/// Starts llvm-tblgen.
fn tblgen(place: &Path, program: &Path, records: &Path, case: &Case, action: &str) -> Child {
    let mut command = Command::new(program);
    command.current_dir(place).arg(format!("-gen-{action}")).arg("processor.td");
    for folder in
        [".".into(), records.join("lib/Target").join(case.target), records.join("include")]
    {
        command.arg("-I").arg(folder);
    }
    command.arg("-o").arg(format!("{action}.inc")).stderr(Stdio::piped());
    command.spawn().expect("llvm-tblgen runs")
}

fn tables(place: &Path, program: &Path, records: &Path, case: &Case) -> Tables {
    processor(place, case, records);
    let actions = ["subtarget", "instr-info"];
    let running = actions.map(|action| tblgen(place, program, records, case, action));
    for child in running {
        let output = child.wait_with_output().expect("it ends");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {error}", case.target);
        assert_eq!(error, "", "{}", case.target);
    }
    let [subtarget, instructions] = actions
        .map(|action| fs::read_to_string(place.join(format!("{action}.inc"))).expect("tables"));
    Tables::parse(&subtarget, &instructions, "OwnModel")
}

#[test]
fn llvms_tables_say_of_every_opcode_what_the_database_does() {
    let Some((program, records)) = records() else { return };
    for case in CASES {
        let place = tempfile::tempdir().expect("a directory");
        let text = case.text();
        exported(place.path(), &text);
        let tables = tables(place.path(), &program, &records, case);
        let database = Database::parse(&text).expect("a database");
        let expectations = Expectations::new(&database, case);
        let held = expectations.hold(&tables);
        println!("{}: {held} opcodes", case.target);
        assert!(held >= case.least, "{}: {held} opcodes", case.target);
        for (field, value) in case.fields {
            assert_eq!(tables.fields.get(*field), Some(value), "{}: {field}", case.target);
        }
    }
}

#[test]
fn what_forwards_results_is_told_apart() {
    let Some((program, records)) = records() else { return };
    let case = CASES.iter().find(|case| case.target == "AArch64").expect("a case");
    let place = tempfile::tempdir().expect("a directory");
    exported(place.path(), AARCH64);
    let tables = tables(place.path(), &program, &records, case);
    let found = |name| tables.scheduled(name).expect(name);
    let (madd, fmla, other, add) =
        (found("MADDXrrr"), found("FMLAv2f64"), found("FMLAv4f32"), found("ADDXrs"));
    // Cycles that the addend is read later, by who computed it.
    let behind = |reader: &Scheduled, at: usize, writer: &Scheduled| {
        reader.advances_behind.get(&(at, writer.writes[0])).copied()
    };
    assert_eq!(behind(&madd, 2, &madd), Some(2));
    assert_eq!(behind(&fmla, 0, &fmla), Some(2));
    assert_eq!(behind(&other, 0, &other), Some(2));
    for writer in [&madd, &other, &add] {
        assert_eq!(behind(&fmla, 0, writer), None);
    }
    assert_eq!(add.writes, [0]);
}

#[test]
fn a_model_is_the_same_each_time_and_goes_to_standard_output_too() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path();
    exported(path, AARCH64);
    let model = fs::read_to_string(path.join("model.td")).expect("a model");
    exported(path, AARCH64);
    assert_eq!(fs::read_to_string(path.join("model.td")).expect("a model"), model);
    let (status, text, notes) = winic(path, &["export", "llvm", "cpu.yaml", "--as", "Own"]);
    assert_eq!((status, text), (0, model));
    assert!(notes.lines().all(|line| line.starts_with("note: ")), "{notes}");
    let (_, text, _) = winic(path, &["export", "llvm", "cpu.yaml"]);
    assert!(text.contains("def MeasuredNeoverseV2Model : SchedMachineModel {"), "{text}");
    let (status, _, error) = winic(path, &["export", "llvm", "cpu.yaml", "--as", "1.0"]);
    assert_eq!((status, error.lines().count()), (2, 1), "{error}");
}

#[test]
fn what_tablegen_cannot_say_is_counted() {
    let place = tempfile::tempdir().expect("a directory");
    let said = exported(place.path(), AARCH64);
    for line in models::AARCH64_LOSSES {
        assert!(said.contains(line), "{line}: {said}");
    }
    let said = exported(place.path(), RISCV);
    let line = "LLVM has no opcode for an addressing mode, a setting or a zero: 1 (VADD_VV@e32m2)";
    assert!(said.contains(line), "{said}");
}
