//! The published schema of databases, held against what winic writes and has written, and against
//! what README says of the keys.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::Value;
use winic::database::SCHEMA_VERSION;

fn at_root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn schema() -> Value {
    let text = fs::read_to_string(at_root("schema/database.schema.json")).expect("a schema");
    serde_json::from_str(&text).expect("JSON")
}

fn validator() -> Validator {
    jsonschema::validator_for(&schema()).expect("a schema")
}

/// The first things about a text that the schema does not allow.
fn faults(validator: &Validator, text: &str) -> Vec<String> {
    let database: Value = serde_yaml::from_str(text).expect("YAML");
    let faults = validator.iter_errors(&database).take(5);
    faults.map(|fault| format!("{}: {fault}", fault.instance_path())).collect()
}

#[test]
fn what_real_machines_gave_keeps_to_the_schema() {
    let validator = validator();
    let mut files = 0;
    for folder in fs::read_dir(at_root("output")).expect("results") {
        for file in fs::read_dir(folder.expect("a folder").path()).expect("a folder") {
            let path = file.expect("a file").path();
            if path.extension().is_some_and(|extension| extension == "yaml") {
                let text = fs::read_to_string(&path).expect("a database");
                assert_eq!(faults(&validator, &text), [""; 0], "{}", path.display());
                assert!(!text.contains("command: /"), "{}: not as it is typed", path.display());
                files += 1;
            }
        }
    }
    assert!(files > 0, "no database in output/");
}

#[test]
fn an_example_of_every_key_keeps_to_the_schema() {
    let text = fs::read_to_string(at_root("tests/data/report.yaml")).expect("a database");
    assert_eq!(faults(&validator(), &text), [""; 0]);
}

#[test]
fn what_the_schema_does_not_know_is_not_allowed() {
    let validator = validator();
    let with_edge = |key: &str| {
        let edge = "sourceOperand: '0', targetOperand: '1', latencyMin: 1, latencyMax: 1";
        format!(
            "instructions: [{{llvmName: A, name: a, operands: [], latency: 1, throughput: 1, \
             throughputMin: 1, throughputMax: 1, operandLatencies: [{{{edge}, {key}}}]}}]"
        )
    };
    assert_eq!(faults(&validator, &with_edge("helpers: ['A (condition b), B']")), [""; 0]);
    let entry = "llvmName: A, name: a, operands: [], latency: 1, operandLatencies: [], \
                 throughput: 1, throughputMin: 1, throughputMax: 1";
    assert_eq!(faults(&validator, &format!("instructions: [{{{entry}}}]")), [""; 0]);
    for wrong in [
        format!("instructions: [{{{entry}, unknown: 1}}]"),
        "instructions: []\nunknown: 1".to_owned(),
        "instructions: [{llvmName: A}]".to_owned(),
        format!("instructions: []\nschemaVersion: {}", SCHEMA_VERSION + 1),
        "instructions: []\nmeasurement: {colour: {}}".to_owned(),
        "instructions: []\nmeasurement: {latency: {frequency: fast}}".to_owned(),
        format!("instructions: [{{{entry}, throughputBrokenBy: XOR64rr}}]"),
        format!("instructions: [{{{entry}, throughputStatus: contested}}]"),
        format!("instructions: [{{{entry}, throughputStatus: 'unroll anomaly: 1 by T(n)/n'}}]"),
        format!("instructions: [{{{entry}, latencyStatus: trap}}]"),
        format!("instructions: [{{{entry}, throughputBody: {{instances: 96, interval: 4}}}}]"),
        with_edge("status: 'failed: trap'"),
        with_edge("status: contested"),
        with_edge("helpers: ['A,B']"),
        with_edge("helpers: ['A (condition b']"),
        with_edge("limits: {below: measured}"),
        with_edge("limits: {below: measured, above: B cannot be faster}"),
        with_edge("llvmSource: EFLAGS"),
        "instructions: []\nmeasurement: {latency: {conflicts: [loops disagree]}}".to_owned(),
    ] {
        assert!(!faults(&validator, &wrong).is_empty(), "{wrong}");
    }
}

