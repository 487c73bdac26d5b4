//! What is said of the core itself: on this machine, and on models.
#![cfg(feature = "llvm")]

use std::path::Path;
use std::process::{Command, Output};

use winic::database::{Core, Database};

fn winic(directory: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
    command.current_dir(directory).env("WINIC_RUNNER", env!("CARGO_BIN_EXE_winic-runner"));
    let output = command.args(line.split_whitespace()).output().expect("winic runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{line}: {said}");
    output
}

fn place() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

fn read(directory: &Path, name: &str) -> (String, Core) {
    let text = std::fs::read_to_string(directory.join(name)).expect("a database");
    let core = Database::parse(&text).expect("a database").core().expect("a core");
    (text, core)
}

#[test]
#[cfg(target_arch = "x86_64")]
fn this_core_has_a_clock_a_cycle_and_a_front_end() {
    let place = place();
    let output = winic(place.path(), "CORE -o cpu.yaml --noReport");
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, core) = read(place.path(), "cpu.yaml");
    let gigahertz = core.frequency.expect("a clock");
    assert!((0.2..8.0).contains(&gigahertz), "{core:?}");
    assert!(lines.contains(&format!("frequency: {gigahertz:.3}")[..14]), "{lines}");
    let times = core.front_end;
    let [simplest, filler] = [times.simplest, times.filler].map(|it| it.expect("a time"));
    // Between one instruction a cycle and sixteen.
    assert!((0.05..1.1).contains(&simplest) && simplest <= filler, "{times:?}");
    // One of each length, all of them between those bounds and what a slow decoder takes.
    let lengths: Vec<u32> = times.fillers.iter().map(|filler| filler.bytes).collect();
    assert_eq!(lengths, (1..=15).collect::<Vec<_>>());
    let is_possible = |cycles: f64| (simplest * 0.9..20.0).contains(&cycles);
    assert!(times.fillers.iter().all(|it| it.cycles.is_some_and(is_possible)), "{times:?}");
    let single = core.reference_chains.iter().filter_map(|chain| chain.cycles);
    assert!(single.filter(|cycles| (cycles - 1.0).abs() < 0.05).count() >= 2, "no unit of time");
}

/// All cores of the last fifteen years guess, and take a comparison and its branch as one. While a core does other
/// work, guesses drown in its noise and places come out as no counts: neither is said then.
#[test]
#[cfg(target_arch = "x86_64")]
fn this_core_guesses_and_takes_a_comparison_and_its_branch_as_one() {
    let said = (0..5).find_map(|_| {
        let place = place();
        let output = winic(place.path(), "CORE -o cpu.yaml --noReport");
        let (_, core) = read(place.path(), "cpu.yaml");
        let pair = core.pairs.into_iter().find(|it| it.pair == "cmp, jcc")?;
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        Some((pair, core.wrong_guess?.penalty?, lines))
    });
    let Some((pair, penalty, lines)) = said else {
        println!("skipped: this core did other work in each of five runs");
        return;
    };
    assert!(pair.fused, "{pair:?}");
    assert!((2.0..200.0).contains(&penalty), "{penalty}");
    assert!(lines.contains("cmp, jcc: taken as one ("), "{lines}");
    assert!(lines.contains("wrong guess of a branch: "), "{lines}");
}

#[test]
fn what_a_run_found_of_a_core_is_concluded_again_and_stays_beside_other_values() {
    let place = place();
    winic(place.path(), "--device mca:znver4 CORE -o cpu.yaml --noReport");
    let (text, core) = read(place.path(), "cpu.yaml");
    assert_eq!(core.loop_cycles, Some(0));
    winic(place.path(), "conclude cpu.evidence -o again.yaml --noReport");
    assert_eq!(read(place.path(), "again.yaml").0, text);
    winic(place.path(), "--device mca:znver4 TP -i ADD64rr --noAsm -o cpu.yaml --noReport");
    let (text, still) = read(place.path(), "cpu.yaml");
    assert_eq!(still, core);
    assert!(text.contains("throughput: 0.25"), "{text}");
    // Both were asked on this machine, so both are concluded.
    winic(place.path(), "conclude cpu.evidence -o both.yaml --noReport");
    let (text, both) = read(place.path(), "both.yaml");
    assert_eq!(both, core);
    assert!(text.contains("throughput: 0.25"), "{text}");
}

#[test]
fn an_architecture_of_one_length_has_one_filler() {
    let place = place();
    winic(place.path(), "--device mca:neoverse-n1 CORE -o cpu.yaml --noReport");
    let (_, core) = read(place.path(), "cpu.yaml");
    assert!(core.reference_chains.len() >= 2, "{core:?}");
    assert!(core.front_end.fillers.len() <= 1, "{core:?}");
}

