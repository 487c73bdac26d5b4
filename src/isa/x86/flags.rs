//! Which status flags an instruction reads and writes. LLVM knows only `EFLAGS` as a whole,
//! but cores rename flags in groups, and a chain through a flag that is not written (`INC`
//! leaves CF) or not read is no chain. Sources: Intel SDM volume 1, appendix A, and the
//! instruction pages of volume 2; AMD64 APM volume 3 for what only AMD has; Intel APX
//! architecture specification for `CCMP` and `CTEST`.
//!
//! A flag that the manual leaves undefined is not written: nobody can pass anything through
//! it. It is not left alone either: who reads it later may wait for it.

use super::super::names;
use crate::form::{InstructionForm, Part, Role};

const CF: u8 = 1 << 0;
const PF: u8 = 1 << 1;
const AF: u8 = 1 << 2;
const ZF: u8 = 1 << 3;
const SF: u8 = 1 << 4;
const OF: u8 = 1 << 5;
const ALL: u8 = CF | PF | AF | ZF | SF | OF;
const NONE: u8 = 0;
/// What `SAHF` and `LAHF` move.
const LOW_BYTE: u8 = CF | PF | AF | ZF | SF;
/// Written by logic operations.
const LOGIC: u8 = CF | PF | ZF | SF | OF;
/// Written by the bit manipulations of BMI1, BMI2 and TBM.
const BIT_MANIPULATION: u8 = CF | ZF | SF | OF;
/// Written by shifts; OF only by those by one.
const SHIFT: u8 = CF | PF | ZF | SF;

/// Instructions with the same effect on the flags.
struct FlagEffect {
    mnemonics: &'static [&'static str],
    /// Flags with a meaning afterwards.
    written: u8,
    /// Flags without one. All others are left alone.
    undefined: u8,
}

const fn effect(mnemonics: &'static [&'static str], written: u8, undefined: u8) -> FlagEffect {
    FlagEffect { mnemonics, written, undefined }
}

/// Every mnemonic that LLVM says writes the flags; a test makes sure of that.
const EFFECTS: &[FlagEffect] = &[
    effect(&["add", "adc", "sub", "sbb", "cmp", "neg", "cmpxchg", "xadd"], ALL, NONE),
    effect(&["inc", "dec"], ALL & !CF, NONE),
    effect(&["and", "or", "xor", "test"], LOGIC, AF),
    effect(&["adcx"], CF, NONE),
    effect(&["adox"], OF, NONE),
    effect(&["mul", "imul", "imulzu"], CF | OF, PF | AF | ZF | SF),
    effect(&["div", "idiv"], NONE, ALL),
    effect(&["bt", "btc", "btr", "bts"], CF, PF | AF | SF | OF),
    effect(&["bsf", "bsr"], ZF, CF | PF | AF | SF | OF),
    effect(&["lzcnt", "tzcnt"], CF | ZF, PF | AF | SF | OF),
    effect(&["popcnt"], ALL, NONE),
    // OF is defined by shifts and rotations by one only: see `by_one`.
    effect(&["shl", "shr", "sar"], SHIFT, AF | OF),
    effect(&["shld", "shrd"], SHIFT, AF | OF),
    effect(&["rol", "ror", "rcl", "rcr"], CF, OF),
    effect(&["stc", "clc", "cmc"], CF, NONE),
    effect(&["sahf"], LOW_BYTE, NONE),
    effect(&["andn", "blsi", "blsmsk", "blsr", "bzhi"], BIT_MANIPULATION, AF | PF),
    effect(&["bextr"], CF | ZF | OF, AF | SF | PF),
    effect(
        &["blcfill", "blci", "blcic", "blcmsk", "blcs", "blsfill", "blsic", "t1mskc", "tzmsk"],
        BIT_MANIPULATION,
        AF | PF,
    ),
    effect(&["comiss", "comisd", "ucomiss", "ucomisd"], ALL, NONE),
    effect(
        &["vcomiss", "vcomisd", "vucomiss", "vucomisd", "vcomish", "vucomish", "vcomisbf16"],
        ALL,
        NONE,
    ),
    effect(&["vcomxss", "vcomxsd", "vcomxsh", "vucomxss", "vucomxsd", "vucomxsh"], ALL, NONE),
    effect(&["ptest", "vptest", "vtestps", "vtestpd"], ALL, NONE),
    effect(&["kortestb", "kortestw", "kortestd", "kortestq"], ALL, NONE),
    effect(&["ktestb", "ktestw", "ktestd", "ktestq"], ALL, NONE),
    effect(&["pcmpestri", "pcmpestrm", "pcmpistri", "pcmpistrm"], ALL, NONE),
    effect(&["vpcmpestri", "vpcmpestrm", "vpcmpistri", "vpcmpistrm"], ALL, NONE),
    // Intel clears the others, AMD does not say so.
    effect(&["fcomi", "fcompi", "fucomi", "fucompi"], CF | PF | ZF, AF | SF | OF),
    effect(&["rdrand", "rdseed", "xtest", "testui", "tpause", "umwait"], ALL, NONE),
    effect(&["lar", "lsl", "verr", "verw"], ZF, NONE),
    effect(&["lwpins"], CF, NONE),
    effect(&["encodekey128", "encodekey256", "loadiwkey", "pconfig", "pvalidate"], ALL, NONE),
    effect(&["psmash", "rmpadjust", "rmpquery", "rmpupdate"], ALL & !CF, NONE),
    // Other bits of the register: interrupts, access to user pages.
    effect(&["cli", "sti", "clac", "stac"], NONE, NONE),
    // Privileged returns load all of it.
    effect(&["erets", "eretu"], ALL, NONE),
];

