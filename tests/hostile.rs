//! What a person may hand to `MAN`, by accident or on purpose: functions and objects that do anything
//! but compute. Each comes to one line and leaves nothing behind: no file, no process.
#![cfg(all(feature = "llvm", target_arch = "x86_64", target_os = "linux"))]

#[path = "support/processes.rs"]
mod processes;

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;

const SOURCE: &str = "hostile.s";

/// Times the function `f` of a text, with a runner that soon loses patience.
fn time(place: &Path, text: &str) -> Output {
    fs::write(place.join(SOURCE), format!(".intel_syntax noprefix\n{text}\n")).unwrap();
    Command::cargo_bin("winic")
        .expect("winic is built")
        .current_dir(place)
        .env("WINIC_RUNNER", env!("CARGO_BIN_EXE_winic-runner"))
        .env("WINIC_WATCHDOG", "100")
        .env(processes::MARK, place)
        .args(["MAN", "-p", SOURCE, "--funcName", "f", "-n", "1"])
        .output()
        .unwrap()
}

/// A function `f` that loops as often as it is told to.
const GOOD: &str = ".text\n.globl f\nf: mov rcx, rdi\n1: add rax, rbx\ndec rcx\njnz 1b\nret";

/// A file that must not come to be.
const CREATE: &str =
    "lea rdi, [rip + 9f]\nmov esi, 0x1ff\nmov eax, 85\nsyscall\nret\n9: .asciz \"made\"";

/// A number, without arguments worth mentioning.
fn call(number: u32) -> String {
    format!("mov eax, {number}\nxor edi, edi\nxor esi, esi\nsyscall\nret")
}

/// Runs each text, and wants the status and these words of each.
fn assert_ends(status: i32, cases: &[(String, &str)]) {
    for (text, words) in cases {
        let place = tempfile::tempdir().unwrap();
        let output = time(place.path(), text);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(status), "{text}\n{said}");
        let (lines, stream) = if status == 0 { (&told, &told) } else { (&said, &said) };
        assert!(lines.contains(words), "{text}\n{said}{told}");
        assert_eq!(stream.lines().count(), 1, "{text}\n{said}{told}");
        let left: Vec<_> = fs::read_dir(place.path()).unwrap().flatten().collect();
        assert_eq!(left.len(), 1, "{text} left {left:?}");
        assert_eq!(processes::marked(place.path()), [0; 0], "{text} left a process");
    }
}

#[test]
fn functions_that_do_anything_but_compute_are_named() {
    const DENIED: &str = "system call";
    const STRAY: &str = "segmentation fault";
    const ENDLESS: &str = "timed out";
    let bodies: Vec<(String, &str)> = vec![
        (CREATE.into(), DENIED),
        // fork, vfork, clone, execve, kill (everybody), tgkill
        (call(57), DENIED),
        (call(58), DENIED),
        (call(56), DENIED),
        (call(59), DENIED),
        ("mov eax, 62\nmov rdi, -1\nmov esi, 9\nsyscall\nret".into(), DENIED),
        (call(234), DENIED),
        // close, write, socket, mmap, mprotect, munmap (of its own stack), prctl, ptrace
        (call(3), DENIED),
        (call(1), DENIED),
        (call(41), DENIED),
        (call(9), DENIED),
        (call(10), DENIED),
        ("mov eax, 11\nmov rdi, rsp\nand rdi, -4096\nmov esi, 4096\nsyscall\nret".into(), DENIED),
        (call(157), DENIED),
        (call(101), DENIED),
        // rt_sigaction, rt_sigprocmask, setitimer, pause, setsid
        (call(13), DENIED),
        (call(14), DENIED),
        (call(38), DENIED),
        (call(34), DENIED),
        (call(112), DENIED),
        // exit
        ("mov eax, 231\nmov edi, 7\nsyscall".into(), "ended with status"),
        // Code that changes itself, or what is timed beside it, and jumps to where no code is.
        ("mov byte ptr [rip + 8f], 0xc3\n8: ret".into(), STRAY),
        ("lea rax, [rip + 8f]\nand rax, -4096\nmov qword ptr [rax], rax\n8: ret".into(), STRAY),
        ("xor eax, eax\njmp rax".into(), STRAY),
        ("jmp rsp".into(), STRAY),
        ("xor esp, esp\npush rax\nret".into(), STRAY),
        ("2: push rax\njmp 2b".into(), STRAY),
        ("mov rax, cr3\nret".into(), STRAY),
        // In the kernel's half, at no address, between addresses, where an aligned one is due, and so
        // many times that no memory is enough.
        ("movabs rax, 0xffff800000000000\nmov rax, qword ptr [rax]\nret".into(), STRAY),
        ("mov eax, 4096\nmov rax, qword ptr [rax]\nret".into(), STRAY),
        ("movabs rax, 0x8000000000000000\nmov qword ptr [rax], rax\nret".into(), STRAY),
        ("movaps xmm0, xmmword ptr [rsp + 1]\nmovaps xmm0, xmmword ptr [rsp]\nret".into(), STRAY),
        (
            "mov rsi, rsp\nlea rdi, [rsp - 64]\nmovabs rcx, 0x8000000000000000\nrep movsb\nret"
                .into(),
            STRAY,
        ),
        ("mov rdi, rsp\nmovabs rcx, 0x8000000000000000\nrep stosq\nret".into(), STRAY),
        ("ud2".into(), "illegal instruction"),
        ("int3\nret".into(), "trap"),
        ("xor ecx, ecx\ndiv ecx\nret".into(), "arithmetic"),
        ("1: jmp 1b".into(), ENDLESS),
        ("1: pause\njmp 1b".into(), ENDLESS),
        ("not rbx\nret".into(), "register"),
        ("std\nret".into(), "flag"),
        ("ret 8".into(), "stack pointer"),
    ];
    let wild = "vpcmpeqd ymm1, ymm1, ymm1\nvpsrld ymm2, ymm1, 1\nmov rax, rsp\n\
                vpgatherdd ymm0, dword ptr [rax + ymm2*8], ymm1\nret";
    let gather = is_x86_feature_detected!("avx2").then(|| (wild.to_owned(), STRAY));
    let cases: Vec<_> = bodies
        .into_iter()
        .chain(gather)
        .map(|(body, words)| (format!(".text\n.globl f\nf: {body}"), words))
        .collect();
    assert_ends(2, &cases);
}

