//! `winic predict` as its users meet it: regions told by marks of every kind, bounds by small databases of
//! nobody's machines, on every architecture, and what a region takes here.
#![cfg(feature = "llvm")]

#[path = "support/command.rs"]
mod command;

use std::fs;
use std::path::Path;

use command::winic;
use serde_json::Value;

/// Forms of x86-64: figures of no machine.
const X86: &str = "\
isa: x86_64
microArchitecture: znver4
core: {execution: {ports: 4, width: 6}}
instructions:
- {llvmName: ADD64rr, throughput: 0.25, portPressure: [[1, [0, 1, 2, 3]]], slots: 1, operandLatencies: [
    {sourceOperand: '0', targetOperand: '0', latencyMin: 1, latencyMax: 1},
    {sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1},
    {sourceOperand: '0', targetOperand: EFLAGS, latencyMin: 1, latencyMax: 1},
    {sourceOperand: '1', targetOperand: EFLAGS, latencyMin: 1, latencyMax: 1}]}
- {llvmName: IMUL64rr, throughput: 1, portPressure: [[1, [1]]], slots: 1, operandLatencies: [
    {sourceOperand: '0', targetOperand: '0', latencyMin: 3, latencyMax: 3},
    {sourceOperand: '1', targetOperand: '0', latencyMin: 3, latencyMax: 3}]}
- {llvmName: ADC64rr, throughput: 1, portPressure: [[1, [0, 3]]], slots: 1, operandLatencies: [
    {sourceOperand: '0', targetOperand: '0', latencyMin: 1, latencyMax: 1},
    {sourceOperand: EFLAGS, targetOperand: EFLAGS, latencyMin: 2, latencyMax: 2}]}
- {llvmName: XOR64rr, throughput: 0.25, portPressure: [[1, [0, 1, 2, 3]]], operandLatencies: [
    {sourceOperand: '0', targetOperand: '0', latencyMin: 1, latencyMax: 1,
     variants: [{variant: one register at all operands, latency: 0}]},
    {sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1,
     variants: [{variant: one register at all operands, latency: 0}]}]}
- {llvmName: MOV64rm, throughput: 0.5, portPressure: [[1, [2, 3]]], slots: 1,
   operands: [{class: register, name: GR64, width: 64, write: true}, {class: memory, read: true}],
   operandLatencies: [{sourceOperand: 1.addr, targetOperand: '0', latencyMin: 4, latencyMax: 4},
    {sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 2}]}
- {llvmName: MOV64mr, throughput: 1, portPressure: [[1, [3]]], slots: 1,
   operands: [{class: memory, write: true}, {class: register, name: GR64, width: 64, read: true}],
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 3, latencyMax: 3}]}
- {llvmName: DIV64r, throughput: 7, slots: 2}
- {llvmName: ADD64ri8, throughput: 0.25, portPressure: [[1, [0, 1, 2, 3]]], operandLatencies: [
    {sourceOperand: '0', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
";

/// The same of AArch64 and RISC-V.
const ARM: &str = "\
isa: aarch64
microArchitecture: neoverse-v2
core: {frontEnd: {simplest: 0.125}}
instructions:
- {llvmName: FMLAv2f64, throughput: 0.25, operandLatencies: [
    {sourceOperand: '0', targetOperand: '0', latencyMin: 2, latencyMax: 2,
     variants: [{variant: another instruction computed the operand, latency: 4}]},
    {sourceOperand: '1', targetOperand: '0', latencyMin: 4, latencyMax: 4},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 4, latencyMax: 4}]}
- {llvmName: FADDv2f64, throughput: 0.25, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 2}]}
- {llvmName: SUBSXri, throughput: 0.25, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
";
const RISCV: &str = "\
isa: riscv64
instructions:
- {llvmName: MUL, throughput: 1, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 3, latencyMax: 5},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 3, latencyMax: 5}]}
- {llvmName: ADDI, throughput: 0.5, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
";

fn place(database: &str, text: &str) -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a temporary directory");
    fs::write(place.path().join("cpu.yaml"), database).expect("a file");
    fs::write(place.path().join("loop.s"), text).expect("a file");
    place
}

/// The prediction of the only region of a text as JSON, and the exit status.
fn predicted(database: &str, text: &str) -> (i32, Value) {
    let (status, mut regions) = predictions(database, text);
    assert_eq!(regions.len(), 1, "{text}: {regions:#?}");
    (status, regions.remove(0))
}

