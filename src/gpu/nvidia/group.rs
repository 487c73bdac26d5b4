//! `wgmma`: products of a group of four warps, of which LLVM has the fences only. Their forms are a rule:
//! m is 64, k is 32 bytes, n goes from 8 to 256.

use super::forms::{PtxElement, PtxForm, PtxKind, element};
use crate::gpu::form::{MatrixElement, MatrixShape};

/// Threads of a group.
pub const GROUP: u32 = 128;
/// Rows of D.
const ROWS: u32 = 64;
/// Bits of a row of A and of a column of B.
const DEPTH: u32 = 256;

/// What is multiplied into what.
const TYPES: [(&str, &str, &str); 17] = [
    ("f16", "f16", "f16"),
    ("f32", "f16", "f16"),
    ("f32", "bf16", "bf16"),
    ("f32", "tf32", "tf32"),
    ("f16", "e4m3", "e4m3"),
    ("f16", "e4m3", "e5m2"),
    ("f16", "e5m2", "e4m3"),
    ("f16", "e5m2", "e5m2"),
    ("f32", "e4m3", "e4m3"),
    ("f32", "e4m3", "e5m2"),
    ("f32", "e5m2", "e4m3"),
    ("f32", "e5m2", "e5m2"),
    ("s32", "s8", "s8"),
    ("s32", "s8", "u8"),
    ("s32", "u8", "s8"),
    ("s32", "u8", "u8"),
    ("s32", "b1", "b1"),
];

/// Where A stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// In shared memory, as B does.
    Shared,
    /// In registers.
    Registers,
}

/// The columns that D may have: any multiple of 8 up to 256, and of narrow integers fewer.
#[must_use]
pub fn columns(factor: MatrixElement) -> Vec<u32> {
    match factor {
        MatrixElement::I8 | MatrixElement::B1 => {
            [8, 24].into_iter().chain((16..=256).step_by(16)).collect()
        }
        _ => (8..=256).step_by(8).collect(),
    }
}

/// All forms.
#[must_use]
pub fn group_forms() -> Vec<PtxForm> {
    let mut forms = Vec::new();
    for (d, a, b) in TYPES {
        let (Some(d), Some(a), Some(b)) = (element(d), element(a), element(b)) else { continue };
        for left in [Left::Shared, Left::Registers] {
            forms.extend(columns(a.element).into_iter().map(|n| form((d, a, b), left, n)));
        }
    }
    forms
}

fn form((d, a, b): (PtxElement, PtxElement, PtxElement), left: Left, n: u32) -> PtxForm {
    let k = DEPTH / a.stored;
    let operation = if a.element == MatrixElement::B1 { ".and.popc" } else { "" };
    let (of_d, of_a, of_b) = (d.name, a.name, b.name);
    let name =
        format!("wgmma.mma_async.sync.aligned.m{ROWS}n{n}k{k}.{of_d}.{of_a}.{of_b}{operation}");
    let held = ROWS * n / GROUP * d.stored / 32;
    let of_left = match left {
        Left::Shared => 0,
        Left::Registers => ROWS * DEPTH / GROUP / 32,
    };
    PtxForm {
        name,
        intrinsic: None,
        kind: PtxKind::Group,
        shape: MatrixShape { m: ROWS, n, k, blocks: 1 },
        d: d.element,
        c: d.element,
        a,
        b,
        registers: [held, of_left, 0, held],
    }
}

impl PtxForm {
    /// The form in one word, which tells where A stands.
    #[must_use]
    pub fn word(&self) -> String {
        let from_registers = self.kind == PtxKind::Group && self.registers[1] > 0;
        format!("{}{}", self.name, if from_registers { "@registers" } else { "" })
    }

    /// What stands behind the descriptors of a `wgmma`: that C is read, signs, and how the factors lie.
    #[must_use]
    pub fn group_modifiers(&self) -> &'static str {
        let is_shared = self.registers[1] == 0;
        match self.a.element {
            MatrixElement::F16 | MatrixElement::Bf16 if is_shared => "p, 1, 1, 0, 0",
            MatrixElement::F16 | MatrixElement::Bf16 => "p, 1, 1, 0",
            MatrixElement::I8 | MatrixElement::B1 => "p",
            _ => "p, 1, 1",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_gives_the_forms_that_the_assembler_takes() {
        let forms = group_forms();
        assert_eq!(forms.len(), 948);
        let widest = forms.iter().map(|form| form.registers[0]).max();
        assert_eq!(widest, Some(128));
        let first = &forms[0];
        assert_eq!(first.name, "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16");
        assert_eq!(first.registers, [2, 0, 0, 2]);
    }
}
