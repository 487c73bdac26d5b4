//! Machines that files describe: what is put in must be found again, through the binary and in
//! process, on all ISAs, with and without noise.
#![cfg(feature = "llvm")]

mod sweeps;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use winic::assemble::Linker;
use winic::form::Site;
use winic::isa::possible_features;
use winic::journal::Journal;
use winic::llvm::{TargetChoice, triple_of};
use winic::pipeline::{Progress, Run, Target};
use winic::scoreboard::ScoreboardMachine;
use winic::study::latency::LatencyStudy;
use winic::study::throughput::ThroughputStudy;
use winic::study::{latency, throughput};

/// A form, its latency, that from one of its operands, and its interval.
struct Row(&'static str, u32, Option<(usize, u32)>, f64);

struct Architecture {
    name: &'static str,
    cpu: &'static str,
    rows: &'static [Row],
}

const X86_64: Architecture = Architecture {
    name: "x86_64",
    cpu: "znver4",
    rows: &[
        Row("IMUL64rr", 3, None, 1.0),
        Row("ANDN64rr", 1, None, 0.5),
        Row("POPCNT64rr", 7, None, 1.0),
        Row("PDEP64rr", 6, Some((2, 2)), 2.0),
        Row("SHLX64rr", 2, None, 1.0),
        Row("VADDPDrr", 4, None, 0.5),
        Row("VMULPSYrr", 5, Some((1, 3)), 0.5),
        Row("VFMADD231PDr", 4, Some((1, 2)), 0.5),
        Row("VDIVPDrr", 13, None, 4.5),
        Row("VPSHUFBrr", 1, None, 0.25),
        Row("VPADDDZrr", 1, None, 1.0),
        Row("VPERMDYrr", 8, Some((2, 5)), 1.25),
    ],
};

const AARCH64: Architecture = Architecture {
    name: "aarch64",
    cpu: "neoverse-v2",
    rows: &[
        Row("LSLVXr", 1, None, 0.5),
        Row("MADDXrrr", 3, Some((3, 1)), 1.0),
        Row("SMULHrr", 5, None, 2.0),
        Row("UDIVXr", 12, None, 7.5),
        Row("CLZXr", 2, None, 0.25),
        Row("FADDDrr", 2, None, 0.25),
        Row("FMADDDrrr", 4, Some((3, 2)), 0.5),
        Row("FDIVDrr", 15, None, 5.0),
        Row("FMULv2f64", 3, Some((2, 6)), 0.5),
        Row("ADDv4i32", 2, None, 0.25),
        Row("FMLAv4f32", 4, Some((1, 2)), 0.5),
        Row("EORv16i8", 1, None, 0.75),
    ],
};

const RISCV64: Architecture = Architecture {
    name: "riscv64",
    cpu: "sifive-p670",
    rows: &[
        Row("XOR", 1, None, 0.25),
        Row("MUL", 3, None, 1.0),
        Row("MULH", 4, Some((2, 2)), 1.0),
        Row("SLL", 2, None, 0.5),
        Row("SH1ADD", 1, None, 0.5),
        Row("FADD_D", 2, None, 0.5),
        Row("FMADD_D", 4, Some((3, 2)), 0.5),
        Row("FDIV_D", 14, None, 6.5),
        Row("VADD_VV", 2, None, 0.5),
        Row("VADD_VV@e8m4", 3, None, 2.0),
        Row("VFMUL_VV@e64m2", 5, None, 1.0),
        Row("FSGNJ_D", 1, None, 0.25),
    ],
};

/// A machine that takes what the rows say, each form on a unit of its own.
fn described(architecture: &Architecture, head: &str) -> String {
    let mut text = format!("name: made up\nissueWidth: 8\n{head}\nforms:\n");
    // What has a configuration in its name is the more special.
    let mut rows: Vec<&Row> = architecture.rows.iter().collect();
    rows.sort_by_key(|Row(name, ..)| !name.contains('@'));
    for Row(name, latency, pair, interval) in rows {
        let pairs = pair
            .map_or(String::new(), |(from, cycles)| format!("{{from: {from}, cycles: {cycles}}}"));
        writeln!(
            text,
            "- {{names: ['{name}'], latency: {latency}, latencies: [{pairs}], interval: {interval}}}"
        )
        .expect("text");
    }
    text + "default: {latency: 1, interval: 0.125}\n"
}

fn winic(place: &Path, arguments: &str) -> assert_cmd::assert::Assert {
    Command::cargo_bin("winic")
        .expect("winic is built")
        .current_dir(place)
        // Whatever would run on this machine fails.
        .env("WINIC_RUNNER", "/nonexistent")
        .args(arguments.split(' '))
        .assert()
}

/// The two numbers in the brackets at the end of a line that begins so.
fn interval(text: &str, start: &str) -> [f64; 2] {
    let line = text.lines().find_map(|line| line.strip_prefix(start));
    let line = line.unwrap_or_else(|| panic!("no {start} in\n{text}"));
    let ends = line.strip_prefix('[').and_then(|rest| rest.split_once(']')?.0.split_once(';'));
    let (low, high) = ends.unwrap_or_else(|| panic!("{start}{line}"));
    [low, high].map(|end| end.parse().expect("a number"))
}

/// Throughputs within a share of what the file says, and latencies exactly.
fn must_be_found(architecture: &Architecture, head: &str, share: f64) {
    let place = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(place.path().join("machine.yaml"), described(architecture, head))
        .expect("a file");
    let names: Vec<&str> = architecture.rows.iter().map(|Row(name, ..)| *name).collect();
    let Architecture { name, cpu, .. } = architecture;
    let run = format!(
        "--device scoreboard:machine.yaml -m {name} -c {cpu} ALL --noReport -o out.yaml -i {}",
        names.join(" ")
    );
    let output = winic(place.path(), &run).code(0).get_output().stdout.clone();
    let text = String::from_utf8(output).expect("text");
    for Row(name, latency, pair, expected) in architecture.rows {
        let [low, high] = interval(&text, &format!("{name} "));
        // Two decimals are shown.
        let near = |value: f64| (value - expected).abs() <= expected * share + 0.005;
        assert!(near(low) && near(high), "{name}: [{low};{high}], not {expected}");
        let edges = text.lines().filter(|line| line.starts_with(&format!("{name}(")));
        let edges: Vec<&str> = edges.filter(|line| !line.contains("impl(")).collect();
        assert!(!edges.is_empty(), "{name}");
        for edge in edges {
            let own = pair.filter(|(from, _)| edge.starts_with(&format!("{name}({from}(")));
            let expected = f64::from(own.map_or(*latency, |(_, cycles)| cycles));
            assert!(
                edge.ends_with(&format!(" [{expected:.2};{expected:.2}]")),
                "{edge}, not {expected}"
            );
        }
    }
}

#[test]
fn x86_64_is_found_again() {
    must_be_found(&X86_64, "", 0.0);
    must_be_found(&X86_64, "clock: {frequency: 3.7, tickRate: 0.1, step: 4}", 0.002);
}

#[test]
fn aarch64_is_found_again() {
    must_be_found(&AARCH64, "", 0.0);
}

#[test]
fn riscv64_is_found_again() {
    must_be_found(&RISCV64, "", 0.0);
}

#[test]
fn noise_of_one_per_cent_leaves_latencies_as_they_are() {
    for architecture in [&X86_64, &AARCH64, &RISCV64] {
        must_be_found(architecture, "noise: {relative: 0.01, seed: 5}", 0.04);
    }
}

struct Unseen;

impl Progress for Unseen {
    fn begin(&mut self, _: &str, _: usize) {}
    fn advance(&mut self, _: usize) {}
    fn end(&mut self) {}
}

/// The same in process, with nothing but the forms that are asked for: what is not rounded for
/// people is exact, too.
#[test]
fn figures_are_exact_to_the_last_digit() {
    for architecture in [&X86_64, &AARCH64, &RISCV64] {
        let Architecture { name, cpu, rows } = architecture;
        let features = possible_features(name, Some(cpu)).to_owned();
        let choice = TargetChoice { triple: triple_of(name), cpu: (*cpu).to_owned(), features };
        let mut target = Target::open(choice).expect("a target");
        let machine = ScoreboardMachine::parse(&described(architecture, "")).expect("a machine");
        let mut device = target.scoreboard(machine).expect("a device");
        let asked: Vec<_> =
            rows.iter().map(|Row(name, ..)| target.set.by_name(name).expect("a form")).collect();
        let none = std::collections::HashSet::new();
        let simplest = target.isa.simplest_forms();
        let forms: Vec<_> = target
            .forms(&none)
            .filter(|form| asked.contains(&form.opcode) || simplest.contains(&form.name.as_str()))
            .cloned()
            .collect();
        let (linker, mut journal) = (Linker::find().expect("a linker"), Journal::nowhere());
        let (stop, mut view) = (AtomicBool::new(false), Unseen);
        let mut run = Run::new(&mut target, &mut device, &linker, &mut journal, &stop, &mut view);
        let mut surveyed = run.survey(forms, None).expect("a survey");
        let catalogue = surveyed.catalogue.clone();
        let studies = [&throughput::QUESTION, &latency::QUESTION]
            .map(|question| (question.ask)(&catalogue, &asked, winic::study::Grid::USUAL));
        run.measure(&mut surveyed, &studies).expect("findings");
        let knowledge = &surveyed.knowledge;
        for time in ThroughputStudy::new(&catalogue, &asked).conclusions(knowledge) {
            let Row(name, _, _, expected) = row(rows, &catalogue.set.opcode(time.opcode).name);
            let value = time.value.unwrap_or_else(|reason| panic!("{name}: {reason:?}"));
            let [low, high] = [value.interval.lower().0, value.interval.upper().0];
            assert_eq!([low, high], [*expected; 2], "{name}");
        }
        let mut compared = 0;
        for edge in LatencyStudy::new(&catalogue, &asked).conclusions(knowledge).edges {
            let (Site::Operand(from), Site::Operand(_)) = (edge.edge.source, edge.edge.target)
            else {
                continue;
            };
            let Row(name, latency, pair, _) =
                row(rows, &catalogue.set.opcode(edge.edge.opcode).name);
            let own = pair.filter(|(other, _)| *other == from);
            let expected = f64::from(own.map_or(*latency, |(_, cycles)| cycles));
            // Only those that lead back to where they come from need no other form.
            let Ok(value) = edge.value else { continue };
            let [low, high] = [value.interval.lower().0, value.interval.upper().0];
            assert_eq!([low, high], [expected; 2], "{name} {from}");
            compared += 1;
        }
        assert!(compared >= 2 * rows.len() - 4, "{name}: {compared}");
    }
}

fn row<'a>(rows: &'a [Row], name: &str) -> &'a Row {
    rows.iter().find(|Row(own, ..)| *own == name).unwrap_or_else(|| panic!("{name}"))
}