/// Flags read, where no condition tells.
const READ: &[(&[&str], u8)] = &[
    (&["adc", "sbb", "adcx", "rcl", "rcr", "cmc"], CF),
    (&["adox"], OF),
    (&["lahf"], LOW_BYTE),
    (&["cli", "sti"], NONE),
    (&["fcmovb", "fcmovnb"], CF),
    (&["fcmove", "fcmovne"], ZF),
    (&["fcmovbe", "fcmovnbe"], CF | ZF),
    (&["fcmovu", "fcmovnu"], PF),
];

/// Flags that a condition looks at, in LLVM's order of conditions.
const CONDITION_READS: [u8; 16] = [
    OF,
    OF,
    CF,
    CF,
    ZF,
    ZF,
    CF | ZF,
    CF | ZF,
    SF,
    SF,
    PF,
    PF,
    SF | OF,
    SF | OF,
    ZF | SF | OF,
    ZF | SF | OF,
];

/// Conditional comparisons: on top of their flags they have the condition in their mnemonic,
/// and two conditions that look at nothing in place of those for parity.
const CONDITIONAL_COMPARISONS: &[&str] = &[
    "ccmpo", "ccmpno", "ccmpb", "ccmpae", "ccmpe", "ccmpne", "ccmpbe", "ccmpa", "ccmps", "ccmpns",
    "ccmpt", "ccmpf", "ccmpl", "ccmpge", "ccmple", "ccmpg", "ctesto", "ctestno", "ctestb",
    "ctestae", "cteste", "ctestne", "ctestbe", "ctesta", "ctests", "ctestns", "ctestt", "ctestf",
    "ctestl", "ctestge", "ctestle", "ctestg",
];
const ALWAYS: usize = 10;
const NEVER: usize = 11;

/// The flags that stand for `EFLAGS` in dependences of an instance with this condition.
pub(super) fn parts(form: &InstructionForm, condition: Option<usize>, role: Role) -> Vec<Part> {
    let mask = match role {
        Role::Def => written(&form.mnemonic, &form.name),
        Role::Undefined => undefined(&form.mnemonic, &form.name),
        Role::Use => read(&form.mnemonic, &form.name, condition),
    };
    (0..6).filter(|bit| mask & (1 << bit) != 0).map(Part::Flag).collect()
}

/// Whether a shift or rotation keeps all flags when its count, known only at run time, is
/// zero: it reads what it may keep.
pub(super) fn may_keep(name: &str) -> bool {
    matches!(names::operands(name), "rCL" | "rrCL")
}

fn is_conditional_comparison(mnemonic: &str) -> bool {
    CONDITIONAL_COMPARISONS.contains(&mnemonic)
}

fn by_one(name: &str) -> bool {
    names::operands(name) == "r1"
}

fn effect_of(mnemonic: &str) -> Option<&'static FlagEffect> {
    EFFECTS.iter().find(|effect| effect.mnemonics.contains(&mnemonic))
}

