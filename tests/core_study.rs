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
