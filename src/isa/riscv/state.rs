//! State that instructions touch unnamed: rounding modes and accrued flags. LLVM's tables have
//! a part of it. Sources: RISC-V unprivileged ISA, chapters "F" and "V" (3.8 to 3.10, 12, 13).

use super::super::names;
use super::vector;
use crate::form::InstructionForm;
use crate::metadata::{InstructionSet, RegisterId};

/// Rounding modes in their encoding, behind what assemblers write.
pub(super) const ROUNDING_MODES: [(&str, i64); 5] =
    [("rne", 0), ("rtz", 1), ("rdn", 2), ("rup", 3), ("rmm", 4)];
/// The mode that the control register holds: what compilers write where nothing else is said.
pub(super) const DYNAMIC: i64 = 7;

/// Scalar instructions with a rounding mode as their last operand, by their stems.
const ROUNDED: &[&str] = &[
    "FADD", "FSUB", "FMUL", "FDIV", "FSQRT", "FMADD", "FMSUB", "FNMADD", "FNMSUB", "FCVT",
    "FROUND", "FROUNDNX",
];

/// Scalar instructions that raise floating-point flags. Others move bits, or look at them.
const RAISING: &[&str] = &[
    "FADD", "FCVT", "FCVTMOD", "FDIV", "FEQ", "FLE", "FLEQ", "FLT", "FLTQ", "FMADD", "FMAX",
    "FMAXM", "FMIN", "FMINM", "FMSUB", "FMUL", "FNMADD", "FNMSUB", "FROUND", "FROUNDNX", "FSQRT",
    "FSUB",
];

/// Vector instructions with floating-point elements that raise no flags: they, too, move bits.
const SILENT: &[&str] =
    &["VFCLASS", "VFMERGE", "VFMV", "VFSGNJ", "VFSGNJN", "VFSGNJX", "VFSLIDE1DOWN", "VFSLIDE1UP"];

/// Whether an instruction raises floating-point flags.
fn raises(opcode: &str) -> bool {
    names::is_any(opcode, RAISING)
        || (vector::is_floating_point(opcode) && !names::is_any(opcode, SILENT))
}

/// Fixed-point vector instructions that round, and those that saturate.
const FIXED_ROUNDED: &[&str] =
    &["VAADD", "VAADDU", "VASUB", "VASUBU", "VSMUL", "VSSRL", "VSSRA", "VNCLIP", "VNCLIPU"];
const SATURATED: &[&str] = &["VSADD", "VSADDU", "VSSUB", "VSSUBU", "VSMUL", "VNCLIP", "VNCLIPU"];

/// The operand that holds the rounding mode, if there is one.
pub(super) fn rounding_operand(opcode: &str, operands: usize) -> Option<usize> {
    names::is_any(opcode, ROUNDED).then(|| operands.checked_sub(1)).flatten()
}

/// Puts down what LLVM leaves out, and takes out VL and VTYPE: a kernel's setup establishes
/// them, and nothing in the kernel writes them.
pub(super) fn correct(form: &mut InstructionForm, set: &InstructionSet) {
    let register = |name: &str| set.register_by_name(name);
    let add = |list: &mut Vec<RegisterId>, name: &str| {
        list.extend(register(name).filter(|register| !list.contains(register)));
    };
    let configuration = [register("VL"), register("VTYPE")];
    form.implicit_uses.retain(|&register| !configuration.contains(&Some(register)));
    let name = form.name.as_str();
    if rounding_operand(name, form.operands.len()).is_some() {
        add(&mut form.implicit_uses, "FRM");
    }
    if raises(name) {
        add(&mut form.implicit_defs, "FFLAGS");
    }
    if names::is_any(name, FIXED_ROUNDED) {
        add(&mut form.implicit_uses, "VXRM");
    }
    if names::is_any(name, SATURATED) {
        add(&mut form.implicit_defs, "VXSAT");
    }
}

/// Why nothing is passed on through a register that an instruction writes unnamed.
pub(super) fn unchainable(register: &str) -> Option<&'static str> {
    match register {
        "FFLAGS" | "VXSAT" => {
            Some("flags only accumulate there, and are read by control-register instructions alone")
        }
        "VL" | "VTYPE" => Some("the vector configuration is the kernel's own"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_modes_are_told_by_name() {
        assert_eq!(rounding_operand("FADD_D", 4), Some(3));
        assert_eq!(rounding_operand("FCVTMOD_W_D", 3), None);
        assert_eq!(rounding_operand("FSGNJ_D", 3), None);
        assert_eq!(rounding_operand("VFADD_VV", 4), None);
    }

    #[test]
    fn flags_are_raised_by_arithmetic_only() {
        for name in ["FADD_D", "FLT_S", "VFWMUL_VV", "VMFEQ_VF", "FCVT_W_D", "VFRSQRT7_V"] {
            assert!(raises(name), "{name}");
        }
        for name in ["FSGNJN_H", "FMV_X_D", "VFMV_F_S", "VFMERGE_VFM", "FENCE", "VFIRST_M", "FLI_D"]
        {
            assert!(!raises(name), "{name}");
        }
    }
}
