//! Kernels that do everything a kernel must not do, in real children: each attempt comes to
//! nothing but a finding with a name, and the next kernel is unaffected.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

#[path = "../bench/mod.rs"]
mod bench;
mod memory;
#[path = "../support/script.rs"]
mod script;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use winic::artifact::{Artifact, GUARDS, KernelFunctions, Needs, Purpose};
use winic::device::{
    Device as _, DeviceError, Fault, KernelReport, LocalDevice, LocalOptions, TickSource,
};

use bench::{CHAIN, assemble, chain, function, kernel, options, reference, run};

/// A device that soon loses patience with kernels that hang.
fn impatient() -> LocalDevice {
    impatient_with(options())
}

fn impatient_with(options: LocalOptions) -> LocalDevice {
    let watchdog = Some(Duration::from_millis(100));
    LocalDevice::start(LocalOptions { watchdog, ..options }).unwrap()
}

/// An artifact with one probe for each text of a whole function body, which nothing is put around.
fn raw(bodies: &[&str], purpose: Purpose) -> Option<Artifact> {
    let mut text = function("reference", &chain(CHAIN));
    for (id, body) in bodies.iter().enumerate() {
        for name in ["single", "double"] {
            text.push_str(&format!(".globl k{id}_{name}\n.p2align 4\nk{id}_{name}:\n{body}\n"));
        }
    }
    Some(Artifact {
        image: assemble(&text)?,
        reference: reference(),
        sentinel: None,
        kernels: (0..bodies.len() as u32).map(|id| kernel(id, purpose)).collect(),
    })
}

/// What a harmless kernel says.
fn is_well(report: &KernelReport) -> bool {
    matches!(report, KernelReport::Executed { ticks: 1.. } | KernelReport::Timed(_))
}

/// Runs each body in turn with a harmless kernel after it, and compares its fault with what it
/// may be.
fn assert_faults(device: &mut LocalDevice, purpose: Purpose, cases: &[(&str, &[Fault])]) {
    let bodies: Vec<&str> = cases.iter().flat_map(|(body, _)| [*body, HARMLESS]).collect();
    let Some(artifact) = raw(&bodies, purpose) else { return };
    let runner = device.process_id();
    let reports = run(device, &artifact);
    assert_eq!(reports.len(), bodies.len());
    for ((body, faults), pair) in cases.iter().zip(reports.chunks(2)) {
        let named = faults.iter().any(|fault| pair[0] == KernelReport::Faulted(*fault));
        assert!(named, "{body}\n{:?}, not one of {faults:?}", pair[0]);
        assert!(is_well(&pair[1]), "after {body}\n{:?}", pair[1]);
    }
    assert_eq!(device.process_id(), runner, "the runner did not live through it");
}

const HARMLESS: &str = "mov rcx, rdi\n1: dec rcx\njnz 1b\nret";

