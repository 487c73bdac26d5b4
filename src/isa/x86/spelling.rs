//! Spellings of x86 in AT&T's syntax. Sources: Intel SDM volume 2, appendix B.1.4.7 (conditions with
//! more than one name); GNU assembler's manual, "AT&T Mnemonic versus Intel Mnemonic"; for marks around
//! regions Intel's IACA, "User's Guide", which OSACA keeps to: `movl $111, %ebx` and `movl $222, %ebx`, each with
//! the bytes 100, 103 and 144 behind it.

use super::X86;
use crate::isa::names;
use crate::isa::spelling::{AddressStep, Branch, BranchOperand, Spelling};

/// Conditions, each with all its names.
const CONDITIONS: [&[&str]; 16] = [
    &["o"],
    &["no"],
    &["b", "c", "nae"],
    &["ae", "nb", "nc"],
    &["e", "z"],
    &["ne", "nz"],
    &["be", "na"],
    &["a", "nbe"],
    &["s"],
    &["ns"],
    &["p", "pe"],
    &["np", "po"],
    &["l", "nge"],
    &["ge", "nl"],
    &["le", "ng"],
    &["g", "nle"],
];

/// What stands around a condition.
const CONDITIONAL: &[(&str, &str)] =
    &[("set", ""), ("cmov", ""), ("cmov", "w"), ("cmov", "l"), ("cmov", "q")];

/// Arithmetic shifts to the left are the logical ones.
const SAME: &[[&str; 2]] = &[
    ["shl", "sal"],
    ["shlb", "salb"],
    ["shlw", "salw"],
    ["shll", "sall"],
    ["shlq", "salq"],
    ["movabsq", "movabs"],
    ["cqto", "cqo"],
    ["cltq", "cdqe"],
    ["cltd", "cdq"],
    ["cwtl", "cwde"],
];

/// Of the width of addresses only: what is shorter cuts them off.
const STEPS: &[(&[&str], AddressStep)] = &[
    (&["add", "addq"], AddressStep::Add),
    (&["sub", "subq"], AddressStep::Subtract),
    (&["inc", "incq"], AddressStep::Increment),
    (&["dec", "decq"], AddressStep::Decrement),
    (&["mov", "movq"], AddressStep::Copy),
];

/// How LLVM's names of second encodings end: source and destination have changed places.
const SECOND: &str = "REV";

/// The first byte of the longer encodings of vectors, in 64-bit code always.
const EVEX: u8 = 0x62;

const EFLAGS: &[&str] = &["CF", "PF", "AF", "ZF", "SF", "OF"];

/// Registers that results pass through unnamed.
const UNNAMED: &[&str] = &[
    "AL", "AH", "AX", "EAX", "RAX", "BL", "BX", "EBX", "RBX", "CL", "CX", "ECX", "RCX", "DL", "DX",
    "EDX", "RDX", "SI", "ESI", "RSI", "DI", "EDI", "RDI", "XMM0",
];

impl Spelling for X86 {
    fn other_mnemonics(&self, mnemonic: &str) -> Vec<String> {
        let same = SAME.iter().filter(|pair| pair[0] == mnemonic).map(|pair| pair[1].to_owned());
        let conditional = CONDITIONAL.iter().flat_map(|&(before, behind)| {
            CONDITIONS.iter().flat_map(move |names| {
                let spelled = move |name: &&str| format!("{before}{name}{behind}");
                let is_one = names.iter().any(|name| spelled(name) == mnemonic);
                names.iter().filter(move |_| is_one).map(spelled)
            })
        });
        same.chain(conditional).filter(|other| other != mnemonic).collect()
    }

    fn has_long_encoding(&self, bytes: &[u8]) -> bool {
        bytes.first() == Some(&EVEX)
    }

    fn is_second_encoding(&self, form: &str) -> bool {
        names::last_part(form) == SECOND
    }

    fn region_marks(&self) -> Option<[&'static [u8]; 2]> {
        Some([&[0xbb, 111, 0, 0, 0, 100, 103, 144], &[0xbb, 222, 0, 0, 0, 100, 103, 144]])
    }

    fn flags(&self, register: &str) -> &'static [&'static str] {
        if register == "EFLAGS" { EFLAGS } else { &[] }
    }

    fn unnamed(&self, register: &str) -> Option<String> {
        UNNAMED.contains(&register).then(|| register.to_lowercase())
    }

    fn address_step(&self, mnemonic: &str) -> Option<AddressStep> {
        STEPS.iter().find(|(names, _)| names.contains(&mnemonic)).map(|&(_, step)| step)
    }

    fn branches(&self) -> Vec<Branch> {
        const LABEL: &[BranchOperand] = &[BranchOperand::Label];
        let conditional = CONDITIONS.iter().flat_map(|names| names.iter());
        vec![
            Branch {
                mnemonics: conditional.map(|name| format!("j{name}")).collect(),
                operands: LABEL,
                fuses: true,
                reads: Some("EFLAGS"),
            },
            Branch {
                mnemonics: vec!["ret".to_owned(), "retq".to_owned()],
                operands: &[],
                fuses: false,
                reads: None,
            },
            Branch {
                mnemonics: vec!["call".to_owned(), "callq".to_owned()],
                operands: LABEL,
                fuses: false,
                reads: None,
            },
            Branch {
                mnemonics: vec!["jmp".to_owned(), "jmpq".to_owned()],
                operands: LABEL,
                fuses: false,
                reads: None,
            },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_have_all_their_names() {
        let conditions = CONDITIONS.iter().flat_map(|names| names.iter());
        assert_eq!(conditions.count(), 30);
        assert!(CONDITIONAL.iter().all(|(before, _)| !before.is_empty()));
    }
}