/// Ways in which a loader is told to run a function before all others.
fn constructors(body: &str) -> [String; 2] {
    let text = format!("{GOOD}\n.globl _init\n_init: c: {body}\n");
    [text.clone() + ".section .init_array, \"aw\"\n.quad c", text]
}

#[test]
fn constructors_run_in_the_child_before_the_function() {
    // The function wants what its constructor left.
    let wants = ".data\ncell: .quad 0\n.text\n.globl f\nf: cmp qword ptr [rip + cell], 5\nje 1f\nud2\n\
                 1: dec rdi\njnz 1b\nret\nc: mov qword ptr [rip + cell], 5\nret\n";
    let cases = [
        (format!("{wants}.globl _init\n_init = c"), "cycles per instruction"),
        (format!("{wants}.section .init_array, \"aw\"\n.quad c"), "cycles per instruction"),
    ];
    assert_ends(0, &cases);
    let hostile = [
        (CREATE, "system call"),
        (
            "mov eax, 110\nsyscall\nmov edi, eax\nmov esi, 9\nmov eax, 62\nsyscall\nret",
            "system call",
        ),
        ("1: jmp 1b", "timed out"),
        ("ud2", "illegal instruction"),
        ("not rbx\nret", "register"),
        ("mov eax, 231\nxor edi, edi\nsyscall", "ended with status"),
    ];
    let cases: Vec<_> = hostile
        .iter()
        .flat_map(|(body, words)| constructors(body).map(|text| (text, *words)))
        .collect();
    assert_ends(2, &cases);
}

#[test]
fn destructors_never_run() {
    let fini =
        format!("{GOOD}\n.globl _fini\n_fini: c: ud2\n.section .fini_array, \"aw\"\n.quad c");
    assert_ends(0, &[(fini, "cycles per instruction")]);
}

#[test]
fn objects_that_a_loader_would_run_code_for_or_that_are_not_whole_are_refused() {
    let with = |text: &str| format!("{GOOD}\n{text}");
    let resolver = "h: ret\ng: lea rax, [rip + h]\nret\n.type g, @gnu_indirect_function";
    let cases = [
        (with(&format!("{resolver}\n.globl g\n.data\n.quad g")), "indirect function"),
        (with(&format!("{resolver}\n.data\n.quad g")), "indirect function"),
        (with(".section .tdata, \"awT\"\n.quad 1"), "thread-local storage"),
        (with(".section .tbss, \"awT\", @nobits\n.zero 64"), "thread-local storage"),
        (with("mov rax, qword ptr [rip + x@gottpoff]"), "thread-local storage"),
        (with("call memcpy@PLT"), "needs a symbol `memcpy`"),
        (with(".bss\n.zero 0x140000000"), "bytes of memory"),
        // Places in text that the loader would have to change.
        (with(".quad f"), "relocation"),
        // A number is no function.
        (".globl f\nf = 0x1000".to_owned(), "no symbol `f`"),
        (".globl f\nf = 0xffffffffffffffff".to_owned(), "no symbol `f`"),
    ];
    assert_ends(2, &cases);
}

#[test]
fn what_a_file_says_of_the_guards_moves_nothing_of_the_runner() {
    let everywhere = format!(
        "{GOOD}\n.globl winic_guard_low, winic_guard_low_end, winic_guard_high, winic_guard_high_end\n\
         winic_guard_low = 0\nwinic_guard_low_end = 0x7ffffffff000\n\
         winic_guard_high = 0x1000\nwinic_guard_high_end = 0x7ffffffff000"
    );
    assert_ends(0, &[(everywhere, "cycles per instruction")]);
}
