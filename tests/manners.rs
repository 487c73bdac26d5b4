//! What a user may expect of any good tool: patterns, filters, JSON, versions, quiet, colours,
//! help that fits the mode. These tests run real kernels on this machine.
#![cfg(feature = "llvm")]

use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

fn winic(arguments: &[&str]) -> Output {
    let place = tempfile::tempdir().expect("a temporary directory");
    let mut command = Command::cargo_bin("winic").expect("winic is built");
    command
        .current_dir(place.path())
        .env("WINIC_RUNNER", env!("CARGO_BIN_EXE_winic-runner"))
        .env_remove("NO_COLOR");
    command.args(arguments).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The names that a listing by LLVM's tables has.
fn listed(architecture: &str, arguments: &[&str]) -> Vec<String> {
    let all = [&["-m", architecture, "list", "--noProbe"], arguments].concat();
    let output = winic(&all);
    assert!(output.status.success(), "{all:?}: {}", error(&output));
    let text = out(&output);
    let names = text.lines().skip(1).map(|line| line.split('\t').next().unwrap().to_owned());
    names.collect()
}

#[test]
fn patterns_measure_what_they_name() {
    let run = winic(&["TP", "-i", "ADD?4rr", "SUB64rr", "-o", "/dev/null", "--noReport"]);
    let (text, said) = (out(&run), error(&run));
    assert_eq!(run.status.code(), Some(0), "{said}");
    assert!(said.contains("'ADD?4rr' names 1 form"), "{said}");
    assert!(text.contains("ADD64rr [") && text.contains("SUB64rr ["), "{text}");
}

#[test]
fn a_pattern_without_an_opcode_is_refused_and_one_without_a_form_is_a_finding() {
    let refused = winic(&["TP", "-i", "add64*"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(error(&refused).contains("did you mean ADD64"), "{}", error(&refused));
    let far = winic(&["TP", "-i", "GARBAGE"]);
    assert_eq!(far.status.code(), Some(2));
    assert!(!error(&far).contains("did you mean"), "{}", error(&far));
    let jumps = winic(&["TP", "-i", "JMP_*", "-o", "/dev/null", "--noReport"]);
    assert_eq!(jumps.status.code(), Some(1), "{}", error(&jumps));
    assert!(out(&jumps).contains("none is a form that can be measured"), "{}", out(&jumps));
}

#[test]
fn a_range_excludes_names_and_an_empty_one_is_said() {
    let both = winic(&["TP", "-i", "ADD64rr", "--minOpcode", "9"]);
    assert_eq!(both.status.code(), Some(2));
    assert!(error(&both).contains("cannot be used with"), "{}", error(&both));
    for range in
        [["--minOpcode", "9", "--maxOpcode", "3"], ["--minOpcode", "0", "--maxOpcode", "0"]]
    {
        let empty = winic(&[&["TP", "-o", "/dev/null"], &range[..]].concat());
        assert_eq!(empty.status.code(), Some(1), "{}", error(&empty));
        assert!(error(&empty).contains("no form has a number from --minOpcode"));
    }
}

#[test]
fn a_listing_is_filtered() {
    let names = listed("x86_64", &["VADDPD*rr", "-i", "ADC64rr"]);
    assert!(names.contains(&"VADDPDYrr".to_owned()) && names.contains(&"ADC64rr".to_owned()));
    assert!(names.iter().all(|name| name == "ADC64rr" || name.starts_with("VADDPD")));
    let masks = listed("x86_64", &["--isa-extension", "avx512bw"]);
    assert!(masks.contains(&"VPADDBZrr".to_owned()) && !masks.contains(&"VADDPDZrr".to_owned()));
    let flags = listed("x86_64", &["--reads", "EFLAGS"]);
    assert!(flags.contains(&"ADC64rr".to_owned()) && !flags.contains(&"ADD64rr".to_owned()));
    let class = listed("x86_64", &["--reads", "VR256", "--mnemonic", "VADDPD"]);
    assert_eq!(class, ["VADDPDYrm", "VADDPDYrr"]);
    let memory = listed("x86_64", &["ADD64*", "--memory"]);
    assert!(memory.contains(&"ADD64rm".to_owned()) && !memory.contains(&"ADD64rr".to_owned()));
}

#[test]
fn extensions_are_those_of_the_decoder() {
    let second = listed("aarch64", &["--isa-extension", "lse"]);
    assert!(second.contains(&"LDADDX".to_owned()) && !second.contains(&"ADDXrr".to_owned()));
    let bits = listed("riscv64", &["--isa-extension", "zba"]);
    assert!(bits.contains(&"SH1ADD".to_owned()) && !bits.contains(&"ADD".to_owned()));
    // `MUL` is in Zmmul, which is a part of M.
    let products = listed("riscv64", &["--isa-extension", "M"]);
    assert!(products.contains(&"MUL".to_owned()) && products.contains(&"DIV".to_owned()));
    let unknown = winic(&["-m", "riscv64", "list", "--noProbe", "--isa-extension", "zbx"]);
    assert_eq!(unknown.status.code(), Some(2), "{}", error(&unknown));
}

#[test]
fn patterns_with_an_at_name_configurations() {
    let plain = listed("riscv64", &["VADD_*"]);
    assert!(plain.contains(&"VADD_VV".to_owned()) && !plain.iter().any(|name| name.contains('@')));
    let all = listed("riscv64", &["VADD_VV@*"]);
    assert!(all.contains(&"VADD_VV".to_owned()) && all.contains(&"VADD_VV@e8m4".to_owned()));
}

#[test]
fn a_listing_has_numbers_and_json() {
    let json = winic(&["list", "--noProbe", "ADC64rr", "--json"]);
    let rows: Value = serde_json::from_str(&out(&json)).unwrap();
    let row = &rows[0];
    assert_eq!((&row["llvmName"], &row["name"]), (&"ADC64rr".into(), &"adc".into()));
    assert_eq!(row["implicitReads"][0], "EFLAGS");
    assert_eq!(row["operands"][0]["name"], "GR64");
    let numbers = out(&winic(&["list", "--noProbe", "ADC64rr", "--numbers"]));
    let line = numbers.lines().nth(1).unwrap();
    assert_eq!(line.split('\t').next().unwrap(), row["opcode"].to_string());
    // The number is the one that a range takes.
    let range = row["opcode"].to_string();
    let arguments =
        ["TP", "--minOpcode", &range, "--maxOpcode", &range, "--stop-after", "forms", "--noTiming"];
    assert!(out(&winic(&arguments)).contains("ADC64rr"));
    let excluded = winic(&["list", "--noProbe", "--all", "JMP_1", "--json"]);
    let rows: Value = serde_json::from_str(&out(&excluded)).unwrap();
    assert_eq!(rows[0]["reason"], "control flow");
}

#[test]
fn versions_name_llvm_and_the_protocol() {
    let version = out(&winic(&["--version"]));
    assert!(version.contains(&format!("LLVM {}", winic::llvm::version())), "{version}");
    let protocol = format!("protocol {}", winic::device::PROTOCOL);
    assert!(version.contains(&protocol), "{version}");
    let runner = Command::new(env!("CARGO_BIN_EXE_winic-runner")).arg("--version").output();
    assert!(out(&runner.unwrap()).contains(&protocol));
}

#[test]
fn quiet_leaves_findings_and_errors() {
    let run = winic(&["-q", "TP", "-i", "ADD64r?", "-o", "/dev/null", "--noReport"]);
    assert_eq!(run.status.code(), Some(0), "{}", error(&run));
    assert!(out(&run).contains("ADD64rr ["));
    let said = error(&run);
    assert!(said.lines().all(|line| line.starts_with("warning:")), "{said}");
    let wrong = winic(&["TP", "--quiet", "-i", "GARBAGE"]);
    assert!(error(&wrong).starts_with("winic: "), "{}", error(&wrong));
}

#[test]
fn colours_are_for_terminals_or_on_demand() {
    let escape = '\u{1b}';
    for (arguments, expected) in [
        (&["TP", "-i", "GARBAGE"][..], false),
        (&["--color", "always", "TP", "-i", "GARBAGE"], true),
        (&["TP", "-i", "GARBAGE", "--color=never"], false),
        (&["--color", "always", "nonsense"], true),
        (&["nonsense"], false),
    ] {
        assert_eq!(error(&winic(arguments)).contains(escape), expected, "{arguments:?}");
    }
}

#[test]
fn each_mode_shows_what_it_uses_with_an_example() {
    let help = |mode: &str| out(&winic(&[mode, "--help"]));
    for mode in ["TP", "LAT", "ALL", "MAN", "list", "compare"] {
        let text = help(mode);
        assert!(text.contains("Example") && text.contains(&format!("winic {mode}")), "{text}");
        assert!(text.contains("Machine:") && text.contains("Terminal:"), "{text}");
    }
    // What is about files alone has no use for a machine.
    for mode in ["conclude", "report"] {
        let text = help(mode);
        assert!(text.contains("Example") && text.contains(&format!("winic {mode}")), "{text}");
        assert!(!text.contains("Machine:") && text.contains("Terminal:"), "{text}");
    }
    assert!(help("TP").contains("--jobs"));
    assert!(help("LAT").contains("winic LAT -o cpu.yaml --resume"));
    for option in ["--jobs", "--runner", "--frequency", "--noTiming"] {
        assert!(!help("compare").contains(option), "{option}");
    }
    for line in [&["--jobs", "2", "compare", "a.yaml"][..], &["compare", "a.yaml", "--jobs", "2"]] {
        let refused = winic(line);
        assert_eq!(refused.status.code(), Some(2));
        assert!(error(&refused).contains("compare has no use for --jobs"), "{}", error(&refused));
    }
}
