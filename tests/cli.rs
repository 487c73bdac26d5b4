//! The command line as a user meets it: results, exit codes, one line for what is wrong.
//! These tests run real kernels on this machine.
#![cfg(feature = "llvm")]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use winic::database::Database;

fn winic(directory: &Path) -> Command {
    let mut command = Command::cargo_bin("winic").expect("winic is built");
    command.current_dir(directory).env("WINIC_RUNNER", env!("CARGO_BIN_EXE_winic-runner"));
    command
}

fn place() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

/// One line on stderr that starts with the program's name; notes and stages may stand before it.
fn last_line(text: &[u8]) -> String {
    String::from_utf8_lossy(text).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn latency_of_named_forms_is_printed_as_in_the_thesis() {
    let place = place();
    let lines = predicate::str::contains("IMUL64rr(1(Class<GR64>) -> 0(Class<GR64>)) [");
    winic(place.path())
        .args(["LAT", "-i", "IMUL64rr", "-o", "out.yaml", "--noReport"])
        .assert()
        .code(0)
        .stdout(lines);
    let database = Database::read(&place.path().join("out.yaml")).unwrap();
    let entry = database.entry("IMUL64rr").unwrap();
    let latency = entry.latency.value.unwrap();
    assert!((2.0..6.0).contains(&latency), "a multiplication of {latency} cycles");
    assert!(place.path().join("asm/IMUL64rr_LAT_1_0.s").is_file());
}

#[test]
fn a_carry_dependence_is_broken_and_named() {
    let place = place();
    winic(place.path())
        .args(["TP", "-i", "ADC64ri32", "-o", "/dev/null", "--noReport"])
        .assert()
        .code(0)
        .stdout(predicate::str::contains("dependence through EFLAGS broken by"));
}

#[test]
fn classes_of_values_and_idioms_are_named() {
    let place = place();
    // `ANDN64rr` first: its encoding has no place for R16, which must not be taken for a register
    // of this CPU because of that.
    let forms = ["ANDN64rr", "XOR64rr", "DIV64r", "DIVPDrr"];
    let run = |_| {
        let ran = winic(place.path()).args(["ALL", "-o", "/dev/null", "-i"]).args(forms).output();
        String::from_utf8(ran.unwrap().stdout).unwrap()
    };
    // Of what a neighbour on the core kept from settling no conditions are told apart.
    let settled = (0..6).map(run).find(|text| !text.contains("unstable"));
    let text = settled.unwrap_or_else(|| run(0));
    assert!(!text.contains("XOR64rr [illegal instruction]"), "{text}");
    let after = |start: &str| {
        let mut lines = text.lines().skip_while(|line| !line.starts_with(start));
        lines.nth(1).unwrap_or_default().to_owned()
    };
    let idiom = after("XOR64rr(1(Class<GR64>) -> 0(Class<GR64>))");
    assert!(idiom.contains("one register at all operands: "), "{text}");
    // Cores divide integers by iteration, as Zen does, or floating-point numbers of which denormals take
    // longer, as Golden Cove does.
    let division = "DIV64r(impl(Reg<RAX>) -> impl(Reg<RAX>))";
    let by_quotient = after(division).contains("quotient of middle size: ")
        && ["quotient 0: ", "quotient of all bits: "]
            .iter()
            .all(|class| text.matches(class).count() >= 5);
    let by_operands = text.contains("denormal operands: ");
    assert!(by_quotient || by_operands, "{text}");
}

#[test]
fn a_dumped_kernel_runs_in_manual_mode() {
    let place = place();
    winic(place.path())
        .args(["tp", "-i", "ADD64rr", "-o", "/dev/null", "--noReport"])
        .assert()
        .code(0);
    winic(place.path())
        .args(["MAN", "-p", "asm/ADD64rr_TP.s", "--funcName", "ADD64rr_TP_single", "-n", "384"])
        .assert()
        .code(0)
        .stdout(predicate::str::contains("cycles per instruction"));
}

#[test]
fn merging_keeps_the_other_mode_and_unknown_keys() {
    let place = place();
    let file = place.path().join("out.yaml");
    fs::write(&file, "instructions:\n- llvmName: ADD64rr\n  name: add\n  operands: []\n  latency: 7\n  mine: kept\n").unwrap();
    winic(place.path())
        .args(["TP", "-i", "ADD64rr", "-o", "out.yaml", "--adopt", "--noReport"])
        .assert()
        .code(0);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("mine: kept") && text.contains("latency: 7"), "{text}");
    assert!(Database::read(&file).unwrap().entry("ADD64rr").unwrap().throughput.value.is_some());
}

#[test]
fn a_form_without_a_value_is_said_with_its_reason() {
    let place = place();
    winic(place.path())
        .args(["TP", "-i", "INT3", "-o", "/dev/null", "--noReport"])
        .assert()
        .code(1)
        .stdout(predicate::str::contains("INT3 [trap]"));
}