/// Bodies that the CPU stops, and what is to be said of them.
const STOPPED: &[(&str, &[Fault])] = &[
    ("ud2", &[Fault::IllegalInstruction]),
    ("xor edx, edx\nmov rdx, [rdx]\nret", &[Fault::SegmentationFault]),
    ("lea rdx, [rip]\nmov [rdx], edx\nret", &[Fault::SegmentationFault]),
    ("hlt", &[Fault::SegmentationFault]),
    ("cli", &[Fault::SegmentationFault]),
    ("mov cr3, rax", &[Fault::SegmentationFault]),
    ("mov ecx, 0xc0000082\nwrmsr", &[Fault::SegmentationFault]),
    ("in al, 0x60", &[Fault::SegmentationFault]),
    ("int 0x42", &[Fault::SegmentationFault]),
    ("mov eax, 0xffff\nmov ds, eax\nret", &[Fault::SegmentationFault]),
    ("xor r8d, r8d\nxor edx, edx\ndiv r8", &[Fault::ArithmeticFault]),
    // Breakpoints of every kind, the last one a single step.
    ("int3", &[Fault::Trap]),
    (".byte 0xf1", &[Fault::Trap]),
    ("pushfq\nor dword ptr [rsp], 0x100\npopfq\nnop\nret", &[Fault::Trap]),
    // Unmasked floating-point exceptions.
    (
        "push 0\nldmxcsr [rsp]\nmov eax, 1\ncvtsi2ss xmm0, eax\nxorps xmm1, xmm1\ndivss xmm0, xmm1",
        &[Fault::ArithmeticFault],
    ),
    ("push 0x340\nfldcw [rsp]\nfld1\nfldz\nfdivp\nfwait", &[Fault::ArithmeticFault]),
    // Alignment is checked once the flag says so.
    ("pushfq\nor dword ptr [rsp], 0x40000\npopfq\nmov rax, [rsp - 15]\nret", &[Fault::BusError]),
    // Text that is not there: at zero, in no half of the address space, in a guard.
    ("xor eax, eax\njmp rax", &[Fault::SegmentationFault]),
    ("mov rax, 0x800000000000\njmp rax", &[Fault::SegmentationFault]),
    ("lea rax, [rsp - 300000]\njmp rax", &[Fault::SegmentationFault]),
    // The stack runs into its guards, below and above; is elsewhere; is overwritten.
    ("2: push rax\njmp 2b", &[Fault::SegmentationFault]),
    ("3: pop rax\njmp 3b", &[Fault::SegmentationFault]),
    ("mov rsp, 8\nret", &[Fault::SegmentationFault]),
    ("mov rsp, 0x800000000000\npush rax", &[Fault::BusError, Fault::SegmentationFault]),
    ("mov rdi, rsp\nmov rax, -1\nmov ecx, 9999\nrep stosq\nret", &[Fault::SegmentationFault]),
    // Without end: with and without work, and in one instruction.
    ("4: jmp 4b", &[Fault::TimedOut]),
    ("5: pause\njmp 5b", &[Fault::TimedOut]),
    ("mov rcx, -1\n6: loop 6b\njmp 6b", &[Fault::TimedOut]),
];

#[test]
fn what_the_cpu_stops_has_its_name() {
    assert_faults(&mut impatient(), Purpose::Probe, STOPPED);
}

#[test]
fn what_the_cpu_stops_has_its_name_when_timed() {
    assert_faults(&mut impatient(), Purpose::Time, STOPPED);
}

/// Bodies that return and have broken what their caller relies on, whatever it had there.
const BREACHES: &[(&str, &[Fault])] = &[
    ("inc rbx\nret", &[Fault::ClobberedRegister]),
    ("inc rbp\nret", &[Fault::ClobberedRegister]),
    ("not r12\nret", &[Fault::ClobberedRegister]),
    ("dec r13\nret", &[Fault::ClobberedRegister]),
    ("not r14\nret", &[Fault::ClobberedRegister]),
    ("lea r15, [rsp]\nret", &[Fault::ClobberedRegister]),
    ("not rbx\nnot rbp\nnot r12\nret", &[Fault::ClobberedRegister]),
    ("pop rax\nsub rsp, 64\njmp rax", &[Fault::ClobberedStackPointer]),
    ("pop rax\nxor esp, esp\njmp rax", &[Fault::ClobberedStackPointer]),
    ("ret 8", &[Fault::ClobberedStackPointer]),
    ("std\nret", &[Fault::DirtyFlags]),
    ("pushfq\nor dword ptr [rsp], 0x40000\npopfq\nret", &[Fault::DirtyFlags]),
    // Rounding towards zero; exceptions unmasked; one register pushed; an MMX register in use.
    ("push 0x7f80\nldmxcsr [rsp]\npop rax\nret", &[Fault::DirtyFloatingPoint]),
    ("push 0\nldmxcsr [rsp]\npop rax\nret", &[Fault::DirtyFloatingPoint]),
    ("push 0xf7f\nfldcw [rsp]\npop rax\nret", &[Fault::DirtyFloatingPoint]),
    ("fld1\nret", &[Fault::DirtyFloatingPoint]),
    ("movd mm0, eax\nret", &[Fault::DirtyFloatingPoint]),
    ("mov eax, 0x2b\nmov ds, eax\nret", &[Fault::ClobberedThreadPointer]),
    ("mov eax, 0x2b\nmov es, eax\nret", &[Fault::ClobberedThreadPointer]),
    ("mov eax, 0x2b\nmov fs, eax\nret", &[Fault::ClobberedThreadPointer]),
];

