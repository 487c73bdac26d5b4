//! Reports of databases: of an example, of what real machines gave, and of a run that has just
//! ended.

use std::fs;
use std::path::{Path, PathBuf};

use serde_yaml::Value;
use winic::database::{
    Cause, Circumstance, Database, Independence, LoopConflict, ValueStatus, WayBack,
};
use winic::report::findings;

fn at_root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn a_database_says_all_that_a_report_says() {
    let database = Database::read(&at_root("tests/data/report.yaml")).expect("a database");
    let expected = fs::read_to_string(at_root("tests/data/report.txt")).expect("a report");
    assert_eq!(findings::of(&database), expected);
}

/// What the texts of the example mean, which no text shows.
#[test]
fn texts_are_read_as_types() {
    let database = Database::read(&at_root("tests/data/report.yaml")).expect("a database");
    let entry = database.entry("ADD16rr").expect("an instruction");
    let edges = &entry.latency.operands;
    assert_eq!(edges[0].variants[0].variant, Circumstance::OneRegister);
    assert_eq!(edges[1].status, Some(ValueStatus::Contested));
    let forms = |way: &WayBack| way.0.iter().map(|helper| helper.form.clone()).collect::<Vec<_>>();
    assert_eq!(forms(&edges[1].helpers[0]), ["SETCCr", "MOVZX32rr8"]);
    assert_eq!(forms(&edges[1].helpers[1]), ["CMOV64rr"]);
    assert_eq!(edges[3].independence, Some(Independence::Proven));
    let cause = edges[4].status.as_ref().and_then(ValueStatus::cause);
    assert!(matches!(cause, Some(Cause::NoWayBack { .. })), "{cause:?}");
    assert!(matches!(entry.throughput.status, Some(ValueStatus::UnrollAnomaly { .. })));
    let conflicts = database.measurements().latency.expect("a run").conflicts;
    assert!(matches!(&conflicts[0], LoopConflict::Disagree { loops, .. } if loops.len() == 2));
    assert_eq!(conflicts[1], LoopConflict::Barriers);
}

/// Every text under some keys, wherever they are.
fn texts<'a>(value: &'a Value, keys: &[&str], out: &mut Vec<(String, &'a str)>) {
    match value {
        Value::Mapping(mapping) => {
            for (key, value) in mapping {
                let key = key.as_str().unwrap_or_default();
                let items = value.as_sequence().map_or(std::slice::from_ref(value), Vec::as_slice);
                let found = items.iter().filter_map(Value::as_str).filter(|_| keys.contains(&key));
                out.extend(found.map(|text| (key.to_owned(), text)));
                texts(value, keys, out);
            }
        }
        Value::Sequence(items) => items.iter().for_each(|item| texts(item, keys, out)),
        _ => {}
    }
}

/// What an instruction set says of its own chains, and what stood in the way of kernels.
const IN_WORDS: [&str; 7] = [
    "the x87 register stack moves",
    "the flags are undefined afterwards",
    "the body mixes vector encodings or configurations",
    "a second dependence through AX cannot be broken",
    "a second dependence through RAX cannot be broken",
    "a second dependence through FPCW cannot be broken",
    "a second dependence through FPSW cannot be broken",
];

