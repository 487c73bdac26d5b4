//! The real runner for AArch64 and RISC-V, built by `scripts/cross`, under QEMU's user mode:
//! kernels made by hand execute or fault as they should, on CPUs that have the extension and
//! on CPUs that lack it. QEMU's time means nothing, so that nothing is timed.
#![cfg(feature = "llvm")]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use winic::artifact::{Artifact, KernelFunctions, KernelId, Needs, Purpose, ReferenceFunction};
use winic::assemble::Linker;
use winic::codec::Assembler as _;
use winic::device::{ANSWER_LIMIT, Device as _, Fault, KernelReport, RemoteDevice, Untimed};
use winic::llvm::{Llvm, TargetChoice};

/// An architecture as QEMU and LLVM know it.
struct Architecture {
    name: &'static str,
    /// What LLVM must know to assemble the bodies.
    features: &'static str,
    /// The CPU that has everything.
    whole: &'static str,
    /// A CPU that lacks an extension.
    lacking: &'static str,
    /// A loop around a body, as a function.
    function: fn(&str, &str) -> String,
    /// Bodies, with what becomes of them on the whole CPU.
    bodies: &'static [(&'static str, Option<Fault>)],
    /// Bodies that need the extension which the other CPU lacks.
    extension: &'static [&'static str],
}

const AARCH64: Architecture = Architecture {
    name: "aarch64",
    features: "+v8.2a,+fullfp16,+sve2,+sme2,+aes,+pauth,+dotprod",
    whole: "max",
    lacking: "cortex-a57",
    function: |symbol, body| {
        format!(
            ".globl {symbol}\n.type {symbol}, %function\n.p2align 6\n{symbol}:\n\
             stp x19, x20, [sp, #-16]!\nmov x9, x0\n1:\n{body}\nsubs x9, x9, #1\nb.ne 1b\n\
             ldp x19, x20, [sp], #16\nret\n"
        )
    },
    bodies: &[
        ("add x10, x11, x12", None),
        ("fadd v0.4s, v1.4s, v2.4s", None),
        ("str x10, [sp, #-16]!\nldr x11, [sp], #16", None),
        ("mov x19, #5\nmov x20, #7", None),
        ("udf #0", Some(Fault::IllegalInstruction)),
        ("brk #1", Some(Fault::Trap)),
        ("mov x10, #0\nldr x11, [x10]", Some(Fault::SegmentationFault)),
        ("2: b 2b", Some(Fault::TimedOut)),
        // The stack runs into its guards.
        ("3: str x10, [sp, #-16]!\nb 3b", Some(Fault::SegmentationFault)),
        ("4: ldr x10, [sp], #16\nb 4b", Some(Fault::SegmentationFault)),
    ],
    extension: &[
        "add z0.s, z1.s, z2.s",
        "ptrue p0.b\nfmla z0.d, p0/m, z1.d, z2.d",
        "sqrdmulh z0.h, z1.h, z2.h",
        "smstart\nfmopa za0.s, p0/m, p0/m, z0.s, z1.s\nsmstop",
        "smstart\nldr zt0, [sp]\nsmstop",
    ],
};

const RISCV64: Architecture = Architecture {
    name: "riscv64",
    features: "+m,+a,+f,+d,+v,+zba,+zbb,+zfh,+zicond",
    whole: "max",
    lacking: "rv64,v=false",
    function: |symbol, body| {
        format!(
            ".globl {symbol}\n.type {symbol}, %function\n.p2align 6\n{symbol}:\n\
             addi sp, sp, -16\nsd s0, 0(sp)\nmv t0, a0\n1:\n{body}\naddi t0, t0, -1\n\
             bnez t0, 1b\nld s0, 0(sp)\naddi sp, sp, 16\nret\n"
        )
    },
    bodies: &[
        ("add t1, t2, t3", None),
        ("fadd.d ft0, ft1, ft2", None),
        ("sh1add t1, t2, t3\nclz t1, t2\nczero.eqz t1, t2, t3", None),
        ("addi sp, sp, -16\nsd t1, 0(sp)\nld t2, 0(sp)\naddi sp, sp, 16", None),
        ("li s0, 5", None),
        ("unimp", Some(Fault::IllegalInstruction)),
        ("ebreak", Some(Fault::Trap)),
        ("ld t1, 0(zero)", Some(Fault::SegmentationFault)),
        ("2: j 2b", Some(Fault::TimedOut)),
        ("3: addi sp, sp, -16\nsd t1, 0(sp)\nj 3b", Some(Fault::SegmentationFault)),
        ("4: ld t1, 0(sp)\naddi sp, sp, 16\nj 4b", Some(Fault::SegmentationFault)),
    ],
    extension: &[
        "vsetvli t1, zero, e32, m1, ta, ma",
        "vsetvli t1, zero, e8, m8, ta, ma\nvadd.vv v0, v8, v16",
        "vsetvli t1, zero, e64, m2, ta, ma\nvfmacc.vv v0, v8, v16",
        "vsetvli t1, zero, e32, m1, ta, ma\nvmseq.vv v0, v8, v9\nvadd.vv v1, v8, v9, v0.t",
    ],
};

/// A probe is over in milliseconds, also here.
const WATCHDOG: Duration = Duration::from_millis(400);

impl Architecture {
    /// What `scripts/cross` leaves; `None`, and why on the output, where it has not run.
    fn program(&self) -> Option<PathBuf> {
        // The place for the tests' own files is beside it.
        let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("cross");
        let program = target.join("bin").join(format!("runner-{}", self.name));
        if program.is_file() {
            return Some(program);
        }
        assert!(std::env::var_os("CI").is_none(), "{} is not there", program.display());
        println!("skipped: {} is not there: scripts/cross builds it", program.display());
        None
    }

