//! What a run found says the same again: recorded runs are concluded without any machine.
#![cfg(feature = "llvm")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A run of everything on the continuous integration's machine, a Zen 4, recorded before planning
/// became a function of what is known.
const RECORDED: &str = "tests/data/evidence/znver4.evidence";
/// What follows from it; BLESS=1 writes it anew.
const CONCLUDED: &str = "tests/data/evidence/znver4.yaml.zst";

fn winic(directory: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
    command.current_dir(directory).env("WINIC_RUNNER", env!("CARGO_BIN_EXE_winic-runner"));
    command.args(line.split_whitespace()).output().expect("winic runs")
}

fn succeeds(directory: &Path, line: &str) -> String {
    let output = winic(directory, line);
    assert!(output.status.success(), "{line}: {}", error(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The one line that says why a line is not done.
fn refusal(directory: &Path, line: &str) -> String {
    let output = winic(directory, line);
    assert_eq!(output.status.code(), Some(2), "{line}: {}", error(&output));
    let said = error(&output);
    assert_eq!(said.trim_end().lines().count(), 1, "{line}: {said}");
    said
}

fn place() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

fn read(directory: &Path, name: &str) -> String {
    fs::read_to_string(directory.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

const SIMULATED: &str = "--device mca:znver4 ALL -i ADD64rr IMUL64rr --noAsm --noReport -o";

#[test]
fn a_recorded_run_comes_to_the_same_database() {
    let place = place();
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join(RECORDED);
    let line = format!("conclude {} -o again.yaml --noReport", recorded.display());
    succeeds(place.path(), &line);
    let again = read(place.path(), "again.yaml");
    let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join(CONCLUDED);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&expected, zstd::encode_all(again.as_bytes(), 19).unwrap()).unwrap();
    }
    let expected = zstd::decode_all(&*fs::read(expected).unwrap()).unwrap();
    let expected = String::from_utf8(expected).unwrap();
    let differ =
        again.lines().zip(expected.lines()).enumerate().filter(|(_, (now, then))| now != then);
    let differ: Vec<String> = differ
        .take(20)
        .map(|(line, (now, then))| format!("line {}: {now:?}, was {then:?}", line + 1))
        .collect();
    assert!(again == expected, "it says something else now:\n{}", differ.join("\n"));
}

#[test]
fn a_run_keeps_what_its_database_follows_from() {
    let place = place();
    succeeds(place.path(), &format!("{SIMULATED} cpu.yaml"));
    let kept = fs::read(place.path().join("cpu.evidence")).unwrap();
    succeeds(place.path(), "conclude cpu.evidence -o again.yaml --noReport");
    assert_eq!(read(place.path(), "again.yaml"), read(place.path(), "cpu.yaml"));
    let table = succeeds(place.path(), "conclude cpu.evidence --table");
    assert!(table.contains("IMUL64rr"), "{table}");
    // What was asked is asked again: one account is left of it.
    succeeds(place.path(), &format!("{SIMULATED} cpu.yaml"));
    let again = fs::read(place.path().join("cpu.evidence")).unwrap();
    let size = |bytes: &[u8]| zstd::decode_all(bytes).unwrap().len();
    assert_eq!(size(&again), size(&kept));
}

#[test]
fn what_several_runs_found_is_concluded_together() {
    let place = place();
    let run = |name: &str, output: &str| {
        let line = format!("--device mca:znver4 ALL -i {name} --noAsm --noReport -o {output}");
        succeeds(place.path(), &line);
    };
    run("ADD64rr", "both.yaml");
    run("IMUL64rr", "both.yaml");
    run("ADD64rr", "add.yaml");
    run("IMUL64rr", "imul.yaml");
    let names = |line: &str| -> Vec<String> {
        let csv = succeeds(place.path(), line);
        csv.lines().skip(1).map(str::to_owned).collect()
    };
    let in_one = names("conclude both.evidence --csv");
    assert!(in_one.iter().any(|line| line.starts_with("ADD64rr,")), "{in_one:?}");
    assert!(in_one.iter().any(|line| line.starts_with("IMUL64rr,")), "{in_one:?}");
    assert_eq!(names("conclude add.evidence imul.evidence --csv"), in_one);
    let bytes = ["add", "imul"].map(|name| fs::read(place.path().join(format!("{name}.evidence"))));
    let joined = bytes.map(Result::unwrap).concat();
    fs::write(place.path().join("joined.evidence"), joined).unwrap();
    assert_eq!(names("conclude joined.evidence --csv"), in_one);
}

#[test]
fn evidence_of_another_machine_is_left_alone() {
    let place = place();
    succeeds(place.path(), &format!("{SIMULATED} cpu.yaml"));
    let skylake = SIMULATED.replace("znver4", "skylake");
    succeeds(place.path(), &format!("{skylake} other.yaml"));
    let said = refusal(place.path(), "conclude cpu.evidence other.evidence --table");
    assert!(said.contains("skylake, not znver4"), "{said}");
    fs::rename(place.path().join("other.evidence"), place.path().join("new.evidence")).unwrap();
    let before = fs::read(place.path().join("new.evidence")).unwrap();
    let said = refusal(place.path(), &format!("{SIMULATED} new.yaml"));
    assert!(said.contains("--noEvidence"), "{said}");
    assert_eq!(fs::read(place.path().join("new.evidence")).unwrap(), before);
    succeeds(place.path(), &format!("{SIMULATED} new.yaml --noEvidence"));
    assert_eq!(fs::read(place.path().join("new.evidence")).unwrap(), before);
}

#[test]
fn what_is_no_evidence_or_damaged_is_refused_in_a_line() {
    let place = place();
    succeeds(place.path(), &format!("{SIMULATED} cpu.yaml"));
    let whole = fs::read(place.path().join("cpu.evidence")).unwrap();
    let text = zstd::decode_all(&*whole).unwrap();
    let packed = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
    let text = String::from_utf8(text).unwrap();
    let of_later = text.replacen("{\"format\":1", "{\"format\":9", 1);
    let of_tables = text.replacen("\"tables\":\"", "\"tables\":\"0", 1);
    let of_question = text.replacen("[\"throughput\"", "[\"charm\"", 1);
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 0x10;
    for (bytes, why) in [
        (b"instructions: []\n".to_vec(), "no evidence"),
        (Vec::new(), "no evidence"),
        (whole[..whole.len() / 2].to_vec(), "damaged"),
        (flipped, "damaged"),
        (packed("[1]\n"), "no evidence"),
        (packed(&text[..text.len() - 9]), "its end is missing"),
        (packed(&of_later), "its format is 9, and this winic reads 1"),
        (packed(&of_tables), "use the one that wrote it"),
        (packed(&of_question), "knows no question 'charm'"),
    ] {
        fs::write(place.path().join("bad.evidence"), bytes).unwrap();
        let said = refusal(place.path(), "conclude bad.evidence --table");
        assert!(said.contains(why), "{why}: {said}");
    }
    assert!(refusal(place.path(), "conclude cpu.evidence").contains("-o FILE"));
    assert!(refusal(place.path(), "conclude missing.evidence --table").contains("cannot read"));
    let said = refusal(place.path(), "conclude cpu.evidence -o cpu.evidence");
    assert!(said.contains("is read and written"), "{said}");
}

/// A page shows the kernel that a figure was read from, and its command comes to the figure again.
#[test]
fn pages_prove_their_figures() {
    let place = place();
    let folder = place.path();
    succeeds(folder, &format!("{SIMULATED} one.yaml"));
    succeeds(folder, "report one.yaml --evidence one.evidence -o pages");
    let kernels = read(folder, "pages/proofs/x86_64-imul.html");
    for said in ["Throughput: 1", "Latency 1 GR64 → 0 GR64: 3", ".rept", "imul"] {
        assert!(kernels.contains(said), "{said}: {kernels}");
    }
    let form = read(folder, "pages/forms/x86_64-imul.html");
    let (_, rest) =
        form.split_once("<article").and_then(|(_, it)| it.split_once("<code>")).expect("a command");
    let command = rest.split_once("</code>").expect("its end").0;
    let line = command.strip_prefix("winic ").expect("a command of winic's");
    succeeds(folder, &format!("{line} --noAsm -o again.yaml"));
    let same = winic(folder, "diff one.yaml again.yaml");
    let said = String::from_utf8_lossy(&same.stdout);
    assert!(same.status.success(), "{said}");
    assert!(said.starts_with("0 figures of 0 forms differ"), "{said}");
    // Evidence of another machine proves nothing here.
    for (model, file) in [("znver4", "zen"), ("skylake", "other")] {
        let line =
            format!("--device mca:{model} LAT -i VADDPDrr --noAsm --noReport -o {file}.yaml");
        succeeds(folder, &line);
    }
    let refused = refusal(folder, "report other.yaml --evidence one.evidence -o pages");
    assert!(refused.contains("one.evidence has simulated values of znver4"), "{refused}");
    let differs = winic(folder, "diff zen.yaml other.yaml -i VADDPDrr");
    assert_eq!(differs.status.code(), Some(1), "{}", String::from_utf8_lossy(&differs.stdout));
}