fn written(mnemonic: &str, name: &str) -> u8 {
    // A conditional comparison writes all flags, AF and PF too, whether it compares or not.
    let Some(effect) = effect_of(mnemonic) else { return ALL };
    if by_one(name) { effect.written | effect.undefined & OF } else { effect.written }
}

fn undefined(mnemonic: &str, name: &str) -> u8 {
    effect_of(mnemonic).map_or(NONE, |effect| effect.undefined & !written(mnemonic, name))
}

fn read(mnemonic: &str, name: &str, condition: Option<usize>) -> u8 {
    let kept =
        if may_keep(name) { written(mnemonic, name) | undefined(mnemonic, name) } else { NONE };
    if kept != NONE {
        let own = if matches!(mnemonic, "rcl" | "rcr") { CF } else { NONE };
        return kept | own;
    }
    match condition {
        Some(ALWAYS | NEVER) if is_conditional_comparison(mnemonic) => NONE,
        Some(code) => CONDITION_READS.get(code).copied().unwrap_or(ALL),
        None => READ
            .iter()
            .find(|(mnemonics, _)| mnemonics.contains(&mnemonic))
            .map_or(ALL, |&(_, mask)| mask),
    }
}

/// Whether this file knows what a mnemonic does to the flags that LLVM says it writes or reads.
#[cfg(all(test, feature = "llvm"))]
pub(super) fn is_known(mnemonic: &str, writes: bool, reads: bool, has_condition: bool) -> bool {
    let written = effect_of(mnemonic).is_some() || is_conditional_comparison(mnemonic);
    let read = has_condition || READ.iter().any(|(mnemonics, _)| mnemonics.contains(&mnemonic));
    (!writes || written) && (!reads || read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_writers_and_readers() {
        assert_eq!(written("inc", "INC64r") & CF, 0);
        assert_eq!(written("bts", "BTS16rr"), CF);
        assert_eq!(written("adc", "ADC64rr"), ALL);
        assert_eq!(written("and", "AND64rr"), ALL & !AF);
        assert_eq!(written("andn", "ANDN64rr") & PF, 0);
        assert_eq!(written("div", "DIV64r"), 0);
        assert_eq!(read("cmovbe", "CMOV64rr", Some(6)), CF | ZF);
        assert_eq!(read("sete", "SETCCr", Some(4)), ZF);
        assert_eq!(read("adc", "ADC64rr", None), CF);
        assert_eq!(read("adox", "ADOX64rr", None), OF);
        assert_eq!(read("fcmovnbe", "CMOVNBE_F", None), CF | ZF);
        assert_eq!(read("pushf", "PUSHF64", None), ALL);
    }

    #[test]
    fn undefined_flags_are_neither_written_nor_left_alone() {
        assert_eq!(undefined("and", "AND64rr"), AF);
        assert_eq!(undefined("div", "DIV64r"), ALL);
        assert_eq!(undefined("add", "ADD64rr"), NONE);
        for effect in EFFECTS {
            assert_eq!(effect.written & effect.undefined, 0, "{:?}", effect.mnemonics);
        }
    }

    #[test]
    fn the_overflow_flag_is_defined_by_shifts_by_one() {
        assert_eq!(written("shl", "SHL64r1"), SHIFT | OF);
        assert_eq!(written("shl", "SHL64ri"), SHIFT);
        assert_eq!(written("rcl", "RCL16r1_ND"), CF | OF);
        assert_eq!(undefined("rcl", "RCL16ri"), OF);
    }

    #[test]
    fn shifts_by_a_register_read_the_flags_that_they_may_keep() {
        assert_eq!(read("shl", "SHL64rCL", None), SHIFT | AF | OF);
        assert_eq!(read("rcl", "RCL64rCL", None), CF | OF);
        assert_eq!(read("rcl", "RCL64ri", None), CF);
    }

    #[test]
    fn conditional_comparisons_have_two_conditions_that_read_nothing() {
        assert_eq!(read("ccmpt", "CCMP64rr", Some(10)), NONE);
        assert_eq!(read("cmovp", "CMOV64rr", Some(10)), PF);
        assert_eq!(written("ccmpe", "CCMP64rr"), ALL);
    }

    #[test]
    fn no_mnemonic_has_two_effects() {
        let all: Vec<&str> =
            EFFECTS.iter().flat_map(|effect| effect.mnemonics.iter().copied()).collect();
        let distinct: std::collections::HashSet<&str> = all.iter().copied().collect();
        assert_eq!(all.len(), distinct.len());
    }
}