#[test]
fn what_a_kernel_breaks_of_the_calling_convention_has_its_name() {
    assert_faults(&mut impatient(), Purpose::Probe, BREACHES);
}

#[test]
fn a_timed_kernel_is_survived_hundreds_of_times() {
    assert_faults(&mut impatient(), Purpose::Time, BREACHES);
}

#[test]
fn no_clock_needs_what_a_kernel_breaks() {
    let options = LocalOptions { ticks: Some(TickSource::Monotonic), ..options() };
    assert_faults(&mut impatient_with(options), Purpose::Time, BREACHES);
}

/// An exception that waits for the next x87 instruction, which is the kernel's only when it is
/// called again.
#[test]
fn a_pending_exception_strikes_nobody_else() {
    let body = "fld1\nfldz\nfdivp\nfstp st(0)\npush 0\nfldcw [rsp]\npop rax\nret";
    let mut device = impatient();
    assert_faults(&mut device, Purpose::Probe, &[(body, &[Fault::DirtyFloatingPoint])]);
    assert_faults(&mut device, Purpose::Time, &[(body, &[Fault::ArithmeticFault])]);
}

#[test]
fn the_thread_pointer_can_be_lost() {
    if !fs::read_to_string("/proc/cpuinfo").unwrap().contains(" fsgsbase ") {
        println!("skipped: this CPU has no instruction that writes the thread pointer");
        return;
    }
    let cases: &[(&str, &[Fault])] = &[
        ("rdfsbase rax\nlea rdx, [rax + 64]\nwrfsbase rdx\nret", &[Fault::ClobberedThreadPointer]),
        ("xor eax, eax\nwrfsbase rax\nret", &[Fault::ClobberedThreadPointer]),
    ];
    assert_faults(&mut impatient(), Purpose::Time, cases);
}

/// Ways to call the system: what stands before a number in EAX, its arguments, and after it.
/// All arguments are in the registers of both conventions.
fn calls(number_64: u32, number_32: u32, arguments: [&str; 3]) -> Vec<String> {
    let [first, second, third] = arguments;
    let loaded = |number: u32, how: &str| {
        format!(
            "lea r8, [rip + 9f]\nmov r9, rsp\n\
             mov rdi, {first}\nmov rsi, {second}\nmov rdx, {third}\nxor r10d, r10d\n\
             mov rbx, rdi\nmov rcx, rsi\nmov eax, {number:#x}\n{how}\nret\n\
             9: .asciz \"{MARK}\"\n"
        )
    };
    vec![
        loaded(number_64, "syscall"),
        // The numbers of the x32 convention have one more bit.
        loaded(number_64 | 0x4000_0000, "syscall"),
        loaded(number_32, "int 0x80"),
        loaded(number_32, "mov ebp, esp\nsysenter"),
        // 32-bit code would have to be within the first four gigabytes.
        loaded(number_32, "push 0x23\nlea r9, [rip + 8f]\npush r9\nretfq\n8: int 0x80"),
    ]
}

/// What kernels try to write, and where.
const MARK: &str = "a kernel was here";

