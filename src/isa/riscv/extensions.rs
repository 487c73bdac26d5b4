//! The extensions that forms are taken from.

/// Every ratified unprivileged extension that can stand beside the others, by LLVM's names.
/// Left out: what shares encodings with these (Zcmp and Zcmt with Zcd, Zfinx and its relatives
/// with F), what is for 32-bit machines (Zclsd, Zilsd), and what is not ratified (P). Extensions
/// of single vendors share their encodings with each other and come with a CPU that has them
/// (`-c sifive-x280`).
pub const EXTENSIONS: &[&str] = &[
    // RV64GC.
    "64bit",
    "m",
    "a",
    "f",
    "d",
    "c",
    "zicsr",
    "zifencei",
    // Integers and bits.
    "zicond",
    "zba",
    "zbb",
    "zbc",
    "zbs",
    "zbkb",
    "zbkc",
    "zbkx",
    "zimop",
    "zcb",
    "zcmop",
    // Atomics, caches, hints.
    "zacas",
    "zabha",
    "zalasr",
    "zawrs",
    "zicbom",
    "zicbop",
    "zicboz",
    "zihintntl",
    "zihintpause",
    // Scalar cryptography.
    "zknd",
    "zkne",
    "zknh",
    "zksed",
    "zksh",
    // Floating point.
    "q",
    "zfa",
    "zfh",
    "zfbfmin",
    // Vectors.
    "v",
    "zvfh",
    "zvfbfmin",
    "zvfbfwma",
    "zvbb",
    "zvbc",
    "zvkg",
    "zvkned",
    "zvknhb",
    "zvksed",
    "zvksh",
];

/// Whether an extension is a piece of those that are named by a letter: `zmmul` of `m`. Source:
/// RISC-V unprivileged specification, "ISA extension naming conventions".
pub fn is_part_of_letters(extension: &str) -> bool {
    extension.starts_with('z')
}
