//! How much instructions of RISC-V compute. (How many elements a vector has is the machine's.)

use crate::isa::Operations;

/// Stems of LLVM's names, with what they take.
const STEMS: &[(&str, u32)] = &[
    ("FADD", 1),
    ("FDIV", 1),
    ("FMADD", 2),
    ("FMSUB", 2),
    ("FMUL", 1),
    ("FNMADD", 2),
    ("FNMSUB", 2),
    ("FSQRT", 1),
    ("FSUB", 1),
];
/// Formats behind them.
const FORMATS: &[&str] = &["_D", "_H", "_S"];

pub(super) fn operations(form: &str) -> Option<Operations> {
    let is = |stem: &str| FORMATS.iter().any(|format| form == format!("{stem}{format}"));
    STEMS.iter().find(|row| is(row.0)).map(|row| Operations::floating(row.1))
}