/// System calls that would do something: their numbers for both conventions, and the arguments.
/// R8 is the address of the mark, R9 the stack.
fn attempts(runner: u32) -> Vec<(u32, u32, [String; 3])> {
    let runner = runner.to_string();
    let group = format!("-{runner}");
    let calls: [(u32, u32, [&str; 3]); 24] = [
        // open (a file that would be created), creat, unlink, mkdir
        (2, 5, ["r8", "0x42", "0x1ff"]),
        (85, 8, ["r8", "0x1ff", "0"]),
        (87, 10, ["r8", "0", "0"]),
        (83, 39, ["r8", "0x1ff", "0"]),
        // kill: the runner, its group, everybody
        (62, 37, [&runner, "9", "0"]),
        (62, 37, [&group, "9", "0"]),
        (62, 37, ["-1", "9", "0"]),
        // fork, vfork, clone
        (57, 2, ["0", "0", "0"]),
        (58, 190, ["0", "0", "0"]),
        (56, 120, ["0x11", "0", "0"]),
        // write, into every pipe that the runner has, and read what is meant for it
        (1, 4, ["0", "r8", "17"]),
        (1, 4, ["1", "r8", "17"]),
        (1, 4, ["2", "r8", "17"]),
        (1, 4, ["3", "r8", "17"]),
        (0, 3, ["0", "r9", "17"]),
        // execve, socket, mmap, mprotect
        (59, 11, ["r8", "0", "0"]),
        (41, 359, ["1", "1", "0"]),
        (9, 192, ["0", "0x100000", "7"]),
        (10, 125, ["r9", "0x1000", "7"]),
        // ptrace (attach to the runner), rt_sigaction, setitimer, prctl, seccomp
        (101, 26, ["16", &runner, "0"]),
        (13, 174, ["27", "r9", "0"]),
        (38, 104, ["2", "r9", "0"]),
        (157, 172, ["1", "0", "0"]),
        (317, 354, ["0", "0", "0"]),
    ];
    let owned = |[a, b, c]: [&str; 3]| [a.to_owned(), b.to_owned(), c.to_owned()];
    calls.into_iter().map(|(wide, narrow, arguments)| (wide, narrow, owned(arguments))).collect()
}

/// Where a system or a CPU lacks a way to call, the instruction itself is refused.
const REFUSED: &[Fault] = &[Fault::SystemCall, Fault::SegmentationFault, Fault::IllegalInstruction];

#[test]
fn no_way_of_calling_the_system_does_anything() {
    let folder = tempfile::tempdir().unwrap();
    let mut device = impatient_with(in_folder(folder.path()));
    let runner = device.process_id().unwrap();
    let bodies: Vec<String> = attempts(runner)
        .iter()
        .flat_map(|(wide, narrow, arguments)| {
            calls(*wide, *narrow, arguments.each_ref().map(String::as_str))
        })
        .collect();
    let cases: Vec<(&str, &[Fault])> = bodies
        .iter()
        .map(|body| {
            let is_native = body.contains("syscall");
            (body.as_str(), if is_native { &REFUSED[..1] } else { REFUSED })
        })
        .collect();
    let before = held(runner);
    assert_faults(&mut device, Purpose::Probe, &cases);
    assert_eq!(held(runner), before);
    assert_eq!(entries(folder.path()), [RUNNER], "a kernel made a file");
}

/// The old page at a fixed address where calls were made without an instruction for it.
#[test]
fn the_fixed_page_of_calls_does_nothing() {
    let cases: Vec<(&str, &[Fault])> = [
        "mov rax, 0xffffffffff600000\ncall rax\nret",
        "mov rax, 0xffffffffff600400\ncall rax\nret",
        "mov rax, 0xffffffffff600800\ncall rax\nret",
    ]
    .map(|body| (body, REFUSED))
    .to_vec();
    assert_faults(&mut impatient(), Purpose::Probe, &cases);
}

#[test]
fn ending_is_all_that_a_kernel_may_do() {
    let cases: &[(&str, &[Fault])] = &[
        ("mov eax, 60\nmov edi, 3\nsyscall", &[Fault::Exited(3)]),
        ("mov eax, 231\nmov edi, 4\nsyscall", &[Fault::Exited(4)]),
        ("mov eax, 231\nxor edi, edi\nsyscall", &[Fault::Exited(0)]),
    ];
    assert_faults(&mut impatient(), Purpose::Probe, cases);
}

