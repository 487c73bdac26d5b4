//! Sweeps: the kernels of their grids, what LLVM's models give back, and what they show on this machine.
#![cfg(feature = "llvm")]

#[path = "../support/dataflow.rs"]
#[allow(dead_code)]
mod dataflow;
mod kernels;
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;

use std::path::Path;
use std::process::{Command, Output};

use winic::database::{Database, Sweep, SweepKind};

fn winic(place: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
    command.current_dir(place).env("WINIC_RUNNER", env!("CARGO_BIN_EXE_winic-runner"));
    command.args(words.split_whitespace()).output().expect("winic runs")
}

/// The sweeps of a run that was possible, whether or not all forms have values.
fn swept(words: &str) -> Vec<Sweep> {
    let place = tempfile::tempdir().expect("a temporary directory");
    let output = winic(place.path(), &format!("SWEEP {words} -o out.yaml --noReport --noAsm"));
    let was_possible = matches!(output.status.code(), Some(0 | 1));
    assert!(was_possible, "{words}: {}", String::from_utf8_lossy(&output.stderr));
    Database::read(&place.path().join("out.yaml")).expect("a database").sweeps()
}

fn skips_elsewhere() -> bool {
    let elsewhere = cfg!(not(target_arch = "x86_64"));
    if elsewhere {
        println!("skipped: the forms are those of x86-64");
    }
    elsewhere
}

#[test]
fn a_model_s_latencies_and_intervals_come_back() {
    let sweeps = swept(
        "accumulators -c znver4 -m x86_64 --device mca -i VFMADD231PDYr IMUL64rr VDIVPDYrr ADC64rr",
    );
    let fitted = |sweep: &Sweep| {
        ["latency", "interval", "saturating"].map(|name| sweep.fitted(name).unwrap_or(f64::NAN))
    };
    assert_eq!(fitted(&sweeps[0]), [4.0, 0.5, 8.0]);
    assert_eq!(fitted(&sweeps[1]), [3.0, 1.0, 3.0]);
    assert_eq!(fitted(&sweeps[2]), [13.0, 5.0, 3.0]);
    let reason = "each instance waits for the one before through a register that it reads unnamed";
    assert_eq!((sweeps[3].has_value(), sweeps[3].status.as_deref()), (false, Some(reason)));
}

/// On every core a multiplication takes longer in a chain than beside others, and so many chains as its
/// latency has intervals keep its unit busy.
#[test]
fn accumulators_of_this_machine_saturate() {
    if skips_elsewhere() {
        return;
    }
    let sweeps = swept("accumulators -i IMUL64rr");
    let fitted = |name| sweeps[0].fitted(name).unwrap_or_else(|| panic!("{name} of {sweeps:?}"));
    let (latency, interval, count) = (fitted("latency"), fitted("interval"), fitted("saturating"));
    assert!(latency > interval, "{latency} and {interval}");
    assert!((count - latency / interval).abs() <= 1.0, "{latency} / {interval}: {count}");
    // A chain of one accumulator is the latency.
    let one = sweeps[0].points[0].cycles.expect("a point");
    assert!((one / latency - 1.0).abs() < 0.03, "{one} and {latency}");
}

#[test]
fn additions_of_vectors_have_no_bank_conflicts() {
    if skips_elsewhere() {
        return;
    }
    let sweeps = swept("registers -i VADDPSrr");
    assert_eq!(sweeps[0].kind, SweepKind::Registers);
    let finding = sweeps[0].finding.as_deref().expect("a finding");
    assert!(finding.starts_with("no conflict"), "{finding}");
}

#[test]
fn states_are_entered_and_left_between_instructions() {
    if skips_elsewhere() {
        return;
    }
    let sweeps = swept("transition -i VADDPSrr --state mxcsr --most 32");
    let [sweep] = &sweeps[..] else { panic!("{sweeps:?}") };
    assert_eq!(sweep.setting.as_deref(), Some("mxcsr"));
    let (cost, each) =
        (sweep.fitted("cost").expect("a cost"), sweep.fitted("each").expect("a rate"));
    assert!(cost > 1.0 && each > 0.1 && each < 4.0, "{cost} and {each}");
    let cycles: Vec<f64> = sweep.points.iter().filter_map(|point| point.cycles).collect();
    assert!(cycles.last() > cycles.first(), "{cycles:?}");
}

#[test]
fn a_sweep_has_a_table_a_picture_and_evidence() {
    if skips_elsewhere() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary directory");
    let run = |words: &str| {
        let output = winic(place.path(), words);
        assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let table = run(
        "SWEEP accumulators --most 4 -i IMUL64rr -o out.yaml --noReport --noAsm --tsv - --svg out.svg",
    );
    let head = "forms\tsetting\taccumulators\tcycles\tuncertainty\trate\trateUnit\tstatus";
    assert_eq!((table.lines().next(), table.lines().count()), (Some(head), 5));
    let picture = std::fs::read_to_string(place.path().join("out.svg")).expect("a picture");
    assert_eq!(picture.matches("<circle").count(), 4);
    // The file says it again, draws it again, and what it was concluded from gives it again.
    assert!(run("report out.yaml").contains("accumulators of IMUL64rr: latency"));
    run("plot out.yaml --svg again.svg");
    let again = std::fs::read_to_string(place.path().join("again.svg")).expect("a picture");
    assert_eq!(again, picture);
    run("conclude out.evidence -o again.yaml --noReport");
    let sweeps =
        |name: &str| Database::read(&place.path().join(name)).expect("a database").sweeps();
    assert_eq!(sweeps("again.yaml"), sweeps("out.yaml"));
}

#[test]
fn bad_grids_are_refused_in_a_line() {
    let place = tempfile::tempdir().expect("a temporary directory");
    for (words, said) in [
        ("SWEEP accumulators --most 0 -i IMUL64rr", "0 is not in 1..=64"),
        ("SWEEP accumulators -i IMUL64xx", "IMUL64xx"),
        ("SWEEP transition --state sme -i VADDPSrr", "no state 'sme'"),
        ("SWEEP turns -i IMUL64rr", "turns"),
        ("plot --svg x.svg missing.yaml", "missing.yaml"),
    ] {
        let output = winic(place.path(), words);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}: {error}");
        assert!(error.contains(said), "{words}: {error}");
    }
}
