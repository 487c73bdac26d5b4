//! The simulated RISC-V core (`scripts/rtl`, `rtl/`): true cycles of a real core, through the
//! pipe that all runners use. What is expected is what the core's Verilog does, to the cycle:
//! Rocket issues one instruction a cycle in order, forwards an addition at once, a load after two
//! cycles and a double-precision addition after six, multiplies eight bits of one factor a cycle, and
//! forwards nothing from stores to loads.
#![cfg(feature = "llvm")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use winic::artifact::{Artifact, KernelFunctions, KernelId, Needs, Purpose, ReferenceFunction};
use winic::assemble::Linker;
use winic::codec::Assembler as _;
use winic::device::{
    Device as _, DeviceError, Fault, KernelReport, LocalDevice, LocalOptions, TickSource,
};
use winic::llvm::{Llvm, TargetChoice};
use winic::sample::{Clock, reduce};

/// Additions in one iteration of the reference chain.
const REFERENCE: u32 = 64;

/// Integer registers that no kernel here uses for anything else.
const INTEGER: [&str; 11] = ["a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4", "t5", "ra"];

/// The same for floating point.
const FLOATING: [&str; 8] = ["ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7"];

/// Instances of an instruction in one body.
const INSTANCES: usize = 22;

/// Chains and independent instances: the instruction with `{}` for its destination, the
/// registers that this rotates through, and the cycles of one instance.
const TIMINGS: &[(&str, &[&str], f64)] = &[
    ("add {}, {}, a2", &["a1"], 1.0),
    ("add {}, a2, a3", &INTEGER, 1.0),
    // The product fills the register before it is timed.
    ("mul {}, {}, a2", &["a1"], 10.0),
    // The second factor has two bytes.
    ("mul {}, a2, a3", &INTEGER, 5.0),
    ("ld {}, 0({})", &["s11"], 2.0),
    ("ld {}, 0(s11)", &INTEGER, 1.0),
    // A byte is extended in the cycle after.
    ("andi {}, {}, 0\nadd {}, {}, s11\nlb {}, 0({})", &["a4"], 5.0),
    // Nothing is forwarded from what waits to be stored: the load is sent through the pipeline once
    // more, when it is in the cache.
    ("sd {}, 0(a0)\nld {}, 0(a0)", &["a4"], 8.0),
    ("sw {}, 0(a0)\nlw {}, 0(a0)", &["a4"], 8.0),
    ("sb {}, 0(a0)\nlb {}, 0(a0)", &["a4"], 9.0),
    // Who adds to memory stores as well.
    ("amoadd.d {}, a2, (a0)", &INTEGER, 6.0),
    ("amoadd.d zero, {}, (a0)\nld {}, 0(a0)", &["a4"], 8.0),
    ("fadd.d {}, {}, fa1", &["fa0"], 6.0),
    ("fadd.d {}, fa0, fa1", &FLOATING, 1.0),
    ("fadd.s {}, {}, fa3", &["fa2"], 4.0),
    ("fmadd.d {}, {}, fa1, fa1", &["fa0"], 6.0),
];

/// Instructions that do not end as instructions should.
const FAULTS: &[(&str, Fault)] = &[
    (".word 0", Fault::IllegalInstruction),
    ("csrw mstatus, zero", Fault::IllegalInstruction),
    ("mret", Fault::IllegalInstruction),
    ("wfi", Fault::IllegalInstruction),
    ("ecall", Fault::SystemCall),
    ("ebreak", Fault::Trap),
    ("ld a4, 0(zero)", Fault::SegmentationFault),
    // The mailbox of the bench.
    ("lui a4, 0x10001\nld a4, 0(a4)", Fault::SegmentationFault),
    ("jr zero", Fault::SegmentationFault),
    ("ld a4, 1(s11)", Fault::BusError),
    ("2: j 2b", Fault::TimedOut),
];

/// `void symbol(uint64_t)` that runs `body` so often.
fn function(symbol: &str, body: &str) -> String {
    format!(
        ".globl {symbol}\n.type {symbol}, @function\n.balign 64\n{symbol}:\n\
         mv t6, a0\nmv s9, ra\nmv s10, s11\n\
         li a1, 3\nli a2, 0x7fff\nli a3, 0x7ffe\nld s11, cell_address\naddi a0, s11, 64\n\
         fcvt.d.l fa0, a1\nfcvt.d.l fa1, a2\nfcvt.s.l fa2, a1\nfcvt.s.l fa3, a2\n\
         .balign 64\n1:\n{body}\naddi t6, t6, -1\nbnez t6, 1b\n\
         mv s11, s10\nmv ra, s9\nret\n"
    )
}

