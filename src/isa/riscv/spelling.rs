//! Spellings of RISC-V. Source: RISC-V Assembly Programmer's Manual, "A listing of standard RISC-V
//! pseudoinstructions" (LLVM prints most of them by itself).

use super::RiscV;
use crate::isa::spelling::{Branch, BranchOperand, Spelling};

impl Spelling for RiscV {
    fn is_zero(&self, register: &str) -> bool {
        register == "X0"
    }

    fn branches(&self) -> Vec<Branch> {
        use BranchOperand::{Label, Register};
        let branch = |mnemonics: &[&str], operands| Branch {
            mnemonics: mnemonics.iter().map(|&name| name.to_owned()).collect(),
            operands,
            fuses: false,
            reads: None,
        };
        let two = ["beq", "bne", "blt", "bge", "bltu", "bgeu", "bgt", "ble", "bgtu", "bleu"];
        let one = ["beqz", "bnez", "blez", "bgez", "bltz", "bgtz"];
        vec![
            branch(&two, &[Register("x"), Register("x"), Label]),
            branch(&one, &[Register("x"), Label]),
            branch(&["j", "call", "tail"], &[Label]),
            branch(&["ret"], &[]),
        ]
    }
}
