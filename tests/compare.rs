//! `winic compare` as its users meet it: what agrees, what differs, what cannot be told, and what
//! it exits with.
#![cfg(feature = "llvm")]

#[path = "support/command.rs"]
mod command;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use command::winic;
use winic::infer::ports::NamedUse;

/// A database with throughputs, each with its ends as YAML.
fn with_throughputs(place: &Path, name: &str, throughputs: &[(&str, &str, &str)]) {
    let entries: String = throughputs
        .iter()
        .map(|(form, min, max)| {
            format!("- {{llvmName: {form}, throughputMin: {min}, throughputMax: {max}}}\n")
        })
        .collect();
    let header = "isa: x86_64\nmicroArchitecture: skylake\n";
    fs::write(place.join(name), format!("{header}instructions:\n{entries}")).expect("a file");
}

fn place() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

#[test]
fn differences_decide_the_exit_status_where_that_is_asked_for() {
    let place = place();
    let path = place.path();
    with_throughputs(path, "a.yaml", &[("ADD64rr", "0.25", "0.25")]);
    with_throughputs(path, "b.yaml", &[("ADD64rr", "0.5", "0.5")]);
    assert_eq!(winic(path, &["compare", "a.yaml", "b.yaml"]).0, 0);
    assert_eq!(winic(path, &["compare", "--exit-code", "a.yaml", "b.yaml"]).0, 1);
    assert_eq!(winic(path, &["compare", "--exit-code", "a.yaml", "a.yaml"]).0, 0);
    assert_eq!(winic(path, &["compare", "--exit-code", "b.yaml"]).0, 1, "the model has 0.25");
    // Within the uncertainty there is no difference.
    let unsure = "instructions:\n- {llvmName: ADD64rr, throughput: 0.3, throughputMin: 0.3, \
                  throughputMax: 0.3, throughputUncertainty: 0.1}\n";
    fs::write(path.join("unsure.yaml"), unsure).expect("a file");
    assert_eq!(winic(path, &["compare", "--exit-code", "unsure.yaml", "a.yaml"]).0, 0);
}

#[test]
fn an_interval_that_holds_everything_is_undecided() {
    let place = place();
    let path = place.path();
    with_throughputs(
        path,
        "wide.yaml",
        &[("ADD64rr", "0", "null"), ("IMUL64rr", "0.5", "5"), ("SUB64rr", "0.25", "0.25")],
    );
    with_throughputs(
        path,
        "sharp.yaml",
        &[("ADD64rr", "0.25", "0.25"), ("IMUL64rr", "1", "1"), ("SUB64rr", "0.25", "0.25")],
    );
    let expected = "throughputs: 1 of 1 agree (100.00 %), 0 differ, 2 undecided";
    for files in [&["wide.yaml", "sharp.yaml"][..], &["sharp.yaml", "wide.yaml"], &["wide.yaml"]] {
        let (status, text, _) = winic(path, &[&["compare", "--exit-code"], files].concat());
        assert_eq!(status, 0, "{text}");
        assert!(text.contains(expected), "{files:?}: {text}");
    }
    let (_, table) = table(path, &["wide.yaml", "sharp.yaml"]);
    assert_eq!(verdicts(&table), ["undecided", "undecided", "agrees"], "{table}");
}

/// What a comparison prints, and its table.
fn table(place: &Path, files: &[&str]) -> (String, String) {
    let (_, text, error) = winic(place, &[&["compare", "--tsv", "table.tsv"], files].concat());
    (text, fs::read_to_string(place.join("table.tsv")).expect(&error))
}

/// The last column of a table.
fn verdicts(table: &str) -> Vec<&str> {
    table.lines().skip(1).filter_map(|line| line.split('\t').next_back()).collect()
}

