//! Which status flags an instruction reads and writes. LLVM knows only `EFLAGS` as a whole,
//! but cores rename flags in groups, and a chain through a flag that is not written (`INC`
//! leaves CF) or not read is no chain. Source: Intel SDM volume 1, appendix A, and the
//! instruction pages of volume 2; undefined flags count as not written.

use super::super::{Part, Role};
use crate::form::InstructionForm;

const CF: u8 = 1 << 0;
const PF: u8 = 1 << 1;
const AF: u8 = 1 << 2;
const ZF: u8 = 1 << 3;
const SF: u8 = 1 << 4;
const OF: u8 = 1 << 5;
const ALL: u8 = CF | PF | AF | ZF | SF | OF;
/// What `SAHF` and `LAHF` move.
const LOW_BYTE: u8 = CF | PF | AF | ZF | SF;
/// Written by logic operations, whose AF is undefined.
const LOGIC: u8 = CF | PF | ZF | SF | OF;

/// Flags written, by the start of the mnemonic; the first match counts, and what is in no
/// row writes all that LLVM says it does.
const WRITTEN: &[(&str, u8)] = &[
    ("inc", ALL & !CF),
    ("dec", ALL & !CF),
    ("btc", CF),
    ("btr", CF),
    ("bts", CF),
    ("bt", CF),
    ("bsf", ZF),
    ("bsr", ZF),
    ("stc", CF),
    ("clc", CF),
    ("cmc", CF),
    ("adcx", CF),
    ("adox", OF),
    ("rol", CF | OF),
    ("ror", CF | OF),
    ("rcl", CF | OF),
    ("rcr", CF | OF),
    ("shl", LOGIC),
    ("shr", LOGIC),
    ("sar", LOGIC),
    ("imul", CF | OF),
    ("mul", CF | OF),
    ("idiv", 0),
    ("div", 0),
    ("lzcnt", CF | ZF),
    ("tzcnt", CF | ZF),
    ("sahf", LOW_BYTE),
    ("and", CF | ZF | SF | OF),
    ("or", LOGIC),
    ("xor", LOGIC),
    ("test", LOGIC),
    ("bls", CF | ZF | SF | OF),
    ("bextr", CF | ZF | OF),
    ("bzhi", CF | ZF | SF | OF),
    ("fcomi", CF | PF | ZF),
    ("fucomi", CF | PF | ZF),
    ("fcompi", CF | PF | ZF),
    ("fucompi", CF | PF | ZF),
    ("lar", ZF),
    ("lsl", ZF),
    ("ver", ZF),
    ("clac", 0),
    ("stac", 0),
];

/// Flags read, by the mnemonic's start, where its condition does not tell.
const READ: &[(&str, u8)] = &[
    ("adcx", CF),
    ("adox", OF),
    ("adc", CF),
    ("sbb", CF),
    ("rcl", CF),
    ("rcr", CF),
    ("cmc", CF),
    ("lahf", LOW_BYTE),
];

/// Flags that a condition looks at, in LLVM's order of conditions.
const CONDITION_READS: [u8; 16] = [
    OF, OF, CF, CF, ZF, ZF, CF | ZF, CF | ZF, SF, SF, PF, PF, SF | OF, SF | OF, ZF | SF | OF, ZF | SF | OF,
];

/// x87 conditional moves: their suffixes are not those of `CONDITIONS`.
const X87_CONDITIONAL: &[(&str, u8)] = &[
    ("fcmovbe", CF | ZF), ("fcmovnbe", CF | ZF), ("fcmovb", CF), ("fcmovnb", CF), ("fcmove", ZF),
    ("fcmovne", ZF), ("fcmovu", PF), ("fcmovnu", PF),
];

/// The flags that stand for `EFLAGS` in dependences of an instance with this condition.
pub(super) fn parts(form: &InstructionForm, condition: Option<usize>, role: Role) -> Vec<Part> {
    let mask = match role {
        Role::Def => written(&form.mnemonic),
        Role::Use => read(&form.mnemonic, condition),
    };
    (0..6).filter(|bit| mask & (1 << bit) != 0).map(Part::Flag).collect()
}

fn lookup(table: &[(&str, u8)], mnemonic: &str) -> Option<u8> {
    table.iter().find(|(start, _)| mnemonic.starts_with(start)).map(|&(_, mask)| mask)
}

fn written(mnemonic: &str) -> u8 {
    lookup(WRITTEN, mnemonic).unwrap_or(ALL)
}

fn read(mnemonic: &str, condition: Option<usize>) -> u8 {
    let x87 = X87_CONDITIONAL.iter().find(|(name, _)| *name == mnemonic).map(|&(_, mask)| mask);
    x87.or_else(|| condition.and_then(|code| CONDITION_READS.get(code).copied()))
        .or_else(|| lookup(READ, mnemonic))
        .unwrap_or(ALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_writers_and_readers() {
        assert_eq!(written("inc") & CF, 0);
        assert_eq!(written("bts"), CF);
        assert_eq!(written("adc"), ALL);
        assert_eq!(written("div"), 0);
        assert_eq!(read("cmovbe", Some(6)), CF | ZF);
        assert_eq!(read("sete", Some(4)), ZF);
        assert_eq!(read("adc", None), CF);
        assert_eq!(read("adox", None), OF);
        assert_eq!(read("fcmovnbe", None), CF | ZF);
        assert_eq!(read("pushf", None), ALL);
    }
}