/// Signals that end a child which nobody shields, and how that is reported.
fn deadly() -> Vec<(Signal, Fault)> {
    let other = |signal: Signal| (signal, Fault::Signal(signal as i32));
    let mut deadly: Vec<(Signal, Fault)> = [
        Signal::SIGHUP,
        Signal::SIGINT,
        Signal::SIGQUIT,
        Signal::SIGABRT,
        Signal::SIGUSR1,
        Signal::SIGUSR2,
        Signal::SIGALRM,
        Signal::SIGTERM,
        Signal::SIGSTKFLT,
        Signal::SIGXFSZ,
        Signal::SIGVTALRM,
        Signal::SIGIO,
        Signal::SIGPWR,
    ]
    .map(other)
    .to_vec();
    deadly.extend([
        (Signal::SIGKILL, Fault::Killed),
        (Signal::SIGILL, Fault::IllegalInstruction),
        (Signal::SIGTRAP, Fault::Trap),
        (Signal::SIGBUS, Fault::BusError),
        (Signal::SIGFPE, Fault::ArithmeticFault),
        (Signal::SIGSEGV, Fault::SegmentationFault),
        (Signal::SIGSYS, Fault::SystemCall),
        (Signal::SIGPROF, Fault::TimedOut),
        (Signal::SIGXCPU, Fault::TimedOut),
    ]);
    // Two that are ignored, and one that stops a child, which then hears nothing any more.
    deadly.extend(
        [Signal::SIGCHLD, Signal::SIGPIPE, Signal::SIGSTOP].map(|it| (it, Fault::TimedOut)),
    );
    deadly
}

#[test]
fn signals_of_every_kind_are_findings() {
    let signals = deadly();
    let bodies: Vec<&str> = signals.iter().flat_map(|_| ["1: jmp 1b", HARMLESS]).collect();
    let Some(artifact) = raw(&bodies, Purpose::Probe) else { return };
    let watchdog = Some(Duration::from_millis(300));
    // Whoever started the runner may ignore some of them.
    let folder = tempfile::tempdir().unwrap();
    let runner = Some(deaf(folder.path(), "HUP INT QUIT USR1 TERM"));
    let mut device = LocalDevice::start(LocalOptions { watchdog, runner, ..options() }).unwrap();
    let runner = device.process_id().unwrap();
    let to_send: Vec<Signal> = signals.iter().map(|(signal, _)| *signal).collect();
    let sender = thread::spawn(move || send_to_hanging_children(runner, &to_send));
    let reports = run(&mut device, &artifact);
    sender.join().unwrap();
    for ((signal, fault), pair) in signals.iter().zip(reports.chunks(2)) {
        assert_eq!(pair[0], KernelReport::Faulted(*fault), "{signal}");
        assert!(is_well(&pair[1]), "after {signal}: {:?}", pair[1]);
    }
}

/// A program that starts the runner with signals ignored.
fn deaf(folder: &Path, signals: &str) -> PathBuf {
    let program = folder.join("deaf-runner");
    let runner = options().runner.unwrap();
    script::write(&program, &format!("trap '' {signals}\nexec '{}' \"$@\"", runner.display()));
    program
}

/// Sends a signal to each child that has used the CPU for a moment, in turn.
fn send_to_hanging_children(runner: u32, signals: &[Signal]) {
    let mut sent = HashSet::new();
    for signal in signals {
        let begin = Instant::now();
        let child = loop {
            assert!(begin.elapsed() < Duration::from_secs(60), "no kernel hangs for {signal}");
            let hanging = children(runner).into_iter().find(|child| {
                !sent.contains(child)
                    && is_filtered(*child)
                    && cpu_time(*child).is_some_and(|time| time > 0)
            });
            match hanging {
                Some(child) => break child,
                None => thread::sleep(Duration::from_millis(1)),
            }
        };
        sent.insert(child);
        kill(Pid::from_raw(child.cast_signed()), *signal).unwrap();
    }
}

/// User time of a process, in the system's ticks.
fn cpu_time(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(11)?.parse().ok()
}

/// Whether a child has armed its filter.
fn is_filtered(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    status.lines().any(|line| line == "Seccomp:\t2")
}

