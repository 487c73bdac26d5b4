//! The x87 register stack. LLVM's tables name only the explicit stack register; that the top
//! of the stack is read and written, and that it moves, is known here. Source: Intel SDM
//! volume 1, chapter 8.

use super::super::{BreakingPair, Companions};
use crate::form::InstructionForm;
use crate::metadata::InstructionSet;

/// How an instruction moves the stack and uses its top.
struct StackEffect {
    /// The mnemonic.
    mnemonic: &'static str,
    /// Registers pushed (positive) or popped (negative).
    pushes: i32,
    /// Reads the top.
    reads_top: bool,
    /// Writes the top.
    writes_top: bool,
}

const fn effect(
    mnemonic: &'static str,
    pushes: i32,
    reads_top: bool,
    writes_top: bool,
) -> StackEffect {
    StackEffect { mnemonic, pushes, reads_top, writes_top }
}

const EFFECTS: &[StackEffect] = &[
    // Loads and constants.
    effect("fld1", 1, false, true),
    effect("fldl2e", 1, false, true),
    effect("fldl2t", 1, false, true),
    effect("fldlg2", 1, false, true),
    effect("fldln2", 1, false, true),
    effect("fldpi", 1, false, true),
    effect("fldz", 1, false, true),
    effect("fldcw", 0, false, false),
    effect("fldenv", 0, false, false),
    effect("fld", 1, false, true),
    // Stores, comparisons and arithmetic that pop.
    effect("fstp", -1, true, false),
    effect("faddp", -1, true, false),
    effect("fmulp", -1, true, false),
    effect("fsubp", -1, true, false),
    effect("fsubrp", -1, true, false),
    effect("fdivp", -1, true, false),
    effect("fdivrp", -1, true, false),
    effect("fcompp", -2, true, false),
    effect("fucompp", -2, true, false),
    effect("fcompi", -1, true, false),
    effect("fucompi", -1, true, false),
    effect("fcomp", -1, true, false),
    effect("fucomp", -1, true, false),
    effect("fyl2x", -1, true, true),
    effect("fyl2xp1", -1, true, true),
    effect("fpatan", -1, true, true),
    effect("ffreep", -1, false, false),
    // Functions that push a second result.
    effect("fptan", 1, true, true),
    effect("fsincos", 1, true, true),
    effect("fxtract", 1, true, true),
    // What leaves the stack where it is.
    effect("fcomi", 0, true, false),
    effect("fucomi", 0, true, false),
    effect("fcom", 0, true, false),
    effect("fucom", 0, true, false),
    effect("ftst", 0, true, false),
    effect("fxam", 0, true, false),
    effect("fst", 0, true, false),
    effect("fcmovb", 0, true, true),
    effect("fcmove", 0, true, true),
    effect("fcmovu", 0, true, true),
    effect("fcmovbe", 0, true, true),
    effect("fcmovnb", 0, true, true),
    effect("fcmovne", 0, true, true),
    effect("fcmovnu", 0, true, true),
    effect("fcmovnbe", 0, true, true),
    effect("fxch", 0, true, true),
    effect("fabs", 0, true, true),
    effect("fchs", 0, true, true),
    effect("fsqrt", 0, true, true),
    effect("fsin", 0, true, true),
    effect("fcos", 0, true, true),
    effect("f2xm1", 0, true, true),
    effect("fprem", 0, true, true),
    effect("fprem1", 0, true, true),
    effect("frndint", 0, true, true),
    effect("fscale", 0, true, true),
    effect("fadd", 0, true, true),
    effect("fmul", 0, true, true),
    effect("fsub", 0, true, true),
    effect("fsubr", 0, true, true),
    effect("fdiv", 0, true, true),
    effect("fdivr", 0, true, true),
];

/// What else is executed by the x87 unit: it leaves the top where it is, or is no arithmetic.
const OTHERS: &[&str] = &[
    "fiadd", "fidivr", "fidiv", "fbld", "fbstp", "fdecstp", "ffree", "ficom", "ficomp", "fincstp",
    "fnclex", "fninit", "fnop", "fnstcw", "fnstsw", "frstor", "fnsave", "fnstenv", "fild",
    "fisttp", "fist", "fistp", "fimul", "fisubr", "fisub", "wait",
];