/// A cell that holds its own address, which the loader has to relocate, and a line behind it to store to.
const DATA: &str = ".data\n.balign 64\ncell: .quad cell\ncell_address: .quad cell\n.zero 112\n";

fn artifact(purpose: Purpose, bodies: &[String]) -> Artifact {
    let mut text = String::from(".option norvc\n.option norelax\n.text\n");
    text.push_str(&function("reference", &"add a1, a1, a2\n".repeat(REFERENCE as usize)));
    for (id, body) in bodies.iter().enumerate() {
        text.push_str(&function(&format!("k{id}_single"), body));
        text.push_str(&function(&format!("k{id}_double"), &format!("{body}\n{body}")));
    }
    text.push_str(DATA);
    let llvm = Llvm::new(TargetChoice {
        triple: "riscv64-unknown-linux-gnu".into(),
        cpu: "rocket-rv64".into(),
        features: "+m,+a,+f,+d,+c".into(),
    });
    let object = llvm.unwrap().assemble(&text).unwrap();
    Artifact {
        // Nobody shares a simulated core.
        sentinel: None,
        image: Linker::find().unwrap().link(&[object]).unwrap().into(),
        reference: ReferenceFunction {
            symbol: "reference".into(),
            cycles_per_iteration: REFERENCE,
        },
        kernels: (0..bodies.len() as u32)
            .map(|id| KernelFunctions {
                id: KernelId(id),
                purpose,
                init: None,
                single: format!("k{id}_single"),
                double: (purpose == Purpose::Time).then(|| format!("k{id}_double")),
                alone: true,
                needs: Needs::default(),
            })
            .collect(),
    }
}

/// The runner; `None` (and why on the output) where it was not built.
fn runner() -> Option<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("target"),
        |folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
    );
    let runner = target.join("rtl/rocket-runner");
    if runner.is_file() {
        return Some(runner);
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "{} is missing: scripts/rtl builds it",
        runner.display()
    );
    println!("skipped: scripts/rtl has not built the simulated core");
    None
}

fn start(runner: PathBuf) -> LocalDevice {
    LocalDevice::start(LocalOptions { runner: Some(runner), ..LocalOptions::default() }).unwrap()
}

fn run(device: &mut LocalDevice, artifact: &Artifact) -> Result<Vec<KernelReport>, DeviceError> {
    let mut reports = Vec::new();
    let mut deliver = |_, report| {
        reports.push(report);
        true
    };
    device.run(artifact, &mut deliver)?;
    Ok(reports)
}

#[test]
fn it_says_what_it_is() {
    let Some(runner) = runner() else { return };
    let device = start(runner);
    let host = winic::device::Device::describe(&device);
    assert_eq!(host.architecture, "riscv64");
    assert_eq!(host.ticks, Some(TickSource::CycleCounter));
    assert_eq!((host.tick_rate, host.tick_step), (None, 1));
}