#[test]
fn what_real_machines_gave_is_understood_and_written_back_word_for_word() {
    let keys = ["status", "throughputStatus", "latencyStatus", "helpers", "variant"];
    let folders = fs::read_dir(at_root("output")).expect("results");
    let files = folders.flat_map(|folder| fs::read_dir(folder.expect("a folder").path()).unwrap());
    let files = files.map(|file| file.expect("a file").path());
    let mut seen = 0;
    for path in files.filter(|path| path.extension().is_some_and(|end| end == "yaml")) {
        let text = fs::read_to_string(&path).expect("a database");
        let file: Value = serde_yaml::from_str(&text).expect("YAML");
        let mut found = Vec::new();
        texts(&file, &keys, &mut found);
        // (Of a GPU's kernels the driver's compiler says in its words what it made of them.)
        let is_of_gpu = file.get("isa").and_then(Value::as_str) == Some("nvptx64");
        for (key, text) in found {
            let own = || text.to_owned();
            let again = match key.as_str() {
                "helpers" => WayBack::from(own()).to_string(),
                "variant" => Circumstance::from(own()).to_string(),
                _ => {
                    let status = ValueStatus::from(own());
                    let in_words = matches!(status.cause(), Some(Cause::InWords(_)));
                    let may_be = is_of_gpu || IN_WORDS.contains(&text);
                    assert!(!in_words || may_be, "{key}: {text}");
                    status.to_string()
                }
            };
            assert_eq!(again, text, "{key}");
            seen += 1;
        }
    }
    assert!(seen > 1000, "{seen} texts in output/");
}

/// A run's report is made before its values are written with four decimals; of a model's values,
/// which are few and round, it is the same as that of the file.
#[cfg(feature = "llvm")]
#[test]
fn the_report_of_a_run_is_that_of_its_database() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let forms = ["ADC64rr", "DIV64r", "VADDPDrr", "XOR64rr", "CMOV64rr", "ADD_FrST0", "CMOVBE_F"];
    assert_cmd::Command::cargo_bin("winic")
        .expect("winic is built")
        .current_dir(folder.path())
        .args([
            "--device",
            "mca:skylake",
            "ALL",
            "-o",
            "new.yaml",
            "--report",
            "new.txt",
            "--noAsm",
        ])
        .arg("-i")
        .args(forms)
        .assert()
        .code(0);
    let database = Database::read(&folder.path().join("new.yaml")).expect("a database");
    let report = fs::read_to_string(folder.path().join("new.txt")).expect("a report");
    for said in ["conflict: ", "Limited from", "Combined result", "broken by"] {
        assert!(report.contains(said), "{said} is not in\n{report}");
    }
    assert_eq!(findings::of(&database), report);
}

/// The report as the command prints it.
#[cfg(feature = "llvm")]
mod command {
    use super::{at_root, fs};

    fn report(file: &str, arguments: &[&str]) -> assert_cmd::assert::Assert {
        let mut winic = assert_cmd::Command::cargo_bin("winic").expect("winic is built");
        winic.current_dir(at_root("tests/data")).args(["report", file]).args(arguments).assert()
    }

    #[test]
    fn it_is_the_whole_report_or_that_of_some_forms() {
        let expected = fs::read_to_string(at_root("tests/data/report.txt")).expect("a report");
        report("report.yaml", &[]).code(0).stdout(expected.clone());
        let some = report("report.yaml", &["-i", "ADD*"]).code(0);
        let some = String::from_utf8(some.get_output().stdout.clone()).expect("text");
        let paragraphs: Vec<&str> = some.lines().filter(|line| line.starts_with("---")).collect();
        assert_eq!(paragraphs, ["---ADD16rr----", "---ADD16rr----"], "{some}");
        assert!(some.lines().all(|line| expected.contains(line)), "{some}");
    }

    #[test]
    fn what_is_not_there_is_said_with_what_is_near() {
        let said = |file, arguments: &[&str]| {
            let refused = report(file, arguments).code(2).stdout("");
            String::from_utf8(refused.get_output().stderr.clone()).expect("text")
        };
        let unknown = said("report.yaml", &["-i", "ADD16rx"]);
        assert!(unknown.contains("'ADD16rx'; did you mean ADD16rr?"), "{unknown}");
        assert!(said("missing.yaml", &[]).contains("missing.yaml"));
        let folder = tempfile::tempdir().expect("a temporary directory");
        let empty = folder.path().join("empty.yaml");
        fs::write(&empty, "").expect("a file");
        let empty = said(empty.to_str().expect("a path"), &[]);
        assert!(empty.contains("holds nothing that was measured"), "{empty}");
    }
}