/// Forms whose explicit operand is the destination; the top is only read.
const INTO_OPERAND: &[&str] = &[
    "ADD_FPrST0",
    "ADD_FrST0",
    "DIVR_FPrST0",
    "DIVR_FrST0",
    "DIV_FPrST0",
    "DIV_FrST0",
    "MUL_FPrST0",
    "MUL_FrST0",
    "SUBR_FPrST0",
    "SUBR_FrST0",
    "SUB_FPrST0",
    "SUB_FrST0",
    "ST_Frr",
    "ST_FPrr",
];
/// Mnemonics of forms that read and write the explicit operand.
const UPDATES_OPERAND: &[&str] = &[
    "fadd", "faddp", "fmul", "fmulp", "fsub", "fsubp", "fsubr", "fsubrp", "fdiv", "fdivp", "fdivr",
    "fdivrp", "fxch",
];
/// Conditional moves.
const CONDITIONAL_MOVES: &[&str] =
    &["fcmovb", "fcmovnb", "fcmove", "fcmovne", "fcmovbe", "fcmovnbe", "fcmovu", "fcmovnu"];

pub(super) fn is_x87(form: &InstructionForm) -> bool {
    effect_of(form).is_some() || OTHERS.contains(&form.mnemonic.as_str())
}

fn effect_of(form: &InstructionForm) -> Option<&'static StackEffect> {
    EFFECTS.iter().find(|effect| form.mnemonic == effect.mnemonic)
}

/// Adds what LLVM leaves out: the top of the stack, and the operand's role.
pub(super) fn correct(form: &mut InstructionForm, set: &InstructionSet) {
    let Some(effect) = effect_of(form) else { return };
    let Some(top) = set.register_by_name("ST0") else { return };
    let into_operand = INTO_OPERAND.contains(&form.name.as_str());
    let updates = UPDATES_OPERAND.contains(&form.mnemonic.as_str());
    let exchanges = form.mnemonic == "fxch";
    for operand in &mut form.operands {
        operand.write = into_operand || exchanges;
        operand.read = !into_operand || updates;
    }
    set_membership(&mut form.implicit_uses, top, effect.reads_top);
    set_membership(&mut form.implicit_defs, top, effect.writes_top && !into_operand);
    if let Some(flags) = set.register_by_name("EFLAGS")
        && CONDITIONAL_MOVES.contains(&form.mnemonic.as_str())
    {
        set_membership(&mut form.implicit_uses, flags, true);
    }
}

fn set_membership<T: PartialEq>(list: &mut Vec<T>, item: T, wanted: bool) {
    list.retain(|other| *other != item);
    if wanted {
        list.push(item);
    }
}

/// Pushes are followed by as many pops, pops preceded by as many pushes.
pub(super) fn companions(form: &InstructionForm) -> Companions {
    let Some(effect) = effect_of(form) else { return Companions::default() };
    match effect.pushes {
        pushes if pushes > 0 => {
            Companions { before: Vec::new(), after: vec!["ST_FPrr"; pushes as usize] }
        }
        pushes => {
            Companions { before: vec!["LD_Frr"; pushes.unsigned_abs() as usize], after: Vec::new() }
        }
    }
}

/// The top is pushed down, written over where it lies then, and comes up again as what was pushed.
pub(super) fn breaking_pair(register: &str) -> Option<BreakingPair> {
    (register == "ST0").then_some(BreakingPair { push: "LD_Frr", pop: "ST_FPrr", below: "ST1" })
}

/// Mnemonics that move or compare values, and what tells how a comparison came out.
const MOVES: &[&str] =
    &["fst", "fxch", "fcomi", "fucomi", "fcom", "fucom", "ftst", "fxam", "fnstsw"];

/// Whether a form does no more than move a value, on the stack or from there to flags and back.
pub(super) fn moves_values(form: &InstructionForm) -> bool {
    [MOVES, CONDITIONAL_MOVES].iter().any(|moves| moves.contains(&form.mnemonic.as_str()))
}

/// Whether a form moves the stack, so that names mean different registers before and after it.
pub(super) fn moves_stack(form: &InstructionForm) -> bool {
    effect_of(form).is_some_and(|effect| effect.pushes != 0)
}