/// Every key says what it means, and every duration in what unit.
#[test]
fn every_key_is_described() {
    let schema = schema();
    let parts = schema["$defs"].as_object().expect("parts").values().chain([&schema]);
    for (key, property) in parts.flat_map(|part| part["properties"].as_object().expect("keys")) {
        let description = property["description"].as_str().unwrap_or_default();
        assert!(description.len() > 10 || property["$ref"].is_string(), "{key} is not described");
        let kinds = property["type"].as_array().into_iter().flatten();
        let is_number = kinds.into_iter().any(|kind| kind == "number") && key != "lmul";
        assert!(!is_number || description.contains("Unit: "), "{key} has no unit");
    }
}

/// The keys in the first column of README's table under a heading.
fn keys_in_readme(heading: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(at_root("README.md")).expect("README");
    let rows = text.lines().skip_while(|line| !line.starts_with(&format!("| {heading} |")));
    let first = rows.skip(2).map_while(|row| row.strip_prefix("| ")?.split(" | ").next());
    let names = first.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned));
    names.collect()
}

#[test]
fn readme_has_every_key() {
    let schema = schema();
    for (heading, pointer) in [
        ("Key of the file", "/properties"),
        ("Key of a run", "/$defs/measurement/properties"),
        ("Key of an instruction", "/$defs/instruction/properties"),
        ("Key of an operand latency", "/$defs/operandLatency/properties"),
    ] {
        let known = schema.pointer(pointer).and_then(Value::as_object).expect("keys");
        let known: BTreeSet<String> = known.keys().cloned().collect();
        assert_eq!(keys_in_readme(heading), known, "README's table '{heading}'");
    }
}

#[cfg(feature = "llvm")]
mod written_now {
    use super::*;
    use assert_cmd::Command;

    /// Measures forms on a CPU's model; returns the database.
    fn measured(cpu: &str, forms: &[&str]) -> String {
        let folder = tempfile::tempdir().expect("a temporary directory");
        // As the system tells a process where it is.
        let place = fs::canonicalize(folder.path()).expect("a directory");
        let device = format!("mca:{cpu}");
        let output = place.join("new.yaml");
        Command::cargo_bin("winic")
            .expect("winic is built")
            .current_dir(&place)
            // Whatever would run on this machine fails.
            .env("WINIC_RUNNER", "/nonexistent")
            .args(["--device", &device, "ALL", "--noReport", "-o"])
            .arg(&output)
            .arg("-i")
            .args(forms)
            .assert()
            .code(0);
        fs::read_to_string(output).expect("a database")
    }

    #[test]
    fn what_is_written_keeps_to_the_schema() {
        let validator = validator();
        for (cpu, forms) in [
            (
                "skylake",
                &["ADC64rr", "DIV64r", "VADDPDrr", "XOR64rr", "CMOV64rr", "ADD_FrST0", "CMOVBE_F"]
                    [..],
            ),
            ("neoverse-v2", &["ADDXri", "FADDDrr", "CSELXr"]),
            ("sifive-p670", &["ADD", "VADD_VV@e8m4", "VADD_VV@e32m1m", "FDIV_D"]),
        ] {
            let text = measured(cpu, forms);
            assert_eq!(faults(&validator, &text), [""; 0], "{cpu}:\n{text}");
            assert!(text.starts_with("---\nschemaVersion: 1\n"), "{text}");
        }
    }

    #[test]
    fn the_command_stands_there_as_it_is_typed() {
        let text = measured("skylake", &["ADD64rr"]);
        let command = "command: winic --device mca:skylake ALL --noReport -o new.yaml -i ADD64rr\n";
        assert_eq!(text.matches(command).count(), 2, "{text}");
    }

    #[test]
    fn a_database_of_a_newer_schema_is_refused_and_stays() {
        let place = tempfile::tempdir().expect("a temporary directory");
        let file = place.path().join("new.yaml");
        let text = "schemaVersion: 2\ninstructions: []\n";
        fs::write(&file, text).expect("a file");
        let run = ["--device", "mca:skylake", "TP", "-o", "new.yaml", "-i", "ADD64rr"];
        for arguments in [&run[..], &["compare", "new.yaml"]] {
            let mut command = Command::cargo_bin("winic").expect("winic is built");
            let output = command.current_dir(place.path()).args(arguments).output().expect("runs");
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{error}");
            assert!(error.contains("its schemaVersion is 2"), "{error}");
        }
        assert_eq!(fs::read_to_string(&file).expect("a file"), text);
    }
}