#[test]
fn a_child_is_bounded_in_everything() {
    let Some(artifact) = raw(&["1: jmp 1b"], Purpose::Probe) else { return };
    let mut device =
        LocalDevice::start(LocalOptions { watchdog: Some(Duration::from_secs(1)), ..options() })
            .unwrap();
    let runner = device.process_id().unwrap();
    let looker = thread::spawn(move || {
        let begin = Instant::now();
        loop {
            assert!(begin.elapsed() < Duration::from_secs(10), "no child was seen");
            let child = children(runner).into_iter().find(|child| is_filtered(*child));
            if let Some(child) = child {
                let read = |file| fs::read_to_string(format!("/proc/{child}/{file}")).unwrap();
                let open = fs::read_dir(format!("/proc/{child}/fd")).unwrap().count();
                return (read("status"), read("limits"), open);
            }
        }
    });
    assert_eq!(run(&mut device, &artifact), [KernelReport::Faulted(Fault::TimedOut)]);
    let (status, limits, open) = looker.join().unwrap();
    for line in ["NoNewPrivs:\t1", "Seccomp:\t2", "Threads:\t1"] {
        assert!(status.lines().any(|has| has == line), "{line} is not in\n{status}");
    }
    for (limit, most) in [
        ("Max core file size", 0),
        ("Max cpu time", 3),
        ("Max stack size", 8 << 20),
        ("Max address space", 8 << 30),
    ] {
        let line = limits.lines().find(|line| line.starts_with(limit)).unwrap();
        let soft = line[limit.len()..].split_whitespace().next().unwrap();
        assert!(soft.parse::<u64>().is_ok_and(|soft| soft <= most), "{line}");
    }
    assert_eq!(open, 0, "a child has files");
}

#[test]
fn a_crash_leaves_no_core_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut device = impatient_with(in_folder(folder.path()));
    let Some(artifact) = raw(&["ud2", "hlt", "int3"], Purpose::Probe) else { return };
    assert_eq!(run(&mut device, &artifact).len(), 3);
    assert_eq!(entries(folder.path()), [RUNNER]);
}

/// A region of 4096 bytes between guards.
fn region() -> String {
    let [(low, low_end), (high, high_end)] = GUARDS;
    format!(
        ".bss\n.globl {low}, {low_end}, {high}, {high_end}\n.p2align 12\n{low}: .zero 8192\n\
         {low_end}:\nregion: .zero 4096\n{high}: .zero 8192\n{high_end}: .zero 64\n.text\n"
    )
}

#[test]
fn a_data_region_has_guards() {
    let access = |offset: &str| {
        format!("lea rax, [rip + region]\ninc byte ptr [rax + {offset}]\nret\n.text\n")
    };
    let offsets = ["0", "4095", "-1", "-8192", "4096", "12287"];
    let bodies = offsets.map(access);
    let mut text = region() + &function("reference", &chain(CHAIN));
    for (id, body) in bodies.iter().enumerate() {
        text.push_str(&format!(".globl k{id}_single\nk{id}_single:\n{body}\n"));
    }
    let Some(image) = assemble(&text) else { return };
    let kernels = (0..offsets.len() as u32).map(|id| kernel(id, Purpose::Probe)).collect();
    let artifact = Artifact { image, reference: reference(), sentinel: None, kernels };
    let reports = run(&mut impatient(), &artifact);
    let (within, without) = reports.split_at(2);
    assert!(within.iter().all(is_well), "{within:?}");
    for (offset, report) in offsets[2..].iter().zip(without) {
        assert_eq!(*report, KernelReport::Faulted(Fault::SegmentationFault), "at {offset}");
    }
}

/// What is not there is refused in one line, whatever else the artifact holds, and the runner goes on.
#[test]
fn a_runner_has_what_a_kernel_needs_or_refuses() {
    let text = region() + &function("reference", &chain(CHAIN)) + &function("k0_single", "nop");
    let Some(image) = assemble(&text) else { return };
    let artifact = |needs| Artifact {
        image: image.clone(),
        reference: reference(),
        sentinel: None,
        kernels: vec![KernelFunctions { needs, ..kernel(0, Purpose::Probe) }],
    };
    let mut device = impatient();
    let memory = |memory| Needs { memory, ..Needs::default() };
    for (needs, expected) in [
        (memory(4097), "kernel 0 cannot run here: it needs 4097 bytes of memory, and between"),
        (
            Needs { cores: 5000, ..Needs::default() },
            "kernel 0 cannot run here: it needs 5000 cores at the same time, and this runner has",
        ),
        (
            Needs { states: vec!["streaming".into()], ..Needs::default() },
            "it needs the state `streaming`, which this runner does not know",
        ),
    ] {
        match device.run(&artifact(needs), &mut |_, report| panic!("{report:?}")) {
            Err(DeviceError::Refused(line)) => {
                assert!(line.contains(expected) && line.lines().count() == 1, "{line}");
            }
            other => panic!("{expected}: {other:?}"),
        }
        assert!(run(&mut device, &artifact(memory(4096))).iter().all(is_well));
    }
}