#[test]
fn what_only_one_side_has_is_counted_and_listed() {
    let place = place();
    let path = place.path();
    with_throughputs(path, "a.yaml", &[("ADD64rr", "1", "1"), ("SUB64rr", "1", "1")]);
    let more = "instructions:\n\
                - {llvmName: ADD64rr, throughputMin: 1, throughputMax: 1, operandLatencies: \
                [{sourceOperand: 1, targetOperand: 0, latencyMin: 1, latencyMax: 1}]}\n\
                - {llvmName: SUB64rr, throughputStatus: 'failed: trap'}\n\
                - {llvmName: XOR64rr, throughputMin: 2, throughputMax: 3}\n";
    fs::write(path.join("b.yaml"), more).expect("a file");
    let (text, table) = table(path, &["a.yaml", "b.yaml"]);
    assert!(text.contains("\nonly measured: 1\n      1 failed: trap\n"), "{text}");
    assert!(text.contains("\nonly in the reference: 2\n"), "{text}");
    assert!(text.contains("      1 the other file does not have the instruction\n"), "{text}");
    let header: Vec<&str> = table.lines().next().expect("a header").split('\t').collect();
    assert!(table.lines().all(|line| line.split('\t').count() == header.len()), "{table}");
    let line = |form: &str| table.lines().find(|line| line.starts_with(form)).expect("a row");
    let (only_a, only_b) = (line("SUB64rr"), line("XOR64rr"));
    assert!(only_a.starts_with("SUB64rr\tthroughput\t\t\t1.0000\t1.0000\t\t\t"), "{only_a}");
    assert!(only_a.ends_with("\tfailed: trap\tonly measured"), "{only_a}");
    assert!(only_b.starts_with("XOR64rr\tthroughput\t\t\t\t\t2.0000\t3.0000\t"), "{only_b}");
    assert!(only_b.ends_with("\tonly in the reference"), "{only_b}");
}

#[test]
fn without_anything_to_compare_there_is_no_agreement() {
    let place = place();
    let path = place.path();
    with_throughputs(path, "a.yaml", &[("ADD64rr", "1", "1")]);
    with_throughputs(path, "other.yaml", &[("SUB64rr", "1", "1")]);
    with_throughputs(path, "null.yaml", &[("ADD64rr", "null", "null")]);
    fs::write(path.join("empty.yaml"), "").expect("a file");
    for (files, expected) in [
        (&["empty.yaml", "a.yaml"][..], "empty.yaml holds no instruction"),
        (&["a.yaml", "empty.yaml"], "empty.yaml holds no instruction"),
        (&["empty.yaml"], "empty.yaml holds no instruction"),
        (&["null.yaml", "a.yaml"], "null.yaml holds no figure"),
        (&["a.yaml", "other.yaml"], "no figure in common"),
    ] {
        let (status, _, error) = winic(path, &[&["compare"], files].concat());
        assert_eq!(status, 2, "{files:?}: {error}");
        assert!(error.contains(expected), "{files:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{files:?}: {error}");
    }
}

#[test]
fn a_cpu_that_is_not_named_is_asked_for() {
    let place = place();
    let path = place.path();
    let text = "instructions:\n- {llvmName: ADD64rr, throughputMin: 1, throughputMax: 1}\n";
    fs::write(path.join("nameless.yaml"), text).expect("a file");
    let (status, _, error) = winic(path, &["compare", "nameless.yaml"]);
    assert_eq!(status, 2, "{error}");
    assert!(
        error.contains("nameless.yaml does not say of which CPU it is: name it with -c"),
        "{error}"
    );
    let (status, text, _) = winic(path, &["-c", "skylake", "compare", "nameless.yaml"]);
    assert_eq!(status, 0);
    assert!(text.contains("model of skylake"), "{text}");
}

#[test]
fn the_architecture_follows_from_a_cpu_that_only_one_has() {
    let place = place();
    let path = place.path();
    let run = ["TP", "--noReport", "-o", "out.yaml", "-i", "ADDXri"];
    let (status, _, error) = winic(path, &[&["--device", "mca:neoverse-v2"], &run[..]].concat());
    assert_eq!(status, 0, "{error}");
    let text = fs::read_to_string(path.join("out.yaml")).expect("a database");
    assert!(text.contains("isa: aarch64\nmicroArchitecture: neoverse-v2\n"), "{text}");
    assert_eq!(winic(path, &["compare", "out.yaml"]).0, 0);

    let wrong = ["-m", "x86_64", "-c", "neoverse-v2", "list", "--noProbe"];
    let (status, _, error) = winic(path, &wrong);
    assert_eq!(status, 2);
    assert!(
        error.contains("neoverse-v2 is no CPU of x86_64, but of aarch64: use -m aarch64"),
        "{error}"
    );
}

#[test]
fn only_near_names_are_offered() {
    let place = place();
    let asked = |name: &str| {
        let options = ["-c", "skylake", "--device", "mca", "TP", "-o", "/dev/null", "-i", name];
        let (status, _, error) = winic(place.path(), &options);
        assert_eq!(status, 2, "{error}");
        error
    };
    assert!(asked("ADD64rx").contains("ADD64rr?"), "{}", asked("ADD64rx"));
    for far in ["FOO", "XYZZY", "Q"] {
        assert!(!asked(far).contains("did you mean"), "{}", asked(far));
        assert!(asked(far).contains("winic list --all"), "{}", asked(far));
    }
}