#[test]
fn what_the_file_does_not_describe_is_a_finding() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let text = described(&X86_64, "").replace("default:", "# default:").replace(
        "forms:\n",
        "forms:\n- {names: [NOOP, ADD64rr, XOR64rr, ROR64ri, DEC64r, LEA64r, MOV64rr], latency: 1, \
         interval: 0.25}\n",
    );
    std::fs::write(place.path().join("machine.yaml"), text).expect("a file");
    winic(place.path(), "--device scoreboard:machine.yaml -m x86_64 -c znver4 TP --noReport -o a.yaml -i POPCNT64rr LZCNT64rr")
        .code(1)
        .stdout(
            contains("POPCNT64rr [1.00;1.00]")
                .and(contains("LZCNT64rr [not covered by the scheduling model]")),
        );
}

/// Values of a machine are those of no other one, and of no core.
#[test]
fn values_say_where_they_come_from() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let of = |name: &str| described(&X86_64, "").replace("made up", name);
    std::fs::write(place.path().join("one.yaml"), of("machine one")).expect("a file");
    std::fs::write(place.path().join("two.yaml"), of("machine two")).expect("a file");
    let run = |device: &str| {
        let run =
            format!("--device {device} -m x86_64 -c znver4 TP --noReport -o a.yaml -i IMUL64rr");
        winic(place.path(), &run)
    };
    run("scoreboard:one.yaml").code(0);
    let text = std::fs::read_to_string(place.path().join("a.yaml")).expect("a database");
    assert!(text.contains("source: simulated\nsourceCpu: machine one\n"), "{text}");
    run("scoreboard:one.yaml").code(0);
    for other in ["scoreboard:two.yaml", "mca"] {
        run(other).code(2).stderr(contains("simulated values of znver4 (x86_64) from machine one"));
    }
}