/// The predictions of all regions of a text.
fn predictions(database: &str, text: &str) -> (i32, Vec<Value>) {
    let place = place(database, text);
    let arguments = ["predict", "loop.s", "--database", "cpu.yaml", "--json"];
    let (status, said, error) = winic(place.path(), &arguments);
    let value: Value =
        serde_json::from_str(&said).unwrap_or_else(|_| panic!("{text}\n{said}{error}"));
    (status, value["regions"].as_array().expect("a list").clone())
}

fn figure(value: &Value, pointer: &str) -> f64 {
    value.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("{pointer}: {value}"))
}

fn is(value: &Value, pointer: &str, expected: f64) {
    let found = figure(value, pointer);
    assert!((found - expected).abs() < 1e-6, "{pointer} is {found}, not {expected}: {value:#}");
}

/// The texts of the instructions.
fn texts(value: &Value) -> Vec<String> {
    let list = value["predicted"]["instructions"].as_array().expect("a list");
    list.iter().map(|it| it["text"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn regions_are_told_by_marks_of_every_kind_and_else_by_loops() {
    let before = "imulq %rcx, %rdx\n";
    let body = "addq %rax, %rbx\naddq %rbx, %rax\n";
    let bytes = ".byte 100\n.byte 103\n.byte 144\n";
    let marked = "the marked region";
    for (text, choice, count) in [
        (format!("{before}# OSACA-BEGIN\n{body}# OSACA-END\n{before}"), marked, 2),
        (format!("{before}  # LLVM-MCA-BEGIN name\n{body}# LLVM-MCA-END\n"), marked, 2),
        (format!("{before}movl $111, %ebx\n{bytes}{body}movl $222, %ebx\n{bytes}"), marked, 2),
        (format!("1: {before}jne 1b\n2: {body}jne 2b\n{before}"), "its last loop", 3),
        (format!("{before}{body}"), "all of it", 3),
        (
            ".intel_syntax noprefix\n# OSACA-BEGIN\nadd rbx, rax\n# OSACA-END\n".to_owned(),
            marked,
            1,
        ),
    ] {
        let (status, value) = predicted(X86, &text);
        assert_eq!(status, 0, "{text}: {value:#}");
        let region = value["region"].as_str().expect("a text");
        assert!(region.contains(choice), "{text}: {region}");
        assert_eq!(texts(&value).len(), count, "{text}: {value:#}");
    }
    let text = "mov x1, #111\n.byte 213,3,32,31\nfmla v0.2d, v1.2d, v2.2d\nmov x1, #222\n.byte 213,3,32,31\n";
    let (status, value) = predicted(ARM, text);
    assert_eq!((status, texts(&value).len()), (0, 1), "{value:#}");
}

#[test]
fn every_marked_region_is_predicted() {
    let add = "addq %rax, %rbx\n";
    let comments = format!(
        "# LLVM-MCA-BEGIN one\n{add}# LLVM-MCA-END one\nnop\n# OSACA-BEGIN\n{add}{add}# OSACA-END\n"
    );
    let (status, regions) = predictions(X86, &comments);
    assert_eq!(status, 0, "{regions:#?}");
    let names: Vec<&Value> = regions.iter().map(|region| &region["name"]).collect();
    assert_eq!(names, [&Value::from("one"), &Value::Null]);
    is(&regions[0], "/predicted/chain/cycles", 1.0);
    is(&regions[1], "/predicted/chain/cycles", 2.0);
    let bytes = ".byte 100\n.byte 103\n.byte 144\n";
    let of_bytes = |body: &str| format!("movl $111, %ebx\n{bytes}{body}movl $222, %ebx\n{bytes}");
    let text = [of_bytes(add), "nop\n".to_owned(), of_bytes(&add.repeat(3))].concat();
    let (_, regions) = predictions(X86, &text);
    assert_eq!(regions.iter().map(|region| texts(region).len()).collect::<Vec<_>>(), [1, 3]);
    // What the database lacks of one of them is enough, and people read a paragraph for each.
    let lacking = format!("{comments}# OSACA-BEGIN\nbtcq %rax, %rbx\n# OSACA-END\n");
    let place = place(X86, &lacking);
    let (status, said, error) =
        winic(place.path(), &["predict", "loop.s", "--database", "cpu.yaml"]);
    assert_eq!(status, 1, "{said}{error}");
    let titles: Vec<&str> = said.lines().filter(|line| line.starts_with("loop.s: ")).collect();
    let marked = "loop.s: the marked region";
    assert_eq!(titles, [&format!("{marked} one"), marked, marked], "{said}");
}

#[test]
fn ports_chains_and_the_front_end_bound_a_loop() {
    // Four additions, each of its own register, on four ports: the front end has room for six.
    let independent: String = ["rax", "rbx", "rcx", "rdx"]
        .map(|register| format!("addq %r8, %{register}\naddq %r9, %{register}\n"))
        .concat();
    let (status, value) = predicted(X86, &independent);
    assert_eq!(status, 0, "{value:#}");
    is(&value, "/predicted/ports/cycles", 2.0);
    is(&value, "/predicted/chain/cycles", 2.0);
    is(&value, "/predicted/frontEnd", 8.0 / 6.0);
    // A product and an addition round one register; two products on one port.
    let (_, value) =
        predicted(X86, "1: imulq %rax, %rax\naddq %rcx, %rax\nimulq %r8, %r9\njne 1b\n");
    is(&value, "/predicted/chain/cycles", 4.0);
    is(&value, "/predicted/ports/cycles", 2.0);
    assert_eq!(value["predicted"]["boundBy"], "chain");
    let links = value["predicted"]["chain"]["links"].as_array().expect("links");
    assert_eq!(links.len(), 2, "{value:#}");
    assert_eq!((&links[0]["instruction"], &links[1]["instruction"]), (&0.into(), &1.into()));
    assert_eq!(links[0]["from"], "rax");
    // Two registers change places: the chain needs two iterations to come back.
    let (_, value) = predicted(X86, "imulq %rax, %rbx\nxorq %rax, %rax\naddq %rbx, %rax\n");
    is(&value, "/predicted/chain/cycles", 4.0);
    assert_eq!(value["predicted"]["chain"]["iterations"], 1);
}

#[test]
fn idioms_flags_and_cells_carry_what_the_database_says() {
    // An idiom cuts what its register held.
    let (_, value) = predicted(X86, "xorq %rax, %rax\nimulq %rcx, %rax\n");
    is(&value, "/predicted/chain/cycles", 3.0);
    let (_, value) = predicted(X86, "adcq %rax, %rbx\nadcq %rcx, %rdx\n");
    is(&value, "/predicted/chain/cycles", 4.0);
    // Through one cell: what is stored comes back five cycles later, and one of addition.
    let (_, value) = predicted(X86, "movq 8(%rsp), %rax\naddq %rcx, %rax\nmovq %rax, 8(%rsp)\n");
    is(&value, "/predicted/chain/cycles", 6.0);
    let links = value["predicted"]["chain"]["links"].as_array().expect("links");
    assert_eq!(links[0]["from"], "[rsp + 8]", "{value:#}");
    // Cells that are named otherwise are others, and so are those whose address moves.
    let other = "movq 8(%rsp), %rax\naddq %rcx, %rax\nmovq %rax, 16(%rsp)\n";
    let (_, value) = predicted(X86, other);
    assert!(value["predicted"]["chain"].is_null(), "{value:#}");
    let moves = "movq (%rdi), %rax\naddq %rcx, %rax\nmovq %rax, (%rdi)\naddq $8, %rdi\n";
    let (_, value) = predicted(X86, moves);
    is(&value, "/predicted/chain/cycles", 1.0);
}

#[test]
fn forms_without_ports_count_by_throughput_and_what_lacks_is_named() {
    let (status, value) = predicted(X86, "divq %rcx\naddq %rcx, %rsi\n");
    assert_eq!(status, 1, "{value:#}");
    is(&value, "/predicted/byThroughput/cycles", 7.0);
    assert_eq!(value["predicted"]["byThroughput"]["form"], "DIV64r");
    let lacks = value["predicted"]["lacks"].to_string();
    assert!(lacks.contains("the latency of DIV64r from RAX to RAX"), "{lacks}");
    let (status, value) = predicted(X86, "bsfq %rcx, %rdx\n");
    assert_eq!(status, 1, "{value:#}");
    assert!(value["predicted"]["lacks"].to_string().contains("BSF64rr"), "{value:#}");
    assert!(value["predicted"]["boundBy"].is_string(), "the front end is known: {value:#}");
    // For people.
    let place = place(X86, "divq %rcx\n");
    let (status, text, _) = winic(place.path(), &["predict", "loop.s", "--database", "cpu.yaml"]);
    assert_eq!(status, 1);
    for expected in
        ["all of it", "throughput 7: of DIV64r", "predicted at least 7 cycles per iteration"]
    {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn other_architectures_have_loops_as_well() {
    let text = "1: fmla v0.2d, v1.2d, v2.2d\nsubs x3, x3, #1\nb.ne 1b\n";
    let (status, value) = predicted(ARM, text);
    assert_eq!(status, 0, "{value:#}");
    // The accumulator's two cycles, and not the factors' four.
    is(&value, "/predicted/chain/cycles", 2.0);
    is(&value, "/predicted/frontEnd", 3.0 / 8.0);
    let (status, value) =
        predicted(RISCV, ".option norvc\n1: mul a0, a0, a1\naddi a2, a2, -1\nbnez a2, 1b\n");
    assert_eq!(status, 0, "{value:#}");
    // The middle of an interval that loops leave open.
    is(&value, "/predicted/chain/cycles", 4.0);
    assert_eq!(value["predicted"]["byThroughput"]["form"], "MUL");
    assert!(value["predicted"]["frontEnd"].is_null());
}

/// Multiply-adds read the addend late that a multiply-add computed.
#[test]
fn what_computed_an_operand_matters() {
    for (body, cycles, links) in [
        ("fmla v0.2d, v1.2d, v2.2d\nfmla v0.2d, v3.2d, v4.2d", 4.0, [2.0, 2.0]),
        ("fmla v0.2d, v1.2d, v2.2d\nfadd v0.2d, v0.2d, v3.2d", 6.0, [4.0, 2.0]),
    ] {
        let (status, value) = predicted(ARM, &format!("1: {body}\nsubs x3, x3, #1\nb.ne 1b\n"));
        assert_eq!(status, 0, "{value:#}");
        is(&value, "/predicted/chain/cycles", cycles);
        for (at, cycles) in links.into_iter().enumerate() {
            is(&value, &format!("/predicted/chain/links/{at}/cycles"), cycles);
        }
    }
}

/// AArch64's `mul` is `madd` with the zero register, and `ror` by a number is `extr` with one register twice:
/// databases have figures of their own.
#[test]
fn forms_with_the_zero_register_or_one_twice_are_forms_of_their_own() {
    let database = "\
isa: aarch64
microArchitecture: neoverse-v2
instructions:
- {llvmName: MADDXrrr, throughput: 0.5, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 3, latencyMax: 3}]}
- {llvmName: MADDXrrr@zero, throughput: 0.5, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 2}]}
- {llvmName: EXTRXrri, throughput: 0.5, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 4, latencyMax: 4}]}
- {llvmName: EXTRXrri@ror, throughput: 0.25, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 1.5, latencyMax: 1.5}]}
- {llvmName: SUBSXri, throughput: 0.25, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
";
    for (text, cycles) in [
        ("mul x1, x1, x2", 2.0),
        ("madd x1, x1, x2, x6", 3.0),
        ("ror x1, x1, #7", 1.5),
        ("extr x1, x1, x2, #7", 4.0),
    ] {
        let (status, value) =
            predicted(database, &format!("1: {text}\nsubs x3, x3, #1\nb.ne 1b\n"));
        assert_eq!(status, 0, "{value:#}");
        is(&value, "/predicted/chain/cycles", cycles);
    }
}

