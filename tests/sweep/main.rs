//! Sweeps: the kernels of their grids, what LLVM's models give back, and what they show on this machine.
#![cfg(feature = "llvm")]

#[path = "../support/dataflow.rs"]
#[allow(dead_code)]
mod dataflow;
mod kernels;
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

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
    undisturbed(|| {
        let sweeps = swept("accumulators -i IMUL64rr");
        let fitted =
            |name| sweeps[0].fitted(name).unwrap_or_else(|| panic!("{name} of {sweeps:?}"));
        let (latency, interval, count) =
            (fitted("latency"), fitted("interval"), fitted("saturating"));
        assert!(latency > interval, "{latency} and {interval}");
        assert!((count - latency / interval).abs() <= 1.0, "{latency} / {interval}: {count}");
        // A chain of one accumulator is the latency.
        let one = sweeps[0].points[0].cycles.expect("a point");
        assert!((one / latency - 1.0).abs() < 0.03, "{one} and {latency}");
        Ok(())
    });
}

#[test]
fn additions_of_vectors_have_no_bank_conflicts() {
    if skips_elsewhere() {
        return;
    }
    undisturbed(|| {
        let sweeps = swept("registers -i VADDPSrr");
        assert_eq!(sweeps[0].kind, SweepKind::Registers);
        let finding = sweeps[0].finding.as_deref().expect("a finding");
        assert!(finding.starts_with("no conflict"), "{finding}");
        Ok(())
    });
}

#[test]
fn states_are_entered_and_left_between_instructions() {
    if skips_elsewhere() {
        return;
    }
    undisturbed(|| {
        let sweeps = swept("transition -i VADDPSrr --state mxcsr --most 32");
        let [sweep] = &sweeps[..] else { panic!("{sweeps:?}") };
        assert_eq!(sweep.setting.as_deref(), Some("mxcsr"));
        let (cost, each) =
            (sweep.fitted("cost").expect("a cost"), sweep.fitted("each").expect("a rate"));
        assert!(cost > 1.0 && each > 0.1 && each < 4.0, "{cost} and {each}");
        let cycles: Vec<f64> = sweep.points.iter().filter_map(|point| point.cycles).collect();
        assert!(cycles.last() > cycles.first(), "{cycles:?}");
        Ok(())
    });
}

