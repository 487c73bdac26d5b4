//! What kernels leave in ZA and in vectors, read back before they leave streaming mode.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use winic::artifact::Purpose;
use winic::codec::Assembler as _;
use winic::kernel::{Audience, Kernel, render};

use crate::emulator::Emulator;
use crate::support::Machine;

/// Bytes of a vector, and vectors of ZA.
const VECTOR: usize = 64;
const ZA: usize = 64 * VECTOR;
const VECTORS: usize = 32 * VECTOR;

/// ZA and all vectors.
pub struct Image(Vec<u8>);

impl Image {
    /// A vector of ZA.
    pub fn of_za(&self, number: usize) -> &[u8] {
        &self.0[number * VECTOR..][..VECTOR]
    }

    /// Z0 to Z31.
    pub fn vector(&self, number: usize) -> &[u8] {
        &self.0[ZA + number * VECTOR..][..VECTOR]
    }

    /// The vectors of ZA that are not zero.
    pub fn vectors_with_contents(&self) -> BTreeSet<usize> {
        (0..64).filter(|&number| self.of_za(number).iter().any(|byte| *byte != 0)).collect()
    }
}

/// Stores ZA and all vectors where X0 points to.
fn stores() -> String {
    let mut text = String::from("winic_test_dump:\n        adrp x0, winic_test_image\n");
    text.push_str("        add x0, x0, :lo12:winic_test_image\n        mov w12, #0\n");
    text.push_str("1:      str za[w12, 0], [x0]\n        add x0, x0, #64\n");
    text.push_str("        add w12, w12, #1\n        cmp w12, #64\n        b.ne 1b\n");
    for number in 0..32 {
        let _ = writeln!(text, "        str z{number}, [x0, #{number}, mul vl]");
    }
    text.push_str("        ret\n");
    text
}

/// Runs all kernels once, each from zeros, in one program.
pub fn images(
    kernels: &[Kernel],
    machine: &mut Machine,
    emulator: &Emulator,
    cpu: &str,
) -> Vec<Image> {
    let mut text = machine.catalogue.isa.template().to_owned() + "\n" + &stores();
    let mut calls = String::new();
    for (number, kernel) in kernels.iter().enumerate() {
        let name = format!("k{number}");
        let (catalogue, llvm) = (&machine.catalogue, &mut machine.llvm);
        let rendered = render(kernel, &name, catalogue, llvm, Purpose::Probe, Audience::Assembler)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(rendered.text.matches("        smstop\n").count(), 1, "it leaves the mode once");
        let dumping = "        bl winic_test_dump\n        smstop\n";
        text.push_str(&rendered.text.replace("        smstop\n", dumping));
        let _ = write!(calls, "        mov x0, #1\n        bl {}\n", rendered.single);
        calls.push_str("        mov x0, #1\n        adrp x1, winic_test_image\n");
        calls.push_str("        add x1, x1, :lo12:winic_test_image\n");
        let _ = write!(
            calls,
            "        mov x2, #{}\n        mov x8, #64\n        svc #0\n",
            ZA + VECTORS
        );
    }
    let _ = write!(
        text,
        "        .bss\n        .balign 64\nwinic_test_image:\n        .zero {}\n        .text\n\
         \x20       .globl _start\n_start:\n{calls}        mov x0, #0\n        mov x8, #93\n        svc #0\n",
        ZA + VECTORS
    );
    let object = machine.llvm.assemble(&text).unwrap_or_else(|error| panic!("{error}"));
    let place = tempfile::tempdir().expect("a temporary directory");
    let (object_file, program) = (place.path().join("test.o"), place.path().join("test"));
    std::fs::write(&object_file, object).expect("an object file");
    link(&object_file, &program);
    let qemu = Path::new(emulator.script()).with_file_name("qemu-aarch64");
    let output = Command::new(qemu).args(["-cpu", cpu]).arg(&program).output().expect("QEMU runs");
    assert!(
        output.status.success(),
        "{}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    let images: Vec<Image> =
        output.stdout.chunks_exact(ZA + VECTORS).map(|bytes| Image(bytes.to_vec())).collect();
    assert_eq!(images.len(), kernels.len());
    images
}

/// Makes a program of an object file.
fn link(object: &Path, program: &Path) {
    let linkers = ["ld.lld-22", "ld.lld", "ld.lld-19"];
    let linked = linkers.iter().find_map(|linker| {
        Command::new(linker).arg("-static").arg("-o").arg(program).arg(object).output().ok()
    });
    let output = linked.expect("LLVM's linker is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