#[test]
fn it_times_as_the_core_does_and_always_the_same() {
    let Some(runner) = runner() else { return };
    let instances = |(line, registers, _): &(&str, &[&str], f64)| {
        let rotating = registers.iter().cycle().take(INSTANCES);
        rotating.map(|register| line.replace("{}", register) + "\n").collect::<String>()
    };
    let bodies: Vec<String> = TIMINGS.iter().map(instances).collect();
    let artifact = artifact(Purpose::Time, &bodies);
    let mut device = start(runner);
    let reports = run(&mut device, &artifact).unwrap();
    assert_eq!(run(&mut device, &artifact).unwrap(), reports, "a simulation repeats itself");

    let mut wrong = Vec::new();
    for ((line, registers, expected), report) in TIMINGS.iter().zip(&reports) {
        let KernelReport::Timed(raw) = report else { panic!("{line}: {report:?}") };
        let sample = reduce(raw, &Clock::Counter, REFERENCE).unwrap();
        assert!(sample.settled, "{line}: {raw:?}");
        let cycles = sample.body.0 / INSTANCES as f64;
        println!("{line:26} {:2} registers: {cycles:.3} cycles", registers.len());
        if (cycles - expected).abs() > 1e-9 {
            wrong.push(format!("{line}: {cycles:.3} cycles instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_fault_is_a_report_and_the_next_kernel_runs() {
    let Some(runner) = runner() else { return };
    let mut bodies: Vec<String> = FAULTS.iter().map(|(body, _)| (*body).to_owned()).collect();
    bodies.push("nop".to_owned());
    let reports = run(&mut start(runner), &artifact(Purpose::Probe, &bodies)).unwrap();
    for ((body, fault), report) in FAULTS.iter().zip(&reports) {
        assert_eq!(*report, KernelReport::Faulted(*fault), "{body}");
    }
    assert!(matches!(reports.last(), Some(KernelReport::Executed { ticks: 1.. })), "{reports:?}");
}

#[test]
fn an_artifact_with_a_hole_is_refused_and_the_next_one_runs() {
    let Some(runner) = runner() else { return };
    let whole = artifact(Purpose::Probe, &["nop".to_owned()]);
    let mut device = start(runner);
    let mut nameless = whole.clone();
    nameless.kernels[0].single = "nobody".into();
    let mut cut = whole.clone();
    cut.image = whole.image[..whole.image.len() / 2].into();
    let mut foreign = whole.clone();
    foreign.image = b"MZ".as_slice().into();
    for (holey, reason) in [
        (nameless, "no symbol `nobody` in the image"),
        (cut, "the image is not a complete 64-bit shared object"),
        (foreign, "the image is not a complete 64-bit shared object"),
    ] {
        match run(&mut device, &holey) {
            Err(DeviceError::Refused(said)) => assert_eq!(said, reason),
            other => panic!("{other:?}"),
        }
        assert_eq!(run(&mut device, &whole).unwrap().len(), 1);
    }
}

#[test]
fn what_is_not_of_the_protocol_ends_the_runner_with_one_line() {
    let Some(runner) = runner() else { return };
    for line in
        ["hello\n", "{\"walk\":{}}\n", "{\"run\":{}}\n", "{\"run\":{\"image\":\"?\"}}\n", "{"]
    {
        let mut process = Command::new(&runner)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        process.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
        let output = process.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line:?}");
        assert_eq!(errors.lines().count(), 1, "{line:?}: {errors}");
    }
}

/// What winic itself is to find on the core, as lines of its output. The multiplier takes eight bits
/// of a factor a cycle, one product after the other.
const FINDINGS: [&str; 15] = [
    "ADD(1(Class<GPR>) -> 0(Class<GPR>)) [1.00;1.00]",
    "MUL(1(Class<GPR>) -> 0(Class<GPR>)) [10.00;10.00]",
    "FADD_D(1(Class<FPR64>) -> 0(Class<FPR64>)) [6.00;6.00]",
    "FADD_D(2(Class<FPR64>) -> 0(Class<FPR64>)) [6.00;6.00]",
    "LD(1(Class<GPR>) -> 0(Class<GPR>)) [2.00;2.00]",
    "LD(memory -> 0(Class<GPR>)) [0.00;8.00]",
    "AMOADD_D(2(Class<GPR>) -> 0(Class<GPR>)) [2.00;2.00]",
    "AMOADD_D(1(Class<GPR>) -> memory) [0.00;8.00]",
    "AMOADD_D(memory -> memory) [6.00;6.00]",
    "LD [1.00;1.00]",
    "ADD [1.00;1.00]",
    "MUL [5.00;10.00]",
    "    factors of all bits: 10.00",
    "    factors of 14 bits: 5.00",
    "FADD_D [1.00;1.00]",
];

/// Winic on the core, in a place of its own; what it prints.
fn winic(runner: &Path, arguments: &[&str]) -> String {
    let place = tempfile::tempdir().unwrap();
    let mut command = assert_cmd::Command::cargo_bin("winic").unwrap();
    command.current_dir(&place).args(["-m", "riscv64", "-c", "rocket-rv64", "--runner"]);
    let output = command.arg(runner).args(arguments).assert().code(0).get_output().stdout.clone();
    String::from_utf8_lossy(&output).into_owned()
}

#[test]
fn winic_finds_what_the_core_does() {
    let Some(runner) = runner() else { return };
    let asked = ["ADD", "MUL", "FADD_D", "LD", "AMOADD_D"];
    let asked = [&["ALL", "-i"], &asked[..], &["-o", "/dev/null", "--noReport"]].concat();
    let output = winic(&runner, &asked);
    // Nothing more than a value stands in these lines: a simulated core is never unstable.
    for line in FINDINGS {
        assert!(output.lines().any(|found| found == line), "no line {line:?} in\n{output}");
    }
}

/// Functions of `tests/data/loads-riscv64.s`, instructions in their loops, and what winic says of
/// them.
const LOADS: [(&str, &str, &str); 2] = [
    ("load_use", "48", "load_use: 2.00 cycles per instruction (96.00 "),
    ("load_throughput", "50", "load_throughput: 1.00 cycles per instruction (50.00 "),
];

#[test]
fn functions_of_a_persons_own_are_timed_on_the_core() {
    let Some(runner) = runner() else { return };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/loads-riscv64.s");
    for (function, instructions, expected) in LOADS {
        let output =
            winic(&runner, &["MAN", "-p", path, "--funcName", function, "-n", instructions]);
        assert!(output.starts_with(expected), "{output}");
    }
}
