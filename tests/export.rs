//! `winic export` as its users meet it: what is read again says the same, OSACA itself loads its model,
//! and what is no database is one line.
#![cfg(feature = "llvm")]

#[path = "support/command.rs"]
mod command;

use std::fs;
use std::path::Path;

use command::winic;
use winic::database::{Database, ValueRow};
use winic::exchange::Format;
use winic::exchange::forms::FormTable;

/// Forms as compilers use them, of x86-64: figures of no machine.
const X86: &str = "\
isa: x86_64
microArchitecture: znver4
core: {execution: {ports: 4, width: 6}}
instructions:
- {llvmName: ADD64rr, name: add, operands: [{class: register, name: GR64, width: 64, read: true, write: true},
    {class: register, name: GR64, width: 64, read: true}], latency: 1, throughput: 0.25, throughputMin: 0.25,
   throughputMax: 0.25, portPressure: [[1, [0, 1, 2, 3]]], slots: 1, operandLatencies: [
    {sourceOperand: '0', targetOperand: '0', latencyMin: 1, latencyMax: 1},
    {sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1},
    {sourceOperand: '0', targetOperand: EFLAGS, latencyMin: 1, latencyMax: 1}]}
- {llvmName: ADD64ri8, name: add, operands: [{class: register, name: GR64, width: 64, read: true, write: true},
    {class: immediate, read: true}], latency: 1, throughput: 0.25, throughputMin: 0.25, throughputMax: 0.25,
   portPressure: [[1, [0, 1, 2, 3]]], slots: 1, operandLatencies: [
    {sourceOperand: '0', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
- {llvmName: CMP64rr, name: cmp, latency: 1, throughput: 0.25, portPressure: [[1, [0, 1, 2, 3]]], slots: 1,
   operandLatencies: [{sourceOperand: '0', targetOperand: EFLAGS, latencyMin: 1, latencyMax: 1}]}
- {llvmName: CMOV64rr, name: cmove, latency: 1, throughput: 0.5, portPressure: [[1, [0, 1]]], slots: 1,
   operandLatencies: [{sourceOperand: '0', targetOperand: '0', latencyMin: 1, latencyMax: 1},
    {sourceOperand: EFLAGS, targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
- {llvmName: MUL64r, name: mul, latency: 4, throughput: 2, portPressure: [[2, [1]]], slots: 2,
   operandLatencies: [{sourceOperand: '0', targetOperand: RAX, latencyMin: 3, latencyMax: 3},
    {sourceOperand: RAX, targetOperand: RDX, latencyMin: 4, latencyMax: 4},
    {sourceOperand: RAX, targetOperand: RAX, latencyMin: 3, latencyMax: 3}]}
- {llvmName: SHL64rCL, name: shl, latency: 1, throughput: 0.5, portPressure: [[1, [1, 2]]], slots: 1,
   operandLatencies: [{sourceOperand: '0', targetOperand: '0', latencyMin: 1, latencyMax: 1},
    {sourceOperand: CL, targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
- {llvmName: MOV64rm, name: mov, latency: 4, throughput: 0.5, portPressure: [[1, [2, 3]]], slots: 1,
   operands: [{class: register, name: GR64, width: 64, write: true}, {class: memory, read: true}],
   operandLatencies: [{sourceOperand: 1.addr, targetOperand: '0', latencyMin: 4, latencyMax: 4}]}
- {llvmName: 'MOV64rm@scaled-index', name: mov, latency: 5, throughput: 0.5, portPressure: [[1, [2, 3]]], slots: 1,
   operands: [{class: register, name: GR64, width: 64, write: true}, {class: memory, read: true}],
   operandLatencies: [{sourceOperand: 1.addr, targetOperand: '0', latencyMin: 5, latencyMax: 5}]}
- {llvmName: ADD64rm, name: add, latency: 1, throughput: 0.5, portPressure: [[1, [0, 1, 2, 3]], [1, [2, 3]]],
   slots: 1, operandLatencies: [{sourceOperand: '0', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
- {llvmName: MOV64mr, name: mov, latency: 1, throughput: 1, portPressure: [[1, [3]]], slots: 1}
- {llvmName: INC64m, name: inc, latency: 7, throughput: 1, portPressure: [[1, [3]]], slots: 2}
- {llvmName: VADDPDYrr, name: vaddpd, latency: 3, throughput: 0.5, portPressure: [[1, [0, 1]]], slots: 1,
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 3, latencyMax: 3}]}
- {llvmName: VADDPDZrrk, name: vaddpd, latency: 9, throughput: 9, portPressure: [[9, [0]]], slots: 1,
   operandLatencies: [{sourceOperand: '0', targetOperand: '0', latencyMin: 9, latencyMax: 9}]}
- {llvmName: VADDPDZrr, name: vaddpd, latency: 3, throughput: 1, portPressure: [[2, [0, 1]]], slots: 1,
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 3, latencyMax: 3}]}
- {llvmName: VCMPPDYrri, name: vcmppd, latency: 3, throughput: 0.5, portPressure: [[1, [0, 1]]], slots: 1,
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 3, latencyMax: 3}]}
- {llvmName: NOOP, throughputStatus: 'failed: trap', latencyStatus: 'failed: trap'}
";

/// The same of AArch64.
const ARM: &str = "\
isa: aarch64
microArchitecture: neoverse-v2
instructions:
- {llvmName: ADDXri, name: add, latency: 1, throughput: 0.25, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
- {llvmName: SUBSXrs, name: subs, latency: 1, throughput: 0.25, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
- {llvmName: MADDXrrr, name: madd, latency: 2, throughput: 1, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 2}]}
- {llvmName: CSINCXr, name: csinc, latency: 1, throughput: 0.25, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
- {llvmName: UBFMXri, name: ubfm, latency: 1, throughput: 0.25, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
- {llvmName: FMLAv2f64, name: fmla, latency: 4, throughput: 0.25, operandLatencies: [
    {sourceOperand: '0', targetOperand: '0', latencyMin: 2, latencyMax: 2},
    {sourceOperand: '1', targetOperand: '0', latencyMin: 4, latencyMax: 4}]}
- {llvmName: LDRQui, name: ldr, latency: 6, throughput: 0.3333,
   operands: [{class: register, name: FPR128, width: 128, write: true}, {class: memory, read: true}],
   operandLatencies: [{sourceOperand: 1.addr, targetOperand: '0', latencyMin: 6, latencyMax: 6}]}
";

/// What is more than one exact number: intervals that are open or not, cells, parts of addresses, values
/// under circumstances.
const INEXACT: &str = "\
isa: x86_64
microArchitecture: znver4
instructions:
- {llvmName: VPINSRQrri, name: vpinsrq, throughput: 1, throughputMin: 0.5, throughputMax: 1,
   throughputUncertainty: 0.02, throughputRaw: 0.98, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 1, latencyMax: 4, uncertainty: 0.05}]}
- {llvmName: ADD64mr, name: add, throughput: 1, operands: [{class: memory, read: true, write: true},
    {class: register, name: GR64, width: 64, read: true}], operandLatencies: [
    {sourceOperand: '0', targetOperand: '0', latencyMin: 5, latencyMax: 7,
     variants: [{variant: memory is read at the address that it was written at, latency: 1}]},
    {sourceOperand: 0.addr, targetOperand: EFLAGS, latencyMin: 5, latencyMax: 6}]}
- {llvmName: 'MOV64rm@scaled-index', name: mov, addressing: base + index * 8, throughput: 0.5,
   operands: [{class: register, name: GR64, width: 64, write: true}, {class: memory, read: true}],
   throughputVariants: [{variant: all instances access one memory cell, throughput: 1}], operandLatencies: [
    {sourceOperand: 1.addr, targetOperand: '0', latencyMin: 5, latencyMax: 5},
    {sourceOperand: 1.addr.index, targetOperand: '0', latencyMin: 5, latencyMax: 6, raw: 5.4}]}
- {llvmName: CMOV64rr, name: cmove, throughput: 0.5, operandLatencies: [
    {sourceOperand: '0', targetOperand: '0', latencyMin: 0, latencyMax: 1, independence: possible}]}
- {llvmName: VPADDBZrrk, name: vpaddb, throughputStatus: unstable, throughputMin: 1, operandLatencies: [
    {sourceOperand: '0', targetOperand: '0', latencyMin: 1, latencyMax: null, status: contested}]}
";

fn place(database: &str) -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a temporary directory");
    fs::write(place.path().join("cpu.yaml"), database).expect("a file");
    place
}

#[test]
fn what_is_exported_and_read_again_does_not_differ() {
    let place = place(X86);
    let path = place.path();
    for format in ["csv", "json", "xml"] {
        let file = format!("cpu.{format}.txt");
        let (status, said, error) = winic(path, &["export", format, "cpu.yaml", "-o", &file]);
        assert_eq!((status, said.as_str(), error.as_str()), (0, "", ""), "{format}");
        for files in [["cpu.yaml", &file], [&file, "cpu.yaml"]] {
            let compare = [&["compare", "--exit-code"], &files[..]].concat();
            let (status, text, error) = winic(path, &compare);
            assert_eq!(status, 0, "{format}: {text}{error}");
            assert!(text.contains(" 0 differ, 0 undecided"), "{format}: {text}");
            assert!(!text.contains("only "), "{format}: {text}");
        }
        // To standard output, the same.
        let (_, text, _) = winic(path, &["export", format, "cpu.yaml"]);
        assert_eq!(text, fs::read_to_string(path.join(file)).unwrap());
    }
    let (status, text, _) = winic(path, &["compare", "cpu.yaml", "cpu.csv.txt", "cpu.xml.txt"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains(" 0 of them with a difference"), "{text}");
}

#[test]
fn intervals_cells_and_addresses_come_back_as_they_were() {
    let found = Database::parse(INEXACT).expect("a database");
    let rows: Vec<ValueRow> = found.rows().collect();
    let place = place(INEXACT);
    let path = place.path();
    for (format, extent) in [("csv", "1.addr.index"), ("json", "0.addr"), ("xml", "0.addr")] {
        let file = format!("cpu.{format}");
        assert_eq!(winic(path, &["export", format, "cpu.yaml", "-o", &file]).0, 0, "{format}");
        let bytes = fs::read(path.join(&file)).expect("a file");
        assert!(String::from_utf8_lossy(&bytes).contains(extent), "{format}");
        let told = Format::of(&bytes).expect("a format");
        let read = told.read(&bytes, None).expect("a table").matched(&FormTable::default());
        assert_eq!(read.database.rows().collect::<Vec<_>>(), rows, "{format}");
        assert!(read.unmatched.is_empty(), "{format}: {:?}", read.unmatched);
        // What holds under a circumstance comes back as such, and is no figure of the form as a whole.
        let of_form = |database: &Database| database.entry("ADD64mr").expect("a form").latency;
        assert_eq!(of_form(&read.database).value, Some(6.0), "{format}");
        let of_cells = |database: &Database| of_form(database).operands[0].variants.clone();
        assert_eq!(of_cells(&read.database), of_cells(&found), "{format}");
        let (status, text, error) = winic(path, &["compare", "--exit-code", "cpu.yaml", &file]);
        assert_eq!(status, 0, "{format}: {text}{error}");
        assert!(text.contains(" 0 differ"), "{format}: {text}");
        assert!(!text.contains("only "), "{format}: {text}");
    }
}

#[test]
fn benchmarks_of_exegesis_come_back() {
    let place = place(X86);
    let path = place.path();
    let (status, _, error) = winic(path, &["export", "exegesis", "cpu.yaml", "-o", "llvm"]);
    assert_eq!(status, 0, "{error}");
    for mode in ["latency", "inverse_throughput"] {
        let file = format!("llvm/{mode}.yaml");
        let (status, text, error) = winic(path, &["compare", "--exit-code", &file, "cpu.yaml"]);
        assert_eq!(status, 0, "{mode}: {text}{error}");
        assert!(text.contains(" 0 differ"), "{mode}: {text}");
    }
}

/// LLVM's own reader, where it is installed: it knows the opcodes and their operands.
#[test]
fn exegesis_itself_reads_its_benchmarks() {
    let program = Path::new("/usr/lib/llvm-22/bin/llvm-exegesis");
    if !program.exists() {
        assert!(
            std::env::var_os("CI").is_none(),
            "llvm-exegesis is missing: scripts/test installs it"
        );
        println!("skipped: there is no llvm-exegesis: scripts/test installs it");
        return;
    }
    let place = place(X86);
    let path = place.path();
    assert_eq!(winic(path, &["export", "exegesis", "cpu.yaml", "-o", "llvm"]).0, 0);
    for mode in ["latency", "inverse_throughput"] {
        let output = std::process::Command::new(program)
            .current_dir(path)
            .args(["-mode=analysis", &format!("-benchmarks-file=llvm/{mode}.yaml")])
            .args(["-analysis-clusters-output-file=clusters.csv", "-analysis-numpoints=1"])
            .arg("-analysis-inconsistencies-output-file=inconsistencies.html")
            .output()
            .expect("it runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{mode}: {error}");
        let clusters = fs::read_to_string(path.join("clusters.csv")).unwrap();
        assert!(clusters.contains("ADD64rr") || clusters.lines().count() > 5, "{mode}: {clusters}");
        assert!(fs::metadata(path.join("inconsistencies.html")).unwrap().len() > 0);
    }
}

#[test]
fn what_is_no_database_is_one_line() {
    let place = place(X86);
    let path = place.path();
    let put = |name: &str, text: &[u8]| fs::write(path.join(name), text).expect("a file");
    put("garbage.yaml", b"\x00\xff\x13garbage: [");
    put("half.yaml", &X86.as_bytes()[..X86.len() / 2]);
    put("empty.yaml", b"");
    put(
        "alpha.yaml",
        b"isa: alpha\nmicroArchitecture: ev6\ninstructions: [{llvmName: A, throughput: 1}]\n",
    );
    put("nowhere.yaml", b"instructions: [{llvmName: A, throughput: 1}]\n");
    put("half.xml", b"<root><instruction llvm='A'><architecture name='x'>");
    put("half.csv", b"llvmName,quantity,min\nADD64rr,thr");
    put("half.json", b"[{\"llvmName\": \"A\", \"quantity\":");
    put("half.exegesis", b"---\nmode: latency\nkey:\n  instructions:\n    - 'ADD");
    let exports = ["osaca", "llvm", "exegesis", "csv", "json", "xml"];
    for file in ["garbage.yaml", "half.yaml", "empty.yaml", "missing.yaml"] {
        for format in exports {
            refused(path, &["export", format, file, "-o", "out"]);
        }
        refused(path, &["compare", "cpu.yaml", file]);
    }
    for file in ["alpha.yaml", "nowhere.yaml"] {
        refused(path, &["export", "osaca", file, "-o", "out"]);
        refused(path, &["export", "exegesis", file, "-o", "out"]);
        refused(path, &["export", "llvm", file, "-o", "out"]);
    }
    for file in ["half.xml", "half.csv", "half.json", "half.exegesis"] {
        refused(path, &["compare", "cpu.yaml", file]);
        refused(path, &["compare", file, "cpu.yaml", "cpu.yaml"]);
    }
    refused(path, &["export", "osaca", "cpu.yaml"]);
    refused(path, &["export", "osaca", "cpu.yaml", "-o", "out", "--as", "../zen4"]);
    refused(path, &["export", "csv", "cpu.yaml", "-o", "cpu.yaml"]);
    refused(path, &["export", "llvm", "cpu.yaml", "-o", "cpu.yaml"]);
    assert!(!path.join("out").exists());
}

fn refused(place: &Path, arguments: &[&str]) {
    let (status, said, error) = winic(place, arguments);
    assert_eq!((status, said.as_str()), (2, ""), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(error.starts_with("winic: "), "{error}");
}

/// A loop with one instruction of each kind, as GCC writes them.
const LOOP: &str = "\
.L3:
\tmovq\t(%rdi,%rax,8), %rcx
\taddq\t(%rsi), %rcx
\tsalq\t%cl, %rdx
\tcmovnbq\t%rcx, %rdx
\tmulq\t%rdx
\tincq\t(%r9,%rcx,8)
\tvaddpd\t%zmm1, %zmm2, %zmm2
\tvcmpltpd\t%ymm1, %ymm2, %ymm3
\tvcmppd\t$1, %ymm1, %ymm2, %ymm3
\tmovq\t%rdx, 8(%rdi)
\taddq\t$8, %rsi
\tcmpq\t%rsi, %r8
\tjne\t.L3
";

/// The same of AArch64, with names that LLVM has no opcodes for.
const ARM_LOOP: &str = "\
.L3:
\tldr\tq1, [x0], #16
\tfmla\tv0.2d, v1.2d, v2.2d
\tadd\tx1, x1, #1
\tmul\tx2, x1, x3
\tlsl\tx4, x2, #3
\tcmp\tx1, x5
\tcset\tx6, ne
\tb.ne\t.L3
";

/// The Python that OSACA is installed for; says why there is none.
fn osaca() -> Option<String> {
    let root = env!("CARGO_MANIFEST_DIR");
    let output = std::process::Command::new("bash")
        .current_dir(root)
        .args(["-c", ". scripts/lib.sh && osaca_python"])
        .output()
        .expect("bash runs");
    let python = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && Path::new(&python).exists() {
        return Some(python);
    }
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(std::env::var_os("CI").is_none(), "OSACA is missing: {why}");
    println!("skipped: OSACA could not be installed: {why}");
    None
}

/// What OSACA says of a model and of a loop.
fn linted(python: &str, place: &Path, arch: &str, text: &str) -> serde_json::Value {
    let listing = place.join("loop.s");
    fs::write(&listing, text).expect("a file");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops/lint.py");
    let output = std::process::Command::new(python)
        .env("HOME", place)
        .arg(script)
        .arg(arch)
        .arg(&listing)
        .output()
        .expect("Python runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{error}"))
}

#[test]
fn osaca_loads_the_model_and_knows_what_compilers_write() {
    let Some(python) = osaca() else { return };
    for (database, arch, text) in [(X86, "zen4", LOOP), (ARM, "v2", ARM_LOOP)] {
        let place = place(database);
        let path = place.path();
        let (status, _, error) = winic(path, &["export", "osaca", "cpu.yaml", "-o", ".osaca/data"]);
        assert_eq!(status, 0, "{error}");
        let said = linted(&python, path, arch, text);
        for none in ["broken", "warnings", "unknown"] {
            assert_eq!(said[none], serde_json::json!([]), "{arch}: {none}");
        }
        let figure = |name: &str| said[name].as_f64().expect("a number");
        if arch == "v2" {
            // The accumulator's two cycles, and not the factors' four.
            assert!((figure("chain") - 2.0).abs() < 1e-6, "{said}");
        } else {
            // From the product to what it leads to: the load by a scaled index (5), the addition, the
            // shift by it, the move and the product. The addition of 512 bits takes 3 beside it, and not
            // the masked one's 9.
            assert!((figure("chain") - 11.0).abs() < 1e-6, "{said}");
        }
    }
}

/// Loads of AArch64 by other addresses, and a product to which nothing is added: figures of no machine.
const ARM_SPECIAL: &str = "\
isa: aarch64
microArchitecture: neoverse-v2
core: {execution: {ports: 4, width: 6}}
instructions:
- {llvmName: LDRXpost, name: ldr, latency: 4, throughput: 0.5, portPressure: [[1, [0]], [1, [2, 3]]], slots: 2,
   operands: [{class: register, name: GPR64sp, width: 64, write: true}, {class: register, name: GPR64, width: 64,
   write: true}, {class: memory, read: true}], operandLatencies: [
    {sourceOperand: 2.addr, targetOperand: '1', latencyMin: 4, latencyMax: 4},
    {sourceOperand: 2.addr, targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
- {llvmName: LDRXroX, name: ldr, latency: 5, throughput: 0.5, portPressure: [[1, [2, 3]]], slots: 1,
   operands: [{class: register, name: GPR64, width: 64, write: true}, {class: memory, read: true}],
   operandLatencies: [{sourceOperand: 1.addr, targetOperand: '0', latencyMin: 5, latencyMax: 5}]}
- {llvmName: LDRXui, name: ldr, latency: 4, throughput: 0.5, portPressure: [[1, [2, 3]]], slots: 1,
   operands: [{class: register, name: GPR64, width: 64, write: true}, {class: memory, read: true}],
   operandLatencies: [{sourceOperand: 1.addr, targetOperand: '0', latencyMin: 4, latencyMax: 4}]}
- {llvmName: MADDXrrr, name: madd, latency: 3, throughput: 1, portPressure: [[1, [1]]], slots: 1,
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 3, latencyMax: 3}]}
- {llvmName: SSHLLv2i32_shift, name: sshll, latency: 2, throughput: 0.5, portPressure: [[1, [0, 1]]], slots: 1,
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 2}]}
- {llvmName: MADDXrrr@zero, name: mul, latency: 2, throughput: 0.5, portPressure: [[1, [0, 1]]], slots: 1,
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 2}]}
";

#[test]
fn other_addresses_and_zeros_of_aarch64_have_costs_of_their_own() {
    let Some(python) = osaca() else { return };
    let place = place(ARM_SPECIAL);
    let path = place.path();
    let (status, _, error) = winic(path, &["export", "osaca", "cpu.yaml", "-o", ".osaca/data"]);
    assert_eq!(status, 0, "{error}");
    let bounds = |text: &str| {
        let said = linted(&python, path, "v2", text);
        assert_eq!(said["unknown"], serde_json::json!([]), "{text}");
        (said["ports"].as_f64().expect("a number"), said["chain"].as_f64().expect("a number"))
    };
    // (Of a pointer, whose load and chain are one; two of each, so that ports count as well.)
    assert_eq!(bounds("ldr x1, [x1, #8]\nldr x2, [x3]\n"), (1.0, 4.0));
    assert_eq!(bounds("ldr x1, [x1, x2]\nldr x2, [x3]\n"), (1.0, 5.0));
    // What moves its base takes an operation more on the first port, and a cycle from base to base.
    assert_eq!(bounds("ldr x1, [x3], #8\nldr x2, [x4], #8\n"), (2.0, 1.0));
    assert_eq!(bounds("ldr x1, [x3, #8]!\nldr x2, [x3]\n"), (1.0, 1.0));
    assert_eq!(bounds("sxtl v1.2d, v1.2s\nsshll v2.2d, v3.2s, #1\n"), (1.0, 2.0));
    assert_eq!(bounds("mul x1, x1, x2\nmul x3, x4, x5\n"), (1.0, 2.0));
    assert_eq!(bounds("madd x1, x1, x2, x6\nmadd x3, x4, x5, x6\n"), (2.0, 3.0));
}

#[test]
fn an_address_that_takes_more_of_the_front_end_has_a_cost_of_its_own() {
    let Some(python) = osaca() else { return };
    // As quick as a plain load, by the same ports, and of two slots where one passes in a cycle.
    let database = ARM_SPECIAL.replace("width: 6}", "width: 1}").replace(
        "portPressure: [[1, [0]], [1, [2, 3]]], slots: 2",
        "portPressure: [[1, [2, 3]]], slots: 2",
    );
    let place = place(&database);
    let path = place.path();
    let (status, _, error) = winic(path, &["export", "osaca", "cpu.yaml", "-o", ".osaca/data"]);
    assert_eq!(status, 0, "{error}");
    let ports = |text: &str| linted(&python, path, "v2", text)["ports"].as_f64();
    assert_eq!(ports("ldr x1, [x3, #8]\nldr x2, [x4, #8]\n"), Some(2.0));
    assert_eq!(ports("ldr x1, [x3], #8\nldr x2, [x4], #8\n"), Some(4.0));
}

#[test]
fn what_a_model_cannot_say_is_counted() {
    let place = place(ARM);
    let (status, text, _) = winic(place.path(), &["export", "osaca", "cpu.yaml", "-o", "out"]);
    assert_eq!(status, 0);
    assert!(
        text.contains("one latency stands for several of its operands: 1 (FMLAv2f64)"),
        "{text}"
    );
    let machine = fs::read_to_string(place.path().join("out/v2.yml")).unwrap();
    assert_eq!(machine.matches("instruction_forms").count(), 1);
    assert!(machine.contains("cset") && machine.contains("lsl"), "{machine}");
}