#[test]
fn a_file_that_describes_no_machine_is_said_in_one_line() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let cases = [
        ("name: a\n", "missing field `issueWidth`"),
        ("name: a\nissueWidth: 0\n", ":2:13: a machine with issueWidth 0 runs nothing"),
        ("name: a\nissueWidth: 4\nspeed: 3\n", ":3:1: unknown field `speed`"),
        (
            "name: a\nissueWidth: 4\nforms:\n- {names: [A], latency: 1, units: {alu: 1}}\n",
            ":4:41: there is no unit alu: describe it under `units`",
        ),
        ("name: a\nissueWidth: 4\ndefault: {latency: 1.00000001}\n", "has more than six decimals"),
        (
            "name: a\nissueWidth: 4\nmemory:\n- {level: L1, size: 32 lines, load: 1, store: 1}\n",
            "32 lines",
        ),
        (
            "name: a\nissueWidth: 4\nconflicts:\n- {names: [A], registers: sources, rule: same-bank, cycles: 1}\n",
            ":4:42: this rule needs `banks`, a number from 2 on",
        ),
        (
            "name: a\nissueWidth: 4\narchitecture: aarch64\n",
            "is of aarch64, and x86_64 was asked for: use -m aarch64",
        ),
    ];
    for (text, reason) in cases {
        std::fs::write(place.path().join("machine.yaml"), text).expect("a file");
        winic(place.path(), "--device scoreboard:machine.yaml -m x86_64 TP -i ADD64rr")
            .code(2)
            .stderr(contains(reason).and(contains("machine.yaml")).and(contains("panicked").not()));
    }
    winic(place.path(), "--device scoreboard:none.yaml -m x86_64 TP -i ADD64rr")
        .code(2)
        .stderr(contains("cannot read none.yaml"));
    winic(place.path(), "--device scoreboard: TP -i ADD64rr")
        .code(2)
        .stderr(contains("there is no device 'scoreboard:'"));
}

#[test]
fn the_example_is_a_machine() {
    let text = include_str!("../../reference/scoreboard.yaml");
    let machine = ScoreboardMachine::parse(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(machine.name, "winic's example");
    assert_eq!(machine.cores, 4);
}
