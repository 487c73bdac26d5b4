//! Spellings of AArch64. Source: Arm Architecture Reference Manual for A-profile (DDI 0487), C1.2.4
//! (condition codes) and C6.2 (aliases, which LLVM prints by itself).

use super::AArch64;
use crate::isa::spelling::{AddressStep, Branch, BranchOperand, Spelling};

const CONDITIONS: &[&str] = &[
    "eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le",
    // Of predicates.
    "none", "any", "nlast", "last", "first", "nfrst", "pmore", "plast", "tcont", "tstop",
];

/// Whether a register is always zero.
pub(super) fn is_zero(register: &str) -> bool {
    matches!(register, "WZR" | "XZR")
}

/// Shifts that only widen where they shift by nothing: LLVM prints them as shifts, and GCC does not.
const WIDENING: &[(&str, &str)] =
    &[("sshll", "sxtl"), ("sshll2", "sxtl2"), ("ushll", "uxtl"), ("ushll2", "uxtl2")];

impl Spelling for AArch64 {
    fn without_zero(&self, mnemonic: &str) -> Option<&'static str> {
        WIDENING.iter().find(|(long, _)| *long == mnemonic).map(|&(_, short)| short)
    }

    fn is_zero(&self, register: &str) -> bool {
        is_zero(register)
    }

    fn region_marks(&self) -> Option<[&'static [u8]; 2]> {
        // `mov x1, #111` and `mov x1, #222`, and four bytes as OSACA's manual has them.
        Some([&[0xe1, 0x0d, 0x80, 0xd2, 213, 3, 32, 31], &[0xc1, 0x1b, 0x80, 0xd2, 213, 3, 32, 31]])
    }

    fn flags(&self, register: &str) -> &'static [&'static str] {
        if register == "NZCV" { &["N", "Z", "C", "V"] } else { &[] }
    }

    fn address_step(&self, mnemonic: &str) -> Option<AddressStep> {
        match mnemonic {
            "add" | "adds" => Some(AddressStep::Add),
            "sub" | "subs" => Some(AddressStep::Subtract),
            "mov" => Some(AddressStep::Copy),
            _ => None,
        }
    }

    fn branches(&self) -> Vec<Branch> {
        use BranchOperand::{Label, Number, Register};
        let branch = |mnemonics: Vec<String>, operands, reads| Branch {
            mnemonics,
            operands,
            fuses: false,
            reads,
        };
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let conditional =
            CONDITIONS.iter().flat_map(|name| [format!("b.{name}"), format!("b{name}")]);
        let (zero, bit) = (["cbz", "cbnz"], ["tbz", "tbnz"]);
        vec![
            branch(conditional.collect(), &[Label], Some("NZCV")),
            branch(names(&["b", "bl"]), &[Label], None),
            branch(names(&["ret"]), &[], None),
            branch(names(&zero), &[Register("x"), Label], None),
            branch(names(&zero), &[Register("w"), Label], None),
            branch(names(&bit), &[Register("x"), Number, Label], None),
            branch(names(&bit), &[Register("w"), Number, Label], None),
        ]
    }
}
