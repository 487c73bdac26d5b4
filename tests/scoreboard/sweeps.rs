//! Every sweep finds again what a file says of a machine.

use std::path::Path;

use winic::database::{Database, Sweep};

use super::winic;

/// A machine with a noise of one per cent, and what else the text says. Its reference chain and what
/// kernels need besides their subjects take what they should.
fn machine(place: &Path, noise: f64, text: &str) {
    let head = format!(
        "name: made up\ncores: 4\nclock: {{frequency: 3.0}}\nissueWidth: 8\n\
         noise: {{relative: {noise}, seed: 3}}\n"
    );
    let text = head + text + "default: {latency: 1, interval: 0.125}\n";
    std::fs::write(place.join("machine.yaml"), text).expect("a file");
}

/// The sweeps of a run on that machine.
fn swept(place: &Path, words: &str) -> Vec<Sweep> {
    let run = format!(
        "--device scoreboard:machine.yaml -m x86_64 -c znver4 SWEEP {words} --noReport --noAsm \
         --noEvidence -o out.yaml"
    );
    let _ = std::fs::remove_file(place.join("out.yaml"));
    winic(place, &run).code(0);
    Database::read(&place.join("out.yaml")).expect("a database").sweeps()
}

fn fitted(sweep: &Sweep, name: &str) -> f64 {
    sweep.fitted(name).unwrap_or_else(|| panic!("no {name}: {sweep:?}"))
}

/// Whether a figure is within two per cent of what was put in.
fn is_near(value: f64, expected: f64) -> bool {
    (value / expected - 1.0).abs() <= 0.02
}

#[test]
fn latency_interval_and_saturation_are_found() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let rows = [
        ("VFMADD231PDYr", 4, 0.5, 8.0),
        ("IMUL64rr", 3, 1.0, 3.0),
        ("VDIVPDYrr", 13, 5.0, 3.0),
        ("VADDPSrr", 7, 1.5, 5.0),
    ];
    let forms: String = rows
        .iter()
        .map(|(name, latency, interval, _)| {
            format!("- {{names: [{name}], latency: {latency}, interval: {interval}}}\n")
        })
        .collect();
    machine(place.path(), 0.01, &format!("forms:\n{forms}"));
    let names: Vec<&str> = rows.iter().map(|row| row.0).collect();
    let sweeps = swept(place.path(), &format!("accumulators -i {}", names.join(" ")));
    assert_eq!(sweeps.len(), rows.len());
    for (name, latency, interval, count) in rows {
        let sweep = sweeps.iter().find(|sweep| sweep.forms == [name]).expect("a sweep");
        assert!(is_near(fitted(sweep, "latency"), f64::from(latency)), "{sweep:?}");
        assert!(is_near(fitted(sweep, "interval"), interval), "{sweep:?}");
        assert_eq!(fitted(sweep, "saturating"), count, "{name}");
    }
}

#[test]
fn conflicts_of_registers_are_told_apart() {
    const CONFLICTS: [(&str, &str); 7] = [
        ("", "no conflict"),
        ("rule: diagonal", "a register conflicts with itself only"),
        ("rule: same-bank, banks: 2", "conflicts in the same of 2 banks"),
        ("rule: same-bank, banks: 4", "conflicts in the same of 4 banks"),
        ("rule: same-bank, banks: 8", "conflicts in the same of 8 banks"),
        ("rule: periodic, period: 6, offset: 1", "conflicts 1 apart with a period of 6"),
        ("rule: periodic, period: 16, offset: 5", "conflicts 5 apart with a period of 16"),
    ];
    let place = tempfile::tempdir().expect("a temporary directory");
    for (rule, said) in CONFLICTS {
        let conflict = match rule {
            "" => String::new(),
            _ => format!(
                "conflicts:\n- {{names: [VADDPDZ256rr], registers: destinations, {rule}, cycles: 1}}\n"
            ),
        };
        machine(place.path(), 0.01, &conflict);
        let sweeps = swept(place.path(), "registers -i VADDPDZ256rr");
        let finding = sweeps[0].finding.as_deref().unwrap_or_default();
        assert!(finding.starts_with(&format!("{said}:")), "{rule}: {finding}");
    }
}

#[test]
fn costs_of_transitions_are_found() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let state =
        |cost: &str| format!("transitions:\n- {{enter: [LDMXCSR], leave: [VADDPSrr], {cost}}}\n");
    machine(place.path(), 0.002, &state("additive: 40"));
    let sweeps = swept(place.path(), "transition --state mxcsr -i VADDPSrr");
    let finding = sweeps[0].finding.as_deref().unwrap_or_default();
    assert!(finding.starts_with("additive"), "{finding}");
    let cost = fitted(&sweeps[0], "cost");
    assert!((cost - 40.0).abs() < 2.0, "{cost}: {finding}");
}