#[test]
fn what_a_kernel_writes_is_gone_with_it() {
    let cell = ".data\n.globl cell\ncell: .quad 1\n.text\n";
    let body = "mov rax, [rip + cell@GOTPCREL]\ndec qword ptr [rax]\njz 8f\nud2\n8:";
    let text = function("reference", &chain(CHAIN))
        + cell
        + &function("k0_single", body)
        + &function("k1_single", body);
    let Some(image) = assemble(&text) else { return };
    let kernels = vec![kernel(0, Purpose::Probe), kernel(1, Purpose::Probe)];
    let artifact = Artifact { image, reference: reference(), sentinel: None, kernels };
    for report in run(&mut impatient(), &artifact) {
        assert!(matches!(report, KernelReport::Executed { .. }), "{report:?}");
    }
}

/// A system without the filter, as old ones are: the filter's own call is refused.
#[test]
fn without_a_filter_the_tool_says_so_once_and_what_remains_holds() {
    if Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_err() {
        assert!(std::env::var_os("CI").is_none(), "strace is missing: scripts/test installs it");
        println!("skipped: there is no `strace` to take the filter away with");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("unfiltered");
    let text = format!(
        "cd {}\nexec strace -f -qq -o /dev/null -e trace=seccomp \
         -e inject=seccomp:error=EINVAL {} \"$@\"\n",
        folder.path().display(),
        env!("CARGO_BIN_EXE_winic-runner")
    );
    script::write(&script, &text);
    let mut device = impatient_with(LocalOptions { runner: Some(script), ..options() });
    let advice = &device.describe().advice;
    let notes = advice.iter().filter(|advice| advice.contains("seccomp")).count();
    assert_eq!(notes, 1, "{advice:?}");
    // Writing to where the pipes were, and making files longer, comes to nothing.
    let write = |to: u32| {
        format!(
            "mov eax, 1\nmov edi, {to}\nlea rsi, [rip + 9f]\nmov edx, 17\nsyscall\nret\n\
             9: .asciz \"{MARK}\""
        )
    };
    let writes = [0, 1, 2, 3].map(write);
    let mut bodies: Vec<&str> = writes.iter().map(String::as_str).collect();
    bodies.extend(["ud2", "1: jmp 1b", HARMLESS]);
    let Some(artifact) = raw(&bodies, Purpose::Probe) else { return };
    let reports = run(&mut device, &artifact);
    assert!(reports[..4].iter().all(is_well), "{reports:?}");
    assert_eq!(reports[4], KernelReport::Faulted(Fault::IllegalInstruction));
    assert_eq!(reports[5], KernelReport::Faulted(Fault::TimedOut));
    assert!(is_well(&reports[6]));
}

/// The name of a script that starts the runner elsewhere.
const RUNNER: &str = "runner";

/// Options for a runner that works in a folder and could leave core files there.
fn in_folder(folder: &Path) -> LocalOptions {
    let script = folder.join(RUNNER);
    let runner = env!("CARGO_BIN_EXE_winic-runner");
    let text = format!("cd {}\nulimit -c unlimited\nexec {runner} \"$@\"", folder.display());
    script::write(&script, &text);
    LocalOptions { runner: Some(script), ..options() }
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// What a runner holds that a kernel could have changed.
fn held(runner: u32) -> (usize, Vec<u32>) {
    (fs::read_dir(format!("/proc/{runner}/fd")).unwrap().count(), children(runner))
}

fn children(process: u32) -> Vec<u32> {
    let list = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    list.unwrap_or_default().split_whitespace().map(|number| number.parse().unwrap()).collect()
}
