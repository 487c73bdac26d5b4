//! Kernels that tests write in assembly, and a device to run them on.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use winic::artifact::{Artifact, KernelFunctions, KernelId, Needs, Purpose, ReferenceFunction};
use winic::device::{Device as _, KernelReport, LocalDevice, LocalOptions};

/// Additions in one iteration of the reference chain.
pub const CHAIN: u32 = 64;

/// A function that runs `body` as often as its argument says.
pub fn function(symbol: &str, body: &str) -> String {
    format!(
        ".globl {symbol}\n.type {symbol}, @function\n.p2align 6\n{symbol}:\n\
         push rbx\npush rbp\npush r12\nmov rcx, rdi\nmov eax, 1\nmov ebx, 3\n.p2align 6\n\
         1:\n{body}\ndec rcx\njnz 1b\npop r12\npop rbp\npop rbx\nret\n"
    )
}

/// A shared object from the assembly text of its functions; `None` (and why on the output)
/// where there is no compiler.
pub fn assemble(functions: &str) -> Option<Arc<[u8]>> {
    let folder = tempfile::tempdir().unwrap();
    let object = folder.path().join("kernels.so");
    let started = Command::new("cc")
        .args(["-shared", "-nostdlib", "-x", "assembler", "-o"])
        .arg(&object)
        .arg("-")
        .stdin(Stdio::piped())
        .spawn();
    let Ok(mut compiler) = started else {
        println!("skipped: there is no C compiler `cc` to assemble kernels with");
        return None;
    };
    let note = ".section .note.GNU-stack, \"\", @progbits";
    let text = format!(".intel_syntax noprefix\n.text\n{functions}\n{note}\n");
    compiler.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(compiler.wait().unwrap().success(), "the assembler refuses:\n{text}");
    Some(fs::read(object).unwrap().into())
}

pub fn chain(length: u32) -> String {
    "add rax, rbx\n".repeat(length as usize)
}

pub fn reference() -> ReferenceFunction {
    ReferenceFunction { symbol: "reference".into(), cycles_per_iteration: CHAIN }
}

pub fn kernel(id: u32, purpose: Purpose) -> KernelFunctions {
    KernelFunctions {
        id: KernelId(id),
        purpose,
        init: None,
        single: format!("k{id}_single"),
        double: (purpose == Purpose::Time).then(|| format!("k{id}_double")),
        alone: true,
        needs: Needs::default(),
    }
}

pub fn options() -> LocalOptions {
    LocalOptions {
        runner: Some(PathBuf::from(env!("CARGO_BIN_EXE_winic-runner"))),
        ..LocalOptions::default()
    }
}

pub fn run(device: &mut LocalDevice, artifact: &Artifact) -> Vec<KernelReport> {
    let mut reports = Vec::new();
    let mut deliver = |_, report| {
        reports.push(report);
        true
    };
    device.run(artifact, &mut deliver).unwrap();
    reports
}
