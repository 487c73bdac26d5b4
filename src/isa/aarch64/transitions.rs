//! States of AArch64 that instructions enter and leave.

use crate::isa::Transition;

/// FPCR by its fields op0 = 3, op1 = 3, CRn = 4, CRm = 4, op2 = 0 (Arm ARM, C5.2.8), as the operand of MSR.
const FPCR: Option<(usize, i64)> = Some((0, 0xDA20));

/// The control of floating point.
pub(super) const ALL: &[Transition] =
    &[Transition { name: "fpcr", enter: &[("MSR", FPCR)], leave: &[("MSR", FPCR)] }];