#[test]
fn all_loops_are_measured_once_and_predictions_are_held_against_those_unseen() {
    if skips_elsewhere() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary directory");
    let run = |words: &str| {
        let output = winic(place.path(), words);
        assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let forms = "ADD64rr IMUL64rr SUB64rr ADDPSrr MULPSrr PADDDrr";
    let options = "-o out.yaml --noReport --noAsm --noEvidence --svg out.svg";
    run(&format!("SWEEP sequences {options} -i {forms}"));
    let database = Database::read(&place.path().join("out.yaml")).expect("a database");
    let [sweep] = &database.sweeps()[..] else { panic!("one table for all forms") };
    // n, n (n + 1) / 2 and (n^3 + 2 n) / 3.
    assert_eq!(sweep.points.len(), 6 + 21 + 76);
    let cycles = |forms: &str| {
        let point = sweep.points.iter().find(|point| point.at[0].to_string() == forms);
        point.and_then(|point| point.cycles).unwrap_or_else(|| panic!("{forms}: {sweep:?}"))
    };
    // What works on one kind of register waits, what works on another one runs beside it.
    let [add, multiply] = ["ADD64rr", "IMUL64rr"].map(cycles);
    assert!((cycles("ADD64rr IMUL64rr") / (add + multiply) - 1.0).abs() < 0.1, "{sweep:?}");
    assert!(cycles("IMUL64rr PADDDrr") < multiply + 0.5, "{sweep:?}");
    let off = |model: &str| sweep.fitted(&format!("{model}.3.MAE (%)")).expect("errors");
    assert!(off("full") < off("base"), "{} and {}", off("full"), off("base"));
    let report = run("report out.yaml");
    for said in
        ["sequences of 6 forms: 6 keys", "unseen loops of 3     Base   Switch", "Exact int match"]
    {
        assert!(report.contains(said), "{said}: {report}");
    }
}

/// How often, and how long after each other, a test is tried.
const TRIES: u32 = 5;
const APART: Duration = Duration::from_secs(2);

/// Retries what another program on one of the cores may have disturbed, which is an error or a panic; what is
/// wrong stays wrong.
fn undisturbed(check: impl Fn() -> Result<(), String>) {
    let once = |number: u32| {
        std::thread::sleep(APART * number);
        let outcome = catch_unwind(AssertUnwindSafe(&check));
        outcome.unwrap_or_else(|_| Err("it panicked: see above".to_owned())).err()
    };
    let outcomes: Vec<String> = (0..TRIES).map_while(once).collect();
    assert!(outcomes.len() < TRIES as usize, "{outcomes:#?}");
}

#[test]
fn a_small_working_set_comes_from_the_first_cache() {
    if skips_elsewhere() {
        return;
    }
    undisturbed(|| {
        let sweeps = swept("bandwidth -i MOV64rm MOV64mr --working-set 512KiB");
        let [load, store] = &sweeps[..] else { panic!("{sweeps:?}") };
        let of_forms = [&load.forms[0], &store.forms[0]];
        assert_eq!(of_forms, ["MOV64rm", "MOV64mr"]);
        assert_eq!(
            (load.setting.as_deref(), store.setting.as_deref()),
            (Some("load"), Some("store"))
        );
        assert_eq!(load.points.len(), 15);
        for sweep in &sweeps {
            let first = sweep.fitted("bytesPerCycle1").ok_or("no level")?;
            // One to three accesses of eight bytes a cycle on every core there is.
            if !(6.0..=32.0).contains(&first) {
                return Err(format!("{first} bytes a cycle: {sweep:?}"));
            }
            // Every first cache has 16 KiB and more.
            if sweep.fitted("capacity1").is_some_and(|bytes| bytes < 16384.0) {
                return Err(format!("{sweep:?}"));
            }
            let rates = sweep.points.iter().filter_map(|point| point.rate);
            assert!(rates.count() > 10 && sweep.rate_unit.as_deref() == Some("GiB/s"));
        }
        Ok(())
    });
}

#[test]
fn copies_move_as_much_again_and_streams_divide_the_working_set() {
    if skips_elsewhere() {
        return;
    }
    let options = "--working-set 8KiB --copy --streams 2 --offset 4";
    let sweeps = swept(&format!("bandwidth -i MOV64rm ADD64rm {options}"));
    assert_eq!(sweeps[0].forms, ["MOV64rm", "MOV64mr"]);
    assert_eq!(sweeps[0].setting.as_deref(), Some("copy, 2 streams, offset 4"));
    let bytes: Vec<String> = sweeps[0].points.iter().map(|point| point.at[0].to_string()).collect();
    assert_eq!(bytes, ["4096", "6144", "8192"]);
    let refused = "it is no load or store of one register at a base and a displacement";
    assert_eq!(sweeps[1].status.as_deref(), Some(refused));
}

#[test]
fn cores_add_up_where_they_share_nothing() {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    if skips_elsewhere() || cores < 2 {
        println!("skipped: programs may use {cores} CPUs");
        return;
    }
    undisturbed(|| {
        let sweeps = swept("threads --threads 2 -i IMUL64rr");
        assert_eq!(sweeps[0].points.len(), 2);
        let cycles = |point: usize| sweeps[0].points[point].cycles.unwrap_or(f64::NAN);
        let factor = 2.0 * cycles(0) / cycles(1);
        // Two hardware threads of one core share its multiplier, two cores do not.
        let is_possible = (0.95..=1.1).contains(&factor) || (1.8..=2.1).contains(&factor);
        is_possible.then_some(()).ok_or_else(|| format!("{factor}: {sweeps:?}"))
    });
}

#[test]
fn a_sweep_has_a_table_a_picture_and_evidence() {
    if skips_elsewhere() {
        return;
    }
    undisturbed(|| {
        let place = tempfile::tempdir().expect("a temporary directory");
        let run = |words: &str| {
            let output = winic(place.path(), words);
            assert!(
                output.status.success(),
                "{words}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
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
        Ok(())
    });
}

#[test]
fn bad_grids_are_refused_in_a_line() {
    let place = tempfile::tempdir().expect("a temporary directory");
    for (words, said) in [
        ("SWEEP accumulators --most 0 -i IMUL64rr", "0 is not in 1..=64"),
        ("SWEEP accumulators -i IMUL64xx", "IMUL64xx"),
        ("SWEEP transition --state sme -i VADDPSrr", "no state 'sme'"),
        ("SWEEP threads --threads 0 -i IMUL64rr", "0 is not in 1.."),
        ("SWEEP threads --threads 100000 -i ADD64rr", "100000 threads, and this machine lets"),
        ("SWEEP bandwidth --working-set 1KiB -i MOV64rm", "4096 bytes at least"),
        ("SWEEP bandwidth --working-set 4EiB -i MOV64rm", "ask for less (--working-set)"),
        (
            "--device mca -m x86_64 -c znver4 SWEEP bandwidth -i MOV64rm",
            "this machine has 0 B for them",
        ),
        ("SWEEP bandwidth --working-set much -i MOV64rm", "much"),
        (
            "SWEEP accumulators --rates --svg x.svg -i POPCNT64rr",
            "counts the operations of POPCNT64rr",
        ),
        ("SWEEP sequences -i VADD* VMUL* VPADD*", "forms are too many: name 48 at most"),
        ("SWEEP sequences --length 5 -i ADD64rr", "5 is not in 1..=4"),
        ("SWEEP turns -i IMUL64rr", "turns"),
        ("plot --svg x.svg missing.yaml", "missing.yaml"),
    ] {
        let output = winic(place.path(), words);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}: {error}");
        assert!(error.contains(said), "{words}: {error}");
    }
}