/// A window that a core has: its size with how far off that may be, or why there is none.
fn window(core: &Core) -> Result<(f64, f64), String> {
    let window = core.window.clone().expect("a window, or why there is none");
    match (window.size, window.uncertainty) {
        (Some(size), Some(uncertainty)) => {
            assert!(window.curve.len() > 16 && window.status.is_none(), "{window:?}");
            assert!(window.curve.is_sorted_by_key(|point| point.fillers), "{window:?}");
            assert!(window.filler.is_some() && window.link.is_some(), "{window:?}");
            Ok((size, uncertainty))
        }
        _ => Err(window.status.expect("a reason")),
    }
}

/// (What LLVM's models say of themselves.)
#[test]
fn the_windows_of_models_are_those_of_their_tables() {
    for (cpu, micro_operations) in [("neoverse-n1", 128.0), ("skylake", 224.0)] {
        let place = place();
        let output =
            winic(place.path(), &format!("--device mca:{cpu} CORE -o cpu.yaml --noReport"));
        let (_, core) = read(place.path(), "cpu.yaml");
        let (size, uncertainty) = window(&core).expect("a window");
        assert!(
            (size - micro_operations).abs() <= uncertainty + 2.0,
            "{cpu}: {size} +- {uncertainty}"
        );
        assert!(uncertainty <= 8.0, "{cpu}: {size} +- {uncertainty}");
        let line = format!("window: {size:.0} micro-operations +- {uncertainty:.0}");
        assert!(String::from_utf8_lossy(&output.stdout).contains(&line), "{line}");
    }
}

#[test]
fn a_core_that_begins_instructions_in_order_has_no_window() {
    let place = place();
    let output = winic(place.path(), "--device mca:sifive-u74 CORE -o cpu.yaml --noReport");
    let (_, core) = read(place.path(), "cpu.yaml");
    let reason = window(&core).expect_err("no window");
    assert!(reason.contains("run beside each other"), "{reason}");
    let line = format!("window: not known: {reason}");
    assert!(String::from_utf8_lossy(&output.stdout).contains(&line), "{line}");
}

/// Between the smallest and the largest window of cores of the last fifteen years. Whoever works on the core at the
/// same time holds both chains up: then a reason is said.
#[test]
#[cfg(target_arch = "x86_64")]
fn this_core_has_a_window() {
    let found = (0..5).find_map(|_| {
        let place = place();
        winic(place.path(), "CORE -o cpu.yaml --noReport");
        window(&read(place.path(), "cpu.yaml").1).ok()
    });
    let Some((size, uncertainty)) = found else {
        println!("skipped: this core did other work in each of five runs");
        return;
    };
    assert!((30.0..1500.0).contains(&size) && uncertainty < size / 4.0, "{size} +- {uncertainty}");
}

/// (They look at no address.)
#[test]
fn models_have_no_levels_of_memory() {
    let place = place();
    let output = winic(place.path(), "--device mca:znver4 CORE -o cpu.yaml --noReport");
    let (_, core) = read(place.path(), "cpu.yaml");
    let loads = core.load_latency.expect("loads, or why there are none");
    assert!(loads.levels.is_empty() && loads.curve.is_empty(), "{loads:?}");
    let reason = loads.status.expect("a reason");
    assert!(reason.contains("buffer"), "{reason}");
    let line = format!("levels of memory: not known: {reason}");
    assert!(String::from_utf8_lossy(&output.stdout).contains(&line), "{line}");
}

/// Caches are slower from level to level, and the nearest takes what a load is known to take. Whoever works on the
/// core at the same time empties caches: then levels may blur.
#[test]
#[cfg(target_arch = "x86_64")]
fn this_core_has_levels_of_memory() {
    let found = (0..5).find_map(|_| {
        let place = place();
        winic(place.path(), "CORE -o cpu.yaml --noReport");
        let loads = read(place.path(), "cpu.yaml").1.load_latency?;
        (loads.levels.len() >= 2).then_some((place, loads))
    });
    let Some((place, loads)) = found else {
        println!("skipped: this core did other work in each of five runs");
        return;
    };
    let cycles: Vec<f64> = loads.levels.iter().map(|it| it.cycles.expect("cycles")).collect();
    assert!(cycles.is_sorted() && cycles[0] < 20.0, "{loads:?}");
    winic(place.path(), "LAT -i MOV64rm --noAsm -o cpu.yaml --noReport");
    let text = std::fs::read_to_string(place.path().join("cpu.yaml")).expect("a database");
    let database = Database::parse(&text).expect("a database");
    let entry = database.entries().find(|it| it.subject.llvm_name == "MOV64rm");
    let known = entry.and_then(|it| it.latency.value);
    assert!(known.is_none_or(|known| (known - cycles[0]).abs() < 0.75), "{known:?}: {loads:?}");
}