    /// The runner on a CPU by QEMU's name.
    fn device(&self, cpu: &str) -> Option<RemoteDevice> {
        let program = self.program()?.display().to_string();
        let watchdog = WATCHDOG.as_millis().to_string();
        let cpu = format!("QEMU_CPU={cpu}");
        let words = ["env", &cpu, &program, "--watchdog", &watchdog];
        Some(RemoteDevice::start(words.map(str::to_owned).to_vec(), ANSWER_LIMIT).unwrap())
    }

    /// An artifact with one kernel for each body, numbered from 0.
    fn artifact(&self, purpose: Purpose, bodies: &[&str]) -> Artifact {
        let llvm = Llvm::new(TargetChoice {
            triple: format!("{}-unknown-linux-gnu", self.name),
            cpu: String::new(),
            features: self.features.into(),
        });
        let mut text = String::from(".text\n") + &(self.function)("reference", "nop");
        for (id, body) in bodies.iter().enumerate() {
            text += &(self.function)(&format!("k{id}"), body);
            text += &(self.function)(&format!("k{id}_double"), &format!("{body}\n{body}"));
        }
        let object = llvm.unwrap().assemble(&text).unwrap_or_else(|error| panic!("{error}"));
        let kernel = |id| KernelFunctions {
            id: KernelId(id),
            purpose,
            init: None,
            single: format!("k{id}"),
            double: (purpose == Purpose::Time).then(|| format!("k{id}_double")),
            alone: true,
            needs: Needs::default(),
        };
        Artifact {
            image: Linker::find().unwrap().link(&[object]).unwrap().into(),
            reference: ReferenceFunction { symbol: "reference".into(), cycles_per_iteration: 1 },
            sentinel: None,
            kernels: (0..bodies.len() as u32).map(kernel).collect(),
        }
    }

    /// What becomes of bodies on a CPU, each executed once and twice; `None` without a runner.
    fn run(&self, cpu: &str, bodies: &[&str]) -> Option<Vec<KernelReport>> {
        let mut device = Untimed::new(Box::new(self.device(cpu)?));
        let mut reports = Vec::new();
        let mut deliver = |_, report| {
            reports.push(report);
            true
        };
        device.run(&self.artifact(Purpose::Time, bodies), &mut deliver).unwrap();
        Some(reports)
    }
}

const EXECUTED: KernelReport = KernelReport::Executed { ticks: 0 };

fn expected(fault: Option<Fault>) -> KernelReport {
    fault.map_or(EXECUTED, KernelReport::Faulted)
}

#[test]
fn the_greeting_tells_the_machine_and_that_its_time_means_nothing() {
    for architecture in [AARCH64, RISCV64] {
        let Some(device) = architecture.device(architecture.whole) else { return };
        let host = device.describe();
        assert_eq!(host.architecture, architecture.name);
        assert_eq!(host.ticks, None, "{host:?}");
        assert!(!host.extensions.is_empty(), "{host:?}");
    }
}

#[test]
fn kernels_execute_or_have_their_fault_named() {
    for architecture in [AARCH64, RISCV64] {
        let bodies: Vec<&str> = architecture.bodies.iter().map(|(body, _)| *body).collect();
        let Some(reports) = architecture.run(architecture.whole, &bodies) else { return };
        assert_eq!(reports.len(), bodies.len());
        for ((body, fault), report) in architecture.bodies.iter().zip(reports) {
            assert_eq!(report, expected(*fault), "{}: {body}", architecture.name);
        }
    }
}

#[test]
fn extensions_are_there_or_not_as_the_cpu_has_them() {
    for architecture in [AARCH64, RISCV64] {
        let bodies = architecture.extension;
        let Some(whole) = architecture.run(architecture.whole, bodies) else { return };
        let lacking = architecture.run(architecture.lacking, bodies).unwrap();
        let illegal = expected(Some(Fault::IllegalInstruction));
        for (body, (whole, lacking)) in bodies.iter().zip(whole.into_iter().zip(lacking)) {
            assert_eq!(whole, EXECUTED, "{}: {body}", architecture.whole);
            assert_eq!(lacking, illegal, "{}: {body}", architecture.lacking);
        }
    }
}

#[test]
fn a_runner_of_another_architecture_refuses_an_image_and_goes_on() {
    let Some(mut device) = AARCH64.device(AARCH64.whole) else { return };
    let foreign = RISCV64.artifact(Purpose::Probe, &["nop"]);
    let error = device.run(&foreign, &mut |_, _| true).unwrap_err();
    assert!(error.to_string().contains("the image cannot be loaded"), "{error}");
    let own = AARCH64.artifact(Purpose::Probe, &["nop"]);
    let mut reports = 0;
    let mut count = |_, _| {
        reports += 1;
        true
    };
    device.run(&own, &mut count).unwrap();
    assert_eq!(reports, 1);
}

#[test]
fn the_driver_takes_the_machine_from_the_greeting() {
    for architecture in [AARCH64, RISCV64] {
        let Some(program) = architecture.program() else { return };
        let winic = env!("CARGO_BIN_EXE_winic");
        // Of another architecture than the runner's nothing is sent there.
        let output = Command::new(winic)
            .args(["-m", "x86_64", "TP", "-i", "ADD64rr", "-o", "/dev/null", "--noReport"])
            .arg("--runner")
            .arg(&program)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        let expected = format!("kernels for x86_64 cannot run on this {}", architecture.name);
        assert!(said.contains(&expected), "{said}");
    }
}