/// Assembly files that ask for more than there is.
const GREEDY: [(&str, &str); 3] = [
    ("endless.s", ".incbin \"/dev/zero\""),
    ("repeated.s", ".rept 1000000000\nnop\n.endr"),
    ("recursive.s", ".macro again\nagain\n.endm\nagain"),
];

#[test]
fn bad_input_gets_one_line_and_two() {
    let place = place();
    fs::write(place.path().join("bad.yaml"), "instructions: [").unwrap();
    fs::write(place.path().join("bad.s"), "nonsense here\n").unwrap();
    fs::write(place.path().join("loop.s"), ".globl f\nf: jmp f\n").unwrap();
    fs::write(place.path().join("fault.s"), ".globl f\nf: ud2\n").unwrap();
    fs::write(place.path().join("once.s"), ".globl f\nf: ret\n").unwrap();
    for (name, line) in GREEDY {
        fs::write(place.path().join(name), format!(".globl f\nf: ret\n{line}\n")).unwrap();
    }
    fs::write(place.path().join("latin.s"), [b'#', 0xe4, b'\n']).unwrap();
    let long = "X".repeat(100_000);
    let manual = |file: &str, function: &str| -> Vec<String> {
        ["MAN", "-p", file, "--funcName", function, "-n", "1"].map(str::to_owned).to_vec()
    };
    let words = |line: &str| -> Vec<String> { line.split(' ').map(str::to_owned).collect() };
    let cases: Vec<(Vec<String>, &str)> = vec![
        (words("TP -i ADD64rx"), "ADD64rr"),
        (words("TP -i ADD64rr -o bad.yaml"), "bad.yaml"),
        (words("TP -i ADD64rr -o missing/out.yaml"), "missing"),
        (words("-f 0 TP"), "above 0"),
        (words("-f=-3 TP"), "above 0"),
        (words("TP -c nosuchcpu"), "nosuchcpu"),
        (words("TP -m mips"), "mips"),
        (words("TP -i ADD64rr -o ."), "is a directory"),
        (vec!["TP".into(), "-i".into(), long], "no opcode 'XXX"),
        (words("TP -i ADD64rr -o /dev/null --resume"), "name one with -o"),
        (manual("none.s", "f"), "none.s"),
        (manual(".", "f"), "Is a directory"),
        (manual("/dev/zero", "f"), "larger than"),
        (manual("latin.s", "f"), "UTF-8"),
        (manual("endless.s", "f"), "the assembler broke on endless.s"),
        (manual("repeated.s", "f"), "the assembler broke on repeated.s"),
        (manual("recursive.s", "f"), "recursive.s"),
        (manual("bad.s", "f"), "bad.s"),
        (manual("fault.s", "g"), "g"),
        (manual("fault.s", "f"), "illegal instruction"),
        (manual("loop.s", "f"), "timed out"),
        (manual("once.s", "f"), "takes no longer for more iterations"),
    ];
    for (arguments, expected) in cases {
        let output = winic(place.path()).args(&arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(expected), "{arguments:?} does not name {expected}: {text}");
        assert!(!text.contains("panicked"), "{arguments:?}: {text}");
        if !arguments[0].starts_with("-f") {
            assert!(last_line(&output.stderr).starts_with("winic: "), "{arguments:?}: {text}");
            assert_eq!(text.matches("winic: ").count(), 1, "{arguments:?}: {text}");
        }
    }
    assert_eq!(fs::read_to_string(place.path().join("bad.yaml")).unwrap(), "instructions: [");
}

#[test]
fn without_a_linker_the_package_is_named() {
    let place = place();
    let output = winic(place.path())
        .args(["TP", "-i", "ADD64rr", "-o", "/dev/null", "--noReport"])
        .env("PATH", place.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(last_line(&output.stderr).contains("apt-get install lld-22"), "{output:?}");
}

#[test]
fn the_lists_are_those_of_the_reference() {
    if !winic::llvm::version().starts_with("22.1.8") {
        println!(
            "skipped: the reference was made with LLVM 22.1.8, this is {}",
            winic::llvm::version()
        );
        return;
    }
    for architecture in ["x86_64", "aarch64", "riscv64"] {
        let arguments = ["-m", architecture, "list", "--all", "--noProbe"];
        let output = winic(Path::new(".")).args(arguments).output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        let listed: Vec<&str> = text.lines().filter(|line| !line.contains("\tout\t")).collect();
        let file = format!("reference/{architecture}.tsv");
        let known = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        let known: Vec<&str> = known.lines().skip(1).collect();
        let pairs = listed.iter().zip(&known);
        let different: Vec<_> = pairs.filter(|(new, old)| new != old).take(3).collect();
        assert!(different.is_empty(), "make it again with scripts/reference: {different:?}");
        assert_eq!(listed.len(), known.len(), "make it again with scripts/reference");
    }
}