#[test]
fn what_cannot_be_predicted_is_one_line() {
    let place = place(X86, "addq %rax, %rbx\n");
    let path = place.path();
    let put = |name: &str, text: &str| fs::write(path.join(name), text).expect("a file");
    put("garbage.s", "what is this\n");
    put("empty.s", "");
    put("half.s", "# OSACA-BEGIN\naddq %rax, %rbx\n");
    put("behind.s", "addq %rax, %rbx # OSACA-BEGIN\n# OSACA-END\n");
    put("nothing.s", "nop\n# OSACA-BEGIN\n# OSACA-END\n");
    put("nested.s", "# OSACA-BEGIN\nnop\n# OSACA-BEGIN\nnop\n# OSACA-END\n# OSACA-END\n");
    put("arm.s", "fmla v0.2d, v1.2d, v2.2d\n");
    put("alpha.yaml", "isa: alpha\ninstructions: [{llvmName: A, throughput: 1}]\n");
    put("broken.yaml", "instructions: [");
    for (file, database) in [
        ("garbage.s", "cpu.yaml"),
        ("empty.s", "cpu.yaml"),
        ("half.s", "cpu.yaml"),
        ("behind.s", "cpu.yaml"),
        ("nothing.s", "cpu.yaml"),
        ("nested.s", "cpu.yaml"),
        ("arm.s", "cpu.yaml"),
        ("missing.s", "cpu.yaml"),
        ("loop.s", "alpha.yaml"),
        ("loop.s", "broken.yaml"),
        ("loop.s", "missing.yaml"),
    ] {
        let (status, said, error) = winic(path, &["predict", file, "--database", database]);
        assert_eq!((status, said.as_str()), (2, ""), "{file} {database}: {error}");
        assert_eq!(error.lines().count(), 1, "{file} {database}: {error}");
    }
    let (status, _, error) = winic(path, &["predict", "loop.s"]);
    assert_eq!(status, 2);
    assert!(error.contains("--database"), "{error}");
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod here {
    use super::*;

    /// The same with a runner, so that kernels run.
    fn winic(place: &Path, arguments: &[&str]) -> command::Said {
        let runner = env!("CARGO_BIN_EXE_winic-runner");
        let mut command = assert_cmd::Command::cargo_bin("winic").expect("winic is built");
        let output =
            command.current_dir(place).env("WINIC_RUNNER", runner).args(arguments).output();
        let output = output.expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (output.status.code().expect("no signal"), text(output.stdout), text(output.stderr))
    }

    /// What a region takes on this machine.
    fn measured(place: &Path, file: &str) -> (f64, bool) {
        let (status, text, error) = winic(place, &["predict", file, "--measure", "--json"]);
        assert_eq!(status, 0, "{text}{error}");
        let all: Value = serde_json::from_str(&text).expect("JSON");
        let value = &all["regions"][0];
        let settled = value["measured"]["settled"].as_bool().expect("a flag");
        (figure(value, "/measured/cycles"), settled)
    }

    #[test]
    fn a_chain_of_three_additions_takes_three_cycles() {
        let chain = "1: addq %rcx, %rax\naddq %rdx, %rax\naddq %rsi, %rax\njne 1b\n";
        let place = place(X86, chain);
        // (A neighbour on the core may keep a run from settling.)
        let runs = (0..5).map(|_| measured(place.path(), "loop.s"));
        let cycles = runs.into_iter().find(|(_, settled)| *settled).expect("a settled run").0;
        assert!((2.8..3.2).contains(&cycles), "{cycles} cycles");
        let both = ["predict", "loop.s", "--database", "cpu.yaml", "--measure"];
        let (status, text, error) = winic(place.path(), &both);
        assert_eq!(status, 0, "{error}");
        assert!(text.contains("predicted 3 cycles per iteration, by chain"), "{text}");
        assert!(text.contains("\nmeasured "), "{text}");
    }

    #[test]
    fn what_stays_in_memory_is_measured_and_what_does_not_is_one_line() {
        let place = place(X86, "movq 8(%rdi), %rax\naddq %rax, %rcx\nmovq %rcx, 16(%rdi)\n");
        let path = place.path();
        assert!(measured(path, "loop.s").0 > 0.1);
        let put = |name: &str, text: &str| fs::write(path.join(name), text).expect("a file");
        put("leaves.s", "1: movq (%rdi), %rax\naddq $64, %rdi\njne 1b\n");
        put("symbol.s", "movq somewhere(%rip), %rax\n");
        put("call.s", "call somewhere\nnop\n");
        put("branch.s", "1: je 2f\nnop\n2: nop\njne 1b\n");
        put("counter.s", "addq $1, %r15\n");
        put("only.s", "1: jne 1b\n");
        for (file, words) in [
            ("leaves.s", "segmentation fault"),
            ("symbol.s", "refers to somewhere"),
            ("call.s", "goes elsewhere"),
            ("branch.s", "goes elsewhere"),
            ("counter.s", "R15"),
            ("only.s", "nothing but a branch"),
        ] {
            let (status, _, error) = winic(path, &["predict", file, "--measure"]);
            assert_eq!(status, 2, "{file}: {error}");
            assert!(error.contains(words), "{file}: {error}");
            assert_eq!(error.lines().count(), 1, "{file}: {error}");
        }
    }
}