#[test]
fn shared_units_stop_threads_from_adding_up() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let units = "units:\n  shared: {count: 1, sharedBy: 2}\n  own: {count: 1}\n\
                 forms:\n- {names: [IMUL64rr], latency: 3, units: {shared: 1}}\n\
                 - {names: [POPCNT64rr], latency: 3, units: {own: 1}}\n";
    machine(place.path(), 0.01, units);
    let sweeps = swept(place.path(), "threads -i IMUL64rr POPCNT64rr");
    let of = |name: &str| sweeps.iter().find(|sweep| sweep.forms == [name]).expect("a sweep");
    let (shared, own) = (of("IMUL64rr"), of("POPCNT64rr"));
    assert_eq!((shared.points.len(), own.points.len()), (4, 4));
    assert!((fitted(own, "speedup") / 4.0 - 1.0).abs() < 0.05, "{own:?}");
    assert!(own.fitted("saturating").is_none(), "{own:?}");
    // Two units for four threads.
    assert!((fitted(shared, "speedup") / 2.0 - 1.0).abs() < 0.05, "{shared:?}");
}

/// On one unit on which instructions start in order a loop takes what the model of bases, switches and full
/// latencies says: issuing takes as long as the unit is busy, waiting what the latency is beyond that.
#[test]
fn a_machine_like_the_model_of_sequences_is_predicted() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let text = "units:\n  matrix: {inOrder: true}\nforms:\n\
        - {names: [IMUL64rr], latency: 5, units: {matrix: 2}, key: a}\n\
        - {names: [POPCNT64rr], latency: 3, units: {matrix: 1}, key: b}\n\
        - {names: [LZCNT64rr], latency: 4, units: {matrix: 3}, key: c}\n\
        - {names: [PDEP64rr], latency: 6, units: {matrix: 1}, key: d}\n\
        - {names: [SHLX64rr], latency: 2, units: {matrix: 2}, key: e}\n\
        switches:\n  costs:\n  - {between: [a, b], cycles: 3}\n  - {between: [b, d], cycles: 2}\n\
        \x20 other: 1\n";
    machine(place.path(), 0.001, text);
    let forms = "IMUL64rr POPCNT64rr LZCNT64rr PDEP64rr SHLX64rr";
    let sweeps = swept(place.path(), &format!("sequences -i {forms}"));
    let sweep = &sweeps[0];
    assert_eq!(sweep.points.len(), 5 + 15 + 45);
    let within = fitted(sweep, "full.3.Within 5%");
    assert!(within >= 0.95, "{within}: {sweep:?}");
    let off = fitted(sweep, "full.3.MAE (%)");
    assert!(off < 2.0, "{off}");
}

#[test]
fn levels_of_memory_are_found() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let memory = "memory:\n- {level: L1, size: 48 KiB, load: 64, store: 32}\n\
                  - {level: L2, size: 1 MiB, load: 32, store: 16}\n\
                  - {level: L3, size: 16 MiB, load: 16, store: 8, sharedBy: 4}\n\
                  - {level: DRAM, load: 8, store: 4, sharedBy: 4}\n";
    machine(place.path(), 0.01, memory);
    let sweeps = swept(place.path(), "bandwidth -i VMOVUPSYrm VMOVUPSYmr");
    for (form, rates) in
        [("VMOVUPSYrm", [64.0, 32.0, 16.0, 8.0]), ("VMOVUPSYmr", [32.0, 16.0, 8.0, 4.0])]
    {
        let sweep = sweeps.iter().find(|sweep| sweep.forms == [form]).expect("a sweep");
        for (number, rate) in (1..).zip(rates) {
            let found = fitted(sweep, &format!("bytesPerCycle{number}"));
            assert!(is_near(found, rate), "{form} {number}: {found}, not {rate}");
        }
        let capacities: Vec<f64> =
            (1..).map_while(|number| sweep.fitted(&format!("capacity{number}"))).collect();
        assert_eq!(capacities, [49152.0, 1_048_576.0, 16_777_216.0], "{form}");
    }
    // Memory is full with one core, the first cache is each core's own.
    let words = "threads -i VMOVUPSYrm --working-set";
    let shared = swept(place.path(), &format!("{words} 64MiB"));
    assert_eq!(fitted(&shared[0], "saturating"), 1.0, "{shared:?}");
    let own = swept(place.path(), &format!("{words} 32KiB"));
    assert!((fitted(&own[0], "speedup") / 4.0 - 1.0).abs() < 0.05, "{own:?}");
}