/// A database of ports alone: of each form its micro-operations, and mixtures that were measured.
fn with_ports(place: &Path, name: &str, ports: &[(&str, &str)], mixtures: &str) {
    let entries: String = ports
        .iter()
        .map(|(form, pressure)| format!("- {{llvmName: {form}, portPressure: {pressure}}}\n"))
        .collect();
    let core = format!("core: {{execution: {{ports: 4, width: 4, mixtures: [{mixtures}]}}}}\n");
    let header = format!("isa: x86_64\nmicroArchitecture: skylake\n{core}");
    fs::write(place.join(name), format!("{header}instructions:\n{entries}")).expect("a file");
}

/// Compares files, which must succeed, and demands parts of what is printed.
fn expect_printed(place: &Path, files: &[&str], expected: &[&str]) {
    let (status, text, error) = winic(place, &[&["compare"], files].concat());
    assert_eq!(status, 0, "{error}");
    for part in expected {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

#[test]
fn ports_are_the_same_under_other_numbers() {
    let place = place();
    let path = place.path();
    let mixture =
        "{kind: integer, forms: [[ADD64rr, 2], [IMUL64rr, 2]], predicted: 2, cycles: 2.5}";
    let own = [
        ("ADD64rr", "[[1, [0, 1, 2, 3]]]"),
        ("IMUL64rr", "[[1, [2]]]"),
        ("SHL64ri", "[[1, [0, 3]]]"),
        ("POPCNT64rr", "[[1, [2]]]"),
    ];
    with_ports(path, "own.yaml", &own, mixture);
    let other = [
        ("ADD64rr", "[[1, [0, 1, 2, 3]]]"),
        ("IMUL64rr", "[[1, [0]]]"),
        ("SHL64ri", "[[1, [1, 2]]]"),
        ("POPCNT64rr", "[[1, [0, 3]]]"),
    ];
    with_ports(path, "other.yaml", &other, "");
    let expected = [
        "ports: 3 of 4 forms use the same (75.00 %)",
        "p2 is p0",
        "measured 1*p2, reference 1*p12: 1 form: POPCNT64rr",
        "1 measured mixtures, integer: off by 20.0 % on average by these ports, 20.0 % by the",
    ];
    expect_printed(path, &["own.yaml", "other.yaml"], &expected);
    let same = "ports: 4 of 4 forms use the same (100.00 %)";
    expect_printed(path, &["own.yaml", "own.yaml"], &[same]);
}

#[test]
fn ports_are_held_against_those_of_the_model() {
    let place = place();
    let path = place.path();
    let mixture =
        "{kind: integer, forms: [[SHL64ri, 2], [IMUL64rr, 1]], predicted: 2, cycles: 1.25}";
    let own = [
        ("ADD64rr", "[[1, [0, 1, 2, 3]]]"),
        ("IMUL64rr", "[[1, [0]]]"),
        ("SHL64ri", "[[1, [1, 2]]]"),
        ("NOT64r", "[[1, [0, 1, 2]]]"),
        ("POPCNT64rr", "[[1, [0]]]"),
    ];
    with_ports(path, "own.yaml", &own, mixture);
    let expected = [
        "ports: 4 of 5 forms use the same (80.00 %)",
        "p0 is SKLPort1",
        "measured 1*p012, reference 1*p0123: 1 form: NOT64r",
        "1 measured mixtures, integer: off by 60.0 % on average by these ports, 20.0 % by the",
    ];
    expect_printed(path, &["own.yaml"], &expected);
}

/// The names that AMD's scheduling model has for ports are in a table of the product's: its rows are what the
/// model says.
#[test]
fn names_of_ports_are_those_of_the_model() {
    let rows = NamedUse::table(include_str!("../reference/tables/ports-znver4.tsv"));
    let names: BTreeSet<&String> = rows.iter().flat_map(|row| &row.ports).collect();
    let number = |name: &String| names.iter().position(|own| *own == name).unwrap();
    let pressure = |row: &NamedUse| {
        let ports: Vec<String> = row.ports.iter().map(|name| number(name).to_string()).collect();
        format!("[[1, [{}]]]", ports.join(", "))
    };
    let own: Vec<(String, String)> =
        rows.iter().map(|row| (row.form.clone(), pressure(row))).collect();
    let own: Vec<(&str, &str)> = own.iter().map(|(form, ports)| (&**form, &**ports)).collect();
    let place = place();
    with_ports(place.path(), "own.yaml", &own, "");
    let all = format!("ports: {0} of {0} forms use the same (100.00 %)", rows.len());
    let of_floats = |at: usize| {
        let name = format!("FP{at}");
        format!("p{} is Zn4{name}", number(&name))
    };
    let mut expected = vec![all];
    expected.extend((0..4).map(of_floats));
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    expect_printed(place.path(), &["own.yaml", "-c", "znver4"], &expected);
}
